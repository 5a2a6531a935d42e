#pragma once
/// Overlay of a preview: legend, scale bar, north arrow, credit. Private to the room.

#include <string>

#include "formats/svg/svg.hpp"
#include "lib/town/place_options.hpp"
#include "lib/town/town.hpp"

namespace simbatch::town::detail {

/// The map within the picture, in SVG units.
struct PreviewFrame {
  double margin = 0, width = 0, height = 0;
  double scale = 1;  ///< SVG units per meter
};

/// Title, counts, and the color of each land use that has houses.
void draw_legend(svg::Writer& out, const Town& town, const PlacedHouses& placed, const std::string& title,
                 const PreviewFrame& frame);
void draw_scale_bar(svg::Writer& out, const PreviewFrame& frame);
void draw_north_arrow(svg::Writer& out, const PreviewFrame& frame);
/// The attribution required by the license of OpenStreetMap's data.
void draw_credit(svg::Writer& out, const PreviewFrame& frame);

}  // namespace simbatch::town::detail
