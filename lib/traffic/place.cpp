// Transforms from the frames of the two files to the world (docs/conventions.md): waypoints by the projection of base/geo, then
// offsets and script legs in meters, with z and y exchanged.
#include <algorithm>
#include <cmath>

#include "lib/traffic/traffic.hpp"

namespace simbatch::traffic {

double lane_heading(const rndf::PointId& at, const rndf::Index& network, const geo::LocalFrame& frame) {
  const auto points = network.points(at.segment, at.lane);
  if (at.lane == 0 || points.size() < 2) return 0;
  std::size_t i = 0;
  while (i + 1 < points.size() && points[i].id.point != at.point) ++i;
  if (i + 1 == points.size()) --i;
  const auto a = frame.to_plane({points[i].lat, points[i].lon}), b = frame.to_plane({points[i + 1].lat, points[i + 1].lon});
  return a == b ? 0 : std::atan2(b.east - a.east, b.north - a.north);
}

double vehicle_mass(const cajunbot::Object& object) {
  constexpr double kDensity = 100;  // kg/m^3
  return kDensity * std::max(object.size.x * object.size.y * object.size.z, 0.01);
}

std::optional<geo::LatLon> first_place(const rndf::Rndf& network) {
  for (const auto& segment : network.segments)
    for (const auto& lane : segment.lanes)
      if (!lane.waypoints.empty()) return geo::LatLon{lane.waypoints[0].lat, lane.waypoints[0].lon};
  for (const auto& zone : network.zones)
    if (!zone.perimeter.empty()) return geo::LatLon{zone.perimeter[0].lat, zone.perimeter[0].lon};
  return std::nullopt;
}

PlacedObjects place_objects(const cajunbot::ObjectFile& file, const rndf::Index& network, geo::LatLon origin) {
  PlacedObjects result{geo::LocalFrame(origin), {}};
  const geo::LocalFrame& frame = result.frame;
  for (std::size_t i = 0; i < file.objects.size(); ++i) {
    const cajunbot::Object& o = file.objects[i];
    PlacedObject placed;
    placed.index = i;
    geo::EastNorth at;
    if (!o.start.is_disabled()) {
      const rndf::Waypoint* w = network.find({o.start.segment, o.start.lane, o.start.point});
      if (w == nullptr) continue;
      at = frame.to_plane({w->lat, w->lon});
      placed.heading = lane_heading({o.start.segment, o.start.lane, o.start.point}, network, frame);
    }
    // CajunBot x right, y forward, z up is the world's x, z, y; its turn about z is counter-clockwise, a heading clockwise.
    placed.position = {at.east + o.position.x, o.position.z, at.north + o.position.y};
    placed.heading -= geo::radians(o.orientation_deg.z);
    placed.place = frame.to_geographic({placed.position.x, placed.position.z});
    placed.initial_pause = o.initial_pause;
    const auto add = [&](geo::EastNorth to, double speed, double pause) {
      placed.targets.push_back({{to.east, placed.position.y, to.north}, speed, pause});
      placed.target_places.push_back(frame.to_geographic(to));
    };
    for (const cajunbot::Goal& goal : o.goals) {
      const rndf::Waypoint* w = network.find({goal.to.segment, goal.to.lane, goal.to.point});
      if (goal.open) continue;
      if (goal.to.is_disabled())
        add({}, goal.speed, goal.pause);
      else if (w != nullptr)
        add(frame.to_plane({w->lat, w->lon}), goal.speed, goal.pause);
    }
    geo::EastNorth now{placed.position.x, placed.position.z};
    for (const cajunbot::ScriptLeg& leg : o.script) {
      const double heading = -geo::radians(leg.angle_deg);
      now = {now.east + leg.distance * std::sin(heading), now.north + leg.distance * std::cos(heading)};
      add(now, leg.speed, leg.pause);
    }
    result.objects.push_back(std::move(placed));
  }
  return result;
}

}  // namespace simbatch::traffic
