// Designs of experiments against what defines them: mixed radix, strata, nets in base 2, distributions.

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "base/core/random.hpp"
#include "lib/study/study.hpp"

using namespace simbatch;
using namespace simbatch::study;

namespace {

Parameter range(std::string name, double low, double high, Parameter::Scale scale = Parameter::Scale::linear) {
  Parameter p;
  p.name = std::move(name);
  p.low = low;
  p.high = high;
  p.has_range = true;
  p.scale = scale;
  return p;
}

Study unit_cube(DesignKind kind, std::size_t sides, std::int64_t runs, std::uint64_t seed) {
  Study study;
  study.seed = seed;
  study.design = kind;
  study.runs = runs;
  for (std::size_t i = 0; i < sides; ++i) study.parameters.push_back(range("p" + std::to_string(i), 0, 1));
  return study;
}

std::vector<std::vector<double>> points_of(const Study& study) {
  std::vector<std::vector<double>> points;
  for (std::int64_t run = 0; run < run_count(study); ++run) points.push_back(values_of(study, run));
  return points;
}

/// The square of the L2 star discrepancy (T. Warnock, Computational investigations of low-discrepancy point sets, 1972).
double discrepancy(const std::vector<std::vector<double>>& points) {
  const auto n = static_cast<double>(points.size());
  const auto sides = points[0].size();
  double single = 0, pairs = 0;
  for (const auto& a : points) {
    double product = 1;
    for (const double x : a) product *= (1 - x * x) / 2;
    single += product;
    for (const auto& b : points) {
      double common = 1;
      for (std::size_t k = 0; k < sides; ++k) common *= 1 - std::max(a[k], b[k]);
      pairs += common;
    }
  }
  return std::pow(3, -static_cast<double>(sides)) - 2 / n * single + pairs / (n * n);
}

std::uint32_t bits_of(double share) { return static_cast<std::uint32_t>(share * 0x1p32); }

}  // namespace

TEST_CASE("design: the run of a grid is the number that the places of its values make") {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    RandomStream random(seed, "grid");
    Study study;
    std::vector<std::vector<double>> sides(1 + random.below(4));
    for (std::size_t i = 0; i < sides.size(); ++i) {
      Parameter p = range("p" + std::to_string(i), -2, 6);
      const std::size_t size = 1 + random.below(5);
      if (random.below(2) == 0) {
        for (std::size_t k = 0; k < size; ++k) p.values.push_back(static_cast<double>(random.below(100)));
        sides[i] = p.values;
      } else {
        p.steps = static_cast<std::int64_t>(size) + 1;
        for (std::size_t k = 0; k <= size; ++k) sides[i].push_back(-2 + 8 * static_cast<double>(k) / static_cast<double>(size));
      }
      study.parameters.push_back(p);
    }
    std::int64_t runs = 1;
    for (const auto& side : sides) runs *= static_cast<std::int64_t>(side.size());
    CAPTURE(seed);
    REQUIRE(run_count(study) == runs);
    std::vector<std::size_t> places(sides.size());
    for (std::int64_t run = 0; run < runs; ++run) {
      const auto values = values_of(study, run);
      for (std::size_t i = 0; i < sides.size(); ++i) CHECK(values[i] == doctest::Approx(sides[i][places[i]]));
      for (std::size_t i = sides.size(); i-- > 0 && ++places[i] == sides[i].size();) places[i] = 0;
    }
  }
}

TEST_CASE("design: the text of a whole number has no exponent, and all texts read back as the same value") {
  const Parameter plain;
  CHECK(value_text(plain, 1e9) == "1000000000");
  CHECK(value_text(plain, -100000) == "-100000");
  CHECK(value_text(plain, 0.1) == "0.1");
  for (const double value : {1e9, -1e15, 9007199254740991.0, 1e22, 1e-7, -0.0, 123456.5}) {
    CAPTURE(value);
    const double back = std::stod(value_text(plain, value));
    CHECK(back == value);
    CHECK(std::signbit(back) == std::signbit(value));
  }
}

