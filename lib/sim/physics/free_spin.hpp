#pragma once
/// Free rotation by angular momentum. Internal to this room.
///
/// A body keeps its angular momentum L = I w between impulses, and its angular velocity turns with its axes. Bullet's implicit
/// gyroscopic torque damps that (72 % of L in a minute at 60 Hz). Here each step turns the body by the angular velocity of its
/// middle, found by fixed-point rounds of w = I(attitude half a step on)^-1 L, and then takes the one that belongs to L at its
/// end: L is kept to rounding, and the motion is of second order. Bullet also turns nothing by more than a quarter of pi in one
/// step; here a body turns as far as its angular velocity says.

#include <btBulletDynamicsCommon.h>

#include <vector>

namespace simbatch::physics::detail {

class FreeSpins {
 public:
  /// Before positions advance: gives a dynamic body the angular velocity of the step's middle.
  void start(btRigidBody& body, double dt);
  /// After positions advanced: every body that was started gets the angular velocity that belongs to its momentum.
  void finish(double dt);

 private:
  struct Spin {
    btRigidBody* body;
    btVector3 momentum;     // kg m^2/s, along the body's axes at the start
    btVector3 middle;       // rad/s, world
    btTransform at_start;   // pose
    bool isotropic = true;  // all moments of inertia are equal
    bool fast = false;      // Bullet would turn it by too little
  };
  std::vector<Spin> spins_;
};

}  // namespace simbatch::physics::detail
