// Inertial sensor errors as in IEEE Std 952-1997, annexes B and C, and Woodman, "An introduction to inertial navigation",
// Cambridge UCAM-CL-TR-696, 2007, section 3.2. The wandering bias is the exact discrete first-order Gauss-Markov process.

#include "lib/sim/device/imu.hpp"

#include <algorithm>
#include <cmath>
#include <string>

namespace simbatch::sim {

InertialErrorModel::InertialErrorModel(const InertialErrors& errors, double dt, std::uint64_t seed, std::string_view device,
                                       std::uint32_t part)
    : errors_(errors), dt_(dt) {
  const NoiseSpec unit{NoiseKind::gaussian, 0, 1};
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t k = 0; k < 4; ++k) {
      const std::string key =
          std::string(device) + (part == 0 ? "/gyroscope/" : "/accelerometer/") + "xyz"[i] + static_cast<char>('0' + k);
      axes_[i].normal[k] = NoiseGenerator(seed, key, {&unit, 1});
    }
    axes_[i].constant = errors.bias + errors.turn_on_bias * draw(i, 1);
    axes_[i].wandering = errors.instability * draw(i, 2);  // of the process in its stationary state
  }
  keep_ = std::exp(-dt / errors.correlation_time);
  refresh_ = errors.instability * std::sqrt(-std::expm1(-2 * dt / errors.correlation_time));
  white_ = errors.noise / std::sqrt(dt);
  step_walk_ = errors.random_walk * std::sqrt(dt);
}

double InertialErrorModel::draw(std::size_t axis, std::size_t source) { return axes_[axis].normal[source].next(); }

geo::Vec3 InertialErrorModel::add(geo::Vec3 truth) {
  double* const values[3] = {&truth.x, &truth.y, &truth.z};
  for (std::size_t i = 0; i < 3; ++i) {
    Axis& axis = axes_[i];
    double& value = *values[i];
    if (samples_ > 0) {
      if (errors_.instability > 0) axis.wandering = keep_ * axis.wandering + refresh_ * draw(i, 2);
      if (errors_.random_walk > 0) axis.walk += step_walk_ * draw(i, 3);
    }
    value += axis.constant + axis.wandering + axis.walk + errors_.drift * static_cast<double>(samples_) * dt_;
    if (errors_.noise > 0) value += white_ * draw(i, 0);
    if (errors_.range > 0) value = std::clamp(value, -errors_.range, errors_.range);
  }
  ++samples_;
  return truth;
}

double allan_deviation(std::span<const double> samples, std::size_t n) {
  if (n == 0 || samples.size() < 2 * n + 1) return 0;
  // Cluster sums from a prefix sum; the window of neighboring clusters moves by one sample.
  double first = 0, second = 0;
  for (std::size_t i = 0; i < n; ++i) {
    first += samples[i];
    second += samples[i + n];
  }
  double sum = 0;
  std::size_t count = 0;
  for (std::size_t i = 0;; ++i) {
    const double difference = (second - first) / static_cast<double>(n);
    sum += difference * difference;
    ++count;
    if (i + 2 * n >= samples.size()) break;
    first += samples[i + n] - samples[i];
    second += samples[i + 2 * n] - samples[i + n];
  }
  return std::sqrt(sum / (2 * static_cast<double>(count)));
}

}  // namespace simbatch::sim
