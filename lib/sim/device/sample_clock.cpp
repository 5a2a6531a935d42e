// The clock counts samples in integers: the steps per sample are the fraction of smallest denominator that fits (our own).

#include "lib/sim/device/sample_clock.hpp"

#include <algorithm>
#include <cmath>

namespace simbatch::sim {

SampleClock::SampleClock(double rate, double dt) {
  const double steps = rate > 0 ? 1 / (rate * dt) : 1;  // a sample
  if (!(steps > 1)) return;
  if (steps >= 1e6) {  // so infrequent that whole steps are accurate enough
    n_ = static_cast<std::int64_t>(std::round(std::min(steps, 1e15)));
    return;
  }
  // The first fraction of a small denominator that is equal up to rounding: dt and rate are decimal, their product is not.
  for (std::int64_t m = 1; m <= 1000; ++m) {
    const double n = std::round(steps * static_cast<double>(m));
    if (std::abs(n / static_cast<double>(m) - steps) <= 1e-12 * steps) {
      n_ = static_cast<std::int64_t>(n);
      m_ = m;
      return;
    }
  }
  m_ = 1 << 20;
  n_ = static_cast<std::int64_t>(std::round(steps * static_cast<double>(m_)));
}

bool SampleClock::due(std::int64_t step) const {
  // Samples up to and with step s: the k with k n / m <= s, so floor(s m / n) + 1. No product passes 2^62.
  const auto samples = [&](std::int64_t s) { return s / n_ * m_ + s % n_ * m_ / n_; };
  return step == 0 || samples(step) != samples(step - 1);
}

}  // namespace simbatch::sim
