// Our own: the legs of which structures.cpp builds lanes, found by their ways.
#include "lib/roads/road_heights.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <utility>

#include "lib/roads/convex.hpp"
#include "lib/roads/junctions.hpp"
#include "lib/roads/lane_heights.hpp"
#include "lib/roads/levels.hpp"
#include "lib/roads/segment_index.hpp"

namespace simbatch::roads {
using detail::EastNorth;

namespace {
/// Lanes and turns are not farther from the line of a way that leaves the ground (m); beyond, the way is on the ground.
constexpr double kWidestReach = 40;

std::vector<osm::Id> sorted(std::vector<osm::Id> ids) {
  std::sort(ids.begin(), ids.end());
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  return ids;
}

/// Each arm of a junction is compared with every other one.
bool is_affordable(const detail::Network& network, const Budget& budget) {
  for (const detail::Place& place : network.places)
    if (!budget.take(16 * place.arms.size() * place.arms.size(), place.at)) return false;
  return true;
}
}  // namespace

struct RoadHeights::Raised {
  /// @param made  of the pieces off the ground
  Raised(const LevelPieces& pieces, detail::Network made) : network(std::move(made)), heights(network) {
    // Legs are in the order of the roads, and end to end.
    std::uint32_t number = 0;
    for (const Road& road : pieces.off_ground)
      for (std::size_t points = 1; points < road.line.size(); ++number) {
        const detail::Leg& leg = network.legs[number];
        for (std::size_t k = 1; k < leg.line.size(); ++k) index.add({leg.line[k - 1], leg.line[k], number, leg.along[k - 1]});
        way_of.push_back(road.id);
        points += leg.line.size() - 1;
      }
    ways = sorted(way_of);
    for (const Road& road : pieces.ground)
      if (has(road.id))
        for (std::size_t k = 1; k < road.line.size(); ++k) {
          index.add({road.line[k - 1], road.line[k], static_cast<std::uint32_t>(way_of.size()), 0});
          way_of.push_back(road.id);
        }
    index.build();
  }
  bool has(osm::Id way) const { return std::binary_search(ways.begin(), ways.end(), way); }

  double at(osm::Id from, osm::Id to, EastNorth place) const {
    std::vector<std::uint32_t> near;
    index.near(detail::minus(place, {kWidestReach, kWidestReach}), detail::plus(place, {kWidestReach, kWidestReach}), near);
    double best = kWidestReach, along = 0;
    std::size_t leg = network.legs.size();  // the first number of those on the ground
    for (const std::uint32_t n : near) {
      const detail::Segment& segment = index[n];
      if (way_of[segment.span] != from && way_of[segment.span] != to) continue;
      const detail::Nearest nearest = detail::nearest_on(segment, place);
      if (nearest.distance >= best) continue;
      best = nearest.distance;
      leg = segment.span;
      along = segment.along + nearest.t * detail::distance(segment.a, segment.b);
    }
    return leg < network.legs.size() ? heights.on_leg(static_cast<std::uint32_t>(leg), along, place) : 0;
  }

  detail::Network network;
  detail::LaneHeights heights;
  std::vector<osm::Id> way_of;  // of each leg, then of pieces on the ground
  std::vector<osm::Id> ways;    // that leave the ground, sorted
  detail::SegmentIndex index;   // spans are numbers in way_of
};

RoadHeights::RoadHeights(const std::vector<Road>& roads, HeightGrid ground, geo::LatLon origin, const Budget& budget)
    : ground_(std::move(ground)),
      is_level_(std::adjacent_find(ground_.heights.begin(), ground_.heights.end(), std::not_equal_to<>()) ==
                ground_.heights.end()),
      frame_(origin) {
  for (const Road& road : roads) ways_.push_back(road.id);
  ways_ = sorted(std::move(ways_));
  LevelPieces pieces = split_levels(roads);
  detail::Network network = detail::network_of(pieces.off_ground);
  if (!is_affordable(network, budget)) pieces = {}, network = {};
  raised_ = std::make_unique<const Raised>(pieces, std::move(network));
}
RoadHeights::RoadHeights(RoadHeights&& other) noexcept = default;
RoadHeights::~RoadHeights() = default;

bool RoadHeights::has(osm::Id way) const { return std::binary_search(ways_.begin(), ways_.end(), way); }
bool RoadHeights::is_any_off_ground() const { return !raised_->ways.empty(); }

double RoadHeights::at(osm::Id from, osm::Id to, const geo::LocalFrame& frame, EastNorth place) const {
  const bool is_off = raised_->has(from) || raised_->has(to);
  if (is_level_ && !is_off) return ground_.heights.front();
  const EastNorth here = frame_.to_plane(frame.to_geographic(place));
  return height_at(ground_, here.east, here.north) + (is_off ? raised_->at(from, to, here) : 0);
}

}  // namespace simbatch::roads
