// The text of an expectation as it is shown: the same however it was written, and with the same meaning when read again.

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "base/core/random.hpp"
#include "lib/expect/canonical.hpp"
#include "lib/expect/expectation.hpp"
#include "tests/support/support.hpp"

using namespace simbatch;
using namespace simbatch::expect;
using detail::canonical_text;

namespace {

Expectation read_one(const std::string& text) {
  auto parsed = read_expectations(text, {"t", TextPlaces(text)});
  INFO(text, ": ", simbatch::test::all_text(parsed.diagnostics));
  REQUIRE(parsed.ok());
  REQUIRE(parsed.value->size() == 1);
  return parsed.value->front();
}

/// Everything of a tree but the places in its text.
void check_same_tree(const Expectation& a, const Expectation& b) {
  REQUIRE(a.nodes.size() == b.nodes.size());
  for (std::size_t i = 0; i < a.nodes.size(); ++i) {
    const Node &x = a.nodes[i], &y = b.nodes[i];
    CHECK(x.kind == y.kind);
    CHECK(x.comparison == y.comparison);
    CHECK(x.children == y.children);
    CHECK(x.value == y.value);
    CHECK(x.unit == y.unit);
    CHECK(x.text == y.text);
    CHECK(x.names == y.names);
    CHECK(x.window == y.window);
  }
}

/// Random conditions as lists of tokens. A call's parenthesis is part of its name's token.
class Grammar {
 public:
  explicit Grammar(std::uint64_t seed) : random_(seed, "grammar") {}
  std::vector<std::string> condition() {
    tokens_.clear();
    any_condition(0);
    return tokens_;
  }

 private:
  void put(std::string token) { tokens_.push_back(std::move(token)); }
  void put_one_of(const std::vector<std::string>& some) { put(some[random_.below(some.size())]); }
  void in_parentheses(int depth) {
    put("(");
    any_condition(depth + 1);
    put(")");
  }
  void window() {
    if (random_.below(2) == 0) return;
    put("[");
    put_one_of({"0", "0.5 s", "1"});
    put(",");
    put_one_of({"5", "2 min", "end"});
    put("]");
  }
  void any_condition(int depth) {
    switch (depth > 4 ? 0 : random_.below(7)) {
      case 1:
        put("not");
        in_parentheses(depth);
        break;
      case 2:
        put_one_of({"always", "eventually", "never"});
        window();
        in_parentheses(depth);
        break;
      case 3:
        in_parentheses(depth);
        put_one_of({"and", "or", "implies", "->"});
        in_parentheses(depth);
        break;
      case 4:
        in_parentheses(depth);
        put("until");
        window();
        in_parentheses(depth);
        break;
      case 5:
        put("contact(");
        put_one_of({"car", "'my-car.body'"});
        put(",");
        put_one_of({"wall", "\"a  b\""});
        put(")");
        break;
      default: comparison(depth);
    }
  }
  void comparison(int depth) {
    number(depth);
    for (std::uint64_t i = 1 + random_.below(2); i-- > 0;) {
      put_one_of({"<", "<=", ">", ">=", "==", "!=", "lt", "le", "gt", "ge", "eq", "ne"});
      number(depth);
    }
  }
  void number(int depth) {
    switch (depth > 4 ? 0 : random_.below(6)) {
      case 1:
        put("-");
        number(depth + 1);
        break;
      case 2:
        put("(");
        number(depth + 1);
        put_one_of({"+", "-", "*", "/"});
        number(depth + 1);
        put(")");
        break;
      case 3:
        put_one_of({"abs(", "sqrt(", "rate("});
        number(depth + 1);
        put(")");
        break;
      case 4: put_one_of({"time", "car.body.x", "'my-car.body.x'"}); break;
      default: put_one_of({"5", "0.25 m", "1e-3 km/h", "90 deg", "9.81 m/s^2"});
    }
  }

