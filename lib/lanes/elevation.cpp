// Cubic Hermite pieces with the slopes of central differences, halved until they are close enough.
#include "lib/lanes/elevation.hpp"

#include <algorithm>
#include <cmath>

namespace simbatch::lanes::detail {
namespace {

using opendrive::Cubic;

double value_of(const Cubic& cubic, double s) {
  const double ds = s - cubic.s;
  return cubic.a + ds * (cubic.b + ds * (cubic.c + ds * cubic.d));
}

class Fitter {
 public:
  Fitter(std::span<const double> heights, double step, double error) : heights_(heights), step_(step), error_(error) {
    const std::size_t n = heights.size();
    for (std::size_t i = 0; i < n; ++i) {
      const std::size_t before = i > 0 ? i - 1 : 0, after = std::min(i + 1, n - 1);
      slopes_.push_back((heights[after] - heights[before]) / (step * static_cast<double>(after - before)));
    }
  }
  void set_slope(std::size_t i, double slope) { slopes_[i] = slope; }

  void fit(std::size_t from, std::size_t to) {
    const double length = step_ * static_cast<double>(to - from), mean = (heights_[to] - heights_[from]) / length;
    const double m = slopes_[from], n = slopes_[to];
    const Cubic cubic{step_ * static_cast<double>(from), heights_[from], m, (3 * mean - 2 * m - n) / length,
                      (m + n - 2 * mean) / (length * length)};
    bool is_close = true;
    for (std::size_t i = from + 1; i < to && is_close; ++i)
      is_close = std::fabs(value_of(cubic, step_ * static_cast<double>(i)) - heights_[i]) <= error_;
    if (is_close) {
      made_.push_back(cubic);
      return;
    }
    const std::size_t middle = from + (to - from) / 2;
    fit(from, middle);
    fit(middle, to);
  }
  std::vector<Cubic> take() { return std::move(made_); }

 private:
  std::span<const double> heights_;
  double step_, error_;
  std::vector<double> slopes_;
  std::vector<Cubic> made_;
};

}  // namespace

std::vector<Cubic> elevations_of(std::span<const double> heights, double step, std::optional<double> begin,
                                 std::optional<double> end, double error) {
  Fitter fitter(heights, step, error);
  if (begin) fitter.set_slope(0, *begin);
  if (end) fitter.set_slope(heights.size() - 1, *end);
  fitter.fit(0, heights.size() - 1);
  return fitter.take();
}

Grade grade_at(std::span<const Cubic> elevations, double s) {
  const auto next = std::upper_bound(elevations.begin() + 1, elevations.end(), s,
                                     [](double value, const Cubic& cubic) { return value < cubic.s; });
  const Cubic& cubic = *(next - 1);
  const double ds = s - cubic.s;
  return {value_of(cubic, s), cubic.b + ds * (2 * cubic.c + ds * 3 * cubic.d)};
}

}  // namespace simbatch::lanes::detail
