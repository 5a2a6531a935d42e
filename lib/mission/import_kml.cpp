// Lines become LINE sections and points POINT sections, in meters, in the UTM zone of the first point.
#include <fmt/format.h>

#include <cmath>

#include "base/core/number.hpp"
#include "formats/kml/kml.hpp"
#include "lib/mission/codes.hpp"
#include "lib/mission/export.hpp"

namespace simbatch::mission {
namespace {

using medusa::Kind;
using medusa::Section;

constexpr double kPointRadius = 2;  // m: acceptance radius of imported POINT sections
constexpr double kPathGap = 0.02;   // m: paths closer than that are one

double to_millimeters(double meters) { return std::round(meters * 1000) / 1000 + 0.0; }

std::string text_of(geo::LatLon at) { return fmt::format("{},{}", rounded_text(at.lon, 9), rounded_text(at.lat, 9)); }

class KmlImport {
 public:
  /// @param places  of all geometries: at most so many sections
  KmlImport(const KmlOptions& options, std::size_t places, Diagnostics& out) : options_(options), out_(out) {
    mission_.sections.reserve(places);
  }

  void add(const kml::Geometry& geometry) {
    has_altitude_ = has_altitude_ || !geometry.altitudes.empty();
    bool is_first = true;
    for (const geo::LatLon place : geometry.places) {
      const std::optional<Point> p = to_mission(place, geometry.position);
      if (!p) continue;
      if (geometry.kind == kml::Geometry::Kind::point) {
        add_point(*p);
        continue;
      }
      if (is_first)
        report_gap(*p, geometry.position);
      else
        add_line(*end_, *p);
      end_ = p;
      is_first = false;
    }
  }

  medusa::Mission take() {
    if (mission_.sections.empty() && !out_.has_errors())
      out_.report(code::kKml, {}, "the file has no Point and no LineString with two places");
    if (has_altitude_) out_.report(code::kKmlAltitude, {}, "altitudes are dropped");
    medusa::assign_gammas(mission_.sections);
    return std::move(mission_);
  }

 private:
  void report_gap(Point start, Position at) {
    if (end_ && distance(*end_, start) > kPathGap)
      out_.report(
          code::kKmlGap, at,
          fmt::format("this path begins {:.2f} m from the end of the one before: the mission has both, one after the other",
                      distance(*end_, start)));
  }

  void add_line(Point a, Point b) {
    if (distance(a, b) == 0) return;
    Section s;
    s.kind = Kind::line;
    s.xi = a.x, s.yi = a.y, s.xe = b.x, s.ye = b.y;
    s.velocity = options_.speed;
    mission_.sections.push_back(s);
  }

  void add_point(Point p) {
    Section s;
    s.kind = Kind::point;
    s.xe = p.x, s.ye = p.y, s.radius = kPointRadius, s.velocity = options_.speed, s.time = 0;
    mission_.sections.push_back(s);
  }

  std::optional<Point> to_mission(geo::LatLon place, Position at) {
    if (!georeference_ && !set_reference(place, at)) return std::nullopt;
    const int zone = georeference_->reference().zone;
    const std::optional<geo::Utm> own = geo::to_utm(place);
    if (own && own->zone != georeference_->reference().zone && !zone_reported_) {
      out_.report(code::kKmlZone, at,
                  fmt::format("{} is in UTM zone {}, the first place in zone {}", text_of(place), own->zone, zone));
      zone_reported_ = true;
    }
    const std::optional<Point> p = georeference_->to_mission(place);
    if (!p) {
      out_.report(code::kKml, at, fmt::format("{} is too far from UTM zone {}", text_of(place), zone));
      return std::nullopt;
    }
    return Point{to_millimeters(p->x), to_millimeters(p->y)};
  }

  bool set_reference(geo::LatLon place, Position at) {
    std::optional<medusa::Reference> reference = to_reference({place.lat, place.lon, 0, 0, {}});
    if (!reference) {
      out_.report(code::kKml, at, fmt::format("latitude {} is outside UTM", place.lat));
      return false;
    }
    reference->easting = to_millimeters(reference->easting);
    reference->northing = to_millimeters(reference->northing);
    const std::optional<Zone> zone = parse_zone(reference->zone);
    georeference_.emplace(geo::Utm{zone->number, zone->north, reference->easting, reference->northing});
    mission_.reference = std::move(reference);
    return true;
  }

  const KmlOptions& options_;
  Diagnostics& out_;
  medusa::Mission mission_;
  std::optional<Georeference> georeference_;
  std::optional<Point> end_;  // the last place of a path
  bool has_altitude_ = false, zone_reported_ = false;
};

}  // namespace

Parsed<medusa::Mission> import_kml(std::string_view text, const KmlOptions& options, const std::string& file) {
  Parsed<medusa::Mission> result;
  Parsed<std::vector<kml::Geometry>> document = kml::read_kml(text, file);
  result.diagnostics = std::move(document.diagnostics);
  if (!document.value) return result;
  std::size_t places = 0;
  for (const kml::Geometry& geometry : *document.value) places += geometry.places.size();
  KmlImport import(options, places, result.diagnostics);
  for (const kml::Geometry& geometry : *document.value) import.add(geometry);
  medusa::Mission mission = import.take();
  if (!mission.sections.empty()) result.value = std::move(mission);
  return result;
}

}  // namespace simbatch::mission
