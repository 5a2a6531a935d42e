#pragma once
/// The shapes of a physics::World as scanners see them: terrains, fixed and moving bodies, wheels. Many rays in one call.

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
  double near = 0, far = 100;             ///< m, 0 <= near < far: a ray passes through what it meets before `near`
  int ignore_group = physics::kNoGroup;   ///< of the robot that looks
};

class RayScene {
 public:
  /// Nothing is built before the first update().
  RayScene(const physics::World& world, std::shared_ptr<EmbreeDevice> device);
  ~RayScene();

  /// Brings everything to its present pose. The first call builds the tree over everything that never moves (0.3 us per triangle);
  /// later ones only that over what moves. Bodies that were added in between are included.
  void update();

  /// Distance along each ray to the first thing it enters, within 1e-9 of the result of World::ray_cast (boxes, spheres, capsules,
  /// cylinders, cones, hulls, triangles; each exact), or `far` if there is none. A solid that contains the point at `near` is
  /// not met. Ground and meshes are met from both sides.
  /// @param distances  one per ray
  /// @param seen       one per ray, or empty: the body that is met (of a wheel its chassis), kNoBody if there is none
  /// @return how many rays met something
  std::size_t cast(const RayFan& fan, std::span<double> distances, std::span<physics::BodyId> seen = {}) const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace simbatch::sim::vision