TEST_CASE("design: ends of a grid are exact, also on a logarithmic scale") {
  Study study;
  study.parameters = {range("a", 0.1, 0.7), range("b", 0.003, 1700, Parameter::Scale::log)};
  for (Parameter& p : study.parameters) p.steps = 7;
  for (std::size_t i = 0; i < 2; ++i) {
    const Parameter& p = study.parameters[i];
    CHECK(values_of(study, 0)[i] == p.low);
    CHECK(values_of(study, 48)[i] == p.high);
  }
  // Equal ratios between neighbors.
  const double ratio = std::pow(1700 / 0.003, 1.0 / 6);
  for (std::int64_t run = 0; run < 6; ++run)
    CHECK(values_of(study, run + 1)[1] / values_of(study, run)[1] == doctest::Approx(ratio));
}

TEST_CASE("design: the first Sobol' points are those that Joe and Kuo publish") {
  // Points 1 to 3 in Gray code order, whose indices in natural order are 1, 3 and 2, without the shift.
  constexpr std::array<double, 10> kOne = {0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5};
  constexpr std::array<double, 10> kTwo = {0.75, 0.25, 0.25, 0.25, 0.75, 0.75, 0.25, 0.75, 0.75, 0.75};
  constexpr std::array<double, 10> kThree = {0.25, 0.75, 0.75, 0.75, 0.25, 0.25, 0.75, 0.25, 0.25, 0.25};
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    const auto points = points_of(unit_cube(DesignKind::sobol, 10, 4, seed));
    for (std::size_t i = 0; i < 10; ++i) {
      const std::uint32_t shift = bits_of(points[0][i]);
      CHECK((bits_of(points[1][i]) ^ shift) == bits_of(kOne[i]));
      CHECK((bits_of(points[3][i]) ^ shift) == bits_of(kTwo[i]));
      CHECK((bits_of(points[2][i]) ^ shift) == bits_of(kThree[i]));
    }
  }
}

TEST_CASE("design: two sides of Sobol' points fill every elementary box of every shape once") {
  for (const int m : {3, 6, 8}) {
    const std::int64_t n = std::int64_t{1} << m;
    const auto points = points_of(unit_cube(DesignKind::sobol, kMaxSobolParameters, n, 5));
    CAPTURE(m);
    for (int wide = 0; wide <= m; ++wide) {
      std::set<std::pair<std::int64_t, std::int64_t>> boxes;
      for (const auto& p : points)
        boxes.insert(
            {static_cast<std::int64_t>(std::ldexp(p[0], wide)), static_cast<std::int64_t>(std::ldexp(p[1], m - wide))});
      CHECK(boxes.size() == static_cast<std::size_t>(n));
    }
    for (std::size_t side = 0; side < kMaxSobolParameters; ++side) {
      std::set<std::int64_t> parts;
      for (const auto& p : points) parts.insert(static_cast<std::int64_t>(std::ldexp(p[side], m)));
      CHECK(parts.size() == static_cast<std::size_t>(n));
    }
  }
  // No two sides are copies of each other: in 2^9 points each pair fills most of the 16 x 16 boxes.
  const auto points = points_of(unit_cube(DesignKind::sobol, kMaxSobolParameters, 512, 5));
  for (std::size_t a = 0; a < kMaxSobolParameters; ++a)
    for (std::size_t b = a + 1; b < kMaxSobolParameters; ++b) {
      std::set<std::pair<int, int>> boxes;
      for (const auto& p : points) boxes.insert({static_cast<int>(p[a] * 16), static_cast<int>(p[b] * 16)});
      CAPTURE(a);
      CAPTURE(b);
      CHECK(boxes.size() >= 128);
    }
}

TEST_CASE("design: the discrepancy of Sobol' points is below that of a Latin hypercube, and that below random points") {
  // The discrepancy of independent points has the mean (2^-d - 3^-d) / n.
  const double mean = (std::pow(2, -3) - std::pow(3, -3)) / 256;
  double random = 0, latin = 0, sobol = 0;
  constexpr int kSeeds = 8;
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    random += discrepancy(points_of(unit_cube(DesignKind::random, 3, 256, seed))) / kSeeds;
    latin += discrepancy(points_of(unit_cube(DesignKind::latin, 3, 256, seed))) / kSeeds;
    sobol += discrepancy(points_of(unit_cube(DesignKind::sobol, 3, 256, seed))) / kSeeds;
  }
  CHECK(random > mean / 3);
  CHECK(random < mean * 3);
  CHECK(latin < random);
  CHECK(sobol < random / 10);
}

