#include <fmt/format.h>

#include <charconv>
#include <iterator>

#include "base/core/number.hpp"
#include "formats/rndf/rndf.hpp"

namespace simbatch::rndf {
namespace {

/// Degrees without an exponent, shortest text that reads back the same, but at least the document's six decimals.
std::string degrees_text(double value) {
  char buffer[512];
  std::string text(buffer, std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::fixed).ptr);
  std::size_t point = text.find('.');
  if (point == std::string::npos) {
    point = text.size();
    text += '.';
  }
  const std::size_t decimals = text.size() - point - 1;
  if (decimals < 6) text.append(6 - decimals, '0');
  return text;
}

class Writer {
 public:
  template <class... T>
  void line(fmt::format_string<T...> format, T&&... arguments) {
    fmt::format_to(std::back_inserter(out_), format, std::forward<T>(arguments)...);
    out_ += '\n';
  }
  void optional(std::string_view key, const std::string& value) {
    if (!value.empty()) line("{}\t{}", key, value);
  }
  void extensions(const std::vector<Extension>& extensions) {
    for (const Extension& e : extensions) line("{}", e.text);
  }
  void points(const std::vector<Waypoint>& points) {
    for (const Waypoint& w : points) line("{}\t{}\t{}", to_text(w.id), degrees_text(w.lat), degrees_text(w.lon));
  }
  void checkpoints(const std::vector<Checkpoint>& checkpoints) {
    for (const Checkpoint& c : checkpoints) line("checkpoint\t{}\t{}", to_text(c.at), c.id);
  }
  void exits(const std::vector<Exit>& exits) {
    for (const Exit& e : exits) line("exit\t{}\t{}", to_text(e.from), to_text(e.to));
  }
  void lane(const Lane& lane) {
    line("lane\t{}.{}", lane.segment, lane.number);
    line("num_waypoints\t{}", lane.waypoints.size());
    if (lane.width_ft) line("lane_width\t{}", number_text(*lane.width_ft));
    if (lane.left != Boundary::unknown) line("left_boundary\t{}", to_text(lane.left));
    if (lane.right != Boundary::unknown) line("right_boundary\t{}", to_text(lane.right));
    checkpoints(lane.checkpoints);
    for (const Stop& s : lane.stops) line("stop\t{}", to_text(s.at));
    exits(lane.exits);
    extensions(lane.extensions);
    points(lane.waypoints);
    line("end_lane");
  }
  void zone(const Zone& zone) {
    line("zone\t{}", zone.id);
    line("num_spots\t{}", zone.spots.size());
    optional("zone_name", zone.name);
    extensions(zone.extensions);
    line("perimeter\t{}.0", zone.id);
    line("num_perimeterpoints\t{}", zone.perimeter.size());
    exits(zone.exits);
    points(zone.perimeter);
    line("end_perimeter");
    for (const Spot& spot : zone.spots) {
      line("spot\t{}.{}", spot.zone, spot.number);
      if (spot.width_ft) line("spot_width\t{}", number_text(*spot.width_ft));
      checkpoints(spot.checkpoints);
      extensions(spot.extensions);
      points(spot.waypoints);
      line("end_spot");
    }
    line("end_zone");
  }
  std::string take() { return std::move(out_); }

 private:
  std::string out_;
};

}  // namespace

std::string write_rndf(const Rndf& rndf) {
  Writer w;
  w.line("RNDF_name\t{}", rndf.name);
  w.line("num_segments\t{}", rndf.segments.size());
  w.line("num_zones\t{}", rndf.zones.size());
  w.optional("format_version", rndf.format_version);
  w.optional("creation_date", rndf.creation_date);
  w.extensions(rndf.extensions);
  for (const Segment& segment : rndf.segments) {
    w.line("segment\t{}", segment.id);
    w.line("num_lanes\t{}", segment.lanes.size());
    w.optional("segment_name", segment.name);
    w.extensions(segment.extensions);
    for (const Lane& lane : segment.lanes) w.lane(lane);
    w.line("end_segment");
  }
  for (const Zone& zone : rndf.zones) w.zone(zone);
  w.line("end_file");
  return w.take();
}

std::string write_mdf(const Mdf& mdf) {
  Writer w;
  w.line("MDF_name\t{}", mdf.name);
  w.line("RNDF\t{}", mdf.rndf);
  w.optional("format_version", mdf.format_version);
  w.optional("creation_date", mdf.creation_date);
  w.extensions(mdf.extensions);
  w.line("checkpoints");
  w.line("num_checkpoints\t{}", mdf.checkpoints.size());
  for (const Visit& v : mdf.checkpoints) w.line("{}", v.checkpoint);
  w.line("end_checkpoints");
  w.line("speed_limits");
  w.line("num_speed_limits\t{}", mdf.speed_limits.size());
  for (const SpeedLimit& l : mdf.speed_limits) w.line("{}\t{}\t{}", l.area, number_text(l.min_mph), number_text(l.max_mph));
  w.line("end_speed_limits");
  w.line("end_file");
  return w.take();
}

}  // namespace simbatch::rndf
