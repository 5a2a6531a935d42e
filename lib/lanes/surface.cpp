// Lines are simplified by cones of slopes (Williams, An efficient algorithm for the piecewise linear approximation of planar curves,
// 1978).
#include "lib/lanes/surface.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace simbatch::lanes::detail {
namespace {

constexpr double kHeightError = 0.02;  // m: maximum deviation of straight pieces from heights

/// Heights of the right edge, the line and the left edge.
using Profile = std::array<double, 3>;

class RoadProfile {
 public:
  RoadProfile(const Network& network, const Road& road) : network_(network), road_(road) {
    edges_ = {road.shift, 0, road.shift};
    for (const Lane& lane : road.right) edges_[0] -= lane.width;
    for (const Lane& lane : road.left) edges_[2] += lane.width;
  }
  Profile at(double s) const {
    const Place place = place_at(road_.line, s);
    Profile profile{};
    for (std::size_t k = 0; k < 3; ++k) profile[k] = height_on(network_, road_, s, left_of(place, edges_[k]));
    return profile;
  }

 private:
  const Network& network_;
  const Road& road_;
  std::array<double, 3> edges_{};
};

/// Which slopes from a place pass all places after it that were looked at, within the error.
class Slopes {
 public:
  /// Whether the straight piece that ends there passes those before.
  bool reach(double s, double height) const { return low_ * s <= height && height <= high_ * s; }
  /// @param s, height  from the first place
  void pass(double s, double height) {
    low_ = std::max(low_, (height - kHeightError) / s);
    high_ = std::min(high_, (height + kHeightError) / s);
  }

 private:
  double low_ = -1e9, high_ = 1e9;
};

/// The indices of places between the first and the last that straight pieces have to meet.
std::vector<std::size_t> bends_of(const std::vector<double>& s, const std::vector<Profile>& heights) {
  std::vector<std::size_t> bends;
  std::array<Slopes, 3> slopes;
  for (std::size_t from = 0, to = 1; to < s.size(); ++to) {
    bool is_straight = true;
    for (std::size_t k = 0; k < 3; ++k)
      is_straight = is_straight && slopes[k].reach(s[to] - s[from], heights[to][k] - heights[from][k]);
    if (!is_straight) {
      from = to - 1;
      bends.push_back(from);
      slopes = {};
    }
    for (std::size_t k = 0; k < 3; ++k) slopes[k].pass(s[to] - s[from], heights[to][k] - heights[from][k]);
  }
  return bends;
}

}  // namespace

double height_on(const Network& network, const Road& road, double s, geo::EastNorth at) {
  if (!network.height_at) return 0;
  const osm::Id way = way_at(road.line, s);
  return network.height_at(way, way, at);
}

std::vector<double> stations_between(const Network& network, double begin, double end) {
  const auto n = std::max(1, static_cast<int>(std::ceil((end - begin) / network.height_step)));
  std::vector<double> stations;
  for (int i = 0; i <= n; ++i) stations.push_back(i == n ? end : begin + (end - begin) * i / n);
  return stations;
}

std::vector<double> with_heights(const Network& network, const Road& road, const std::vector<double>& samples) {
  if (!network.height_at) return samples;
  const RoadProfile profile(network, road);
  std::vector<double> kept = {samples.front()};
  for (std::size_t k = 1; k < samples.size(); ++k) {
    const std::vector<double> s = stations_between(network, samples[k - 1], samples[k]);
    std::vector<Profile> heights;
    for (const double at : s) heights.push_back(profile.at(at));
    for (const std::size_t bend : bends_of(s, heights)) kept.push_back(s[bend]);
    kept.push_back(samples[k]);
  }
  return kept;
}

double climb_of(const Network& network, const Road& road) {
  if (!network.height_at) return 0;
  std::vector<Place> along;
  for (const double s : stations_between(network, 0, road.line.length)) {
    along.push_back(place_at(road.line, s));
    along.back().height = height_on(network, road, s, along.back().at);
  }
  return climb_of(along);
}

void set_heights(const Network& network, const Turn& turn, double begin, double end, std::span<Place> along) {
  if (!network.height_at || along.empty()) return;
  const Line &from = network.roads[turn.from_road].line, &to = network.roads[turn.to_road].line;
  const osm::Id first = way_at(from, turn.from_lane < 0 ? from.length : 0), last = way_at(to, turn.to_lane < 0 ? 0 : to.length);
  std::vector<double> s = {0};
  for (std::size_t i = 1; i < along.size(); ++i) s.push_back(s.back() + distance(along[i - 1].at, along[i].at));
  for (Place& place : along) place.height = network.height_at(first, last, place.at);
  const double at_begin = begin - along.front().height, at_end = end - along.back().height;
  for (std::size_t i = 0; i < along.size(); ++i) {
    const double t = s.back() > 0 ? s[i] / s.back() : 0;
    along[i].height += at_begin + t * (at_end - at_begin);
  }
}

double climb_of(std::span<const Place> along) {
  double climb = 0;
  for (std::size_t i = 1; i < along.size(); ++i) {
    const double level = distance(along[i - 1].at, along[i].at);
    climb += std::hypot(level, along[i].height - along[i - 1].height) - level;
  }
  return climb;
}

}  // namespace simbatch::lanes::detail
