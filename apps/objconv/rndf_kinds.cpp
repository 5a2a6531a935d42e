/// Road networks (RNDF) and missions (MDF) in `check`, `info` and `fmt`.
#include <fmt/format.h>

#include <algorithm>

#include "apps/objconv/kinds.hpp"
#include "base/geo/geo.hpp"
#include "formats/rndf/rndf.hpp"

namespace simbatch::objconv {
namespace {

using rndf::Rndf;

Parsed<Rndf> read(std::string_view text, const std::string& file, const Reading& reading) {
  auto parsed = rndf::read_rndf(text, file, {.strict = reading.strict, .planar = reading.planar});
  if (parsed.value) rndf::check(*parsed.value, parsed.diagnostics);
  return parsed;
}

void check_rndf(std::string_view text, const std::string& file, const Reading& reading, Diagnostics& diagnostics) {
  diagnostics.append(read(text, file, reading).diagnostics);
}

void check_mdf(std::string_view text, const std::string& file, const Reading& reading, Diagnostics& diagnostics) {
  auto parsed = rndf::read_mdf(text, file, {.strict = reading.strict});
  if (parsed.value)
    rndf::check(*parsed.value, reading.network != nullptr ? &reading.network->rndf : nullptr, parsed.diagnostics,
                reading.network != nullptr ? reading.network->file : std::string_view());
  diagnostics.append(std::move(parsed.diagnostics));
}

/// Length of a line of waypoints over the ellipsoid (m).
double length_of(const std::vector<rndf::Waypoint>& points) {
  double length = 0;
  for (std::size_t i = 1; i < points.size(); ++i)
    if (points[i - 1].is_placed && points[i].is_placed)
      length += geo::geodesic({points[i - 1].lat, points[i - 1].lon}, {points[i].lat, points[i].lon}).distance;
  return length;
}

std::vector<Fact> info_rndf(std::string_view text, const std::string& file, const Reading& reading, Diagnostics& diagnostics) {
  auto parsed = read(text, file, reading);
  diagnostics.append(std::move(parsed.diagnostics));
  if (!parsed.value) return {};
  const Rndf& r = *parsed.value;
  std::size_t lanes = 0, waypoints = 0, perimeter = 0, spots = 0, exits = 0, stops = 0, checkpoints = 0;
  double length = 0, south = 90, north = -90, west = 180, east = -180;
  const auto extend = [&](const std::vector<rndf::Waypoint>& points) {
    for (const rndf::Waypoint& w : points) {
      if (!w.is_placed) continue;
      south = std::min(south, w.lat), north = std::max(north, w.lat);
      west = std::min(west, w.lon), east = std::max(east, w.lon);
    }
  };
  for (const rndf::Segment& segment : r.segments) {
    lanes += segment.lanes.size();
    for (const rndf::Lane& lane : segment.lanes) {
      waypoints += lane.waypoints.size();
      exits += lane.exits.size();
      stops += lane.stops.size();
      checkpoints += lane.checkpoints.size();
      length += length_of(lane.waypoints);
      extend(lane.waypoints);
    }
  }
  for (const rndf::Zone& zone : r.zones) {
    perimeter += zone.perimeter.size();
    exits += zone.exits.size();
    spots += zone.spots.size();
    extend(zone.perimeter);
    for (const rndf::Spot& spot : zone.spots) checkpoints += spot.checkpoints.size();
  }
  std::vector<Fact> facts = {fact("name", r.name)};
  if (!r.format_version.empty()) facts.push_back(fact("format_version", r.format_version));
  if (!r.creation_date.empty()) facts.push_back(fact("creation_date", r.creation_date));
  const auto add = [&](const char* key, auto value) { facts.push_back(fact(key, value)); };
  add("segments", r.segments.size()), add("lanes", lanes), add("waypoints", waypoints), add("zones", r.zones.size());
  add("perimeter_points", perimeter), add("spots", spots), add("exits", exits), add("stops", stops),
      add("checkpoints", checkpoints);
  facts.push_back({"lane_length_m", fmt::format("{:.3f}", length), true});
  if (south <= north) {
    for (const auto& [key, value] :
         {std::pair{"south", south}, std::pair{"north", north}, std::pair{"west", west}, std::pair{"east", east}})
      facts.push_back({key, fmt::format("{:.7f}", value), true});
  }
  return facts;
}

std::vector<Fact> info_mdf(std::string_view text, const std::string& file, const Reading& reading, Diagnostics& diagnostics) {
  auto parsed = rndf::read_mdf(text, file, {.strict = reading.strict});
  diagnostics.append(std::move(parsed.diagnostics));
  if (!parsed.value) return {};
  return {fact("name", parsed.value->name), fact("rndf", parsed.value->rndf),
          fact("checkpoints", parsed.value->checkpoints.size()), fact("speed_limits", parsed.value->speed_limits.size())};
}

std::optional<std::string> format_rndf(std::string_view text, const std::string& file, const Reading& reading,
                                       Diagnostics& diagnostics) {
  auto parsed = read(text, file, reading);
  const bool good = parsed.ok();
  diagnostics.append(std::move(parsed.diagnostics));
  return good ? std::optional(rndf::write_rndf(*parsed.value)) : std::nullopt;
}

std::optional<std::string> format_mdf(std::string_view text, const std::string& file, const Reading& reading,
                                      Diagnostics& diagnostics) {
  auto parsed = rndf::read_mdf(text, file, {.strict = reading.strict});
  if (parsed.value) rndf::check(*parsed.value, nullptr, parsed.diagnostics);
  const bool good = parsed.ok();
  diagnostics.append(std::move(parsed.diagnostics));
  return good ? std::optional(rndf::write_mdf(*parsed.value)) : std::nullopt;
}

constexpr FileKind kRndfKinds[] = {
    {"mdf", "DARPA mission data file", twice(file_kind::Kind::mdf), check_mdf, info_mdf, format_mdf},
    {"rndf", "DARPA route network definition file", twice(file_kind::Kind::rndf), check_rndf, info_rndf, format_rndf},
};

}  // namespace

std::span<const FileKind> rndf_kinds() { return kRndfKinds; }

}  // namespace simbatch::objconv
