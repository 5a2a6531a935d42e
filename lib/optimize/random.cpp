#include "base/core/random.hpp"
#include "lib/optimize/optimizer.hpp"

namespace simbatch::optimize {
namespace {

class Random final : public Optimizer {
 public:
  Random(std::size_t size, std::uint64_t seed) : size_(size), stream_(seed, "search.random") {}
  std::vector<Point> ask() override {
    std::vector<Point> points(kBatch, Point(size_));
    for (Point& point : points)
      for (double& share : point) share = stream_.uniform();
    return points;
  }
  void tell(std::span<const Point>, std::span<const double>) override {}

 private:
  static constexpr std::size_t kBatch = 16;
  std::size_t size_;
  RandomStream stream_;
};

}  // namespace

std::unique_ptr<Optimizer> make_random(const std::vector<std::int64_t>& levels, std::uint64_t seed) {
  return std::make_unique<Random>(levels.size(), seed);
}

std::unique_ptr<Optimizer> make_optimizer(Method method, std::vector<std::int64_t> levels, std::uint64_t seed) {
  switch (method) {
    case Method::bayes: return make_bayes(std::move(levels), seed);
    case Method::cmaes: return make_cmaes(std::move(levels), seed);
    case Method::random: break;
  }
  return make_random(levels, seed);
}

}  // namespace simbatch::optimize
