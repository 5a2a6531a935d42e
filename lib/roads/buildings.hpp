#pragma once
/// Buildings of a map: mapped ones as upright prisms over their footprints, generated ones (thesis table C.3) as boxes.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/core/diagnostics.hpp"
#include "base/geo/geo.hpp"
#include "base/geo/pose.hpp"
#include "base/geo/triangle_mesh.hpp"
#include "formats/osm/osm.hpp"
#include "lib/roads/effort.hpp"
#include "lib/roads/roads.hpp"
#include "lib/roads/terrain.hpp"

namespace simbatch::roads {

/// A mapped building: its footprint on the map plane, extruded from `base` to `top`.
struct Prism {
  osm::Kind kind = osm::Kind::way;  ///< a way, or a multipolygon relation
  osm::Id id = 0;
  std::vector<geo::EastNorth> outer;               ///< counter-clockwise on the map, without repeated end; 3 or more
  std::vector<std::vector<geo::EastNorth>> holes;  ///< courtyards, clockwise
  double base = 0;                      ///< y, a little under the lowest ground at its corners, or `lift` above it (m)
  double top = 0;                       ///< y (m)
  std::string name = {}, address = {};  ///< tags `name`; `addr:street` and `addr:housenumber`: "High Street 12"
  enum class Height : std::uint8_t { tagged, by_levels, assumed } height_from = Height::assumed;
  double lift = 0;        ///< of its underside above the lowest ground (m): tags `min_height`, `building:min_level`
  double ground() const;  ///< y of the lowest ground at its corners (m)
};

struct BuildingSelection {
  std::vector<Prism> prisms;       ///< ways in file order, then relations
  std::size_t open = 0;            ///< outlines that are not closed or lack nodes
  std::size_t not_solid = 0;       ///< building=roof, underground and the like: no obstacle
  std::size_t outside = 0;         ///< no corner inside the grid
  std::size_t default_height = 0;  ///< without a usable height or number of levels
  std::size_t crossed = 0;         ///< removed by open_passages() (lib/roads/passages.hpp)
};

/// Depth of the walls of prisms below the lowest ground (m).
inline constexpr double kFoundation = 0.5;
inline double Prism::ground() const { return lift > 0 ? base - lift : base + kFoundation; }
/// Height of a mapped building without a height tag (m): two stories.
inline constexpr double kDefaultHeight = 6;
/// Height of a story (m), the usual value in renderers of OpenStreetMap buildings.
inline constexpr double kStory = 3;

/// All closed ways and multipolygon relations with a tag `building` (other than `no`). The height is that of the tag `height`
/// (meters, or with a unit), else `building:levels` times kStory, else kDefaultHeight; at most 1000 m. It is measured
/// from the lowest ground at the corners; the top is at least 1 m above the highest. `min_height`, or
/// `building:min_level` times kStory, if less than the height, lifts the underside above the lowest ground.
BuildingSelection mapped_buildings(const osm::Model& map, const geo::LocalFrame& frame, const HeightGrid& terrain);

/// Adds the walls (facing outward) and the roof (facing up) of a prism, and its underside if that is above the ground. A roof whose outline crosses itself may have gaps.
void add_prism(const Prism& prism, geo::TriangleMesh& mesh);

/// A generated house or tree: a box on the ground.
struct HouseBox {
  osm::Id id = 0;
  std::string name, landuse, file_path, file_type;
  std::string kind;    ///< simbatch:kind: "hedge", "fence", "tree", "car"; empty: a house, or a tree of a land use
  geo::Vec3 base;      ///< center of its underside: on the lowest ground at its corners (m)
  double heading = 0;  ///< rotY, degrees clockwise from north
  geo::Vec3 size;      ///< full lengths before turning (m), > 0
};

/// Reads generated house nodes: those with filePath, fileType, rotY, sizeX, sizeY, sizeZ. A node with some of them but not all,
/// or with values that are not numbers, is reported (code mapgen-house) and left out; nodes off the grid are left out silently.
Parsed<std::vector<HouseBox>> generated_houses(const osm::Model& map, const geo::LocalFrame& frame, const HeightGrid& terrain,
                                               const std::string& file_name);

}  // namespace simbatch::roads
