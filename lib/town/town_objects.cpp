// Rings from the ways of a multipolygon, whatever their roles: OpenStreetMap wiki, Relation:multipolygon/Algorithm. The widths
// of ways and the keys of areas that the setup does not list are our own choice (docs/osmgen.md).
#include "lib/town/town_objects.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/core/number.hpp"
#include "formats/osm/rings.hpp"
#include "lib/roads/carriageway.hpp"
#include "lib/roads/waterways.hpp"

namespace simbatch::town::detail {
namespace {
/// Height of a mapped building by its tags (dm); 0: unknown. Above its stories is a roof, if it is not high or tagged as flat.
std::uint16_t height_of(const Tags& tags) {
  constexpr std::uint16_t kUsualRoof = 30, kHighest = 110;  // dm; of buildings with such a roof
  if (tags.height > 0 || tags.roof == Roof::flat || tags.stories == 0) return std::max(tags.height, tags.stories);
  return std::max(tags.stories, std::min<std::uint16_t>(tags.stories + kUsualRoof, kHighest));
}
}  // namespace

std::uint16_t obstacle_kind(Town& town, Reason reason, double radius) {
  auto& kinds = town.obstacle_kinds;
  for (std::size_t i = 0; i < kinds.size(); ++i)
    if (kinds[i].reason == reason && kinds[i].radius == radius) return static_cast<std::uint16_t>(i);
  kinds.push_back({reason, radius});
  return static_cast<std::uint16_t>(kinds.size() - 1);
}

std::uint16_t TownObjects::kind_of(Reason reason, double half_width) {
  return obstacle_kind(town_, reason, half_width + options_.clearance + kRounding);
}

Tags TownObjects::tags_of(std::span<const osm::TagId> of) const {
  Tags tags;
  for (const osm::TagId tag : of) {
    const Meaning meaning = meanings_.of_tag[tag];
    switch (meaning.role) {
      case TagRole::nothing: break;
      case TagRole::highway: tags.highway = meaning.detail; break;
      case TagRole::building: tags.building = true; break;
      case TagRole::use: tags.use = meaning.detail; break;
      case TagRole::water_area: tags.water_area = true; break;
      case TagRole::water_line: tags.water_line = meaning.detail; break;
      case TagRole::railway: tags.railway = meaning.detail; break;
      case TagRole::structure: tags.structure = meaning.detail; break;
      case TagRole::wall: tags.wall = meaning.detail; break;
      case TagRole::coastline: tags.coastline = true; break;
      case TagRole::power_line: tags.power_line = meaning.detail; break;
      case TagRole::road_area: tags.road_area = true; break;
      case TagRole::place: tags.place = meaning.detail; break;
      case TagRole::generated: tags.generated = true; break;
      case TagRole::driveway: tags.driveway = true; break;
      case TagRole::height: tags.height = meaning.detail; break;
      case TagRole::stories: tags.stories = meaning.detail; break;
      case TagRole::roof: tags.roof = static_cast<Roof>(meaning.detail); break;
      case TagRole::bridge: tags.bridge = true; break;
      case TagRole::tunnel: tags.tunnel = true; break;
      case TagRole::oneway: tags.oneway = true; break;
      case TagRole::reversed: tags.oneway = tags.reversed = true; break;
      case TagRole::roundabout: tags.roundabout = true; break;
      case TagRole::area: tags.area = true; break;
      case TagRole::name: tags.name = tag + 1; break;
      case TagRole::ref: tags.ref = tag + 1; break;
      case TagRole::multipolygon: tags.multipolygon = true; break;
    }
  }
  return tags;
}

std::optional<Point> TownObjects::point(std::uint32_t node) {
  const std::optional<Point> at = town_.plane.to_plane(map_.node_positions[node]);
  if (!at) ++far;
  return at;
}

/// Unless it repeats the last one.
inline void TownObjects::add_point(std::uint32_t node, std::vector<Point>& points) {
  if (const auto at = point(node); at && (points.empty() || points.back() != *at)) points.push_back(*at);
}

inline void TownObjects::add_point(osm::Ref node, std::vector<Point>& points) {
  if (!node.is_missing()) add_point(node.number(), points);
}

/// The points of a ring, or of a line: the last is not the first.
template <class Nodes>
void TownObjects::set_points(const Nodes& nodes, std::vector<Point>& points) {
  points.clear();
  for (const auto node : nodes) add_point(node, points);
  while (points.size() > 1 && points.front() == points.back()) points.pop_back();
}

void TownObjects::add_segments(std::uint32_t first, std::uint32_t count, std::uint16_t kind) {
  for (std::uint32_t i = 0; i + 1 < count; ++i) town_.obstacles.push_back({first + i, 2, kind});
  if (count == 1) town_.obstacles.push_back({first, 1, kind});
}

void TownObjects::add_line(std::span<const Point> points, std::uint16_t kind, bool closed) {
  if (points.empty()) return;
  const auto first = static_cast<std::uint32_t>(town_.points.size());
  town_.points.insert(town_.points.end(), points.begin(), points.end());
  if (closed) town_.points.push_back(points.front());
  add_segments(first, static_cast<std::uint32_t>(points.size() + (closed ? 1 : 0)), kind);
}

/// A solid area: a small ring as one obstacle, others by their outlines and what lies inside.
void TownObjects::add_solid(const Outline& rings, Reason reason, osm::Id id) {
  const std::uint16_t kind = kind_of(reason, 0);
  if (rings.size() == 1) {
    const std::vector<Point>& ring = rings[0].first;
    if (ring.size() < 3) return add_line(ring, kind, false);
    std::int32_t x0 = INT32_MAX, x1 = INT32_MIN, z0 = INT32_MAX, z1 = INT32_MIN;
    for (const Point p : ring) {
      x0 = std::min(x0, p.x);
      x1 = std::max(x1, p.x);
      z0 = std::min(z0, p.z);
      z1 = std::max(z1, p.z);
    }
    if (ring.size() <= 32 && static_cast<std::int64_t>(x1) - x0 <= 96'000 && static_cast<std::int64_t>(z1) - z0 <= 96'000) {
      const auto first = static_cast<std::uint32_t>(town_.points.size());
      town_.points.insert(town_.points.end(), ring.begin(), ring.end());
      town_.obstacles.push_back({first, static_cast<std::uint16_t>(ring.size()), kind});
      return;
    }
  }
  town_.areas.begin_area({0, true, static_cast<std::uint8_t>(reason)}, id);
  for (const auto& [ring, outer] : rings) {
    if (ring.size() >= 3) town_.areas.add_ring(ring, outer);
    add_line(ring, kind, true);
  }
}

void TownObjects::add_area(const Outline& rings, const Tags& tags, osm::Id id) {
  if (tags.building) {
    ++town_.buildings;
    const std::uint16_t height = height_of(tags);
    if ((height > 0 || tags.roof != Roof::unknown) && !rings.empty() && !rings[0].first.empty())
      town_.looks.push_back({rings[0].first.front(), height, tags.roof});
    add_solid(rings, Reason::building, id);
  }
  if (tags.water_area) add_solid(rings, Reason::water, id);
  if (tags.structure >= 0) add_solid(rings, Reason::barrier, id);
  if (tags.road_area) add_solid(rings, Reason::road, id);
  if (tags.use >= 0) {
    town_.areas.begin_area({static_cast<std::uint16_t>(tags.use), false, 0}, id);
    for (const auto& [ring, outer] : rings) town_.areas.add_ring(ring, outer);
  }
}

void TownObjects::add_relation(std::size_t number) {
  Tags tags = tags_of(map_.tags_of_relation(number));
  if (!tags.multipolygon) return;
  const auto members = map_.members_of(number);
  const bool inherits = !tags.is_area();
  const auto outer_way = [&](const osm::Member& member) {
    return member.kind == osm::Kind::way && !member.ref.is_missing() && map_.strings[member.role] != "inner";
  };
  // Until 2013 or so the outer way carried the tags, not the relation.
  if (inherits)
    for (const osm::Member& member : members) {
      if (!outer_way(member)) continue;
      tags = tags_of(map_.tags_of_way(member.ref.number()));
      if (tags.is_area()) break;
    }
  if (!tags.is_area()) return;
  const osm::Rings assembled = osm::assemble(map_, number);
  if (!assembled.complete) ++open;
  bool any_outer = false;
  Outline rings;
  for (const osm::Ring& ring : assembled.rings) {
    set_points(ring.nodes, rings.emplace_back(std::vector<Point>(), ring.outer).first);
    any_outer = any_outer || ring.outer;
  }
  if (!any_outer) return;  // an outline that does not close; its ways are areas of their own
  for (const osm::Member& member : members) {
    if (!outer_way(member)) continue;
    const Tags own = tags_of(map_.tags_of_way(member.ref.number()));
    if (inherits || (own.building == tags.building && own.use == tags.use && own.water_area == tags.water_area))
      source_.taken[member.ref.number()] = true;
  }
  add_area(rings, tags, map_.relations[number].id);
}

void TownObjects::add_way(std::size_t number) {
  const Tags tags = tags_of(map_.tags_of_way(number));
  if (tags.generated) ++town_.earlier_houses;
  if (tags.generated && !options_.keep_generated) return;
  const osm::Id id = map_.ways[number].id;
  const bool closed = map_.is_closed(number);
  const bool is_area = closed && !source_.taken[number] && tags.is_area();
  if (tags.highway >= 0) add_road(number, tags, closed);
  const bool line = tags.water_line >= 0 || tags.railway >= 0 || tags.wall >= 0 || tags.coastline || tags.power_line >= 0 ||
                    (!closed && (tags.building || tags.structure > 0 || tags.water_area));
  if (!is_area && !line) return;
  std::vector<Point>& points = ring_[0].first;
  set_points(map_.refs_of(number), points);
  if (is_area) add_area(ring_, tags, id);
  if (!line) return;
  const auto add = [&](Reason reason, double decimeters) { add_line(points, kind_of(reason, decimeters * 0.05), closed); };
  if (!tags.tunnel) {
    if (tags.water_line >= 0 && !(closed && tags.water_area)) {
      const auto width = town_.rules.waterways ? roads::waterway_width(map_, map_.tags_of_way(number)) : std::nullopt;
      add(Reason::water, width ? *width * 10 : tags.water_line);
    }
    if (tags.railway >= 0) add(Reason::railway, tags.railway);
    if (closed && tags.area && tags.water_line >= 0) add_solid(ring_, Reason::water, id);
  }
  if (tags.coastline) add(Reason::water, 10);
  if (tags.coastline && town_.rules.sea) {
    for (std::size_t k = 0; k + 1 < points.size(); ++k) town_.coast.push_back({points[k], points[k + 1]});
    if (closed && points.size() > 2) town_.coast.push_back({points.back(), points.front()});
  }
  if (tags.power_line >= 0 && !tags.tunnel) add(Reason::barrier, tags.power_line);
  if (tags.wall >= 0) add(Reason::barrier, tags.wall);
  if (!closed) {
    if (tags.building) add(Reason::building, 0);
    if (tags.structure > 0) add(Reason::barrier, tags.structure);
    if (tags.water_area) add(Reason::water, 0);
  }
}

void TownObjects::add_road(std::size_t number, const Tags& tags, bool closed) {
  const auto kind = static_cast<std::uint16_t>(tags.highway);
  const RoadKind& of = town_.kinds[kind];
  KindLength& length = town_.lengths[kind];
  ++length.ways;
  if (closed && tags.area) {
    if (of.width <= 0) return;
    set_points(osm::ring_of_way(map_, number), ring_[0].first);
    add_solid(ring_, Reason::road, map_.ways[number].id);
    return;
  }
  const auto refs = map_.refs_of(number);
  std::size_t i = 0;
  while (i < refs.size()) {
    TownRoad road;
    road.first = static_cast<std::uint32_t>(town_.points.size());
    for (; i < refs.size(); ++i) {
      if (refs[i].is_missing()) break;
      const std::uint32_t node = refs[i].number();
      const auto at = point(node);
      if (!at) break;
      const bool first = town_.points.size() == road.first;
      if (first) road.first_node = node;
      road.last_node = node;
      if (first || town_.points.back() != *at) town_.points.push_back(*at);
    }
    ++i;
    road.count = static_cast<std::uint32_t>(town_.points.size() - road.first);
    if (road.count < 2) {
      town_.points.resize(road.first);
      continue;
    }
    double along_it = 0;
    Vec2 before = meters(town_.points[road.first]);
    for (std::uint32_t k = 1; k < road.count; ++k) {
      const Vec2 here = meters(town_.points[road.first + k]);
      along_it += town::length(here - before);
      before = here;
    }
    length.millimeters += std::llround(along_it * 1000);
    if (of.width <= 0) {
      town_.points.resize(road.first);
      continue;
    }
    road.id = map_.ways[number].id;
    road.name = tags.name != 0 ? tags.name : tags.ref;
    road.kind = kind;
    road.lanes = of.width;
    if ((town_.rules.parked_cars || town_.rules.lanes) && of.in_setup)
      road.lanes = roads::carriageway_width(map_, map_.tags_of_way(number), {of.name, {}, of.width, of.left, of.right},
                                            tags.oneway || tags.roundabout);
    if (town_.rules.lanes) road.beyond = std::max(0.0, (road.lanes - of.width) / 2);
    const bool along = of.houses && !tags.bridge && !tags.tunnel && !tags.driveway;
    road.flags = static_cast<std::uint16_t>((tags.oneway || tags.roundabout ? TownRoad::oneway : 0) |
                                            (tags.reversed ? TownRoad::reversed : 0) | (tags.bridge ? TownRoad::bridge : 0) |
                                            (tags.tunnel ? TownRoad::tunnel : 0) |
                                            (tags.roundabout ? TownRoad::roundabout : 0) | (along ? TownRoad::along : 0));
    const bool blocks = (!tags.tunnel || !options_.over_tunnels) && (!of.path || !options_.ignore_paths);
    if (blocks) add_corridor(road, of, kind);
    if (of.in_setup || blocks) town_.roads.push_back(road);
  }
}

/// The corridor: a band about every segment with round caps, and at sharp bends a disc that covers a mitered curb.
void TownObjects::add_corridor(const TownRoad& road, const RoadKind& of, std::uint16_t kind) {
  const double half = of.half() + road.beyond;
  const Reason reason = of.path ? Reason::path : Reason::road;
  add_segments(road.first, road.count, road.beyond > 0 ? kind_of(reason, half) : town_.road_obstacle_kind[kind]);
  Vec2 here = meters(town_.points[road.first + 1]), b = here - meters(town_.points[road.first]);
  for (std::uint32_t k = road.first + 1; k + 1 < road.first + road.count; ++k) {
    const Vec2 next = meters(town_.points[k + 1]), a = std::exchange(b, next - here);
    here = next;
    const double c = dot(a, b), s = std::fabs(cross(a, b));
    if (c > s * 1.7) continue;  // less than 30 degrees: the miter stays within 4 % of the cap
    const double grown = c > s * 0.577 ? 1.16 : 1.42;
    town_.obstacles.push_back({k, 1, kind_of(reason, std::round(half * grown * 20) / 20)});
  }
}

void TownObjects::add_nodes(std::span<const std::uint32_t> generated) {
  const auto number = [&](std::span<const osm::TagId> tags, std::string_view key) -> std::optional<double> {
    const auto text = map_.value_of(tags, key);
    if (!text) return std::nullopt;
    const Number<double> parsed = parse_double(*text);
    if (!parsed) return std::nullopt;
    return parsed.value;
  };
  std::size_t next = 0;
  for (std::size_t n = 0; n < map_.tagged_nodes.size(); ++n) {
    const std::uint32_t node = map_.tagged_nodes[n];
    const auto tags = map_.tags_of_tagged_node(n);
    while (next < generated.size() && generated[next] < node) ++next;
    const bool ours = next < generated.size() && generated[next] == node;
    // The corners of a house generated as a building have no tags except the mark.
    if (ours && tags.size() > 1) ++town_.earlier_houses;
    if (ours && !options_.keep_generated) continue;
    const Tags meaning = tags_of(tags);
    const auto size_x = number(tags, "sizeX"), size_z = number(tags, "sizeZ"), rot_y = number(tags, "rotY");
    const bool house =
        map_.value_of(tags, "filePath") && size_x && size_z && *size_x > 0 && *size_z > 0 && *size_x < 1000 && *size_z < 1000;
    if (!house && !meaning.building && meaning.structure <= 0 && meaning.place < 0) continue;
    const auto at = point(node);
    if (!at) continue;
    if (meaning.place >= 0) {
      town_.place_nodes.emplace_back(*at, meaning.place);
      if (!house && !meaning.building && meaning.structure <= 0) continue;
    }
    if (!house) {
      // A building of unknown size: room for a small house.
      const double half = meaning.building ? 5 : meaning.structure * 0.05;
      town_.obstacles.push_back({static_cast<std::uint32_t>(town_.points.size()), 1,
                                 kind_of(meaning.building ? Reason::building : Reason::barrier, half)});
      town_.points.push_back(*at);
      continue;
    }
    if (!ours) ++town_.foreign_houses;
    const double turn = std::remainder(rot_y.value_or(0), 360.0);
    const Vec2 front = direction_of(static_cast<std::uint16_t>(std::lrint(turn < 0 ? turn * 100 + 36000 : turn * 100) % 36000));
    const Vec2 side{front.z, -front.x};
    const Vec2 middle = meters(*at);
    const auto first = static_cast<std::uint32_t>(town_.points.size());
    for (const auto& [a, b] : {std::pair(1, 1), std::pair(-1, 1), std::pair(-1, -1), std::pair(1, -1)})
      town_.points.push_back(millimeters(middle + side * (a * *size_x / 2) + front * (b * *size_z / 2)));
    town_.obstacles.push_back({first, 4, kind_of(Reason::house, 0)});
  }
}

void TownObjects::append(Town& part, const TownObjects& of_part) {
  const auto base = static_cast<std::uint32_t>(town_.points.size());
  std::vector<std::uint16_t> kinds;
  for (const ObstacleGrid::Kind& kind : part.obstacle_kinds) kinds.push_back(obstacle_kind(town_, kind.reason, kind.radius));
  for (ObstacleGrid::Obstacle& obstacle : part.obstacles) {
    obstacle.first += base;
    obstacle.kind = kinds[obstacle.kind];
  }
  for (TownRoad& road : part.roads) road.first += base;
  // One array at a time, so that there are never two copies of everything.
  const auto move_behind = [](auto& to, auto& from) {
    to.insert(to.end(), from.begin(), from.end());
    from = std::remove_reference_t<decltype(from)>();
  };
  move_behind(town_.points, part.points);
  move_behind(town_.obstacles, part.obstacles);
  move_behind(town_.roads, part.roads);
  move_behind(town_.coast, part.coast);
  move_behind(town_.looks, part.looks);
  town_.areas.append(part.areas);
  for (std::size_t i = 0; i < part.lengths.size(); ++i) {
    town_.lengths[i].ways += part.lengths[i].ways;
    town_.lengths[i].millimeters += part.lengths[i].millimeters;
  }
  town_.buildings += part.buildings;
  town_.earlier_houses += part.earlier_houses;
  far += of_part.far;
}

}  // namespace simbatch::town::detail
