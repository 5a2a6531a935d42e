#pragma once
/// Expectations: what must hold during a run, written as a text in signal temporal logic (docs/expectations.md). This header is
/// the syntax: texts and their trees. monitor.hpp evaluates them.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/core/diagnostics.hpp"

namespace simbatch::expect {

enum class Kind : std::uint8_t {
  // Numbers
  number,  ///< `value`, in `unit`
  field,   ///< `text`: "impreza.chassis.psd0.distance"
  time,    ///< s since the start
  negate,  ///< one child; so on
  add,
  subtract,
  multiply,
  divide,
  call,  ///< `text`: abs, min, max, sqrt, angle, rate, dist, speed. dist and speed have `names`
  // Conditions
  compare,  ///< two numbers, `comparison`; `text` as written, `names` its two sides
  event,    ///< `text`: contact, on_road, ended; with `names`
  negation,
  conjunction,
  disjunction,
  implication,
  always,  ///< one condition, `window`; so on
  eventually,
  until,    ///< two conditions: the first holds until the second does
  finally,  ///< at the last step
};

enum class Comparison : std::uint8_t { less, less_equal, greater, greater_equal, equal, not_equal };
std::string_view to_text(Comparison comparison);

/// A closed interval of time, counted from where the operator is evaluated. Absent in the text: from 0 to the end of the run.
struct Window {
  double from = 0, to = 0;  ///< s, 0 <= from <= to
  bool to_end = true;       ///< `to` does not count
  friend bool operator==(const Window&, const Window&) = default;
};

/// A node of an expectation's tree. Children come before their parents in Expectation::nodes.
struct Node {
  Kind kind = Kind::number;
  Comparison comparison = Comparison::less;
  std::vector<std::uint32_t> children;
  double value = 0;
  std::string unit;  ///< as written; empty: none
  std::string text;
  std::vector<std::string> names;  ///< of nodes and bodies
  Window window;
  std::size_t begin = 0, end = 0;  ///< bytes of the text
};
bool is_condition(Kind kind);

/// Where the bytes of a text are in a file.
struct Place {
  std::string file;  ///< empty: in no file (a command line)
  TextPlaces at;
};

/// One expectation. The last node is its root, a condition.
struct Expectation {
  std::string name;  ///< unique in its list; the condition's own text if none is given
  std::string text;  ///< the condition, with single blanks between its parts
  std::vector<Node> nodes;
  std::shared_ptr<const Place> place;  ///< of the text that it was read from, in which Node::begin and end count
  std::uint32_t root() const { return static_cast<std::uint32_t>(nodes.size()) - 1; }
  Position at(const Node& node) const { return place->at.at(node.begin); }
};

/// Longest text, most expectations of a text, most nodes of an expectation, and deepest nesting that are read.
inline constexpr std::size_t kMaxText = std::size_t{1} << 20, kMaxExpectations = 1000, kMaxNodes = 4096, kMaxDepth = 100;

/// Reads expectations, separated by semicolons: `[NAME:] CONDITION [; ...]`. `#` begins a comment, to the end of the line.
/// @param name  of the expectation, where there is one only and the text gives none (the attribute of <Expect>); or empty
/// Problems are reported at their places; an expectation with one is left out of the value, and reading goes on after the
/// next semicolon.
Parsed<std::vector<Expectation>> read_expectations(std::string_view text, const Place& place, const std::string& name = {});

/// Factor from a unit as it may be written in an expectation ("km/h") to SI, and the SI unit; nullptr if it is unknown.
struct UnitRow {
  std::string_view name, si;
  double factor;
};
const UnitRow* find_unit(std::string_view name);
/// All of them, for messages.
std::string known_units();

}  // namespace simbatch::expect
