#pragma once
/// Numbers as text, exactly and without a locale (docs/adr/0003).

#include <charconv>
#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>

namespace simbatch {

enum class NumberFault {
  none,
  syntax,        ///< not a number, or something after it: "1.5x", "1,5", "0x10", "+5", "", " 1", "nan", "inf"
  out_of_range,  ///< does not fit the type: "1e999", "-1" for an unsigned, "3000000000" for an int32
};

/// A number, or the reason for its absence.
template <class T>
struct [[nodiscard]] Number {
  T value{};
  NumberFault fault = NumberFault::none;
  explicit operator bool() const { return fault == NumberFault::none; }
};

/// The whole of `text` as a decimal number. "5.", ".5", "1e3" and "-0" are numbers; a leading '+', blanks, hexadecimal, nan
/// and infinity are not. "1e-999" becomes 0 (the nearest double), "1e999" is out of range. Nearest double, ties to even.
Number<double> parse_double(std::string_view text);

/// True if `text` is one or more decimal digits.
bool is_digits(std::string_view text);

/// The whole of `text` as a decimal integer of type T; the same rules for sign and blanks.
template <std::integral T>
Number<T> parse_integer(std::string_view text) {
  Number<T> result;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, result.value);
  if (error == std::errc::result_out_of_range && stop == end)
    result.fault = NumberFault::out_of_range;
  else if (error != std::errc{} || stop != end)
    result.fault =
        !text.empty() && text[0] == '-' && is_digits(text.substr(1)) ? NumberFault::out_of_range : NumberFault::syntax;
  return result;
}

/// Appends the shortest decimal text that reads back as the same double; -0 as "-0". A non-finite value is a broken
/// precondition: std::invalid_argument.
void append_number(std::string& out, double value);
/// Like append_number, but returns a new string.
std::string number_text(double value);
/// Appends `value` rounded to at most `decimals` digits after the point, without trailing zeros and without an exponent:
/// 2.5, 10, -0.001. A value that rounds to zero is "0", never "-0". Correctly rounded (nearest, ties to even, on the exact
/// binary value).
/// @param decimals  0..20
/// A non-finite value is a broken precondition: std::invalid_argument.
void append_rounded(std::string& out, double value, int decimals);
/// Like append_rounded, but returns a new string.
std::string rounded_text(double value, int decimals);
/// The nearest multiple of 1/255: a component of a color that is a byte on its way to a screen. @param value  0..1
inline double in_255ths(double value) { return static_cast<double>(static_cast<int>(value * 255 + 0.5)) / 255; }
/// An integer's decimal text.
template <std::integral T>
std::string number_text(T value) {
  char buffer[24];
  return {buffer, std::to_chars(buffer, buffer + sizeof buffer, value).ptr};
}

}  // namespace simbatch
