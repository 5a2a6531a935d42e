// Optimizers: known minima, corners, sides with few values, values that tell nothing, and the same course for the same seed.

#include <doctest/doctest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <numbers>

#include "lib/optimize/gaussian_process.hpp"
#include "lib/optimize/numerics.hpp"
#include "lib/optimize/optimizer.hpp"

using namespace simbatch::optimize;

namespace {

using Function = std::function<double(const Point&)>;

/// The least value after some evaluations. Every point has to be in the cube.
double least(Method method, std::vector<std::int64_t> levels, int evaluations, const Function& function,
             std::uint64_t seed = 1) {
  const auto optimizer = make_optimizer(method, levels, seed);
  double best = std::numeric_limits<double>::infinity();
  for (int done = 0; done < evaluations;) {
    const std::vector<Point> points = optimizer->ask();
    REQUIRE_FALSE(points.empty());
    std::vector<double> values;
    for (const Point& point : points) {
      REQUIRE(point.size() == levels.size());
      for (const double share : point) {
        REQUIRE(share >= 0);
        REQUIRE(share <= 1);
      }
      values.push_back(function(point));
      if (++done <= evaluations) best = std::min(best, values.back());
    }
    optimizer->tell(points, values);
  }
  return best;
}

std::vector<std::int64_t> reals(std::size_t n) { return std::vector<std::int64_t>(n, 0); }

/// Minimum 0 inside the cube, with axes of very different lengths, turned.
double ellipsoid(const Point& x) {
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double turned = (x[i] - 0.37) + 0.5 * (x[(i + 1) % x.size()] - 0.37);
    sum += std::pow(1e4, static_cast<double>(i) / static_cast<double>(x.size() - 1)) * turned * turned;
  }
  return sum;
}

/// Branin's function over [-5, 10] x [0, 15]: three minima of 0.397887.
double branin(const Point& p) {
  const double x = -5 + 15 * p[0], y = 15 * p[1], pi = std::numbers::pi;
  const double a = y - 5.1 / (4 * pi * pi) * x * x + 5 / pi * x - 6;
  return a * a + 10 * (1 - 1 / (8 * pi)) * std::cos(x) + 10;
}

/// Hartmann's function of six variables: minimum -3.32237.
double hartmann(const Point& x) {
  constexpr double weights[4] = {1, 1.2, 3, 3.2};
  constexpr double a[4][6] = {
      {10, 3, 17, 3.5, 1.7, 8}, {0.05, 10, 17, 0.1, 8, 14}, {3, 3.5, 1.7, 10, 17, 8}, {17, 8, 0.05, 10, 0.1, 14}};
  constexpr double p[4][6] = {{0.1312, 0.1696, 0.5569, 0.0124, 0.8283, 0.5886},
                              {0.2329, 0.4135, 0.8307, 0.3736, 0.1004, 0.9991},
                              {0.2348, 0.1451, 0.3522, 0.2883, 0.3047, 0.6650},
                              {0.4047, 0.8828, 0.8732, 0.5743, 0.1091, 0.0381}};
  double sum = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    double inside = 0;
    for (std::size_t j = 0; j < 6; ++j) inside += a[i][j] * (x[j] - p[i][j]) * (x[j] - p[i][j]);
    sum -= weights[i] * std::exp(-inside);
  }
  return sum;
}

}  // namespace

TEST_CASE("optimize: normal quantiles, eigenvectors and factors are those of the textbooks") {
  CHECK(normal_quantile(0.5) == 0);
  CHECK(normal_quantile(0.975) == doctest::Approx(1.959963984540054).epsilon(1e-15));
  CHECK(normal_quantile(1e-10) == doctest::Approx(-6.361340902404056).epsilon(1e-14));
  CHECK(normal_quantile(1e-300) == doctest::Approx(-37.0470964).epsilon(1e-8));
  for (const double x : {-3.0, -0.2, 0.0, 1.5}) CHECK(normal_quantile(normal_below(x)) == doctest::Approx(x).epsilon(1e-12));

  Matrix a(3);
  a.values = {4, 1, -2, 1, 3, 0.5, -2, 0.5, 6};
  const Eigen parts = eigen(a);
  const auto factor = cholesky(a);
  REQUIRE(factor);
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) {
      double again = 0, product = 0, dot = 0;
      for (std::size_t k = 0; k < 3; ++k) {
        again += parts.vectors(i, k) * parts.values[k] * parts.vectors(j, k);
        product += (*factor)(i, k) * (*factor)(j, k);
        dot += parts.vectors(k, i) * parts.vectors(k, j);
      }
      CHECK(again == doctest::Approx(a(i, j)));
      CHECK(product == doctest::Approx(a(i, j)));
      CHECK(dot == doctest::Approx(i == j ? 1 : 0));
    }
  std::vector<double> b = {1, 2, 3};
  solve_lower(*factor, b);
  solve_upper(*factor, b);
  for (std::size_t i = 0; i < 3; ++i) CHECK(a(i, 0) * b[0] + a(i, 1) * b[1] + a(i, 2) * b[2] == doctest::Approx(i + 1.0));
  a(0, 0) = -1;
  CHECK_FALSE(cholesky(a));
}

