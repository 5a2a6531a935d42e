// Tags: OSM wiki, "Key:highway", "Key:oneway", "Key:lanes" (the usual number of a street without the tag), "Key:turn"
// (its list of values), "Key:maxspeed", "Key:width", "Key:sidewalk". Widths of lanes: RASt 06 and RAL (2.75 m in streets of
// houses to 3.75 m on motorways).
#include "lib/lanes/street.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

#include "base/core/number.hpp"
#include "base/core/text.hpp"

namespace simbatch::lanes::detail {
namespace {

struct KindOfStreet {
  std::string_view name;
  int lanes;  // in each direction
  double width;
  bool is_oneway = false;
};
constexpr KindOfStreet kKinds[] = {
    {"motorway", 2, 3.75, true}, {"motorway_link", 1, 3.75, true},
    {"trunk", 1, 3.5},           {"trunk_link", 1, 3.5},
    {"primary", 1, 3.5},         {"primary_link", 1, 3.5},
    {"secondary", 1, 3.25},      {"secondary_link", 1, 3.25},
    {"tertiary", 1, 3.25},       {"tertiary_link", 1, 3.25},
    {"unclassified", 1, 3},      {"residential", 1, 2.75},
    {"living_street", 1, 2.75},  {"road", 1, 3},
    {"service", 1, 2.75},        {"busway", 1, 3.25},
};
constexpr int kMostLanes = 16;
constexpr double kNarrowest = 2, kWidest = 6;  // m, of a lane

class Tags {
 public:
  Tags(const osm::Model& map, std::span<const osm::TagId> tags) : map_(map), tags_(tags) {}
  std::string_view operator()(std::string_view key) const { return map_.value_of(tags_, key).value_or(std::string_view()); }
  bool is_set(std::string_view key) const {
    const std::string_view value = (*this)(key);
    return !value.empty() && value != "no" && value != "false" && value != "0";
  }
  /// 1 .. kMostLanes, else 0. Of "2;3" the first counts.
  int lanes(std::string_view key) const {
    const std::string_view value = (*this)(key);
    const auto number = parse_double(trimmed(value.substr(0, value.find(';'))));
    return number && number.value >= 1 && number.value <= kMostLanes ? static_cast<int>(number.value) : 0;
  }

