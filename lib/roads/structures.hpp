#pragma once
/// Bridges, ramps, cuttings and tunnels as meshes.

#include <vector>

#include "base/geo/geo.hpp"
#include "base/geo/triangle_mesh.hpp"
#include "formats/autosim/setup.hpp"
#include "lib/roads/effort.hpp"
#include "lib/roads/levels.hpp"
#include "lib/roads/terrain.hpp"

namespace simbatch::roads {

/// Depth from which on a road is covered by the ground (m).
inline constexpr double kUnderGround = 5.3;

struct Structures {
  geo::TriangleMesh lanes;      ///< of roads; normals up
  geo::TriangleMesh junctions;  ///< where they meet; normals up
  geo::TriangleMesh walls;      ///< of ramps, cuttings and tunnels; parapets, undersides of decks, ceilings; normals outward
  /// Openings of the ground over cuttings: convex polygons of 3 or 4 corners, counter-clockwise on the map.
  std::vector<std::vector<geo::EastNorth>> openings;
  /// Lanes within 2 m of the ground, in the same form: pavements of other roads must not cover them.
  std::vector<std::vector<geo::EastNorth>> low;
};

/// Builds the roads that are not on the ground. Their lanes are as wide as on the ground, without pavements, at `height` plus
/// HeightAboveTerrain above the terrain, and level across where the terrain is, except for side streets that meet a ramp.
/// Raised ones have walls down to the ground or, where there is enough room to drive below and, from 1 m on, over water, a deck of
/// 0.7 m; lowered ones run between walls, open to the sky or, from a depth of 5.3 m, under a ceiling 4.7 m above the lanes, with
/// the ground over it.
/// All edges have parapets of 0.8 m, which end with the ramps. No wall is built on any road's lane.
Structures structures_of(const LevelPieces& roads, const autosim::RoadDimensions& dimensions, const HeightGrid& terrain,
                         const std::vector<MapPart>& water, const Budget& budget = {});

/// The ground's triangles with the openings cut out. Cost: linear in the number of grid points.
geo::TriangleMesh opened_ground(const HeightGrid& terrain, const std::vector<std::vector<geo::EastNorth>>& openings,
                                const Budget& budget = {});

}  // namespace simbatch::roads
