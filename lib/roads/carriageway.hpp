#pragma once
/// Widths of carriageways, from the tags of a way and from the space between buildings.

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "formats/autosim/setup.hpp"
#include "formats/osm/osm.hpp"
#include "lib/roads/buildings.hpp"
#include "lib/roads/effort.hpp"
#include "lib/roads/road_lines.hpp"

namespace simbatch::roads {

/// Total width of the lanes of a way (m): the tag `width` (meters, or with a unit m or '; 2 to 50 m); else `lanes` (1 to 16)
/// times half the setup's width, which is that of two lanes, clamped to 2.5 to 3.75 m; else the setup's width, halved for a
/// one-way street, but not below 3.5 m unless the setup's width is smaller.
double carriageway_width(const osm::Model& map, std::span<const osm::TagId> tags, const autosim::HighwayKind& kind,
                         bool is_one_way = false);
/// The greatest width that a tag can give (m): 16 lanes of 3.75 m.
inline constexpr double kWidestTaggedLanes = 60;
/// The tag for which carriageway_width() looks first, `width` or else `lanes`, if the way has it with a value that it cannot use.
/// @return  "width=wide"; empty: none
std::string unused_width(const osm::Model& map, std::span<const osm::TagId> tags);

/// What was narrowed or removed so that roads and buildings do not overlap.
struct Fitting {
  std::size_t pavements = 0;  ///< pieces of road whose pavements are narrower than in the setup
  std::size_t lanes = 0;      ///< pieces whose lanes are narrower as well
  std::size_t removed = 0;    ///< mapped buildings removed because they are closer to a center line than kNarrowest / 2
  double meters = 0;          ///< length of road with narrower lanes
};

/// Lanes are never made narrower than this (m).
inline constexpr double kNarrowest = 2.5;
/// Room left between a road and a building (m).
inline constexpr double kWallRoom = 0.15;

/// Narrows roads, in pieces of at most 8 m, to twice the distance from their middle line to the nearest building or generated
/// house (HouseBox::kind empty) beside it: first the pavements, then the lanes, down to kNarrowest; mapped buildings that are nearer still are removed.
/// A building that the line runs into, as into a garage, does not count. Roads are cut where their width changes. Roads with
/// room on both sides stay as they are. Cost: linear. @param budget  where it ends, the rest of the roads stay as they are
Fitting fit_roads(std::vector<Road>& roads, BuildingSelection& buildings, const std::vector<HouseBox>& houses,
                  const Budget& budget = {});

}  // namespace simbatch::roads
