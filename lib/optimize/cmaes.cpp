// CMA-ES: N. Hansen, The CMA evolution strategy: a tutorial, arXiv:1604.00772 (2016), with its default parameters and weights
// of one sign. Restarts: A. Auger, N. Hansen, A restart CMA evolution strategy with increasing population size, CEC 2005.
//
//   points x = m + s B D z, clipped to the cube (Lamarckian repair: the distribution is updated from the clipped points);
//   the better half, weighted by rank, moves m; two paths adapt the step size s and the covariance C = B D^2 B^T;
//   sides with few values keep a minimum deviation relative to the width of a value, so that they do not freeze (N. Hansen, A
//   CMA-ES for mixed-integer nonlinear optimization, INRIA RR-7751, 2011);
//   a distribution that has converged, or for which all values are equal, is restarted elsewhere with twice the population.

#include <algorithm>
#include <cmath>
#include <numeric>

#include "lib/optimize/numerics.hpp"
#include "lib/optimize/optimizer.hpp"

namespace simbatch::optimize {
namespace {

constexpr double kFirstDeviation = 0.3;   // relative to the side of the cube (Hansen, section B.2)
constexpr double kSmallDeviation = 1e-4;  // below it differences in parameters are negligible
constexpr double kLevelDeviation = 0.2;   // relative to the width of the interval of a value
constexpr std::size_t kMaxPopulation = 64;

/// Parameters that depend on the number of sides and the population (Hansen, table 1).
struct Settings {
  std::size_t population = 0, parents = 0;
  std::vector<double> weights;
  double mass = 0, c_sigma = 0, d_sigma = 0, c_path = 0, c_one = 0, c_mu = 0, expected_length = 0;

  Settings(double n, std::size_t size) : population(size), parents(size / 2) {
    double sum = 0, squares = 0;
    for (std::size_t i = 0; i < parents; ++i) {
      weights.push_back(std::log((static_cast<double>(size) + 1) / 2) - std::log(static_cast<double>(i) + 1));
      sum += weights.back();
    }
    for (double& weight : weights) {
      weight /= sum;
      squares += weight * weight;
    }
    mass = 1 / squares;
    c_sigma = (mass + 2) / (n + mass + 5);
    d_sigma = 1 + 2 * std::max(0.0, std::sqrt((mass - 1) / (n + 1)) - 1) + c_sigma;
    c_path = (4 + mass / n) / (n + 4 + 2 * mass / n);
    c_one = 2 / ((n + 1.3) * (n + 1.3) + mass);
    c_mu = std::min(1 - c_one, 2 * (mass - 2 + 1 / mass) / ((n + 2) * (n + 2) + mass));
    expected_length = std::sqrt(n) * (1 - 1 / (4 * n) + 1 / (21 * n * n));
  }
};

class CmaEs final : public Optimizer {
 public:
  CmaEs(std::vector<std::int64_t> levels, std::uint64_t seed)
      : n_(levels.size()), levels_(std::move(levels)), stream_(seed, "search.cmaes"), settings_(1, 2), covariance_(n_) {
    start(4 + static_cast<std::size_t>(3 * std::log(static_cast<double>(n_))), Point(n_, 0.5));
  }

  std::vector<Point> ask() override {
    std::vector<Point> points;
    for (std::size_t k = 0; k < settings_.population; ++k) {
      std::vector<double> z(n_);
      for (std::size_t i = 0; i < n_; ++i) z[i] = scales_[i] * draw_normal(stream_);
      Point x = mean_;
      for (std::size_t i = 0; i < n_; ++i) {
        for (std::size_t j = 0; j < n_; ++j) x[i] += deviation_ * vectors_(i, j) * z[j];
        x[i] = std::clamp(x[i], 0.0, 1.0);
      }
      points.push_back(std::move(x));
    }
    asked_ = points;
    return points;
  }

  void tell(std::span<const Point>, std::span<const double> values) override {
    std::vector<std::size_t> order(values.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return values[a] < values[b]; });
    const bool is_flat = values[order.front()] == values[order[(order.size() * 7) / 10]];
    std::vector<std::vector<double>> moves;  // y of the parents, by rank
    std::vector<double> move(n_);
    for (std::size_t rank = 0; rank < settings_.parents; ++rank) {
      std::vector<double> y(n_);
      for (std::size_t i = 0; i < n_; ++i) {
        y[i] = (asked_[order[rank]][i] - mean_[i]) / deviation_;
        move[i] += settings_.weights[rank] * y[i];
      }
      moves.push_back(std::move(y));
    }
    for (std::size_t i = 0; i < n_; ++i) mean_[i] = std::clamp(mean_[i] + deviation_ * move[i], 0.0, 1.0);
    update_paths(move);
    update_covariance(moves);
    if (is_flat) deviation_ *= std::exp(0.2 + settings_.c_sigma / settings_.d_sigma);
    flat_ = is_flat ? flat_ + 1 : 0;
    ++generation_;
    decompose();
    if (has_ended()) {
      Point elsewhere(n_);
      for (double& share : elsewhere) share = stream_.uniform();
      start(std::min(2 * settings_.population, kMaxPopulation), std::move(elsewhere));
    }
  }

