#pragma once
/// Contacts ahead of fast bodies, so that nothing passes through a wall or the ground within a step. Internal to this room.
///
/// Spheres inside a body's parts are swept along their way of the coming step, if that is longer than half their radius: where
/// one would touch something, a contact with a gap enters the solver, which lets the body close the gap and no more; and where
/// the solve leads a body elsewhere, it stops at the next obstacle on its path. Bullet does the first for convex bodies and
/// leaves out compounds without a message; every chassis with a center of mass of its own is one. What moves towards a body is
/// where it is at the start of the step: two fast bodies can pass through each other.

#include <btBulletDynamicsCommon.h>

#include <vector>

#include "lib/sim/physics/world.hpp"

namespace simbatch::physics::detail {

struct Body;
struct RayPart;

/// A sphere inside a body.
struct InnerSphere {
  btVector3 center;   // in the frame P
  double radius = 0;  // m
};

/// The largest sphere inside each part, of those that are at least half as large as the largest; at most 8 (exact for all shapes but
/// hulls, where it is the one about the center of volume).
std::vector<InnerSphere> inner_spheres(const std::vector<RayPart>& parts);

class FastBodies {
 public:
  /// Adds contacts ahead of a body in the coming step, except where it has one that points the same way. To be called after
  /// collision detection. The caller releases what was added.
  void look_ahead(World::State& state, const Body& fast, btManifoldArray& added);
  /// Puts bodies that the solve has sent another way, deep into something else, out of it; they keep their velocity, and the next
  /// step finds the contact. To be called after positions advanced.
  void hold_back(World::State& state);

 private:
  struct Fast {
    btRigidBody* body;
    InnerSphere sphere;
    btVector3 center;  // of the sphere at the start of the step, world
  };
  std::vector<Fast> fast_;
};

}  // namespace simbatch::physics::detail
