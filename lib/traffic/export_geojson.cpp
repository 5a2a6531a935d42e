// Properties are listed in docs/formats/geojson.md.
#include <fmt/format.h>

#include "formats/geojson/geojson.hpp"
#include "lib/traffic/export_detail.hpp"

namespace simbatch::traffic {
namespace {

class NetworkFeatures {
 public:
  explicit NetworkFeatures(const rndf::Rndf& network) : network_(network), index_(network) {}

  std::string write() {
    for (const rndf::Segment& segment : network_.segments)
      for (const rndf::Lane& lane : segment.lanes) add_lane(lane, segment.name);
    for (const rndf::Zone& zone : network_.zones) add_zone(zone);
    return writer_.take();
  }

 private:
  void add_lane(const rndf::Lane& lane, const std::string& segment_name) {
    // A lane of one waypoint is a point: RFC 7946 requires two positions in a line.
    if (lane.waypoints.size() >= 2)
      writer_.line(detail::places_of(lane.waypoints));
    else if (lane.waypoints.size() == 1)
      writer_.point(detail::place_of(lane.waypoints[0]));
    if (!lane.waypoints.empty()) {
      writer_.property("kind", "lane");
      writer_.property("lane", fmt::format("{}.{}", lane.segment, lane.number));
      writer_.property("segment_name", segment_name);
      writer_.property("left_boundary", to_text(lane.left));
      writer_.property("right_boundary", to_text(lane.right));
      if (lane.width_ft) writer_.property("width_m", *lane.width_ft * rndf::kMetersPerFoot);
    }
    add_checkpoints(lane.checkpoints);
    for (const rndf::Stop& stop : lane.stops) add_waypoint(stop.at, "stop");
    add_exits(lane.exits);
  }

  void add_zone(const rndf::Zone& zone) {
    if (zone.perimeter.size() >= 3) {
      writer_.polygon(detail::places_of(zone.perimeter));
      writer_.property("kind", "zone");
      writer_.property("zone", zone.id);
      writer_.property("name", zone.name);
    }
    add_exits(zone.exits);
    for (const rndf::Spot& spot : zone.spots) {
      if (spot.waypoints.size() >= 2) {
        writer_.line(detail::places_of(spot.waypoints));
        writer_.property("kind", "spot");
        writer_.property("spot", fmt::format("{}.{}", spot.zone, spot.number));
        if (spot.width_ft) writer_.property("width_m", *spot.width_ft * rndf::kMetersPerFoot);
      }
      add_checkpoints(spot.checkpoints);
    }
  }

  /// False, and nothing is written, if the network lacks the waypoint.
  bool add_waypoint(const rndf::PointId& id, const char* kind) {
    const rndf::Waypoint* waypoint = index_.find(id);
    if (waypoint == nullptr) return false;
    writer_.point(detail::place_of(*waypoint));
    writer_.property("kind", kind);
    writer_.property("waypoint", to_text(id));
    return true;
  }

  void add_checkpoints(const std::vector<rndf::Checkpoint>& checkpoints) {
    for (const rndf::Checkpoint& c : checkpoints)
      if (add_waypoint(c.at, "checkpoint")) writer_.property("checkpoint", c.id);
  }

  void add_exits(const std::vector<rndf::Exit>& exits) {
    for (const rndf::Exit& e : exits) {
      const rndf::Waypoint *from = index_.find(e.from), *to = index_.find(e.to);
      if (from == nullptr || to == nullptr) continue;
      const geo::LatLon line[] = {detail::place_of(*from), detail::place_of(*to)};
      writer_.line(line);
      writer_.property("kind", "exit");
      writer_.property("from", to_text(e.from));
      writer_.property("to", to_text(e.to));
    }
  }

  const rndf::Rndf& network_;
  rndf::Index index_;
  geojson::Writer writer_;
};

void add_object(geojson::Writer& writer, const cajunbot::Object& o, const PlacedObject& p) {
  const std::string name = detail::name_of(o, p.index);
  writer.point(p.place);
  writer.property("kind", "object");
  writer.property("name", name);
  writer.property("type", to_text(o.type));
  writer.property("shape", to_text(o.shape));
  writer.property("heading_deg", detail::heading_deg(p.heading), 4);
  writer.property("start", to_text(o.start));
  if (p.target_places.empty()) return;
  writer.line(detail::goal_path(p));
  writer.property("kind", "goals");
  writer.property("name", name);
  writer.property("goals", p.target_places.size());
  const Motion motion = p.motion();
  for (std::size_t k = 0; k < p.target_places.size(); ++k) {
    writer.point(p.target_places[k]);
    writer.property("kind", "goal");
    writer.property("name", name);
    writer.property("goal", k + 1);
    writer.property("speed", p.targets[k].speed);
    writer.property("pause", p.targets[k].pause);
    writer.property("arrival", motion.arrival(k), 6);  // null: never
  }
}

}  // namespace

std::string to_geojson(const rndf::Rndf& network) { return NetworkFeatures(network).write(); }

std::string to_geojson(const ObjectMap& map) {
  geojson::Writer writer;
  for (const PlacedObject& p : map.placed.objects) add_object(writer, map.file.objects[p.index], p);
  return writer.take();
}

}  // namespace simbatch::traffic
