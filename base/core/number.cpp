// Over std::from_chars and std::to_chars ([charconv] of the C++ standard): nearest double, shortest text, no locale.

#include "base/core/number.hpp"

#include <cmath>
#include <stdexcept>

namespace simbatch {

bool is_digits(std::string_view text) {
  if (text.empty()) return false;
  for (const char c : text)
    if (c < '0' || c > '9') return false;
  return true;
}

Number<double> parse_double(std::string_view text) {
  Number<double> result;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, result.value, std::chars_format::general);
  if (error == std::errc::invalid_argument || stop != end) {
    result.fault = NumberFault::syntax;
  } else if (error == std::errc::result_out_of_range) {
    // from_chars does not distinguish overflow from underflow. The text does: a value below the smallest double has a negative
    // exponent or a long run of zeros after the point.
    const std::size_t exponent = text.find_first_of("eE");
    const bool tiny = exponent != std::string_view::npos ? text.substr(exponent + 1).starts_with('-')
                                                         : text.find('.') < text.find_first_of("123456789");
    if (tiny)
      result.value = text[0] == '-' ? -0.0 : 0.0;
    else
      result.fault = NumberFault::out_of_range;
  } else if (!std::isfinite(result.value)) {
    result.fault = NumberFault::syntax;  // "nan", "inf"
  }
  if (result.fault != NumberFault::none) result.value = 0;
  return result;
}

void append_number(std::string& out, double value) {
  if (!std::isfinite(value)) throw std::invalid_argument("append_number: not finite");
  char buffer[32];
  out.append(buffer, std::to_chars(buffer, buffer + sizeof buffer, value).ptr);
}

std::string number_text(double value) {
  std::string out;
  append_number(out, value);
  return out;
}

void append_rounded(std::string& out, double value, int decimals) {
  if (!std::isfinite(value)) throw std::invalid_argument("append_rounded: not finite");
  char buffer[384];  // 309 digits, sign, point and 20 decimals fit
  const char* end = std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::fixed, decimals).ptr;
  if (decimals > 0) {
    while (end[-1] == '0') --end;
    if (end[-1] == '.') --end;
  }
  const std::string_view text(buffer, static_cast<std::size_t>(end - buffer));
  out += text == "-0" ? "0" : text;
}

std::string rounded_text(double value, int decimals) {
  std::string out;
  append_rounded(out, value, decimals);
  return out;
}

}  // namespace simbatch
