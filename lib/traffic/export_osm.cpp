// OpenStreetMap XML 0.6: new data, with the negative ids used by editors for objects not yet uploaded.
#include <fmt/format.h>

#include <map>

#include "base/xml/xml.hpp"
#include "lib/traffic/export.hpp"

namespace simbatch::traffic {
namespace {

using Tags = std::vector<std::pair<std::string, std::string>>;

class OsmNetwork {
 public:
  explicit OsmNetwork(const rndf::Rndf& network) : network_(network) {}

  std::string write() {
    writer_.start("osm");
    writer_.attribute("version", "0.6");
    writer_.attribute("generator", "simbatch");
    writer_.attribute("upload", "false");
    collect_node_tags();
    for (const rndf::Segment& segment : network_.segments)
      for (const rndf::Lane& lane : segment.lanes) add_nodes(lane.waypoints);
    for (const rndf::Zone& zone : network_.zones) {
      add_nodes(zone.perimeter);
      for (const rndf::Spot& spot : zone.spots) add_nodes(spot.waypoints);
    }
    for (const rndf::Segment& segment : network_.segments)
      for (const rndf::Lane& lane : segment.lanes) add_lane(lane, segment.name);
    for (const rndf::Zone& zone : network_.zones) add_zone(zone);
    writer_.end();
    return writer_.take();
  }

 private:
  void collect_node_tags() {
    const auto add = [&](const std::vector<rndf::Checkpoint>& checkpoints) {
      for (const rndf::Checkpoint& c : checkpoints) node_tags_[c.at].emplace_back("rndf:checkpoint", std::to_string(c.id));
    };
    for (const rndf::Segment& segment : network_.segments)
      for (const rndf::Lane& lane : segment.lanes) {
        add(lane.checkpoints);
        for (const rndf::Stop& stop : lane.stops) node_tags_[stop.at].emplace_back("highway", "stop");
      }
    for (const rndf::Zone& zone : network_.zones)
      for (const rndf::Spot& spot : zone.spots) add(spot.checkpoints);
  }

  void tag(std::string_view key, std::string_view value) {
    writer_.start("tag");
    writer_.attribute("k", key);
    writer_.attribute("v", value);
    writer_.end();
  }

  void add_nodes(const std::vector<rndf::Waypoint>& points) {
    for (const rndf::Waypoint& p : points) {
      if (!ids_.emplace(p.id, last_id_ - 1).second) continue;
      --last_id_;
      writer_.start("node");
      writer_.attribute("id", last_id_);
      writer_.attribute("lat", fmt::format("{:.7f}", p.lat));
      writer_.attribute("lon", fmt::format("{:.7f}", p.lon));
      tag("rndf:id", to_text(p.id));
      if (const auto at = node_tags_.find(p.id); at != node_tags_.end())
        for (const auto& [key, value] : at->second) tag(key, value);
      writer_.end();
    }
  }

  void add_way(const std::vector<rndf::PointId>& points, const Tags& tags) {
    writer_.start("way");
    writer_.attribute("id", --last_id_);
    for (const rndf::PointId& id : points) {
      writer_.start("nd");
      writer_.attribute("ref", ids_.at(id));
      writer_.end();
    }
    for (const auto& [key, value] : tags)
      if (!value.empty()) tag(key, value);
    writer_.end();
  }

  void add_exits(const std::vector<rndf::Exit>& exits) {
    for (const rndf::Exit& e : exits)
      if (ids_.contains(e.from) && ids_.contains(e.to) && e.from != e.to)
        add_way({e.from, e.to},
                {{"highway", "service"}, {"oneway", "yes"}, {"rndf:exit", to_text(e.from) + " " + to_text(e.to)}});
  }

  static std::string width_text(const std::optional<double>& width_ft) {
    return width_ft && *width_ft > 0 ? fmt::format("{:.2f}", *width_ft * rndf::kMetersPerFoot) : "";
  }

  static std::string boundary_text(rndf::Boundary boundary) {
    return boundary == rndf::Boundary::unknown ? "" : std::string(to_text(boundary));
  }

  void add_lane(const rndf::Lane& lane, const std::string& name) {
    if (lane.waypoints.size() >= 2)
      add_way(ids_of(lane.waypoints), {{"highway", "residential"},
                                       {"oneway", "yes"},
                                       {"lanes", "1"},
                                       {"name", name},
                                       {"rndf:lane", fmt::format("{}.{}", lane.segment, lane.number)},
                                       {"rndf:left_boundary", boundary_text(lane.left)},
                                       {"rndf:right_boundary", boundary_text(lane.right)},
                                       {"width", width_text(lane.width_ft)}});
    add_exits(lane.exits);
  }

  void add_zone(const rndf::Zone& zone) {
    std::vector<rndf::PointId> ring = ids_of(zone.perimeter);
    if (ring.size() >= 3) {
      ring.push_back(ring.front());
      add_way(ring, {{"amenity", "parking"}, {"name", zone.name}, {"rndf:zone", std::to_string(zone.id)}});
    }
    add_exits(zone.exits);
    for (const rndf::Spot& spot : zone.spots)
      if (spot.waypoints.size() >= 2)
        add_way(ids_of(spot.waypoints), {{"highway", "service"},
                                         {"service", "parking_aisle"},
                                         {"rndf:spot", fmt::format("{}.{}", spot.zone, spot.number)},
                                         {"width", width_text(spot.width_ft)}});
  }

  static std::vector<rndf::PointId> ids_of(const std::vector<rndf::Waypoint>& points) {
    std::vector<rndf::PointId> ids;
    for (const rndf::Waypoint& p : points) ids.push_back(p.id);
    return ids;
  }

  const rndf::Rndf& network_;
  xml::Writer writer_;
  std::map<rndf::PointId, std::int64_t> ids_;
  std::map<rndf::PointId, Tags> node_tags_;
  std::int64_t last_id_ = 0;  // ids count downwards: -1, -2, ...
};

}  // namespace

std::string to_osm(const rndf::Rndf& network) { return OsmNetwork(network).write(); }

}  // namespace simbatch::traffic
