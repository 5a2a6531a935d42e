#include "tests/unit/lib/town/house_checker.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numbers>
#include <set>

namespace simbatch::test {
namespace {
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

}  // namespace

Quad CheckedHouse::corners() const {
  // heading: clockwise from north; front = +z of the model, x to its right.
  const double a = heading_deg * std::numbers::pi / 180;
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
    const double a = house.heading_deg * std::numbers::pi / 180;
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
    if (road.bridge || road.tunnel || road.kind == "motorway" || road.kind == "trunk") continue;
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

}  // namespace simbatch::test
