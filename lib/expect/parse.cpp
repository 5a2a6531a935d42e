// Recursive descent over the grammar of docs/expectations.md. After an error, parsing resumes after the next semicolon, so that
// all errors of a text are reported.

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <set>
#include <span>
#include <utility>

#include "base/core/number.hpp"
#include "base/core/text.hpp"
#include "lib/expect/codes.hpp"
#include "lib/expect/expectation.hpp"
#include "lib/expect/lexer.hpp"

namespace simbatch::expect {
namespace {

using detail::next_token;
using detail::Token;
using detail::TokenKind;

struct Problem {
  const Code* code;
  std::size_t at;
  std::string message;
};

struct Function {
  std::string_view name;
  std::size_t least, most;  // numeric arguments
  std::size_t names;        // node arguments that precede them
};
constexpr Function kFunctions[] = {{"abs", 1, 1, 0},   {"min", 2, 64, 0},  {"max", 2, 64, 0},
                                   {"sqrt", 1, 1, 0},  {"angle", 1, 1, 0}, {"rate", 1, 1, 0},
                                   {"speed", 0, 0, 1}, {"dist", 0, 3, 1}};  // dist: a second node, or three numbers
struct Event {
  std::string_view name;
  std::size_t least, most;  // names
};
constexpr Event kEvents[] = {{"contact", 1, 2}, {"on_road", 1, 1}, {"ended", 1, 1}};
constexpr std::string_view kWords[] = {"always", "eventually", "never", "finally", "until",   "and",  "or",
                                       "not",    "implies",    "lt",    "le",      "gt",      "ge",   "eq",
                                       "ne",     "time",       "abs",   "min",     "max",     "sqrt", "angle",
                                       "rate",   "speed",      "dist",  "contact", "on_road", "ended"};

class Parser {
 public:
  Parser(std::string_view text, std::size_t begin) : text_(text) { token_ = next_token(text, begin); }

  const Token& token() const { return token_; }
  void advance() {
    last_end_ = token_.end;
    token_ = next_token(text_, token_.end);
  }
  /// Parses one item, up to a semicolon or the end.
  Expectation item() {
    Expectation expectation;
    if (token_.kind == TokenKind::name && next_token(text_, token_.end).text == ":") {
      expectation.name = token_.text;
      advance();
      advance();
    }
    const std::size_t begin = token_.begin;
    const std::uint32_t root = implication();
    if (token_.kind != TokenKind::end && !is_sign(";")) fail_here("expected the end of the expectation, or a semicolon");
    need_condition(root);
    expectation.nodes = std::move(nodes_);
    expectation.text = plain(text_.substr(begin, last_end_ - begin));
    if (expectation.name.empty()) expectation.name = expectation.text;
    return expectation;
  }

 private:
  // ---- Tokens
  bool is_sign(std::string_view sign) const { return token_.kind == TokenKind::sign && token_.text == sign; }
  bool is_word(std::string_view word) const { return token_.kind == TokenKind::name && !token_.quoted && token_.text == word; }
  bool take_sign(std::string_view sign) {
    if (!is_sign(sign)) return false;
    advance();
    return true;
  }
  void need_sign(std::string_view sign, std::string_view what) {
    if (!take_sign(sign)) fail_here("expected " + quoted(sign) + " " + std::string(what));
  }
  [[noreturn]] void fail_here(const std::string& message) const {
    if (token_.kind == TokenKind::bad) throw Problem{&code::kSyntax, token_.begin, token_.text};
    const std::string found = token_.kind == TokenKind::end
                                  ? "the text ends"
                                  : "found " + quoted(text_.substr(token_.begin, token_.end - token_.begin));
    throw Problem{&code::kSyntax, token_.begin, found + ", " + message};
  }

