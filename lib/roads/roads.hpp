#pragma once
/// Roads of a map as lines and as triangle meshes (thesis 6.3, C.1, C.5): a spline along each way, lanes lifted above the
/// terrain, pavements and kerbs beside them, fans at junctions.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/geo/geo.hpp"
#include "formats/autosim/setup.hpp"
#include "formats/osm/osm.hpp"
#include "lib/roads/mesh.hpp"
#include "lib/roads/terrain.hpp"

namespace simbatch::roads {

/// One way that is built, or a piece of it between nodes that the file does not hold. Left and right are those of the direction in which it is drawn.
struct Road {
  osm::Id id = 0;
  std::string kind;                              ///< value of its tag `highway`
  double width = 0;                              ///< of all lanes together (m)
  double left_pavement = 0, right_pavement = 0;  ///< m
  std::vector<geo::EastNorth> line;              ///< its middle: spline through the way's nodes (m)
  /// Where the way's nodes are in `line`, ascending, first and last included; and which nodes of the map they are. A node
  /// that repeats the one before it is left out.
  std::vector<std::uint32_t> at, nodes;
  bool is_closed = false;  ///< the last node is the first
};

struct RoadSelection {
  std::vector<Road> roads;          ///< in file order
  std::size_t kinds_skipped = 0;    ///< ways with a highway tag whose kind the setup does not list
  std::size_t areas_skipped = 0;    ///< area=yes
  std::size_t tunnels_skipped = 0;  ///< tunnel=yes, building_passage, ...: nothing can drive under the terrain
  std::size_t broken = 0;           ///< fewer than two different places
};

/// The roads of a map that the setup lists, with their splines.
///
/// The spline is a cubic Hermite curve through the way's nodes with the tangents of a centripetal Catmull-Rom curve
/// (Catmull and Rom 1974; Yuksel, Schaefer, Keyser: Parameterization and applications of Catmull-Rom curves, 2011). At bends
/// over 50 degrees it keeps the corner; between two nodes it leaves their straight line by at most 0.5 m, so that roads stay
/// in the corridor that houses are kept out of. Chords follow it to 0.05 m. Where two ways, and nothing else, meet at their
/// ends, the curve goes on through the joint.
/// @param frame  about the setup's NodeOffset
RoadSelection road_lines(const osm::Model& map, const autosim::HighwayDimensions& kinds, const geo::LocalFrame& frame);

struct RoadMeshes {
  Mesh lanes;      ///< lanes of roads; normals up
  Mesh junctions;  ///< fans: an even number of triangles each on flat ground; normals up
  Mesh pavements;  ///< `curb_height` over the lanes; normals up
  Mesh kerbs;      ///< upright faces at the edges of pavements: down to the lanes, or to the terrain; normals outwards
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

/// Extent of the roads' lines, for maps without TerrainDimensions: {lowest, highest}. Zeros without roads.
struct Extent {
  geo::EastNorth low, high;
};
Extent extent_of(const std::vector<Road>& roads);

}  // namespace simbatch::roads
