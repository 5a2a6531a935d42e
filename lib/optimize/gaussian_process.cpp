// C. E. Rasmussen, C. K. I. Williams, Gaussian Processes for Machine Learning, MIT Press 2006: regression by algorithm 2.1, the
// Matern kernel of degree 5/2 with a length scale for each side (section 4.2), chosen by the marginal likelihood and its
// gradient (section 5.4). The priors, which keep length scales long while there are few points, are those of C. Hvarfner, E. O.
// Hellsten, L. Nardi, Vanilla Bayesian optimization performs great in high dimensions, ICML 2024. Maximized with sign-based
// steps: C. Igel, M. Huesken, Improving the Rprop learning algorithm, 2000 (iRprop-).

#include "lib/optimize/gaussian_process.hpp"

#include <algorithm>
#include <cmath>

namespace simbatch::optimize {
namespace {

constexpr double kRoot5 = 2.23606797749979;
/// Means and standard deviations of the normal priors of the logarithms.
constexpr double kLengthDeviation = 1.7320508075688772, kSizeDeviation = 1, kNoiseMean = -8, kNoiseDeviation = 2;
constexpr double kMinNoise = 1e-6;  // variance, for conditioning
constexpr double kFirstStep = 0.2, kMinStep = 1e-3, kMaxStep = 0.6;
constexpr int kFirstClimb = 40, kClimb = 12;
/// The hyperparameters are refitted when the number of points has grown by this factor.
constexpr double kGrowth = 1.08;

double matern(double r) { return (1 + kRoot5 * r + 5.0 / 3 * r * r) * std::exp(-kRoot5 * r); }

Matrix inverse_of(const Matrix& factor) {
  const std::size_t n = factor.n;
  Matrix below(n);  // L^-1, lower
  for (std::size_t j = 0; j < n; ++j) {
    below(j, j) = 1 / factor(j, j);
    for (std::size_t i = j + 1; i < n; ++i) {
      double sum = 0;
      for (std::size_t k = j; k < i; ++k) sum -= factor(i, k) * below(k, j);
      below(i, j) = sum / factor(i, i);
    }
  }
  Matrix result(n);
  for (std::size_t k = 0; k < n; ++k)
    for (std::size_t i = 0; i <= k; ++i)
      for (std::size_t j = 0; j <= i; ++j) result(i, j) += below(k, i) * below(k, j);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < i; ++j) result(j, i) = result(i, j);
  return result;
}

}  // namespace

// logs_: the length scales, then size (variance of the function), then noise (variance).
GaussianProcess::GaussianProcess(std::size_t n)
    : n_(n), logs_(n + 2, std::sqrt(2.0) + std::log(static_cast<double>(n)) / 2), inverse_squares_(n) {
  logs_[n] = 0;
  logs_[n + 1] = kNoiseMean;
}

double GaussianProcess::kernel(const Point& a, const Point& b) const {
  double squares = 0;
  for (std::size_t i = 0; i < n_; ++i) squares += (a[i] - b[i]) * (a[i] - b[i]) * inverse_squares_[i];
  return size_ * matern(std::sqrt(squares));
}

void GaussianProcess::condition() {
  for (std::size_t i = 0; i < n_; ++i) inverse_squares_[i] = std::exp(-2 * logs_[i]);
  size_ = std::exp(logs_[n_]);
  noise_ = std::exp(logs_[n_ + 1]) + kMinNoise;
  const std::size_t count = points_.size();
  Matrix k(count);
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t j = 0; j <= i; ++j) k(i, j) = k(j, i) = kernel(points_[i], points_[j]);
  for (double noise = noise_;; noise = 10 * noise + 1e-9) {
    Matrix noisy = k;
    for (std::size_t i = 0; i < count; ++i) noisy(i, i) += noise;
    if (auto factor = cholesky(noisy)) {
      factor_ = *std::move(factor);
      noise_ = noise;
      break;
    }
  }
  // The mean by generalized least squares.
  std::vector<double> ones(count, 1), values = values_;
  solve_lower(factor_, ones);
  solve_lower(factor_, values);
  double both = 0, square = 0;
  for (std::size_t i = 0; i < count; ++i) {
    both += ones[i] * values[i];
    square += ones[i] * ones[i];
  }
  mean_ = both / square;
  weights_.resize(count);
  for (std::size_t i = 0; i < count; ++i) weights_[i] = values[i] - mean_ * ones[i];
  solve_upper(factor_, weights_);
}

