#pragma once
/// Writes GeoJSON (RFC 7946): one FeatureCollection, each feature with a geometry and typed properties
/// (docs/formats/geojson.md). The same calls give the same bytes.
///
///   geojson::Writer writer;
///   writer.point({48.1, 11.5});
///   writer.property("name", "start");
///   writer.property("speed", 2.5);
///   std::string text = writer.take();

#include <concepts>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/core/number.hpp"
#include "base/geo/geo.hpp"

namespace simbatch::geojson {

/// Calls out of order (a property before the first feature, a list that is not ended, a line of one point) are broken
/// preconditions: std::logic_error. A coordinate that is not finite is std::invalid_argument.
class Writer {
 public:
  Writer();

  // A feature and its geometry. Positions are WGS 84, written as longitude, latitude with at most 9 decimals (0.1 mm).
  void point(geo::LatLon at);
  void line(std::span<const geo::LatLon> points);  ///< two points or more
  /// The writer closes rings, and turns the outer one counter-clockwise and holes clockwise (RFC 7946, section 3.1.6).
  /// @param ring  three corners or more, the first not repeated at the end; likewise each hole
  void polygon(std::span<const geo::LatLon> ring, std::span<const std::vector<geo::LatLon>> holes = {});
  /// Polygons without holes as one feature; at least one.
  void multi_polygon(std::span<const std::vector<geo::LatLon>> polygons);

  // Properties of the feature begun last, in the order of the calls; inside start_object, members of that object.
  void property(std::string_view name, std::string_view value);  ///< what is not UTF-8 becomes U+FFFD
  void property(std::string_view name, const char* value) { property(name, std::string_view(value)); }
  void property(std::string_view name, double value);  ///< shortest form; null if not finite
  /// Rounded to at most `decimals` digits; null if not finite.
  void property(std::string_view name, double value, int decimals);
  /// A list of numbers, each as above.
  void property(std::string_view name, std::span<const double> values, int decimals);
  template <std::integral T>
  void property(std::string_view name, T value) {
    raw_property(name, number_text(value));
  }
  void property(std::string_view name, bool value) { raw_property(name, value ? "true" : "false"); }
  /// A property that is a list of objects: start_list, any number of start_object ... end_object, end_list.
  void start_list(std::string_view name);
  void start_object();
  void end_object();
  void end_list();

  /// The finished document, with a final line break; the writer is empty afterwards.
  std::string take();

 private:
  void start_feature(std::string_view type);
  void end_feature();
  void position(geo::LatLon at);
  void add_ring(std::span<const geo::LatLon> ring, bool is_hole);
  void separate();
  void name(std::string_view name);
  void string(std::string_view text);
  void raw_property(std::string_view name, std::string_view value);

  std::string out_;
  bool in_feature_ = false;
  std::string open_;  ///< the closing brackets of what is open inside the feature's properties
};

}  // namespace simbatch::geojson
