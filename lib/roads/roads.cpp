#include "lib/roads/roads.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>
#include <optional>
#include <utility>

#include "lib/roads/drape.hpp"
#include "lib/roads/junctions.hpp"
#include "lib/roads/segment_index.hpp"

// Outline: legs become strips of convex pieces, places become fans or corners (junctions.cpp). The lanes of all roads are
// subtracted from the pavements. Remaining pavement edges become curbs where they border lanes, and skirts elsewhere.

namespace simbatch::roads {
namespace {
using namespace detail;

constexpr double kSharp = 60 * std::numbers::pi / 180;  ///< sharper bends interrupt a strip (rad)
constexpr double kSkirt = 0.1;                          ///< m: depth of skirts below the terrain, so that no gap is visible

/// Ground surfaces before draping.
struct Ground {
  std::vector<Piece> lanes;      ///< of legs
  std::vector<Piece> junctions;  ///< of places
  std::vector<Polygon> pavements;
};

void add_lane(std::vector<Piece>& pieces, EastNorth a, EastNorth b, EastNorth c) {
  if (std::fabs(twice_area(a, b, c)) > 1e-6) pieces.push_back(piece_of(a, b, c));
}

/// The strip between the left and right edges of a -> b: one convex piece, or two triangles.
void add_lane(std::vector<Piece>& pieces, EastNorth right_a, EastNorth right_b, EastNorth left_b, EastNorth left_a) {
  const EastNorth corners[] = {right_a, right_b, left_b, left_a};
  if (is_convex(corners) && twice_area(corners) > 1e-6) {
    pieces.push_back({{right_a, right_b, left_b, left_a}, 4});
    return;
  }
  add_lane(pieces, right_a, right_b, left_b);
  add_lane(pieces, right_a, left_b, left_a);
}

void add_pavement(std::vector<Polygon>& polygons, EastNorth a, EastNorth b, EastNorth c, EastNorth d) {
  const EastNorth corners[] = {a, b, c, d};
  if (is_convex(corners) && twice_area(corners) > 2 * kSliver) {
    polygons.push_back({a, b, c, d});
    return;
  }
  add_triangle(polygons, a, b, c);
  add_triangle(polygons, a, c, d);
}

/// Walks a leg and adds its strips.
class Strip {
 public:
  Strip(const Leg& leg, Ground& ground) : leg_(leg), ground_(ground), line_(trimmed_line(leg)) {}

  void build() {
    const std::size_t n = line_.size();
    if (leg_.length() - leg_.cut[0] - leg_.cut[1] < 1e-4) return;
    CrossSection from = section(line_[0], left_of(direction(0)), 1);
    for (std::size_t i = 1; i < n; ++i) {
      if (i + 1 == n) {
        add(from, section(line_[i], left_of(direction(i - 1)), 1));
        break;
      }
      const EastNorth in = direction(i - 1), out = direction(i);
      const double turn = std::atan2(cross(in, out), dot(in, out));
      if (is_smooth(i, turn)) {
        const EastNorth middle = unit(plus(in, out));
        const CrossSection here = section(line_[i], left_of(middle), 1 / std::cos(turn / 2));
        add(from, here);
        from = here;
      } else {
        const CrossSection end = section(line_[i], left_of(in), 1), start = section(line_[i], left_of(out), 1);
        add(from, end);
        add_corner(end, start, turn > 0);
        from = start;
      }
    }
  }

 private:
  EastNorth direction(std::size_t i) const { return unit(minus(line_[i + 1], line_[i])); }

  /// True if the edges of the strip do not fold at a bend: the inner edge does not reach past either neighbor.
  bool is_smooth(std::size_t i, double turn) const {
    if (std::fabs(turn) > kSharp) return false;
    const double reach = leg_.half_width + (turn > 0 ? leg_.left : leg_.right);
    const double shorter = std::min(distance(line_[i - 1], line_[i]), distance(line_[i], line_[i + 1]));
    return reach * std::tan(std::fabs(turn) / 2) < 0.5 * shorter;
  }

