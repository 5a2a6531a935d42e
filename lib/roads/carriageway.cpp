// Tags: OSM wiki, "Key:width", "Key:lanes"; lanes of 2.5 to 3.75 m are those of construction guides (RASt 06, RAL). Our own
// method: the space between buildings, from distances of segments in a grid of 32 m.
#include "lib/roads/carriageway.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string_view>
#include <utility>

#include "lib/roads/convex.hpp"
#include "lib/roads/tag_values.hpp"

namespace simbatch::roads {
namespace {
using detail::EastNorth;

constexpr double kCell = 32;       // m
constexpr double kCrosses = 0.01;  // m: closer than this, the road runs into the building
constexpr double kPart = 8;        // m: length of the pieces into which a road is split where it has to be narrowed
constexpr double kOneWay = 3.5;    // m: minimum width of a one-way street whose kind has two lanes in the setup

/// Distance (m), perpendicular to a-b, of the part of the wall that lies beside it, i.e. between the perpendiculars at its
/// ends. Negative if there is none; 0 if the wall crosses a-b.
double beside(EastNorth a, EastNorth b, EastNorth wall_a, EastNorth wall_b) {
  const double l = detail::distance(a, b);
  const EastNorth u = detail::times(1 / l, detail::minus(b, a));
  const auto local = [&](EastNorth p) {
    const EastNorth d = detail::minus(p, a);
    return EastNorth{detail::dot(d, u), detail::cross(u, d)};  // along, across
  };
  EastNorth p = local(wall_a), q = local(wall_b);
  if (p.east > q.east) std::swap(p, q);
  if (q.east < 0 || p.east > l) return -1;
  const auto cut = [&](double along) { return p.north + (q.north - p.north) * (along - p.east) / (q.east - p.east); };
  const double first = p.east < 0 ? cut(0) : p.north, last = q.east > l ? cut(l) : q.north;
  if ((first > 0) != (last > 0)) return 0;
  return std::min(std::fabs(first), std::fabs(last));
}

/// The walls of all buildings and houses.
class Walls {
 public:
  struct Wall {
    EastNorth a, b;
    std::uint32_t of = 0;  // number of the prism; houses come after all prisms
  };

  Walls(const BuildingSelection& buildings, const std::vector<HouseBox>& houses, const Budget& budget) {
    const auto fits = [&](const std::vector<EastNorth>& ring) { return budget.fits(cells_.size(), ring[0]); };
    for (std::uint32_t n = 0; n < buildings.prisms.size() && fits(buildings.prisms[n].outer); ++n)
      add(buildings.prisms[n].outer, n);
    std::vector<EastNorth> corners;
    for (std::uint32_t n = 0; n < houses.size(); ++n) {
      const HouseBox& house = houses[n];
      if (!house.kind.empty()) continue;  // beside the lanes, and no wall
      const double angle = geo::radians(house.heading);
      const EastNorth right{std::cos(angle), -std::sin(angle)}, ahead{std::sin(angle), std::cos(angle)};
      corners.clear();
      for (const auto& [u, v] : {std::pair(-0.5, -0.5), std::pair(0.5, -0.5), std::pair(0.5, 0.5), std::pair(-0.5, 0.5)})
        corners.push_back(detail::plus({house.base.x, house.base.z}, detail::plus(detail::times(u * house.size.x, right),
                                                                                  detail::times(v * house.size.z, ahead))));
      if (!fits(corners)) return;
      add(corners, static_cast<std::uint32_t>(buildings.prisms.size()) + n);
    }
    std::sort(cells_.begin(), cells_.end());
  }

  /// Calls use(wall) for all walls near the bounding box of a-b grown by `reach`; some may be visited twice.
  template <class Use>
  void near(EastNorth a, EastNorth b, double reach, Use use) const {
    const int r1 = cell(std::max(a.north, b.north) + reach), c0 = cell(std::min(a.east, b.east) - reach),
              c1 = cell(std::max(a.east, b.east) + reach);
    for (int row = cell(std::min(a.north, b.north) - reach); row <= r1; ++row)
      for (auto entry = std::lower_bound(cells_.begin(), cells_.end(), Entry{{row, c0}, 0});
           entry != cells_.end() && entry->first.first == row && entry->first.second <= c1; ++entry)
        use(walls_[entry->second]);
  }

 private:
  using Entry = std::pair<std::pair<int, int>, std::uint32_t>;
  static int cell(double m) { return static_cast<int>(std::floor(std::clamp(m, -1e8, 1e8) / kCell)); }

