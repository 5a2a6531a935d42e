// Compiles the tree of an expectation to a program. Negations are pushed down to the comparisons (De Morgan's laws; always and
// eventually, until and release are duals), so that the monitor needs only minimum and maximum. Bounded parts become signals,
// the rest states; see program.hpp for the layers and docs/expectations.md for the allowed nesting.

#include <algorithm>
#include <cmath>
#include <set>

#include "base/core/number.hpp"
#include "lib/expect/codes.hpp"
#include "lib/expect/numbers.hpp"
#include "lib/expect/program.hpp"

namespace simbatch::expect {
namespace {

struct Steps {
  std::int64_t from = 0, to = kNoEnd;
};

Comparison opposite(Comparison comparison) {
  constexpr Comparison kOpposites[] = {Comparison::greater_equal, Comparison::greater,   Comparison::less_equal,
                                       Comparison::less,          Comparison::not_equal, Comparison::equal};
  return kOpposites[static_cast<std::size_t>(comparison)];
}

class Binder {
 public:
  Binder(const Expectation& expectation, SignalSource& source, double dt, Diagnostics& diagnostics)
      : expectation_(expectation), numbers_(expectation, source, diagnostics), diagnostics_(diagnostics) {
    program_.dt = dt;
  }

  std::optional<Program> bind() {
    const std::size_t errors = diagnostics_.errors();
    mark_bounded();
    root(expectation_.root(), false);
    if (diagnostics_.errors() > errors) return std::nullopt;
    program_.memories = numbers_.memories();
    for (const SignalNode& node : program_.signals) program_.horizon = std::max(program_.horizon, node.horizon);
    for (Part& part : program_.parts) {
      reach(part.formula, part.states);
      if (part.states.size() > kMaxStates) {
        diagnostics_.report(code::kNesting, expectation_.at(expectation_.nodes[expectation_.root()]),
                            number_text(part.states.size()) +
                                " operators that last to the end of the run contain each other, expected at most " +
                                number_text(kMaxStates));
        return std::nullopt;
      }
    }
    return std::move(program_);
  }

 private:
  const Node& node(std::uint32_t i) const { return expectation_.nodes[i]; }
  static bool is_temporal(Kind kind) { return kind >= Kind::always; }

  /// Bounded: no operator inside extends to the end of the run.
  void mark_bounded() {
    for (const Node& n : expectation_.nodes) {
      bool bounded = n.kind != Kind::finally && !(is_temporal(n.kind) && n.window.to_end);
      for (const std::uint32_t child : n.children) bounded = bounded && is_bounded_[child];
      is_bounded_.push_back(bounded);
    }
  }
  /// True if the subtree contains no temporal operator.
  bool is_instant(std::uint32_t i) const {
    if (is_temporal(node(i).kind)) return false;
    return std::all_of(node(i).children.begin(), node(i).children.end(),
                       [&](std::uint32_t c) { return !is_condition(node(c).kind) || is_instant(c); });
  }

  Steps steps_of(const Node& n) {
    constexpr double kSlack = 1e-6,
                     kMax = 1e15;  // in steps; window ends within this tolerance of a whole number of steps are rounded
    const auto steps = [&](double seconds, bool up) {
      const double exact = std::min(seconds / program_.dt, kMax);
      return static_cast<std::int64_t>(up ? std::ceil(exact - kSlack) : std::floor(exact + kSlack));
    };
    Steps result;
    result.from = steps(n.window.from, true);
    if (!n.window.to_end) result.to = steps(n.window.to, false);
    if (result.to < result.from) {
      diagnostics_.report(code::kWindow, expectation_.at(n),
                          "the window from " + number_text(n.window.from) + " s to " + number_text(n.window.to) +
                              " s contains no step; steps are " + number_text(program_.dt) + " s apart");
      result.to = result.from;
    }
    return result;
  }

  // ---- Signals
  std::uint32_t add(SignalNode signal) {
    program_.signals.push_back(signal);
    return static_cast<std::uint32_t>(program_.signals.size()) - 1;
  }
  std::int64_t horizon(std::uint32_t signal) const { return program_.signals[signal].horizon; }
  std::uint32_t pair(SignalKind kind, std::uint32_t a, std::uint32_t b) {
    return add({kind, a, b, 0, 0, std::max(horizon(a), horizon(b)), false});
  }
  std::uint32_t window(SignalKind kind, std::uint32_t a, std::int64_t from, std::int64_t to) {
    return add({kind, a, 0, from, to, horizon(a) + to, false});
  }

