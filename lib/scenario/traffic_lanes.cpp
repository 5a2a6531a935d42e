// Over uneven ground triangles are halved at their longest side until it is short enough to follow the ground.
#include "lib/scenario/traffic_lanes.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "base/core/number.hpp"
#include "lib/roads/network_lanes.hpp"

namespace simbatch::scenario::detail {
namespace {

using geo::EastNorth;
using GroundAt = std::function<std::optional<double>(double, double)>;

constexpr double kLongestSide = 4;                 // m, over uneven ground
constexpr std::size_t kMostTriangles = 2'000'000;  // of a network

static_assert(static_cast<int>(scene::LaneLine::broken_white) == static_cast<int>(roads::BorderLine::broken_white) &&
              static_cast<int>(scene::LaneLine::double_yellow) == static_cast<int>(roads::BorderLine::double_yellow));

double distance(EastNorth a, EastNorth b) { return std::hypot(a.east - b.east, a.north - b.north); }
EastNorth middle(EastNorth a, EastNorth b) { return {(a.east + b.east) / 2, (a.north + b.north) / 2}; }

class Draper {
 public:
  Draper(const GroundAt& ground_at, double lift) : ground_at_(ground_at), lift_(lift) {}

  /// Appends triangles to the mesh. @param corners  three for each
  void add(const std::vector<EastNorth>& corners, geo::TriangleMesh& to) const {
    std::vector<std::array<EastNorth, 3>> open;
    for (std::size_t i = 0; i + 2 < corners.size(); i += 3) {
      open.push_back({corners[i], corners[i + 1], corners[i + 2]});
      while (!open.empty() && to.triangle_count() < kMostTriangles) {
        const auto [a, b, c] = open.back();
        open.pop_back();
        const double sides[] = {distance(a, b), distance(b, c), distance(c, a)};
        const auto longest = std::max_element(sides, sides + 3) - sides;
        if (!ground_at_ || sides[longest] <= kLongestSide) {
          put(a, b, c, to);
          continue;
        }
        const EastNorth turned[] = {a, b, c, a, b};
        const EastNorth from = turned[longest], until = turned[longest + 1], third = turned[longest + 2],
                        half = middle(from, until);
        open.push_back({from, half, third});
        open.push_back({half, until, third});
      }
    }
  }

 private:
  void put(EastNorth a, EastNorth b, EastNorth c, geo::TriangleMesh& to) const {
    geo::Vec3 points[3];
    for (int k = 0; const EastNorth p : {a, b, c}) {
      const std::optional<double> y = ground_at_ ? ground_at_(p.east, p.north) : 0;
      if (!y) return;
      points[k++] = {p.east, *y + lift_, p.north};
    }
    to.add(points[0], points[2], points[1]);  // clockwise on the map: up
  }

  const GroundAt& ground_at_;
  double lift_;
};

}  // namespace

scene::Appearance lane_appearance(const rndf::Rndf& network, geo::LatLon origin, double lift, const GroundAt& ground_at,
                                  std::string name) {
  const roads::NetworkSurfaces made = roads::network_surfaces(network, geo::LocalFrame(origin));
  scene::Appearance looks;
  for (const roads::NetworkLane& lane : made.lanes) {
    scene::RoadAppearance road{lane.line, lane.width};
    road.lanes = 1;
    road.is_one_way = true;
    road.lines = {static_cast<scene::LaneLine>(lane.left), static_cast<scene::LaneLine>(lane.right)};
    for (const double along : lane.stops) road.marks.push_back({along, true, 0});
    looks.roads.push_back(std::move(road));
  }
  scene::DrawnSurface surface{std::move(name), {}, {}};
  const Draper draper(ground_at, lift);
  surface.stretches.push_back({0, scene::Material::road, {}});
  draper.add(made.marked, surface.mesh);
  surface.stretches.push_back({surface.mesh.triangle_count(), scene::Material::junction, {}});
  draper.add(made.plain, surface.mesh);
  if (!surface.mesh.indices.empty()) looks.drawn.push_back(std::move(surface));
  return looks;
}

std::vector<NetworkLine> network_lines(const rndf::Rndf& network, geo::LatLon origin, const std::string& name) {
  const geo::LocalFrame frame(origin);
  std::vector<NetworkLine> lines;
  const auto add = [&](std::int32_t area, std::int32_t part, const std::vector<rndf::Waypoint>& waypoints) {
    NetworkLine line{name + " " + number_text(area) + "." + number_text(part), {}, {}};
    for (const rndf::Waypoint& waypoint : waypoints) {
      const EastNorth at = frame.to_plane({waypoint.lat, waypoint.lon});
      if (!waypoint.is_placed || !std::isfinite(at.east + at.north)) continue;
      line.x.push_back(at.east);
      line.z.push_back(at.north);
    }
    if (part == 0 && !line.x.empty()) {
      line.x.push_back(line.x.front());
      line.z.push_back(line.z.front());
    }
    if (line.x.size() > 1) lines.push_back(std::move(line));
  };
  for (const rndf::Segment& segment : network.segments)
    for (const rndf::Lane& lane : segment.lanes) add(segment.id, lane.number, lane.waypoints);
  for (const rndf::Zone& zone : network.zones) add(zone.id, 0, zone.perimeter);
  return lines;
}

}  // namespace simbatch::scenario::detail