TEST_CASE("design: a Latin hypercube of any size has each stratum once, in an order of its own for each side") {
  for (const std::int64_t runs : {1, 2, 3, 4, 5, 16, 17, 63, 100, 257, 1000}) {
    const auto points = points_of(unit_cube(DesignKind::latin, 3, runs, 11));
    std::array<std::vector<std::int64_t>, 3> order;
    for (const auto& p : points)
      for (std::size_t i = 0; i < 3; ++i) order[i].push_back(static_cast<std::int64_t>(p[i] * static_cast<double>(runs)));
    CAPTURE(runs);
    for (const auto& side : order) CHECK(std::set(side.begin(), side.end()).size() == static_cast<std::size_t>(runs));
    if (runs < 16) continue;
    CHECK(order[0] != order[1]);
    CHECK(order[1] != order[2]);
    // Spearman's correlation of independent orders has the deviation 1 / sqrt(n - 1).
    double correlation = 0;
    const double middle = static_cast<double>(runs - 1) / 2;
    for (std::size_t k = 0; k < order[0].size(); ++k)
      correlation += (static_cast<double>(order[0][k]) - middle) * (static_cast<double>(order[1][k]) - middle);
    const auto n = static_cast<double>(runs);
    correlation /= n * (n * n - 1) / 12;
    CHECK(std::abs(correlation) < 4 / std::sqrt(n - 1));
  }
}

TEST_CASE("design: random draws have the moments of their distributions and no correlation") {
  Study study = unit_cube(DesignKind::random, 2, 4000, 3);
  study.parameters.push_back(range("log", 0.01, 100, Parameter::Scale::log));
  study.parameters.push_back(range("whole", 1, 6));
  study.parameters.back().whole = true;
  Parameter list;
  list.name = "list";
  list.values = {3, 1, 4, 1, 5};
  study.parameters.push_back(list);
  const double n = 4000, limit = 4 / std::sqrt(n);
  double mean = 0, square = 0, product = 0, of_logs = 0;
  std::array<int, 8> faces{}, places{};
  for (const auto& p : points_of(study)) {
    mean += p[0] / n;
    square += p[0] * p[0] / n;
    product += (p[0] - 0.5) * (p[1] - 0.5) / n;
    of_logs += std::log10(p[2]) / n;
    REQUIRE(p[3] == std::round(p[3]));
    ++faces.at(static_cast<std::size_t>(p[3]));
    ++places.at(static_cast<std::size_t>(p[4]));
  }
  CHECK(std::abs(mean - 0.5) < limit * std::sqrt(1.0 / 12));
  CHECK(std::abs(square - 1.0 / 3) < limit * std::sqrt(4.0 / 45));
  CHECK(std::abs(product) < limit / 12);
  CHECK(std::abs(of_logs) < limit * 4 / std::sqrt(12));
  // Rounding gives the ends half of what each other number gets.
  CHECK(faces[0] + faces[7] == 0);
  for (std::size_t i = 1; i <= 6; ++i) {
    const double share = i == 1 || i == 6 ? 0.1 : 0.2;
    CHECK(std::abs(faces[i] / n - share) < 4 * std::sqrt(share * (1 - share) / n));
  }
  CHECK(std::abs(places[1] / n - 0.4) < 4 * std::sqrt(0.24 / n));
  CHECK(places[1] + places[3] + places[4] + places[5] == 4000);
}

TEST_CASE("design: other seeds give other points, the same seed the same, in any order of runs") {
  for (const DesignKind kind : {DesignKind::random, DesignKind::latin, DesignKind::sobol}) {
    const Study one = unit_cube(kind, 2, 50, 1), other = unit_cube(kind, 2, 50, 2);
    const auto points = points_of(one);
    CHECK(points != points_of(other));
    for (std::int64_t run = 50; run-- > 0;) CHECK(values_of(one, run) == points[static_cast<std::size_t>(run)]);
  }
}
