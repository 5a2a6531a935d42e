// Our own method: pieces of lanes from the same network as on the ground (junctions.cpp), each corner with its height. What is
// built at the edge of a piece depends on what is beyond it: nothing (a wall), or a piece that is open, covered or a deck (an
// abutment, a portal).
#include "lib/roads/structures.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "lib/roads/convex.hpp"
#include "lib/roads/junctions.hpp"
#include "lib/roads/lane_heights.hpp"
#include "lib/roads/segment_index.hpp"
#include "lib/roads/smooth.hpp"
#include "lib/roads/strip_index.hpp"

namespace simbatch::roads {
namespace {
using namespace detail;

constexpr double kDeck = 5.0;       // m above the ground, from which on there is room to drive below
constexpr double kWaterDeck = 1;    // m above the ground, from which on there is a deck over water
constexpr double kRoom = 4.7;       // m from a tunnel's lanes to its ceiling
constexpr double kParapet = 0.8;    // m
constexpr double kFooting = 0.3;    // m: depth of walls below the ground
constexpr double kSameLevel = 1;    // m: pieces with a larger difference in height are not adjacent
constexpr double kEdgePart = 1;     // m: maximum length of the parts into which edges are cut
constexpr double kFinest = 0.02;    // m: where another part begins is found to this
constexpr double kOnLane = 0.15;    // m: anything closer to a lane's edge counts as beside it
constexpr double kTall = 2.5;       // m above lanes that must stay free of walls
constexpr double kLowLane = 2;      // m: no pavement of another road may cover lanes between this height and -kLowLane
constexpr double kWidestLane = 25;  // m: maximum half width of a road considered in the search

/// A convex piece of lanes, counter-clockwise.
struct Slab {
  Piece piece;
  std::array<double, 4> height{};  // of the corners above the ground (m)
  double mean = 0;
  bool is_deck = false, is_covered = false;
};

/// Height of a slab at a place; NaN outside the slab.
double height_in(const Slab& slab, EastNorth p) {
  const auto* c = slab.piece.corners;
  for (std::size_t i = 2; i < slab.piece.count; ++i) {
    const double whole = twice_area(c[0], c[i - 1], c[i]);
    const double u = twice_area(c[0], p, c[i]) / whole, v = twice_area(c[0], c[i - 1], p) / whole;
    if (!(u >= 0 && v >= 0 && u + v <= 1)) continue;
    return slab.height[0] + u * (slab.height[i - 1] - slab.height[0]) + v * (slab.height[i] - slab.height[0]);
  }
  return std::numeric_limits<double>::quiet_NaN();
}

double lowest_of(const Slab& slab) { return *std::min_element(slab.height.begin(), slab.height.begin() + slab.piece.count); }

class StructureBuilder {
 public:
  StructureBuilder(const autosim::RoadDimensions& dimensions, const HeightGrid& terrain, const Budget& budget)
      : budget_(budget), lift_(dimensions.height_above_terrain), terrain_(terrain) {}

  Structures build(const LevelPieces& roads, const std::vector<MapPart>& water) {
    for (const std::vector<Road>* some : {&roads.ground, &roads.off_ground})
      for (const Road& road : *some) add_lanes(road);
    lanes_.build();
    const Network network = network_of(roads.off_ground);
    for (const Place& place : network.places)  // each arm is compared with every other one
      if (!budget_.take(16 * place.arms.size() * place.arms.size(), place.at)) return {};
    const LaneHeights heights(network);
    for (std::uint32_t n = 0; n < network.legs.size(); ++n) add_leg(network.legs[n], n, heights);
    first_of_places_ = slabs_.size();
    for (std::uint32_t n = 0; n < network.places.size(); ++n) add_place(network, n, heights);
    span_water(water);
    for (const Slab& slab : slabs_) {
      index_.add(slab.piece);
      if (!budget_.fits(index_.entries(), slab.piece.corners[0])) return {};
    }
    index_.build();
    for (std::size_t n = 0; n < slabs_.size() && !budget_.crowded(); ++n) {
      const std::uint64_t before = index_.looked_at();
      finish(n);
      budget_.take(index_.looked_at() - before, slabs_[n].piece.corners[0]);
    }
    return std::move(result_);
  }

