// Objects are waypoints, goal paths routes, lanes and perimeters tracks.
#include <fmt/format.h>

#include "formats/gpx/gpx.hpp"
#include "lib/traffic/export_detail.hpp"

namespace simbatch::traffic {
namespace {

gpx::Path path_of(std::string name, const std::vector<geo::LatLon>& places) {
  gpx::Path path{std::move(name), {}};
  for (const geo::LatLon place : places) path.points.push_back({place, {}});
  return path;
}

}  // namespace

std::string to_gpx(const ObjectMap& map) {
  gpx::Document document;
  document.name = map.file.name.value_or("objects");
  for (const PlacedObject& p : map.placed.objects) {
    const std::string name = detail::name_of(map.file.objects[p.index], p.index);
    document.waypoints.push_back({name, {p.place, {}}});
    if (!p.target_places.empty()) document.routes.push_back(path_of(name + ": goals", detail::goal_path(p)));
  }
  for (const rndf::Segment& segment : map.network.segments)
    for (const rndf::Lane& lane : segment.lanes)
      if (lane.waypoints.size() >= 2)
        document.tracks.push_back(
            path_of(fmt::format("lane {}.{}", lane.segment, lane.number), detail::places_of(lane.waypoints)));
  for (const rndf::Zone& zone : map.network.zones)
    if (zone.perimeter.size() >= 3) {
      std::vector<geo::LatLon> ring = detail::places_of(zone.perimeter);
      ring.push_back(ring.front());
      document.tracks.push_back(path_of(fmt::format("zone {}", zone.id), ring));
    }
  return gpx::write_gpx(document);
}

}  // namespace simbatch::traffic
