// Own. What the boundaries mean: DARPA's document, section "Lane header"; usual lines as in the Manual on Uniform Traffic Control
// Devices (USA), chapter 3B: yellow between directions, white between lanes of one direction and at edges.
#include "lib/roads/network_lanes.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include "lib/roads/convex.hpp"

namespace simbatch::roads::detail {
namespace {

constexpr double kFar = 1e6;         // m
constexpr double kSamePlace = 0.01;  // m
constexpr double kWidestLane = 30;   // m: what is wider is a mistake
constexpr double kBeside = 1.6;      // lane widths between the middles of lanes beside each other, at most
constexpr double kNearest = 0.3;     // and at least
constexpr double kParallel = 0.9;    // cosine of the angle between them

double width_of(const std::optional<double>& feet) {
  const double width = feet.value_or(0) * rndf::kMetersPerFoot;
  return width > 0 && width <= kWidestLane ? width : kUsualLane;
}

BorderLine line_of(rndf::Boundary boundary) {
  switch (boundary) {
    case rndf::Boundary::double_yellow: return BorderLine::double_yellow;
    case rndf::Boundary::solid_yellow: return BorderLine::solid_yellow;
    case rndf::Boundary::solid_white: return BorderLine::solid_white;
    case rndf::Boundary::broken_white: return BorderLine::broken_white;
    case rndf::Boundary::unknown: break;
  }
  return BorderLine::none;
}

/// Larger for what is more forbidden to cross.
int strictness(BorderLine line) {
  switch (line) {
    case BorderLine::none: return 0;
    case BorderLine::broken_white: return 1;
    case BorderLine::solid_white: return 2;
    case BorderLine::solid_yellow: return 3;
    case BorderLine::double_yellow: return 4;
  }
  return 0;
}

/// The lane beside another one, on one side.
struct Neighbor {
  std::size_t lane = 0;
  bool is_opposite = false;
};

/// Finds lanes beside each other: by the middles of their steps, along which the nearest parallel lane is looked for.
class Neighbors {
 public:
  explicit Neighbors(const std::vector<NetworkLane>& lanes) : lanes_(lanes) {
    for (std::size_t n = 0; n < lanes.size(); ++n)
      for (std::size_t i = 0; i + 1 < lanes[n].line.size(); ++i) {
        const EastNorth a = lanes[n].line[i], b = lanes[n].line[i + 1];
        // In short pieces, so that none is in many cells of the index.
        const std::size_t pieces = pieces_in(distance(a, b));
        for (std::size_t k = 0; k < pieces; ++k) {
          const double from = static_cast<double>(k) / static_cast<double>(pieces),
                       to = static_cast<double>(k + 1) / static_cast<double>(pieces);
          index_.add({{plus(a, times(from, minus(b, a))), plus(a, times(to, minus(b, a)))}, 2});
          owners_.emplace_back(n, i);
        }
      }
    index_.build();
  }

  /// The lane that is beside at least half of this one's length. @param side  1: left, -1: right
  std::optional<Neighbor> beside(std::size_t lane, double side) const {
    std::map<std::pair<std::size_t, bool>, double> lengths;
    double total = 0;
    const NetworkLane& own = lanes_[lane];
    for (std::size_t i = 0; i + 1 < own.line.size(); ++i) {
      const double length = distance(own.line[i], own.line[i + 1]);
      total += length;
      if (const auto found = nearest(lane, i, side)) lengths[{found->lane, found->is_opposite}] += length;
    }
    for (const auto& [which, length] : lengths)
      if (length >= total / 2) return Neighbor{which.first, which.second};
    return std::nullopt;
  }

 private:
  std::optional<Neighbor> nearest(std::size_t lane, std::size_t step, double side) const {
    const NetworkLane& own = lanes_[lane];
    const EastNorth a = own.line[step], b = own.line[step + 1], ahead = unit(minus(b, a));
    const EastNorth middle = times(0.5, plus(a, b)), aside = times(side, left_of(ahead));
    const double reach = kBeside * own.width;
    const EastNorth end = plus(middle, times(reach, aside));
    double best = reach;
    std::optional<Neighbor> found;
    const EastNorth probe[] = {middle, end};
    for (const std::uint32_t n : index_.near(box_of(probe))) {
      const auto [other, other_step] = owners_[n];
      if (other == lane) continue;
      const EastNorth c = lanes_[other].line[other_step], d = lanes_[other].line[other_step + 1], along = unit(minus(d, c));
      const double turned = dot(along, ahead);
      if (std::abs(turned) < kParallel) continue;
      // Where the way aside meets the other lane's step.
      const double t = cross(minus(c, middle), along) / cross(aside, along);
      const double u = dot(minus(plus(middle, times(t, aside)), c), along);
      if (!(t > kNearest * own.width) || t >= best || u < 0 || u > distance(c, d)) continue;
      best = t;
      found = Neighbor{other, turned < 0};
    }
    return found;
  }

