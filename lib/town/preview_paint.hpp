#pragma once
/// Colors of the preview, similar to those of the OSM standard map style (openstreetmap-carto). Private to the room.

#include <string_view>

namespace simbatch::town::detail {

struct RoadPaint {
  std::string_view kind, fill, casing;
  int rank;  ///< higher ones are drawn above lower ones
};

/// Color of a land use.
std::string_view ground_paint(std::string_view use);
/// Color of the houses of a land use.
std::string_view house_paint(std::string_view use);
/// Style of a value of `highway`; null: draw it like a minor road.
const RoadPaint* road_paint(std::string_view kind);

}  // namespace simbatch::town::detail