 private:
  /// Segment::span is an index into `lane_`.
  void add_lanes(const Road& road) {
    for (std::size_t k = 0; k + 1 < road.line.size(); ++k) {
      const bool is_off = !road.height.empty();
      lanes_.add({road.line[k], road.line[k + 1], static_cast<std::uint32_t>(lane_.size()), 0});
      lane_.push_back({road.width / 2, is_off ? road.height[k] : 0, is_off ? road.height[k + 1] : 0});
    }
  }

  /// Whether a wall at this place would obstruct a car on a lane.
  bool is_on_lane(EastNorth p, double low, double high) {
    lanes_.near(minus(p, {kWidestLane, kWidestLane}), plus(p, {kWidestLane, kWidestLane}), near_lanes_);
    if (!budget_.take(near_lanes_.size(), p)) return true;
    return std::any_of(near_lanes_.begin(), near_lanes_.end(), [&](std::uint32_t n) {
      const Lane& lane = lane_[lanes_[n].span];
      const Nearest nearest = nearest_on(lanes_[n], p);
      if (nearest.t <= 0 || nearest.t >= 1 || nearest.distance > lane.half_width - kOnLane) return false;
      const double height = lane.height_a + nearest.t * (lane.height_b - lane.height_a);
      return low < height + kTall && high > height + kOnLane;
    });
  }

  void add(Piece piece, std::array<double, 4> height) {
    const auto corners = piece.span();
    const bool is_in =
        std::any_of(corners.begin(), corners.end(), [&](EastNorth p) { return terrain_.contains(p.east, p.north); });
    if (!is_in || twice_area(corners) < 2 * kSliver) return;
    Slab slab{piece, height, 0, true, true};
    for (std::size_t i = 0; i < piece.count; ++i) {
      slab.mean += height[i] / piece.count;
      slab.is_deck = slab.is_deck && height[i] >= kDeck;
      slab.is_covered = slab.is_covered && height[i] <= -kUnderGround;
    }
    slabs_.push_back(slab);
  }
  void add_triangle(EastNorth a, double ha, EastNorth b, double hb, EastNorth c, double hc) {
    if (twice_area(a, b, c) >= 0)
      add({{a, b, c, {}}, 3}, {ha, hb, hc, 0});
    else
      add({{a, c, b, {}}, 3}, {ha, hc, hb, 0});
  }

  void add_leg(const Leg& leg, std::uint32_t number, const LaneHeights& heights) {
    if (leg.length() - leg.cut[0] - leg.cut[1] < 1e-4) return;
    const std::vector<EastNorth> line = trimmed_line(leg);
    double s = leg.cut[0];
    EastNorth left, right;
    double left_height = 0, right_height = 0;
    for (std::size_t i = 0; i < line.size(); ++i) {
      if (i > 0) s += distance(line[i - 1], line[i]);
      const EastNorth in = unit(minus(line[i], line[i > 0 ? i - 1 : 0])),
                      out = unit(minus(line[std::min(i + 1, line.size() - 1)], line[i]));
      const EastNorth along = i == 0 ? out : i + 1 == line.size() ? in : unit(plus(in, out));
      const double stretch = i == 0 || i + 1 == line.size() ? 1 : 1 / std::max(0.5, dot(along, in));
      const EastNorth across = times(leg.half_width * stretch, left_of(along));
      const EastNorth l = plus(line[i], across), r = minus(line[i], across);
      const double hl = heights.on_leg(number, s, l), hr = heights.on_leg(number, s, r);
      if (i > 0) {
        const EastNorth corners[] = {right, r, l, left};
        if (is_convex(corners)) {
          add({{right, r, l, left}, 4}, {right_height, hr, hl, left_height});
        } else {
          add_triangle(right, right_height, r, hr, l, hl);
          add_triangle(right, right_height, l, hl, left, left_height);
        }
      }
      left = l;
      right = r;
      left_height = hl;
      right_height = hr;
    }
  }

