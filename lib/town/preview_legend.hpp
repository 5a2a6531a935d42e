#pragma once
/// What lies over the map of a preview: legend, scale bar, north arrow, credit. Private to the room.

#include <string>

#include "lib/town/place_options.hpp"
#include "lib/town/town.hpp"

namespace simbatch::town::detail {

/// The map within the picture, in SVG units.
struct PreviewFrame {
  double margin = 0, width = 0, height = 0;
  double scale = 1;  ///< SVG units per meter
};

std::string legend(const Town& town, const PlacedHouses& placed, const std::string& title, const PreviewFrame& frame);
std::string scale_bar(bool credit_osm, const PreviewFrame& frame);

}  // namespace simbatch::town::detail
