// Our own: linear or logarithmic interpolation between the limits of a parameter, and its inverse.
#include "lib/search/space.hpp"

#include <algorithm>
#include <cmath>

namespace simbatch::search {

using study::Parameter;

namespace {

/// @param share  fraction of the range from low to high on the parameter's scale
double along(const Parameter& parameter, double share) {
  if (share <= 0 || share >= 1) return share <= 0 ? parameter.low : parameter.high;  // exactly
  const double value = parameter.scale == Parameter::Scale::log
                           ? std::exp(std::log(parameter.low) + share * (std::log(parameter.high) - std::log(parameter.low)))
                           : parameter.low + share * (parameter.high - parameter.low);
  return std::clamp(value, parameter.low, parameter.high);
}

double share_along(const Parameter& parameter, double value) {
  if (parameter.low == parameter.high) return 0.5;
  const double share = parameter.scale == Parameter::Scale::log
                           ? (std::log(std::max(value, parameter.low)) - std::log(parameter.low)) /
                                 (std::log(parameter.high) - std::log(parameter.low))
                           : (value - parameter.low) / (parameter.high - parameter.low);
  return std::clamp(share, 0.0, 1.0);
}

/// The smallest and largest whole number in a range; low if there is none.
double least_whole(const Parameter& p) { return std::ceil(p.low) <= p.high ? std::ceil(p.low) : p.low; }
double greatest_whole(const Parameter& p) { return std::max(least_whole(p), std::floor(p.high)); }

}  // namespace

bool Space::is_grid(std::size_t parameter) const {
  return study_.design == study::DesignKind::grid && study_.parameters[parameter].values.empty();
}

std::int64_t Space::levels(std::size_t parameter) const {
  const Parameter& p = study_.parameters[parameter];
  if (!p.values.empty()) return static_cast<std::int64_t>(p.values.size());
  if (is_grid(parameter)) return p.low == p.high ? 1 : p.steps;
  if (p.low == p.high) return 1;
  return p.whole ? static_cast<std::int64_t>(greatest_whole(p) - least_whole(p)) + 1 : 0;
}

double Space::level_value(std::size_t parameter, std::int64_t level) const {
  const Parameter& p = study_.parameters[parameter];
  if (!p.values.empty()) return p.values[static_cast<std::size_t>(level)];
  if (p.low == p.high) return p.low;
  if (is_grid(parameter)) {
    const double value = along(p, p.steps > 1 ? static_cast<double>(level) / static_cast<double>(p.steps - 1) : 0);
    return p.whole ? std::round(value) : value;
  }
  return least_whole(p) + static_cast<double>(level);
}

double Space::value(std::size_t parameter, double share) const {
  const Parameter& p = study_.parameters[parameter];
  if (p.whole && p.values.empty() && !is_grid(parameter) && p.low < p.high) {
    // On a linear scale, each number gets a part of the same width.
    const double least = least_whole(p), greatest = greatest_whole(p);
    if (p.scale == Parameter::Scale::log) return std::clamp(std::round(along(p, share)), least, greatest);
    return std::min(least + std::floor(share * (greatest - least + 1)), greatest);
  }
  const std::int64_t n = levels(parameter);
  if (n == 0) return along(p, share);
  return level_value(parameter, std::min(static_cast<std::int64_t>(share * static_cast<double>(n)), n - 1));
}

std::vector<double> Space::values(const Point& point) const {
  std::vector<double> result(point.size());
  for (std::size_t i = 0; i < point.size(); ++i) result[i] = value(i, point[i]);
  return result;
}

double Space::share(std::size_t parameter, double value) const {
  const Parameter& p = study_.parameters[parameter];
  const std::int64_t n = levels(parameter);
  if (n == 0 || (p.whole && p.scale == Parameter::Scale::log && p.values.empty() && !is_grid(parameter)))
    return share_along(p, value);
  if (n == 1) return 0.5;
  if (p.values.empty() && !is_grid(parameter)) return (value - least_whole(p) + 0.5) / static_cast<double>(n);
  std::int64_t best = 0;
  for (std::int64_t level = 1; level < n; ++level)
    if (std::abs(level_value(parameter, level) - value) < std::abs(level_value(parameter, best) - value)) best = level;
  return (static_cast<double>(best) + 0.5) / static_cast<double>(n);
}

double Space::nearest(std::size_t parameter, double value) const {
  const Parameter& p = study_.parameters[parameter];
  if (p.values.empty() && !is_grid(parameter)) {
    if (!p.whole || p.low == p.high) return std::clamp(value, p.low, p.high);
    return std::clamp(std::round(value), least_whole(p), greatest_whole(p));
  }
  double best = level_value(parameter, 0);
  for (std::int64_t level = 1; level < levels(parameter); ++level)
    if (std::abs(level_value(parameter, level) - value) < std::abs(best - value)) best = level_value(parameter, level);
  return best;
}

Point Space::point(std::span<const double> values) const {
  Point result(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) result[i] = std::clamp(share(i, nearest(i, values[i])), 0.0, 1.0);
  return result;
}

std::int64_t Space::combinations(std::int64_t most) const {
  std::int64_t count = 1;
  for (std::size_t i = 0; i < size(); ++i) {
    const std::int64_t n = levels(i);
    if (n == 0 || n > most || count > most / n) return 0;
    count *= n;
  }
  return count;
}

std::vector<double> Space::combination(std::int64_t index) const {
  std::vector<double> result(size());
  for (std::size_t i = size(); i-- > 0;) {
    result[i] = level_value(i, index % levels(i));
    index /= levels(i);
  }
  return result;
}

}  // namespace simbatch::search
