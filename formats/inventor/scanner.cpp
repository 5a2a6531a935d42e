// Words and numbers of Inventor text. Lists are skipped by memchr; numbers take Clinger's fast path (1990) where it is exact.
#include "formats/inventor/scanner.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>

namespace simbatch::inventor::detail {
namespace {

enum : std::uint8_t { kBlank = 1, kStop = 2 };  // kStop: ends a word or a number

constexpr std::array<std::uint8_t, 256> kClass = [] {
  std::array<std::uint8_t, 256> table{};
  for (const unsigned char c : {' ', '\t', '\r', '\n', '\v', '\f', ','}) table[c] = kBlank | kStop;
  for (const unsigned char c : {'{', '}', '[', ']', '(', ')', '"', '#', '|', '~', '='}) table[c] = kStop;
  return table;
}();

std::uint8_t class_of(char c) { return kClass[static_cast<unsigned char>(c)]; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

constexpr std::array<double, 23> kPowers = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                            1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

constexpr std::ptrdiff_t kLong = 1024;  // a bracketed thing of this many bytes is remembered

}  // namespace

char Scanner::peek() {
  while (at_ != end_) {
    const char c = *at_;
    if (c == '#') {
      const void* line_end = std::memchr(at_, '\n', static_cast<std::size_t>(end_ - at_));
      const char* next = line_end != nullptr ? static_cast<const char*>(line_end) : end_;
      work_ += static_cast<std::uint64_t>(next - at_);
      at_ = next;
    } else if ((class_of(c) & kBlank) != 0) {
      ++at_;
      ++work_;
    } else {
      return c;
    }
  }
  return '\0';
}

std::string_view Scanner::word() {
  peek();
  const char* first = at_;
  while (at_ != end_ && class_of(*at_) == 0) ++at_;
  work_ += static_cast<std::uint64_t>(at_ - first);
  return {first, static_cast<std::size_t>(at_ - first)};
}

std::string_view Scanner::string_or_word() {
  if (peek() != '"') return word();
  const char* first = at_ + 1;
  if (!skip_string()) return {first, static_cast<std::size_t>(end_ - first)};
  return {first, static_cast<std::size_t>(at_ - 1 - first)};
}

bool Scanner::skip_string() {
  for (const char* p = at_ + 1; p < end_; ++p) {
    if (*p == '\\') {
      ++p;
    } else if (*p == '"') {
      work_ += static_cast<std::uint64_t>(p - at_);
      at_ = p + 1;
      return true;
    }
  }
  at_ = end_;
  return false;
}

bool Scanner::skip_brackets() {
  const char* start = at_;
  if (const auto known = long_skips_.find(start); known != long_skips_.end()) {
    at_ = known->second;
    return true;
  }
  // A list of plain numbers, the bulk of every large file: only its end matters.
  const auto size = [this](const char* from) { return static_cast<std::size_t>(end_ - from); };
  // '[' is searched for first, and the position of the next ']' is kept, so that no byte is scanned repeatedly.
  std::size_t depth = 0;
  const char* close = nullptr;
  while (at_ != end_) {
    const char c = *at_;
    if (c == '[') {
      if (const auto known = long_skips_.find(at_); known != long_skips_.end()) {
        at_ = known->second;
        continue;
      }
      if (close < at_) close = static_cast<const char*>(std::memchr(at_, ']', size(at_)));
      if (close == nullptr) break;
      const auto inside = static_cast<std::size_t>(close - at_ - 1);
      bool plain = true;
      for (const char special : {'[', '{', '"', '#'}) plain = plain && std::memchr(at_ + 1, special, inside) == nullptr;
      work_ += inside;
      if (plain) {
        if (close - at_ >= kLong) long_skips_.emplace(at_, close + 1);
        at_ = close + 1;
        if (depth == 0) return true;
        continue;
      }
      ++depth;
    } else if (c == '{' || c == '(') {
      ++depth;
    } else if (c == '}' || c == ']' || c == ')') {
      if (--depth == 0) {
        ++at_;
        if (at_ - start >= kLong) long_skips_.emplace(start, at_);
        return true;
      }
    } else if (c == '"') {
      if (!skip_string()) break;
      continue;
    } else if (c == '#') {
      peek();
      continue;
    }
    ++at_;
    ++work_;
  }
  at_ = end_;
  return false;
}

bool Scanner::skip_node() {
  for (std::string_view type = word(); !type.empty(); type = word()) {
    if (type == "USE") return !word().empty();
    if (type == "DEF") {
      if (word().empty()) return false;
      continue;
    }
    return peek() == '{' && skip_brackets();
  }
  return false;
}

bool Scanner::skip_value() {
  const char c = peek();
  bool good = true;
  if (c == '[' || c == '(') {
    good = skip_brackets();
  } else if (c == '"') {
    good = skip_string();
  } else if (c == '=' || c == '~') {
    // a connection or an ignore flag without a value; handled below
  } else if (is_digit(c) || c == '-' || c == '+' || c == '.') {
    const char* last = at_;
    for (char d = c; is_digit(d) || d == '-' || d == '+' || d == '.'; d = peek()) {
      word();
      last = at_;
    }
    at_ = last;
  } else {
    const char* start = at_;
    const std::string_view first = word();
    if (first.empty()) return false;
    const char* after_word = at_;
    const bool is_node = first == "DEF" || first == "USE" || peek() == '{';
    at_ = is_node ? start : after_word;
    if (is_node) good = skip_node();
  }
  if (!good) return false;
  const char* after = at_;
  for (char d = peek(); d == '~' || d == '='; d = peek()) {
    ++at_;
    if (d == '=') word();
    after = at_;
  }
  at_ = after;
  return true;
}

bool Numbers::ready() {
  while (at_ != end_) {
    const char c = *at_;
    if ((class_of(c) & kBlank) != 0) {
      ++at_;
    } else if (c == '#') {
      const void* line_end = std::memchr(at_, '\n', static_cast<std::size_t>(end_ - at_));
      at_ = line_end != nullptr ? static_cast<const char*>(line_end) : end_;
    } else {
      return true;
    }
  }
  return false;
}

// Up to 19 digits and a power of ten up to 22 give the exact double with one rounding (Clinger, "How to read floating point
// numbers accurately", 1990); longer numbers are passed to std::from_chars.
bool Numbers::next(double& value) {
  if (!ready()) return false;
  const char* p = at_;
  const bool negative = *p == '-';
  if (negative || *p == '+') ++p;
  const char* digits_begin = p;
  std::uint64_t mantissa = 0;
  for (; p != end_ && is_digit(*p); ++p) mantissa = mantissa * 10 + static_cast<std::uint64_t>(*p - '0');
  std::ptrdiff_t digits = p - digits_begin;
  int exponent = 0;
  if (p != end_ && *p == '.') {
    const char* fraction = ++p;
    for (; p != end_ && is_digit(*p); ++p) mantissa = mantissa * 10 + static_cast<std::uint64_t>(*p - '0');
    exponent = -static_cast<int>(std::min<std::ptrdiff_t>(p - fraction, 100'000));
    digits += p - fraction;
  }
  bool good = digits > 0;
  if (good && p != end_ && (*p == 'e' || *p == 'E')) {
    ++p;
    const bool down = p != end_ && *p == '-';
    if (p != end_ && (*p == '-' || *p == '+')) ++p;
    int power = 0;
    good = p != end_ && is_digit(*p);
    for (; p != end_ && is_digit(*p); ++p)
      if (power < 100'000) power = power * 10 + (*p - '0');
    exponent += down ? -power : power;
  }
  if (!good || (p != end_ && class_of(*p) == 0)) {
    failed_ = true;
    return false;
  }
  if (digits <= 19 && mantissa <= (std::uint64_t{1} << 53) && exponent >= -22 && exponent <= 22) {
    const auto whole = static_cast<double>(mantissa);
    const double magnitude = exponent < 0 ? whole / kPowers[static_cast<std::size_t>(-exponent)]
                                          : whole * kPowers[static_cast<std::size_t>(exponent)];
    value = negative ? -magnitude : magnitude;
  } else {
    const auto [stop, error] = std::from_chars(digits_begin, p, value);
    if (error == std::errc::result_out_of_range && digits + exponent > 0) {
      failed_ = true;
      return false;
    }
    if (error != std::errc{}) value = 0;  // too small for a double
    if (negative) value = -value;
  }
  at_ = p;
  return true;
}

bool Numbers::next(std::int64_t& value) {
  if (!ready()) return false;
  const char* p = at_;
  const bool negative = *p == '-';
  if (negative || *p == '+') ++p;
  const char* first = p;
  std::int64_t n = 0;
  if (end_ - p > 2 && p[0] == '0' && (p[1] == 'x' || p[1] == 'X')) {
    const auto [stop, error] = std::from_chars(p + 2, end_, n, 16);
    if (error != std::errc{}) n = INT64_MAX;
    first = p + 1;
    p = stop;
  } else {
    for (; p != end_ && is_digit(*p); ++p)
      if (n < INT64_MAX / 16) n = n * 10 + (*p - '0');
  }
  if (p == first || (p != end_ && class_of(*p) == 0)) {
    failed_ = true;
    return false;
  }
  value = negative ? -n : n;
  at_ = p;
  return true;
}

std::string_view without_brackets(std::string_view range) {
  if (range.size() >= 2 && range.front() == '[') {
    const std::size_t close = range.rfind(']');
    return range.substr(1, (close == std::string_view::npos ? range.size() : close) - 1);
  }
  return range;
}

}  // namespace simbatch::inventor::detail
