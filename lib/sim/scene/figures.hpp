#pragma once
/// Figures inside the boxes of objects without models: a house with a roof, a tree, a car. Internal to this room.

#include <vector>

#include "lib/sim/physics/shapes.hpp"

namespace simbatch::scene {

/// Triangles with paint indices.
struct Figure {
  physics::TriangleMesh mesh;
  std::vector<std::uint8_t> paint;  ///< one per triangle
  void add_mesh(const physics::TriangleMesh& other, std::uint8_t with);
};

/// In a box of this size about the origin. Paint 0: walls and roof.
/// @param eaves  gets their height over the base, m; 0 for a flat roof
Figure house_figure(geo::Vec3 size, double& eaves);
/// Paint 0: the crown, which may be wider than the box, 1: the trunk. A box much longer than high is a hedge:
/// leaves alone.
Figure tree_figure(geo::Vec3 size);
/// Paint 0: all of it; below `belt` (y, m) is metal, above it glass.
Figure car_figure(geo::Vec3 size, double& belt);
inline constexpr double kParkedWheel = 0.31;  ///< m: radius of a parked car's wheels
/// The same on four wheels (paint 1).
Figure parked_car_figure(geo::Vec3 size, double& belt);

}  // namespace simbatch::scene
