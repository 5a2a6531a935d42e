#include "lib/expect/lexer.hpp"

#include <algorithm>

#include "base/core/diagnostics.hpp"
#include "base/core/number.hpp"
#include "lib/expect/expectation.hpp"

namespace simbatch::expect::detail {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_word(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || static_cast<unsigned char>(c) >= 0x80;
}
bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

std::size_t after_blanks(std::string_view text, std::size_t at) {
  while (at < text.size()) {
    if (text[at] == '#')
      at = std::min(text.find('\n', at), text.size());
    else if (is_blank(text[at]))
      ++at;
    else
      break;
  }
  return at;
}

/// The longest unit that starts at `at` and ends at a word boundary.
std::string_view unit_at(std::string_view text, std::size_t at) {
  constexpr std::size_t kLongest = 5;
  for (std::size_t size = std::min(kLongest, text.size() - at); size > 0; --size) {
    const std::string_view word = text.substr(at, size);
    const char after = at + size < text.size() ? text[at + size] : ' ';
    if (find_unit(word) != nullptr && !is_word(after) && after != '.' && after != '^') return word;
  }
  return {};
}

/// True if a unit ends before a slash and a word, not a field to divide by: "/hr".
bool is_unknown_quotient(std::string_view text, std::size_t slash) {
  if (slash + 1 >= text.size() || text[slash] != '/' || !is_word(text[slash + 1]) || is_digit(text[slash + 1])) return false;
  std::size_t end = slash + 1;
  while (end < text.size() && is_word(text[end])) ++end;
  return end == text.size() || (text[end] != '.' && text[end] != '(');
}

void read_number(std::string_view text, Token& token) {
  std::size_t end = token.begin;
  const auto digits = [&] {
    while (end < text.size() && is_digit(text[end])) ++end;
  };
  digits();
  if (end < text.size() && text[end] == '.') ++end, digits();
  if (end < text.size() && (text[end] == 'e' || text[end] == 'E')) {
    std::size_t exponent = end + 1;
    if (exponent < text.size() && (text[exponent] == '+' || text[exponent] == '-')) ++exponent;
    if (exponent < text.size() && is_digit(text[exponent])) end = exponent, digits();
  }
  token.kind = TokenKind::number;
  token.text = text.substr(token.begin, end - token.begin);
  const auto number = parse_double(token.text);
  token.value = number.value;
  token.end = end;
  if (!number) {
    token.kind = TokenKind::bad;
    token.text = quoted(token.text) + " is not a number that can be represented";
    return;
  }
  const std::size_t unit = after_blanks(text, end);
  token.unit = unit_at(text, unit);
  if (const std::size_t slash = unit + token.unit.size(); !token.unit.empty() && is_unknown_quotient(text, slash)) {
    token.end = slash + 1;
    while (token.end < text.size() && is_word(text[token.end])) ++token.end;
    token.kind = TokenKind::bad;
    token.text = "unknown unit " + quoted(text.substr(unit, token.end - unit)) + ", expected one of " + known_units();
  } else if (!token.unit.empty()) {
    token.end = slash;
  } else if (end < text.size() && is_word(text[end])) {
    while (end < text.size() && (is_word(text[end]) || text[end] == '/')) ++end;
    token.kind = TokenKind::bad;
    token.text = "unknown unit " + quoted(text.substr(token.end, end - token.end)) + ", expected one of " + known_units();
    token.end = end;
  }
}

}  // namespace

Token next_token(std::string_view text, std::size_t at) {
  Token token;
  token.begin = token.end = after_blanks(text, at);
  if (token.begin >= text.size()) return token;
  const char c = text[token.begin];
  const char after = token.begin + 1 < text.size() ? text[token.begin + 1] : ' ';
  if (is_digit(c) || (c == '.' && is_digit(after))) {
    read_number(text, token);
  } else if (is_word(c)) {
    while (token.end < text.size() && (is_word(text[token.end]) ||
                                       (text[token.end] == '.' && token.end + 1 < text.size() && is_word(text[token.end + 1]))))
      ++token.end;
    token.kind = TokenKind::name;
    token.text = text.substr(token.begin, token.end - token.begin);
  } else if (c == '"' || c == '\'') {
    const std::size_t end = text.find(c, token.begin + 1);
    token.kind = end == std::string_view::npos ? TokenKind::bad : TokenKind::name;
    token.end = std::min(end, text.size() - 1) + 1;
    token.quoted = true;
    token.text = token.kind == TokenKind::bad ? "a quotation mark without its second one"
                                              : std::string(text.substr(token.begin + 1, end - token.begin - 1));
  } else {
    token.kind = TokenKind::sign;
    token.end = token.begin + 1;
    for (const std::string_view two : {"<=", ">=", "==", "!=", "->"})
      if (text.substr(token.begin, 2) == two) token.end = token.begin + 2;
    token.text = text.substr(token.begin, token.end - token.begin);
    if (std::string_view("()[],;:+-*/<>").find(c) == std::string_view::npos && token.text.size() == 1) {
      token.kind = TokenKind::bad;
      token.text = "unexpected " + quoted(token.text);
      if (c == '=') token.text += "; equality is written ==";
      if (c == '&' || c == '|' || c == '!') token.text += "; conditions are joined by the words and, or, not";
    }
  }
  return token;
}

}  // namespace simbatch::expect::detail
