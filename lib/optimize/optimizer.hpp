#pragma once
/// Optimizers of functions that cost much and tell nothing but their value: they ask for a batch of points, are told the values, and ask again. A
/// batch's size is the method's alone, so that the course of a search is the same however many of its points are evaluated at a time.

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace simbatch::optimize {

/// A place in the unit cube: 0..1 each.
using Point = std::vector<double>;

enum class Method {
  bayes,   ///< a Gaussian process as the function's model
  cmaes,   ///< evolution of a normal distribution
  random,  ///< uniform draws
};
inline constexpr std::string_view kMethods[] = {"bayes", "cmaes", "random"};

class Optimizer {
 public:
  virtual ~Optimizer() = default;
  /// The next batch: at least one point.
  virtual std::vector<Point> ask() = 0;
  /// The values at the points of the last ask(), in their order: less is better; infinite values are allowed, NaN is not.
  /// @param points  where they were evaluated in fact (middles of parts with the same values)
  virtual void tell(std::span<const Point> points, std::span<const double> values) = 0;
};

/// @param levels  for each side of the cube how many different values it has; 0: infinitely many
/// @param seed    the same seed gives the same points for the same values
std::unique_ptr<Optimizer> make_optimizer(Method method, std::vector<std::int64_t> levels, std::uint64_t seed);

/// Uniform draws.
std::unique_ptr<Optimizer> make_random(std::vector<std::int64_t> levels, std::uint64_t seed);
/// Evolution strategy with covariance matrix adaptation (cmaes.cpp has the sources).
std::unique_ptr<Optimizer> make_cmaes(std::vector<std::int64_t> levels, std::uint64_t seed);
/// Bayesian optimization (bayes.cpp has the sources).
std::unique_ptr<Optimizer> make_bayes(std::vector<std::int64_t> levels, std::uint64_t seed);

}  // namespace simbatch::optimize
