#include "formats/trace/csv_cells.hpp"

#include "formats/trace/codes.hpp"
#include "formats/trace/json_cursor.hpp"

namespace simbatch::trace::detail {

std::string_view Cells::next(bool& last, std::string& unquoted) {
  start_ = at_;
  std::string_view cell;
  if (at_ < text_.size() && text_[at_] == '"') {
    ++at_;
    unquoted.clear();
    while (true) {
      const std::size_t quote = text_.find('"', at_);
      if (quote == std::string_view::npos) throw ReadFailure{&code::kSyntax, start_, "a quoted cell without an end"};
      unquoted += text_.substr(at_, quote - at_);
      at_ = quote + 1;
      if (at_ >= text_.size() || text_[at_] != '"') break;
      unquoted += '"';
      ++at_;
    }
    cell = unquoted;
  } else {
    std::size_t end = at_;
    while (end < text_.size() && text_[end] != ',' && text_[end] != '\n' && text_[end] != '\r') ++end;
    cell = text_.substr(at_, end - at_);
    at_ = end;
  }
  if (at_ < text_.size() && text_[at_] == ',') {
    ++at_;
    last = false;
    return cell;
  }
  if (at_ < text_.size() && text_[at_] == '\r') ++at_;
  if (at_ >= text_.size() || text_[at_] != '\n')
    throw ReadFailure{&code::kSyntax, at_, "expected a comma or the end of the line"};
  ++at_;
  last = true;
  return cell;
}

}  // namespace simbatch::trace::detail
