// The sizes are our own, close to those of the German guidelines for traffic signals (RiLSA: head 0.9 m, lower edge 2.1 m above
// the pavement) and signs (VwV-StVO: lower edge 2 m).
#include "lib/roads/furniture.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "lib/roads/convex.hpp"
#include "lib/roads/segment_index.hpp"

namespace simbatch::roads {
namespace {
using namespace detail;

constexpr double kBeside = 0.4;                       // m from the edge of the lanes
constexpr double kMoves[] = {0, 0.6, 1.2, 1.8, 2.5};  // m further
constexpr double kFree = 0.2;                         // m from any lane
constexpr double kWidestStreet = 25;                  // m: maximum half width of a road considered in the search
constexpr double kNear = 30;                          // m: maximum distance of a lamp from its street

class Placer {
 public:
  Placer(const osm::Model& map, const geo::LocalFrame& frame, const std::vector<Road>& roads, const HeightGrid& terrain,
         const Budget& budget)
      : map_(map), frame_(frame), roads_(roads), terrain_(terrain), budget_(budget) {
    for (std::uint32_t r = 0; r < roads.size(); ++r)
      for (std::size_t k = 0; k + 1 < roads[r].line.size(); ++k)
        if (distance(roads[r].line[k], roads[r].line[k + 1]) < 20'000)
          index_.add({roads[r].line[k], roads[r].line[k + 1], r, 0});
    index_.build();
  }

  void add_marks(const std::vector<RoadMark>& marks) {
    for (const RoadMark& mark : marks) {
      if (mark.sign == RoadMark::Sign::none) continue;
      if (budget_.crowded()) return;
      if (mark.direction >= 0) add_at(mark, 1);
      if (mark.direction <= 0) add_at(mark, -1);
    }
  }

  void add_nodes() {
    for (std::size_t t = 0; t < map_.tagged_nodes.size(); ++t) {
      const auto tags = map_.tags_of_tagged_node(t);
      const auto highway = map_.value_of(tags, "highway");
      const bool is_lamp = highway && *highway == "street_lamp";
      if (!is_lamp && (highway || !map_.value_of(tags, "traffic_sign"))) continue;
      const osm::LatLon at = map_.node_positions[map_.tagged_nodes[t]];
      if (std::fabs(at.lon_deg() - frame_.origin().lon) > 60) continue;
      const EastNorth place = frame_.to_plane({at.lat_deg(), at.lon_deg()});
      if (budget_.crowded()) return;
      if (is_on_lane(place)) continue;
      const EastNorth to_street = unit(minus(nearest_street(place), place));
      put(is_lamp ? Furniture::Kind::lamp : Furniture::Kind::sign, map_.tagged_nodes[t], place,
          std::atan2(to_street.east, to_street.north));
    }
  }

  std::vector<Furniture> result;

 private:
  static Furniture::Kind kind_of(RoadMark::Sign sign) {
    return sign == RoadMark::Sign::signal ? Furniture::Kind::signal
           : sign == RoadMark::Sign::stop ? Furniture::Kind::stop
                                          : Furniture::Kind::give_way;
  }

  /// To the right of a mark, for traffic along the direction in which the road is drawn (1) or against it (-1).
  void add_at(const RoadMark& mark, int direction) {
    const Road& road = roads_[mark.road];
    double along = 0;
    for (std::size_t k = 0; k + 1 < road.line.size(); ++k) {
      const double l = distance(road.line[k], road.line[k + 1]);
      if (along + l < mark.along && k + 2 < road.line.size()) {
        along += l;
        continue;
      }
      if (!budget_.take(k, road.line[k])) return;
      if (!road.height.empty() && (road.height[k] != 0 || road.height[k + 1] != 0)) return;
      const EastNorth d = unit(minus(road.line[k + 1], road.line[k])), ahead = times(direction, d);
      const EastNorth middle = plus(road.line[k], times(mark.along - along, d)), right = times(-1, left_of(ahead));
      for (const double move : kMoves) {
        const EastNorth place = plus(middle, times(road.width / 2 + kBeside + move, right));
        if (is_on_lane(place)) continue;
        put(kind_of(mark.sign), mark.node, place, std::atan2(-ahead.east, -ahead.north));
        return;
      }
      return;
    }
  }

  void put(Furniture::Kind kind, std::uint32_t node, EastNorth place, double heading) {
    if (!terrain_.contains(place.east, place.north)) return;
    const osm::Id id = node < map_.node_ids.size() ? map_.node_ids[node] : 0;
    result.push_back(
        {kind, id, ++count_[id], {place.east, height_at(terrain_, place.east, place.north), place.north}, heading});
  }

  bool is_on_lane(EastNorth p) {
    index_.near(minus(p, {kWidestStreet, kWidestStreet}), plus(p, {kWidestStreet, kWidestStreet}), near_);
    budget_.take(4 * near_.size(), p);
    return std::any_of(near_.begin(), near_.end(), [&](std::uint32_t n) {
      return nearest_on(index_[n], p).distance < roads_[index_[n].span].width / 2 + kFree;
    });
  }

  /// The nearest point of a street; without one, a point to the north.
  EastNorth nearest_street(EastNorth p) {
    index_.near(minus(p, {kNear, kNear}), plus(p, {kNear, kNear}), near_);
    budget_.take(4 * near_.size(), p);
    double best = std::numeric_limits<double>::infinity();
    EastNorth place{p.east, p.north + 1};
    for (const std::uint32_t n : near_) {
      const Nearest nearest = nearest_on(index_[n], p);
      if (nearest.distance >= best) continue;
      best = nearest.distance;
      place = plus(index_[n].a, times(nearest.t, minus(index_[n].b, index_[n].a)));
    }
    return place;
  }

  const osm::Model& map_;
  const geo::LocalFrame& frame_;
  const std::vector<Road>& roads_;
  const HeightGrid& terrain_;
  const Budget& budget_;
  SegmentIndex index_;
  std::vector<std::uint32_t> near_;
  std::map<osm::Id, int> count_;
};
}  // namespace

std::vector<Furniture> street_furniture(const osm::Model& map, const geo::LocalFrame& frame, const std::vector<Road>& roads,
                                        const std::vector<RoadMark>& marks, const HeightGrid& terrain, const Budget& budget) {
  Placer placer(map, frame, roads, terrain, budget);
  placer.add_marks(marks);
  placer.add_nodes();
  return std::move(placer.result);
}

std::vector<FurnitureBox> boxes_of(Furniture::Kind kind) {
  switch (kind) {
    case Furniture::Kind::signal: return {{{0.12, 2.3, 0.12}, {0, 1.15, 0}}, {{0.3, 0.9, 0.25}, {0, 2.75, 0}}};
    case Furniture::Kind::stop:
    case Furniture::Kind::give_way:
    case Furniture::Kind::sign: return {{{0.07, 2.7, 0.07}, {0, 1.35, -0.05}}, {{0.7, 0.7, 0.03}, {0, 2.35, 0}}};
    case Furniture::Kind::lamp: return {{{0.14, 6, 0.14}, {0, 3, 0}}, {{0.25, 0.12, 1}, {0, 6.06, 0.4}}};
  }
  return {};
}

}  // namespace simbatch::roads
