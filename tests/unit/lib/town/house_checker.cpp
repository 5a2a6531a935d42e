#include "tests/unit/lib/town/house_checker.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <set>

namespace simbatch::test {
namespace {
constexpr double kPi = 3.14159265358979323846;

// ---- text

std::string decoded(std::string_view text) {
  static const std::array<std::pair<std::string_view, char>, 5> entities{
      {{"&lt;", '<'}, {"&gt;", '>'}, {"&amp;", '&'}, {"&quot;", '"'}, {"&apos;", '\''}}};
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    bool done = false;
    for (const auto& entity : entities)
      if (text.substr(i, entity.first.size()) == entity.first) {
        out += entity.second;
        i += entity.first.size() - 1;
        done = true;
        break;
      }
    if (!done) out += text[i];
  }
  return out;
}

std::map<std::string, std::string> attributes_of(std::string_view tag) {
  std::map<std::string, std::string> result;
  std::size_t i = 0;
  while (true) {
    const std::size_t equals = tag.find('=', i);
    if (equals == std::string_view::npos) return result;
    std::size_t end = equals;
    while (end > 0 && std::isspace(static_cast<unsigned char>(tag[end - 1]))) --end;
    std::size_t begin = end;
    while (begin > 0 && !std::isspace(static_cast<unsigned char>(tag[begin - 1]))) --begin;
    const std::size_t open = tag.find_first_of("'\"", equals);
    if (open == std::string_view::npos) return result;
    const std::size_t close = tag.find(tag[open], open + 1);
    if (close == std::string_view::npos) return result;
    result[std::string(tag.substr(begin, end - begin))] = decoded(tag.substr(open + 1, close - open - 1));
    i = close + 1;
  }
}

// ---- plane geometry

double cross(XY o, XY a, XY b) { return (a.x - o.x) * (b.y - o.y) - (a.y - o.y) * (b.x - o.x); }

double point_to_segment(XY p, XY a, XY b) {
  const double dx = b.x - a.x, dy = b.y - a.y, l2 = dx * dx + dy * dy;
  double t = l2 > 0 ? ((p.x - a.x) * dx + (p.y - a.y) * dy) / l2 : 0;
  t = std::max(0.0, std::min(1.0, t));
  return std::hypot(p.x - a.x - t * dx, p.y - a.y - t * dy);
}
bool segments_cross(XY a, XY b, XY c, XY d) {
  return cross(a, b, c) * cross(a, b, d) < 0 && cross(c, d, a) * cross(c, d, b) < 0;
}
double segment_to_segment(XY a, XY b, XY c, XY d) {
  if (segments_cross(a, b, c, d)) return 0;
  return std::min({point_to_segment(a, c, d), point_to_segment(b, c, d), point_to_segment(c, a, b), point_to_segment(d, a, b)});
}
bool inside(XY p, const std::vector<XY>& ring) {
  bool in = false;
  for (std::size_t i = 0, j = ring.size() - 1; i < ring.size(); j = i++)
    if ((ring[i].y > p.y) != (ring[j].y > p.y) &&
        p.x < (ring[j].x - ring[i].x) * (p.y - ring[i].y) / (ring[j].y - ring[i].y) + ring[i].x)
      in = !in;
  return in;
}
bool inside(XY p, const std::vector<std::vector<XY>>& rings) {
  bool in = false;
  for (const auto& ring : rings) in ^= inside(p, ring);
  return in;
}
double ring_size(const std::vector<XY>& ring) {
  double sum = 0;
  for (std::size_t i = 0, j = ring.size() - 1; i < ring.size(); j = i++) sum += cross({0, 0}, ring[j], ring[i]);
  return std::fabs(sum / 2);
}

struct Extent {
  double x0 = 1e300, x1 = -1e300, y0 = 1e300, y1 = -1e300;
  void take(XY p) {
    x0 = std::min(x0, p.x);
    x1 = std::max(x1, p.x);
    y0 = std::min(y0, p.y);
    y1 = std::max(y1, p.y);
  }
  bool near(const Extent& o, double by) const {
    return x0 - by <= o.x1 && o.x0 <= x1 + by && y0 - by <= o.y1 && o.y0 <= y1 + by;
  }
};
Extent extent_of(const std::vector<XY>& points) {
  Extent e;
  for (const XY p : points) e.take(p);
  return e;
}

double quad_to_segment(const Quad& quad, XY a, XY b) {
  if (inside(a, quad)) return 0;
  double best = 1e300;
  for (std::size_t i = 0; i < 4; ++i) best = std::min(best, segment_to_segment(quad[i], quad[(i + 1) % 4], a, b));
  return best;
}
bool quad_meets_polygon(const Quad& quad, const Polygon& polygon) {
  for (const auto& ring : polygon.rings)
    for (std::size_t i = 0, j = ring.size() - 1; i < ring.size(); j = i++)
      if (quad_to_segment(quad, ring[j], ring[i]) == 0) return true;
  return inside(quad[0], polygon.rings);
}
bool quads_meet(const Quad& a, const Quad& b) {
  for (const auto& q : a)
    if (inside(q, b)) return true;
  for (const auto& q : b)
    if (inside(q, a)) return true;
  for (std::size_t i = 0; i < 4; ++i)
    for (std::size_t j = 0; j < 4; ++j)
      if (segments_cross(a[i], a[(i + 1) % 4], b[j], b[(j + 1) % 4])) return true;
  return false;
}

// ---- a plain table of what lies near what: squares of 100 m

class Near {
 public:
  void add(std::size_t number, const Extent& e, double by) {
    each(e, by, [&](std::pair<int, int> square) { squares_[square].push_back(number); });
  }
  std::set<std::size_t> of(const Extent& e) const {
    std::set<std::size_t> result;
    each(e, 0, [&](std::pair<int, int> square) {
      const auto found = squares_.find(square);
      if (found != squares_.end()) result.insert(found->second.begin(), found->second.end());
    });
    return result;
  }

