// Online evaluation of quantitative semantics (O. Maler, D. Nickovic, Monitoring temporal properties of continuous signals,
// FORMATS 2004; A. Donze, O. Maler, Robust satisfaction of temporal logic over real-valued signals, FORMATS 2010). The values
// of bounded operators are available once their window has passed, as in A. Donze, T. Ferrere, O. Maler, Efficient robust
// monitoring for STL, CAV 2013. Operators that extend to the end of the run are unrolled step by step (always a = a and next
// always a), which gives a lattice polynomial of future values (polynomial.hpp). Its maximum and minimum form the interval of
// J. Deshmukh et al., Robust online monitoring of signal temporal logic, Formal Methods in System Design 51 (2017): if it
// excludes 0, the verdict is decided.

#include "lib/expect/monitor.hpp"

#include <algorithm>
#include <cmath>

namespace simbatch::expect {

using detail::Polynomial;

std::string_view to_text(Verdict verdict) {
  switch (verdict) {
    case Verdict::holds: return "holds";
    case Verdict::fails: return "fails";
    case Verdict::undecided: return "undecided";
  }
  return "?";
}

Monitor::SignalState::SignalState(const SignalNode& node) {
  if (node.kind == SignalKind::always || node.kind == SignalKind::eventually) extreme.emplace(node.kind == SignalKind::always);
  if (node.kind == SignalKind::until || node.kind == SignalKind::release) until.emplace(node.kind == SignalKind::until);
}

Monitor::Monitor(Program program) : program_(std::move(program)) {
  memory_.resize(program_.memories);
  sides_.resize(program_.atoms.size());
  for (const SignalNode& node : program_.signals) signals_.emplace_back(node);
  formulas_.resize(program_.formulas.size());
  parts_.resize(program_.parts.size());
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    assign_part(program_.parts[i].formula, i);
    for (const std::uint32_t state : program_.parts[i].states) {
      const State& s = program_.states[state];
      assign_part(s.a, i);
      if (s.kind == StateKind::until || s.kind == StateKind::release) assign_part(s.b, i);
    }
    parts_[i].is_simple = only_state(program_.parts[i]) != nullptr;
    parts_[i].is_settling = settling_state(program_.parts[i]) != nullptr;
  }
  std::size_t deepest = 1;
  for (const Atom& atom : program_.atoms) deepest = std::max({deepest, atom.left.size(), atom.right.size()});
  stack_.resize(deepest);
}

/// Assigns the signals of a formula to a part, and updates the part's horizon.
void Monitor::assign_part(std::uint32_t formula, std::size_t part) {
  const Formula& f = program_.formulas[formula];
  if (f.kind == FormulaKind::signal) {
    formulas_[formula].part = part;
    parts_[part].horizon = std::max(parts_[part].horizon, program_.signals[f.a].horizon);
  } else if (f.kind != FormulaKind::state) {
    assign_part(f.a, part);
    assign_part(f.b, part);
  }
}

/// The state of a part that consists only of `always` or `eventually` over a signal.
const State* Monitor::only_state(const Part& part) const {
  const Formula& whole = program_.formulas[part.formula];
  if (whole.kind != FormulaKind::state || part.states.size() != 1) return nullptr;
  const State& state = program_.states[whole.a];
  if (state.kind != StateKind::always && state.kind != StateKind::eventually) return nullptr;
  return program_.formulas[state.a].kind == FormulaKind::signal ? &state : nullptr;
}

/// The outer one of two states that form `eventually (always signal)`, with the inner one extending to the end of the run.
const State* Monitor::settling_state(const Part& part) const {
  const Formula& whole = program_.formulas[part.formula];
  if (whole.kind != FormulaKind::state || part.states.size() != 2) return nullptr;
  const State& outer = program_.states[whole.a];
  if (outer.kind != StateKind::eventually || program_.formulas[outer.a].kind != FormulaKind::state) return nullptr;
  const State& inner = program_.states[program_.formulas[outer.a].a];
  const bool whole_run = inner.kind == StateKind::always && inner.from == 0 && inner.to == kNoEnd;
  return whole_run && program_.formulas[inner.a].kind == FormulaKind::signal ? &outer : nullptr;
}

