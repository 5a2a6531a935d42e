// Recursive descent over the grammar of docs/expectations.md.

#include "lib/expect/parser.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <set>
#include <span>
#include <utility>

#include "base/core/number.hpp"
#include "base/core/text.hpp"
#include "lib/expect/canonical.hpp"
#include "lib/expect/codes.hpp"

namespace simbatch::expect::detail {
namespace {

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

class Parser : TokenCursor {
 public:
  using TokenCursor::TokenCursor;

  /// Parses one item, up to a semicolon or the end.
  Expectation item() {
    Expectation expectation;
    if (token().kind == TokenKind::name && following().text == ":") {
      expectation.name = token().text;
      advance();
      advance();
    }
    const std::size_t begin = token().begin;
    const std::uint32_t root = implication();
    if (token().kind != TokenKind::end && !is_sign(";")) fail_here("expected the end of the expectation, or a semicolon");
    need_condition(root);
    expectation.nodes = std::move(nodes_);
    expectation.text = canonical_text(text(begin, last_end()));
    if (expectation.name.empty()) expectation.name = expectation.text;
    return expectation;
  }

 private:
  // ---- Nodes
  std::uint32_t add(Node node, std::size_t begin) {
    if (nodes_.size() >= kMaxNodes)
      throw Problem{&code::kSyntax, begin, "the expectation has more than " + number_text(kMaxNodes) + " parts"};
    node.begin = begin;
    node.end = last_end();
    nodes_.push_back(std::move(node));
    return static_cast<std::uint32_t>(nodes_.size()) - 1;
  }
  std::uint32_t add(Kind kind, std::vector<std::uint32_t> children, std::size_t begin) {
    Node node;
    node.kind = kind;
    node.children = std::move(children);
    return add(std::move(node), begin);
  }
  std::string source_of(std::uint32_t node) const { return canonical_text(text(nodes_[node].begin, nodes_[node].end)); }
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
        throw Problem{&code::kSyntax, parser_.token().begin, "nested more than " + number_text(kMaxDepth) + " deep"};
    }
    ~Depth() { --parser_.depth_; }
    Parser& parser_;
  };

  // ---- Grammar
  std::uint32_t implication() {
    const Depth depth(*this);
    const std::size_t begin = token().begin;
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
    const std::size_t begin = token().begin;
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
    const std::size_t begin = token().begin;
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
      throw Problem{&code::kSyntax, token().begin,
                    "what follows " + quoted(what) + " is ambiguous before " + quoted(token().text) +
                        ", expected parentheses: " + std::string(what) + " (... " + token().text + " ...), or (" +
                        canonical_text(text(begin, last_end())) + ") " + token().text + " ..."};
  }

  std::uint32_t unary() {
    const Depth depth(*this);
    const std::size_t begin = token().begin;
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

  /// One comparison, or a chain: `0 < x <= 5` is `0 < x and x <= 5`.
  std::uint32_t comparison() {
    const std::size_t begin = token().begin;
    std::uint32_t left = sum();
    std::vector<std::uint32_t> parts;
    while (const auto sign = comparison_of(token())) {
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
    if (token().kind == TokenKind::bad) fail_here({});  // more informative than just "the preceding operand is a number"
    if (parts.empty()) return left;
    return parts.size() == 1 ? parts[0] : add(Kind::conjunction, std::move(parts), begin);
  }

  std::uint32_t sum() {
    const std::size_t begin = token().begin;
    std::uint32_t left = product();
    while (is_sign("+") || is_sign("-")) {
      const Kind kind = is_sign("+") ? Kind::add : Kind::subtract;
      left = binary(kind, left, begin, [this] { return product(); });
    }
    return left;
  }
  std::uint32_t product() {
    const std::size_t begin = token().begin;
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

  /// After a number: a word that nothing can begin with is meant to be its unit.
  void refuse_unknown_unit(const std::string& unit) const {
    if (!unit.empty() || token().kind != TokenKind::name || token().quoted || token().text.find('.') != std::string::npos)
      return;
    if (token().text == "end" || std::find(std::begin(kWords), std::end(kWords), token().text) != std::end(kWords)) return;
    throw Problem{&code::kSyntax, token().begin, "unknown unit " + quoted(token().text) + ", expected one of " + known_units()};
  }

  std::uint32_t factor() {
    const Depth depth(*this);
    const std::size_t begin = token().begin;
    if (take_sign("-")) {
      const std::uint32_t child = factor();
      need_number(child);
      return add(Kind::negate, {child}, begin);
    }
    if (take_sign("(")) {
      const std::uint32_t inside = implication();
      need_sign(")", "to close the parenthesis");
      nodes_[inside].begin = begin;  // so that messages quote the whole expression
      nodes_[inside].end = last_end();
      return inside;
    }
    if (token().kind == TokenKind::number) {
      Node node;
      node.kind = Kind::number;
      node.value = token().value;
      node.unit = token().unit;
      advance();
      refuse_unknown_unit(node.unit);
      return add(std::move(node), begin);
    }
    if (token().kind != TokenKind::name) fail_here("expected a field, a number, a function or a condition");
    return name();
  }

  std::uint32_t name() {
    const Token word = token();
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
      if (const std::string_view near = node.text == "t" ? "time" : nearest(node.text, kWords); !near.empty())
        message += ", did you mean " + quoted(near) + "?";
      throw Problem{&code::kSyntax, word.begin, message};
    }
    return add(std::move(node), word.begin);
  }

  std::string argument_name(std::string_view function) {
    if (token().kind != TokenKind::name) fail_here("expected the name of a node for " + std::string(function) + "()");
    std::string name = token().text;
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
      if (token().kind == TokenKind::name && following().text == ")") node.names.push_back(argument_name(function->name));
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
      const std::string wanted = is_dist ? "two nodes, or a node and three numbers"
                                 : function->least == function->most
                                     ? number_text(function->least)
                                     : number_text(function->least) + " to " + number_text(function->most);
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
    if (token().kind != TokenKind::number) fail_here("expected a time in seconds");
    const UnitRow* unit = token().unit.empty() ? nullptr : find_unit(token().unit);
    if (unit != nullptr && unit->si != "s")
      throw Problem{&code::kUnit, token().begin, quoted(token().unit) + " is not a unit of time, expected s, ms, min or h"};
    const double value = token().value * (unit != nullptr ? unit->factor : 1);
    const std::string its_unit = token().unit;
    advance();
    refuse_unknown_unit(its_unit);
    return value;
  }

  Window window() {
    Window window;
    const std::size_t begin = token().begin;
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

  std::size_t depth_ = 0;
  std::vector<Node> nodes_;
};

}  // namespace

Expectation parse_item(std::string_view text, std::size_t begin) { return Parser(text, begin).item(); }

}  // namespace simbatch::expect::detail
