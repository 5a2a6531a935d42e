// JSON (RFC 8259), read forward in one pass.
#include "formats/trace/json_cursor.hpp"

#include <array>

#include "base/core/hash.hpp"
#include "base/core/number.hpp"
#include "base/core/text.hpp"
#include "formats/trace/codes.hpp"

namespace simbatch::trace::detail {

void JsonCursor::fail(const Code& code, std::string message) const { throw ReadFailure{&code, at_, std::move(message)}; }

void JsonCursor::blanks() {
  while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\r' || text_[at_] == '\t')) ++at_;
}

void JsonCursor::expect(char c) {
  blanks();
  if (at_ >= text_.size()) fail(code::kSyntax, std::string("the text ends where '") + c + "' was expected");
  if (text_[at_] != c) fail(code::kSyntax, "expected '" + std::string(1, c) + "', found " + quoted(text_.substr(at_, 12)));
  ++at_;
}

void JsonCursor::open(char bracket) {
  expect(bracket);
  if (++depth_ > kMaxDepth) fail(code::kSyntax, "nested more than " + std::to_string(kMaxDepth) + " deep");
}

bool JsonCursor::close_early(char bracket) {
  blanks();
  if (at_ >= text_.size() || text_[at_] != bracket) return false;
  ++at_;
  return true;
}

bool JsonCursor::more(char bracket) {
  blanks();
  if (at_ < text_.size() && text_[at_] == ',') {
    ++at_;
    return true;
  }
  expect(bracket);
  return false;
}

std::string JsonCursor::string() {
  expect('"');
  std::string out;
  while (true) {
    const std::size_t stop = text_.find_first_of("\"\\", at_);
    if (stop == std::string_view::npos) {
      at_ = text_.size();
      fail(code::kSyntax, "a string without an end");
    }
    out += text_.substr(at_, stop - at_);
    at_ = stop + 1;
    if (text_[stop] == '"') return out;
    if (at_ >= text_.size()) fail(code::kSyntax, "a string without an end");
    const char c = text_[at_++];
    switch (c) {
      case '"':
      case '\\':
      case '/': out += c; break;
      case 'n': out += '\n'; break;
      case 'r': out += '\r'; break;
      case 't': out += '\t'; break;
      case 'b': out += '\b'; break;
      case 'f': out += '\f'; break;
      case 'u': {
        const auto unit = [&]() -> unsigned {
          unsigned code = 0;
          for (int i = 0; i < 4; ++i) {
            const char h = at_ < text_.size() ? text_[at_] : '?';
            const int digit = h >= '0' && h <= '9'   ? h - '0'
                              : h >= 'a' && h <= 'f' ? h - 'a' + 10
                              : h >= 'A' && h <= 'F' ? h - 'A' + 10
                                                     : -1;
            if (digit < 0) fail(code::kSyntax, "\\u needs four hexadecimal digits");
            code = code * 16 + static_cast<unsigned>(digit);
            ++at_;
          }
          return code;
        };
        unsigned code = unit();
        if (code >= 0xD800 && code < 0xDC00 && text_.substr(at_, 2) == "\\u") {
          at_ += 2;
          const unsigned low = unit();
          if (low < 0xDC00 || low > 0xDFFF) fail(code::kSyntax, "half of a surrogate pair");
          code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
        } else if (code >= 0xD800 && code < 0xE000) {
          fail(code::kSyntax, "half of a surrogate pair");
        }
        append_utf8(out, code);
        break;
      }
      default: fail(code::kSyntax, "unknown escape in a string");
    }
  }
}

std::string_view JsonCursor::number_token() {
  blanks();
  std::size_t end = at_;
  while (end < text_.size() && (static_cast<unsigned>(text_[end] - '0') < 10 || text_[end] == '-' || text_[end] == '+' ||
                                text_[end] == '.' || text_[end] == 'e' || text_[end] == 'E'))
    ++end;
  if (end == at_) fail(code::kSyntax, "expected a number, found " + quoted(text_.substr(at_, 12)));
  return text_.substr(at_, end - at_);
}

double JsonCursor::number() {
  const std::string_view token = number_token();
  const Number<double> value = parse_double(token);
  if (!value) fail(code::kSyntax, quoted(token) + " is not a number");
  at_ += token.size();
  return value.value;
}

std::int64_t JsonCursor::integer() {
  const std::string_view token = number_token();
  const Number<std::int64_t> value = parse_integer<std::int64_t>(token);
  if (!value) fail(code::kSchema, quoted(token) + " is not a whole number of this range");
  at_ += token.size();
  return value.value;
}

std::uint64_t JsonCursor::unsigned_integer() {
  const std::string_view token = number_token();
  const Number<std::uint64_t> value = parse_integer<std::uint64_t>(token);
  if (!value) fail(code::kSchema, quoted(token) + " is not a whole number of this range");
  at_ += token.size();
  return value.value;
}

std::uint64_t JsonCursor::hash() {
  const std::string text = string();
  const auto hash = parse_hex64(text);
  if (!hash) fail(code::kSchema, quoted(text) + " is not a hash of 16 hexadecimal digits");
  return *hash;
}

void JsonCursor::skip() {
  blanks();
  const char c = at_ < text_.size() ? text_[at_] : '\0';
  if (c == '{') {
    object([&](const std::string&) { skip(); });
  } else if (c == '[') {
    array([&] { skip(); });
  } else if (c == '"') {
    string();
  } else {
    for (const std::string_view word : {"true", "false", "null"})
      if (text_.substr(at_, word.size()) == word) {
        at_ += word.size();
        return;
      }
    number();
  }
}

std::size_t JsonCursor::skip_numbers() {
  static constexpr auto kOfNumbers = [] {
    std::array<bool, 256> of{};
    for (const char c : std::string_view("0123456789.-e+E \n\r\t")) of[static_cast<unsigned char>(c)] = true;
    return of;
  }();
  expect('[');
  if (close_early(']')) return 0;
  for (std::size_t count = 1;; ++at_) {
    while (at_ < text_.size() && kOfNumbers[static_cast<unsigned char>(text_[at_])]) ++at_;
    if (at_ < text_.size() && text_[at_] == ']') {
      ++at_;
      return count;
    }
    if (at_ >= text_.size() || text_[at_] != ',') (void)number_token();  // fails
    ++count;
  }
}

void JsonCursor::end() {
  blanks();
  if (at_ < text_.size()) fail(code::kSyntax, "text after the end: " + quoted(text_.substr(at_, 12)));
}

}  // namespace simbatch::trace::detail
