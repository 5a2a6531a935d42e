#pragma once
/// What covers the ground of a map beside its roads and buildings: parks, pitches, forests, sand, parking, squares, railways,
/// water.

#include <array>
#include <cstdint>
#include <iterator>
#include <map>
#include <string_view>
#include <vector>

#include "base/geo/geo.hpp"
#include "base/geo/triangle_mesh.hpp"
#include "formats/osm/osm.hpp"
#include "lib/roads/effort.hpp"
#include "lib/roads/terrain.hpp"

namespace simbatch::roads {

enum class Cover : std::uint8_t { park, forest, sand, pitch, square, parking, railway, water };
/// Their names as surfaces of a scenario, in that order.
inline constexpr std::string_view kCoverNames[] = {"park", "forest", "sand", "pitch", "square", "parking", "railway", "water"};
inline constexpr std::size_t kCovers = std::size(kCoverNames);

/// A part of an area: convex, three or four corners, counter-clockwise on the map.
struct MapPart {
  std::vector<geo::EastNorth> outline;
  std::uint32_t area = 0;  ///< shared by all parts of an area; each piece of a line has a number of its own
  double clearance = 0;    ///< of water: what moves on it needs so much room below a bridge (m)
  int layer = 0;           ///< of water
};

/// The areas of a map, cut into convex parts.
struct MapAreas {
  std::array<std::vector<MapPart>, kCovers> parts;
  std::size_t areas = 0;  ///< closed ways, relations, lines of railways and waterways, the sea
  std::size_t open = 0;   ///< areas that are not closed, lack nodes or have too many of them: left out
};

/// An area or a line of a map, whole, as it is drawn there.
struct AreaOutline {
  Cover cover = Cover::park;
  enum class Of : std::uint8_t { way, relation, sea } of = Of::way;
  std::size_t number = 0;  ///< of the way or relation in the model
  /// The outer ring, counter-clockwise on the map, then holes; of a line, the line alone; of the sea, all its parts.
  std::vector<std::vector<geo::EastNorth>> rings;
  double width = 0;  ///< of a line (m); 0: an area
};

/// Areas: closed ways and multipolygon relations. park: `leisure` park, garden, playground, golf_course, `landuse` grass, meadow,
/// recreation_ground, village_green, cemetery. forest: `landuse=forest`, `natural=wood`. sand: `natural` beach, sand. pitch:
/// `leisure` pitch, track. square: `place=square`, `highway` pedestrian or footway with `area=yes`. parking: `amenity=parking` that
/// is neither under the ground nor a building. water: `natural=water`, `waterway` riverbank or dock, `landuse` reservoir or basin,
/// and the sea: all that is on the right of the nearest coastline (`natural=coastline`).
/// Lines, not in tunnels: `railway` rail, light_rail, narrow_gauge, tram, 3.2 m wide; `waterway` river 10 m, canal 6 m, stream 2 m,
/// drain and ditch 1.5 m, unless waterway_width() gives another. Parts entirely outside the terrain are left out.
/// @param outlines  receives the outlines of everything that has a part on the terrain, in the order of the file
MapAreas map_areas(const osm::Model& map, const geo::LocalFrame& frame, const HeightGrid& terrain,
                   std::vector<AreaOutline>* outlines = nullptr);
/// The parts of its waters alone.
std::vector<MapPart> map_waters(const osm::Model& map, const geo::LocalFrame& frame, const HeightGrid& terrain);

/// Areas as meshes on the ground; normals up.
/// @param lift    height of the topmost cover above the terrain (m); the others lie slightly lower, so that none shows through
///                another
/// @param holes   holes in the ground, convex like the outlines of parts; nothing is drawn over them
/// @param budget  where it ends, the result is not complete
std::array<geo::TriangleMesh, kCovers> cover_meshes(const MapAreas& areas, const HeightGrid& terrain, double lift,
                                                    const std::vector<std::vector<geo::EastNorth>>& holes,
                                                    const Budget& budget = {});

/// The lowest ground at the corners of each area (m), by its number.
std::map<std::uint32_t, double> lowest_ground(const std::vector<MapPart>& parts, const HeightGrid& terrain);

}  // namespace simbatch::roads
