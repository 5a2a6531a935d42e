#pragma once
/// Everything that pictures show, as triangles with paint: data only, for any renderer. Internal to this room; needs no Embree.

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "lib/sim/physics/world.hpp"
#include "lib/sim/scene/paint.hpp"

namespace simbatch::scene {

/// Triangles, and for each the number of its paint in PaintedScene::paints.
struct PaintedMesh {
  std::vector<geo::Vec3> points;       ///< m
  std::vector<std::uint32_t> indices;  ///< three per triangle
  std::vector<std::uint32_t> paints;   ///< one per triangle
};

/// A body or a wheel that moves, in its own frame.
struct MovingFigure {
  PaintedMesh mesh;
  physics::BodyId body = physics::kNoBody;  ///< kNoBody: a wheel
  physics::VehicleId vehicle{};
  std::size_t wheel = 0;
  geo::Vec3 middle;   ///< of a sphere about it, m
  double radius = 0;  ///< of that sphere, m
};

struct PaintedScene {
  PaintedMesh fixed;  ///< in the world
  std::vector<MovingFigure> movers;
  std::vector<Paint> paints;
  /// y of the plain that continues beyond the terrain's edge (m); absent: there is none.
  std::optional<double> plain_y;
};

}  // namespace simbatch::scene