 private:
  template <class Use>
  static void each(const Extent& e, double by, Use use) {
    for (int x = square(e.x0 - by); x <= square(e.x1 + by); ++x)
      for (int y = square(e.y0 - by); y <= square(e.y1 + by); ++y) use(std::pair(x, y));
  }
  static int square(double v) { return static_cast<int>(std::floor(v / 100)); }
  std::map<std::pair<int, int>, std::vector<std::size_t>> squares_;
};

struct Segment {
  XY a, b;
  const Line* line = nullptr;
};
/// All segments of some lines, to be asked for by place.
struct Segments {
  std::vector<Segment> all;
  Near near;
  Segments() = default;
  explicit Segments(const std::vector<Line>& lines) {
    for (const Line& line : lines)
      for (std::size_t i = 0; i + 1 < line.points.size(); ++i) {
        Extent e;
        e.take(line.points[i]);
        e.take(line.points[i + 1]);
        near.add(all.size(), e, line.half + 1);
        all.push_back({line.points[i], line.points[i + 1], &line});
      }
  }
  bool touched_by(const Quad& quad) const {
    for (const std::size_t i : near.of(extent_of(quad)))
      if (quad_to_segment(quad, all[i].a, all[i].b) < all[i].line->half) return true;
    return false;
  }
};
struct Polygons {
  const std::vector<Polygon>* all = nullptr;
  Near near;
  explicit Polygons(const std::vector<Polygon>& polygons) : all(&polygons) {
    for (std::size_t i = 0; i < polygons.size(); ++i) {
      Extent e;
      for (const auto& ring : polygons[i].rings)
        for (const XY p : ring) e.take(p);
      near.add(i, e, 1);
    }
  }
  bool touched_by(const Quad& quad) const {
    for (const std::size_t i : near.of(extent_of(quad)))
      if (quad_meets_polygon(quad, (*all)[i])) return true;
    return false;
  }
  const Polygon* smallest_around(XY p) const {
    Extent e;
    e.take(p);
    const Polygon* best = nullptr;
    for (const std::size_t i : near.of(e))
      if (inside(p, (*all)[i].rings) && (best == nullptr || (*all)[i].size < best->size)) best = &(*all)[i];
    return best;
  }
};

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
}  // namespace

std::string CheckedMap::Element::tag(const std::string& key) const {
  const auto found = tags.find(key);
  return found == tags.end() ? std::string() : found->second;
}

