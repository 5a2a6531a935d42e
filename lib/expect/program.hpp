#pragma once
/// An expectation compiled for a simulation or trace: names resolved, units converted, negations pushed down to comparisons, times
/// in steps. bind() makes it, Monitor runs it.
///
/// It has three layers:
///  - numbers: a stack machine, one piece of code for each side of a comparison;
///  - signals: conditions whose value at step t depends on no more than the `horizon` steps after t (windows of bounded length).
///    Their values come out `horizon` steps late;
///  - states: temporal operators that last to the end of the run, or that are evaluated at step 0 only.

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
  wrap,  ///< into (-p/2, p/2], p = value: angles
  rate,  ///< difference to the step before, divided by dt; 0 at the first step. `index`: of its memory
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
  std::string text;  ///< as it holds: "a < 3", "not (contact(a, b))"
  std::string left_text, right_text;
  std::string unit;  ///< of the margin; empty: unknown or none
};

enum class SignalKind : std::uint8_t {
  atom,
  conjunction,
  disjunction,  ///< of two
  always,
  eventually,  ///< of one, in [t + from, t + to]
  until,
  release,  ///< of two; until: b at some u in [t + from, t + to], and a at all steps from t + from until before u
  shift,    ///< a at t + from; after the end `if_past`
};
/// One node of the middle layer.
struct SignalNode {
  SignalKind kind = SignalKind::atom;
  std::uint32_t a = 0, b = 0;     ///< indices of earlier nodes; of an atom a is its index
  std::int64_t from = 0, to = 0;  ///< steps
  std::int64_t horizon = 0;       ///< steps by which its value is late
  bool if_past = false;
};

enum class FormulaKind : std::uint8_t { signal, conjunction, disjunction, state };
/// A formula over signals and states. Children come before parents.
struct Formula {
  FormulaKind kind = FormulaKind::signal;
  std::uint32_t a = 0, b = 0;  ///< indices of formulas; of a signal or state, a is its index
};

enum class StateKind : std::uint8_t { always, eventually, until, release };
/// A temporal operator over formulas a (until and release: a, b), active from step `from` to step `to`.
struct State {
  StateKind kind = StateKind::always;
  std::uint32_t a = 0, b = 0;
  std::int64_t from = 0, to = 0;
};
inline constexpr std::int64_t kNoEnd = std::int64_t{1} << 60;
/// Most states of which one contains another: the monitor's memory grows as 2 to their number.
inline constexpr std::size_t kMaxStates = 6;

/// Formulas that are evaluated at step 0, joined by and, or.
struct Part {
  std::uint32_t formula = 0;
  std::vector<std::uint32_t> states;  ///< that it reaches, at most kMaxStates; in its polynomials the index in this list counts
};
struct Root {
  FormulaKind kind = FormulaKind::signal;  ///< signal: `a` is an index of parts
  std::uint32_t a = 0, b = 0;
};

struct Program {
  std::vector<Atom> atoms;
  std::size_t memories = 0;  ///< of rate()
  std::vector<SignalNode> signals;
  std::vector<Formula> formulas;
  std::vector<State> states;
  std::vector<Part> parts;
  std::vector<Root> roots;   ///< children before parents; the last is the whole
  std::int64_t horizon = 0;  ///< of all signals
  double dt = 0;             ///< s
};

/// Compiles an expectation. Reports names that do not exist (with the nearest one), quantities that do not fit, windows without a step,
/// and nesting that would need the whole run in memory; empty then.
/// @param dt  seconds between two steps, > 0
std::optional<Program> bind(const Expectation& expectation, SignalSource& source, double dt, Diagnostics& diagnostics);

}  // namespace simbatch::expect
