#pragma once
/// Gaussian process regression on the unit cube.

#include <vector>

#include "lib/optimize/numerics.hpp"
#include "lib/optimize/optimizer.hpp"

namespace simbatch::optimize {

struct Prediction {
  double mean = 0, deviation = 0;  ///< deviation > 0
};

class GaussianProcess {
 public:
  /// @param n  sides of the cube
  explicit GaussianProcess(std::size_t n);
  /// Fits length scales, signal variance and noise to the data, starting from those of the last call, and conditions on the
  /// data. O(points^3).
  /// @param values  centered at 0, scaled to 1; one per point, at least one
  void fit(std::vector<Point> points, std::vector<double> values);
  /// Adds a point without refitting the hyperparameters. O(points^2).
  void add(const Point& point, double value);
  /// O(points^2).
  Prediction predict(const Point& point) const;

 private:
  double kernel(const Point& a, const Point& b) const;
  void condition();
  double step(std::vector<double>& gradient) const;
  void choose_parameters();

  std::size_t n_;
  std::vector<Point> points_;
  std::vector<double> values_;
  std::vector<double> logs_;  // logarithms of the hyperparameters: see gaussian_process.cpp
  std::vector<double> inverse_squares_;
  double size_ = 1, noise_ = 0;
  Matrix factor_;                // Cholesky, rows of a larger matrix: grows by add()
  std::vector<double> weights_;  // K^-1 (values - mean)
  double mean_ = 0;
  std::size_t chosen_at_ = 0;  // number of points at the last fit
};

}  // namespace simbatch::optimize
