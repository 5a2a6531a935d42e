#pragma once
/// Evaluates an expectation step by step in bounded memory (docs/expectations.md describes the semantics and its sources).
///
///   expect::Monitor monitor(*expect::bind(expectation, source, dt, problems));
///   each step: monitor.step(values);      // of the source's signals
///   at the end: monitor.finish(); monitor.outcome()
///
/// Memory: a window of n steps stores at most n values, and nesting adds rather than multiplies; operators that extend to the
/// end of the run store a few values. Time per step: proportional to the expectation's length, amortized.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lib/expect/margin.hpp"
#include "lib/expect/polynomial.hpp"
#include "lib/expect/program.hpp"
#include "lib/expect/windows.hpp"

namespace simbatch::expect {

enum class Verdict : std::uint8_t {
  holds,
  fails,
  undecided,  ///< depends on the rest of the run
};
std::string_view to_text(Verdict verdict);

/// Result of an expectation.
struct Outcome {
  Verdict verdict = Verdict::undecided;
  /// Distance from changing the verdict, in `unit`: above 0 it holds. Infinite if an event decides, or if nothing had to be
  /// checked.
  double margin = 0;
  std::string unit;
  std::int64_t step = -1;  ///< with the least margin; -1: none
  double time = 0;         ///< s, of that step
  std::string condition;   ///< the deciding comparison or event
  bool is_event = false;
  Comparison comparison = Comparison::less;
  double left = 0, right = 0;  ///< values of both sides at that step
  std::size_t atom = 0;        ///< its index in Program::atoms
  /// the step after which the verdict could no longer change; -1: decided by the end of the run
  std::int64_t decided = -1;
};

/// "fails by 0.31 m, in step 1411 (7.055 s): impreza.chassis.psd0.distance > 0.5 (0.19 > 0.5)". Numbers have six significant
/// digits.
std::string describe(const Outcome& outcome);
/// The same, with a remark if a failed condition was evaluated in step 0 only.
std::string describe(const Expectation& expectation, const Outcome& outcome);

class Monitor {
 public:
  explicit Monitor(Program program);
  const Program& program() const { return program_; }

  /// Processes the next step; the first is step 0. @param values  of the source's signals, by slot
  void step(std::span<const double> values);
  /// The next steps change nothing as long as the value in `slot` is in [low, high]: for n such steps, pass(n) is equivalent to
  /// n calls of step(). An empty interval: each step counts. Valid until the next step().
  struct Quiet {
    std::size_t slot = 0;
    double low = 1, high = 0;
  };
  Quiet quiet() const;
  void pass(std::int64_t steps) { steps_ += steps; }
  /// Ends the run.
  void finish();
  /// The outcome so far; final after finish().
  Outcome outcome() const;

  /// Only computes both sides of all comparisons in the next step: for charts.
  void evaluate(std::span<const double> values);
  /// Both sides of all comparisons in the last step, in the order of Program::atoms.
  struct Sides {
    double left = 0, right = 0;
  };
  std::span<const Sides> sides() const { return sides_; }

 private:
  struct SignalState {
    explicit SignalState(const SignalNode& node);
    Margin value;                  // at the position `horizon` steps ago
    bool valid = false;            // such a position exists
    detail::Ring<Margin> waiting;  // values of the operand that is available earlier
    std::optional<detail::SlidingExtreme> extreme;
    std::optional<detail::SlidingUntil> until;
  };
  struct PartState {
    std::int64_t horizon = 0;  // of its signals
    bool is_simple = false;    // one operator over one signal
    bool is_settling = false;  // `eventually always` over one signal
    bool is_done = false;      // its value is final
    bool has_running = false;  // of a settling one
    Margin running;            // of a settling one: best of all starts so far
    detail::Polynomial value;  // of the others
    Margin lower = Margin::always_false(), upper = Margin::always_true();
  };

  double number(const Instructions& code, std::span<const double> values);
  double general_number(const Instructions& code, std::span<const double> values);
  void update_atoms(std::span<const double> values);
  Margin atom_margin(std::uint32_t index) const;
  void advance(std::int64_t now);
  void update_signal(std::size_t i, std::int64_t now);
  bool update_pair(const SignalNode& node, SignalState& state, Margin& a, Margin& b);
  void update_formulas();
  void update_part(std::size_t i, std::int64_t now);
  void update_simple(const State& operation, PartState& state, std::int64_t position);
  void update_settling(const Part& part, PartState& state, std::int64_t position);
  detail::Polynomial formula_value(const Part& part, std::uint32_t formula, std::int64_t position);
  detail::Polynomial state_value(const Part& part, std::uint32_t state, std::int64_t position);
  detail::Polynomial at_end(const Part& part, const detail::Polynomial& value) const;
  void update_verdict();
  void join_roots();
  void assign_part(std::uint32_t formula, std::size_t part);
  const State* only_state(const Part& part) const;
  const State* settling_state(const Part& part) const;

  Program program_;
  std::vector<double> stack_, memory_;
  std::vector<Sides> sides_;
  std::vector<SignalState> signals_;
  struct FormulaState {  // for formulas that are signals
    std::size_t part = 0;
    Margin value;                  // at the part's position
    detail::Ring<Margin> waiting;  // delayed to the part's horizon
  };
  std::vector<FormulaState> formulas_;
  std::vector<PartState> parts_;
  std::vector<std::pair<Margin, Margin>> root_values_;  // minimum and maximum of each root
  std::int64_t steps_ = 0;                              // made
  std::int64_t last_ = -1;                              // the last step, once finished
  bool finished_ = false, done_ = false;
  Margin lower_ = Margin::always_false(), upper_ = Margin::always_true();
  std::int64_t decided_ = -1;
};

}  // namespace simbatch::expect