TEST_CASE("optimize: a Gaussian process goes through the data, and knows where it does not know") {
  GaussianProcess process(1);
  std::vector<Point> points;
  std::vector<double> values;
  for (int i = 0; i <= 8; ++i) {
    points.push_back({i / 16.0});
    values.push_back(std::sin(12 * points.back()[0]));
  }
  process.fit(points, values);
  for (std::size_t i = 0; i < points.size(); ++i)
    CHECK(process.predict(points[i]).mean == doctest::Approx(values[i]).epsilon(0.02));
  const Prediction between = process.predict({0.28}), outside = process.predict({0.95});
  CHECK(between.mean == doctest::Approx(std::sin(12 * 0.28)).epsilon(0.05));
  CHECK(outside.deviation > 10 * between.deviation);
  // A value more is as if it had been there: same length scales.
  process.add({0.95}, 0.3);
  CHECK(process.predict({0.95}).mean == doctest::Approx(0.3).epsilon(0.02));
  CHECK(process.predict({0.95}).deviation < 0.2 * outside.deviation);
}

TEST_CASE("optimize: minima of the textbooks are found") {
  CHECK(least(Method::cmaes, reals(5), 2500, ellipsoid) < 1e-4);
  CHECK(least(Method::random, reals(5), 2500, ellipsoid) > 1e-2);
  CHECK(least(Method::bayes, reals(2), 60, branin) < 0.5);
  CHECK(least(Method::cmaes, reals(2), 400, branin) < 0.45);
  CHECK(least(Method::bayes, reals(6), 120, hartmann) < -2.8);
  CHECK(least(Method::random, reals(6), 120, hartmann) > -2.8);
}

TEST_CASE("optimize: minima at corners are found exactly") {
  const Function slope = [](const Point& x) { return x[0] - 2 * x[1] + x[2] - x[3]; };
  CHECK(least(Method::bayes, reals(4), 40, slope) == -3);
  CHECK(least(Method::cmaes, reals(4), 400, slope) == -3);
}

TEST_CASE("optimize: sides with few values") {
  // 3 values, 2 values, a real number; the least is at (1, 1, 0.25).
  const Function mixed = [](const Point& x) {
    const double i = std::min(std::floor(3 * x[0]), 2.0), j = std::min(std::floor(2 * x[1]), 1.0);
    return std::abs(i - 1) + (1 - j) + std::abs(x[2] - 0.25);
  };
  CHECK(least(Method::bayes, {3, 2, 0}, 60, mixed) < 0.05);
  CHECK(least(Method::cmaes, {3, 2, 0}, 300, mixed) < 0.05);
}

TEST_CASE("optimize: values that tell nothing, and infinite ones, end nothing") {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  for (const Method method : {Method::bayes, Method::cmaes, Method::random}) {
    CAPTURE(kMethods[static_cast<std::size_t>(method)]);
    CHECK(least(method, reals(2), 100, [](const Point&) { return 1.0; }) == 1);
    CHECK(least(method, reals(2), 100, [](const Point&) { return kInfinity; }) == kInfinity);
    CHECK(least(method, reals(3), 150, [](const Point& x) {
            return x[0] > 0.5 ? kInfinity : x[1] < 0.2 ? -kInfinity : 1e300 * x[2];
          }) == -kInfinity);
    CHECK(least(method, {1}, 50, [](const Point& x) { return x[0]; }) <= 1);
  }
}

TEST_CASE("optimize: the same seed asks for the same points, another one for others") {
  for (const Method method : {Method::bayes, Method::cmaes, Method::random}) {
    std::vector<Point> asked[3];
    for (int run = 0; run < 3; ++run) {
      const auto optimizer = make_optimizer(method, reals(3), run == 2 ? 6 : 5);
      for (int batch = 0; batch < 5; ++batch) {
        const std::vector<Point> points = optimizer->ask();
        std::vector<double> values;
        for (const Point& point : points) values.push_back(ellipsoid(point));
        optimizer->tell(points, values);
        asked[run].insert(asked[run].end(), points.begin(), points.end());
      }
    }
    CHECK(asked[0] == asked[1]);
    CHECK(asked[0] != asked[2]);
  }
}
