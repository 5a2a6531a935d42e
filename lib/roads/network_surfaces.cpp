// Strips along lines with mitered corners, cut into convex pieces in order of priority; each loses what the ones before it cover.
// Exits are cubic Bezier curves that leave and arrive in the direction of their lanes.
// Our own: the order (lanes, shoulders, exits, zones), and curve handles of 0.4 of the distance.
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <span>

#include "lib/roads/convex.hpp"
#include "lib/roads/network_lanes.hpp"
#include "lib/roads/triangulate.hpp"

namespace simbatch::roads {
namespace {

using namespace detail;

constexpr double kMiter = 2;                     // longest, in half widths
constexpr double kExitStep = 2;                  // m
constexpr double kLongestExit = 200;             // m
constexpr std::size_t kMostEntries = 4'000'000;  // of the index
constexpr double kHandle = 0.4;                  // of the distance: length of the curve's handles

class Cover {
 public:
  /// A strip along a line.
  void add_strip(std::span<const EastNorth> line, double half_width) {
    for (std::size_t i = 0; i + 1 < line.size(); ++i) {
      const EastNorth begin = offset(line, i), end = offset(line, i + 1);
      const double length = distance(line[i], line[i + 1]);
      const std::size_t pieces = pieces_in(length);
      for (std::size_t k = 0; k < pieces && pieces_ < kMostPieces; ++k) {
        const auto at = [&](std::size_t m) { return static_cast<double>(m) / static_cast<double>(pieces); };
        const EastNorth a = plus(line[i], times(at(k), minus(line[i + 1], line[i]))),
                        b = plus(line[i], times(at(k + 1), minus(line[i + 1], line[i])));
        const EastNorth side = left_of(unit(minus(b, a)));
        add_quad(a, b, times(half_width, k == 0 ? begin : side), times(half_width, k + 1 == pieces ? end : side),
                 times(half_width, side));
      }
    }
  }
  void add_polygon(std::span<const EastNorth> triangles) {
    for (std::size_t i = 0; i + 2 < triangles.size() && pieces_ < kMostPieces; i += 3)
      add({triangles[i], triangles[i + 1], triangles[i + 2]});
  }
  /// How many pieces there are so far.
  std::size_t size() const { return pieces_; }

  /// Triangles of the pieces before `first_plain`, and of the others.
  void cut(std::size_t first_plain, std::vector<EastNorth>& marked, std::vector<EastNorth>& plain) {
    index_.build();
    std::vector<Polygon> parts;
    for (std::size_t n = 0; n < pieces_ && index_.looked_at() < kMostCuts; ++n) {
      const auto own = index_[n].span();
      parts = {Polygon(own.begin(), own.end())};
      for (const std::uint32_t other : index_.near(box_of(own))) {
        if (other >= n || parts.empty()) break;
        subtract(parts, index_[other]);
      }
      for (const Polygon& part : parts)
        for (std::size_t k = 1; k + 1 < part.size(); ++k) {
          auto& to = n < first_plain ? marked : plain;
          to.insert(to.end(), {part[0], part[k], part[k + 1]});
        }
    }
  }

 private:
  /// To the left, for a half width of 1, at a point of a line.
  static EastNorth offset(std::span<const EastNorth> line, std::size_t i) {
    const EastNorth before = i > 0 ? left_of(unit(minus(line[i], line[i - 1]))) : EastNorth{};
    const EastNorth after = i + 1 < line.size() ? left_of(unit(minus(line[i + 1], line[i]))) : EastNorth{};
    if (i == 0 || i + 1 == line.size()) return plus(before, after);
    const EastNorth middle = unit(plus(before, after));
    return times(std::min(kMiter, 1 / std::max(dot(middle, after), 1 / kMiter)), middle);
  }

  /// @param at_a, at_b  from the line's points to the left border @param side  the same without miters
  void add_quad(EastNorth a, EastNorth b, EastNorth at_a, EastNorth at_b, EastNorth side) {
    const Polygon mitered{minus(a, at_a), minus(b, at_b), plus(b, at_b), plus(a, at_a)};
    if (is_convex(mitered) && twice_area(mitered) > kSliver)
      add(mitered);
    else
      add({minus(a, side), minus(b, side), plus(b, side), plus(a, side)});
  }

  void add(const Polygon& polygon) {
    if (!(twice_area(polygon) > kSliver) || index_.entries() > kMostEntries) return;
    index_.add(piece_of(polygon));
    ++pieces_;
  }

  PieceIndex index_{16};
  std::size_t pieces_ = 0;
};

/// A waypoint with the direction of its lane there.
struct Pass {
  EastNorth at, ahead;  // ahead: unit; 0 0 at a perimeter
  double width = kUsualLane;
};

class SurfaceBuilder {
 public:
  SurfaceBuilder(const rndf::Rndf& network, const geo::LocalFrame& frame) : network_(network), frame_(frame) {}

