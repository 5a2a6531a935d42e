#pragma once
/// Everything that there is to see, as triangles with paint: data only, for any renderer. Made by SceneBuilder.

#include <cstdint>
#include <optional>
#include <vector>

#include "lib/sim/physics/world.hpp"
#include "lib/sim/scene/paint.hpp"

namespace simbatch::scene {

/// Triangles, and for each the number of its paint.
struct PaintedMesh {
  std::vector<geo::Vec3> points;       ///< m
  std::vector<std::uint32_t> indices;  ///< three per triangle
  std::vector<std::uint32_t> paints;   ///< one per triangle, into PaintedScene::paints
};

/// A body that never moves, as triangles of its own: the ground, roads, buildings.
struct FixedFigure {
  PaintedMesh mesh;  ///< in the world
  physics::BodyId body{};
};

/// A shape that is in many places: a model, house or tree of one size.
struct SharedShape {
  PaintedMesh mesh;  ///< in its own frame; the paint of a triangle is the instance's first_paint + the number in `paints`
};

/// A part of a body that never moves, which looks like others.
struct Instance {
  std::uint32_t shape = 0;        ///< into PaintedScene::shapes
  std::uint32_t first_paint = 0;  ///< into PaintedScene::paints
  geo::Pose pose;                 ///< of the shape in the world
  physics::BodyId body{};
  std::uint32_t part = 0;  ///< of the body
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
  std::vector<FixedFigure> fixed;
  std::vector<SharedShape> shapes;
  std::vector<Instance> instances;
  std::vector<MovingFigure> movers;
  std::vector<Paint> paints;
  /// y of the plain that continues beyond the terrain's edge (m); absent: there is none.
  std::optional<double> plain_y;
  /// The plain is a terrain itself, a plane without end, and hides what is under it.
  bool plain_is_ground = false;
};

}  // namespace simbatch::scene
