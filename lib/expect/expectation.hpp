#pragma once
/// Expectations: conditions that must hold during a run, written in signal temporal logic (docs/expectations.md). This header
/// defines the syntax: texts and their trees. monitor.hpp evaluates them.

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
  negate,  ///< one child; likewise below
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
  always,  ///< one condition, `window`; likewise below
  eventually,
  until,    ///< two conditions: the first holds until the second does
  finally,  ///< at the last step
};

enum class Comparison : std::uint8_t { less, less_equal, greater, greater_equal, equal, not_equal };
std::string_view to_text(Comparison comparison);

/// A closed time interval, relative to the time at which the operator is evaluated. Default: from 0 to the end of the run.
struct Window {
  double from = 0, to = 0;  ///< s, 0 <= from <= to
  bool to_end = true;       ///< `to` is ignored
  friend bool operator==(const Window&, const Window&) = default;
};

/// A node of an expectation's tree. Children precede their parents in Expectation::nodes.
struct Node {
  Kind kind = Kind::number;
  Comparison comparison = Comparison::less;
  std::vector<std::uint32_t> children;
  double value = 0;
  std::string unit;  ///< as written; empty: none
  std::string text;
  std::vector<std::string> names;  ///< of nodes and bodies
  Window window;
  std::size_t begin = 0, end = 0;  ///< range of bytes in the text
};
bool is_condition(Kind kind);

/// Maps the bytes of a text to positions in a file.
struct Place {
  std::string file;  ///< empty: not from a file (a command line)
  TextPlaces at;
};

/// One expectation. The last node is its root, a condition.
struct Expectation {
  std::string name;  ///< unique in its list; the text of the condition if none is given
  std::string text;  ///< the condition, with single blanks between tokens
  std::vector<Node> nodes;
  std::shared_ptr<const Place> place;  ///< of the source text to which Node::begin and end refer
  std::uint32_t root() const { return static_cast<std::uint32_t>(nodes.size()) - 1; }
  Position at(const Node& node) const { return place->at.at(node.begin); }
  /// False: a condition without always, eventually, until or finally, which is evaluated in step 0 only.
  bool is_over_time() const;
};

/// Limits of the parser: length of a text, expectations per text, nodes per expectation, and nesting depth.
inline constexpr std::size_t kMaxText = std::size_t{1} << 20, kMaxExpectations = 1000, kMaxNodes = 4096, kMaxDepth = 100;

/// Reads expectations, separated by semicolons: `[NAME:] CONDITION [; ...]`. `#` starts a comment that extends to the end of
/// the line. Problems are reported at their position; after an error the expectation is omitted, and parsing resumes after the
/// next semicolon.
/// @param name  name of a single expectation that has none in the text (the attribute of <Expect>); or empty
Parsed<std::vector<Expectation>> read_expectations(std::string_view text, const Place& place, const std::string& name = {});

/// Factor from a unit in an expectation ("km/h") to SI, and the SI unit; nullptr if unknown.
struct UnitRow {
  std::string_view name, si;
  double factor;
};
const UnitRow* find_unit(std::string_view name);
/// List of all units, for messages.
std::string known_units();

}  // namespace simbatch::expect
