#pragma once
/// Compiles the numeric expressions of an expectation, with their units. Internal to this room.

#include <string>

#include "lib/expect/program.hpp"

namespace simbatch::expect::detail {

/// The unit of a number.
struct Unit {
  bool any = false;     ///< compatible with everything: a number without a unit, a product whose unit has no name here
  std::string si;       ///< "m"; "1" for dimensionless numbers; for fields, the unit in the tree ("deg")
  std::string written;  ///< as written for a number with a unit ("km/h"), else the same as `si`
};

class NumberCompiler {
 public:
  NumberCompiler(const Expectation& expectation, SignalSource& source, Diagnostics& diagnostics)
      : expectation_(expectation), source_(source), diagnostics_(diagnostics) {}
  /// Compiles the two sides of a comparison and reports problems.
  /// @param unit  of the difference of the sides
  void compare(const Node& node, Instructions& left, Instructions& right, std::string& unit);
  /// The slot of an event; 0 after an error.
  std::size_t event(const Node& node);
  std::size_t memories() const { return memories_; }

 private:
  const Node& child(const Node& node, std::size_t i) const { return expectation_.nodes[node.children[i]]; }
  Unit unit_of(const Node& node);
  Unit call_unit(const Node& node);
  Unit combined(const Unit& a, const Unit& b, const Node& node);
  void emit(const Node& node, const std::string& want, Instructions& out);
  void emit_call(const Node& node, const std::string& want, Instructions& out);
  void emit_place(const Node& node, Instructions& out);
  /// The signal of a field; reports an error if there is none.
  std::optional<Signal> find(const Node& node, const std::string& name);
  void report_unknown(const Node& node, const std::string& name, std::string problem);
  /// For dist() and speed(), whose arguments are nodes with a position.
  void report_unplaced(const Node& node, const std::string& name, std::string problem);

  const Expectation& expectation_;
  SignalSource& source_;
  Diagnostics& diagnostics_;
  std::size_t memories_ = 0, suggestions_ = 0;
  std::vector<std::string> fields_;  // of the source, loaded on first use
};

}  // namespace simbatch::expect::detail