// ---- Numbers

/// Most sides of comparisons are one field or one number.
inline double Monitor::number(const Instructions& code, std::span<const double> values) {
  if (code.size() == 1 && code[0].op == Op::input) return values[code[0].index];
  if (code.size() == 1 && code[0].op == Op::constant) return code[0].value;
  return general_number(code, values);
}

double Monitor::general_number(const Instructions& code, std::span<const double> values) {
  double* end = stack_.data();  // each instruction adds one number at most
  for (const Instruction& step : code) {
    if (step.op == Op::constant || step.op == Op::input || step.op == Op::time) {
      *end++ = step.op == Op::constant ? step.value
               : step.op == Op::input  ? values[step.index]
                                       : static_cast<double>(steps_) * program_.dt;
      continue;
    }
    const double b = end[-1];
    if (step.op >= Op::add && step.op <= Op::greatest && step.op != Op::absolute) --end;
    double& top = end[-1];
    switch (step.op) {
      case Op::negate: top = -b; break;
      case Op::absolute: top = std::fabs(b); break;
      case Op::root: top = std::sqrt(b); break;
      case Op::square: top = b * b; break;
      case Op::wrap: top = std::remainder(b, step.value); break;
      case Op::rate:
        top = steps_ == 0 ? 0 : (b - memory_[step.index]) / program_.dt;
        memory_[step.index] = b;
        break;
      case Op::add: top += b; break;
      case Op::subtract: top -= b; break;
      case Op::multiply: top *= b; break;
      case Op::divide: top /= b; break;
      case Op::least: top = std::fmin(top, b); break;
      case Op::greatest: top = std::fmax(top, b); break;
      default: break;
    }
  }
  return end[-1];
}

void Monitor::update_atoms(std::span<const double> values) {
  for (std::size_t i = 0; i < program_.atoms.size(); ++i) {
    sides_[i].left = number(program_.atoms[i].left, values);
    sides_[i].right = number(program_.atoms[i].right, values);
  }
}

/// A comparison with NaN (0 / 0) does not hold.
Margin Monitor::atom_margin(std::uint32_t index) const {
  const Atom& atom = program_.atoms[index];
  const auto [left, right] = sides_[index];
  Margin margin{0, false, index, steps_, left, right};
  const double difference = left - right;
  switch (atom.comparison) {
    case Comparison::less: margin.value = -difference, margin.holds = left < right; break;
    case Comparison::less_equal: margin.value = -difference, margin.holds = left <= right; break;
    case Comparison::greater: margin.value = difference, margin.holds = left > right; break;
    case Comparison::greater_equal: margin.value = difference, margin.holds = left >= right; break;
    case Comparison::equal: margin.value = -std::fabs(difference), margin.holds = left == right; break;
    case Comparison::not_equal: margin.value = std::fabs(difference), margin.holds = left != right; break;
  }
  if (std::isnan(left) || std::isnan(right)) margin.holds = false;
  if (atom.is_event || std::isnan(difference))
    margin.value = margin.holds ? std::numeric_limits<double>::infinity() : -std::numeric_limits<double>::infinity();
  return margin;
}

// ---- Signals

/// Aligns the values of two operands at the same position: those of the earlier operand wait for the other. False if there is
/// no value yet.
bool Monitor::update_pair(const SignalNode& node, SignalState& state, Margin& a, Margin& b) {
  const SignalState &first = signals_[node.a], &second = signals_[node.b];
  const std::int64_t ahead = program_.signals[node.a].horizon - program_.signals[node.b].horizon;
  if (ahead == 0) {
    a = first.value;
    b = second.value;
    return first.valid;
  }
  const SignalState &early = ahead < 0 ? first : second, &late = ahead < 0 ? second : first;
  if (early.valid) state.waiting.push_back(early.value);
  if (!late.valid) return false;
  a = ahead < 0 ? state.waiting.front() : late.value;
  b = ahead < 0 ? late.value : state.waiting.front();
  state.waiting.pop_front();
  return true;
}