  void add(const std::vector<EastNorth>& ring, std::uint32_t of) {
    for (std::size_t i = 0; i < ring.size(); ++i) {
      const EastNorth a = ring[i], b = ring[(i + 1) % ring.size()];
      if (detail::distance(a, b) > 1000) continue;  // no building
      const auto number = static_cast<std::uint32_t>(walls_.size());
      walls_.push_back({a, b, of});
      for (int row = cell(std::min(a.north, b.north)); row <= cell(std::max(a.north, b.north)); ++row)
        for (int column = cell(std::min(a.east, b.east)); column <= cell(std::max(a.east, b.east)); ++column)
          cells_.push_back({{row, column}, number});
    }
  }

  std::vector<Wall> walls_;
  std::vector<Entry> cells_;
};

struct Widths {
  double width = 0, left = 0, right = 0;
  bool operator==(const Widths&) const = default;
};
constexpr std::uint32_t kNoNode = 0xFFFFFFFF;
/// A straight piece of a road's line, with the node at its beginning if there is one.
struct Part {
  EastNorth from, to;
  std::uint32_t node = kNoNode;
  Widths widths;
};

class Fitter {
 public:
  Fitter(BuildingSelection& buildings, const std::vector<HouseBox>& houses, const Budget& budget)
      : budget_(budget),
        walls_(buildings, houses, budget),
        prisms_(buildings.prisms.size()),
        is_removed_(buildings.prisms.size(), false) {}

  /// The pieces of a road, each of one width.
  void fit(Road&& road, std::vector<Road>& pieces) {
    const Widths wanted{road.width, road.left_pavement, road.right_pavement};
    reach_ = road.width / 2 + std::max(road.left_pavement, road.right_pavement) + kWallRoom;
    parts_.clear();
    bool changed = false;
    for (std::size_t i = 0; i + 1 < road.at.size(); ++i) {
      std::uint32_t node = road.nodes[i];
      for (std::uint32_t k = road.at[i]; k < road.at[i + 1]; ++k, node = kNoNode)
        changed = add_parts(road.line[k], road.line[k + 1], node, wanted) || changed;
      if (budget_.crowded()) break;
    }
    if (!changed || !budget_.cut(parts_.size(), kGroundPointBytes, road.line[0])) {
      pieces.push_back(std::move(road));
      return;
    }
    const std::uint32_t last_node = road.nodes.back();
    for (std::size_t i = 0; i < parts_.size();) {
      std::size_t j = i + 1;
      while (j < parts_.size() && parts_[j].widths == parts_[i].widths) ++j;
      const std::uint32_t end = j < parts_.size() ? parts_[j].node : last_node;
      if (j < parts_.size() && end == kNoNode) parts_[j].node = next_node_++;
      budget_.hold(kRoadBytes, parts_[i].from);
      pieces.push_back(piece_of(road, i, j, j < parts_.size() ? parts_[j].node : last_node));
      pieces.back().is_closed = road.is_closed && i == 0 && j == parts_.size();
      i = j;
    }
  }

  void remove_from(BuildingSelection& buildings) {
    std::size_t n = 0;
    std::erase_if(buildings.prisms, [&](const Prism&) { return is_removed_[n++]; });
    result.removed = n - buildings.prisms.size();
  }

  Fitting result;

 private:
  Road piece_of(const Road& road, std::size_t first, std::size_t end, std::uint32_t end_node) {
    Road piece = without_line(road);
    const Widths& widths = parts_[first].widths;
    piece.width = widths.width;
    piece.left_pavement = widths.left;
    piece.right_pavement = widths.right;
    for (std::size_t k = first; k < end; ++k) {
      if (parts_[k].node != kNoNode) {
        piece.at.push_back(static_cast<std::uint32_t>(piece.line.size()));
        piece.nodes.push_back(parts_[k].node);
      }
      piece.line.push_back(parts_[k].from);
    }
    piece.at.push_back(static_cast<std::uint32_t>(piece.line.size()));
    piece.nodes.push_back(end_node);
    piece.line.push_back(parts_[end - 1].to);
    if (widths.width < road.width) {
      ++result.lanes;
      for (std::size_t k = 0; k + 1 < piece.line.size(); ++k)
        result.meters += detail::distance(piece.line[k], piece.line[k + 1]);
    } else if (widths.left < road.left_pavement || widths.right < road.right_pavement) {
      ++result.pavements;
    }
    return piece;
  }

  /// Adds the straight piece a-b, whole if there is room, else in pieces of at most kPart. @return whether it is narrower
  bool add_parts(EastNorth a, EastNorth b, std::uint32_t node, const Widths& wanted) {
    gather(a, b);
    if (near_.empty()) {
      parts_.push_back({a, b, node, wanted});
      return false;
    }
    const int n = std::max(1, static_cast<int>(std::ceil(detail::distance(a, b) / kPart)));
    const EastNorth step = detail::times(1.0 / n, detail::minus(b, a));
    if (!budget_.take(static_cast<std::uint64_t>(n) * near_.size(), a)) return false;
    bool changed = false;
    EastNorth from = a;
    for (int k = 1; k <= n; ++k) {
      const EastNorth to = k == n ? b : detail::plus(a, detail::times(k, step));
      const Widths here = widths_at(from, to, wanted);
      changed = changed || here != wanted;
      parts_.push_back({from, to, k == 1 ? node : kNoNode, here});
      from = to;
    }
    return changed;
  }

