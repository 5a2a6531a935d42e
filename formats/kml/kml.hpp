#pragma once
/// KML 2.2 (OGC 12-007r2): writes documents of named points, lines and polygons, and reads the points and lines of any document
/// (docs/formats/kml.md). Styles, views, time and network links are neither written nor read.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/core/diagnostics.hpp"
#include "base/geo/geo.hpp"
#include "base/xml/xml.hpp"

namespace simbatch::kml {

/// One Document of placemarks, in folders or not. Coordinates have at most 9 decimals (0.1 mm) and no altitude: features are
/// clamped to the ground. A line of one point, a polygon of two and a folder that is not ended are broken preconditions:
/// std::logic_error.
class Writer {
 public:
  explicit Writer(std::string_view document_name);
  void start_folder(std::string_view name);
  void end_folder();
  void point(std::string_view name, geo::LatLon at);
  void line(std::string_view name, std::span<const geo::LatLon> points);  ///< two points or more; follows the ground
  /// The writer closes the ring and turns it counter-clockwise.
  /// @param ring  three corners or more, the first not repeated at the end
  void polygon(std::string_view name, std::span<const geo::LatLon> ring);
  /// The finished document, with a final line break.
  std::string take();

 private:
  void leaf(std::string_view name, std::string_view text);
  xml::Writer writer_;
};

struct Geometry {
  enum class Kind { point, line };
  Kind kind = Kind::point;
  std::vector<geo::LatLon> places;  ///< WGS 84; of a line two or more, of a point usually one
  std::vector<double> altitudes;    ///< of each place: m above sea level (or by altitudeMode); empty: all are 0
  Position position;                ///< of the element
};

/// All Points, LineStrings and Tracks (of Google's extension, as lines), anywhere in the document, in its order. Polygons, rings
/// and models are reported and skipped, overlays are skipped. Element names may have a namespace prefix. Unreadable coordinates
/// and lines with fewer than two points are reported and skipped.
Parsed<std::vector<Geometry>> read_kml(std::string_view text, const std::string& file);

}  // namespace simbatch::kml
