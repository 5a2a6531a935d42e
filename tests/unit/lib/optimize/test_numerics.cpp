// Linear algebra and normal draws against their definitions, on random and on degenerate matrices.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/core/random.hpp"
#include "lib/optimize/gaussian_process.hpp"
#include "lib/optimize/numerics.hpp"

using namespace simbatch;
using namespace simbatch::optimize;

namespace {

Matrix product(const Matrix& a, const Matrix& b) {
  Matrix c(a.n);
  for (std::size_t i = 0; i < a.n; ++i)
    for (std::size_t j = 0; j < a.n; ++j)
      for (std::size_t k = 0; k < a.n; ++k) c(i, j) += a(i, k) * b(k, j);
  return c;
}
Matrix transposed(const Matrix& a) {
  Matrix t(a.n);
  for (std::size_t i = 0; i < a.n; ++i)
    for (std::size_t j = 0; j < a.n; ++j) t(j, i) = a(i, j);
  return t;
}
double distance(const Matrix& a, const Matrix& b) {
  double most = 0;
  for (std::size_t i = 0; i < a.values.size(); ++i) most = std::max(most, std::abs(a.values[i] - b.values[i]));
  return most;
}
Matrix random_matrix(RandomStream& random, std::size_t n, double size) {
  Matrix a(n);
  for (double& value : a.values) value = size * (2 * random.uniform() - 1);
  return a;
}
Matrix symmetric(const Matrix& a) {
  Matrix s = transposed(a);
  for (std::size_t i = 0; i < s.values.size(); ++i) s.values[i] = (s.values[i] + a.values[i]) / 2;
  return s;
}
Matrix diagonal(const std::vector<double>& values) {
  Matrix d(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) d(i, i) = values[i];
  return d;
}

void check_eigen(const Matrix& a, double size) {
  const Eigen found = eigen(a);
  const Matrix again = product(product(found.vectors, diagonal(found.values)), transposed(found.vectors));
  CHECK(distance(again, a) <= 1e-12 * size);
  CHECK(distance(product(transposed(found.vectors), found.vectors), Matrix::identity(a.n)) <=
        1e-13 * static_cast<double>(a.n + 1));
  double trace = 0, sum = 0;
  for (std::size_t i = 0; i < a.n; ++i) {
    trace += a(i, i);
    sum += found.values[i];
  }
  CHECK(std::abs(trace - sum) <= 1e-12 * size * static_cast<double>(a.n + 1));
}

}  // namespace

TEST_CASE("optimize: symmetric matrices of any size and scale are taken apart and put together again") {
  for (std::uint64_t seed = 0; seed < 150; ++seed) {
    CAPTURE(seed);
    RandomStream random(seed, "eigen");
    const double size = std::pow(10, 60 * random.uniform() - 30);
    const std::size_t n = 1 + random.below(12);
    check_eigen(symmetric(random_matrix(random, n, size)), size * static_cast<double>(n));
  }
}

TEST_CASE("optimize: eigenvectors of degenerate matrices are a basis too") {
  check_eigen(Matrix(0), 1);
  check_eigen(Matrix(5), 1);  // zero
  check_eigen(Matrix::identity(7), 1);
  Matrix ones(6);
  std::fill(ones.values.begin(), ones.values.end(), 1.0);
  check_eigen(ones, 6);
  std::vector<double> values = eigen(ones).values;
  std::sort(values.begin(), values.end());
  CHECK(values[5] == doctest::Approx(6));
  CHECK(std::abs(values[4]) < 1e-14);
  // Nearly diagonal, with values fifteen orders of magnitude apart.
  Matrix stiff = diagonal({1e15, 1, 1e-15});
  stiff(0, 1) = stiff(1, 0) = 1e-3;
  stiff(1, 2) = stiff(2, 1) = 1e-9;
  check_eigen(stiff, 1e15);
  // Closed form of two sides: mean +- root of (half difference^2 + product^2).
  Matrix two(2);
  two.values = {3, 2, 2, -1};
  values = eigen(two).values;
  std::sort(values.begin(), values.end());
  CHECK(values[0] == doctest::Approx(1 - std::sqrt(8)));
  CHECK(values[1] == doctest::Approx(1 + std::sqrt(8)));
}

