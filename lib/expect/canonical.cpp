#include "lib/expect/canonical.hpp"

#include <utility>

namespace simbatch::expect::detail {

std::optional<Comparison> comparison_of(const Token& token) {
  constexpr std::pair<std::string_view, Comparison> kSigns[] = {
      {"<", Comparison::less},           {"lt", Comparison::less},          {"<=", Comparison::less_equal},
      {"le", Comparison::less_equal},    {">", Comparison::greater},        {"gt", Comparison::greater},
      {">=", Comparison::greater_equal}, {"ge", Comparison::greater_equal}, {"==", Comparison::equal},
      {"eq", Comparison::equal},         {"!=", Comparison::not_equal},     {"ne", Comparison::not_equal}};
  if (token.quoted || (token.kind != TokenKind::sign && token.kind != TokenKind::name)) return std::nullopt;
  for (const auto& [sign, meaning] : kSigns)
    if (token.text == sign) return meaning;
  return std::nullopt;
}

namespace {

/// A token on one line. Between a number and its unit the text may have line ends and comments.
std::string shown(const Token& token, std::string_view part) {
  if (token.kind == TokenKind::number && !token.unit.empty())
    return token.text + (part.size() > token.text.size() + token.unit.size() ? " " : "") + token.unit;
  std::string out;
  for (const char c : part) out += c == '\n' || c == '\t' || c == '\r' ? ' ' : c;
  return out;
}

}  // namespace

std::string canonical_text(std::string_view text) {
  std::string out;
  std::size_t last_end = 0;
  bool after_operator = true, after_sign = false;  // the last token expects an operand; it was a unary minus
  for (Token token = next_token(text, 0); token.kind != TokenKind::end; token = next_token(text, token.end)) {
    const std::string_view part = text.substr(token.begin, token.end - token.begin);
    const bool tight = out.empty() || after_sign || out.back() == '(' || out.back() == '[' || part == ")" || part == "]" ||
                       part == "," || ((part == "(" || part == "[") && token.begin == last_end);
    if (!tight) out += ' ';
    const auto sign = comparison_of(token);
    out += sign ? std::string(to_text(*sign)) : shown(token, part);
    last_end = token.end;
    after_sign = part == "-" && after_operator;
    after_operator = sign || (token.kind == TokenKind::sign && part != ")" && part != "]");
  }
  return out;
}

}  // namespace simbatch::expect::detail
