#pragma once
/// Derivative-free optimizers for expensive functions, with an ask-and-tell interface: ask() proposes a batch of points, tell()
/// passes their values. The batch size depends only on the method, so that the course of a search does not depend on how many
/// points are evaluated concurrently.

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace simbatch::optimize {

/// A point in the unit cube; coordinates are 0..1.
using Point = std::vector<double>;

enum class Method {
  bayes,   ///< Bayesian optimization with a Gaussian process
  cmaes,   ///< covariance matrix adaptation evolution strategy
  random,  ///< uniform draws
};
inline constexpr std::string_view kMethods[] = {"bayes", "cmaes", "random"};

class Optimizer {
 public:
  virtual ~Optimizer() = default;
  /// Proposes the next batch of at least one point.
  virtual std::vector<Point> ask() = 0;
  /// Passes the values at the points of the last ask(), in their order, to be minimized; infinite values are allowed, NaN is
  /// not.
  /// @param points  where they were actually evaluated (centers of regions with the same values)
  virtual void tell(std::span<const Point> points, std::span<const double> values) = 0;
};

/// @param levels  number of distinct values for each side of the cube; 0: continuous
/// @param seed    the same seed gives the same points for the same values
std::unique_ptr<Optimizer> make_optimizer(Method method, std::vector<std::int64_t> levels, std::uint64_t seed);

/// Uniform draws.
std::unique_ptr<Optimizer> make_random(const std::vector<std::int64_t>& levels, std::uint64_t seed);
/// Evolution strategy with covariance matrix adaptation (cmaes.cpp has the sources).
std::unique_ptr<Optimizer> make_cmaes(std::vector<std::int64_t> levels, std::uint64_t seed);
/// Bayesian optimization (bayes.cpp has the sources).
std::unique_ptr<Optimizer> make_bayes(std::vector<std::int64_t> levels, std::uint64_t seed);

}  // namespace simbatch::optimize
