#pragma once
/// Free rotation that conserves angular momentum. Internal to this room.
///
/// A body keeps its angular momentum L = I w between impulses, and its angular velocity changes with its orientation. Bullet's
/// implicit gyroscopic torque dissipates L (72 % in a minute at 60 Hz). Here each step rotates the body by the midpoint angular
/// velocity, found by fixed-point iteration of w = I(orientation half a step later)^-1 L, and then computes the angular
/// velocity at the end of the step from L: L is conserved to rounding, and the method is of second order. Bullet also limits
/// rotations to pi/4 per step; here there is no limit.

#include <btBulletDynamicsCommon.h>

#include <vector>

namespace simbatch::physics::detail {

class FreeSpins {
 public:
  /// Before positions are advanced: sets a dynamic body's angular velocity to that of the step's midpoint.
  void start(btRigidBody& body, double dt);
  /// After positions are advanced: sets the angular velocity of every started body from its momentum.
  void finish(double dt);

 private:
  struct Spin {
    btRigidBody* body;
    btVector3 momentum;     // kg m^2/s, along the body's axes at the start
    btVector3 middle;       // rad/s, world
    btTransform at_start;   // pose
    bool isotropic = true;  // all moments of inertia are equal
    bool fast = false;      // beyond Bullet's limit of rotation per step
  };
  std::vector<Spin> spins_;
};

}  // namespace simbatch::physics::detail
