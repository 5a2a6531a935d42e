// QGroundControl plans and MAVLink waypoint text: the same list of commands in two forms.
//
// LINE and ARC: a waypoint at each vertex, a change of speed where the speed changes. POINT: a waypoint with hold time and
// acceptance radius, or, for time -1, loitering without end. DEPTH: the altitude of the following commands is negative (as in
// ArduSub), plus a delay if it has a time. ALT: altitude above the terrain. Commands and frames: MAVLink, common message set,
// MAV_CMD and MAV_FRAME; files: QGroundControl developer guide, Plan file format; MAVLink, Waypoint file format 110.

#include <fmt/format.h>

#include <array>
#include <cmath>

#include "lib/mission/export_detail.hpp"

namespace simbatch::mission::detail {

using medusa::Kind;
using medusa::Section;

namespace {

constexpr int kWaypoint = 16, kLoiterUnlimited = 17, kDelay = 93, kChangeSpeed = 178;
constexpr int kFrameMission = 2, kFrameRelative = 3, kFrameTerrain = 10;

struct Item {
  int command = kWaypoint;
  int frame = kFrameRelative;
  std::array<double, 4> p{};  ///< NaN: not given
  geo::LatLon at{};
  double altitude = 0;
};

std::vector<Item> items_of(const Job& job) {
  std::vector<Item> items;
  if (job.tracks.empty()) return items;
  const Track& track = job.tracks.front();
  const double nothing = std::nan("");
  double speed = -1, altitude = 0;
  int frame = kFrameRelative;
  mission::Point last{1e300, 1e300};
  const auto waypoint = [&](mission::Point at) {
    if (mission::distance(at, last) <= 0.02) return;
    last = at;
    items.push_back({kWaypoint, frame, {0, 0, 0, nothing}, job.georeference->at(at).value_or(geo::LatLon{}), altitude});
  };
  const auto set_speed = [&](double wanted) {
    if (!(wanted > 0) || wanted == speed) return;
    speed = wanted;
    items.push_back({kChangeSpeed, kFrameMission, {1, wanted, -1, 0}, {}, 0});  // 1: ground speed; -1: throttle unchanged
  };
  for (const Section& s : track.sections) {
    if (const auto segment = mission::Segment::of(s)) {
      waypoint(segment->start());
      set_speed(s.velocity);
      const std::vector<mission::Point> points = mission::chords(*segment, job.options.max_gap);
      for (std::size_t i = 1; i < points.size(); ++i) waypoint(points[i]);
    } else if (s.kind == Kind::point) {
      set_speed(s.velocity);
      const double heading = s.heading >= 0 ? s.heading : nothing;
      const bool for_ever = s.time < 0;
      last = {s.xe, s.ye};
      items.push_back(
          {for_ever ? kLoiterUnlimited : kWaypoint, frame,
           for_ever ? std::array<double, 4>{0, 0, s.radius, heading} : std::array<double, 4>{s.time, s.radius, 0, heading},
           job.georeference->at(last).value_or(geo::LatLon{}), altitude});
    } else if (s.kind == Kind::depth || s.kind == Kind::alt) {
      const double depth = s.kind == Kind::depth ? s.depth : -s.depth;
      frame = depth >= 0 ? kFrameRelative : kFrameTerrain;
      altitude = depth == 0 ? 0 : -depth;
      if (s.time > 0) items.push_back({kDelay, kFrameMission, {s.time, -1, -1, -1}, {}, 0});
    }
  }
  return items;
}

bool has_place(const Item& item) { return item.command == kWaypoint || item.command == kLoiterUnlimited; }

geo::LatLon home_of(const Job& job, const std::vector<Item>& items) {
  for (const Item& item : items)
    if (has_place(item)) return item.at;
  return job.georeference->at({0, 0}).value_or(geo::LatLon{});
}

}  // namespace

std::string write_qgc_plan(const Job& job) {
  const std::vector<Item> items = items_of(job);
  const geo::LatLon home = home_of(job, items);
  bool dives = false;
  double cruise = 0.3;
  for (const Item& item : items) {
    dives = dives || item.altitude < 0;
    if (item.command == kChangeSpeed) cruise = std::max(cruise, item.p[1]);
  }
  std::string out = fmt::format(
      "{{\n  \"fileType\": \"Plan\",\n  \"version\": 1,\n  \"groundStation\": \"QGroundControl\",\n"
      "  \"geoFence\": {{\"circles\": [], \"polygons\": [], \"version\": 2}},\n  \"rallyPoints\": {{\"points\": [], "
      "\"version\": 2}},\n"
      "  \"mission\": {{\n    \"version\": 2,\n    \"firmwareType\": 3,\n    \"vehicleType\": {},\n    "
      "\"cruiseSpeed\": {},\n    \"hoverSpeed\": {},\n"
      "    \"plannedHomePosition\": [{}, {}, 0],\n    \"items\": [",
      dives ? 12 : 11, number_or_null(cruise), number_or_null(cruise), degrees_text(home.lat), degrees_text(home.lon));
  for (std::size_t i = 0; i < items.size(); ++i) {
    const Item& item = items[i];
    out += fmt::format(
        "{}\n      {{\"type\": \"SimpleItem\", \"doJumpId\": {}, \"command\": {}, \"frame\": {}, \"autoContinue\": "
        "true, ",
        i == 0 ? "" : ",", i + 1, item.command, item.frame);
    if (has_place(item))
      out += fmt::format("\"Altitude\": {0}, \"AltitudeMode\": {1}, \"AMSLAltAboveTerrain\": null, ",
                         number_or_null(item.altitude), item.frame == kFrameTerrain ? 4 : 1);
    out += "\"params\": [";
    for (const double p : item.p) out += number_or_null(p) + ", ";
    if (has_place(item))
      out += fmt::format("{}, {}, {}]}}", degrees_text(item.at.lat), degrees_text(item.at.lon), number_or_null(item.altitude));
    else
      out += "0, 0, 0]}";
  }
  return out + "\n    ]\n  }\n}\n";
}

std::string write_wpl(const Job& job) {
  const std::vector<Item> items = items_of(job);
  const geo::LatLon home = home_of(job, items);
  std::string out =
      fmt::format("QGC WPL 110\n0\t1\t0\t16\t0\t0\t0\t0\t{}\t{}\t0\t1\n", degrees_text(home.lat), degrees_text(home.lon));
  for (std::size_t i = 0; i < items.size(); ++i) {
    const Item& item = items[i];
    out += fmt::format("{}\t0\t{}\t{}", i + 1, item.frame, item.command);
    for (const double p : item.p) out += "\t" + (std::isnan(p) ? std::string("0") : number_or_null(p));
    out += fmt::format("\t{}\t{}\t{}\t1\n", has_place(item) ? degrees_text(item.at.lat) : "0",
                       has_place(item) ? degrees_text(item.at.lon) : "0", number_or_null(item.altitude));
  }
  return out;
}

}  // namespace simbatch::mission::detail
