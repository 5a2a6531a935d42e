#pragma once
/// Lengths in tags.

#include <optional>
#include <string_view>

namespace simbatch::osm {

/// The value of a tag in meters: "12", "12.5 m", "30 ft", "30'", "7'4\"", "88\""; nothing if it is not a length.
std::optional<double> length_of(std::string_view text);

}  // namespace simbatch::osm
