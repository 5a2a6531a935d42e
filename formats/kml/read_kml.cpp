// OGC KML 2.2 (12-007r2): coordinates are tuples "longitude,latitude[,altitude]" between blanks.
#include <fmt/format.h>

#include <cmath>

#include "base/core/number.hpp"
#include "base/core/text.hpp"
#include "formats/kml/codes.hpp"
#include "formats/kml/kml.hpp"

namespace simbatch::kml {
namespace {

std::string_view local_name(std::string_view name) {
  const std::size_t colon = name.rfind(':');
  return colon == std::string_view::npos ? name : name.substr(colon + 1);
}

/// Removes and returns the text up to the next comma; the rest is empty after the last one.
std::string_view next_part(std::string_view& rest) {
  const std::size_t comma = rest.find(',');
  const std::string_view part = rest.substr(0, comma);
  rest.remove_prefix(comma == std::string_view::npos ? rest.size() : comma + 1);
  return part;
}

struct Place {
  geo::LatLon at;
  double altitude = 0;  // m
};

std::optional<Place> parse_place(std::string_view text) {
  const Number<double> lon = parse_double(next_part(text)), lat = parse_double(next_part(text));
  const Number<double> altitude = text.empty() ? Number<double>{} : parse_double(text);
  if (!lon || !lat || !altitude || std::abs(lat.value) > 90 || std::abs(lon.value) > 180) return std::nullopt;
  return Place{{lat.value, lon.value}, altitude.value};
}

void append(const Place& place, Geometry& geometry) {
  if (place.altitude != 0 && geometry.altitudes.empty()) {
    geometry.altitudes.reserve(geometry.places.capacity());
    geometry.altitudes.resize(geometry.places.size());
  }
  if (place.altitude != 0 || !geometry.altitudes.empty()) geometry.altitudes.push_back(place.altitude);
  geometry.places.push_back(place.at);
}

std::size_t count_words(std::string_view text) {
  std::size_t count = 0;
  WordReader words(text, 0);
  for (Token word; words.next(word);) ++count;
  return count;
}

class Reader {
 public:
  explicit Reader(Parsed<std::vector<Geometry>>& result) : result_(result) {}

  /// The depth of the document is bounded by its reader.
  void walk(xml::Element element) {
    for (const xml::Element child : element.children()) {
      const std::string_view name = local_name(child.name());
      if (name == "Point")
        read(child, Geometry::Kind::point);
      else if (name == "LineString")
        read(child, Geometry::Kind::line);
      else if (name == "Track")
        read_track(child);
      else if (name == "Polygon" || name == "LinearRing" || name == "Model")
        result_.diagnostics.report(code::kSkipped, child.position(),
                                   fmt::format("a {} is not a path and is skipped: draw a path (LineString)", name));
      else
        walk(child);
    }
  }

 private:
  void read(xml::Element element, Geometry::Kind kind) {
    for (const xml::Element child : element.children()) {
      if (local_name(child.name()) != "coordinates") continue;
      Geometry geometry{kind, {}, {}, child.position()};
      std::string kept;
      const std::string_view text = child.text(kept);
      geometry.places.reserve(count_words(text));  // a list that doubles takes twice as much
      const std::size_t errors = result_.diagnostics.errors();
      WordReader words(text, 0);
      for (Token word; words.next(word);) {
        if (const std::optional<Place> place = parse_place(word.text)) {
          append(*place, geometry);
        } else if (word.text.ends_with(',') || word.text.starts_with(',')) {
          result_.diagnostics.report(
              code::kCoordinates, child.position(),
              fmt::format("expected longitude,latitude[,altitude] without a blank, found one at {}", quoted(word.text)));
          break;  // all other places of the element are written so, too
        } else {
          bad_place(child, word.text);
        }
      }
      add(std::move(geometry), "LineString", result_.diagnostics.errors() == errors);
    }
  }

  // <gx:coord>longitude latitude altitude</gx:coord>
  void read_track(xml::Element element) {
    Geometry geometry{Geometry::Kind::line, {}, {}, element.position()};
    const std::size_t errors = result_.diagnostics.errors();
    for (const xml::Element child : element.children()) {
      if (local_name(child.name()) != "coord") continue;
      std::string tuple;
      const std::string text = child.text();
      for (const Token& token : split_tokens(text, 0, 1, 4)) (tuple += tuple.empty() ? "" : ",") += token.text;
      if (const std::optional<Place> place = parse_place(tuple))
        append(*place, geometry);
      else
        bad_place(child, trimmed(text));
    }
    add(std::move(geometry), "Track", result_.diagnostics.errors() == errors);
  }

  void bad_place(xml::Element element, std::string_view found) {
    result_.diagnostics.report(code::kCoordinates, element.position(),
                               fmt::format("expected longitude,latitude[,altitude] in degrees, found {}", quoted(found)));
  }

  void add(Geometry geometry, std::string_view name, bool good) {
    if (geometry.kind == Geometry::Kind::line && geometry.places.size() < 2) {
      // Too few because of those that were reported: nothing new.
      if (good) result_.diagnostics.report(code::kLine, geometry.position, fmt::format("a {} needs two places", name));
    } else if (!geometry.places.empty()) {
      result_.value->push_back(std::move(geometry));
    }
  }

  Parsed<std::vector<Geometry>>& result_;
};

}  // namespace

Parsed<std::vector<Geometry>> read_kml(std::string_view text, const std::string& file) {
  Parsed<std::vector<Geometry>> result;
  Parsed<xml::Document> document = xml::Document::parse(text, file);
  result.diagnostics = std::move(document.diagnostics);
  if (!document.value) return result;
  result.value.emplace();
  Reader(result).walk(document.value->root());
  return result;
}

}  // namespace simbatch::kml
