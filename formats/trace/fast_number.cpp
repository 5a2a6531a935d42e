#include "formats/trace/fast_number.hpp"

#include <fmt/format.h>

#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>

namespace simbatch::trace::detail {
namespace {

constexpr char kPairs[] =
    "00010203040506070809101112131415161718192021222324252627282930313233343536373839404142434445464748495051525354555657"
    "585960616263646566676869707172737475767778798081828384858687888990919293949596979899";

void pair(char* out, std::uint32_t value) { std::memcpy(out, kPairs + 2 * value, 2); }

void eight_digits(char* out, std::uint32_t value) {
  const std::uint32_t high = value / 10000, low = value % 10000;
  pair(out, high / 100);
  pair(out + 2, high % 100);
  pair(out + 4, low / 100);
  pair(out + 6, low % 100);
}

// Digits of value, most significant first, right-aligned in the first 24 bytes of the buffer; returns where they start. From
// there on 24 bytes may be read.
constexpr std::size_t kDigits = 24;
const char* digits_of(std::uint64_t value, char (&buffer)[2 * kDigits]) {
  char* at = buffer + kDigits;
  while (value >= 100000000) {
    at -= 8;
    eight_digits(at, static_cast<std::uint32_t>(value % 100000000));
    value /= 100000000;
  }
  auto rest = static_cast<std::uint32_t>(value);
  while (rest >= 100) {
    at -= 2;
    pair(at, rest % 100);
    rest /= 100;
  }
  if (rest >= 10) {
    at -= 2;
    pair(at, rest);
  } else {
    *--at = static_cast<char>('0' + rest);
  }
  return at;
}

}  // namespace

char* write_number(char* out, double value) {
  if (value == 0) {
    if (std::signbit(value)) *out++ = '-';
    *out++ = '0';
    return out;
  }
  char* const start = out;
  const double size = std::abs(value);
  if (size < 0x1p53 && size >= 1) {
    const auto whole = static_cast<std::uint64_t>(size);
    // Whole numbers up to 99999 print in full in every form; larger ones may be shorter as 1e+05.
    if (static_cast<double>(whole) == size && whole < 100000) {
      *out = '-';
      out += value < 0;
      char buffer[2 * kDigits];
      const char* digits = digits_of(whole, buffer);
      std::memcpy(out, digits, kDigits);
      return out + (buffer + kDigits - digits);
    }
  }
#if FMT_VERSION >= 90000 && FMT_VERSION < 100000
  const auto decimal = fmt::detail::dragonbox::to_decimal(size);
  char buffer[2 * kDigits];
  const char* digits = digits_of(decimal.significand, buffer);
  const int n = static_cast<int>(buffer + kDigits - digits);
  const int e = decimal.exponent;  // value = digits * 10^e
  if (e < 0) {
    const int point = n + e;  // digits before the decimal point
    // Length with a point, and as d.ddde-xx: the shorter one is printed, with a point if equal (as std::to_chars).
    const int fixed = point > 0 ? n + 1 : 2 - point + n;
    const int exponent = point - 1;
    const int scientific = n + (n > 1) + 2 + (std::abs(exponent) >= 100 ? 3 : 2);
    if (fixed <= scientific) {
      // No branch on the sign, and copies of a fixed length: each is a few moves, whatever the number.
      *out = '-';
      out += value < 0;
      if (point > 0) {
        std::memcpy(out, digits, kDigits);
        out[point] = '.';
        std::memcpy(out + point + 1, digits + point, kDigits);
        return out + n + 1;
      }
      *out++ = '0';
      *out++ = '.';
      for (int i = point; i < 0; ++i) *out++ = '0';
      std::memcpy(out, digits, kDigits);
      return out + n;
    }
  }
#endif
  return std::to_chars(start, start + kNumberChars, value).ptr;
}

}  // namespace simbatch::trace::detail