  void add_place(const Network& network, std::uint32_t number, const LaneHeights& heights) {
    for (const Piece& piece : detail::ground_of(network, network.places[number]).lanes) {
      std::array<double, 4> height{};
      for (std::size_t i = 0; i < piece.count; ++i) height[i] = heights.in_place(number, piece.corners[i]);
      add(piece, height);
    }
  }

  /// Over water there is a deck, unless it is too low.
  void span_water(const std::vector<MapPart>& water) {
    StripIndex index;
    for (const Slab& slab : slabs_) index.add(box_of(slab.piece.span()));
    index.build();
    std::vector<Polygon> parts;
    for (const MapPart& part : water) {
      const Piece shape = piece_of(part.outline);
      const std::size_t compared = index.near(box_of(part.outline), [&](std::uint32_t n) {
        Slab& slab = slabs_[n];
        const auto corners = slab.piece.span();
        if (slab.is_deck || lowest_of(slab) < kWaterDeck) return;
        parts.assign(1, Polygon(corners.begin(), corners.end()));
        slab.is_deck = subtract(parts, shape);
      });
      if (!budget_.take(1 + 4 * compared, part.outline[0])) return;
    }
  }

  geo::Vec3 on_lane(EastNorth p, double height) const {
    return {p.east, height_at(terrain_, p.east, p.north) + lift_ + height, p.north};
  }
  static geo::Vec3 raised(geo::Vec3 p, double by) { return {p.x, p.y + by, p.z}; }

  /// Both sides.
  void add_wall(geo::Vec3 a, geo::Vec3 b, double low_a, double low_b, double high_a, double high_b) {
    if (high_a - low_a < 0.02 && high_b - low_b < 0.02) return;
    const geo::Vec3 p = raised(a, low_a), q = raised(b, low_b), r = raised(b, high_b), s = raised(a, high_a);
    geo::TriangleMesh& mesh = result_.walls;
    const bool has_a = high_a - low_a >= 0.02, has_b = high_b - low_b >= 0.02;
    if (has_b) {
      mesh.add(p, q, r);
      mesh.add(p, r, q);
    }
    if (has_a) {
      mesh.add(p, r, s);
      mesh.add(p, s, r);
    }
  }

  void add_face(const Slab& slab, double by, bool up, geo::TriangleMesh& mesh) const {
    std::array<geo::Vec3, 4> p;
    for (std::size_t i = 0; i < slab.piece.count; ++i) p[i] = raised(on_lane(slab.piece.corners[i], slab.height[i]), by);
    for (std::size_t i = 2; i < slab.piece.count; ++i) {
      if (twice_area(slab.piece.corners[0], slab.piece.corners[i - 1], slab.piece.corners[i]) < kSliver) continue;
      if (up)
        mesh.add(p[0], p[i], p[i - 1]);
      else
        mesh.add(p[0], p[i - 1], p[i]);
    }
  }

  /// The slab beyond an edge at that place, at the same level; null if there is none.
  const Slab* beyond(EastNorth p, double height, std::size_t own) const {
    for (const std::uint32_t n : index_.near({p, p}))
      if (n != own && std::fabs(height_in(slabs_[n], p) - height) <= kSameLevel) return &slabs_[n];
    return nullptr;
  }

  void finish(std::size_t number) {
    const Slab& slab = slabs_[number];
    add_face(slab, 0, true, number < first_of_places_ ? result_.lanes : result_.junctions);
    if (slab.is_deck) add_face(slab, -kDeckThickness, false, result_.walls);
    if (slab.is_covered) add_face(slab, kRoom, false, result_.walls);
    const auto corners = slab.piece.span();
    if (lowest_of(slab) < 0 && !slab.is_covered) result_.openings.emplace_back(corners.begin(), corners.end());
    if (std::fabs(slab.mean) < kLowLane) result_.low.emplace_back(corners.begin(), corners.end());
    for (std::size_t i = 0; i < slab.piece.count; ++i) {
      const std::size_t j = (i + 1) % slab.piece.count;
      const EastNorth a = slab.piece.corners[i], b = slab.piece.corners[j];
      if (a == b) continue;
      add_edge({slab, number, a, minus(b, a), times(-0.05, left_of(unit(minus(b, a)))), slab.height[i],
                slab.height[j] - slab.height[i]});
    }
  }