 private:
  void start(std::size_t population, Point mean) {
    settings_ = Settings(static_cast<double>(n_), std::max<std::size_t>(population, 4));
    mean_ = std::move(mean);
    deviation_ = kFirstDeviation;
    covariance_ = Matrix::identity(n_);
    path_sigma_.assign(n_, 0);
    path_.assign(n_, 0);
    generation_ = flat_ = 0;
    decompose();
  }

  void decompose() {
    for (std::size_t i = 0; i < n_; ++i) {
      if (levels_[i] < 2) continue;
      const double least = kLevelDeviation / static_cast<double>(levels_[i]) / deviation_;
      covariance_(i, i) = std::max(covariance_(i, i), least * least);
    }
    Eigen parts = eigen(covariance_);
    vectors_ = std::move(parts.vectors);
    scales_ = std::move(parts.values);
    for (double& scale : scales_) scale = std::sqrt(std::max(scale, 1e-20));
  }

  void update_paths(const std::vector<double>& move) {
    const Settings& s = settings_;
    // C^(-1/2) move = B D^-1 B^T move
    std::vector<double> whitened(n_);
    for (std::size_t j = 0; j < n_; ++j) {
      double along = 0;
      for (std::size_t i = 0; i < n_; ++i) along += vectors_(i, j) * move[i];
      for (std::size_t i = 0; i < n_; ++i) whitened[i] += vectors_(i, j) * along / scales_[j];
    }
    double length = 0;
    for (std::size_t i = 0; i < n_; ++i) {
      path_sigma_[i] = (1 - s.c_sigma) * path_sigma_[i] + std::sqrt(s.c_sigma * (2 - s.c_sigma) * s.mass) * whitened[i];
      length += path_sigma_[i] * path_sigma_[i];
    }
    length = std::sqrt(length);
    const auto n = static_cast<double>(n_);
    const double grown = std::sqrt(1 - std::pow(1 - s.c_sigma, 2 * (static_cast<double>(generation_) + 1)));
    is_slow_ = length / grown < (1.4 + 2 / (n + 1)) * s.expected_length;
    for (std::size_t i = 0; i < n_; ++i)
      path_[i] = (1 - s.c_path) * path_[i] + (is_slow_ ? std::sqrt(s.c_path * (2 - s.c_path) * s.mass) * move[i] : 0);
    deviation_ = std::min(deviation_ * std::exp(s.c_sigma / s.d_sigma * (length / s.expected_length - 1)), 1.0);
  }

  void update_covariance(const std::vector<std::vector<double>>& moves) {
    const Settings& s = settings_;
    const double kept = 1 - s.c_one - s.c_mu + (is_slow_ ? 0 : s.c_one * s.c_path * (2 - s.c_path));
    for (std::size_t i = 0; i < n_; ++i)
      for (std::size_t j = 0; j < n_; ++j) {
        double spread = 0;
        for (std::size_t rank = 0; rank < moves.size(); ++rank) spread += s.weights[rank] * moves[rank][i] * moves[rank][j];
        covariance_(i, j) = kept * covariance_(i, j) + s.c_one * path_[i] * path_[j] + s.c_mu * spread;
      }
  }

  bool has_ended() const {
    double widest = 0;
    for (const double scale : scales_) widest = std::max(widest, deviation_ * scale);
    return widest < kSmallDeviation || flat_ > 10;
  }

  std::size_t n_;
  std::vector<std::int64_t> levels_;
  RandomStream stream_;
  Settings settings_;
  Point mean_;
  double deviation_ = kFirstDeviation;
  Matrix covariance_, vectors_;
  std::vector<double> scales_, path_sigma_, path_;
  std::vector<Point> asked_;
  std::int64_t generation_ = 0, flat_ = 0;
  bool is_slow_ = true;
};

}  // namespace

std::unique_ptr<Optimizer> make_cmaes(std::vector<std::int64_t> levels, std::uint64_t seed) {
  return std::make_unique<CmaEs>(std::move(levels), seed);
}

}  // namespace simbatch::optimize