XY CheckedMap::place(double lat, double lon) const {
  // Lengths of a degree on WGS84 (series in the latitude); the parallel's own radius at each place, so that lengths are
  // right everywhere to 1e-4 within a town.
  const double a = lat0 * kPi / 180;
  const double north = 111132.954 - 559.822 * std::cos(2 * a) + 1.175 * std::cos(4 * a);
  const double east = 111412.84 * std::cos(a) - 93.5 * std::cos(3 * a) + 0.118 * std::cos(5 * a);
  // Meridians draw together to the north: second order terms of the same expansion.
  const double dlat = (lat - lat0) * kPi / 180, dlon = (lon - lon0) * kPi / 180;
  return {(lon - lon0) * (east - 111412.84 * std::sin(a) * dlat),
          (lat - lat0) * north + 0.5 * dlon * dlon * 6378137 * std::cos(a) * std::sin(a)};
}

CheckedMap scan_map(std::string_view text) {
  CheckedMap map;
  CheckedMap::Element* open = nullptr;
  CheckedMap::Element node;
  std::size_t i = 0;
  const auto close = [&] {
    if (open == &node && !node.tags.empty()) map.tagged_nodes.push_back(node);
    open = nullptr;
  };
  while ((i = text.find('<', i)) != std::string_view::npos) {
    if (text.substr(i, 4) == "<!--") {
      i = text.find("-->", i) + 3;
      continue;
    }
    // A '>' may stand in an attribute's value.
    std::size_t end = i;
    char quote = 0;
    for (; end < text.size(); ++end) {
      if (quote != 0) {
        if (text[end] == quote) quote = 0;
      } else if (text[end] == '"' || text[end] == '\'') {
        quote = text[end];
      } else if (text[end] == '>') {
        break;
      }
    }
    const std::string_view tag = text.substr(i + 1, end - i - 1);
    i = end;
    const std::string_view name = tag.substr(0, tag.find_first_of(" \t\r\n/", 1));
    const bool empty = tag.ends_with('/');
    if (name == "/node" || name == "/way" || name == "/relation") close();
    if (name != "node" && name != "way" && name != "relation" && name != "nd" && name != "tag" && name != "member") continue;
    auto attributes = attributes_of(tag);
    if (name == "node") {
      node = {};
      node.kind = attributes["action"] == "delete" ? 'd' : 'n';
      node.id = std::atoll(attributes["id"].c_str());
      node.lat = std::atof(attributes["lat"].c_str());
      node.lon = std::atof(attributes["lon"].c_str());
      if (!map.any) {
        map.lat0 = node.lat;
        map.lon0 = node.lon;
        map.any = true;
      }
      map.at[node.id] = map.place(node.lat, node.lon);
      open = &node;
    } else if (name == "way" || name == "relation") {
      auto& all = name == "way" ? map.ways : map.relations;
      all.emplace_back();
      all.back().id = std::atoll(attributes["id"].c_str());
      open = &all.back();
    } else if (open != nullptr && name == "nd") {
      open->refs.push_back(std::atoll(attributes["ref"].c_str()));
    } else if (open != nullptr && name == "tag") {
      open->tags[attributes["k"]] = attributes["v"];
    } else if (open != nullptr && name == "member" && attributes["type"] == "way") {
      open->way_members.emplace_back(std::atoll(attributes["ref"].c_str()), attributes["role"]);
    }
    if (empty && (name == "node" || name == "way" || name == "relation")) close();
  }
  return map;
}

Quad CheckedHouse::corners() const {
  // heading: clockwise from north; front = +z of the model, x to its right.
  const double a = heading_deg * kPi / 180;
  const XY front{std::sin(a), std::cos(a)}, right{std::cos(a), -std::sin(a)};
  Quad result;
  for (const auto& [r, f] : {std::pair(1, 1), std::pair(1, -1), std::pair(-1, -1), std::pair(-1, 1)})
    result.push_back({center.x + r * right.x * size_x / 2 + f * front.x * size_z / 2,
                      center.y + r * right.y * size_x / 2 + f * front.y * size_z / 2});
  return result;
}

