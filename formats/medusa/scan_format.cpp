#include "formats/medusa/scan_format.hpp"

// Outline: find the longest run of characters that scanf accepts as a number, then convert it like strtod: the longest prefix
// that is a number. C17 7.21.6.2 and 7.22.1.3; where glibc differs (a dangling exponent is swallowed), glibc.

#include <charconv>
#include <cstdint>
#include <limits>
#include <string>

namespace simbatch::medusa::detail {
namespace {

bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }
bool is_hex(char c) { return is_digit(c) || (lower(c) >= 'a' && lower(c) <= 'f'); }

bool has_prefix(std::string_view text, std::string_view word) {
  if (text.size() < word.size()) return false;
  for (std::size_t i = 0; i < word.size(); ++i)
    if (lower(text[i]) != word[i]) return false;
  return true;
}

/// strtod without blanks in front: value of the longest number at the front of `run`; size 0 if there is none.
template <class T>
std::size_t convert(std::string_view run, T& value) {
  std::size_t at = 0;
  bool negative = false;
  if (at < run.size() && (run[at] == '+' || run[at] == '-')) negative = run[at++] == '-';
  const std::string_view rest = run.substr(at);
  T result{};
  std::size_t size = 0;
  if (has_prefix(rest, "inf")) {
    result = std::numeric_limits<T>::infinity();
    size = has_prefix(rest, "infinity") ? 8 : 3;
  } else if (has_prefix(rest, "nan")) {
    result = std::numeric_limits<T>::quiet_NaN();
    size = 3;
  } else {
    const bool hex = has_prefix(rest, "0x") && rest.size() > 2 &&
                     (is_hex(rest[2]) || (rest[2] == '.' && rest.size() > 3 && is_hex(rest[3])));
    const std::string_view digits = hex ? rest.substr(2) : rest;
    if (digits.empty() || !(is_digit(digits[0]) || digits[0] == '.' || (hex && is_hex(digits[0])))) return 0;
    const auto [stop, error] = std::from_chars(digits.data(), digits.data() + digits.size(), result,
                                               hex ? std::chars_format::hex : std::chars_format::general);
    if (error == std::errc::invalid_argument) return 0;
    size = static_cast<std::size_t>(stop - digits.data()) + (hex ? 2 : 0);
    if (error == std::errc::result_out_of_range) {
      // Too large or too small: distinguished by the sign of the exponent or the position of the first digit.
      const std::string_view number = digits.substr(0, static_cast<std::size_t>(stop - digits.data()));
      const std::size_t exponent = number.find_first_of(hex ? "pP" : "eE");
      const bool tiny = exponent != std::string_view::npos ? number.substr(exponent + 1).starts_with('-')
                                                           : number.find('.') < number.find_first_of("123456789abcdefABCDEF");
      result = tiny ? T{} : std::numeric_limits<T>::infinity();
    }
  }
  value = negative ? -result : result;
  return at + size;
}

/// The characters that scanf takes for a %f, or 0.
std::size_t real_run(std::string_view text) {
  std::size_t at = 0;
  if (at < text.size() && (text[at] == '+' || text[at] == '-')) ++at;
  const std::string_view rest = text.substr(at);
  if (has_prefix(rest, "nan")) return at + 3;
  if (has_prefix(rest, "inf")) {
    if (has_prefix(rest, "infinity")) return at + 8;
    return rest.size() > 3 && lower(rest[3]) == 'i' ? 0 : at + 3;  // "infi..." must continue to "infinity"
  }
  bool hex = false, dot = false, digits = false;
  if (at + 1 < text.size() && text[at] == '0' && lower(text[at + 1]) == 'x') {
    hex = true;
    at += 2;
  }
  bool exponent = false;
  for (; at < text.size(); ++at) {
    const char c = text[at];
    if (is_digit(c) || (hex && !exponent && is_hex(c))) {
      digits = true;
    } else if (c == '.' && !dot && !exponent) {
      dot = true;
    } else if (!exponent && digits && lower(c) == (hex ? 'p' : 'e')) {
      exponent = true;
      if (at + 1 < text.size() && (text[at + 1] == '+' || text[at + 1] == '-')) ++at;
    } else {
      break;
    }
  }
  return digits || (hex && dot) ? at : 0;  // glibc reads "0x." as 0
}

}  // namespace

ScanFormat::ScanFormat(std::string_view text) : text_(text.substr(0, text.find('\0'))) {}

template <class T>
bool ScanFormat::real(T& value) {
  if (failed_) return false;
  while (!text_.empty() && is_space(text_.front())) text_.remove_prefix(1);
  const std::size_t size = real_run(text_);
  T result{};
  if (size == 0 || convert(text_.substr(0, size), result) == 0) {
    failed_ = true;
    return false;
  }
  text_.remove_prefix(size);
  value = result;
  ++converted_;
  return true;
}

bool ScanFormat::next(double& value) { return real(value); }
bool ScanFormat::next(float& value) { return real(value); }

namespace {
/// strtol in base 10 without blanks in front, then a cast to int as glibc's %d and atoi do. Size 0 if there is no
/// number.
std::size_t convert_int(std::string_view text, int& value) {
  std::size_t at = 0;
  if (at < text.size() && (text[at] == '+' || text[at] == '-')) ++at;
  const std::size_t first = at;
  while (at < text.size() && is_digit(text[at])) ++at;
  if (at == first) return 0;
  const bool negative = text[0] == '-';
  const std::string_view number = text.substr(first, at - first);
  std::int64_t wide = 0;
  const std::string digits = (negative ? "-" : "") + std::string(number);
  if (std::from_chars(digits.data(), digits.data() + digits.size(), wide).ec == std::errc::result_out_of_range)
    wide = negative ? std::numeric_limits<std::int64_t>::min() : std::numeric_limits<std::int64_t>::max();
  value = static_cast<int>(static_cast<std::uint32_t>(static_cast<std::uint64_t>(wide)));
  return at;
}
}  // namespace

bool ScanFormat::next(int& value) {
  if (failed_) return false;
  while (!text_.empty() && is_space(text_.front())) text_.remove_prefix(1);
  const std::size_t size = convert_int(text_, value);
  if (size == 0) {
    failed_ = true;
    return false;
  }
  text_.remove_prefix(size);
  ++converted_;
  return true;
}

int c_atoi(std::string_view text) {
  text = text.substr(0, text.find('\0'));
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  int value = 0;
  convert_int(text, value);
  return value;
}

double c_atof(std::string_view text) {
  text = text.substr(0, text.find('\0'));
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  double value = 0;
  convert(text, value);
  return value;
}

}  // namespace simbatch::medusa::detail