void Monitor::update_signal(std::size_t i, std::int64_t now) {
  const SignalNode& node = program_.signals[i];
  SignalState& state = signals_[i];
  const std::int64_t position = now - node.horizon;
  state.valid = position >= 0 && (!finished_ || position <= last_);
  switch (node.kind) {
    case SignalKind::atom:
      if (state.valid) state.value = atom_margin(node.a);
      break;
    case SignalKind::conjunction:
    case SignalKind::disjunction: {
      Margin a, b;
      if (update_pair(node, state, a, b)) state.value = node.kind == SignalKind::conjunction ? least(a, b) : greatest(a, b);
      break;
    }
    case SignalKind::always:
    case SignalKind::eventually: {
      const SignalState& operand = signals_[node.a];
      if (operand.valid) state.extreme->push(now - program_.signals[node.a].horizon, operand.value);
      if (state.valid) state.value = state.extreme->from(position + node.from);
      break;
    }
    case SignalKind::until:
    case SignalKind::release: {
      Margin a, b;
      if (update_pair(node, state, a, b)) state.until->push(position + node.to, a, b);
      if (state.valid) state.value = state.until->from(position + node.from);
      break;
    }
    case SignalKind::shift:
      state.value = signals_[node.a].valid ? signals_[node.a].value
                    : node.if_past         ? Margin::always_true()
                                           : Margin::always_false();
      break;
  }
}

/// Aligns the signals of a part's formulas at the same position.
void Monitor::update_formulas() {
  for (std::size_t i = 0; i < formulas_.size(); ++i) {
    const Formula& formula = program_.formulas[i];
    if (formula.kind != FormulaKind::signal) continue;
    FormulaState& state = formulas_[i];
    const SignalState& signal = signals_[formula.a];
    if (program_.signals[formula.a].horizon == parts_[state.part].horizon)
      state.value = signal.value;
    else if (signal.valid)
      state.waiting.push_back(signal.value);
  }
}

// ---- Parts

Polynomial Monitor::formula_value(const Part& part, std::uint32_t formula, std::int64_t position) {
  const Formula& f = program_.formulas[formula];
  switch (f.kind) {
    case FormulaKind::signal: return Polynomial(formulas_[formula].value);
    case FormulaKind::state: return state_value(part, f.a, position);
    case FormulaKind::conjunction:
      return Polynomial::both(formula_value(part, f.a, position), formula_value(part, f.b, position));
    case FormulaKind::disjunction:
      return Polynomial::either(formula_value(part, f.a, position), formula_value(part, f.b, position));
  }
  return {};
}

Polynomial Monitor::state_value(const Part& part, std::uint32_t state, std::int64_t position) {
  const State& s = program_.states[state];
  const auto index = static_cast<std::uint32_t>(std::find(part.states.begin(), part.states.end(), state) - part.states.begin());
  const bool before = position < s.from, goes_on = position < s.to;
  const auto joined = [](bool conjunction, Polynomial a, const Polynomial& b) {
    return conjunction ? Polynomial::both(a, b) : Polynomial::either(std::move(a), b);
  };
  if (s.kind == StateKind::always || s.kind == StateKind::eventually) {
    if (before) return Polynomial::next(index);
    Polynomial now = formula_value(part, s.a, position);
    return goes_on ? joined(s.kind == StateKind::always, std::move(now), Polynomial::next(index)) : now;
  }
  const bool is_until = s.kind == StateKind::until;
  if (!goes_on && !before) return formula_value(part, s.b, position);
  Polynomial later = joined(is_until, formula_value(part, s.a, position), Polynomial::next(index));
  return before ? later : joined(!is_until, formula_value(part, s.b, position), later);
}

/// After the last step `always` and `release` hold vacuously, `eventually` and `until` do not.
Polynomial Monitor::at_end(const Part& part, const Polynomial& value) const {
  Polynomial result;
  for (const Polynomial::Term& term : value.terms()) {
    Margin margin = term.coefficient;
    for (std::uint32_t i = 0; i < part.states.size(); ++i) {
      const StateKind kind = program_.states[part.states[i]].kind;
      if ((term.states >> i & 1) != 0 && (kind == StateKind::eventually || kind == StateKind::until))
        margin = least(margin, Margin::always_false());
    }
    result.add({0, margin});
  }
  return result;
}

