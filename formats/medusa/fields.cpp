#include "formats/medusa/fields.hpp"

#include "base/core/text.hpp"

namespace simbatch::medusa::detail {

bool Fields::next_word(std::string_view& word) {
  skip_blanks();
  if (at_ == end_) return false;
  const char* start = at_;
  while (at_ != end_ && !is_blank(*at_)) ++at_;
  word = {start, static_cast<std::size_t>(at_ - start)};
  return true;
}

std::string_view Fields::rest() const { return trimmed({at_, static_cast<std::size_t>(end_ - at_)}); }

void Fields::slow(Field& field) {
  plain_ = false;
  const char* start = at_;
  while (at_ != end_ && !is_blank(*at_)) ++at_;
  field.text = {start, static_cast<std::size_t>(at_ - start)};
  field.dotted = field.text.find_first_of(".eE") != std::string_view::npos;
  std::string_view text = field.text;
  if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);  // both programs take a plus sign
  const Number<double> number = parse_double(text);
  field.value = number.value;
  field.trouble = Trouble::none;
  if (number) return;
  if (number.fault == NumberFault::out_of_range) {
    field.trouble = Trouble::range;
    return;
  }
  field.trouble = Trouble::syntax;
  const std::string_view body = text.starts_with('-') ? text.substr(1) : text;
  const std::string word = lower_ascii(body);
  if (word == "nan" || word == "inf" || word == "infinity" || word.starts_with("0x")) {
    field.trouble = Trouble::range;
  } else if (!body.empty() && body.find_first_not_of("0123456789.,eE+-") == std::string_view::npos) {
    if (body.find(',') != std::string_view::npos)
      field.trouble = Trouble::comma;
    else if (body.find('.') != body.rfind('.'))
      field.trouble = Trouble::dots;
  }
}

}  // namespace simbatch::medusa::detail
