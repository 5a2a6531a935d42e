#include "lib/mission/georeference.hpp"

#include <fmt/format.h>

#include <cmath>

#include "base/core/number.hpp"
#include "lib/mission/codes.hpp"

namespace simbatch::mission {
namespace {
constexpr std::string_view kBands = "CDEFGHJKLMNPQRSTUVWX";

std::string degrees_text(double lat) { return fmt::format("{:.2f} {}", std::abs(lat), lat < 0 ? "S" : "N"); }
}  // namespace

std::optional<Zone> parse_zone(std::string_view text) {
  const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
  if (digits == 0 || digits > 2 || text.size() > digits + 1) return std::nullopt;
  Zone zone;
  zone.number = parse_integer<int>(text.substr(0, digits)).value;
  if (zone.number < 1 || zone.number > 60) return std::nullopt;
  if (text.size() > digits) {
    char letter = text[digits];
    if (letter >= 'a' && letter <= 'z') letter = static_cast<char>(letter - 32);
    if (kBands.find(letter) == std::string_view::npos) return std::nullopt;
    zone.band = letter;
    zone.north = letter >= 'N';
  }
  return zone;
}

char band_of(double latitude) {
  if (!(latitude >= -80 && latitude <= 84)) return 0;
  const auto index = static_cast<std::size_t>(std::floor((latitude + 80) / 8));
  return kBands[std::min<std::size_t>(index, kBands.size() - 1)];
}

std::optional<geo::LatLon> Georeference::at(Point p) const {
  geo::Utm utm = reference_;
  utm.easting += p.x;
  utm.northing += p.y;
  return geo::from_utm(utm);
}

std::optional<Point> Georeference::to_mission(geo::LatLon place) const {
  const std::optional<geo::Utm> utm = geo::to_utm(place, reference_.zone);
  if (!utm) return std::nullopt;
  const double northing = utm->northing + (utm->north == reference_.north ? 0 : utm->north ? 1e7 : -1e7);
  return Point{utm->easting - reference_.easting, northing - reference_.northing};
}

double Georeference::convergence(Point at) const {
  geo::Utm utm = reference_;
  utm.easting += at.x;
  utm.northing += at.y;
  return geo::utm_convergence(utm).value_or(0);
}

std::optional<medusa::Reference> to_reference(const medusa::Origin& origin) {
  const std::optional<geo::Utm> utm = geo::to_utm({origin.lat, origin.lon});
  if (!utm) return std::nullopt;
  medusa::Reference r;
  r.easting = utm->easting + origin.east;
  r.northing = utm->northing + origin.north;
  if (!std::isfinite(r.easting) || !std::isfinite(r.northing)) return std::nullopt;
  r.zone = fmt::format("{}{}", utm->zone, band_of(origin.lat));
  r.at = r.zone_at = origin.at;
  return r;
}

std::optional<Georeference> find_georeference(const std::optional<medusa::Reference>& reference,
                                              const std::optional<medusa::Origin>& origin, std::string_view default_zone,
                                              Point sample, Diagnostics& diagnostics) {
  if (origin) {
    const std::optional<geo::Utm> utm = geo::to_utm({origin->lat, origin->lon});
    if (!utm) {
      diagnostics.report(code::kPlace, origin->at, fmt::format("the origin {} {} is outside UTM", origin->lat, origin->lon));
      return std::nullopt;
    }
    geo::Utm moved = *utm;
    moved.easting += origin->east;
    moved.northing += origin->north;
    return Georeference(moved);
  }
  if (!reference) return std::nullopt;
  const medusa::Reference& r = *reference;
  if (r.easting == 0 && r.northing == 0 && (std::abs(sample.x) > 100'000 || std::abs(sample.y) > 100'000))
    diagnostics.report(code::kReferenceZero, r.at, "the reference is 0 0: the sections hold absolute grid coordinates");
  std::string_view text = r.zone;
  if (text.empty()) {
    if (default_zone.empty()) {
      diagnostics.report(code::kZoneMissing, r.at, "the reference has no UTM zone: only local meters are known");
      return std::nullopt;
    }
    text = default_zone;
  }
  const std::optional<Zone> zone = parse_zone(text);
  if (!zone) {
    diagnostics.report(code::kZone, r.zone_at, fmt::format("expected a zone like 29S, found {}", quoted(text)));
    return std::nullopt;
  }
  if (zone->band == 0)
    diagnostics.report(code::kZone, r.zone_at,
                       fmt::format("zone {} has no latitude band: taken as north of the equator", quoted(text)));
  const Georeference georeference({zone->number, zone->north, r.easting, r.northing});
  const std::optional<geo::LatLon> at = georeference.at(sample);
  if (!at) {
    diagnostics.report(code::kPlace, r.at,
                       fmt::format("{} {} is outside UTM zone {}", r.easting + sample.x, r.northing + sample.y, text));
    return std::nullopt;
  }
  // A mission may lie across a band's limit: the letter is that of the reference, or that of the sections.
  const std::optional<geo::LatLon> reference_at = r.easting != 0 || r.northing != 0 ? georeference.at({}) : std::nullopt;
  const char band = band_of(at->lat);
  if (zone->band != 0 && band != zone->band && !(reference_at && band_of(reference_at->lat) == zone->band)) {
    const bool is_hemisphere_letter = zone->band == 'N' || zone->band == 'S';
    // A neighboring band is a typing error; a distant one means that N or S was intended as a hemisphere.
    const auto index = [](char c) { return static_cast<int>(kBands.find(c)); };
    const bool far = band == 0 || std::abs(index(band) - index(zone->band)) > 1;
    if (is_hemisphere_letter && far)
      diagnostics.report(code::kZoneHemisphere, r.zone_at,
                         fmt::format("{} is read as latitude band {} (north), but the place is then at {}: was {} meant?",
                                     quoted(text), zone->band, degrees_text(at->lat),
                                     zone->band == 'N' ? "the northern hemisphere" : "the southern hemisphere"));
    else
      diagnostics.report(code::kZoneBand, r.zone_at,
                         fmt::format("zone {} names latitude band {}, but the place at {} is in band {}", quoted(text),
                                     zone->band, degrees_text(at->lat), band == 0 ? '?' : band));
  }
  return georeference;
}

}  // namespace simbatch::mission
