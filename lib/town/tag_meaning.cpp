// Source of the vocabulary: OSM wiki, "Map features"; the choice of open places, water and structures is our own
// (docs/osmgen.md, "Obstacles").
#include "lib/town/tag_meaning.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <unordered_map>

#include "formats/osm/length.hpp"

namespace simbatch::town::detail {
namespace {
constexpr double kStory = 3;                                   // m
constexpr std::string_view kGenerated = "simbatch:generated";  // kGeneratedKey (lib/town/town.hpp)

struct Entry {
  std::string_view key, value;
  TagRole role;
  std::uint16_t detail;
};

// Widths in decimeters, for tags that lines can have.
constexpr std::array kEntries = {
    Entry{"natural", "water", TagRole::water_area, 0},
    Entry{"natural", "bay", TagRole::water_area, 0},
    Entry{"natural", "coastline", TagRole::coastline, 10},
    Entry{"waterway", "riverbank", TagRole::water_area, 0},
    Entry{"waterway", "dock", TagRole::water_area, 0},
    Entry{"waterway", "boatyard", TagRole::water_area, 0},
    Entry{"landuse", "reservoir", TagRole::water_area, 0},
    Entry{"landuse", "basin", TagRole::water_area, 0},
    Entry{"landuse", "salt_pond", TagRole::water_area, 0},
    Entry{"leisure", "swimming_pool", TagRole::water_area, 0},
    Entry{"amenity", "fountain", TagRole::water_area, 0},
    Entry{"waterway", "river", TagRole::water_line, 100},
    Entry{"waterway", "canal", TagRole::water_line, 60},
    Entry{"waterway", "stream", TagRole::water_line, 20},
    Entry{"waterway", "tidal_channel", TagRole::water_line, 20},
    Entry{"waterway", "drain", TagRole::water_line, 15},
    Entry{"waterway", "ditch", TagRole::water_line, 10},
    Entry{"railway", "rail", TagRole::railway, 50},
    Entry{"railway", "light_rail", TagRole::railway, 45},
    Entry{"railway", "subway", TagRole::railway, 45},
    Entry{"railway", "tram", TagRole::railway, 35},
    Entry{"railway", "narrow_gauge", TagRole::railway, 40},
    Entry{"railway", "monorail", TagRole::railway, 40},
    Entry{"railway", "funicular", TagRole::railway, 40},
    Entry{"railway", "preserved", TagRole::railway, 50},
    Entry{"railway", "disused", TagRole::railway, 45},
    Entry{"railway", "miniature", TagRole::railway, 20},
    Entry{"railway", "platform", TagRole::structure, 40},
    Entry{"railway", "turntable", TagRole::structure, 40},
    Entry{"public_transport", "platform", TagRole::structure, 20},
    Entry{"highway", "platform", TagRole::structure, 20},
    Entry{"barrier", "city_wall", TagRole::wall, 30},
    Entry{"man_made", "pier", TagRole::structure, 30},
    Entry{"man_made", "breakwater", TagRole::structure, 60},
    Entry{"man_made", "groyne", TagRole::structure, 30},
    Entry{"man_made", "storage_tank", TagRole::structure, 60},
    Entry{"man_made", "silo", TagRole::structure, 60},
    Entry{"man_made", "gasometer", TagRole::structure, 100},
    Entry{"man_made", "water_tower", TagRole::structure, 80},
    Entry{"man_made", "wastewater_plant", TagRole::structure, 0},
    Entry{"power", "substation", TagRole::structure, 0},
    Entry{"power", "sub_station", TagRole::structure, 0},
    Entry{"power", "plant", TagRole::structure, 0},
    Entry{"aeroway", "runway", TagRole::structure, 450},
    Entry{"aeroway", "taxiway", TagRole::structure, 180},
    Entry{"aeroway", "apron", TagRole::structure, 0},
    Entry{"aeroway", "helipad", TagRole::structure, 100},
    Entry{"natural", "cliff", TagRole::wall, 20},
    Entry{"bridge", "no", TagRole::nothing, 0},
    Entry{"tunnel", "no", TagRole::nothing, 0},
    Entry{"covered", "yes", TagRole::tunnel, 0},
    Entry{"covered", "arcade", TagRole::tunnel, 0},
    Entry{"location", "underground", TagRole::tunnel, 0},
    Entry{"oneway", "yes", TagRole::oneway, 0},
    Entry{"oneway", "true", TagRole::oneway, 0},
    Entry{"oneway", "1", TagRole::oneway, 0},
    Entry{"oneway", "-1", TagRole::reversed, 0},
    Entry{"oneway", "reverse", TagRole::reversed, 0},
    Entry{"junction", "roundabout", TagRole::roundabout, 0},
    Entry{"junction", "circular", TagRole::roundabout, 0},
    Entry{"area", "yes", TagRole::area, 0},
    Entry{"type", "multipolygon", TagRole::multipolygon, 0},
    Entry{"building", "no", TagRole::nothing, 0},
    Entry{"building:part", "no", TagRole::nothing, 0},
};

// Tags that only a rule gives a meaning.
struct RuleEntry {
  Entry entry;
  bool Rules::*rule = nullptr;
};
constexpr std::array kRuleEntries = {
    RuleEntry{{"railway", "spur", TagRole::railway, 45}, &Rules::rails},
    RuleEntry{{"railway", "siding", TagRole::railway, 45}, &Rules::rails},
    RuleEntry{{"railway", "yard", TagRole::railway, 45}, &Rules::rails},
    RuleEntry{{"railway", "construction", TagRole::railway, 50}, &Rules::rails},
    RuleEntry{{"power", "line", TagRole::power_line, 160}, &Rules::power_lines},
    RuleEntry{{"power", "minor_line", TagRole::power_line, 40}, &Rules::power_lines},
    RuleEntry{{"power", "tower", TagRole::structure, 60}, &Rules::power_lines},
    RuleEntry{{"place", "city", TagRole::place, 200}, &Rules::settlement},
    RuleEntry{{"place", "town", TagRole::place, 200}, &Rules::settlement},
    RuleEntry{{"place", "village", TagRole::place, 200}, &Rules::settlement},
    RuleEntry{{"place", "suburb", TagRole::place, 200}, &Rules::settlement},
    RuleEntry{{"place", "borough", TagRole::place, 200}, &Rules::settlement},
    RuleEntry{{"place", "quarter", TagRole::place, 200}, &Rules::settlement},
    RuleEntry{{"place", "neighbourhood", TagRole::place, 200}, &Rules::settlement},
    RuleEntry{{"place", "hamlet", TagRole::place, 120}, &Rules::settlement},
    RuleEntry{{"place", "isolated_dwelling", TagRole::place, 80}, &Rules::settlement},
    RuleEntry{{"place", "farm", TagRole::place, 80}, &Rules::settlement},
    RuleEntry{{"service", "parking_aisle", TagRole::driveway, 0}, &Rules::tracks},
    RuleEntry{{"service", "driveway", TagRole::driveway, 0}, &Rules::tracks},
    RuleEntry{{"service", "drive-through", TagRole::driveway, 0}, &Rules::tracks},
    RuleEntry{{"service", "emergency_access", TagRole::driveway, 0}, &Rules::tracks},
};

// Open places by other keys than landuse: an area of these is a land use of the name "key=value", which house lists do not
// have; so nothing is placed there.
constexpr std::array<Entry, 33> kOpen = {
    Entry{"leisure", "park", TagRole::use, 0},        Entry{"leisure", "garden", TagRole::use, 0},
    Entry{"leisure", "playground", TagRole::use, 0},  Entry{"leisure", "pitch", TagRole::use, 0},
    Entry{"leisure", "golf_course", TagRole::use, 0}, Entry{"leisure", "sports_centre", TagRole::use, 0},
    Entry{"leisure", "stadium", TagRole::use, 0},     Entry{"leisure", "track", TagRole::use, 0},
    Entry{"leisure", "marina", TagRole::use, 0},      Entry{"leisure", "common", TagRole::use, 0},
    Entry{"leisure", "dog_park", TagRole::use, 0},    Entry{"amenity", "parking", TagRole::use, 0},
    Entry{"amenity", "school", TagRole::use, 0},      Entry{"amenity", "kindergarten", TagRole::use, 0},
    Entry{"amenity", "university", TagRole::use, 0},  Entry{"amenity", "college", TagRole::use, 0},
    Entry{"amenity", "hospital", TagRole::use, 0},    Entry{"amenity", "grave_yard", TagRole::use, 0},
    Entry{"amenity", "marketplace", TagRole::use, 0}, Entry{"aeroway", "aerodrome", TagRole::use, 0},
    Entry{"place", "square", TagRole::use, 0},        Entry{"natural", "beach", TagRole::use, 0},
    Entry{"natural", "sand", TagRole::use, 0},        Entry{"natural", "wetland", TagRole::use, 0},
    Entry{"natural", "scrub", TagRole::use, 0},       Entry{"natural", "heath", TagRole::use, 0},
    Entry{"natural", "grassland", TagRole::use, 0},   Entry{"natural", "bare_rock", TagRole::use, 0},
    Entry{"natural", "scree", TagRole::use, 0},       Entry{"natural", "glacier", TagRole::use, 0},
    Entry{"tourism", "zoo", TagRole::use, 0},         Entry{"tourism", "theme_park", TagRole::use, 0},
    Entry{"tourism", "camp_site", TagRole::use, 0},
};

struct Width {
  std::string_view kind;
  double meters;
};
constexpr Width kRoads[] = {
    {"motorway", 12},    {"motorway_link", 5}, {"trunk", 12},         {"trunk_link", 5}, {"primary", 9},
    {"primary_link", 5}, {"secondary", 8},     {"secondary_link", 5}, {"tertiary", 7},   {"tertiary_link", 5},
    {"unclassified", 6}, {"residential", 6},   {"living_street", 6},  {"service", 4},    {"track", 3},
    {"road", 6},         {"unsurfaced", 4},    {"pedestrian", 5},     {"busway", 6},     {"bus_guideway", 6},
    {"raceway", 10},     {"escape", 4},        {"byway", 3},          {"minor", 6},
};
constexpr Width kPaths[] = {{"footway", 2}, {"cycleway", 2}, {"path", 1.5}, {"bridleway", 2}, {"steps", 2}, {"footpath", 2}};

/// "12", "12.5 m", "40 ft": in decimeters; 0 if it is not a number from 2 to 600 m.
std::uint16_t decimeters_of(std::string_view text, double unit) {
  const double meters = osm::length_of(text).value_or(0) * unit;
  return meters >= 2 && meters <= 600 ? static_cast<std::uint16_t>(std::lround(meters * 10)) : 0;
}

Roof roof_of(std::string_view shape) {
  if (shape == "flat") return Roof::flat;
  if (shape == "hipped" || shape == "half-hipped" || shape == "pyramidal" || shape == "mansard") return Roof::hipped;
  return shape == "gabled" || shape == "gambrel" || shape == "saltbox" || shape == "skillion" ? Roof::gabled : Roof::unknown;
}
}  // namespace

double typical_width(std::string_view highway) {
  for (const Width& width : kRoads)
    if (width.kind == highway) return width.meters;
  for (const Width& width : kPaths)
    if (width.kind == highway) return width.meters;
  return 0;
}
bool is_path(std::string_view highway) {
  return std::any_of(std::begin(kPaths), std::end(kPaths), [&](const Width& width) { return width.kind == highway; });
}
bool is_fast(std::string_view highway) { return highway == "motorway" || highway == "trunk" || highway.ends_with("_link"); }

std::vector<std::string> known_keys() {
  std::vector<std::string> keys = {"highway", "building", "building:part",   "landuse",    "bridge", "tunnel", "name",
                                   "ref",     "height",   "building:levels", "roof:shape", "width",  "lanes"};
  const auto add = [&](std::string_view key) {
    if (std::find(keys.begin(), keys.end(), key) == keys.end()) keys.emplace_back(key);
  };
  for (const Entry& entry : kEntries) add(entry.key);
  for (const Entry& entry : kOpen) add(entry.key);
  for (const RuleEntry& entry : kRuleEntries) add(entry.entry.key);
  add("area:highway");
  add("est_width");
  keys.emplace_back(kGenerated);
  return keys;
}

TagMeanings meanings(const osm::Model& map, const Rules& rules) {
  TagMeanings result;
  result.of_tag.resize(map.tag_table.size());
  result.uses.emplace_back("residential");
  std::unordered_map<std::string, std::uint16_t> known_highways, known_uses{{"residential", 0}};
  const auto number = [](std::vector<std::string>& names, std::unordered_map<std::string, std::uint16_t>& known,
                         std::string_view name) {
    // Values are free text: a hostile file can have a million of them. All after the first 10,000 are treated as one value.
    if (names.size() >= 10'000) name = "(other)";
    const auto [at, is_new] = known.try_emplace(std::string(name), static_cast<std::uint16_t>(names.size()));
    if (is_new) names.emplace_back(name);
    return at->second;
  };
  for (std::size_t tag = 0; tag < map.tag_table.size(); ++tag) {
    const std::string_view key = map.strings[map.tag_table[tag].key], value = map.strings[map.tag_table[tag].value];
    Meaning& meaning = result.of_tag[tag];
    const auto same = [&](const Entry& entry) { return entry.key == key && entry.value == value; };
    if (key == "name") {
      meaning = {TagRole::name, 0};
    } else if (key == "ref") {
      meaning = {TagRole::ref, 0};
    } else if (const auto entry = std::find_if(kEntries.begin(), kEntries.end(), same); entry != kEntries.end()) {
      meaning = {entry->role, entry->detail};
    } else if (const auto of_rule = std::find_if(kRuleEntries.begin(), kRuleEntries.end(),
                                                 [&](const RuleEntry& e) { return rules.*e.rule && same(e.entry); });
               of_rule != kRuleEntries.end()) {
      meaning = {of_rule->entry.role, of_rule->entry.detail};
    } else if (key == kGenerated) {
      meaning = {TagRole::generated, 0};
    } else if (key == "area:highway") {
      if (rules.highway_areas && value != "no") meaning = {TagRole::road_area, 0};
    } else if (key == "highway") {
      meaning = {TagRole::highway, number(result.highways, known_highways, value)};
    } else if (key == "building" || key == "building:part") {
      meaning = {TagRole::building, 0};
    } else if (rules.heights && key == "height") {
      meaning = {TagRole::height, decimeters_of(value, 1)};
    } else if (rules.heights && key == "building:levels") {
      meaning = {TagRole::stories, decimeters_of(value, kStory)};
    } else if (rules.heights && key == "roof:shape") {
      meaning = {TagRole::roof, static_cast<std::uint16_t>(roof_of(value))};
    } else if (key == "landuse") {
      meaning = {TagRole::use, number(result.uses, known_uses, value)};
    } else if (key == "natural" && value == "wood") {
      meaning = {TagRole::use, number(result.uses, known_uses, "forest")};
    } else if (key == "bridge") {
      meaning = {TagRole::bridge, 0};
    } else if (key == "tunnel") {
      meaning = {TagRole::tunnel, 0};
    } else if (std::find_if(kOpen.begin(), kOpen.end(), same) != kOpen.end()) {
      meaning = {TagRole::use, number(result.uses, known_uses, std::string(key) + "=" + std::string(value))};
    }
  }
  return result;
}

}  // namespace simbatch::town::detail