  // ---- Nodes
  std::uint32_t add(Node node, std::size_t begin) {
    if (nodes_.size() >= kMaxNodes)
      throw Problem{&code::kSyntax, begin, "the expectation has more than " + number_text(kMaxNodes) + " parts"};
    node.begin = begin;
    node.end = last_end_;
    nodes_.push_back(std::move(node));
    return static_cast<std::uint32_t>(nodes_.size()) - 1;
  }
  std::uint32_t add(Kind kind, std::vector<std::uint32_t> children, std::size_t begin) {
    Node node;
    node.kind = kind;
    node.children = std::move(children);
    return add(std::move(node), begin);
  }
  std::string source_of(std::uint32_t node) const {
    return plain(text_.substr(nodes_[node].begin, nodes_[node].end - nodes_[node].begin));
  }
  void need_condition(std::uint32_t node) const {
    if (!is_condition(nodes_[node].kind))
      throw Problem{&code::kType, nodes_[node].begin,
                    quoted(source_of(node)) + " is a number, expected a condition; compare it with something"};
  }
  void need_number(std::uint32_t node) const {
    if (is_condition(nodes_[node].kind))
      throw Problem{&code::kType, nodes_[node].begin, quoted(source_of(node)) + " is a condition, expected a number"};
  }

  struct Depth {
    explicit Depth(Parser& parser) : parser_(parser) {
      if (++parser_.depth_ > kMaxDepth)
        throw Problem{&code::kSyntax, parser_.token_.begin, "nested more than " + number_text(kMaxDepth) + " deep"};
    }
    ~Depth() { --parser_.depth_; }
    Parser& parser_;
  };

  // ---- Grammar
  std::uint32_t implication() {
    const Depth depth(*this);
    const std::size_t begin = token_.begin;
    const std::uint32_t left = disjunction();
    if (!is_word("implies") && !is_sign("->")) return left;
    advance();
    need_condition(left);
    const std::uint32_t right = implication();
    need_condition(right);
    return add(Kind::implication, {left, right}, begin);
  }

  std::uint32_t disjunction() {
    return chain("or", Kind::disjunction, [this] { return chain("and", Kind::conjunction, [this] { return until(); }); });
  }

  template <class Operand>
  std::uint32_t chain(std::string_view word, Kind kind, Operand operand) {
    const std::size_t begin = token_.begin;
    std::vector<std::uint32_t> parts{operand()};
    while (is_word(word)) {
      need_condition(parts.back());
      advance();
      parts.push_back(operand());
      need_condition(parts.back());
    }
    return parts.size() == 1 ? parts[0] : add(kind, std::move(parts), begin);
  }

  std::uint32_t until() {
    const std::size_t begin = token_.begin;
    const std::uint32_t left = unary();
    if (!is_word("until")) return left;
    need_condition(left);
    advance();
    Node node;
    node.kind = Kind::until;
    node.window = window();
    const std::uint32_t right = unary();
    need_condition(right);
    node.children = {left, right};
    const std::uint32_t result = add(std::move(node), begin);
    refuse_ambiguous("until", begin);
    return result;
  }

  /// Rejects `always a and b`, which is ambiguous without parentheses.
  void refuse_ambiguous(std::string_view what, std::size_t begin) const {
    if (is_word("and") || is_word("or") || is_word("implies") || is_sign("->") || is_word("until"))
      throw Problem{&code::kSyntax, token_.begin,
                    "what follows " + quoted(what) + " is ambiguous before " + quoted(token_.text) +
                        ", expected parentheses: " + std::string(what) + " (... " + token_.text + " ...), or (" +
                        plain(text_.substr(begin, last_end_ - begin)) + ") " + token_.text + " ..."};
  }

  std::uint32_t unary() {
    const Depth depth(*this);
    const std::size_t begin = token_.begin;
    if (is_word("not")) {
      advance();
      const std::uint32_t child = unary();
      need_condition(child);
      return add(Kind::negation, {child}, begin);
    }
    for (const std::string_view word : {"always", "eventually", "never", "finally"}) {
      if (!is_word(word)) continue;
      advance();
      Node node;
      node.kind = word == "eventually" ? Kind::eventually : word == "finally" ? Kind::finally : Kind::always;
      if (word != "finally") node.window = window();
      std::uint32_t child = unary();
      need_condition(child);
      if (word == "never") child = add(Kind::negation, {child}, begin);
      node.children = {child};
      const std::uint32_t result = add(std::move(node), begin);
      refuse_ambiguous(word, begin);
      return result;
    }
    return comparison();
  }