  /// An edge of a slab; `out`: from a place on it to just outside.
  struct Edge {
    const Slab& slab;
    std::size_t number = 0;
    EastNorth from, along, out;
    double height = 0, rise = 0;
    EastNorth at(double t) const { return plus(from, times(t, along)); }
    double height_at(double t) const { return height + t * rise; }
  };
  enum class Wall { none, deck, bank, abutment, tunnel, cutting, portal };

  /// Lower and upper end of a wall over the lanes of the ground (m), where the slab's edge is at this height.
  std::pair<double, double> range_of(Wall wall, double height) const {
    const double footing = -kFooting - lift_, parapet = kParapet * smooth(std::fabs(height) / 1.5);
    switch (wall) {
      case Wall::deck: return {height - kDeckThickness, height + parapet};
      case Wall::bank: return {footing, height + parapet};
      case Wall::abutment: return {footing, height - kDeckThickness};
      case Wall::tunnel: return {height, height + kRoom};
      case Wall::cutting: return {height, parapet};
      case Wall::portal: return {height + kRoom, kParapet};
      case Wall::none: break;
    }
    return {0, 0};
  }

  Wall wall_at(const Edge& edge, double t) {
    const EastNorth beside = plus(edge.at(t), edge.out);
    const double height = edge.height_at(t);
    const Slab *other = beyond(beside, height, edge.number), &slab = edge.slab;
    Wall wall = Wall::none;
    if (slab.mean >= 0) {
      if (other == nullptr)
        wall = slab.is_deck ? Wall::deck : Wall::bank;
      else if (other->is_deck && !slab.is_deck)
        wall = Wall::abutment;
    } else if (other == nullptr) {
      wall = slab.is_covered ? Wall::tunnel : Wall::cutting;
    } else if (other->is_covered && !slab.is_covered) {
      wall = Wall::portal;
    }
    if (wall == Wall::none) return wall;
    const auto [low, high] = range_of(wall, height);
    return is_on_lane(beside, low, high) ? Wall::none : wall;
  }

  void add_walls(const Edge& edge, double from, double to, Wall wall) {
    if (wall == Wall::none || from >= to) return;
    const int parts = parts_of((to - from) * length(edge.along));
    for (int k = 0; k < parts; ++k) {
      const double a = from + k * (to - from) / parts, b = from + (k + 1) * (to - from) / parts;
      const auto [low_a, high_a] = range_of(wall, edge.height_at(a));
      const auto [low_b, high_b] = range_of(wall, edge.height_at(b));
      add_wall(on_lane(edge.at(a), 0), on_lane(edge.at(b), 0), low_a, low_b, high_a, high_b);
    }
  }

  static int parts_of(double meters) { return std::clamp(static_cast<int>(std::ceil(meters / kEdgePart)), 1, 1000); }

  /// Walls end where a lane begins, or the narrower slab at which a wider one ends.
  void add_edge(const Edge& edge) {
    const double meters = length(edge.along);
    const int parts = parts_of(meters);
    const double inset = std::min(0.25 / parts, kFinest / meters);  // corners are of two edges
    double from = 0, before = inset;
    Wall wall = wall_at(edge, before);
    for (int k = 0; k <= parts; ++k) {
      const double t = k < parts ? (k + 0.5) / parts : 1 - inset;
      const Wall here = wall_at(edge, t);
      if (here != wall) {
        double change = t;
        while ((change - before) * meters > kFinest) {
          const double middle = (before + change) / 2;
          (wall_at(edge, middle) == wall ? before : change) = middle;
        }
        if (wall == Wall::none) change = before;  // no gaps
        add_walls(edge, from, change, wall);
        from = change;
        wall = here;
      }
      before = t;
    }
    add_walls(edge, from, 1, wall);
  }

