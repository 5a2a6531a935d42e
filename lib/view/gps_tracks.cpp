#include "lib/view/gps_tracks.hpp"

#include <fmt/format.h>

#include <cmath>
#include <optional>

#include "lib/view/codes.hpp"

namespace simbatch::view {
namespace {

/// The numbers of a field, or null. They are fewer than the rows only in a damaged trace.
const std::vector<double>* numbers_of(const trace::Trace& rows, std::size_t device, std::string_view field) {
  const std::vector<trace::Field>& fields = rows.header.devices[device].fields;
  for (std::size_t f = 0; f < fields.size(); ++f)
    if (fields[f].name == field && fields[f].type != trace::FieldType::text) return &rows.columns[device][f].numbers;
  return nullptr;
}

bool is_on_earth(geo::LatLon at) { return std::abs(at.lat) <= 90 && std::abs(at.lon) <= 180; }  // false for NaN

/// The fixes of a device, or nothing if it has no place. @param lost  counts those that are not on the earth
std::optional<gpx::Path> track_of(const trace::Trace& rows, std::size_t device, std::size_t& lost) {
  const auto* latitudes = numbers_of(rows, device, "latitude");
  const auto* longitudes = numbers_of(rows, device, "longitude");
  const auto* times = numbers_of(rows, device, "utc");
  if (latitudes == nullptr || longitudes == nullptr) return std::nullopt;
  gpx::Path track{rows.header.devices[device].name, {}};
  for (std::size_t row = 0; row < std::min(latitudes->size(), longitudes->size()); ++row) {
    gpx::Point point{{(*latitudes)[row], (*longitudes)[row]}, {}};
    if (times != nullptr && row < times->size()) point.utc = (*times)[row];
    if (!is_on_earth(point.at))
      ++lost;
    else if (track.points.empty() || !(track.points.back() == point))
      track.points.push_back(point);
  }
  return track;
}

}  // namespace

gpx::Document gps_tracks(const trace::Trace& rows, Diagnostics& problems) {
  gpx::Document document;
  document.name = rows.header.scenario;
  for (std::size_t d = 0; d < rows.header.devices.size(); ++d) {
    if (rows.header.devices[d].kind != "GPSSensor") continue;
    std::size_t lost = 0;
    auto track = track_of(rows, d, lost);
    if (lost > 0)
      problems.report(view_code::kGpsPlace, {},
                      fmt::format("{} of {} places of {} are not on the earth and are left out", lost, rows.steps.size(),
                                  quoted(rows.header.devices[d].name)));
    if (track && !track->points.empty()) document.tracks.push_back(std::move(*track));
  }
  if (document.tracks.empty())
    problems.report(view_code::kNoGps, {},
                    "no GPSSensor of the trace has measured a place; a track needs one with latitude and longitude");
  return document;
}

}  // namespace simbatch::view
