#pragma once
/// Margins (robustness): how far a condition is from changing its truth value, and which comparison at which step decides it.

#include <cstdint>
#include <limits>

namespace simbatch::expect {

/// The value of a condition at a step. Ordered by (value, holds): conjunction is the minimum, disjunction the maximum. A
/// condition holds above 0 and fails below 0, so the order of margins is consistent with that of truth values.
struct Margin {
  /// in the unit of the deciding comparison; infinite: decided by an event, or no step was evaluated
  double value = 0;
  bool holds = false;          ///< truth value, relevant if `value` is 0: 5 >= 5 holds, 5 > 5 does not
  std::uint32_t atom = 0;      ///< the deciding comparison or event, an index into Program::atoms
  std::int64_t step = -1;      ///< the deciding step; -1: none
  double left = 0, right = 0;  ///< values of both sides at that step

  static Margin always_true() { return {std::numeric_limits<double>::infinity(), true, 0, -1, 0, 0}; }
  static Margin always_false() { return {-std::numeric_limits<double>::infinity(), false, 0, -1, 0, 0}; }
};

inline bool less(const Margin& a, const Margin& b) { return a.value < b.value || (a.value == b.value && a.holds < b.holds); }
/// Conjunction and disjunction; of equal margins the first.
inline const Margin& least(const Margin& a, const Margin& b) { return less(b, a) ? b : a; }
inline const Margin& greatest(const Margin& a, const Margin& b) { return less(a, b) ? b : a; }

}  // namespace simbatch::expect
