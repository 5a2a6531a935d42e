// Bayesian optimization: J. Mockus 1978; D. R. Jones, M. Schonlau, W. J. Welch, Efficient global optimization of expensive
// black-box functions, J. Global Optimization 13 (1998); J. Snoek, H. Larochelle, R. P. Adams, Practical Bayesian optimization,
// NIPS 2012.
//
//   initial points spread over the cube, including corners; then, batch by batch:
//   a Gaussian process (gaussian_process.cpp) of the values, compressed so that extremes do not dominate;
//   points of maximum expected improvement, one by one, each added to the model with its predicted value (the "believer"
//   heuristic of D. Ginsbourger, R. Le Riche, L. Carraro, Kriging is well-suited to parallelize optimization, 2010);
//   candidates are corners and edges, uniform draws, and neighbors of the best points: failures often occur at extreme inputs.

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <set>

#include "lib/optimize/gaussian_process.hpp"
#include "lib/optimize/numerics.hpp"
#include "lib/optimize/optimizer.hpp"

namespace simbatch::optimize {
namespace {

constexpr std::size_t kBatch = 4;
/// Maximum number of points in the model, whose cost is cubic in it. Beyond, only the best and the latest are kept.
constexpr std::size_t kMaxPoints = 400;
constexpr std::size_t kUniform = 300, kEdges = 300, kNeighbors = 300, kRefined = 4, kRefinements = 60;

class Bayes final : public Optimizer {
 public:
  Bayes(std::vector<std::int64_t> levels, std::uint64_t seed)
      : n_(levels.size()), levels_(std::move(levels)), stream_(seed, "search.bayes"), process_(n_) {}

  std::vector<Point> ask() override {
    if (points_.empty()) return first_points();
    fit();
    std::vector<Point> batch;
    for (std::size_t k = 0; k < kBatch; ++k) {
      batch.push_back(best_candidate());
      proposed_.insert(batch.back());
      const Prediction there = process_.predict(batch.back());
      if (k + 1 < kBatch) process_.add(batch.back(), there.mean);
    }
    return batch;
  }

  void tell(std::span<const Point> points, std::span<const double> values) override {
    for (std::size_t i = 0; i < points.size(); ++i) {
      if (!known_.insert(points[i]).second) continue;
      points_.push_back(points[i]);
      values_.push_back(values[i]);
    }
    proposed_.clear();
  }

 private:
  /// Half of the points are corners, the others a Latin hypercube.
  std::vector<Point> first_points() {
    const std::size_t half = std::clamp<std::size_t>(n_, 3, 10);
    std::vector<Point> points(2 * half, Point(n_));
    for (std::size_t side = 0; side < n_; ++side) {
      std::vector<std::size_t> order(half);
      std::iota(order.begin(), order.end(), std::size_t{0});
      for (std::size_t i = half; i > 1; --i) std::swap(order[i - 1], order[stream_.below(i)]);
      for (std::size_t i = 0; i < half; ++i) {
        points[2 * i][side] = (static_cast<double>(order[i]) + stream_.uniform()) / static_cast<double>(half);
        points[2 * i + 1][side] = stream_.next32() % 2 == 0 ? 0 : 1;
      }
    }
    return points;
  }

  /// Values for the model: centered at 0, scaled to 1, with compressed tails. Infinite values are placed slightly beyond the
  /// others.
  std::vector<double> squeezed() const {
    std::vector<double> finite;
    for (const double value : values_)
      if (std::isfinite(value)) finite.push_back(value);
    if (finite.empty()) finite.push_back(0);
    std::sort(finite.begin(), finite.end());
    const double middle = finite[finite.size() / 2];
    double scale = (finite[(3 * finite.size()) / 4] - finite[finite.size() / 4]) / 1.35;
    if (!(scale > 0)) scale = (finite.back() - finite.front()) / 2;
    if (!(scale > 0)) scale = 1;
    std::vector<double> result;
    for (const double value : values_) {
      const double x = (std::clamp(value, finite.front(), finite.back()) - middle) / scale;
      result.push_back(std::asinh(x) + (value > finite.back() ? 1 : value < finite.front() ? -1 : 0));
    }
    return result;
  }

