#pragma once
/// Exports missions to files of maps, planners and ground stations, and imports KML. Arcs become chords where the target has no
/// arcs; features that a target lacks are reported, one diagnostic per kind with its count.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/core/diagnostics.hpp"
#include "formats/medusa/medusa.hpp"
#include "lib/mission/geometry.hpp"
#include "lib/mission/georeference.hpp"

namespace simbatch::mission {

enum class Target {
  geojson,   ///< RFC 7946: a LineString for each vehicle and Points, WGS84
  kml,       ///< OGC KML 2.2
  gpx,       ///< GPX 1.1: a track for each vehicle and waypoints
  qgc_plan,  ///< QGroundControl plan file, version 1 (docs.qgroundcontrol.com, "Plan File Format")
  wpl,       ///< MAVLink waypoint text, "QGC WPL 110"
  csv,       ///< samples along the path
  svg,       ///< a picture in meters, north up; arcs stay arcs
  dxf,       ///< AutoCAD R12 polylines in grid meters; arcs stay arcs (bulge = tan(sweep / 4))
};
std::optional<Target> parse_target(std::string_view text);
std::string_view to_text(Target target);

struct ExportOptions {
  double max_gap = 0.01;       ///< m, between arc and chord
  double step = 1.0;           ///< m, csv: distance of samples
  std::optional<int> vehicle;  ///< only the track of this vehicle
  std::size_t max_points = 5'000'000;
};

/// The track of one vehicle: the sections for all and its own, in the mission's order. Without FORMATION a mission is one track
/// for each id in it (-1: of every vehicle that it does not name); with FORMATION one for each of its vehicles.
struct Track {
  int vehicle = medusa::kAllVehicles;
  std::vector<medusa::Section> sections;
};
std::vector<Track> tracks(const medusa::Mission& mission, std::optional<int> vehicle);

/// @param georeference  where the mission is; not needed for svg, csv and dxf
Parsed<std::string> export_mission(const medusa::Mission& mission, const std::optional<mission::Georeference>& georeference,
                                   Target target, const ExportOptions& options, const std::string& file);

struct KmlOptions {
  double speed = 0.3;  ///< m/s of all sections
};
/// Reads KML: each LineString becomes LINE sections, each Point a POINT to pass (radius 2 m). The first coordinate is the
/// reference point, in its own UTM zone, rounded to millimeters.
Parsed<medusa::Mission> import_kml(std::string_view text, const KmlOptions& options, const std::string& file);

/// A version 2 or 5 mission as version 3: same sections; a version 5 origin becomes a reference point (millimeters).
/// @param flip_arcs  reverse the direction of all arcs
medusa::Mission to_version3(const medusa::Mission& mission, bool flip_arcs);

}  // namespace simbatch::mission