  std::uint32_t atom(const Node& n, bool negated) {
    Atom atom;
    if (n.kind == Kind::event) {
      atom.is_event = true;
      atom.comparison = negated ? Comparison::not_equal : Comparison::equal;
      atom.left.push_back({Op::input, 0, numbers_.event(n)});
      atom.right.push_back({Op::constant, 1, 0});
      for (const std::string& name : n.names) atom.text += (atom.text.empty() ? "" : ", ") + name;
      atom.text = n.text + "(" + atom.text + ")";
    } else {
      atom.comparison = negated ? opposite(n.comparison) : n.comparison;
      numbers_.compare(n, atom.left, atom.right, atom.unit);
      atom.text = n.text;
      atom.left_text = n.names[0];
      atom.right_text = n.names[1];
    }
    if (negated) atom.text = "not (" + atom.text + ")";
    program_.atoms.push_back(std::move(atom));
    return add({SignalKind::atom, static_cast<std::uint32_t>(program_.atoms.size()) - 1, 0, 0, 0, 0, false});
  }

  /// @pre bounded
  std::uint32_t signal(std::uint32_t i, bool negated) {
    const Node& n = node(i);
    switch (n.kind) {
      case Kind::negation: return signal(n.children[0], !negated);
      case Kind::conjunction:
      case Kind::disjunction: {
        const SignalKind kind = (n.kind == Kind::conjunction) != negated ? SignalKind::conjunction : SignalKind::disjunction;
        std::uint32_t all = signal(n.children[0], negated);
        for (std::size_t k = 1; k < n.children.size(); ++k) all = pair(kind, all, signal(n.children[k], negated));
        return all;
      }
      case Kind::implication: {
        const std::uint32_t left = signal(n.children[0], !negated), right = signal(n.children[1], negated);
        return pair(negated ? SignalKind::conjunction : SignalKind::disjunction, left, right);
      }
      case Kind::always:
      case Kind::eventually: {
        const Steps steps = steps_of(n);
        const SignalKind kind = (n.kind == Kind::always) != negated ? SignalKind::always : SignalKind::eventually;
        return window(kind, signal(n.children[0], negated), steps.from, steps.to);
      }
      case Kind::until: {
        const Steps steps = steps_of(n);
        const std::uint32_t a = signal(n.children[0], negated), b = signal(n.children[1], negated);
        const std::int64_t both = std::max(horizon(a), horizon(b)) + steps.to;
        const std::uint32_t fold =
            add({negated ? SignalKind::release : SignalKind::until, a, b, steps.from, steps.to, both, false});
        if (steps.from == 0) return fold;
        // Before the window only the first condition must hold.
        const std::uint32_t before = window(negated ? SignalKind::eventually : SignalKind::always, a, 0, steps.from - 1);
        return pair(negated ? SignalKind::disjunction : SignalKind::conjunction, before, fold);
      }
      default: return atom(n, negated);
    }
  }

  // ---- Formulas
  std::uint32_t add(FormulaKind kind, std::uint32_t a, std::uint32_t b = 0) {
    program_.formulas.push_back({kind, a, b});
    return static_cast<std::uint32_t>(program_.formulas.size()) - 1;
  }
  std::uint32_t state(StateKind kind, std::uint32_t a, std::uint32_t b, Steps steps) {
    program_.states.push_back({kind, a, b, steps.from, steps.to});
    return add(FormulaKind::state, static_cast<std::uint32_t>(program_.states.size()) - 1);
  }
  static StateKind state_kind(Kind kind, bool negated) {
    if (kind == Kind::until) return negated ? StateKind::release : StateKind::until;
    return (kind == Kind::always) != negated ? StateKind::always : StateKind::eventually;
  }

  /// A formula that may be evaluated at any step.
  std::uint32_t formula(std::uint32_t i, bool negated) {
    const Node& n = node(i);
    if (is_bounded_[i]) return add(FormulaKind::signal, signal(i, negated));
    switch (n.kind) {
      case Kind::negation: return formula(n.children[0], !negated);
      case Kind::conjunction:
      case Kind::disjunction: {
        const FormulaKind kind = (n.kind == Kind::conjunction) != negated ? FormulaKind::conjunction : FormulaKind::disjunction;
        std::uint32_t all = formula(n.children[0], negated);
        for (std::size_t k = 1; k < n.children.size(); ++k) {
          const std::uint32_t next = formula(n.children[k], negated);
          all = add(kind, all, next);
        }
        return all;
      }
      case Kind::implication: {
        const std::uint32_t left = formula(n.children[0], !negated), right = formula(n.children[1], negated);
        return add(negated ? FormulaKind::conjunction : FormulaKind::disjunction, left, right);
      }
      case Kind::finally: return last(n, negated);
      default: return temporal(n, negated);
    }
  }

