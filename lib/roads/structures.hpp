#pragma once
/// Bridges, ramps, cuttings and tunnels as meshes.

#include <vector>

#include "base/geo/geo.hpp"
#include "base/geo/triangle_mesh.hpp"
#include "formats/autosim/setup.hpp"
#include "lib/roads/levels.hpp"
#include "lib/roads/terrain.hpp"

namespace simbatch::roads {

struct Structures {
  geo::TriangleMesh lanes;      ///< of roads; normals up
  geo::TriangleMesh junctions;  ///< where they meet; normals up
  geo::TriangleMesh walls;  ///< of ramps, cuttings and tunnels; parapets, undersides of decks, ceilings; seen from outside them
  /// Where the ground is open over a cutting: convex polygons of 3 or 4 corners, counter-clockwise on the map.
  std::vector<std::vector<geo::EastNorth>> openings;
  /// Lanes within 2 m of the ground, likewise: no pavement of another road belongs on them.
  std::vector<std::vector<geo::EastNorth>> low;
};

/// Builds the roads that are not on the ground. Lanes are as wide as on the ground, without pavements, `height` over the
/// terrain and HeightAboveTerrain, level across where the terrain is, but for side streets that meet a ramp. Raised ones have
/// walls down to the ground, or, where there is room below to drive under, a deck of 0.7 m; lowered ones lie between walls, in
/// the open or, where they are 5.3 m deep, under a ceiling 4.7 m over the lanes, with the ground above. Parapets of 0.8 m on
/// all edges, which end with the ramps. No wall is built on a lane, whosever edge it belongs to.
Structures structures_of(const LevelPieces& roads, const autosim::RoadDimensions& dimensions, const HeightGrid& terrain);

/// The ground's triangles without what lies in the openings. Cost: linear in the grid's points.
geo::TriangleMesh opened_ground(const HeightGrid& terrain, const std::vector<std::vector<geo::EastNorth>>& openings);

}  // namespace simbatch::roads
