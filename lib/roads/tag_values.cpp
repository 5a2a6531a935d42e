// Source: OSM wiki, "Key:width", "Key:layer".
#include "lib/roads/tag_values.hpp"

#include <algorithm>

#include "base/core/number.hpp"
#include "base/core/text.hpp"

namespace simbatch::roads::detail {
namespace {
constexpr double kFootLength = 0.3048;  // m
constexpr int kDeepest = 5;             // layers
}  // namespace

std::optional<double> tag_meters(const osm::Model& map, std::span<const osm::TagId> tags, std::string_view key, double low,
                                 double high) {
  const auto value = map.value_of(tags, key);
  if (!value) return std::nullopt;
  std::string_view text = trimmed(*value);
  double unit = 1;
  if (text.ends_with('m') || text.ends_with('\'')) {
    if (text.back() == '\'') unit = kFootLength;
    text.remove_suffix(1);
  }
  const Number<double> number = parse_double(trimmed(text));
  if (!number || !(number.value * unit >= low && number.value * unit <= high)) return std::nullopt;
  return number.value * unit;
}

std::optional<int> tag_layer(const osm::Model& map, std::span<const osm::TagId> tags) {
  const auto layer = parse_integer<int>(trimmed(map.value_of(tags, "layer").value_or("")));
  if (!layer) return std::nullopt;
  return std::clamp(layer.value, -kDeepest, kDeepest);
}

}  // namespace simbatch::roads::detail
