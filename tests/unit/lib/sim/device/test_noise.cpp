#include "lib/sim/device/noise.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

using namespace simbatch;
using namespace simbatch::sim;

namespace {
constexpr int kSamples = 200'000;

std::vector<double> samples(std::uint64_t seed, std::string_view name, std::vector<NoiseSpec> specs, int n = kSamples) {
  NoiseGenerator generator(seed, name, specs);
  std::vector<double> out;
  for (int i = 0; i < n; ++i) out.push_back(generator.next());
  return out;
}
double mean(const std::vector<double>& v) {
  double s = 0;
  for (double x : v) s += x;
  return s / static_cast<double>(v.size());
}
double deviation(const std::vector<double>& v) {
  const double m = mean(v);
  double s = 0;
  for (double x : v) s += (x - m) * (x - m);
  return std::sqrt(s / static_cast<double>(v.size() - 1));
}
double correlation(const std::vector<double>& a, const std::vector<double>& b, std::size_t lag = 0) {
  const double ma = mean(a), mb = mean(b);
  double s = 0;
  for (std::size_t i = 0; i + lag < a.size(); ++i) s += (a[i] - ma) * (b[i + lag] - mb);
  return s / static_cast<double>(a.size() - lag) / (deviation(a) * deviation(b));
}
}  // namespace

// Bounds are five standard errors: of a mean s / sqrt(n), of a deviation about s * sqrt(k / n) with k < 1, of a
// correlation 1 / sqrt(n). The seeds are fixed, so a test that passes once passes always.

TEST_CASE("WhiteNoise is uniform in offset +- range") {
  const std::vector<double> v = samples(1, "a.b.psd0", {{NoiseKind::white, 3.0, 0.5}});
  CHECK(*std::min_element(v.begin(), v.end()) >= 2.5);
  CHECK(*std::max_element(v.begin(), v.end()) < 3.5);
  CHECK(*std::min_element(v.begin(), v.end()) < 2.5001);
  CHECK(*std::max_element(v.begin(), v.end()) > 3.4999);
  const double s = 0.5 / std::sqrt(3.0);
  CHECK(std::abs(mean(v) - 3.0) < 5 * s / std::sqrt(kSamples));
  CHECK(std::abs(deviation(v) - s) < 5 * s / std::sqrt(kSamples));
  // Chi-square over 20 equal cells, 19 degrees of freedom: 43.8 is passed once in a thousand.
  std::vector<int> cells(20);
  for (double x : v) ++cells[static_cast<std::size_t>(std::clamp((x - 2.5) * 20.0, 0.0, 19.0))];
  double chi = 0;
  for (int n : cells) chi += (n - kSamples / 20.0) * (n - kSamples / 20.0) / (kSamples / 20.0);
  CHECK(chi < 43.8);
}

TEST_CASE("WhiteGaussianNoise has the offset as mean and the range as standard deviation") {
  const std::vector<double> v = samples(2, "a.b.gyro0", {{NoiseKind::gaussian, -1.0, 0.25}});
  CHECK(std::abs(mean(v) + 1.0) < 5 * 0.25 / std::sqrt(kSamples));
  CHECK(std::abs(deviation(v) - 0.25) < 5 * 0.25 / std::sqrt(kSamples));
  // Shares within 1, 2 and 3 deviations of a sum of 20 uniforms differ from the normal law's by less than 0.003.
  for (const auto& [k, share] : {std::pair{1.0, 0.6827}, {2.0, 0.9545}, {3.0, 0.9973}}) {
    double inside = 0;
    for (double x : v) inside += std::abs(x + 1.0) < k * 0.25;
    const double deviations = k;
    CAPTURE(deviations);
    CHECK(std::abs(inside / kSamples - share) < 0.005);
  }
  // Bounded, unlike a normal law: 10 * sqrt(0.6) deviations.
  for (double x : v) REQUIRE(std::abs(x + 1.0) <= 0.25 * 7.746);
}

TEST_CASE("a device's noises are independent of each other, of time and of other devices") {
  const std::vector<NoiseSpec> one = {{NoiseKind::gaussian, 0.0, 1.0}};
  const std::vector<double> a = samples(7, "r.p.d0", one), b = samples(7, "r.p.d1", one), c = samples(8, "r.p.d0", one);
  const double bound = 5 / std::sqrt(kSamples);
  CHECK(std::abs(correlation(a, b)) < bound);
  CHECK(std::abs(correlation(a, c)) < bound);
  for (std::size_t lag : {1U, 2U, 7U, 100U}) CHECK(std::abs(correlation(a, a, lag)) < bound);
}

TEST_CASE("several noises of a device are summed, each from its own stream") {
  const NoiseSpec first{NoiseKind::white, 1.0, 0.1}, second{NoiseKind::gaussian, 2.0, 0.3};
  const std::vector<double> both = samples(3, "x", {first, second}, 1000), only = samples(3, "x", {first}, 1000);
  std::vector<double> rest;
  for (std::size_t i = 0; i < both.size(); ++i) rest.push_back(both[i] - only[i]);
  CHECK(std::abs(mean(rest) - 2.0) < 5 * 0.3 / std::sqrt(1000.0));
  CHECK(std::abs(correlation(only, rest)) < 5 / std::sqrt(1000.0));
}

TEST_CASE("the same seed, name and noises give the same numbers, and no noise gives 0") {
  CHECK(samples(3, "x", {{NoiseKind::white, 0, 1}}, 100) == samples(3, "x", {{NoiseKind::white, 0, 1}}, 100));
  CHECK(NoiseGenerator().next() == 0.0);
  // Pinned: a change here changes every trace with noise.
  CHECK(samples(1, "impreza.chassis.psd0", {{NoiseKind::white, 0, 1}}, 1)[0] == 0.95447524738018652);
  CHECK(samples(1, "impreza.chassis.psd0", {{NoiseKind::gaussian, 0, 1}}, 1)[0] == -1.009365549096833);
}
