#pragma once
/// Lengths and layers in tags of a map. Private to the room.

#include <optional>
#include <span>
#include <string_view>

#include "formats/osm/osm.hpp"

namespace simbatch::roads::detail {

/// Lengths of buildings (m); other values are mistakes.
inline constexpr double kLeastLength = 0.1, kMostLength = 1000;

/// The value of a tag in meters: "12", "12.5 m", "40'", "40 ft", "7'4\""; nothing if it is not a number from `low` to `high` (m).
std::optional<double> tag_meters(const osm::Model& map, std::span<const osm::TagId> tags, std::string_view key,
                                 double low = kLeastLength, double high = kMostLength);

/// The tag `layer`, at most 5 up or down; nothing if it is not a number.
std::optional<int> tag_layer(const osm::Model& map, std::span<const osm::TagId> tags);

}  // namespace simbatch::roads::detail