  NetworkSurfaces run() {
    NetworkSurfaces made;
    std::vector<const rndf::Lane*> sources;
    made.lanes = lanes_of(network_, frame_, sources);
    add_lines(made.lanes, sources);
    for (const NetworkLane& lane : made.lanes) cover_.add_strip(lane.line, lane.width / 2);
    const std::size_t first_plain = cover_.size();
    for (std::size_t n = 0; n < made.lanes.size(); ++n)
      if (sources[n] != nullptr) cover_.add_strip(made.lanes[n].line, made.lanes[n].width / 2 + kShoulder);
    collect_passes();
    add_exits();
    for (const rndf::Zone& zone : network_.zones) add_zone(zone);
    cover_.cut(first_plain, made.marked, made.plain);
    return made;
  }

 private:
  void collect_passes() {
    for (const rndf::Segment& segment : network_.segments)
      for (const rndf::Lane& lane : segment.lanes) {
        const double feet = lane.width_ft.value_or(0);
        for (std::size_t i = 0; i < lane.waypoints.size(); ++i) {
          Pass pass;
          if (!is_placed(lane.waypoints[i], frame_, pass.at)) continue;
          if (feet > 0) pass.width = std::min(feet * rndf::kMetersPerFoot, kUsualLane);
          pass.ahead = direction(lane, i, pass.at);
          passes_.emplace(lane.waypoints[i].id, pass);
        }
      }
    for (const rndf::Zone& zone : network_.zones)
      for (const rndf::Waypoint& waypoint : zone.perimeter)
        if (Pass pass; is_placed(waypoint, frame_, pass.at)) passes_.emplace(waypoint.id, pass);
  }

  /// Along the step that ends at a waypoint, or at the first one along the step that begins there.
  EastNorth direction(const rndf::Lane& lane, std::size_t i, EastNorth at) const {
    EastNorth other;
    if (i > 0 && is_placed(lane.waypoints[i - 1], frame_, other)) return unit(minus(at, other));
    if (i + 1 < lane.waypoints.size() && is_placed(lane.waypoints[i + 1], frame_, other)) return unit(minus(other, at));
    return {};
  }

  void add_exits() {
    for (const rndf::Segment& segment : network_.segments)
      for (const rndf::Lane& lane : segment.lanes)
        for (const rndf::Exit& exit : lane.exits) add_exit(exit);
    for (const rndf::Zone& zone : network_.zones)
      for (const rndf::Exit& exit : zone.exits) add_exit(exit);
  }

  void add_exit(const rndf::Exit& exit) {
    const auto from = passes_.find(exit.from), to = passes_.find(exit.to);
    if (from == passes_.end() || to == passes_.end()) return;
    const Pass &a = from->second, &d = to->second;
    const double far = distance(a.at, d.at);
    if (!(far > kExitStep / 2) || far > kLongestExit) return;
    const EastNorth b = plus(a.at, times(kHandle * far, a.ahead)), c = minus(d.at, times(kHandle * far, d.ahead));
    const auto steps = static_cast<std::size_t>(std::ceil(far / kExitStep));
    std::vector<EastNorth> line;
    for (std::size_t k = 0; k <= steps; ++k) {
      const double t = static_cast<double>(k) / static_cast<double>(steps), s = 1 - t;
      line.push_back(
          plus(plus(times(s * s * s, a.at), times(3 * s * s * t, b)), plus(times(3 * s * t * t, c), times(t * t * t, d.at))));
    }
    cover_.add_strip(line, std::min(a.width, d.width) / 2 + kShoulder);
  }

  void add_zone(const rndf::Zone& zone) {
    Polygon ring;
    for (const rndf::Waypoint& waypoint : zone.perimeter)
      if (EastNorth at; is_placed(waypoint, frame_, at)) ring.push_back(at);
    if (ring.size() < 3) return;
    const Box box = box_of(ring);
    if (std::max(box.high.east - box.low.east, box.high.north - box.low.north) > kLargestZone) return;
    if (twice_area(ring) < 0) std::reverse(ring.begin(), ring.end());
    cover_.add_polygon(triangulate(ring, {}));
  }

  const rndf::Rndf& network_;
  const geo::LocalFrame& frame_;
  Cover cover_;
  std::map<rndf::PointId, Pass> passes_;
};

}  // namespace

NetworkSurfaces network_surfaces(const rndf::Rndf& network, const geo::LocalFrame& frame) {
  return SurfaceBuilder(network, frame).run();
}

}  // namespace simbatch::roads
