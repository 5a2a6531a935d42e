#include "formats/trace/csv_table.hpp"

#include "base/core/number.hpp"
#include "formats/trace/codes.hpp"
#include "formats/trace/json_cursor.hpp"

namespace simbatch::trace::detail {
namespace {

// Cells one after another. A row's last cell is followed by a line end.
class Cells {
 public:
  explicit Cells(std::string_view text) : text_(text) {}
  bool done() const { return at_ >= text_.size(); }
  std::size_t offset() const { return start_; }
  // The next cell; `last` says whether its row ends with it.
  std::string_view next(bool& last, std::string& unquoted) {
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

 private:
  std::string_view text_;
  std::size_t at_ = 0, start_ = 0;
};

}  // namespace

bool read_table(std::string_view text, const std::string& file_name, const Device& device, std::vector<std::int64_t>& steps,
                std::vector<Column>& columns, Diagnostics& diagnostics) {
  try {
    Cells cells(text);
    std::string unquoted;
    const std::size_t width = device.fields.size() + 2;
    for (std::size_t row = 0; row == 0 || !cells.done(); ++row) {
      for (std::size_t c = 0; c < width; ++c) {
        bool last = false;
        const std::string_view cell = cells.next(last, unquoted);
        if (last != (c + 1 == width))
          throw ReadFailure{&code::kShape, cells.offset(), "a row of other than " + number_text(width) + " cells"};
        if (row == 0) {
          const std::string_view expected = c == 0 ? "step" : c == 1 ? "time" : std::string_view(device.fields[c - 2].name);
          if (cell != expected)
            throw ReadFailure{&code::kShape, cells.offset(), "column " + quoted(cell) + ", expected " + quoted(expected)};
        } else if (c == 0) {
          const Number<std::int64_t> step = parse_integer<std::int64_t>(cell);
          if (!step) throw ReadFailure{&code::kSyntax, cells.offset(), quoted(cell) + " is not a step"};
          if (step.value < 0 || (!steps.empty() && step.value <= steps.back()))
            throw ReadFailure{&code::kShape, cells.offset(),
                              "step " + number_text(step.value) + " does not come after the one before it"};
          steps.push_back(step.value);
        } else if (c >= 2 && device.fields[c - 2].type == FieldType::text) {
          columns[c - 2].texts.emplace_back(cell);
        } else {
          const Number<double> value = parse_double(cell);
          if (!value) throw ReadFailure{&code::kSyntax, cells.offset(), quoted(cell) + " is not a number"};
          if (c >= 2) columns[c - 2].numbers.push_back(value.value);
        }
      }
    }
    return true;
  } catch (const ReadFailure& failure) {
    Diagnostics found(file_name);
    found.report(*failure.code, position_at(text, failure.offset), failure.message);
    diagnostics.append(std::move(found));
    return false;
  }
}

}  // namespace simbatch::trace::detail
