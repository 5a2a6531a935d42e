// OGC KML 2.2 (12-007r2): Document, Folder, Placemark with Point, LineString or Polygon.
#include <stdexcept>

#include "base/core/number.hpp"
#include "formats/kml/kml.hpp"

namespace simbatch::kml {
namespace {

constexpr int kDegreeDecimals = 9;  // 1e-9 degrees are 0.1 mm

void append_place(std::string& out, geo::LatLon at) {
  if (!out.empty()) out += ' ';
  append_rounded(out, at.lon, kDegreeDecimals);
  out += ',';
  append_rounded(out, at.lat, kDegreeDecimals);
}

std::string coordinates(std::span<const geo::LatLon> points) {
  std::string out;
  for (const geo::LatLon p : points) append_place(out, p);
  return out;
}

}  // namespace

Writer::Writer(std::string_view document_name) {
  writer_.start("kml");
  writer_.attribute("xmlns", "http://www.opengis.net/kml/2.2");
  writer_.start("Document");
  leaf("name", document_name);
}

void Writer::leaf(std::string_view name, std::string_view text) {
  writer_.start(name);
  writer_.text(text);
  writer_.end();
}

void Writer::start_folder(std::string_view name) {
  writer_.start("Folder");
  leaf("name", name);
}

void Writer::end_folder() { writer_.end(); }

void Writer::point(std::string_view name, geo::LatLon at) {
  writer_.start("Placemark");
  leaf("name", name);
  writer_.start("Point");
  leaf("coordinates", coordinates({&at, 1}));
  writer_.end();
  writer_.end();
}

void Writer::line(std::string_view name, std::span<const geo::LatLon> points) {
  if (points.size() < 2) throw std::logic_error("kml::Writer: a line needs two points");
  writer_.start("Placemark");
  leaf("name", name);
  writer_.start("LineString");
  leaf("tessellate", "1");
  leaf("coordinates", coordinates(points));
  writer_.end();
  writer_.end();
}

void Writer::polygon(std::string_view name, std::span<const geo::LatLon> ring) {
  if (ring.size() < 3) throw std::logic_error("kml::Writer: a polygon needs three corners");
  std::vector<geo::LatLon> closed(ring.begin(), ring.end());
  if (geo::is_clockwise(ring)) closed.assign(ring.rbegin(), ring.rend());
  closed.push_back(closed.front());
  writer_.start("Placemark");
  leaf("name", name);
  for (const char* element : {"Polygon", "outerBoundaryIs", "LinearRing"}) writer_.start(element);
  leaf("coordinates", coordinates(closed));
  for (int i = 0; i < 4; ++i) writer_.end();
}

std::string Writer::take() {
  writer_.end();
  writer_.end();
  return writer_.take();
}

}  // namespace simbatch::kml