void Monitor::update_simple(const State& operation, PartState& state, std::int64_t position) {
  if (position < operation.from) return;
  const bool is_always = operation.kind == StateKind::always;
  const Margin& now = formulas_[operation.a].value;
  Margin& running = is_always ? state.upper : state.lower;
  running = is_always ? least(running, now) : greatest(running, now);
  if (position == operation.from) running = now;
  state.is_done = position >= operation.to;
  if (state.is_done) (is_always ? state.lower : state.upper) = running;
}

/// What the polynomials below come to: as long as a start is open, {always: running} or {eventually: true}, then the first alone.
void Monitor::update_settling(const Part& part, PartState& state, std::int64_t position) {
  const State& outer = *settling_state(part);
  if (position < outer.from) return;
  const Margin& now = formulas_[program_.states[program_.formulas[outer.a].a].a].value;
  const Margin from_now = position == 0 ? now : least(Margin::always_true(), now);
  if (!state.has_running) {
    state.running = from_now;
    state.has_running = true;
  } else {
    state.running = least(state.running, now);
    if (position <= outer.to && less(state.running, from_now)) state.running = from_now;
  }
  state.upper = position < outer.to ? greatest(state.running, Margin::always_true()) : state.running;
}

void Monitor::update_part(std::size_t i, std::int64_t now) {
  const Part& part = program_.parts[i];
  PartState& state = parts_[i];
  const std::int64_t position = now - state.horizon;
  if (state.is_done || position < 0 || (finished_ && position > last_)) return;
  if (state.is_simple) {
    update_simple(program_.states[program_.formulas[part.formula].a], state, position);
    return;
  }
  if (state.is_settling) {
    update_settling(part, state, position);
    return;
  }
  if (position == 0) {
    state.value = formula_value(part, part.formula, 0);
  } else {
    Polynomial next;
    for (const Polynomial::Term& term : state.value.terms()) {
      Polynomial product(term.coefficient);
      for (std::uint32_t k = 0; k < part.states.size(); ++k)
        if ((term.states >> k & 1) != 0) product = Polynomial::both(product, state_value(part, part.states[k], position));
      next = Polynomial::either(std::move(next), product);
    }
    state.value = std::move(next);
  }
  state.lower = state.value.lower();
  state.upper = state.value.upper();
  state.is_done = std::all_of(state.value.terms().begin(), state.value.terms().end(),
                              [](const Polynomial::Term& term) { return term.states == 0; });
}

void Monitor::update_verdict() {
  if (program_.roots.size() == 1) {
    const PartState& only = parts_[program_.roots[0].a];
    done_ = only.is_done;
    lower_ = only.lower;
    upper_ = only.upper;
  } else {
    join_roots();
  }
  if (decided_ < 0 && !finished_ && (lower_.holds || !upper_.holds)) decided_ = steps_;
}

void Monitor::join_roots() {
  std::vector<std::pair<Margin, Margin>>& values = root_values_;
  values.clear();
  done_ = true;
  for (const Root& root : program_.roots) {
    if (root.kind == FormulaKind::signal) {
      values.emplace_back(parts_[root.a].lower, parts_[root.a].upper);
      done_ = done_ && parts_[root.a].is_done;
      continue;
    }
    const bool both = root.kind == FormulaKind::conjunction;
    const auto [low_a, high_a] = values[root.a];
    const auto [low_b, high_b] = values[root.b];
    values.emplace_back(both ? least(low_a, low_b) : greatest(low_a, low_b),
                        both ? least(high_a, high_b) : greatest(high_a, high_b));
  }
  lower_ = values.back().first;
  upper_ = values.back().second;
}

void Monitor::advance(std::int64_t now) {
  for (std::size_t i = 0; i < signals_.size(); ++i) update_signal(i, now);
  update_formulas();
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    const std::int64_t position = now - parts_[i].horizon;
    if (position >= 0 && (!finished_ || position <= last_)) {
      for (FormulaState& state : formulas_) {
        if (state.part != i || state.waiting.empty()) continue;
        state.value = state.waiting.front();
        state.waiting.pop_front();
      }
    }
    update_part(i, now);
  }
}

