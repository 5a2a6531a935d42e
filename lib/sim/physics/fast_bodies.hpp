#pragma once
/// Speculative contacts of fast bodies, so that nothing tunnels through a wall or the ground within a step. Internal to this
/// room.
///
/// Spheres inside a body's parts are swept along their path in the coming step if it is longer than half their radius. Where
/// one would touch something, a contact with a gap enters the solver, which allows the body to close the gap but no more. If
/// the solver deflects the body, it stops at the next obstacle on its new path. Bullet does the former for convex bodies but
/// silently skips compounds; every chassis with an explicit center of mass is one. Other moving bodies are tested at their
/// position at the start of the step: two fast bodies can pass through each other.

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

/// The largest sphere inside each part; only spheres at least half as large as the largest, and at most 8 (exact for all shapes
/// except hulls, for which it is the largest about the centroid).
std::vector<InnerSphere> inner_spheres(const std::vector<RayPart>& parts);

class FastBodies {
 public:
  /// Adds speculative contacts of a body for the coming step, except where it has one in the same direction. Call after
  /// collision detection. The caller releases the added manifolds.
  void look_ahead(World::State& state, const Body& fast, btManifoldArray& added);
  /// Moves bodies that the solver deflected deep into another obstacle out of it; they keep their velocity, and the next step
  /// finds the contact. Call after positions are advanced.
  void hold_back(World::State& state);

 private:
  struct Fast {
    btRigidBody* body = nullptr;
    InnerSphere sphere;
    btVector3 center;  // of the sphere at the start of the step, world
  };
  std::vector<Fast> fast_;
};

}  // namespace simbatch::physics::detail
