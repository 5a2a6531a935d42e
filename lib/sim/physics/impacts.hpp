#pragma once
/// Impacts: contacts whose points approach fast enough to bounce or to be overrun in one step. Internal to this room.
///
/// Bullet gives the velocity after an impact as part of its iterative solve, with terms of overlap over dt and gap over dt, so
/// that a ball of restitution 1 rises to 0.2 to 1.5 times its height and no step size makes it better. Here Bullet only stops
/// what approaches, and a pass of its own afterwards gives each impact the velocity that its restitution asks for:
///
///   e sqrt((v_n + a dt / 2)^2 + 2 a d) + a dt / 2
///
/// with the approach speed v_n, the gap d and the acceleration a towards the surface before the solve: the speed that the body
/// would have had on touching, as symplectic Euler keeps it (velocities are half a step ahead of the parabola). Friction follows
/// the impulse that comes of it, up to the product with the coefficient, and no further than until the points stick.
/// Contacts of articulations are left to Bullet.

#include <btBulletDynamicsCommon.h>

#include <vector>

namespace simbatch::physics::detail {

class Impacts {
 public:
  /// Finds the impacts among all contacts and disables Bullet's own restitution and penetration correction for them. To be
  /// called after collision detection, before the solve.
  void find(btDispatcher& dispatcher, double dt);
  /// Gives each impact that Bullet has stopped its velocity. To be called after the solve.
  void bounce();
  /// Moves overlapping bodies of impacts apart, by inverse mass, without any velocity. To be called after positions advanced.
  void separate();

 private:
  struct Impact {
    btManifoldPoint* point;
    btRigidBody *a, *b;      // nullptr: cannot be pushed
    btVector3 ra, rb;        // from the centers of mass to the contact
    btVector3 carried;       // m/s, velocity of a less that of b, of those that cannot be pushed
    btVector3 normal;        // from b towards a
    double target = 0;       // m/s, separation speed after the impact
    double overlap = 0;      // m, > 0
    double impulse = 0;      // N s, along the normal
    btVector3 rub{0, 0, 0};  // N s, on a, across it
  };
  static btVector3 velocity(const Impact& i);
  static double response(const Impact& i, const btVector3& direction);
  static void push(Impact& i, const btVector3& impulse);
  static void rub(Impact& i);

  std::vector<Impact> impacts_;
};

}  // namespace simbatch::physics::detail
