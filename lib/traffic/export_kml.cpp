// The network in one folder, the objects in another.
#include <fmt/format.h>

#include "formats/kml/kml.hpp"
#include "lib/traffic/export_detail.hpp"

namespace simbatch::traffic {

std::string to_kml(const ObjectMap& map) {
  kml::Writer writer(map.file.name.value_or("objects"));
  writer.start_folder("network");
  for (const rndf::Segment& segment : map.network.segments)
    for (const rndf::Lane& lane : segment.lanes)
      if (lane.waypoints.size() >= 2)
        writer.line(fmt::format("lane {}.{}", lane.segment, lane.number), detail::places_of(lane.waypoints));
  for (const rndf::Zone& zone : map.network.zones)
    if (zone.perimeter.size() >= 3) writer.polygon(fmt::format("zone {}", zone.id), detail::places_of(zone.perimeter));
  writer.end_folder();
  writer.start_folder("objects");
  for (const PlacedObject& p : map.placed.objects) {
    const std::string name = detail::name_of(map.file.objects[p.index], p.index);
    writer.point(name, p.place);
    if (!p.target_places.empty()) writer.line(name + ": goals", detail::goal_path(p));
  }
  writer.end_folder();
  return writer.take();
}

}  // namespace simbatch::traffic
