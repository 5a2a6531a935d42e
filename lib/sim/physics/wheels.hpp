#pragma once
/// The vehicle model. Internal to this room.

#include <BulletDynamics/Vehicle/btRaycastVehicle.h>
#include <btBulletDynamicsCommon.h>

#include <memory>
#include <vector>

#include "lib/sim/physics/vehicle.hpp"
#include "lib/sim/physics/world.hpp"

namespace simbatch::physics::detail {

struct Body;

struct Wheel {
  VehicleControls controls;
  double sine = 0, cosine = 1;  // of the steering
  void control(const VehicleControls& c);
  // Set up once, in the chassis' frame P.
  Vec3 hard_point;
  double ray_length = 0;
  // Of the last update.
  bool in_contact = false;
  double length = 0, force = 0, rotation = 0, turn = 0;  // turn: rotation of the last step
  Vec3 hard_point_w, point, normal;
  Body* ground = nullptr;  // the body under it
};

struct Vehicle {
  VehicleSettings settings;
  BodyId chassis_id{};
  Body* chassis = nullptr;
  std::vector<Wheel> wheels;
  Vec3 up, axle, forward;  // of the chassis' frame B, in P
  // Only for WheelRays::stock.
  std::unique_ptr<btVehicleRaycaster> stock_rays;
  std::unique_ptr<btRaycastVehicle> stock;

  void set_up();
  void create_stock(btDynamicsWorld& world);
  void update(World::State& state, double dt);

 private:
  struct ChassisMotion;
  /// Impulse of a tire in a step, N s: along the wheel's direction of rolling, and across it to the axle's side.
  struct TireImpulse {
    double along, across;
  };
  void cast_rays(World::State& state);
  void update_own(World::State& state, double dt);
  int apply_springs(ChassisMotion& motion, double dt);  // wheels on the ground
  void apply_tires(ChassisMotion& motion, int on_ground, double dt);
  static TireImpulse tire_impulse(const ChassisMotion& motion, const Wheel& w, const WheelSettings& set, int on_ground,
                                  Vec3 side, Vec3 ahead, double dt);
  void roll_wheels(const ChassisMotion& motion, double dt);
  void update_stock(double dt);
};

}  // namespace simbatch::physics::detail
