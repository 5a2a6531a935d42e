// Source of the vocabulary: OSM wiki, "Map features"; what counts as open place, water, structure is our choice
// (docs/osmgen.md, "What keeps houses away").
#include "lib/town/tag_meaning.hpp"

#include <algorithm>
#include <array>
#include <unordered_map>

namespace simbatch::town::detail {
namespace {
struct Entry {
  std::string_view key, value;
  What what;
  std::uint16_t detail;
};

// Widths in decimetres where a line can carry the tag.
constexpr std::array kEntries = {
    Entry{"natural", "water", What::water_area, 0},
    Entry{"natural", "bay", What::water_area, 0},
    Entry{"natural", "coastline", What::coastline, 10},
    Entry{"waterway", "riverbank", What::water_area, 0},
    Entry{"waterway", "dock", What::water_area, 0},
    Entry{"waterway", "boatyard", What::water_area, 0},
    Entry{"landuse", "reservoir", What::water_area, 0},
    Entry{"landuse", "basin", What::water_area, 0},
    Entry{"landuse", "salt_pond", What::water_area, 0},
    Entry{"leisure", "swimming_pool", What::water_area, 0},
    Entry{"amenity", "fountain", What::water_area, 0},
    Entry{"waterway", "river", What::water_line, 100},
    Entry{"waterway", "canal", What::water_line, 60},
    Entry{"waterway", "stream", What::water_line, 20},
    Entry{"waterway", "tidal_channel", What::water_line, 20},
    Entry{"waterway", "drain", What::water_line, 15},
    Entry{"waterway", "ditch", What::water_line, 10},
    Entry{"railway", "rail", What::railway, 50},
    Entry{"railway", "light_rail", What::railway, 45},
    Entry{"railway", "subway", What::railway, 45},
    Entry{"railway", "tram", What::railway, 35},
    Entry{"railway", "narrow_gauge", What::railway, 40},
    Entry{"railway", "monorail", What::railway, 40},
    Entry{"railway", "funicular", What::railway, 40},
    Entry{"railway", "preserved", What::railway, 50},
    Entry{"railway", "disused", What::railway, 45},
    Entry{"railway", "miniature", What::railway, 20},
    Entry{"railway", "platform", What::structure, 40},
    Entry{"railway", "turntable", What::structure, 40},
    Entry{"public_transport", "platform", What::structure, 20},
    Entry{"highway", "platform", What::structure, 20},
    Entry{"barrier", "city_wall", What::wall, 30},
    Entry{"man_made", "pier", What::structure, 30},
    Entry{"man_made", "breakwater", What::structure, 60},
    Entry{"man_made", "groyne", What::structure, 30},
    Entry{"man_made", "storage_tank", What::structure, 60},
    Entry{"man_made", "silo", What::structure, 60},
    Entry{"man_made", "gasometer", What::structure, 100},
    Entry{"man_made", "water_tower", What::structure, 80},
    Entry{"man_made", "wastewater_plant", What::structure, 0},
    Entry{"power", "substation", What::structure, 0},
    Entry{"power", "sub_station", What::structure, 0},
    Entry{"power", "plant", What::structure, 0},
    Entry{"aeroway", "runway", What::structure, 450},
    Entry{"aeroway", "taxiway", What::structure, 180},
    Entry{"aeroway", "apron", What::structure, 0},
    Entry{"aeroway", "helipad", What::structure, 100},
    Entry{"natural", "cliff", What::wall, 20},
    Entry{"bridge", "no", What::nothing, 0},
    Entry{"tunnel", "no", What::nothing, 0},
    Entry{"covered", "yes", What::tunnel, 0},
    Entry{"covered", "arcade", What::tunnel, 0},
    Entry{"location", "underground", What::tunnel, 0},
    Entry{"oneway", "yes", What::oneway, 0},
    Entry{"oneway", "true", What::oneway, 0},
    Entry{"oneway", "1", What::oneway, 0},
    Entry{"oneway", "-1", What::reversed, 0},
    Entry{"oneway", "reverse", What::reversed, 0},
    Entry{"junction", "roundabout", What::roundabout, 0},
    Entry{"junction", "circular", What::roundabout, 0},
    Entry{"area", "yes", What::area, 0},
    Entry{"type", "multipolygon", What::multipolygon, 0},
    Entry{"building", "no", What::nothing, 0},
    Entry{"building:part", "no", What::nothing, 0},
};

// Open places by other keys than landuse: an area of these is a land use of the name "key=value", which house lists do not
// have; so nothing is placed there.
constexpr std::array<Entry, 33> kOpen = {
    Entry{"leisure", "park", What::use, 0},        Entry{"leisure", "garden", What::use, 0},
    Entry{"leisure", "playground", What::use, 0},  Entry{"leisure", "pitch", What::use, 0},
    Entry{"leisure", "golf_course", What::use, 0}, Entry{"leisure", "sports_centre", What::use, 0},
    Entry{"leisure", "stadium", What::use, 0},     Entry{"leisure", "track", What::use, 0},
    Entry{"leisure", "marina", What::use, 0},      Entry{"leisure", "common", What::use, 0},
    Entry{"leisure", "dog_park", What::use, 0},    Entry{"amenity", "parking", What::use, 0},
    Entry{"amenity", "school", What::use, 0},      Entry{"amenity", "kindergarten", What::use, 0},
    Entry{"amenity", "university", What::use, 0},  Entry{"amenity", "college", What::use, 0},
    Entry{"amenity", "hospital", What::use, 0},    Entry{"amenity", "grave_yard", What::use, 0},
    Entry{"amenity", "marketplace", What::use, 0}, Entry{"aeroway", "aerodrome", What::use, 0},
    Entry{"place", "square", What::use, 0},        Entry{"natural", "beach", What::use, 0},
    Entry{"natural", "sand", What::use, 0},        Entry{"natural", "wetland", What::use, 0},
    Entry{"natural", "scrub", What::use, 0},       Entry{"natural", "heath", What::use, 0},
    Entry{"natural", "grassland", What::use, 0},   Entry{"natural", "bare_rock", What::use, 0},
    Entry{"natural", "scree", What::use, 0},       Entry{"natural", "glacier", What::use, 0},
    Entry{"tourism", "zoo", What::use, 0},         Entry{"tourism", "theme_park", What::use, 0},
    Entry{"tourism", "camp_site", What::use, 0},
};

struct Width {
  std::string_view kind;
  double metres;
};
constexpr Width kRoads[] = {
    {"motorway", 12},    {"motorway_link", 5}, {"trunk", 12},         {"trunk_link", 5}, {"primary", 9},
    {"primary_link", 5}, {"secondary", 8},     {"secondary_link", 5}, {"tertiary", 7},   {"tertiary_link", 5},
    {"unclassified", 6}, {"residential", 6},   {"living_street", 6},  {"service", 4},    {"track", 3},
    {"road", 6},         {"unsurfaced", 4},    {"pedestrian", 5},     {"busway", 6},     {"bus_guideway", 6},
    {"raceway", 10},     {"escape", 4},        {"byway", 3},          {"minor", 6},
};
constexpr Width kPaths[] = {{"footway", 2}, {"cycleway", 2}, {"path", 1.5}, {"bridleway", 2}, {"steps", 2}, {"footpath", 2}};
}  // namespace

double typical_width(std::string_view highway) {
  for (const Width& width : kRoads)
    if (width.kind == highway) return width.metres;
  for (const Width& width : kPaths)
    if (width.kind == highway) return width.metres;
  return 0;
}
bool is_path(std::string_view highway) {
  return std::any_of(std::begin(kPaths), std::end(kPaths), [&](const Width& width) { return width.kind == highway; });
}
bool is_fast(std::string_view highway) { return highway == "motorway" || highway == "trunk" || highway.ends_with("_link"); }

std::vector<std::string> known_keys() {
  std::vector<std::string> keys = {"highway", "building", "building:part", "landuse", "bridge", "tunnel", "name", "ref"};
  const auto add = [&](std::string_view key) {
    if (std::find(keys.begin(), keys.end(), key) == keys.end()) keys.emplace_back(key);
  };
  for (const Entry& entry : kEntries) add(entry.key);
  for (const Entry& entry : kOpen) add(entry.key);
  return keys;
}

TagMeanings meanings(const osm::Model& map) {
  TagMeanings result;
  result.of_tag.resize(map.tag_table.size());
  result.uses.emplace_back("residential");
  std::unordered_map<std::string, std::uint16_t> known_highways, known_uses{{"residential", 0}};
  const auto number = [](std::vector<std::string>& names, std::unordered_map<std::string, std::uint16_t>& known,
                         std::string_view name) {
    // Values are free text: a hostile file has a million of them. All beyond the first 10,000 count as one.
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
      meaning = {What::name, 0};
    } else if (key == "ref") {
      meaning = {What::ref, 0};
    } else if (const auto entry = std::find_if(kEntries.begin(), kEntries.end(), same); entry != kEntries.end()) {
      meaning = {entry->what, entry->detail};
    } else if (key == "highway") {
      meaning = {What::highway, number(result.highways, known_highways, value)};
    } else if (key == "building" || key == "building:part") {
      meaning = {What::building, 0};
    } else if (key == "landuse") {
      meaning = {What::use, number(result.uses, known_uses, value)};
    } else if (key == "natural" && value == "wood") {
      meaning = {What::use, number(result.uses, known_uses, "forest")};
    } else if (key == "bridge") {
      meaning = {What::bridge, 0};
    } else if (key == "tunnel") {
      meaning = {What::tunnel, 0};
    } else if (std::find_if(kOpen.begin(), kOpen.end(), same) != kOpen.end()) {
      meaning = {What::use, number(result.uses, known_uses, std::string(key) + "=" + std::string(value))};
    }
  }
  return result;
}

}  // namespace simbatch::town::detail
