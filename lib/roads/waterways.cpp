// Tags: OSM wiki, "Key:width", "Key:est_width", "Key:maxheight:marine", "Seamarks/Bridges", "Key:water". Clearances are our own
// choice: rounded down from those that inland boats can rely on (European waterway classes 0 to III: 2.5 to 4 m).
#include "lib/roads/waterways.hpp"

#include <algorithm>
#include <iterator>
#include <string_view>

#include "lib/roads/tag_values.hpp"

namespace simbatch::roads {
namespace {
using Tags = std::span<const osm::TagId>;

constexpr double kLeastWidth = 0.5, kMostWidth = 600;  // m; wider waters are mapped as areas
constexpr double kHighestBridge = 300;                 // m
constexpr double kRiver = 3.5, kCanal = 3, kLake = 2;  // m
/// Clearances of bridges, in order of precedence.
constexpr std::string_view kBridgeKeys[] = {"maxheight:marine", "seamark:bridge:clearance_height",
                                            "seamark:bridge:clearance_height_safe", "seamark:bridge:clearance_height_closed"};
constexpr std::string_view kWaterKeys[] = {"natural", "waterway",  "landuse", "water",  "boat",    "intermittent",
                                           "width",   "est_width", "layer",   "bridge", "man_made"};

struct Kind {
  std::string_view key, value;
  double clearance;  // m
};
/// In order of precedence.
constexpr Kind kKinds[] = {
    {"water", "river", kRiver},    {"water", "harbour", kRiver},      {"water", "lagoon", kRiver},
    {"water", "canal", kCanal},    {"water", "lake", kLake},          {"water", "reservoir", kLake},
    {"waterway", "river", kRiver}, {"waterway", "riverbank", kRiver}, {"waterway", "dock", kRiver},
    {"waterway", "canal", kCanal}, {"landuse", "reservoir", kLake},
};
}  // namespace

std::optional<double> waterway_width(const osm::Model& map, Tags tags) {
  for (const std::string_view key : {"width", "est_width"})
    if (const auto width = detail::tag_meters(map, tags, key, kLeastWidth, kMostWidth)) return width;
  return std::nullopt;
}

std::optional<double> tagged_clearance(const osm::Model& map, Tags tags) {
  for (const std::string_view key : kBridgeKeys)
    if (const auto meters = detail::tag_meters(map, tags, key, 0, kHighestBridge)) return std::min(*meters, kMostClearance);
  return std::nullopt;
}

double water_clearance(const osm::Model& map, Tags tags) {
  if (const auto tagged = tagged_clearance(map, tags)) return *tagged;
  if (map.value_of(tags, "boat") == "no" || map.value_of(tags, "intermittent") == "yes") return 0;
  for (const Kind& kind : kKinds)
    if (map.value_of(tags, kind.key) == kind.value) return kind.clearance;
  return map.value_of(tags, "natural") == "water" && !map.value_of(tags, "water") ? kLake : 0;
}

std::vector<std::string> water_keys() {
  std::vector<std::string> keys(std::begin(kWaterKeys), std::end(kWaterKeys));
  keys.insert(keys.end(), std::begin(kBridgeKeys), std::end(kBridgeKeys));
  return keys;
}

int water_layer(const osm::Model& map, Tags tags) {
  if (const auto layer = detail::tag_layer(map, tags)) return *layer;
  const auto bridge = map.value_of(tags, "bridge");
  return bridge && *bridge != "no" ? 1 : 0;
}

}  // namespace simbatch::roads