  /// At the last step: eventually always, which is the same on a finite run.
  std::uint32_t last(const Node& n, bool negated) {
    const std::uint32_t rest = state(StateKind::always, formula(n.children[0], negated), 0, {});
    return state(StateKind::eventually, rest, 0, {});
  }

  std::uint32_t temporal(const Node& n, bool negated) {
    const bool simple = std::all_of(n.children.begin(), n.children.end(), [&](std::uint32_t c) { return is_bounded_[c]; });
    const Steps steps = steps_of(n);
    if (!n.window.to_end || (steps.from > 0 && !simple)) {
      diagnostics_.report(
          code::kNesting, expectation_.at(n),
          "an operator that lasts to the end of the run is inside a window inside another operator, expected a window "
          "for it as well, as in always[0, 10]");
      return add(FormulaKind::signal, 0);
    }
    const StateKind kind = state_kind(n.kind, negated);
    std::vector<std::uint32_t> children;
    for (const std::uint32_t child : n.children) {
      if (steps.from == 0) {
        children.push_back(formula(child, negated));
        continue;
      }
      // always[2, end] a is always (a shifted by 2 s); beyond the end of the run `always` holds and `eventually` does not.
      const bool if_past = kind == StateKind::always || kind == StateKind::release;
      const std::uint32_t now = signal(child, negated);
      children.push_back(add(FormulaKind::signal,
                             add({SignalKind::shift, now, 0, steps.from, steps.from, horizon(now) + steps.from, if_past})));
    }
    const std::uint32_t whole = state(kind, children[0], children.size() > 1 ? children[1] : 0, {});
    if (steps.from == 0 || children.size() == 1) return whole;
    const std::uint32_t before =
        window(negated ? SignalKind::eventually : SignalKind::always, signal(n.children[0], negated), 0, steps.from - 1);
    const std::uint32_t first = add(FormulaKind::signal, before);
    return add(negated ? FormulaKind::disjunction : FormulaKind::conjunction, first, whole);
  }

  // ---- Parts evaluated at step 0
  std::uint32_t add(Root part) {
    program_.roots.push_back(part);
    return static_cast<std::uint32_t>(program_.roots.size()) - 1;
  }
  std::uint32_t root(std::uint32_t i, bool negated) {
    const Node& n = node(i);
    switch (is_instant(i) ? Kind::compare : n.kind) {
      case Kind::negation: return root(n.children[0], !negated);
      case Kind::conjunction:
      case Kind::disjunction: {
        const FormulaKind kind = (n.kind == Kind::conjunction) != negated ? FormulaKind::conjunction : FormulaKind::disjunction;
        std::uint32_t all = root(n.children[0], negated);
        for (std::size_t k = 1; k < n.children.size(); ++k) {
          const std::uint32_t next = root(n.children[k], negated);
          all = add(Root{kind, all, next});
        }
        return all;
      }
      case Kind::implication: {
        const std::uint32_t left = root(n.children[0], !negated), right = root(n.children[1], negated);
        return add(Root{negated ? FormulaKind::conjunction : FormulaKind::disjunction, left, right});
      }
      default: break;
    }
    std::uint32_t whole = 0;
    if (n.kind == Kind::finally) {
      whole = last(n, negated);
    } else if (is_temporal(n.kind)) {
      const Steps steps = steps_of(n);
      const std::uint32_t a = formula(n.children[0], negated), b = n.children.size() > 1 ? formula(n.children[1], negated) : 0;
      whole = state(state_kind(n.kind, negated), a, b, steps);
    } else {
      whole = formula(i, negated);
    }
    program_.parts.push_back({whole, {}});
    return add(Root{FormulaKind::signal, static_cast<std::uint32_t>(program_.parts.size()) - 1, 0});
  }

  void reach(std::uint32_t formula, std::vector<std::uint32_t>& states) const {
    const Formula& f = program_.formulas[formula];
    if (f.kind == FormulaKind::signal) return;
    if (f.kind != FormulaKind::state) {
      reach(f.a, states);
      reach(f.b, states);
      return;
    }
    if (std::find(states.begin(), states.end(), f.a) != states.end()) return;
    states.push_back(f.a);
    const State& s = program_.states[f.a];
    reach(s.a, states);
    if (s.kind == StateKind::until || s.kind == StateKind::release) reach(s.b, states);
  }

  const Expectation& expectation_;
  detail::NumberCompiler numbers_;
  Diagnostics& diagnostics_;
  Program program_;
  std::vector<bool> is_bounded_;
};

}  // namespace

std::optional<Program> bind(const Expectation& expectation, SignalSource& source, double dt, Diagnostics& diagnostics) {
  Diagnostics found(expectation.place->file);
  auto program = Binder(expectation, source, dt, found).bind();
  diagnostics.append(std::move(found));
  return program;
}

}  // namespace simbatch::expect