  RandomStream random_;
  std::vector<std::string> tokens_;
};

/// The tokens with `blank` between them, and with another one in numbers with units; no blank after "(" of a call.
template <class Blank>
std::string written(const std::vector<std::string>& tokens, Blank blank) {
  std::string out;
  for (const std::string& token : tokens) {
    if (!out.empty()) out += blank();
    const std::size_t unit = token[0] >= '0' && token[0] <= '9' ? token.find(' ') : std::string::npos;
    out += unit == std::string::npos ? token : token.substr(0, unit) + blank() + token.substr(unit + 1);
  }
  return out;
}

}  // namespace

TEST_CASE("expect: canonical texts have single blanks, signs for words, and no comments") {
  struct {
    const char *text, *canonical;
  } const rows[] = {
      {"always  a.x>5", "always a.x > 5"},
      {"a.x lt 5 and b.y ge -2", "a.x < 5 and b.y >= -2"},
      {"a.x<-5", "a.x < -5"},
      {"a.x - -5 == 3-2", "a.x - -5 == 3 - 2"},
      {"abs( a.x )>(1)", "abs(a.x) >(1)"},
      {"always [ 0 , 5 ] a.x > 1", "always [0, 5] a.x > 1"},
      {"always[0,end]a.x > 1", "always[0, end] a.x > 1"},
      {"a.x > 5 # the limit\n", "a.x > 5"},
      {"a.x # the\n>\t5", "a.x > 5"},
      {"'my car.x' > 5km/h", "'my car.x' > 5km/h"},
      {"a.x > 5   km/h", "a.x > 5 km/h"},
      {"a.x > 5 # of the road\n km/h", "a.x > 5 km/h"},
      {"not\n(a.x > 1)", "not (a.x > 1)"},
      {"a.x >\t(1)", "a.x > (1)"},
      {"not# why\n(a.x > 1)", "not (a.x > 1)"},
      {"", ""},
      {"# nothing\n", ""},
  };
  for (const auto& row : rows) {
    CAPTURE(std::string(row.text));
    CHECK(canonical_text(row.text) == row.canonical);
    CHECK(canonical_text(row.canonical) == row.canonical);
  }
}

TEST_CASE("expect: a text keeps its canonical form and its meaning, whatever blanks and comments it has") {
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    const std::vector<std::string> tokens = Grammar(seed).condition();
    RandomStream random(seed, "blanks");
    const std::string plain = written(tokens, [] { return " "; });
    const std::string wild = written(tokens, [&random] {
      constexpr const char* kBlanks[] = {" ", "  ", "\n", "\t", " \r\n ", " # a < b; 'x\n", "# (\n\t"};
      return kBlanks[random.below(std::size(kBlanks))];
    });
    CAPTURE(wild);
    const Expectation first = read_one(plain), second = read_one(wild);
    CHECK(second.text == first.text);
    CHECK(second.name == first.name);
    check_same_tree(first, second);
    // Shown texts are read again, e.g. from traces and reports.
    const Expectation again = read_one(first.text);
    CHECK(again.text == first.text);
    CHECK(again.nodes.size() == first.nodes.size());
    for (std::size_t i = 0; i < again.nodes.size() && i < first.nodes.size(); ++i)
      CHECK(again.nodes[i].kind == first.nodes[i].kind);
    CHECK(first.text.find_first_of("#\n\t\r") == std::string::npos);
  }
}

TEST_CASE("expect: children precede their parents, and each node lies in the text of its parent") {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const std::string text = written(Grammar(seed).condition(), [] { return " "; });
    CAPTURE(text);
    const Expectation e = read_one(text);
    std::vector<int> parents(e.nodes.size());
    for (std::uint32_t i = 0; i < e.nodes.size(); ++i) {
      const Node& node = e.nodes[i];
      CHECK(node.begin < node.end);
      CHECK(node.end <= text.size());
      for (const std::uint32_t child : node.children) {
        REQUIRE(child < i);
        ++parents[child];
        CHECK(e.nodes[child].begin >= node.begin);
        CHECK(e.nodes[child].end <= node.end);
      }
    }
    CHECK(parents.back() == 0);
    CHECK(e.at(e.nodes[e.root()]) == Position{1, 1});
  }
}
