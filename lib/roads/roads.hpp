#pragma once
/// Roads of a map as triangle meshes (thesis 6.3, C.1, C.5): lanes lifted above the terrain, pavements and curbs beside them,
/// fans at junctions.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/geo/geo.hpp"
#include "base/geo/triangle_mesh.hpp"
#include "formats/autosim/setup.hpp"
#include "lib/roads/effort.hpp"
#include "lib/roads/road_lines.hpp"
#include "lib/roads/terrain.hpp"

namespace simbatch::roads {

struct RoadMeshes {
  geo::TriangleMesh lanes;      ///< lanes of roads; normals up
  geo::TriangleMesh junctions;  ///< fans: an even number of triangles each on flat ground; normals up
  geo::TriangleMesh pavements;  ///< `curb_height` above the lanes; normals up
  geo::TriangleMesh curbs;  ///< upright faces at the edges of pavements: down to the lanes, or to the terrain; normals outwards
  struct Counts {
    std::size_t junctions = 0;  ///< places where three or more road ends meet
    std::size_t fans = 0;       ///< junctions built as a fan, with the roads cut back to its mouths
    std::size_t overlaps = 0;   ///< junctions too narrow for a fan: lanes run to the node and overlap
    std::size_t outside = 0;    ///< pieces of road outside the terrain, omitted
  } counts;
  /// If roads overlap so often, or are so long, that laying them out would take more than about 50 us per piece of road:
  /// roughly where. The meshes are then incomplete.
  std::optional<geo::EastNorth> crowded;
};

/// Builds the meshes.
///
/// Everything is laid out on the plane and then draped: each piece is cut along the terrain's triangles and lifted by
/// HeightAboveTerrain, pavements by CurbHeight in addition. The surface is therefore a function of the position on the plane:
/// covered areas have no holes and no steps, overlapping lanes coincide, and the terrain never shows through. If the road ends
/// can be cut back until their edges no longer overlap, a junction is a fan about its node with two triangles per road end, one
/// across its mouth and one across the corner to the next (thesis figure C.1); otherwise lanes run to the node, and corners on
/// the outside of bends are filled. Lanes of any road cut through pavements.
/// Only the part on the grid is built, and nothing over openings in the ground.
/// Cost: about 1 us per triangle; memory proportional to the result.
/// @param openings  holes in the ground: convex, counter-clockwise, at most four corners each, as from structures_of()
/// @param low       other lanes that no pavement may cover, in the same form
/// @param effort    limit after which it gives up (RoadMeshes::crowded)
RoadMeshes road_meshes(const std::vector<Road>& roads, const autosim::RoadDimensions& dimensions, const HeightGrid& terrain,
                       const std::vector<std::vector<geo::EastNorth>>& openings = {},
                       const std::vector<std::vector<geo::EastNorth>>& low = {}, const Effort& effort = {});

/// The road whose line is nearest to a place; null if none has a line.
const Road* nearest_road(const std::vector<Road>& roads, geo::EastNorth place);

}  // namespace simbatch::roads