 private:
  const osm::Model& map_;
  std::span<const osm::TagId> tags_;
};

/// "50", "30 mph", "5 knots" in m/s; words ("none", "DE:urban") are not numbers.
std::optional<double> speed_of(std::string_view text) {
  double unit = 1 / 3.6;
  for (const auto& [suffix, factor] : {std::pair("mph", 0.44704), std::pair("knots", 0.514444), std::pair("km/h", 1 / 3.6)})
    if (text.ends_with(suffix)) {
      unit = factor;
      text.remove_suffix(std::string_view(suffix).size());
    }
  const auto number = parse_double(trimmed(text));
  if (!number || !(number.value > 0 && number.value <= 500)) return std::nullopt;
  return number.value * unit;
}

constexpr std::pair<std::string_view, Arrows> kArrows[] = {
    {"left", kLeft},   {"slight_left", kLeft},   {"sharp_left", kLeft},   {"merge_to_left", kThrough},  {"through", kThrough},
    {"right", kRight}, {"slight_right", kRight}, {"sharp_right", kRight}, {"merge_to_right", kThrough}, {"reverse", kLeft},
};

/// "through;right": the arrows of one lane. Without a known one ("none", nothing) every direction is allowed.
Arrows arrows_of_lane(std::string_view text) {
  Arrows arrows = 0;
  for (;;) {
    const std::size_t end = text.find(';');
    const std::string_view word = trimmed(text.substr(0, end));
    for (const auto& [name, bits] : kArrows)
      if (word == name) arrows |= bits;
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 1);
  }
  return arrows == 0 ? Arrows{kLeft | kThrough | kRight} : arrows;
}

/// "left|through;right": the arrows of each lane; empty if their number differs from that of the lanes.
std::vector<Arrows> arrows_of(std::string_view text, int lanes) {
  std::vector<Arrows> all;
  if (text.empty()) return all;
  for (;;) {
    const std::size_t end = text.find('|');
    all.push_back(arrows_of_lane(text.substr(0, end)));
    if (end == std::string_view::npos || all.size() > kMostLanes) break;
    text.remove_prefix(end + 1);
  }
  if (all.size() != static_cast<std::size_t>(lanes)) all.clear();
  return all;
}

void set_lanes(Street& street, const Tags& tag, const KindOfStreet& kind, bool is_oneway) {
  const int all = tag.lanes("lanes"), forward = tag.lanes("lanes:forward"), backward = tag.lanes("lanes:backward");
  street.guessed_lanes = all == 0 && (forward == 0 || (backward == 0 && !is_oneway));
  if (is_oneway) {
    street.forward.lanes = forward > 0 ? forward : all > 0 ? all : kind.lanes;
    return;
  }
  street.forward.lanes = forward > 0                      ? forward
                         : all > backward && backward > 0 ? all - backward
                         : all > 1                        ? (all + 1) / 2
                                                          : kind.lanes;
  street.backward.lanes = backward > 0                 ? backward
                          : all > street.forward.lanes ? all - street.forward.lanes
                          : all > 0                    ? 1
                                                       : kind.lanes;
}

void set_width(Street& street, const Tags& tag, const KindOfStreet& kind) {
  std::string_view text = tag("width");
  if (text.ends_with('m')) text.remove_suffix(1);
  const auto width = parse_double(trimmed(text));
  const int lanes = street.forward.lanes + street.backward.lanes;
  street.guessed_width = !width || !(width.value > 0 && width.value <= 100);
  street.lane_width = street.guessed_width ? kind.width : std::clamp(width.value / lanes, kNarrowest, kWidest);
}

void set_sidewalks(Street& street, const Tags& tag, bool is_reversed) {
  const std::string_view value = tag("sidewalk");
  const bool both = value == "both" || tag("sidewalk:both") == "yes";
  bool right = both || value == "right" || tag("sidewalk:right") == "yes",
       left = both || value == "left" || tag("sidewalk:left") == "yes";
  if (is_reversed) std::swap(left, right);
  street.forward.has_sidewalk = right;
  street.backward.has_sidewalk = left;
}

}  // namespace

std::optional<Street> street_of(const osm::Model& map, std::span<const osm::TagId> tags, std::string& left_out) {
  const Tags tag(map, tags);
  const std::string_view highway = tag("highway");
  if (highway.empty()) return std::nullopt;
  const auto* kind =
      std::find_if(std::begin(kKinds), std::end(kKinds), [&](const KindOfStreet& k) { return k.name == highway; });
  left_out = kind == std::end(kKinds) ? std::string(highway) : tag.is_set("area") ? "area" : "";
  if (!left_out.empty()) return std::nullopt;
  Street street;
  street.kind = highway;
  street.name = tag("name");
  street.speed = speed_of(tag("maxspeed"));
  const std::string_view oneway = tag("oneway"), junction = tag("junction");
  street.is_reversed = oneway == "-1" || oneway == "reverse";
  const bool is_oneway = street.is_reversed || tag.is_set("oneway") ||
                         (oneway.empty() && (kind->is_oneway || junction == "roundabout" || junction == "circular"));
  set_lanes(street, tag, *kind, is_oneway);
  set_width(street, tag, *kind);
  set_sidewalks(street, tag, street.is_reversed);
  const auto turns = [&](const char* own) { return tag(own).empty() && is_oneway ? tag("turn:lanes") : tag(own); };
  street.forward.arrows = arrows_of(turns("turn:lanes:forward"), street.forward.lanes);
  if (!is_oneway) street.backward.arrows = arrows_of(tag("turn:lanes:backward"), street.backward.lanes);
  street.is_roundabout = junction == "roundabout" || junction == "circular";
  street.is_raised = tag.is_set("bridge") || tag.is_set("tunnel");
  return street;
}

}  // namespace simbatch::lanes::detail
