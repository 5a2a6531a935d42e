#pragma once
/// Ids and coordinates from text, quickly: eight digits at a time. Both read up to 8 bytes after the text, which the
/// scanner's windows allow.

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace simbatch::osm::detail {

inline std::uint64_t load8(const char* at) {
  std::uint64_t word = 0;
  std::memcpy(&word, at, 8);
  return word;
}

/// Eight characters as digits: the values 0 to 9, first character in the lowest byte.
inline std::uint64_t load_digits(const char* at) { return load8(at) ^ 0x3030303030303030; }

inline bool are_digits(std::uint64_t digits) {
  return ((digits | (digits + 0x0606060606060606)) & 0xF0F0F0F0F0F0F0F0) == 0;  // of 10 and above, either has an upper half
}

/// The number of eight digits (Daniel Lemire, "Quickly parsing eight digits", 2018).
inline std::uint32_t number_of(std::uint64_t digits) {
  digits = digits * 2561 >> 8;
  digits = (digits & 0x00FF00FF00FF00FF) * 6553601 >> 16;
  return static_cast<std::uint32_t>((digits & 0x0000FFFF0000FFFF) * 42949672960001 >> 32);
}

/// A whole id: '-'? digits, not 0, within 64 bits. @return false if it is not one
inline bool read_id(const char* at, const char* end, std::int64_t& id) {
  const bool negative = *at == '-';
  at += negative;
  const auto size = static_cast<std::size_t>(end - at);
  if (size - 1 > 18) return false;
  // The first 1 to 8 digits, behind zeros; then eight at a time.
  std::uint64_t digits = load_digits(at) << (-8 * size & 63);
  if (!are_digits(digits)) return false;
  std::uint64_t value = number_of(digits);
  for (at += (size - 1) % 8 + 1; at != end; at += 8) {
    digits = load_digits(at);
    if (!are_digits(digits)) return false;
    value = value * 100'000'000 + number_of(digits);
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
bool read_degrees(const char* at, const char* end, std::int32_t limit_e7, std::int32_t& value, bool& longer);

/// The same for up to three whole digits, a point and up to seven decimals, as nearly all are. @return false: read it slowly
inline bool read_degrees_quickly(const char* at, const char* end, std::int32_t limit_e7, std::int32_t& value) {
  // By size: the bytes of that many characters but the first.
  static constexpr std::uint64_t kDecimals[] = {
      0, 0, 0xFF00, 0xFFFF00, 0xFFFFFF00, 0xFFFFFFFF00, 0xFFFFFFFFFF00, 0xFFFFFFFFFFFF00, 0xFFFFFFFFFFFFFF00};
  if (end - at > 12) return false;
  const bool negative = *at == '-';
  at += negative;
  std::uint32_t tens = 0;  // the whole digits but the last
  for (; at[1] != '.'; ++at) {
    const auto digit = static_cast<unsigned char>(*at - '0');
    if (digit > 9) return false;
    tens = tens * 10 + digit;
  }
  const auto size = static_cast<std::size_t>(end - (at + 1));  // with the point
  if (size - 2 > 6) return false;
  // The last whole digit in the place of the point, then seven decimals: those that are left out are 0.
  const std::uint64_t digits = (load_digits(at + 1) & kDecimals[size]) | static_cast<unsigned char>(*at - '0');
  if (!are_digits(digits)) return false;
  const std::int64_t e7 = std::int64_t{tens} * 100'000'000 + number_of(digits);
  if (e7 > limit_e7) return false;
  value = static_cast<std::int32_t>(negative ? -e7 : e7);
  return true;
}

}  // namespace simbatch::osm::detail