std::vector<CheckedHouse> houses_of(const CheckedMap& map) {
  std::vector<CheckedHouse> result;
  for (const auto& node : map.tagged_nodes) {
    if (node.tag("filePath").empty() || node.tag("sizeX").empty() || node.tag("sizeZ").empty()) continue;
    CheckedHouse house;
    house.id = node.id;
    house.center = map.at.at(node.id);
    house.heading_deg = std::atof(node.tag("rotY").c_str());
    house.size_x = std::atof(node.tag("sizeX").c_str());
    house.size_z = std::atof(node.tag("sizeZ").c_str());
    house.landuse = node.tag("landuse");
    house.ours = !node.tag("simbatch:generated").empty();
    result.push_back(house);
  }
  return result;
}

Obstacles obstacles_of(const CheckedMap& map, const Widths& widths) {
  Obstacles result;
  std::map<std::int64_t, const CheckedMap::Element*> way_by_id;
  for (const auto& way : map.ways) way_by_id.emplace(way.id, &way);
  const auto points_of = [&](const std::vector<std::int64_t>& refs) {
    std::vector<XY> points;
    for (const std::int64_t ref : refs)
      if (const auto found = map.at.find(ref); found != map.at.end()) points.push_back(found->second);
    return points;
  };
  // Multipolygons; an outer way whose tags the relation takes over does not stand for itself.
  std::set<std::int64_t> taken;
  for (const auto& relation : map.relations) {
    if (relation.tag("type") != "multipolygon") continue;
    CheckedMap::Element tags = relation;
    const auto describes = [](const CheckedMap::Element& e) {
      return yes(e.tag("building")) || is_water(e) || !landuse_name(e).empty();
    };
    bool inherits = false;
    if (!describes(tags)) {
      for (const auto& [id, role] : relation.way_members)
        if (role != "inner" && way_by_id.count(id) != 0 && describes(*way_by_id[id])) {
          tags = *way_by_id[id];
          inherits = true;
          break;
        }
    }
    if (!describes(tags)) continue;
    // Join ways at their ends.
    std::vector<std::vector<std::int64_t>> open, rings;
    std::vector<bool> outer;
    for (const auto& [id, role] : relation.way_members) {
      if (way_by_id.count(id) == 0) continue;
      const auto& refs = way_by_id[id]->refs;
      if (refs.size() < 2) continue;
      if (refs.front() == refs.back())
        rings.push_back(refs), outer.push_back(role != "inner");
      else
        open.push_back(refs);
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
      if (chain.front() == chain.back()) rings.push_back(chain), outer.push_back(true);
    }
    Polygon polygon;
    polygon.id = relation.id;
    for (std::size_t k = 0; k < rings.size(); ++k) {
      const auto points = points_of(rings[k]);
      if (points.size() < 4) continue;
      polygon.size += ring_size(points) * (outer[k] ? 1 : -1);
      polygon.rings.push_back(points);
    }
    if (polygon.rings.empty() || std::find(outer.begin(), outer.end(), true) == outer.end()) continue;
    for (const auto& [id, role] : relation.way_members)
      if (role != "inner" && way_by_id.count(id) != 0 &&
          (inherits || (landuse_name(*way_by_id[id]) == landuse_name(tags) &&
                        yes(way_by_id[id]->tag("building")) == yes(tags.tag("building")))))
        taken.insert(id);
    if (yes(tags.tag("building"))) result.buildings.push_back(polygon);
    if (is_water(tags)) result.waters.push_back(polygon);
    polygon.landuse = landuse_name(tags);
    if (!polygon.landuse.empty()) result.landuses.push_back(polygon);
  }
  for (const auto& way : map.ways) {
    const auto points = points_of(way.refs);
    const bool closed = way.refs.size() >= 4 && way.refs.front() == way.refs.back();
    const bool tunnel = yes(way.tag("tunnel"));
    if (points.size() < 2) continue;
    if (const auto kind = widths.find(way.tag("highway")); kind != widths.end()) {
      Line road{points,
                kind->second.half(),
                way.id,
                closed,
                yes(way.tag("bridge")),
                tunnel,
                false,
                any_of(way.tag("oneway"), {"yes", "true", "1", "-1"}),
                any_of(way.tag("junction"), {"roundabout", "circular"}),
                kind->first,
                way.tag("name")};
      road.fast = any_of(kind->first, {"motorway", "trunk"}) || kind->first.ends_with("_link");
      if (closed && way.tag("area") == "yes")
        result.buildings.push_back({{points}, way.id, {}, ring_size(points)});
      else
        result.roads.push_back(road);
    }
    if (any_of(way.tag("railway"), {"rail", "light_rail", "tram", "subway", "narrow_gauge"}) && !tunnel)
      result.rails.push_back({points, 1.4, way.id, closed, false, false, false, false, false, {}, {}});
    if (any_of(way.tag("waterway"), {"river", "stream", "canal", "ditch", "drain"}) && !tunnel)
      result.streams.push_back({points, 0.5, way.id, closed, false, false, false, false, false, {}, {}});
    if (!closed || points.size() < 4 || taken.count(way.id) != 0) continue;
    Polygon polygon{{points}, way.id, {}, ring_size(points)};
    if (yes(way.tag("building"))) result.buildings.push_back(polygon);
    if (is_water(way)) result.waters.push_back(polygon);
    polygon.landuse = landuse_name(way);
    if (!polygon.landuse.empty()) result.landuses.push_back(polygon);
  }
  return result;
}

