#pragma once
/// Draws a town with its houses as SVG.

#include <string>

#include "formats/osm/osm.hpp"
#include "lib/town/place.hpp"
#include "lib/town/town.hpp"

namespace simbatch::town {

struct PreviewOptions {
  double width = 1600;     ///< of the picture, in SVG units (pixels), without margins; the height follows
  std::string title;       ///< usually the file's name
  bool credit_osm = true;  ///< "(c) OpenStreetMap contributors": map data must keep its attribution
};

/// Land use, water, buildings, roads at their widths, and the new houses colored by land use, each with a line along its front;
/// a legend with counts, a scale bar, north up. Shows the map's bounds if it has any, else all roads. Deterministic, no
/// scripts, no external resources.
std::string preview_svg(const osm::Model& map, Town& town, const PlacedHouses& placement, const PreviewOptions& options);

}  // namespace simbatch::town
