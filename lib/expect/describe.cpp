#include <fmt/format.h>

#include <cmath>

#include "base/core/number.hpp"
#include "lib/expect/monitor.hpp"

namespace simbatch::expect {

std::string describe(const Outcome& outcome) {
  std::string text(to_text(outcome.verdict));
  if (outcome.verdict == Verdict::undecided) {
    text = "is not decided";
  } else if (outcome.step < 0) {
    return text + (outcome.verdict == Verdict::holds ? ": there was nothing to check" : ": no step was in its window");
  } else if (std::isfinite(outcome.margin) && outcome.margin != 0) {
    const std::string unit = outcome.unit.empty() ? "" : " " + outcome.unit;
    text += outcome.verdict == Verdict::holds ? fmt::format(" with {:.6g}{} to spare", std::fabs(outcome.margin), unit)
                                              : fmt::format(" by {:.6g}{}", std::fabs(outcome.margin), unit);
  }
  if (outcome.step < 0) return text;
  // "Never happened" does not refer to a single step.
  if (outcome.is_event && outcome.verdict == Verdict::holds && outcome.decided < 0) return text + ": " + outcome.condition;
  text += fmt::format(", in step {} ({:.9g} s): {}", outcome.step, outcome.time, outcome.condition);
  if (!outcome.is_event) text += fmt::format(" ({:.6g} {} {:.6g})", outcome.left, to_text(outcome.comparison), outcome.right);
  return text;
}

std::string describe(const Expectation& expectation, const Outcome& outcome) {
  const bool is_first_step = outcome.verdict == Verdict::fails && !expectation.is_over_time();
  return describe(outcome) + (is_first_step ? "; only step 0 was checked, did you mean always or eventually?" : "");
}

}  // namespace simbatch::expect