Verdict judge(const CheckedMap& map, const Widths& widths) {
  const Obstacles obstacles = obstacles_of(map, widths);
  const Segments roads(obstacles.roads), rails(obstacles.rails), streams(obstacles.streams);
  const Polygons buildings(obstacles.buildings), waters(obstacles.waters), landuses(obstacles.landuses);
  Verdict verdict;
  std::vector<CheckedHouse> all = houses_of(map);
  std::vector<Quad> quads;
  Near near;
  for (const CheckedHouse& house : all) {
    near.add(quads.size(), extent_of(house.corners()), 0);
    quads.push_back(house.corners());
  }
  for (std::size_t i = 0; i < all.size(); ++i) {
    const CheckedHouse& house = all[i];
    if (!house.ours) continue;
    ++verdict.houses;
    const auto complain = [&](std::size_t& count, const char* what) {
      ++count;
      if (verdict.complaints.size() < 10) verdict.complaints.push_back("house " + std::to_string(house.id) + " " + what);
    };
    const Quad& quad = quads[i];
    if (roads.touched_by(quad)) complain(verdict.on_road, "touches a road");
    if (rails.touched_by(quad)) complain(verdict.on_rail, "touches a railway");
    if (streams.touched_by(quad)) complain(verdict.on_water, "touches a stream");
    if (buildings.touched_by(quad)) complain(verdict.on_building, "touches a building");
    if (waters.touched_by(quad)) complain(verdict.on_water, "touches water");
    for (const std::size_t j : near.of(extent_of(quad)))
      if (j != i && quads_meet(quad, quads[j])) {
        complain(verdict.on_house, "touches a house");
        break;
      }
    const Polygon* around = landuses.smallest_around(house.center);
    // Places are on a grid of about 1 cm: within 2 cm of a border both sides are right.
    bool right = house.landuse == (around == nullptr ? "residential" : around->landuse);
    for (const auto& [dx, dy] : {std::pair(0.02, 0.0), std::pair(-0.02, 0.0), std::pair(0.0, 0.02), std::pair(0.0, -0.02)}) {
      const Polygon* beside = landuses.smallest_around({house.center.x + dx, house.center.y + dy});
      right = right || house.landuse == (beside == nullptr ? "residential" : beside->landuse);
    }
    if (!right)
      complain(verdict.wrong_landuse, ("has landuse " + house.landuse + " in " +
                                       (around == nullptr ? "none" : around->landuse + " " + std::to_string(around->id)))
                                          .c_str());
    if (house.size_x < 2 && house.size_z < 2) continue;  // a tree may stand inside a wood, without a street
    // Look out of the front: the first road within 60 m must be one for houses, and not from inside its ring.
    const double a = house.heading_deg * kPi / 180;
    const XY eye = house.center, far{eye.x + 60 * std::sin(a), eye.y + 60 * std::cos(a)};
    Extent e;
    e.take(eye);
    e.take(far);
    double nearest = 1e300;
    const Line* seen = nullptr;
    for (const std::size_t k : roads.near.of(e)) {
      const Segment& s = roads.all[k];
      // The widened end: a corner is seen as well.
      if (segment_to_segment(eye, far, s.a, s.b) > 0.5) continue;
      const double d = point_to_segment(eye, s.a, s.b);
      if (d < nearest) {
        nearest = d;
        seen = s.line;
      }
    }
    if (seen == nullptr) {
      complain(verdict.not_facing, "faces no road");
      continue;
    }
    if (seen->roundabout && seen->closed && inside(house.center, seen->points))
      complain(verdict.inside_roundabout, "stands inside a roundabout");
  }
  return verdict;
}