  Widths widths_at(EastNorth a, EastNorth b, const Widths& wanted) {
    const double half = wanted.width / 2;
    // In steps of 0.25 m, so that adjacent pieces often have the same width.
    const double room = std::floor((room_of(a, b) - kWallRoom) * 4) / 4;
    if (room >= reach_ - kWallRoom) return wanted;
    const auto pavement = [&](double all) { return std::clamp(room - half, 0.0, all); };
    return {2 * std::min(half, std::max(room, std::min(half, kNarrowest / 2))), pavement(wanted.left), pavement(wanted.right)};
  }

  /// The walls within reach of a-b.
  void gather(EastNorth a, EastNorth b) {
    near_.clear();
    std::uint64_t seen = 0;
    walls_.near(a, b, reach_, [&](const Walls::Wall& wall) {
      ++seen;
      const double d = beside(a, b, wall.a, wall.b);
      if (d >= 0 && d < reach_) near_.push_back(wall);
    });
    budget_.take(seen + 4, a);
  }

  /// Distance from a-b to the nearest wall beside it (m); infinite where there is none near. Removes buildings that are too near.
  double room_of(EastNorth a, EastNorth b) {
    nearest_.clear();
    for (const Walls::Wall& wall : near_) {
      const double d = beside(a, b, wall.a, wall.b);
      if (d >= 0 && d < reach_) nearest_.emplace_back(wall.of, d);
    }
    std::sort(nearest_.begin(), nearest_.end());
    double room = std::numeric_limits<double>::infinity();
    for (std::size_t n = 0; n < nearest_.size(); ++n) {
      const auto [of, d] = nearest_[n];
      if (n > 0 && nearest_[n - 1].first == of) continue;  // only the nearest wall of each building
      if (d < kCrosses || (of < prisms_ && is_removed_[of])) continue;
      if (d < kNarrowest / 2 + kWallRoom && of < prisms_)
        is_removed_[of] = true;
      else
        room = std::min(room, d);
    }
    return room;
  }

  const Budget& budget_;
  Walls walls_;
  std::size_t prisms_;
  std::vector<bool> is_removed_;
  double reach_ = 0;
  std::uint32_t next_node_ = 0xC0000000;  // above all node numbers; for cuts between two nodes of a road
  std::vector<Part> parts_;
  std::vector<Walls::Wall> near_;
  std::vector<std::pair<std::uint32_t, double>> nearest_;
};

constexpr double kMostTaggedWidth = 50, kMostTaggedLanes = 16, kMostLaneWidth = 3.75;  // m; of tags
static_assert(kWidestTaggedLanes >= kMostTaggedWidth && kWidestTaggedLanes / kMostLaneWidth == kMostTaggedLanes);

std::optional<double> tagged_width(const osm::Model& map, std::span<const osm::TagId> tags) {
  return detail::tag_meters(map, tags, "width", 2, kMostTaggedWidth);
}
std::optional<double> tagged_lanes(const osm::Model& map, std::span<const osm::TagId> tags) {
  return detail::tag_meters(map, tags, "lanes", 1, kMostTaggedLanes);
}
}  // namespace

double carriageway_width(const osm::Model& map, std::span<const osm::TagId> tags, const autosim::HighwayKind& kind,
                         bool is_one_way) {
  if (const auto width = tagged_width(map, tags)) return *width;
  const double lane = std::clamp(kind.width / 2, 2.5, kMostLaneWidth);
  if (const auto lanes = tagged_lanes(map, tags)) return std::round(*lanes) * lane;
  return is_one_way ? std::min(kind.width, std::max(kind.width / 2, kOneWay)) : kind.width;
}

std::string unused_width(const osm::Model& map, std::span<const osm::TagId> tags) {
  if (const auto width = map.value_of(tags, "width")) return tagged_width(map, tags) ? "" : "width=" + std::string(*width);
  const auto lanes = map.value_of(tags, "lanes");
  return !lanes || tagged_lanes(map, tags) ? "" : "lanes=" + std::string(*lanes);
}

Fitting fit_roads(std::vector<Road>& roads, BuildingSelection& buildings, const std::vector<HouseBox>& houses,
                  const Budget& budget) {
  Fitter fitter(buildings, houses, budget);
  std::vector<Road> fitted;
  fitted.reserve(roads.size());
  for (Road& road : roads) {
    if (road.is_tunnel || budget.crowded())
      fitted.push_back(std::move(road));  // under them
    else
      fitter.fit(std::move(road), fitted);
  }
  roads = std::move(fitted);
  fitter.remove_from(buildings);
  return fitter.result;
}

}  // namespace simbatch::roads
