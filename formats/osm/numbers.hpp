#pragma once
/// Ids and coordinates from text, quickly: eight digits at a time. Both read up to 8 bytes after the text, which the
/// scanner's windows allow.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace simbatch::osm::detail {

inline std::uint64_t load8(const char* at) {
  std::uint64_t word = 0;
  std::memcpy(&word, at, 8);
  return word;
}

/// True if all eight bytes are decimal digits.
inline bool eight_digits(std::uint64_t word) {
  constexpr std::uint64_t kHigh = 0xF0F0F0F0F0F0F0F0, kZeros = 0x3030303030303030;
  return (word & kHigh) == kZeros && ((word + 0x0606060606060606) & kHigh) == kZeros;
}

/// The value of eight decimal digits, first digit in the lowest byte (Daniel Lemire, "Quickly parsing eight digits", 2018).
inline std::uint32_t eight_digit_value(std::uint64_t word) {
  word = (word & 0x0F0F0F0F0F0F0F0F) * 2561 >> 8;
  word = (word & 0x00FF00FF00FF00FF) * 6553601 >> 16;
  return static_cast<std::uint32_t>((word & 0x0000FFFF0000FFFF) * 42949672960001 >> 32);
}

/// A whole id: '-'? digits, not 0, within 64 bits. @return false if it is not one
inline bool read_id(const char* at, const char* end, std::int64_t& id) {
  const bool negative = at != end && *at == '-';
  at += negative;
  if (at == end || end - at > 19) return false;
  std::uint64_t value = 0;
  while (end - at >= 8) {
    const std::uint64_t word = load8(at);
    if (!eight_digits(word)) return false;
    value = value * 100000000 + eight_digit_value(word);
    at += 8;
  }
  for (; at != end; ++at) {
    const auto digit = static_cast<unsigned char>(*at - '0');
    if (digit > 9) return false;
    value = value * 10 + digit;
  }
  // 19 digits are below 10^19 and fit 64 unsigned bits; what does not fit the signed range is refused. -2^63 is refused
  // too: no other program could take its absolute value.
  if (value == 0 || value > INT64_MAX) return false;
  id = negative ? -static_cast<std::int64_t>(value) : static_cast<std::int64_t>(value);
  return true;
}

/// A number of degrees as 10^-7 degrees, rounded half away from zero.
/// @param limit_e7  largest absolute value, at most 180e7
/// @param longer    set if digits other than 0 were rounded away
/// @return false if it is not a number or out of range
bool read_degrees_slow(const char* at, const char* end, std::int32_t limit_e7, std::int32_t& value, bool& longer);

inline bool read_degrees(const char* at, const char* end, std::int32_t limit_e7, std::int32_t& value, bool& longer) {
  const char* const start = at;
  const bool negative = at != end && *at == '-';
  at += negative;
  // The point is behind one, two or three digits, if there is one.
  const std::ptrdiff_t whole_digits = std::min<std::ptrdiff_t>(end - at, at[1] == '.' ? 1 : at[2] == '.' ? 2 : 3);
  std::uint32_t whole = 0, greatest = 0;  // greatest: of the digits, above 9 if one is none
  for (std::ptrdiff_t i = 0; i < whole_digits; ++i) {
    const std::uint32_t digit = static_cast<unsigned char>(at[i] - '0');
    greatest = std::max(greatest, digit);
    whole = whole * 10 + digit;
  }
  if (whole_digits < 1 || greatest > 9) return read_degrees_slow(start, end, limit_e7, value, longer);
  at += whole_digits;
  std::uint32_t fraction = 0;  // in 10^-7
  if (at != end) {
    const auto size = end - at;  // with the point
    if (*at != '.' || size < 2 || size > 8) return read_degrees_slow(start, end, limit_e7, value, longer);
    // The point and the digits after the text are made zeros.
    const std::uint64_t keep = (~std::uint64_t{0} >> (64 - 8 * size)) & ~std::uint64_t{0xFF};
    const std::uint64_t word = (load8(at) & keep) | (0x3030303030303030 & ~keep);
    if (!eight_digits(word)) return read_degrees_slow(start, end, limit_e7, value, longer);
    fraction = eight_digit_value(word);
  }
  const std::int64_t sum = std::int64_t{whole} * 10000000 + fraction;
  if (sum > limit_e7) return false;
  value = static_cast<std::int32_t>(negative ? -sum : sum);
  return true;
}

}  // namespace simbatch::osm::detail
