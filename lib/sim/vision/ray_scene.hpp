#pragma once
/// Ray casting against the shapes of a physics::World: terrains, fixed and moving bodies, wheels. Many rays per call.

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "base/geo/pose.hpp"
#include "lib/sim/physics/world.hpp"

namespace simbatch::sim::vision {

class EmbreeDevice;

/// Rays from one point.
struct RayFan {
  geo::Vec3 from;                         ///< world, m
  std::span<const geo::Vec3> directions;  ///< world, of length 1 each
  double near = 0, far = 100;             ///< m, 0 <= near < far: hits before `near` are ignored
  int ignore_group = physics::kNoGroup;   ///< of the sensing robot, which is ignored
};

class RayScene {
 public:
  /// Nothing is built before the first update().
  RayScene(const physics::World& world, std::shared_ptr<EmbreeDevice> device);
  ~RayScene();

  /// Updates everything to its current pose. The first call builds the tree over all static triangles (0.3 us per triangle);
  /// later calls only the tree over moving solids. Bodies added in between are included.
  void update();

  /// Distance along each ray to the first thing it enters, within 1e-9 of the result of World::ray_cast (boxes, spheres,
  /// capsules, cylinders, cones, hulls, triangles; each exact), or `far` if there is none. A solid that contains the point at
  /// `near` is not met. Ground and meshes are met from both sides.
  /// @param distances  one per ray
  /// @param seen       one per ray, or empty: the body that is met (of a wheel its chassis), kNoBody if there is none
  /// @return how many rays met something
  std::size_t cast(const RayFan& fan, std::span<double> distances, std::span<physics::BodyId> seen = {}) const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace simbatch::sim::vision