  CrossSection section(EastNorth at, EastNorth left, double stretch) const {
    const double h = leg_.half_width * stretch, l = (leg_.half_width + leg_.left) * stretch,
                 r = (leg_.half_width + leg_.right) * stretch;
    return {at, plus(at, times(h, left)), plus(at, times(-h, left)), plus(at, times(l, left)), plus(at, times(-r, left))};
  }

  void add(const CrossSection& a, const CrossSection& b) {
    add_lane(ground_.lanes, a.right, b.right, b.left, a.left);
    if (leg_.left > 0) add_pavement(ground_.pavements, a.left, b.left, b.outer_left, a.outer_left);
    if (leg_.right > 0) add_pavement(ground_.pavements, a.outer_right, b.outer_right, b.right, a.right);
  }

  /// Fills the outside of a bend.
  void add_corner(const CrossSection& end, const CrossSection& start, bool turns_left) {
    const EastNorth a = turns_left ? end.right : end.left, b = turns_left ? start.right : start.left;
    const EastNorth outer_a = turns_left ? end.outer_right : end.outer_left,
                    outer_b = turns_left ? start.outer_right : start.outer_left;
    add_lane(ground_.lanes, end.middle, a, b);
    add_triangle(ground_.pavements, a, b, outer_b);
    add_triangle(ground_.pavements, a, outer_b, outer_a);
  }