std::size_t greedy(const Obstacles& obstacles, const GreedyOptions& options) {
  const Segments roads(obstacles.roads), rails(obstacles.rails), streams(obstacles.streams);
  const Polygons buildings(obstacles.buildings), waters(obstacles.waters), landuses(obstacles.landuses);
  std::vector<Quad> placed;
  Near near;
  for (const Line& road : obstacles.roads) {
    if (road.bridge || road.tunnel || any_of(road.kind, {"motorway", "trunk"})) continue;
    if (!options.fast_links_too && road.fast) continue;
    double total = 0;
    for (std::size_t i = 0; i + 1 < road.points.size(); ++i)
      total += std::hypot(road.points[i + 1].x - road.points[i].x, road.points[i + 1].y - road.points[i].y);
    for (const int side : {-1, 1}) {
      double s = 5;
      while (s + 5 <= total) {
        // The point at s.
        double left = s;
        std::size_t i = 0;
        double l = 0;
        for (; i + 1 < road.points.size(); ++i) {
          l = std::hypot(road.points[i + 1].x - road.points[i].x, road.points[i + 1].y - road.points[i].y);
          if (left <= l && l > 0) break;
          left -= l;
        }
        if (i + 1 >= road.points.size()) break;
        const XY a = road.points[i], b = road.points[i + 1];
        const XY t{(b.x - a.x) / l, (b.y - a.y) / l}, n{side * -t.y, side * t.x};
        const XY p{a.x + t.x * left, a.y + t.y * left};
        Quad quad;
        for (const auto& [u, v] : {std::pair(-5.0, 0.0), std::pair(5.0, 0.0), std::pair(5.0, 10.0), std::pair(-5.0, 10.0)}) {
          const double out = road.half + 5 + v;
          quad.push_back({p.x + t.x * u + n.x * out, p.y + t.y * u + n.y * out});
        }
        bool free = !roads.touched_by(quad) && !buildings.touched_by(quad);
        if (free && options.mind_water_and_rails)
          free = !waters.touched_by(quad) && !rails.touched_by(quad) && !streams.touched_by(quad);
        if (free && options.residential_default_only) {
          const XY c{(quad[0].x + quad[2].x) / 2, (quad[0].y + quad[2].y) / 2};
          const Polygon* around = landuses.smallest_around(c);
          free = around == nullptr || around->landuse == "residential";
        }
        if (free)
          for (const std::size_t j : near.of(extent_of(quad)))
            if (quads_meet(quad, placed[j])) {
              free = false;
              break;
            }
        if (free) {
          near.add(placed.size(), extent_of(quad), 0);
          placed.push_back(quad);
        }
        s += free ? 15 : 2;
      }
    }
  }
  return placed.size();
}

Widths thesis_widths() {
  return {{"motorway", {16, 1.5, 1.5}},  {"motorway_link", {4, 0, 0}}, {"trunk", {12, 1.5, 1.5}},
          {"trunk_link", {4, 0, 0}},     {"primary", {16, 1.5, 1.5}},  {"primary_link", {4, 0, 0}},
          {"secondary", {8, 1.5, 1.5}},  {"tertiary", {6, 1.5, 1.5}},  {"unclassified", {6, 0, 0}},
          {"unsurfaced", {3, 1.5, 1.5}}, {"track", {3, 1.5, 1.5}},     {"residential", {8, 1.5, 1.5}},
          {"service", {3, 1.5, 1.5}}};
}

}  // namespace simbatch::test
