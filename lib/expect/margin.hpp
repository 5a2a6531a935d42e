#pragma once
/// Margins (robustness): how far a condition is from changing its truth, and which comparison at which step decides it.

#include <cstdint>
#include <limits>

namespace simbatch::expect {

/// The value of a condition at a step. Ordered by (value, holds): of two, the lesser is their conjunction and the greater their
/// disjunction. Above 0 a condition holds and below 0 it does not, so the order of truths is part of the order of margins.
struct Margin {
  double value = 0;            ///< in the unit of the deciding comparison; infinite: of an event, or of no step at all
  bool holds = false;          ///< decides where `value` is 0: 5 >= 5 holds, 5 > 5 does not
  std::uint32_t atom = 0;      ///< the deciding comparison or event, an index into Program::atoms
  std::int64_t step = -1;      ///< at which it decides; -1: none
  double left = 0, right = 0;  ///< what was compared there

  static Margin always_true() { return {std::numeric_limits<double>::infinity(), true, 0, -1, 0, 0}; }
  static Margin always_false() { return {-std::numeric_limits<double>::infinity(), false, 0, -1, 0, 0}; }
};

inline bool less(const Margin& a, const Margin& b) { return a.value < b.value || (a.value == b.value && a.holds < b.holds); }
/// Conjunction and disjunction; of equal ones the first argument.
inline const Margin& least(const Margin& a, const Margin& b) { return less(b, a) ? b : a; }
inline const Margin& greatest(const Margin& a, const Margin& b) { return less(a, b) ? b : a; }

}  // namespace simbatch::expect
