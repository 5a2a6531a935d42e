#pragma once
/// Impacts: contacts whose points approach fast enough to bounce or to be overrun in one step. Internal to this room.
///
/// Bullet computes the velocity after an impact within its iterative solve, with terms of overlap over dt and gap over dt; a
/// ball of restitution 1 then rises to between 0.2 and 1.5 times its initial height, and smaller steps do not help. Here Bullet
/// only stops approaching bodies, and a separate pass afterward sets the separation speed of each impact by its restitution:
///
///   e sqrt((v_n + a dt / 2)^2 + 2 a d) + a dt / 2
///
/// with the approach speed v_n, the gap d and the acceleration a toward the surface before the solve: the speed that the body
/// would have had on contact, in the sense of symplectic Euler (velocities are half a step ahead of the parabola). Friction is
/// limited by the resulting impulse times the coefficient, and by the impulse at which the points stick. Contacts of
/// articulations are left to Bullet.

#include <btBulletDynamicsCommon.h>

#include <vector>

namespace simbatch::physics::detail {

class Impacts {
 public:
  /// Finds the impacts among all contacts and disables Bullet's own restitution and penetration correction for them. Call after
  /// collision detection, before the solve.
  void find(btDispatcher& dispatcher, double dt);
  /// Sets the separation speed of each impact that Bullet stopped. Call after the solve.
  void bounce();
  /// Separates overlapping bodies of impacts, weighted by inverse mass, without changing velocities. Call after positions are
  /// advanced.
  void separate();

 private:
  struct Impact {
    btManifoldPoint* point = nullptr;
    btRigidBody *a = nullptr, *b = nullptr;  // nullptr: immovable
    btVector3 ra, rb;                        // from the centers of mass to the contact
    btVector3 carried;                       // m/s, velocity of a minus that of b, immovable ones only
    btVector3 normal;                        // from b toward a
    double target = 0;                       // m/s, separation speed after the impact
    double overlap = 0;                      // m, > 0
    double impulse = 0;                      // N s, along the normal
    btVector3 rub{0, 0, 0};                  // N s, on a, perpendicular to the normal
  };
  static btVector3 velocity(const Impact& i);
  static double response(const Impact& i, const btVector3& direction);
  static void push(Impact& i, const btVector3& impulse);
  static void rub(Impact& i);

  std::vector<Impact> impacts_;
};

}  // namespace simbatch::physics::detail