void Monitor::step(std::span<const double> values) {
  if (!done_) {
    update_atoms(values);
    advance(steps_);
    update_verdict();
  }
  ++steps_;
}

// A value that is no better (or worse) than the extreme so far cannot replace it, since differences from a constant, and
// comparisons with it, are monotone. For conditions without such a side (an event, ==), only the same value changes nothing.
Monitor::Quiet Monitor::quiet() const {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  if (program_.atoms.size() != 1 || program_.signals.size() != 1 || program_.parts.size() != 1 || !parts_[0].is_simple)
    return {};
  const Atom& atom = program_.atoms[0];
  const State& state = *only_state(program_.parts[0]);
  const bool compares = atom.left.size() == 1 && atom.left[0].op == Op::input && atom.right.size() == 1 &&
                        atom.right[0].op == Op::constant && program_.signals[0].kind == SignalKind::atom;
  if (!compares || finished_ || state.to != kNoEnd || steps_ <= state.from) return {};
  const bool is_always = state.kind == StateKind::always;
  const double last = (is_always ? parts_[0].upper : parts_[0].lower).left;
  const bool grows = atom.comparison == Comparison::greater || atom.comparison == Comparison::greater_equal;
  const bool falls = atom.comparison == Comparison::less || atom.comparison == Comparison::less_equal;
  Quiet quiet{atom.left[0].index, last, last};
  if (atom.is_event || !(grows || falls)) return quiet;
  (grows == is_always ? quiet.high : quiet.low) = grows == is_always ? kInfinity : -kInfinity;
  return quiet;
}

void Monitor::evaluate(std::span<const double> values) {
  update_atoms(values);
  ++steps_;
}

void Monitor::finish() {
  if (finished_) return;
  finished_ = true;
  last_ = steps_ - 1;
  if (last_ < 0) return;
  // Flushes delayed values. Windows may be far longer than the run.
  std::vector<std::int64_t> horizons;
  for (const SignalNode& node : program_.signals) horizons.push_back(node.horizon);
  std::sort(horizons.begin(), horizons.end());
  horizons.erase(std::unique(horizons.begin(), horizons.end()), horizons.end());
  std::int64_t now = steps_;
  for (const std::int64_t horizon : horizons)
    for (now = std::max(now, horizon); now <= horizon + last_ && !done_; ++now) advance(now);
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    PartState& state = parts_[i];
    if (state.is_done) continue;
    if (state.is_simple) {
      const bool is_always = program_.states[program_.formulas[program_.parts[i].formula].a].kind == StateKind::always;
      (is_always ? state.lower : state.upper) = is_always ? state.upper : state.lower;
    } else if (state.is_settling) {
      state.lower = state.upper = state.has_running ? state.running : Margin::always_false();
    } else {
      state.lower = state.upper = at_end(program_.parts[i], state.value).upper();
    }
    state.is_done = true;
  }
  update_verdict();
}

Outcome Monitor::outcome() const {
  Outcome outcome;
  if (steps_ == 0) return outcome;
  if (lower_.holds)
    outcome.verdict = Verdict::holds;
  else if (!upper_.holds)
    outcome.verdict = Verdict::fails;
  // For an undecided expectation: its value if nothing else happened.
  const Margin& margin = outcome.verdict == Verdict::holds ? lower_ : upper_;
  outcome.margin = margin.value;
  outcome.decided = decided_;
  if (margin.step >= 0) {
    const Atom& atom = program_.atoms[margin.atom];
    outcome.step = margin.step;
    outcome.time = static_cast<double>(margin.step) * program_.dt;
    outcome.condition = atom.text;
    outcome.is_event = atom.is_event;
    outcome.comparison = atom.comparison;
    outcome.unit = atom.unit;
    outcome.atom = margin.atom;
    outcome.left = margin.left;
    outcome.right = margin.right;
  }
  return outcome;
}

}  // namespace simbatch::expect
