#pragma once
/// All visible objects as triangles with paint: plain data, for any renderer. Made by SceneBuilder.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "lib/sim/physics/world.hpp"
#include "lib/sim/scene/paint.hpp"

namespace simbatch::scene {

/// Triangles, each with a paint index.
struct PaintedMesh {
  std::vector<geo::Vec3> points;       ///< m
  std::vector<std::uint32_t> indices;  ///< three per triangle
  std::vector<std::uint32_t> paints;   ///< one per triangle, into PaintedScene::paints
};

/// The triangles of a mesh from this one on (up to the next stretch) have this paint.
struct PaintStretch {
  std::uint32_t first_triangle = 0;
  std::uint32_t paint = 0;  ///< into PaintedScene::paints
};

/// A static body with its own triangles, or a surface without a body: the ground, roads, buildings.
struct FixedFigure {
  PaintedMesh mesh;        ///< in the world
  physics::BodyId body{};  ///< kNoBody: a DrawnSurface
  std::string name = {};   ///< of a DrawnSurface
  /// In place of `mesh`, if the builder was asked for that: a terrain's mesh, as the physics keeps it unless it is a grid there,
  /// and its paints.
  std::shared_ptr<const physics::TriangleMesh> shared = {};
  std::vector<PaintStretch> stretches = {};
};
/// The body's name, or its own.
const std::string& name_of(const FixedFigure& figure, const physics::World& world);

/// A shape with many instances: a model, house or tree of one size.
struct SharedShape {
  PaintedMesh mesh;  ///< in its own frame; the paint of a triangle is the instance's first_paint + the number in `paints`
};

/// A part of a static body that shares a shape.
struct Instance {
  std::uint32_t shape = 0;        ///< into PaintedScene::shapes
  std::uint32_t first_paint = 0;  ///< into PaintedScene::paints
  geo::Pose pose;                 ///< of the shape in the world
  physics::BodyId body{};
  std::uint32_t part = 0;  ///< of the body
};

/// A moving body or wheel, in its own frame.
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
  /// The plain is itself a terrain, an infinite plane, and hides everything below it.
  bool plain_is_ground = false;
  /// y of an endless surface of water (m), drawn as kWaterColor over what is below; absent: there is none.
  std::optional<double> water_y;
};

}  // namespace simbatch::scene