  const std::vector<NetworkLane>& lanes_;
  PieceIndex index_{16};
  std::vector<std::pair<std::size_t, std::size_t>> owners_;  // of the pieces: lane and step
};

bool has_boundaries(const std::vector<const rndf::Lane*>& sources) {
  return std::any_of(sources.begin(), sources.end(), [](const rndf::Lane* lane) {
    return lane != nullptr && (lane->left != rndf::Boundary::unknown || lane->right != rndf::Boundary::unknown);
  });
}

/// Of one side of a lane: the line between two lanes is the first one's.
BorderLine border(std::size_t lane, bool is_left, const std::vector<const rndf::Lane*>& sources, const Neighbors& neighbors,
                  bool is_given) {
  const std::optional<Neighbor> beside = neighbors.beside(lane, is_left ? 1 : -1);
  const BorderLine own = line_of(is_left ? sources[lane]->left : sources[lane]->right);
  if (!beside) return is_given ? own : BorderLine::solid_white;
  if (beside->lane < lane) return BorderLine::none;
  if (!is_given) return beside->is_opposite ? BorderLine::double_yellow : BorderLine::broken_white;
  const rndf::Lane& other = *sources[beside->lane];
  // Lanes in opposite directions have the same side between them.
  const BorderLine theirs = line_of(is_left == beside->is_opposite ? other.left : other.right);
  return strictness(own) >= strictness(theirs) ? own : theirs;
}

}  // namespace

bool is_placed(const rndf::Waypoint& waypoint, const geo::LocalFrame& frame, EastNorth& at) {
  if (!waypoint.is_placed) return false;
  at = frame.to_plane({waypoint.lat, waypoint.lon});
  return std::abs(at.east) < kFar && std::abs(at.north) < kFar;  // never of NaN
}

std::vector<NetworkLane> lanes_of(const rndf::Rndf& network, const geo::LocalFrame& frame,
                                  std::vector<const rndf::Lane*>& sources) {
  std::vector<NetworkLane> lanes;
  std::size_t pieces = 0;
  const auto add = [&](NetworkLane&& lane, const rndf::Lane* source) {
    if (lane.line.size() < 2) return;
    for (std::size_t i = 0; i + 1 < lane.line.size(); ++i) pieces += pieces_in(distance(lane.line[i], lane.line[i + 1]));
    if (pieces > kMostPieces) return;
    lanes.push_back(std::move(lane));
    sources.push_back(source);
  };
  for (const rndf::Segment& segment : network.segments)
    for (const rndf::Lane& source : segment.lanes) {
      const double width = width_of(source.width_ft);
      NetworkLane lane{{}, width};
      std::set<rndf::PointId> stops;
      for (const rndf::Stop& stop : source.stops) stops.insert(stop.at);
      double along = 0;
      for (const rndf::Waypoint& waypoint : source.waypoints) {
        EastNorth at;
        if (!is_placed(waypoint, frame, at)) continue;
        const double step = lane.line.empty() ? 0 : distance(lane.line.back(), at);
        if (step > kLongestStep) {
          add(std::exchange(lane, {{}, width}), &source);
          along = 0;
        } else {
          along += step;
        }
        if (lane.line.empty() || step > kSamePlace) lane.line.push_back(at);
        if (stops.contains(waypoint.id)) lane.stops.push_back(along);
      }
      add(std::move(lane), &source);
    }
  for (const rndf::Zone& zone : network.zones)
    for (const rndf::Spot& spot : zone.spots) {
      NetworkLane place{{}, width_of(spot.width_ft)};
      for (const rndf::Waypoint& waypoint : spot.waypoints)
        if (EastNorth at;
            is_placed(waypoint, frame, at) && (place.line.empty() || distance(place.line.back(), at) > kSamePlace))
          place.line.push_back(at);
      if (place.line.size() == 2 && distance(place.line[0], place.line[1]) < kWidestLane) add(std::move(place), nullptr);
    }
  return lanes;
}

void add_lines(std::vector<NetworkLane>& lanes, const std::vector<const rndf::Lane*>& sources) {
  const bool is_given = has_boundaries(sources);
  const auto spots = std::find(sources.begin(), sources.end(), nullptr) - sources.begin();
  const std::vector<NetworkLane> roads(lanes.begin(), lanes.begin() + spots);
  const Neighbors neighbors(roads);
  for (std::size_t n = 0; n < lanes.size(); ++n) {
    if (n >= roads.size()) {
      lanes[n].left = lanes[n].right = BorderLine::solid_white;
      continue;
    }
    lanes[n].left = border(n, true, sources, neighbors, is_given);
    lanes[n].right = border(n, false, sources, neighbors, is_given);
  }
}

}  // namespace simbatch::roads::detail