  static std::optional<Comparison> sign_of(const Token& token) {
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
  std::optional<Comparison> comparison_sign() const { return sign_of(token_); }

  /// One comparison, or a chain: `0 < x <= 5` is `0 < x and x <= 5`.
  std::uint32_t comparison() {
    const std::size_t begin = token_.begin;
    std::uint32_t left = sum();
    std::vector<std::uint32_t> parts;
    while (const auto sign = comparison_sign()) {
      need_number(left);
      const std::size_t left_begin = nodes_[left].begin;
      advance();
      const std::uint32_t right = sum();
      need_number(right);
      Node node;
      node.kind = Kind::compare;
      node.comparison = *sign;
      node.children = {left, right};
      parts.push_back(add(std::move(node), left_begin));
      nodes_.back().text = source_of(parts.back());
      nodes_.back().names = {source_of(left), source_of(right)};
      left = right;
    }
    if (parts.empty()) return left;
    return parts.size() == 1 ? parts[0] : add(Kind::conjunction, std::move(parts), begin);
  }

  std::uint32_t sum() {
    const std::size_t begin = token_.begin;
    std::uint32_t left = product();
    while (is_sign("+") || is_sign("-")) {
      const Kind kind = is_sign("+") ? Kind::add : Kind::subtract;
      left = binary(kind, left, begin, [this] { return product(); });
    }
    return left;
  }
  std::uint32_t product() {
    const std::size_t begin = token_.begin;
    std::uint32_t left = factor();
    while (is_sign("*") || is_sign("/")) {
      const Kind kind = is_sign("*") ? Kind::multiply : Kind::divide;
      left = binary(kind, left, begin, [this] { return factor(); });
    }
    return left;
  }
  template <class Operand>
  std::uint32_t binary(Kind kind, std::uint32_t left, std::size_t begin, Operand operand) {
    need_number(left);
    advance();
    const std::uint32_t right = operand();
    need_number(right);
    return add(kind, {left, right}, begin);
  }

  std::uint32_t factor() {
    const Depth depth(*this);
    const std::size_t begin = token_.begin;
    if (take_sign("-")) {
      const std::uint32_t child = factor();
      need_number(child);
      return add(Kind::negate, {child}, begin);
    }
    if (take_sign("(")) {
      const std::uint32_t inside = implication();
      need_sign(")", "to close the parenthesis");
      nodes_[inside].begin = begin;  // so that messages quote the whole expression
      nodes_[inside].end = last_end_;
      return inside;
    }
    if (token_.kind == TokenKind::number) {
      Node node;
      node.kind = Kind::number;
      node.value = token_.value;
      node.unit = token_.unit;
      advance();
      return add(std::move(node), begin);
    }
    if (token_.kind != TokenKind::name) fail_here("expected a field, a number, a function or a condition");
    return name();
  }

  std::uint32_t name() {
    const Token word = token_;
    advance();
    if (!word.quoted && is_sign("(")) return call(word);
    Node node;
    node.text = word.text;
    node.kind = !word.quoted && word.text == "time" ? Kind::time : Kind::field;
    if (node.kind == Kind::field && !word.quoted &&
        std::find(std::begin(kWords), std::end(kWords), word.text) != std::end(kWords))
      throw Problem{&code::kSyntax, word.begin,
                    quoted(word.text) +
                        " is a word of the language, expected a field, a number, a function or a condition; a node "
                        "of that name is written in quotes"};
    if (node.kind == Kind::field && node.text.find('.') == std::string::npos) {
      std::string message = quoted(node.text) + " is neither a field nor a word of the language, expected NODE.FIELD";
      if (const std::string_view near = nearest(node.text, kWords); !near.empty())
        message += ", did you mean " + quoted(near) + "?";
      throw Problem{&code::kSyntax, word.begin, message};
    }
    return add(std::move(node), word.begin);
  }

  std::string argument_name(std::string_view function) {
    if (token_.kind != TokenKind::name) fail_here("expected the name of a node for " + std::string(function) + "()");
    std::string name = token_.text;
    advance();
    return name;
  }

  std::uint32_t call(const Token& word) {
    advance();
    for (const Event& event : kEvents)
      if (event.name == word.text) return event_call(event, word.begin);
    const auto function =
        std::find_if(std::begin(kFunctions), std::end(kFunctions), [&](const Function& f) { return f.name == word.text; });
    if (function == std::end(kFunctions)) {
      std::string message = "unknown function " + quoted(word.text);
      if (const std::string_view near = nearest(word.text, kWords); !near.empty())
        message += ", did you mean " + quoted(near) + "?";
      throw Problem{&code::kSyntax, word.begin, message};
    }
    Node node;
    node.kind = Kind::call;
    node.text = word.text;
    if (function->names > 0) node.names.push_back(argument_name(function->name));
    const bool is_dist = function->name == "dist";
    if (is_dist) {
      need_sign(",", "and a second node, or the numbers X, Y, Z of a place");
      // Numeric expressions start with a digit, a sign or a parenthesis; node names do not.
      if (token_.kind == TokenKind::name && next_token(text_, token_.end).text == ")")
        node.names.push_back(argument_name(function->name));
    }
    while (function->most > 0 && node.names.size() < 2 && !is_sign(")")) {
      if (!node.children.empty()) need_sign(",", "between arguments, or \")\"");
      node.children.push_back(sum());
      need_number(node.children.back());
    }
    need_sign(")", "after the arguments of " + word.text + "()");
    const std::size_t count = node.children.size();
    const bool fits = is_dist ? count == (node.names.size() == 2 ? 0 : 3) : count >= function->least && count <= function->most;
    if (!fits) {
      const std::string wanted = is_dist                             ? "two nodes, or a node and three numbers"
                                 : function->least == function->most ? number_text(function->least)
                                                                     : "at least " + number_text(function->least);
      throw Problem{&code::kSyntax, word.begin,
                    word.text + "() has " + number_text(count) + " numbers as arguments, expected " + wanted};
    }
    return add(std::move(node), word.begin);
  }

  std::uint32_t event_call(const Event& event, std::size_t begin) {
    Node node;
    node.kind = Kind::event;
    node.text = event.name;
    do node.names.push_back(argument_name(event.name));
    while (node.names.size() < event.most && take_sign(","));
    need_sign(")", "after the arguments of " + node.text + "()");
    return add(std::move(node), begin);
  }

  double seconds() {
    if (is_sign("-")) fail_here("expected a time, which is not negative");
    if (token_.kind != TokenKind::number) fail_here("expected a time in seconds");
    const UnitRow* unit = token_.unit.empty() ? nullptr : find_unit(token_.unit);
    if (unit != nullptr && unit->si != "s")
      throw Problem{&code::kUnit, token_.begin, quoted(token_.unit) + " is not a unit of time, expected s, ms, min or h"};
    const double value = token_.value * (unit != nullptr ? unit->factor : 1);
    advance();
    return value;
  }

  Window window() {
    Window window;
    const std::size_t begin = token_.begin;
    if (!take_sign("[")) return window;
    window.from = seconds();
    need_sign(",", "and the window's end, as in [0, 5] or [2, end]");
    if (is_word("end"))
      advance();
    else
      window.to = seconds(), window.to_end = false;
    need_sign("]", "after the window");
    if (!window.to_end && window.to < window.from)
      throw Problem{
          &code::kWindow, begin,
          "the window ends at " + number_text(window.to) + " s, before it begins at " + number_text(window.from) + " s"};
    return window;
  }

  /// Canonical text: without comments, with single blanks, and with operators instead of lt, le, ...
  static std::string plain(std::string_view text) {
    std::string out;
    bool after_operator = true, after_sign = false;  // the last token expects an operand; it was a unary minus
    for (Token token = next_token(text, 0); token.kind != TokenKind::end; token = next_token(text, token.end)) {
      const std::string_view part = text.substr(token.begin, token.end - token.begin);
      const bool tight = out.empty() || after_sign || out.back() == '(' || out.back() == '[' || part == ")" || part == "]" ||
                         part == "," || ((part == "(" || part == "[") && token.begin > 0 && text[token.begin - 1] != ' ');
      if (!tight) out += ' ';
      const auto sign = sign_of(token);
      if (sign)
        out += to_text(*sign);
      else
        for (const char c : part) out += c == '\n' || c == '\t' || c == '\r' ? ' ' : c;
      after_sign = part == "-" && after_operator;
      after_operator = sign || (token.kind == TokenKind::sign && part != ")" && part != "]");
    }
    return out;
  }

  std::string_view text_;
  Token token_;
  std::size_t last_end_ = 0;
  std::size_t depth_ = 0;
  std::vector<Node> nodes_;
};

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
      Parser parser(text, at);
      Expectation expectation = parser.item();
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