  void fit() {
    const std::vector<double> values = squeezed();
    std::vector<std::size_t> kept(values.size());
    std::iota(kept.begin(), kept.end(), std::size_t{0});
    std::stable_sort(kept.begin(), kept.end(), [&](std::size_t a, std::size_t b) { return values[a] < values[b]; });
    best_.assign(kept.begin(), kept.begin() + static_cast<std::ptrdiff_t>(std::min<std::size_t>(5, kept.size())));
    if (kept.size() > kMaxPoints) {
      std::sort(kept.begin() + kMaxPoints / 2, kept.end(), std::greater<>());
      kept.resize(kMaxPoints);
    }
    std::sort(kept.begin(), kept.end());
    std::vector<Point> points;
    std::vector<double> targets;
    for (const std::size_t i : kept) {
      points.push_back(points_[i]);
      targets.push_back(values[i]);
    }
    least_ = *std::min_element(targets.begin(), targets.end());
    process_.fit(std::move(points), std::move(targets));
  }

  /// Logarithm of the expected improvement over the least value, accurate far out in the tail. No improvement at points with
  /// known values.
  double merit(const Point& point) const {
    if (known_.contains(point) || proposed_.contains(point)) return -std::numeric_limits<double>::infinity();
    const Prediction there = process_.predict(point);
    const double z = (least_ - there.mean) / there.deviation;
    const double log_deviation = std::log(there.deviation);
    if (z > -5) return log_deviation + std::log(normal_density(z) + z * normal_below(z));
    return log_deviation - z * z / 2 - 2 * std::log(-z) - 0.9189385332046727;  // asymptotic series; log sqrt(2 pi)
  }

  /// The center of the interval of a side with the same value.
  double snapped(std::size_t side, double share) const {
    const std::int64_t n = levels_[side];
    if (n == 0 || n > 1'000'000) return share;
    return (std::min(std::floor(share * static_cast<double>(n)), static_cast<double>(n) - 1) + 0.5) / static_cast<double>(n);
  }

  Point candidate(std::size_t index) {
    Point x(n_);
    if (index < kUniform) {
      for (double& share : x) share = stream_.uniform();
    } else if (index < kUniform + kEdges) {
      const double inside = stream_.uniform();
      for (double& share : x) share = stream_.uniform() < inside ? stream_.uniform() : stream_.next32() % 2 == 0 ? 0 : 1;
    } else {
      x = points_[best_[stream_.below(best_.size())]];
      const double width = std::pow(10.0, -0.5 - 2 * stream_.uniform());
      const double share_changed = std::max(stream_.uniform(), 1 / static_cast<double>(n_));
      for (double& share : x) {
        if (stream_.uniform() >= share_changed) continue;
        const double kind = stream_.uniform();
        share = kind < 0.15 ? (stream_.next32() % 2 == 0 ? 0 : 1) : std::clamp(share + width * draw_normal(stream_), 0.0, 1.0);
      }
    }
    for (std::size_t i = 0; i < n_; ++i) x[i] = snapped(i, x[i]);
    return x;
  }

  Point best_candidate() {
    std::vector<std::pair<double, Point>> best;
    for (std::size_t i = 0; i < kUniform + kEdges + kNeighbors; ++i) {
      Point x = candidate(i);
      const double value = merit(x);
      if (best.size() == kRefined && value <= best.back().first) continue;
      best.emplace_back(value, std::move(x));
      std::stable_sort(best.begin(), best.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
      if (best.size() > kRefined) best.pop_back();
    }
    for (auto& [value, x] : best) refine(value, x);
    return std::max_element(best.begin(), best.end(), [](const auto& a, const auto& b) { return a.first < b.first; })->second;
  }

  /// Local search: steps of decreasing size along random sides.
  void refine(double& value, Point& x) {
    double width = 0.1;
    for (std::size_t k = 0; k < kRefinements; ++k, width *= 0.95) {
      Point other = x;
      const std::size_t some = stream_.below(n_);
      for (std::size_t i = 0; i < n_; ++i)
        if (i == some || stream_.uniform() < 0.3)
          other[i] = snapped(i, std::clamp(other[i] + width * draw_normal(stream_), 0.0, 1.0));
      const double there = merit(other);
      if (there <= value) continue;
      value = there;
      x = std::move(other);
    }
  }

  std::size_t n_;
  std::vector<std::int64_t> levels_;
  RandomStream stream_;
  GaussianProcess process_;
  std::vector<Point> points_;
  std::vector<double> values_;
  std::set<Point> known_, proposed_;  // proposed: in this batch
  std::vector<std::size_t> best_;     // indices of the least values
  double least_ = 0;
};

}  // namespace

std::unique_ptr<Optimizer> make_bayes(std::vector<std::int64_t> levels, std::uint64_t seed) {
  return std::make_unique<Bayes>(std::move(levels), seed);
}

}  // namespace simbatch::optimize
