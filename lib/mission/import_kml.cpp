// KML 2.2: LineString and Point anywhere in the tree, with or without a namespace prefix; coordinates are
// "lon,lat[,altitude]" between blanks.

#include <fmt/format.h>

#include <cmath>

#include "base/core/number.hpp"
#include "base/core/text.hpp"
#include "base/xml/xml.hpp"
#include "lib/mission/export.hpp"
#include "lib/mission/export_codes.hpp"

namespace simbatch::mission {
namespace {

using medusa::Kind;
using medusa::Section;

std::string_view local_name(std::string_view name) {
  const std::size_t colon = name.rfind(':');
  return colon == std::string_view::npos ? name : name.substr(colon + 1);
}

class KmlReader {
 public:
  KmlReader(const KmlOptions& options, Diagnostics& out) : options_(options), out_(out) {}

  void walk(xml::Element element) {
    for (const xml::Element child : element.children()) {
      const std::string_view name = local_name(child.name());
      if (name == "LineString" || name == "Point")
        geometry(child, name == "Point");
      else
        walk(child);
    }
  }
  medusa::Mission take() {
    if (mission_.sections.empty()) out_.report(export_code::kKml, {}, "there is no LineString with two places, and no Point");
    if (has_altitude_) out_.report(export_code::kKmlAltitude, {}, "altitudes are not taken over");
    medusa::assign_gammas(mission_.sections);
    return std::move(mission_);
  }

 private:
  void geometry(xml::Element element, bool is_point) {
    for (const xml::Element child : element.children()) {
      if (local_name(child.name()) != "coordinates") continue;
      std::vector<mission::Point> points;
      const std::string text = child.text();
      for (const Token& token : split_tokens(text, 0)) {
        const std::optional<mission::Point> p = place(token.text, child);
        if (p) points.push_back(*p);
      }
      if (is_point) {
        for (const mission::Point p : points) add_point(p);
      } else if (points.size() < 2) {
        out_.report(export_code::kKml, child.position(), "a LineString needs two places");
      }
      if (is_point) continue;
      for (std::size_t i = 1; i < points.size(); ++i) {
        if (mission::distance(points[i - 1], points[i]) == 0) continue;
        Section s;
        s.kind = Kind::line;
        s.xi = points[i - 1].x, s.yi = points[i - 1].y, s.xe = points[i].x, s.ye = points[i].y;
        s.velocity = options_.speed;
        mission_.sections.push_back(s);
      }
    }
  }

  void add_point(mission::Point p) {
    Section s;
    s.kind = Kind::point;
    s.xe = p.x, s.ye = p.y, s.radius = 2, s.velocity = options_.speed, s.time = 0;
    mission_.sections.push_back(s);
  }

  std::optional<mission::Point> place(std::string_view text, xml::Element at) {
    const std::size_t comma = text.find(',');
    const std::size_t second = comma == std::string_view::npos ? comma : text.find(',', comma + 1);
    const Number<double> lon = parse_double(text.substr(0, comma));
    const Number<double> lat = comma == std::string_view::npos ? Number<double>{0, NumberFault::syntax}
                                                               : parse_double(text.substr(comma + 1, second - comma - 1));
    if (!lon || !lat || std::abs(lat.value) > 90 || std::abs(lon.value) > 180) {
      out_.report(export_code::kKml, at.position(),
                  fmt::format("expected longitude,latitude in degrees, found {}", quoted(text)));
      return std::nullopt;
    }
    if (second != std::string_view::npos) {
      const Number<double> altitude = parse_double(text.substr(second + 1));
      has_altitude_ = has_altitude_ || (altitude && altitude.value != 0);
    }
    const geo::LatLon place{lat.value, lon.value};
    if (!placement_ && !set_reference(place, at)) return std::nullopt;
    const std::optional<geo::Utm> own = geo::to_utm(place);
    if (own && own->zone != placement_->reference().zone && !zone_said_) {
      out_.report(
          export_code::kKmlZone, at.position(),
          fmt::format("{} lies in zone {}, the first place in {}", quoted(text), own->zone, placement_->reference().zone));
      zone_said_ = true;
    }
    const std::optional<mission::Point> p = placement_->to_mission(place);
    if (!p) {
      out_.report(export_code::kKml, at.position(),
                  fmt::format("{} is too far from zone {}", quoted(text), placement_->reference().zone));
      return std::nullopt;
    }
    const auto millimetres = [](double v) { return std::round(v * 1000) / 1000 + 0.0; };
    return mission::Point{millimetres(p->x), millimetres(p->y)};
  }

  bool set_reference(geo::LatLon place, xml::Element at) {
    const auto reference = mission::to_reference({place.lat, place.lon, 0, 0, {}});
    if (!reference) {
      out_.report(export_code::kKml, at.position(), fmt::format("latitude {} is outside UTM", place.lat));
      return false;
    }
    mission_.reference = *reference;
    mission_.reference->easting = std::round(reference->easting * 1000) / 1000;
    mission_.reference->northing = std::round(reference->northing * 1000) / 1000;
    const auto zone = mission::parse_zone(reference->zone);
    placement_.emplace(geo::Utm{zone->number, zone->north, mission_.reference->easting, mission_.reference->northing});
    return true;
  }

  const KmlOptions& options_;
  Diagnostics& out_;
  medusa::Mission mission_;
  std::optional<mission::Placement> placement_;
  bool has_altitude_ = false, zone_said_ = false;
};

}  // namespace

Parsed<medusa::Mission> read_kml(std::string_view text, const KmlOptions& options, const std::string& file) {
  Parsed<medusa::Mission> result;
  Parsed<xml::Document> document = xml::Document::parse(text, file);
  result.diagnostics = std::move(document.diagnostics);
  if (!document.value) return result;
  KmlReader reader(options, result.diagnostics);
  reader.walk(document.value->root());
  medusa::Mission mission = reader.take();
  if (!mission.sections.empty()) result.value = std::move(mission);
  return result;
}

}  // namespace simbatch::mission
