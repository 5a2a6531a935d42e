#pragma once
/// What the tags of waters say of their size, and of what moves on them.

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "formats/osm/osm.hpp"

namespace simbatch::roads {

/// Width of a waterway that is mapped as a line (m): the tag `width`, else `est_width` (meters, or with a unit m or '; 0.5 to
/// 600 m). Nothing if neither has such a value.
std::optional<double> waterway_width(const osm::Model& map, std::span<const osm::TagId> tags);

/// Clearance of a bridge over water (m), according to the tags of the bridge or the water: `maxheight:marine`,
/// `seamark:bridge:clearance_height`, ..._safe, ..._closed (0 to 300 m, but at most kMostClearance is built).
std::optional<double> tagged_clearance(const osm::Model& map, std::span<const osm::TagId> tags);
inline constexpr double kMostClearance = 10;  // m

/// Clearance that what moves on a water needs (m): as tagged; none with `boat=no` or `intermittent=yes`; else 3.5 m for
/// `waterway` = `river`, `riverbank`, `dock`, `water` = `river`, `harbour`, `lagoon`, 3 m for canals, 2 m for `water` = `lake`,
/// `reservoir`, `landuse=reservoir` and for `natural=water` of unknown kind, none for streams, ditches, ponds and others.
double water_clearance(const osm::Model& map, std::span<const osm::TagId> tags);
inline constexpr double kSeaClearance = 3.5;  // m

/// Keys of the tags by which waters, and what crosses them, are known.
std::vector<std::string> water_keys();

/// The layer of a water: 1 for an aqueduct without `layer`.
int water_layer(const osm::Model& map, std::span<const osm::TagId> tags);

}  // namespace simbatch::roads
