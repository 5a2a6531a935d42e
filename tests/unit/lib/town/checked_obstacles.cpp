#include <algorithm>
#include <cmath>
#include <set>

#include "tests/unit/lib/town/house_checker.hpp"

namespace simbatch::test {
namespace {

double ring_size(const std::vector<XY>& ring) {
  double sum = 0;
  for (std::size_t i = 0, j = ring.size() - 1; i < ring.size(); j = i++) sum += ring[j].x * ring[i].y - ring[j].y * ring[i].x;
  return std::fabs(sum / 2);
}

bool any_of(const std::string& value, std::initializer_list<const char*> words) {
  return std::any_of(words.begin(), words.end(), [&](const char* word) { return value == word; });
}
bool yes(const std::string& value) { return !value.empty() && value != "no"; }

/// What a land-use-like area is called; empty if it is none.
std::string landuse_name(const CheckedMap::Element& e) {
  const std::string landuse = e.tag("landuse");
  if (!landuse.empty() && !any_of(landuse, {"reservoir", "basin", "salt_pond"})) return landuse;
  if (e.tag("natural") == "wood") return "forest";
  return {};
}
bool is_water(const CheckedMap::Element& e) {
  return e.tag("natural") == "water" || any_of(e.tag("waterway"), {"riverbank", "dock"}) ||
         any_of(e.tag("landuse"), {"reservoir", "basin"}) || e.tag("leisure") == "swimming_pool";
}
bool describes(const CheckedMap::Element& e) { return yes(e.tag("building")) || is_water(e) || !landuse_name(e).empty(); }

/// The ways of a map by their ids.
class Ways {
 public:
  explicit Ways(const CheckedMap& map) : map_(map) {
    for (const auto& way : map.ways) by_id_.emplace(way.id, &way);
  }
  const CheckedMap::Element* find(std::int64_t id) const {
    const auto found = by_id_.find(id);
    return found == by_id_.end() ? nullptr : found->second;
  }
  std::vector<XY> points_of(const std::vector<std::int64_t>& refs) const {
    std::vector<XY> points;
    for (const std::int64_t ref : refs)
      if (const auto found = map_.at.find(ref); found != map_.at.end()) points.push_back(found->second);
    return points;
  }

