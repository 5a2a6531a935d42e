#include "base/xml/number_list.hpp"

#include <algorithm>

#include "base/core/number.hpp"

namespace simbatch::xml {

NumberList read_number_list(std::string_view text, std::size_t max) {
  constexpr std::string_view kBlanks = " \t\r\n\v\f";
  NumberList list;
  for (std::size_t at = text.find_first_not_of(kBlanks); at != std::string_view::npos;) {
    const std::size_t end = std::min(text.find_first_of(kBlanks, at), text.size());
    const std::string_view word = text.substr(at, end - at);
    std::string_view digits = word;
    if (digits.starts_with('+') && !digits.starts_with("+-")) digits.remove_prefix(1);
    ++list.count;
    if (list.bad.empty()) {
      const Number<double> number = parse_double(digits);
      if (!number) {
        list.bad = word;
        list.bad_at = at;
      } else if (list.values.size() < max) {
        list.values.push_back(number.value);
      }
    }
    at = text.find_first_not_of(kBlanks, end);
  }
  return list;
}

}  // namespace simbatch::xml
