#pragma once
/// Road networks and placed objects as maps (GeoJSON, KML, GPX, SVG, OpenStreetMap) and as an SDFormat world.
/// Sources: RFC 7946; OGC KML 2.2; GPX 1.1; SVG 1.1; OSM XML 0.6; SDFormat 1.9. All outputs are deterministic.

#include <string>

#include "base/core/diagnostics.hpp"
#include "formats/cajunbot/cajunbot.hpp"
#include "formats/rndf/rndf.hpp"
#include "formats/sdf/sdf.hpp"
#include "lib/traffic/traffic.hpp"

namespace simbatch::traffic {

/// Objects of a file, placed (lib/traffic), on their network.
struct ObjectMap {
  const cajunbot::ObjectFile& file;
  const PlacedObjects& placed;
  const rndf::Rndf& network;
};

enum class NetworkMap { geojson, osm };
/// Reports what a map cannot hold of a network: its header, lines of the extensions (one diagnostic for each word, at the first
/// of its lines), lanes, perimeters and spots with too few points. O(size).
void report_network_losses(const rndf::Rndf& network, NetworkMap map, Diagnostics& diagnostics);

/// A FeatureCollection: lanes, perimeters, spots and exits as lines and polygons, checkpoints and stops as points.
std::string to_geojson(const rndf::Rndf& network);
/// Objects as points, goal paths as lines; the network is not repeated.
std::string to_geojson(const ObjectMap& map);
std::string to_kml(const ObjectMap& map);
/// Objects as waypoints, goal paths as routes, lanes and perimeters as tracks.
std::string to_gpx(const ObjectMap& map);
/// North up, a meter is a user unit; lanes, zones, objects to scale, goal paths.
std::string to_svg(const ObjectMap& map);
/// New data (negative ids): one-way roads for lanes, parking areas for zones, checkpoints and stops as tags.
std::string to_osm(const rndf::Rndf& network);
/// Static objects as static models, vehicles with their wheels on joints; goals and mesh objects are losses.
sdf::World to_sdf(const ObjectMap& map, Diagnostics& diagnostics);
/// Poses and goals as a table (tab-separated, one line per object or goal) in meters and degrees.
std::string to_table(const ObjectMap& map);

}  // namespace simbatch::traffic
