#pragma once
/// Roads of a map as triangle meshes (thesis 6.3, C.1, C.5): lanes lifted above the terrain, pavements and curbs beside them,
/// fans at junctions.

#include <cstddef>
#include <vector>

#include "base/geo/triangle_mesh.hpp"
#include "formats/autosim/setup.hpp"
#include "lib/roads/road_lines.hpp"
#include "lib/roads/terrain.hpp"

namespace simbatch::roads {

struct RoadMeshes {
  geo::TriangleMesh lanes;      ///< lanes of roads; normals up
  geo::TriangleMesh junctions;  ///< fans: an even number of triangles each on flat ground; normals up
  geo::TriangleMesh pavements;  ///< `curb_height` over the lanes; normals up
  geo::TriangleMesh curbs;  ///< upright faces at the edges of pavements: down to the lanes, or to the terrain; normals outwards
  struct Counts {
    std::size_t junctions = 0;  ///< places where three or more road ends meet
    std::size_t fans = 0;       ///< of these: built as a fan, with the roads cut back to its mouths
    std::size_t overlaps = 0;   ///< of these: too narrow for that; lanes run to the middle and overlap
    std::size_t outside = 0;    ///< pieces of road beyond the terrain, left out
  } counts;
};

/// Builds the meshes.
///
/// Everything is laid out on the plane and then draped: each piece is cut along the terrain's triangles and lifted by
/// HeightAboveTerrain, pavements by CurbHeight more. So the surface is a function of the place: what is covered on the plane
/// has no hole and no step, lanes that overlap coincide, and the terrain never comes through. A junction is a fan about its
/// node with two triangles a road end, one over its mouth and one over the corner to the next (thesis figure C.1), where the
/// ends can be cut back until their edges part; otherwise lanes run to the node, and corners on the outside of bends are
/// filled. Pavements are cut where lanes of any road run.
/// Only the part over the grid is built.
/// Cost: about 1 us a triangle; memory as the result.
RoadMeshes road_meshes(const std::vector<Road>& roads, const autosim::RoadDimensions& dimensions, const HeightGrid& terrain);

}  // namespace simbatch::roads