TEST_CASE("optimize: factors of positive definite matrices solve them; of others there are none") {
  for (std::uint64_t seed = 0; seed < 150; ++seed) {
    CAPTURE(seed);
    RandomStream random(seed, "cholesky");
    const std::size_t n = 1 + random.below(12);
    const Matrix root = random_matrix(random, n, 1);
    Matrix a = product(root, transposed(root));
    for (std::size_t i = 0; i < n; ++i) a(i, i) += 0.1;
    const auto l = cholesky(a);
    REQUIRE(l);
    CHECK(distance(product(*l, transposed(*l)), a) < 1e-13 * static_cast<double>(n + 1));
    for (std::size_t i = 0; i < n; ++i) {
      CHECK((*l)(i, i) > 0);
      for (std::size_t j = i + 1; j < n; ++j) CHECK((*l)(i, j) == 0);
    }
    std::vector<double> x(n), b(n);
    for (double& value : x) value = random.uniform() - 0.5;
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) b[i] += a(i, j) * x[j];
    solve_lower(*l, b);
    solve_upper(*l, b);
    for (std::size_t i = 0; i < n; ++i) CHECK(b[i] == doctest::Approx(x[i]).epsilon(1e-9));
    // One eigenvalue below zero.
    a(n - 1, n - 1) -= 2 * a(n - 1, n - 1);
    CHECK_FALSE(cholesky(a));
  }
  CHECK(cholesky(Matrix(0)));
  CHECK_FALSE(cholesky(Matrix(3)));  // zero is not positive
  Matrix nan = Matrix::identity(3);
  nan(2, 1) = std::nan("");
  CHECK_FALSE(cholesky(nan));
}

TEST_CASE("optimize: the normal distribution and its inverse are symmetric, ascend, and undo each other") {
  double before = -1e9;
  for (int i = 1; i < 4000; ++i) {
    const double p = i / 4000.0, x = normal_quantile(p);
    CHECK(x > before);
    before = x;
    CHECK(std::abs(x + normal_quantile(1 - p)) < 1e-12);
    CHECK(normal_below(x) == doctest::Approx(p).epsilon(1e-13));
    // The density is the slope of the distribution.
    const double h = 1e-5, slope = (normal_below(x + h) - normal_below(x - h)) / (2 * h);
    CHECK(normal_density(x) == doctest::Approx(slope).epsilon(1e-6));
  }
  for (double p = 1e-3; p > 1e-300; p /= 7) {
    CHECK(normal_below(normal_quantile(p)) == doctest::Approx(p).epsilon(1e-11));
    CHECK(normal_quantile(p) > normal_quantile(p / 7));
  }
  // Where the three approximations of AS 241 meet: |p - 0.5| = 0.425 and sqrt(-log p) = 5.
  for (const double p : {0.075, 0.925, std::exp(-25.0)})
    CHECK(std::abs(normal_quantile(p * (1 + 1e-13)) - normal_quantile(p * (1 - 1e-13))) < 1e-11);
  CHECK(normal_density(0) == doctest::Approx(1 / std::sqrt(2 * std::numbers::pi)));
  CHECK(normal_below(-40) >= 0);
  CHECK(normal_below(40) == 1);
}

TEST_CASE("optimize: draws follow the normal distribution") {
  RandomStream stream(11, "draws"), same(11, "draws");
  constexpr int kDraws = 20'000;
  std::vector<double> draws;
  double sum = 0, squares = 0;
  for (int i = 0; i < kDraws; ++i) {
    draws.push_back(draw_normal(stream));
    CHECK(draws.back() == draw_normal(same));
    sum += draws.back();
    squares += draws.back() * draws.back();
  }
  CHECK(std::abs(sum / kDraws) < 4 / std::sqrt(kDraws));
  CHECK(std::abs(squares / kDraws - 1) < 4 * std::sqrt(2.0 / kDraws));
  // Kolmogorov's distance: 1.63 / sqrt(n) at 1 %.
  std::sort(draws.begin(), draws.end());
  double most = 0;
  for (int i = 0; i < kDraws; ++i) {
    const double below = normal_below(draws[static_cast<std::size_t>(i)]);
    most = std::max({most, below - static_cast<double>(i) / kDraws, (i + 1.0) / kDraws - below});
  }
  CHECK(most < 1.63 / std::sqrt(kDraws));
}

TEST_CASE("optimize: what is added to a Gaussian process makes it nowhere less certain, in any order") {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    CAPTURE(seed);
    RandomStream random(seed, "process");
    const std::size_t n = 1 + random.below(4);
    const auto any_point = [&] {
      Point point(n);
      for (double& share : point) share = random.uniform();
      return point;
    };
    std::vector<Point> points;
    std::vector<double> values;
    for (int i = 0; i < 12; ++i) {
      points.push_back(any_point());
      values.push_back(std::sin(5 * points.back()[0]));
    }
    GaussianProcess process(n);
    process.fit(points, values);
    GaussianProcess forwards = process, backwards = process;
    std::vector<Point> more, places;
    for (int i = 0; i < 5; ++i) more.push_back(any_point());
    for (int i = 0; i < 30; ++i) places.push_back(any_point());
    for (const Point& point : more) forwards.add(point, std::sin(5 * point[0]));
    std::reverse(more.begin(), more.end());
    for (const Point& point : more) backwards.add(point, std::sin(5 * point[0]));
    for (const Point& place : places) {
      const Prediction before = process.predict(place), there = forwards.predict(place), back = backwards.predict(place);
      CHECK(before.deviation > 0);
      CHECK(there.deviation > 0);
      CHECK(there.deviation <= before.deviation * (1 + 1e-6) + 1e-9);
      CHECK(std::abs(there.mean - back.mean) < 1e-4);
      CHECK(std::abs(there.deviation - back.deviation) < 1e-4);
    }
  }
}
