// Source: OSM wiki, "Key:width", "Key:layer".
#include "lib/roads/tag_values.hpp"

#include <algorithm>

#include "base/core/number.hpp"
#include "base/core/text.hpp"
#include "formats/osm/length.hpp"

namespace simbatch::roads::detail {
namespace {
constexpr int kDeepest = 5;  // layers
}  // namespace

std::optional<double> tag_meters(const osm::Model& map, std::span<const osm::TagId> tags, std::string_view key, double low,
                                 double high) {
  const auto value = map.value_of(tags, key);
  if (!value) return std::nullopt;
  const auto meters = osm::length_of(*value);
  return meters && *meters >= low && *meters <= high ? meters : std::nullopt;
}

std::optional<int> tag_layer(const osm::Model& map, std::span<const osm::TagId> tags) {
  const auto layer = parse_integer<int>(trimmed(map.value_of(tags, "layer").value_or("")));
  if (!layer) return std::nullopt;
  return std::clamp(layer.value, -kDeepest, kDeepest);
}

}  // namespace simbatch::roads::detail
