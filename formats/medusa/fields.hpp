#pragma once
/// Fields of a line, read fast where they are plain decimal numbers.

#include <cstdint>
#include <string_view>

#include "base/core/number.hpp"

namespace simbatch::medusa::detail {

enum class Trouble : std::uint8_t { none, syntax, dots, comma, range };

struct Field {
  std::string_view text;
  double value = 0;
  Trouble trouble = Trouble::none;
  bool dotted = false;  ///< has a point or an exponent
};

/// Walks the fields of one line.
class Fields {
 public:
  explicit Fields(std::string_view line) : begin_(line.data()), at_(line.data()), end_(line.data() + line.size()) {}
  /// The next field as a number; false at the end of the line.
  bool next(Field& field) {
    skip_blanks();
    if (at_ == end_) return false;
    if (fast(field)) return true;
    slow(field);
    return true;
  }
  /// Like next(), without parsing the field.
  bool next_word(std::string_view& word);
  /// Column of a field (or of the line's end, for text that begins there), counting from 1.
  std::uint32_t column(const char* place) const { return static_cast<std::uint32_t>(place - begin_) + 1; }
  std::uint32_t column() const { return column(at_); }
  /// The rest of the line, without leading and trailing blanks.
  std::string_view rest() const;
  /// True while every field was a plain decimal number, and was separated from the one before by one blank.
  bool plain() const { return plain_; }

 private:
  static bool is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
  void skip_blanks() {
    const char* start = at_;
    while (at_ != end_ && is_blank(*at_)) ++at_;
    if (at_ != end_ && (at_ - start != 1 || *start != ' ')) plain_ = false;
  }
  /// Digits with at most one point, value below 2^53 and at most 22 decimals: then mantissa / 10^decimals is the
  /// nearest double (Clinger 1990: both are exact, one rounding).
  bool fast(Field& field) {
    static constexpr double kPowers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                         1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    const char* p = at_;
    const bool negative = *p == '-';
    if (negative) ++p;
    std::uint64_t mantissa = 0;
    const char* first = p;
    while (p != end_ && static_cast<unsigned char>(*p - '0') < 10) mantissa = mantissa * 10 + static_cast<unsigned>(*p++ - '0');
    auto digits = static_cast<std::size_t>(p - first);
    std::size_t decimals = 0;
    const bool dotted = p != end_ && *p == '.';
    if (dotted) {
      first = ++p;
      while (p != end_ && static_cast<unsigned char>(*p - '0') < 10)
        mantissa = mantissa * 10 + static_cast<unsigned>(*p++ - '0');
      decimals = static_cast<std::size_t>(p - first);
      digits += decimals;
    }
    if (digits == 0 || digits > 15 || (p != end_ && !is_blank(*p))) return false;
    const double value = static_cast<double>(mantissa) / kPowers[decimals];
    field.text = {at_, static_cast<std::size_t>(p - at_)};
    field.value = negative ? -value : value;
    field.trouble = Trouble::none;
    field.dotted = dotted;
    at_ = p;
    return true;
  }
  void slow(Field& field);

  const char* begin_;
  const char* at_;
  const char* end_;
  bool plain_ = true;
};

}  // namespace simbatch::medusa::detail
