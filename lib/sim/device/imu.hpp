#pragma once
/// Errors of inertial sensors.

#include <array>
#include <cstdint>
#include <string_view>

#include "base/geo/pose.hpp"
#include "lib/sim/device/noise.hpp"

namespace simbatch::sim {

/// Errors of the three axes of a gyroscope (unit u = rad/s) or an accelerometer (u = m/s^2). All >= 0 except bias.
struct InertialErrors {
  double noise = 0;               ///< N, u/sqrt(Hz): white noise (angle or velocity random walk)
  double bias = 0;                ///< u: the same on all axes
  double turn_on_bias = 0;        ///< u: standard deviation of a bias that is drawn for each axis at the start
  double instability = 0;         ///< s, u: standard deviation of a bias that wanders (Gauss-Markov)
  double correlation_time = 100;  ///< T, s, > 0: of that bias
  double random_walk = 0;         ///< K, u/sqrt(s): random walk of the bias
  double drift = 0;               ///< R, u/s: linear drift of the bias
  double range = 0;               ///< u: saturation; 0: none

  bool any() const {
    return noise > 0 || bias != 0 || turn_on_bias > 0 || instability > 0 || random_walk > 0 || drift != 0 || range > 0;
  }
};

/// Adds the errors to samples that are dt apart. Allan deviation at an averaging time t (IEEE Std 952-1997, annex C):
///   white noise N/sqrt(t); random walk K sqrt(t/3); drift R t/sqrt(2);
///   wandering bias s sqrt(2T/t) sqrt(1 - T/(2t) (3 - 4 exp(-t/T) + exp(-2t/T))).
class InertialErrorModel {
 public:
  InertialErrorModel() = default;
  /// @param device  fully qualified name; @param part  0 gyroscope, 1 accelerometer: streams of their own
  InertialErrorModel(const InertialErrors& errors, double dt, std::uint64_t seed, std::string_view device, std::uint32_t part);
  geo::Vec3 add(geo::Vec3 truth);

 private:
  double draw(std::size_t axis, std::size_t source);
  struct Axis {
    std::array<NoiseGenerator, 4> normal;  // unit variance: white, turn-on, wandering, walk
    double constant = 0, wandering = 0, walk = 0;
  };
  InertialErrors errors_;
  double dt_ = 1, keep_ = 0, refresh_ = 0, white_ = 0, step_walk_ = 0;
  std::int64_t samples_ = 0;
  std::array<Axis, 3> axes_;
};

/// Allan deviation of samples `dt` apart for clusters of `n` (overlapping estimator, IEEE Std 952-1997, C.1). 0 when there are
/// fewer than 2 n + 1.
double allan_deviation(std::span<const double> samples, std::size_t n);

}  // namespace simbatch::sim
