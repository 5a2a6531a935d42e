#include "lib/mission/export.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/core/number.hpp"
#include "lib/mission/codes.hpp"
#include "lib/mission/export_detail.hpp"

namespace simbatch::mission {

using medusa::Kind;
using medusa::Section;

namespace {
constexpr std::string_view kTargets[] = {"geojson", "kml", "gpx", "qgc-plan", "wpl", "csv", "svg", "dxf"};

bool needs_place(Target t) {
  return t == Target::geojson || t == Target::kml || t == Target::gpx || t == Target::qgc_plan || t == Target::wpl;
}
bool is_for_one_vehicle(Target t) { return t == Target::qgc_plan || t == Target::wpl; }

/// Reports features that the target format lacks, with counts.
void report_losses(const detail::Job& job, Target target) {
  std::size_t points = 0, depths = 0, curves = 0, words = job.mission.comments.size();
  for (const Track& track : job.tracks)
    for (const Section& s : track.sections) {
      points += s.kind == Kind::point ? 1 : 0;
      depths += s.kind == Kind::depth || s.kind == Kind::alt ? 1 : 0;
      curves += s.kind == Kind::line || s.kind == Kind::arc ? 1 : 0;
      words += s.user_data.empty() ? 0 : 1;
    }
  const std::string_view name = to_text(target);
  const bool is_map = target == Target::kml || target == Target::gpx;
  const bool draws = is_map || target == Target::svg || target == Target::dxf || target == Target::csv;
  if (points > 0 && (draws || target == Target::qgc_plan || target == Target::wpl)) {
    if (draws)
      job.out.report(code::kLossPoint, {},
                     fmt::format("radius, speed, heading and time of {} POINT sections are not in {}", points, name));
  }
  if (depths > 0 && (draws || target == Target::geojson))
    job.out.report(code::kLossDepth, {}, fmt::format("{} DEPTH and ALT sections are not in {}", depths, name));
  if (curves > 0 && (is_map || target == Target::svg || target == Target::dxf))
    job.out.report(code::kLossSpeed, {}, fmt::format("the speeds of {} sections are not in {}", curves, name));
  if (words > 0) job.out.report(code::kLossComment, {}, fmt::format("{} comments and user data are not in {}", words, name));
}

}  // namespace

std::optional<Target> parse_target(std::string_view text) {
  for (std::size_t i = 0; i < std::size(kTargets); ++i)
    if (kTargets[i] == text) return static_cast<Target>(i);
  return std::nullopt;
}

std::string_view to_text(Target target) { return kTargets[static_cast<std::size_t>(target)]; }

std::vector<Track> tracks(const medusa::Mission& mission, std::optional<int> vehicle) {
  std::vector<Track> result;
  const VehicleSections sections(mission);
  if (vehicle) {
    if (auto own = sections.of(*vehicle)) result.push_back({*vehicle, std::move(*own)});
    return result;
  }
  for (const int id : sections.ids()) result.push_back({id, *sections.of(id)});
  return result;
}

Parsed<std::string> export_mission(const medusa::Mission& mission, const std::optional<mission::Georeference>& georeference,
                                   Target target, const ExportOptions& options, const std::string& file) {
  Parsed<std::string> result;
  result.diagnostics = Diagnostics(file);
  Diagnostics& out = result.diagnostics;
  if (needs_place(target) && !georeference) {
    out.report(code::kExportPlace, {},
               fmt::format("{} needs geographic coordinates: give the mission a zone (--zone 29S)", to_text(target)));
    return result;
  }
  // Every vehicle of a formation sails all sections: they can be many more than the file has.
  std::size_t sections = 0;
  const VehicleSections by_vehicle(mission);
  if (!options.vehicle)
    for (const int id : by_vehicle.ids()) sections += by_vehicle.count(id);
  if (sections > options.max_points) {
    out.report(code::kExportSize, {},
               fmt::format("the {} vehicles sail {} sections, more than {} points: choose one (--vehicle)",
                           by_vehicle.ids().size(), sections, options.max_points));
    return result;
  }
  detail::Job job{mission, georeference ? &*georeference : nullptr, options, tracks(mission, options.vehicle), out};
  if (is_for_one_vehicle(target) && job.tracks.size() > 1) {
    std::string ids;
    for (const Track& t : job.tracks) ids += (ids.empty() ? "" : ", ") + std::to_string(t.vehicle);
    out.report(
        code::kExportVehicle, {},
        fmt::format("{} takes one vehicle's path, the mission has those of {}: choose one (--vehicle)", to_text(target), ids));
    return result;
  }
  std::size_t points = 0;
  for (const Track& track : job.tracks)
    for (const Section& s : track.sections) {
      const auto segment = mission::Segment::of(s);
      if (!segment) continue;
      points += mission::chord_count(*segment, options.max_gap);
      if (target == Target::csv) points += static_cast<std::size_t>(std::min(1e9, segment->length() / options.step));
    }
  if (points > options.max_points) {
    out.report(code::kExportSize, {},
               fmt::format("{} points are needed, more than {}: use a larger --max-gap or --step", points, options.max_points));
    return result;
  }
  // A coordinate off the earth (such as 1e300) would leave a gap: refused here, once for all targets.
  if (needs_place(target))
    for (const Track& track : job.tracks)
      for (const Section& s : track.sections) {
        if (s.kind == Kind::depth || s.kind == Kind::alt) continue;
        const bool curve = s.kind != Kind::point;
        if (georeference->at({s.xe, s.ye}) && (!curve || georeference->at({s.xi, s.yi})) &&
            (s.kind != Kind::arc || georeference->at({s.xc, s.yc})))
          continue;
        out.report(code::kExportPlace, {s.line, s.line == 0 ? 0U : 1U}, "a coordinate is not on the earth");
        return result;
      }
  report_losses(job, target);
  switch (target) {
    case Target::geojson: result.value = detail::write_geojson(job); break;
    case Target::gpx: result.value = detail::write_gpx(job); break;
    case Target::kml: result.value = detail::write_kml(job); break;
    case Target::qgc_plan: result.value = detail::write_qgc_plan(job); break;
    case Target::wpl: result.value = detail::write_wpl(job); break;
    case Target::csv: result.value = detail::write_csv(job); break;
    case Target::svg: result.value = detail::write_svg(job); break;
    case Target::dxf: result.value = detail::write_dxf(job); break;
  }
  return result;
}

medusa::Mission to_version3(const medusa::Mission& mission, bool flip_arcs) {
  medusa::Mission m = mission;
  m.version = 3;
  if (m.origin) {
    if (auto reference = mission::to_reference(*m.origin)) {
      reference->easting = std::round(reference->easting * 1000) / 1000;
      reference->northing = std::round(reference->northing * 1000) / 1000;
      m.reference = std::move(reference);
    }
    m.origin.reset();
  }
  for (medusa::Comment& c : m.comments)
    if (c.before == -3) c.before = -2;
  if (flip_arcs)
    for (Section& s : m.sections) s.direction = -s.direction;
  medusa::assign_gammas(m.sections);
  return m;
}

namespace detail {

std::string vehicle_name(const Track& track) {
  return track.vehicle == medusa::kAllVehicles ? "all vehicles" : "vehicle " + std::to_string(track.vehicle);
}

std::vector<Vertex> polyline(const Track& track, double max_gap) {
  std::vector<Vertex> result;
  for (std::size_t i = 0; i < track.sections.size(); ++i) {
    const auto segment = Segment::of(track.sections[i]);
    if (!segment) continue;
    const std::vector<Point> points = chords(*segment, max_gap);
    const bool joined = !result.empty() && distance(result.back().at, points.front()) <= kJoined;
    for (std::size_t k = joined ? 1 : 0; k < points.size(); ++k) result.push_back({points[k], i});
  }
  return result;
}

geo::LatLon place_of(const Job& job, Point p) { return job.georeference->at(p).value_or(geo::LatLon{}); }

std::vector<geo::LatLon> places_of(const Job& job, const std::vector<Vertex>& vertices) {
  std::vector<geo::LatLon> places;
  places.reserve(vertices.size());
  for (const Vertex& v : vertices) places.push_back(place_of(job, v.at));
  return places;
}

Point grid_origin(const Job& job) {
  if (job.georeference != nullptr) return {job.georeference->reference().easting, job.georeference->reference().northing};
  if (job.mission.reference) return {job.mission.reference->easting, job.mission.reference->northing};
  return {};
}

std::string degrees_text(double value) { return rounded_text(value, 9); }

std::string meters_text(double value) { return std::isfinite(value) ? rounded_text(value, 4) : fmt::format("{}", value); }

std::string number_or_null(double value) { return std::isfinite(value) ? number_text(value) : "null"; }

}  // namespace detail
}  // namespace simbatch::mission