  const Leg& leg_;
  Ground& ground_;
  std::vector<EastNorth> line_;
};

Ground ground_of(const Network& network, RoadMeshes::Counts& counts) {
  Ground ground;
  for (const Leg& leg : network.legs) Strip(leg, ground).build();
  for (const Place& place : network.places) {
    if (place.arms.size() >= 3) {
      ++counts.junctions;
      ++(place.is_fan ? counts.fans : counts.overlaps);
    }
    PlaceGround more = detail::ground_of(network, place);
    ground.junctions.insert(ground.junctions.end(), more.lanes.begin(), more.lanes.end());
    ground.pavements.insert(ground.pavements.end(), more.pavements.begin(), more.pavements.end());
  }
  return ground;
}

constexpr std::uint64_t kPartCost = 2'000;  ///< cost of draping a part of a pavement and finding its curbs

/// Subtracts all lanes from the pavements. The result is not complete when the budget is used up.
std::vector<Polygon> cut_pavements(const std::vector<Polygon>& pavements, const PieceIndex& lanes, const Budget& budget) {
  std::vector<Polygon> result;
  std::vector<Polygon> parts;
  for (const Polygon& pavement : pavements) {
    parts.assign(1, pavement);
    const std::uint64_t before = lanes.looked_at();
    std::uint64_t compared = 0;
    for (const std::uint32_t number : lanes.near(box_of(pavement))) {
      compared += parts.size();
      subtract(parts, lanes[number]);
      if (parts.empty()) break;
    }
    if (!budget.take(lanes.looked_at() - before + compared + kPartCost * parts.size(), pavement[0])) return result;
    result.insert(result.end(), parts.begin(), parts.end());
  }
  return result;
}

/// Subtracts [from, to] from a set of disjoint ascending intervals; the removed parts go to `taken`.
using Intervals = std::vector<std::pair<double, double>>;
void take(Intervals& open, double from, double to, Intervals& taken) {
  Intervals rest;
  for (const auto& [a, b] : open) {
    const double low = std::max(a, from), high = std::min(b, to);
    if (low >= high) {
      rest.emplace_back(a, b);
      continue;
    }
    taken.emplace_back(low, high);
    if (a < low) rest.emplace_back(a, low);
    if (high < b) rest.emplace_back(high, b);
  }
  open = std::move(rest);
}

/// Curbs and skirts of one edge of a pavement polygon (the pavement is on its left).
void add_edge(EastNorth a, EastNorth b, const PieceIndex& lanes, const PieceIndex& pavements,
              const autosim::RoadDimensions& dimensions, Drape& drape, geo::TriangleMesh& curbs) {
  const double l = distance(a, b);
  if (l < 0.01) return;
  const EastNorth out = times(-0.02, left_of(unit(minus(b, a))));  // just outside
  const EastNorth p = plus(a, out), q = plus(b, out);
  const EastNorth corners[] = {p, q};
  const Box box = box_of(corners);
  Intervals open{{0, 1}}, at_lane, at_pavement;
  double from = 0, to = 0;
  for (const std::uint32_t number : lanes.near(box))
    if (interval_in(lanes[number], p, q, from, to)) take(open, from, to, at_lane);
  for (const std::uint32_t number : pavements.near(box))
    if (interval_in(pavements[number], p, q, from, to)) take(open, from, to, at_pavement);
  const double lane = dimensions.height_above_terrain, top = lane + dimensions.curb_height;
  std::sort(at_lane.begin(), at_lane.end());
  const auto add = [&](Intervals& intervals, double low) {
    for (std::size_t i = 0; i < intervals.size(); ++i) {
      double end = intervals[i].second;
      const double start = intervals[i].first;
      while (i + 1 < intervals.size() && intervals[i + 1].first <= end + 1e-9) end = std::max(end, intervals[++i].second);
      if ((end - start) * l > 0.005)
        drape.add_face(plus(a, times(start, minus(b, a))), plus(a, times(end, minus(b, a))), low, top, curbs);
    }
  };
  add(at_lane, lane);
  add(open, -kSkirt);
}

/// Subtracts openings from the lanes; what remains of a piece is cut into triangles.
void cut_lanes(std::vector<Piece>& lanes, const PieceIndex& openings, const Budget& budget) {
  std::vector<Piece> result;
  std::vector<Polygon> parts;
  for (const Piece& lane : lanes) {
    const Box box = box_of(lane.span());
    parts.assign(1, Polygon(lane.span().begin(), lane.span().end()));
    bool is_cut = false;
    for (const std::uint32_t number : openings.near(box)) {
      if (!budget.take(1 + parts.size(), box.low)) return;
      is_cut = subtract(parts, openings[number]) || is_cut;
    }
    if (!is_cut) {
      result.push_back(lane);
      continue;
    }
    if (!budget.take(kPartCost * parts.size(), box.low)) return;
    for (const Polygon& part : parts)
      for (std::size_t i = 2; i < part.size(); ++i) add_lane(result, part[0], part[i - 1], part[i]);
  }
  lanes = std::move(result);
}

PieceIndex index_of(const std::vector<Polygon>& polygons) {
  PieceIndex index;
  for (const Polygon& polygon : polygons) index.add(piece_of(polygon));
  index.build();
  return index;
}

std::uint64_t bytes_of(const RoadMeshes& meshes) {
  std::uint64_t bytes = 0;
  for (const geo::TriangleMesh* mesh : {&meshes.lanes, &meshes.junctions, &meshes.pavements, &meshes.curbs})
    bytes += mesh->points.size() * sizeof(geo::Vec3) + mesh->indices.size() * sizeof(std::uint32_t);
  return bytes;
}

/// Drapes pavements, with curbs along their edges, until the budget is used up.
void lay_pavements(const std::vector<Polygon>& pavements, const PieceIndex& lanes, const autosim::RoadDimensions& dimensions,
                   const Budget& budget, Drape& drape, RoadMeshes& meshes) {
  PieceIndex index;
  std::size_t triangles = 0;
  for (const Polygon& polygon : pavements) triangles += std::max<std::size_t>(polygon.size(), 2) - 2;
  index.reserve(triangles);
  for (const Polygon& polygon : pavements)
    for (std::size_t i = 2; i < polygon.size(); ++i) {
      index.add({{polygon[0], polygon[i - 1], polygon[i], {}}, 3});
      if (!budget.fits(index.entries(), polygon[0])) return;
    }
  index.build();
  const double lift = dimensions.height_above_terrain;
  for (const Polygon& pavement : pavements) {
    const std::uint64_t before = lanes.looked_at() + index.looked_at(), bytes = bytes_of(meshes);
    if (!drape.add(pavement, lift + dimensions.curb_height, meshes.pavements)) {
      ++meshes.counts.outside;
      continue;
    }
    if (dimensions.curb_height > 0 || lift > 0)
      for (std::size_t i = 0; i < pavement.size(); ++i)
        add_edge(pavement[i], pavement[(i + 1) % pavement.size()], lanes, index, dimensions, drape, meshes.curbs);
    budget.hold(bytes_of(meshes) - bytes, pavement[0]);
    if (!budget.take(lanes.looked_at() + index.looked_at() - before, pavement[0])) return;
  }
}

}  // namespace

RoadMeshes road_meshes(const std::vector<Road>& roads, const autosim::RoadDimensions& dimensions, const HeightGrid& terrain,
                       const std::vector<std::vector<geo::EastNorth>>& openings,
                       const std::vector<std::vector<geo::EastNorth>>& low, const Effort& effort) {
  RoadMeshes meshes;
  Ground ground = ground_of(network_of(roads), meshes.counts);
  const Budget budget(ground.lanes.size() + ground.junctions.size() + ground.pavements.size(), effort);
  if (!openings.empty()) {
    const PieceIndex index = index_of(openings);
    cut_lanes(ground.lanes, index, budget);
    cut_lanes(ground.junctions, index, budget);
    ground.pavements = cut_pavements(ground.pavements, index, budget);
  }
  if (!low.empty()) ground.pavements = cut_pavements(ground.pavements, index_of(low), budget);

  // What is laid out is a hundred megabytes for a city: each form is given up once the next is made.
  PieceIndex lanes;
  const std::size_t first_junction = ground.lanes.size();
  lanes.reserve(ground.lanes.size() + ground.junctions.size());
  for (std::vector<Piece>* pieces : {&ground.lanes, &ground.junctions}) {
    for (const Piece& piece : *pieces) {
      lanes.add(piece);
      if (!budget.fits(lanes.entries(), piece.corners[0])) break;
    }
    if ((meshes.crowded = budget.crowded())) return meshes;
    *pieces = {};
  }
  lanes.build();
  Drape drape(terrain);
  const double lift = dimensions.height_above_terrain;
  {
    const std::vector<Polygon> pavements = cut_pavements(std::exchange(ground.pavements, {}), lanes, budget);
    if (!budget.crowded()) lay_pavements(pavements, lanes, dimensions, budget, drape, meshes);
    if ((meshes.crowded = budget.crowded())) return meshes;
  }
  const std::vector<Piece> pieces = std::move(lanes).take_pieces();
  lanes = PieceIndex();
  Polygon polygon;
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    const std::uint64_t bytes = bytes_of(meshes);
    polygon.assign(pieces[i].span().begin(), pieces[i].span().end());
    if (!drape.add(polygon, lift, i < first_junction ? meshes.lanes : meshes.junctions)) ++meshes.counts.outside;
    if (!budget.hold(bytes_of(meshes) - bytes, polygon[0])) break;
  }
  meshes.crowded = budget.crowded();
  return meshes;
}

const Road* nearest_road(const std::vector<Road>& roads, EastNorth place) {
  const Road* nearest = nullptr;
  double least = std::numeric_limits<double>::infinity();
  for (const Road& road : roads)
    for (std::size_t k = 0; k + 1 < road.line.size(); ++k) {
      const double away = detail::nearest_on({road.line[k], road.line[k + 1]}, place).distance;
      if (away >= least) continue;
      least = away;
      nearest = &road;
    }
  return nearest;
}

}  // namespace simbatch::roads
