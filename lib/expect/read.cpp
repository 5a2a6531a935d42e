// Items are separated by semicolons. After an error, parsing resumes after the next one, so that all errors of a text are reported.

#include <memory>
#include <set>
#include <utility>

#include <algorithm>

#include "base/core/number.hpp"
#include "lib/expect/codes.hpp"
#include "lib/expect/parser.hpp"

namespace simbatch::expect {

using detail::next_token;
using detail::Problem;
using detail::Token;
using detail::TokenKind;

namespace {

/// The position after the first semicolon at or after `at`; ignores semicolons in comments and quotes.
std::size_t after_semicolon(std::string_view text, std::size_t at) {
  Token token = next_token(text, at);
  while (token.kind != TokenKind::end && !(token.kind == TokenKind::sign && token.text == ";"))
    token = next_token(text, token.end);
  return token.end;
}

}  // namespace

std::string_view to_text(Comparison comparison) {
  constexpr std::string_view kTexts[] = {"<", "<=", ">", ">=", "==", "!="};
  return kTexts[static_cast<std::size_t>(comparison)];
}

bool is_condition(Kind kind) { return kind >= Kind::compare; }

bool Expectation::is_over_time() const {
  return std::any_of(nodes.begin(), nodes.end(), [](const Node& node) { return node.kind >= Kind::always; });
}

Parsed<std::vector<Expectation>> read_expectations(std::string_view text, const Place& place, const std::string& name) {
  Parsed<std::vector<Expectation>> result{std::vector<Expectation>{}, Diagnostics(place.file)};
  if (text.size() > kMaxText) {
    result.diagnostics.report(code::kSyntax, place.at.at(0), "more than " + number_text(kMaxText) + " bytes of expectations");
    return result;
  }
  const auto shared = std::make_shared<const Place>(place);
  std::set<std::string> names;
  std::size_t at = 0;
  while (true) {
    const Token first = next_token(text, at);
    if (first.kind == TokenKind::end) break;
    if (first.kind == TokenKind::sign && first.text == ";") {
      at = first.end;
      continue;
    }
    if (names.size() == kMaxExpectations) {
      result.diagnostics.report(code::kSyntax, place.at.at(first.begin),
                                "more than " + number_text(kMaxExpectations) + " expectations");
      break;
    }
    try {
      Expectation expectation = detail::parse_item(text, at);
      if (!name.empty()) expectation.name = name;
      if (!names.insert(expectation.name).second)
        throw Problem{&code::kDuplicate, first.begin, "a second expectation is called " + quoted(expectation.name)};
      expectation.place = shared;
      result.value->push_back(std::move(expectation));
    } catch (const Problem& problem) {
      result.diagnostics.report(*problem.code, place.at.at(problem.at), problem.message);
    }
    at = after_semicolon(text, first.begin);
  }
  if (result.value->empty() && !result.diagnostics.has_errors())
    result.diagnostics.report(code::kSyntax, place.at.at(0), "the text has no expectation");
  return result;
}

}  // namespace simbatch::expect
