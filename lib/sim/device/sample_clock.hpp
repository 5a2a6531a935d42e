#pragma once
/// Sampling times of a sensor with its own rate.

#include <cstdint>

namespace simbatch::sim {

/// Sample k is taken at the first step s with s dt >= k / rate. In integers: steps per sample as a fraction n / m.
class SampleClock {
 public:
  /// @param rate  samples per second; 0, or more than there are steps: one after every step
  SampleClock(double rate, double dt);
  /// True if a sample is due at this step.
  bool due(std::int64_t step) const;

 private:
  std::int64_t n_ = 1, m_ = 1;  // n steps make m samples; n >= m
};

}  // namespace simbatch::sim