  /// Half the width of a piece of lanes, and its heights above the ground (m).
  struct Lane {
    double half_width = 0, height_a = 0, height_b = 0;
  };
  const Budget& budget_;
  SegmentIndex lanes_;
  std::vector<Lane> lane_;
  std::vector<std::uint32_t> near_lanes_;
  double lift_;
  const HeightGrid& terrain_;
  std::vector<Slab> slabs_;
  std::size_t first_of_places_ = 0;
  PieceIndex index_;
  Structures result_;
};

}  // namespace

Structures structures_of(const LevelPieces& roads, const autosim::RoadDimensions& dimensions, const HeightGrid& terrain,
                         const std::vector<MapPart>& water, const Budget& budget) {
  return StructureBuilder(dimensions, terrain, budget).build(roads, water);
}

namespace {
/// The part of a ground triangle outside the openings.
void add_cut(const std::array<geo::Vec3, 3>& corners, const HeightGrid& terrain, const std::vector<Polygon>& parts,
             geo::TriangleMesh& mesh) {
  const auto lifted = [&](EastNorth p) {
    for (const geo::Vec3& c : corners)
      if (c.x == p.east && c.z == p.north) return c;
    return geo::Vec3{p.east, height_at(terrain, p.east, p.north), p.north};
  };
  for (const Polygon& part : parts)
    for (std::size_t k = 2; k < part.size(); ++k)
      if (twice_area(part[0], part[k - 1], part[k]) > 1e-6) mesh.add(lifted(part[0]), lifted(part[k]), lifted(part[k - 1]));
}
}  // namespace

geo::TriangleMesh opened_ground(const HeightGrid& terrain, const std::vector<std::vector<geo::EastNorth>>& openings,
                                const Budget& budget) {
  PieceIndex index;
  for (const Polygon& opening : openings) index.add(piece_of(opening));
  index.build();
  geo::TriangleMesh mesh;
  mesh.points.reserve(terrain.heights.size());
  for (int j = 0; j < terrain.nz; ++j)
    for (int i = 0; i < terrain.nx; ++i)
      mesh.points.push_back(
          {terrain.x0 + i * terrain.spacing, terrain.heights[mesh.points.size()], terrain.z0 + j * terrain.spacing});
  std::vector<Polygon> parts;
  for (int j = 0; j + 1 < terrain.nz; ++j)
    for (int i = 0; i + 1 < terrain.nx; ++i) {
      const auto a = static_cast<std::uint32_t>(j * terrain.nx + i), b = a + static_cast<std::uint32_t>(terrain.nx);
      const EastNorth low{mesh.points[a].x, mesh.points[a].z}, high{mesh.points[b + 1].x, mesh.points[b + 1].z};
      const std::vector<std::uint32_t> near = index.near({low, high});
      for (const auto& t : {std::array<std::uint32_t, 3>{a, b, a + 1}, std::array<std::uint32_t, 3>{a + 1, b, b + 1}}) {
        const std::array<geo::Vec3, 3> corners{mesh.points[t[0]], mesh.points[t[1]], mesh.points[t[2]]};
        parts.assign(1, Polygon{{corners[0].x, corners[0].z}, {corners[2].x, corners[2].z}, {corners[1].x, corners[1].z}});
        bool is_cut = false;
        for (const std::uint32_t number : near) {
          if (!budget.take(parts.size(), low)) return mesh;
          is_cut = subtract(parts, index[number]) || is_cut;
        }
        if (is_cut)
          add_cut(corners, terrain, parts, mesh);
        else
          mesh.indices.insert(mesh.indices.end(), t.begin(), t.end());
      }
    }
  return mesh;
}

}  // namespace simbatch::roads