 private:
  const CheckedMap& map_;
  std::map<std::int64_t, const CheckedMap::Element*> by_id_;
};

struct Ring {
  std::vector<std::int64_t> refs;
  bool is_outer = true;
};
/// The rings of a multipolygon: its closed ways, and what its open ways make, joined at their ends.
std::vector<Ring> rings_of(const CheckedMap::Element& relation, const Ways& ways) {
  std::vector<std::vector<std::int64_t>> open;
  std::vector<Ring> rings;
  for (const auto& [id, role] : relation.way_members) {
    const auto* way = ways.find(id);
    if (way == nullptr || way->refs.size() < 2) continue;
    if (way->refs.front() == way->refs.back())
      rings.push_back({way->refs, role != "inner"});
    else
      open.push_back(way->refs);
  }
  while (!open.empty()) {
    auto chain = open.front();
    open.erase(open.begin());
    bool grew = true;
    while (grew && chain.front() != chain.back()) {
      grew = false;
      for (std::size_t k = 0; k < open.size(); ++k) {
        if (open[k].front() != chain.back() && open[k].back() != chain.back()) continue;
        if (open[k].front() != chain.back()) std::reverse(open[k].begin(), open[k].end());
        chain.insert(chain.end(), open[k].begin() + 1, open[k].end());
        open.erase(open.begin() + static_cast<std::ptrdiff_t>(k));
        grew = true;
        break;
      }
    }
    if (chain.front() == chain.back()) rings.push_back({chain});
  }
  return rings;
}

/// Enters an area as all that its tags make of it.
void add_area(Polygon polygon, const CheckedMap::Element& tags, Obstacles& result) {
  if (yes(tags.tag("building"))) result.buildings.push_back(polygon);
  if (is_water(tags)) result.waters.push_back(polygon);
  polygon.landuse = landuse_name(tags);
  if (!polygon.landuse.empty()) result.landuses.push_back(polygon);
}

/// A relation without tags of its own takes over those of an outer way. @param taken  receives the outer ways that do not stand
/// for themselves.
void add_multipolygon(const CheckedMap::Element& relation, const Ways& ways, Obstacles& result, std::set<std::int64_t>& taken) {
  const CheckedMap::Element* tags = describes(relation) ? &relation : nullptr;
  const bool inherits = tags == nullptr;
  for (const auto& [id, role] : relation.way_members) {
    if (tags != nullptr) break;
    const auto* way = ways.find(id);
    if (role != "inner" && way != nullptr && describes(*way)) tags = way;
  }
  if (tags == nullptr) return;
  Polygon polygon;
  polygon.id = relation.id;
  bool any_outer = false;
  for (const Ring& ring : rings_of(relation, ways)) {
    any_outer = any_outer || ring.is_outer;
    const auto points = ways.points_of(ring.refs);
    if (points.size() < 4) continue;
    polygon.size += ring_size(points) * (ring.is_outer ? 1 : -1);
    polygon.rings.push_back(points);
  }
  if (polygon.rings.empty() || !any_outer) return;
  for (const auto& [id, role] : relation.way_members) {
    const auto* way = ways.find(id);
    if (role == "inner" || way == nullptr) continue;
    if (inherits || (landuse_name(*way) == landuse_name(*tags) && yes(way->tag("building")) == yes(tags->tag("building"))))
      taken.insert(id);
  }
  add_area(polygon, *tags, result);
}

Line road_of(const CheckedMap::Element& way, const std::vector<XY>& points, bool closed, const Widths::value_type& kind) {
  Line road{points,
            kind.second.half(),
            way.id,
            closed,
            yes(way.tag("bridge")),
            yes(way.tag("tunnel")),
            false,
            any_of(way.tag("oneway"), {"yes", "true", "1", "-1"}),
            any_of(way.tag("junction"), {"roundabout", "circular"}),
            kind.first,
            way.tag("name")};
  road.fast = any_of(kind.first, {"motorway", "trunk"}) || kind.first.ends_with("_link");
  return road;
}

/// What a way is as a line: a road, a railway, a stream.
void add_lines(const CheckedMap::Element& way, const std::vector<XY>& points, bool closed, const Widths& widths,
               Obstacles& result) {
  if (const auto kind = widths.find(way.tag("highway")); kind != widths.end()) {
    if (closed && way.tag("area") == "yes")
      result.buildings.push_back({{points}, way.id, {}, ring_size(points)});
    else
      result.roads.push_back(road_of(way, points, closed, *kind));
  }
  if (yes(way.tag("tunnel"))) return;
  if (any_of(way.tag("railway"), {"rail", "light_rail", "tram", "subway", "narrow_gauge"}))
    result.rails.push_back({points, 1.4, way.id, closed, false, false, false, false, false, {}, {}});
  if (any_of(way.tag("waterway"), {"river", "stream", "canal", "ditch", "drain"}))
    result.streams.push_back({points, 0.5, way.id, closed, false, false, false, false, false, {}, {}});
}
}  // namespace

Obstacles obstacles_of(const CheckedMap& map, const Widths& widths) {
  Obstacles result;
  const Ways ways(map);
  std::set<std::int64_t> taken;
  for (const auto& relation : map.relations)
    if (relation.tag("type") == "multipolygon") add_multipolygon(relation, ways, result, taken);
  for (const auto& way : map.ways) {
    const auto points = ways.points_of(way.refs);
    const bool closed = way.refs.size() >= 4 && way.refs.front() == way.refs.back();
    if (points.size() < 2) continue;
    add_lines(way, points, closed, widths, result);
    if (closed && points.size() >= 4 && taken.count(way.id) == 0)
      add_area({{points}, way.id, {}, ring_size(points)}, way, result);
  }
  return result;
}

Widths thesis_widths() {
  return {{"motorway", {16, 1.5, 1.5}},  {"motorway_link", {4, 0, 0}}, {"trunk", {12, 1.5, 1.5}},
          {"trunk_link", {4, 0, 0}},     {"primary", {16, 1.5, 1.5}},  {"primary_link", {4, 0, 0}},
          {"secondary", {8, 1.5, 1.5}},  {"tertiary", {6, 1.5, 1.5}},  {"unclassified", {6, 0, 0}},
          {"unsurfaced", {3, 1.5, 1.5}}, {"track", {3, 1.5, 1.5}},     {"residential", {8, 1.5, 1.5}},
          {"service", {3, 1.5, 1.5}}};
}

}  // namespace simbatch::test
