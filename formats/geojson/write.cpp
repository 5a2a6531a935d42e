// RFC 7946, The GeoJSON Format; strings by RFC 8259, section 7. One feature per line, no blanks inside a feature.
#include <cmath>
#include <stdexcept>

#include "base/core/text.hpp"
#include "formats/geojson/geojson.hpp"

namespace simbatch::geojson {
namespace {

constexpr int kDegreeDecimals = 9;  // 1e-9 degrees are 0.1 mm

void require(bool holds, const char* message) {
  if (!holds) throw std::logic_error(message);
}

}  // namespace

Writer::Writer() : out_("{\n  \"type\": \"FeatureCollection\",\n  \"features\": [") {}

void Writer::separate() {
  // No string ends in these, so the last byte shows whether something precedes.
  if (!out_.ends_with('[') && !out_.ends_with('{')) out_ += ',';
}

void Writer::start_feature(std::string_view type) {
  end_feature();
  separate();
  out_ += "\n    {\"type\":\"Feature\",\"geometry\":{\"type\":\"";
  out_ += type;
  out_ += "\",\"coordinates\":";
  in_feature_ = true;
}

void Writer::end_feature() {
  require(open_.empty(), "geojson::Writer: a list is still open");
  if (in_feature_) out_ += "}}";
  in_feature_ = false;
}

void Writer::position(geo::LatLon at) {
  separate();
  out_ += '[';
  append_rounded(out_, at.lon, kDegreeDecimals);
  out_ += ',';
  append_rounded(out_, at.lat, kDegreeDecimals);
  out_ += ']';
}

void Writer::point(geo::LatLon at) {
  start_feature("Point");
  out_ += '[';
  append_rounded(out_, at.lon, kDegreeDecimals);
  out_ += ',';
  append_rounded(out_, at.lat, kDegreeDecimals);
  out_ += "]},\"properties\":{";
}

void Writer::line(std::span<const geo::LatLon> points) {
  require(points.size() >= 2, "geojson::Writer: a line needs two points");
  start_feature("LineString");
  out_ += '[';
  for (const geo::LatLon p : points) position(p);
  out_ += "]},\"properties\":{";
}

void Writer::add_ring(std::span<const geo::LatLon> ring, bool is_hole) {
  require(ring.size() >= 3, "geojson::Writer: a ring needs three corners");
  separate();
  out_ += '[';
  const bool reversed = geo::is_clockwise(ring) != is_hole;
  for (std::size_t i = 0; i < ring.size(); ++i) position(ring[reversed ? ring.size() - 1 - i : i]);
  position(reversed ? ring.back() : ring.front());
  out_ += ']';
}

void Writer::polygon(std::span<const geo::LatLon> outer, std::span<const std::vector<geo::LatLon>> holes) {
  require(outer.size() >= 3, "geojson::Writer: a polygon needs three corners");
  start_feature("Polygon");
  out_ += '[';
  add_ring(outer, false);
  for (const std::vector<geo::LatLon>& hole : holes) add_ring(hole, true);
  out_ += "]},\"properties\":{";
}

void Writer::multi_polygon(std::span<const std::vector<geo::LatLon>> polygons) {
  require(!polygons.empty(), "geojson::Writer: no polygons");
  start_feature("MultiPolygon");
  out_ += '[';
  for (const std::vector<geo::LatLon>& polygon : polygons) {
    separate();
    out_ += '[';
    add_ring(polygon, false);
    out_ += ']';
  }
  out_ += "]},\"properties\":{";
}

void Writer::string(std::string_view text) {
  if (find_invalid_utf8(text) != std::string_view::npos) return string(valid_utf8(text));
  constexpr char kHex[] = "0123456789abcdef";
  out_ += '"';
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\')
      (out_ += '\\') += c;
    else if (byte < 0x20)
      ((out_ += "\\u00") += kHex[byte >> 4]) += kHex[byte & 15];
    else
      out_ += c;
  }
  out_ += '"';
}

void Writer::name(std::string_view name) {
  require(in_feature_ && !open_.ends_with(']'), "geojson::Writer: a property outside a feature or object");
  separate();
  string(name);
  out_ += ':';
}

void Writer::raw_property(std::string_view name, std::string_view value) {
  this->name(name);
  out_ += value;
}

void Writer::property(std::string_view name, std::string_view value) {
  this->name(name);
  string(value);
}

void Writer::property(std::string_view name, double value) {
  raw_property(name, std::isfinite(value) ? number_text(value) : "null");
}

void Writer::property(std::string_view name, double value, int decimals) {
  raw_property(name, std::isfinite(value) ? rounded_text(value, decimals) : "null");
}

void Writer::property(std::string_view name, std::span<const double> values, int decimals) {
  std::string list;
  for (const double value : values)
    (list += list.empty() ? '[' : ',') += std::isfinite(value) ? rounded_text(value, decimals) : "null";
  raw_property(name, list.empty() ? "[]" : list + ']');
}

void Writer::start_list(std::string_view name) {
  this->name(name);
  out_ += '[';
  open_ += ']';
}

void Writer::start_object() {
  require(open_.ends_with(']'), "geojson::Writer: an object outside a list");
  separate();
  out_ += '{';
  open_ += '}';
}

void Writer::end_object() {
  require(open_.ends_with('}'), "geojson::Writer: no object is open");
  open_.pop_back();
  out_ += '}';
}

void Writer::end_list() {
  require(open_.ends_with(']'), "geojson::Writer: no list is open");
  open_.pop_back();
  out_ += ']';
}

std::string Writer::take() {
  end_feature();
  std::string text = std::move(out_);
  text += text.ends_with('[') ? "]\n}\n" : "\n  ]\n}\n";
  *this = Writer();
  return text;
}

}  // namespace simbatch::geojson
