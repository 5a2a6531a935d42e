#pragma once
/// Pictures of a town with its houses: SVG for people, GeoJSON for other programs.

#include <string>
#include <string_view>

#include "formats/osm/osm.hpp"
#include "lib/town/place.hpp"
#include "lib/town/town.hpp"

namespace simbatch::town {

struct PreviewOptions {
  double width = 1600;     ///< of the picture, in SVG units (pixels), without margins; the height follows
  std::string title;       ///< usually the file's name
  bool credit_osm = true;  ///< "(c) OpenStreetMap contributors": map data must keep its attribution
};

/// Land use, water, buildings, roads at their widths, and the new houses in colour by land use, each with a line where its
/// front is; a legend with counts, a scale bar, north up. Shows the map's bounds if it has any, else all roads.
/// Deterministic, no scripts, no outside resources.
std::string preview_svg(const osm::Model& map, Town& town, const Placement& placement, const PreviewOptions& options);

/// The houses as a FeatureCollection (RFC 7946) of their footprints, with the properties of thesis table C.3.
std::string houses_geojson(Town& town, const Placement& placement);

}  // namespace simbatch::town
