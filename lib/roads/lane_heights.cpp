// Our own method: the main road of a junction is the pair of arms that is straight enough (about 134 degrees or more), then
// widest, then straightest. The others take its heights until they are clear of it, and return to their own along smooth.hpp's
// curve.
#include "lib/roads/lane_heights.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "lib/roads/smooth.hpp"

namespace simbatch::roads::detail {
namespace {

constexpr double kGoesOn = -0.7;  // cosine of the angle beyond which two arms count as one road
constexpr double kReach = 80;     // m: how far the main road is followed from a junction
constexpr double kApart = 0.5;    // m

double height_along(const Leg& leg, double s) {
  if (leg.height.empty()) return 0;
  const auto upper = std::upper_bound(leg.along.begin() + 1, leg.along.end() - 1, s);
  const auto i = static_cast<std::size_t>(upper - leg.along.begin());
  const double t = std::clamp((s - leg.along[i - 1]) / (leg.along[i] - leg.along[i - 1]), 0.0, 1.0);
  return leg.height[i - 1] + t * (leg.height[i] - leg.height[i - 1]);
}

/// Distance from an end of a leg to where it has its greatest height above the ground (m).
double deck_from(const Leg& leg, int end) {
  if (leg.height.empty()) return 0;
  const double highest = *std::max_element(leg.height.begin(), leg.height.end());
  if (highest <= 0) return 0;
  for (std::size_t k = 0; k < leg.height.size(); ++k) {
    const std::size_t i = end == 0 ? k : leg.height.size() - 1 - k;
    if (leg.height[i] > highest - 0.01) return end == 0 ? leg.along[i] : leg.length() - leg.along[i];
  }
  return 0;
}

/// Distance from a place to the piece of a leg that is near one of its ends (m), and the height of the nearest point.
struct Beside {
  double distance = std::numeric_limits<double>::infinity(), height = 0;
};
Beside beside(const Leg& leg, int end, EastNorth p) {
  Beside best;
  for (std::size_t k = 1; k < leg.line.size(); ++k) {
    const std::size_t i = end == 0 ? k : leg.line.size() - k;
    const EastNorth a = leg.line[i - 1], d = minus(leg.line[i], a);
    const double l2 = dot(d, d), t = l2 > 0 ? std::clamp(dot(minus(p, a), d) / l2, 0.0, 1.0) : 0;
    const double off = distance(p, plus(a, times(t, d)));
    if (off < best.distance) best = {off, height_along(leg, leg.along[i - 1] + t * (leg.along[i] - leg.along[i - 1]))};
    if ((end == 0 ? leg.along[i] : leg.length() - leg.along[i - 1]) > kReach) break;
  }
  return best;
}

}  // namespace

LaneHeights::LaneHeights(const Network& network) : network_(network) {
  main_.resize(network.places.size());
  influences_.resize(2 * network.legs.size());
  for (std::uint32_t n = 0; n < network.places.size(); ++n) {
    choose_main(n);
    for (const Arm& arm : network.places[n].arms)
      influences_[2 * arm.leg + static_cast<std::uint32_t>(arm.end)] = influence(arm, n);
  }
}

void LaneHeights::choose_main(std::uint32_t place) {
  const std::vector<Arm>& arms = network_.places[place].arms;
  std::tuple<bool, double, double> best{false, 0, -2};
  for (std::size_t i = 0; i < arms.size(); ++i)
    for (std::size_t j = i + 1; j < arms.size(); ++j) {
      const double cosine = dot(arms[i].direction, arms[j].direction);
      const double width = network_.legs[arms[i].leg].half_width + network_.legs[arms[j].leg].half_width;
      const std::tuple<bool, double, double> rank{cosine < kGoesOn, cosine < kGoesOn ? width : 0, -cosine};
      if (rank <= best) continue;
      best = rank;
      main_[place] = {arms[i], arms[j]};
    }
}

LaneHeights::Influence LaneHeights::influence(const Arm& arm, std::uint32_t place) const {
  for (const Arm& main : main_[place])
    if (main.leg == arm.leg && main.end == arm.end) return {};
  if (main_[place].size() < 2) return {};
  // In full until the lanes have separated.
  const Leg& leg = network_.legs[arm.leg];
  double full = leg.cut[arm.end];
  for (std::size_t k = 1; k < leg.line.size(); ++k) {
    const std::size_t i = arm.end == 0 ? k : leg.line.size() - 1 - k;
    double room = std::numeric_limits<double>::infinity();
    for (const Arm& main : main_[place]) {
      const Leg& other = network_.legs[main.leg];
      room = std::min(room, beside(other, main.end, leg.line[i]).distance - other.half_width - leg.half_width - kApart);
    }
    const double s = arm.end == 0 ? leg.along[i] : leg.length() - leg.along[i];
    if (s > kReach) break;
    full = std::max(full, s);
    if (room > 0) break;
  }
  // If the leg's other end is a junction too, half of the leg belongs to that one.
  const bool is_shared = network_.places[leg.place[1 - arm.end]].arms.size() > 2;
  const double most = is_shared ? std::max(leg.cut[arm.end], leg.length() / 2) : leg.length() - leg.cut[1 - arm.end];
  full = std::min(full, std::max(leg.cut[arm.end], most - kTwist / 2));
  double none = std::min(full + kTwist, most);
  if (const double deck = deck_from(leg, arm.end); deck > full) none = std::min(none, std::max(full + kLeastTwist, deck));
  return {full, none};
}

double LaneHeights::of_main(std::uint32_t place, EastNorth p) const {
  Beside best;
  for (const Arm& arm : main_[place]) {
    const Beside here = beside(network_.legs[arm.leg], arm.end, p);
    if (here.distance < best.distance) best = here;
  }
  return best.height;
}

double LaneHeights::on_leg(std::uint32_t number, double s, EastNorth p) const {
  const Leg& leg = network_.legs[number];
  const double own = height_along(leg, s);
  double height = own;
  for (const int end : {0, 1}) {
    const Influence& of = influences_[2 * number + static_cast<std::uint32_t>(end)];
    const double from_end = end == 0 ? s : leg.length() - s;
    if (of.none <= 0 || from_end >= of.none) continue;
    const double share = from_end <= of.full ? 1 : 1 - smooth((from_end - of.full) / (of.none - of.full));
    height += share * (of_main(leg.place[end], p) - own);
  }
  return height;
}

double LaneHeights::in_place(std::uint32_t number, EastNorth p) const {
  const Place& place = network_.places[number];
  for (const Arm& arm : place.arms) {
    const CrossSection mouth = mouth_of(network_, arm);
    const Leg& leg = network_.legs[arm.leg];
    if (p == mouth.left || p == mouth.right || p == mouth.middle)
      return on_leg(arm.leg, arm.end == 0 ? leg.cut[0] : leg.length() - leg.cut[1], p);
  }
  return of_main(number, p);
}

}  // namespace simbatch::roads::detail
