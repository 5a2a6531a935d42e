#pragma once
/// Maps across the antimeridian, which no plane about one place can hold.

#include "formats/osm/osm.hpp"

namespace simbatch::osm {

/// Whether a map has nodes on both sides of the antimeridian (180 degrees) within 10 degrees of it, and none on the other half of
/// the earth.
bool crosses_antimeridian(const Model& map);

/// What to do about it, for messages.
inline constexpr const char* kAntimeridianText =
    "the map lies across the antimeridian (180 degrees of longitude), which is not supported; cut it there into two maps";

}  // namespace simbatch::osm
