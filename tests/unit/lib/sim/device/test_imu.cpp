// Errors of inertial sensors against the Allan deviations of their closed forms.

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "lib/sim/device/imu.hpp"

using namespace simbatch;
using namespace simbatch::sim;

namespace {

std::vector<double> samples(const InertialErrors& errors, double dt, std::size_t n, std::uint64_t seed = 7) {
  InertialErrorModel model(errors, dt, seed, "r.body.imu", 0);
  std::vector<double> x;
  for (std::size_t i = 0; i < n; ++i) x.push_back(model.add({}).x);
  return x;
}

// The estimate's own deviation is about 1 / sqrt(2 (N / n - 1)) of it (IEEE Std 952-1997, C.1); four of these are allowed.
void check(const std::vector<double>& x, std::size_t n, double expected) {
  CAPTURE(n);
  const double error = 4 / std::sqrt(2 * (static_cast<double>(x.size()) / static_cast<double>(n) - 1));
  CHECK(allan_deviation(x, n) == doctest::Approx(expected).epsilon(error));
}

}  // namespace

TEST_CASE("imu: the Allan deviation of known samples") {
  const double x[] = {1, 3, 2, 6};
  // Clusters of one: differences 2, -1, 4. Clusters of two: 2, 4 and none between but one more: (1+3)/2, (2+6)/2.
  CHECK(allan_deviation(x, 1) == doctest::Approx(std::sqrt((4.0 + 1 + 16) / 6)));
  CHECK(allan_deviation({x, 4}, 2) == 0);  // needs five
  const double y[] = {1, 3, 2, 6, 4};
  CHECK(allan_deviation(y, 2) == doctest::Approx(std::sqrt((4.0 + 6.25) / 4)));
  CHECK(allan_deviation({}, 3) == 0);
}

TEST_CASE("imu: white noise falls by the root of time, whatever the rate") {
  for (const double rate : {50.0, 400.0}) {
    CAPTURE(rate);
    InertialErrors errors;
    errors.noise = 0.02;
    const auto x = samples(errors, 1 / rate, 200000);
    for (const std::size_t n : {1u, 10u, 100u, 1000u}) check(x, n, 0.02 / std::sqrt(static_cast<double>(n) / rate));
  }
}

TEST_CASE("imu: a wandering bias, a walk and a drift have the deviations of IEEE 952") {
  const double dt = 0.1;
  InertialErrors wander;
  wander.instability = 0.3;
  wander.correlation_time = 20;
  const auto x = samples(wander, dt, 1000000);
  for (const std::size_t n : {10u, 50u, 400u, 4000u}) {
    const double t = static_cast<double>(n) * dt, T = 20;
    check(x, n, 0.3 * std::sqrt(2 * T / t * (1 - T / (2 * t) * (3 - 4 * std::exp(-t / T) + std::exp(-2 * t / T)))));
  }
  InertialErrors walk;
  walk.random_walk = 0.05;
  const auto y = samples(walk, dt, 400000);
  for (const std::size_t n : {20u, 200u, 2000u}) check(y, n, 0.05 * std::sqrt(static_cast<double>(n) * dt / 3));
  InertialErrors drift;
  drift.drift = 0.01;
  const auto z = samples(drift, dt, 5000);
  for (const std::size_t n : {1u, 30u, 1000u})
    CHECK(allan_deviation(z, n) == doctest::Approx(0.01 * static_cast<double>(n) * dt / std::sqrt(2.0)).epsilon(1e-9));
}

TEST_CASE("imu: biases, the range, and streams of their own") {
  InertialErrors errors;
  errors.bias = 0.5;
  errors.turn_on_bias = 0.1;
  double sum = 0, squares = 0;
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    const auto x = samples(errors, 0.01, 3, seed);
    CHECK(x[0] == x[2]);
    sum += x[0];
    squares += (x[0] - 0.5) * (x[0] - 0.5);
  }
  CHECK(sum / 2000 == doctest::Approx(0.5).epsilon(0.02));
  CHECK(std::sqrt(squares / 2000) == doctest::Approx(0.1).epsilon(0.06));
  errors = {};
  errors.range = 2;
  InertialErrorModel clipped(errors, 0.01, 1, "r.b.i", 0);
  CHECK(clipped.add({5, -5, 1}) == geo::Vec3{2, -2, 1});
  errors = {};
  errors.noise = 1;
  InertialErrorModel gyroscope(errors, 0.01, 1, "r.b.i", 0), accelerometer(errors, 0.01, 1, "r.b.i", 1),
      again(errors, 0.01, 1, "r.b.i", 0);
  const geo::Vec3 first = gyroscope.add({});
  CHECK(first == again.add({}));
  CHECK(first != accelerometer.add({}));
  CHECK(first.x != first.y);
}
