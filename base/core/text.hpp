#pragma once
/// Lines and tokens of plain-text formats, each with its position.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/core/position.hpp"

namespace simbatch {

/// A line without its end (LF, CR LF or a lone CR before LF); `number` counts from 1, `offset` is of its first byte.
struct Line {
  std::string_view text;
  std::uint32_t number = 0;
  std::size_t offset = 0;
};

/// Iterates over the lines of a text. A byte order mark is skipped (its three bytes do not count as columns). The last line may
/// lack its end; a text that ends in a line end has no empty line after it.
class LineReader {
 public:
  explicit LineReader(std::string_view text);
  /// The next line, or false at the end.
  bool next(Line& line);

 private:
  std::string_view text_;
  std::size_t offset_ = 0;
  std::uint32_t number_ = 0;
};

/// A word and its position.
struct Token {
  std::string_view text;
  Position at;
};

/// Iterates over the words of a line between blanks (space, tab, and other ASCII control bytes of that kind); `column0` is the
/// column of the text's first byte. For lines of any length: a list of short words takes several times their text.
class WordReader {
 public:
  WordReader(std::string_view text, std::uint32_t line_number, std::uint32_t column0 = 1)
      : text_(text), line_(line_number), column0_(column0) {}
  /// The next word, or false at the end.
  bool next(Token& word);

 private:
  std::string_view text_;
  std::size_t offset_ = 0;
  std::uint32_t line_, column0_;
};
/// All of them, or the first `most`, for lines whose further words mean nothing.
std::vector<Token> split_tokens(std::string_view text, std::uint32_t line_number, std::uint32_t column0 = 1,
                                std::size_t most = SIZE_MAX);
/// UTF-8's byte order mark, which some editors put at the start of a text.
inline constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
/// Bytes of the byte order mark at the start of the text: 3 or 0.
constexpr std::size_t byte_order_mark_size(std::string_view text) {
  return text.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0;
}
/// The text after a byte order mark, if it begins with one.
constexpr std::string_view without_byte_order_mark(std::string_view text) { return text.substr(byte_order_mark_size(text)); }
/// Strips leading and trailing blanks.
std::string_view trimmed(std::string_view text);
/// ASCII letters only, no locale.
std::string lower_ascii(std::string_view text);
bool equal_ignoring_case(std::string_view a, std::string_view b);
/// Offset of the first byte that is not valid UTF-8 (Unicode standard, table 3-7), or npos.
std::size_t find_invalid_utf8(std::string_view text);
/// Replaces each byte that is not part of valid UTF-8 by U+FFFD: for strings of unknown origin in formats that require UTF-8.
std::string valid_utf8(std::string_view text);
/// Appends a character as UTF-8. @param code  a code point up to U+10FFFF; surrogates are not refused
void append_utf8(std::string& out, std::uint32_t code);
/// Appends text as a JSON string (RFC 8259, section 7), in quotes. C0 control characters and DEL are escaped; each byte that is
/// not valid UTF-8 becomes U+FFFD.
void append_json_string(std::string& out, std::string_view text);
/// The text with control characters (C0, DEL, C1) and bytes that are not UTF-8 as \xNN, so that it is one line and cannot move
/// a terminal's cursor.
std::string printable(std::string_view text);

}  // namespace simbatch