/// The logarithm of the posterior of logs_ (up to a constant) and its gradient.
double GaussianProcess::step(std::vector<double>& gradient) const {
  const std::size_t count = points_.size();
  const Matrix inverse = inverse_of(factor_);
  gradient.assign(n_ + 2, 0);
  double value = 0;
  for (std::size_t i = 0; i < count; ++i) {
    value += -(values_[i] - mean_) * weights_[i] / 2 - std::log(factor_(i, i));
    const double diagonal = (weights_[i] * weights_[i] - inverse(i, i)) / 2;
    gradient[n_] += diagonal * size_;
    gradient[n_ + 1] += diagonal * (noise_ - kMinNoise);
    for (std::size_t j = 0; j < i; ++j) {
      double squares = 0;
      for (std::size_t d = 0; d < n_; ++d) {
        const double difference = points_[i][d] - points_[j][d];
        squares += difference * difference * inverse_squares_[d];
      }
      const double r = std::sqrt(squares), decay = std::exp(-kRoot5 * r);
      const double both = weights_[i] * weights_[j] - inverse(i, j);  // the pair counts twice
      gradient[n_] += both * size_ * (1 + kRoot5 * r + 5.0 / 3 * squares) * decay;
      const double slope = both * size_ * (5.0 / 3) * (1 + kRoot5 * r) * decay;
      for (std::size_t d = 0; d < n_; ++d) {
        const double difference = points_[i][d] - points_[j][d];
        gradient[d] += slope * difference * difference * inverse_squares_[d];
      }
    }
  }
  const double length_mean = std::sqrt(2.0) + std::log(static_cast<double>(n_)) / 2;
  for (std::size_t i = 0; i < n_ + 2; ++i) {
    const double mean = i < n_ ? length_mean : i == n_ ? 0 : kNoiseMean;
    const double deviation = i < n_ ? kLengthDeviation : i == n_ ? kSizeDeviation : kNoiseDeviation;
    const double off = (logs_[i] - mean) / deviation;
    value -= off * off / 2;
    gradient[i] -= off / deviation;
  }
  return value;
}

void GaussianProcess::choose_parameters() {
  std::vector<double> steps(n_ + 2, kFirstStep), before(n_ + 2), gradient, best = logs_;
  double greatest = -HUGE_VAL;
  const int climb = chosen_at_ == 0 ? kFirstClimb : kClimb;
  for (int k = 0; k < climb; ++k) {
    condition();
    const double value = step(gradient);
    if (value > greatest) {
      greatest = value;
      best = logs_;
    }
    for (std::size_t i = 0; i < n_ + 2; ++i) {
      const double turn = gradient[i] * before[i];
      if (turn > 0) steps[i] = std::min(1.2 * steps[i], kMaxStep);
      if (turn < 0) {
        steps[i] = std::max(0.5 * steps[i], kMinStep);
        gradient[i] = 0;
      }
      if (gradient[i] != 0) logs_[i] = std::clamp(logs_[i] + (gradient[i] > 0 ? steps[i] : -steps[i]), -12.0, 6.0);
    }
    before = gradient;
  }
  logs_ = best;
  chosen_at_ = points_.size();
}

void GaussianProcess::fit(std::vector<Point> points, std::vector<double> values) {
  points_ = std::move(points);
  values_ = std::move(values);
  if (static_cast<double>(points_.size()) >= kGrowth * static_cast<double>(chosen_at_)) choose_parameters();
  condition();
}

void GaussianProcess::add(const Point& point, double value) {
  const std::size_t count = points_.size();
  std::vector<double> row(count);
  for (std::size_t i = 0; i < count; ++i) row[i] = kernel(point, points_[i]);
  solve_lower(factor_, row);
  Matrix grown(count + 1);
  double rest = size_ + noise_;
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t j = 0; j <= i; ++j) grown(i, j) = factor_(i, j);
    grown(count, i) = row[i];
    rest -= row[i] * row[i];
  }
  grown(count, count) = std::sqrt(std::max(rest, noise_));
  factor_ = std::move(grown);
  points_.push_back(point);
  values_.push_back(value);
  weights_.resize(count + 1);
  for (std::size_t i = 0; i <= count; ++i) weights_[i] = values_[i] - mean_;
  solve_lower(factor_, weights_);
  solve_upper(factor_, weights_);
}

Prediction GaussianProcess::predict(const Point& point) const {
  const std::size_t count = points_.size();
  std::vector<double> row(count);
  Prediction result{mean_, 0};
  for (std::size_t i = 0; i < count; ++i) {
    row[i] = kernel(point, points_[i]);
    result.mean += row[i] * weights_[i];
  }
  solve_lower(factor_, row);
  double variance = size_;
  for (const double value : row) variance -= value * value;
  result.deviation = std::sqrt(std::max(variance, 1e-12));
  return result;
}

}  // namespace simbatch::optimize
