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
  double compression_speed = 0, slope = 1;               // Bullet's relative velocity and clipped inverse
  Vec3 hard_point_w, point, normal;
  Body* ground = nullptr;  // what it stands on
};

struct Vehicle {
  VehicleSettings settings;
  BodyId chassis_id{};
  Body* chassis = nullptr;
  std::vector<Wheel> wheels;
  Vec3 up, axle, forward;  // of the chassis' frame B, in P
  double reach = 0;
  // Only for WheelRays::stock.
  std::unique_ptr<btVehicleRaycaster> stock_rays;
  std::unique_ptr<btRaycastVehicle> stock;

  void set_up();
  void set_up_stock(btDynamicsWorld& world);
  void update(World::State& state, double dt);

 private:
  void cast(World::State& state);
  void own_update(World::State& state, double dt);
  void stock_update(double dt);
};

}  // namespace simbatch::physics::detail
