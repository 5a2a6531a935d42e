#pragma once
/// Meaning of each distinct tag of a map for a town, looked up once per tag instead of per object. Private to the room.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "formats/osm/osm.hpp"
#include "lib/town/rules.hpp"

namespace simbatch::town::detail {

enum class TagRole : std::uint8_t {
  nothing,
  highway,  ///< detail: number among the values of highway seen
  building,
  use,  ///< land use; detail: into the names
  water_area,
  water_line,  ///< detail: width in decimeters
  railway,     ///< detail: width in decimeters
  structure,   ///< something solid; detail: width in decimeters if it is drawn as a line
  wall,        ///< solid, but the area inside its ring is free; detail: width in decimeters
  coastline,
  power_line,  ///< detail: width in decimeters of the ground to keep free under it
  road_area,   ///< the ground of a road
  place,       ///< the node of a settlement; detail: radius in meters that belongs to it
  generated,   ///< made by osmgen
  driveway,    ///< a service road without addresses
  height,      ///< of a building; detail: in decimeters
  stories,     ///< of a building, without its roof; detail: in decimeters
  roof,        ///< its shape; detail: Roof
  bridge,
  tunnel,
  oneway,
  reversed,
  roundabout,
  area,
  name,
  ref,
  multipolygon,
};

struct Meaning {
  TagRole role = TagRole::nothing;
  std::uint16_t detail = 0;
};

struct TagMeanings {
  std::vector<Meaning> of_tag;        ///< by osm::TagId
  std::vector<std::string> highways;  ///< values of highway
  std::vector<std::string> uses;      ///< names of land uses; uses[0] = "residential"
};
/// @param rules  tags that no rule needs have no meaning
TagMeanings meanings(const osm::Model& map, const Rules& rules);

/// Typical widths of ways that the setup does not list (m), from the usual construction guides, rounded; 0: a way that occupies
/// no ground (a platform is a structure, a proposed road is ignored).
double typical_width(std::string_view highway);
bool is_path(std::string_view highway);
/// Motorways, trunk roads and links, which have no houses along them.
bool is_fast(std::string_view highway);
/// Keys evaluated by meanings().
std::vector<std::string> known_keys();

}  // namespace simbatch::town::detail
