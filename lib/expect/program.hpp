#pragma once
/// An expectation compiled for a simulation or trace: names resolved, units converted, negations pushed down to comparisons,
/// times in steps. Created by bind(), executed by Monitor.
///
/// It has three layers:
///  - numbers: a stack machine, one instruction sequence for each side of a comparison;
///  - signals: conditions whose value at step t depends only on the next `horizon` steps (windows of bounded length). Their
///  values are available `horizon` steps later;
///  - states: temporal operators that extend to the end of the run, or are evaluated only at step 0.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/core/diagnostics.hpp"
#include "lib/expect/expectation.hpp"
#include "lib/expect/signals.hpp"

namespace simbatch::expect {

enum class Op : std::uint8_t {
  constant,
  input,
  time,
  negate,
  add,
  subtract,
  multiply,
  divide,
  absolute,
  least,
  greatest,
  root,
  square,
  wrap,  ///< to (-p/2, p/2], p = value: for angles
  rate,  ///< difference from the previous step divided by dt; 0 at the first step. `index`: memory slot
};
struct Instruction {
  Op op = Op::constant;
  double value = 0;
  std::size_t index = 0;
};
using Instructions = std::vector<Instruction>;

/// A comparison, or an event (left is the signal, right 1 or 0).
struct Atom {
  Comparison comparison = Comparison::less;
  bool is_event = false;
  Instructions left, right;
  std::string text;  ///< with negation applied: "a < 3", "not (contact(a, b))"
  std::string left_text, right_text;
  std::string unit;  ///< of the margin; empty: unknown or none
};

enum class SignalKind : std::uint8_t {
  atom,
  conjunction,
  disjunction,  ///< of two
  always,
  eventually,  ///< of one signal, in [t + from, t + to]
  until,
  release,  ///< of two signals; until: b at some u in [t + from, t + to], and a at all steps from t + from until before u
  shift,    ///< a at t + from; `if_past` beyond the end of the run
};
/// One node of the middle layer.
struct SignalNode {
  SignalKind kind = SignalKind::atom;
  std::uint32_t a = 0, b = 0;     ///< indices of earlier nodes; for an atom, a is its index
  std::int64_t from = 0, to = 0;  ///< steps
  std::int64_t horizon = 0;       ///< steps by which its value is delayed
  bool if_past = false;
};

enum class FormulaKind : std::uint8_t { signal, conjunction, disjunction, state };
/// A formula over signals and states. Children precede parents.
struct Formula {
  FormulaKind kind = FormulaKind::signal;
  std::uint32_t a = 0, b = 0;  ///< indices of formulas; for a signal or state, a is its index
};

enum class StateKind : std::uint8_t { always, eventually, until, release };
/// A temporal operator over formulas a (until and release: a, b), active from step `from` to step `to`.
struct State {
  StateKind kind = StateKind::always;
  std::uint32_t a = 0, b = 0;
  std::int64_t from = 0, to = 0;
};
inline constexpr std::int64_t kNoEnd = std::int64_t{1} << 60;
/// Maximum number of nested states: the monitor's memory grows as 2^states.
inline constexpr std::size_t kMaxStates = 6;

/// Formulas evaluated at step 0, combined by and, or.
struct Part {
  std::uint32_t formula = 0;
  std::vector<std::uint32_t> states;  ///< reachable states, at most kMaxStates; polynomials refer to indices in this list
};
struct Root {
  FormulaKind kind = FormulaKind::signal;  ///< signal: `a` is an index of parts
  std::uint32_t a = 0, b = 0;
};

struct Program {
  std::vector<Atom> atoms;
  std::size_t memories = 0;  ///< memory slots of rate()
  std::vector<SignalNode> signals;
  std::vector<Formula> formulas;
  std::vector<State> states;
  std::vector<Part> parts;
  std::vector<Root> roots;   ///< children before parents; the last is the whole expectation
  std::int64_t horizon = 0;  ///< of all signals
  double dt = 0;             ///< s
};

/// Compiles an expectation. Reports unknown names (with the most similar one), incompatible quantities, windows that contain no
/// step, and nesting that would need the whole run in memory; then the result is empty.
/// @param dt  seconds between two steps, > 0
std::optional<Program> bind(const Expectation& expectation, SignalSource& source, double dt, Diagnostics& diagnostics);

}  // namespace simbatch::expect
