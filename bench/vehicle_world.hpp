#pragma once
/// The world that the vehicle benchmarks drive in: 256 x 256 heights 4 m apart, 500 houses, N cars. Made from a seed.

#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "base/core/random.hpp"
#include "lib/sim/physics/world.hpp"

namespace simbatch::bench {

struct VehicleWorld {
  physics::HeightGrid ground;
  std::vector<physics::BodySettings> houses;
  std::vector<physics::BodySettings> cars;  ///< 1400 kg, on the ground, headings all round
  physics::VehicleSettings wheels;          ///< the thesis' numbers, rear driven, front steered
};

inline VehicleWorld make_vehicle_world(int cars, int houses = 500, int n = 256) {
  VehicleWorld w;
  RandomStream random(1, "bench.vehicles");
  w.ground.nx = w.ground.nz = n;
  w.ground.spacing = 4;
  w.ground.x0 = w.ground.z0 = -2.0 * (n - 1);
  for (int z = 0; z < n; ++z)
    for (int x = 0; x < n; ++x)
      w.ground.heights.push_back(3 * std::sin(0.05 * x) * std::cos(0.04 * z) + 0.05 * random.uniform());
  const double half = -w.ground.x0 - 20;
  const auto place = [&](double up, double range) {
    const double x = (2 * random.uniform() - 1) * range, z = (2 * random.uniform() - 1) * range;
    return physics::Vec3{x, physics::height_at(w.ground, x, z).value_or(0) + up, z};
  };
  const auto turn = [&] { return geo::rotation({0, 1, 0}, 6.283185307179586 * random.uniform()); };
  for (int i = 0; i < houses; ++i) {
    physics::BodySettings b;
    b.name = "house" + std::to_string(i);
    b.kind = physics::BodyKind::fixed;
    b.parts = {{physics::Box{{8 + 6 * random.uniform(), 6 + 4 * random.uniform(), 8 + 8 * random.uniform()}}, {}}};
    b.pose = {place(3, half), turn()};
    w.houses.push_back(b);
  }
  for (int i = 0; i < cars; ++i) {
    physics::BodySettings b;
    char name[16];
    std::snprintf(name, sizeof name, "car%04d", i);
    b.name = name;
    b.mass = 1400;
    b.group = i;
    b.parts = {{physics::Box{{1.74, 0.6, 4.4}}, {}}};
    // Not in a house.
    for (int tries = 0, free = 0; !free && tries < 200; ++tries) {
      b.pose = {place(0.9, half - 190), turn()};
      free = 1;
      for (const auto& house : w.houses)
        free = free && std::hypot(house.pose.p.x - b.pose.p.x, house.pose.p.z - b.pose.p.z) > 14;
    }
    w.cars.push_back(b);
  }
  for (int i = 0; i < 4; ++i) {
    physics::WheelSettings wheel;
    wheel.position = {i % 2 ? 0.75 : -0.75, -0.2, i < 2 ? 1.3 : -1.3};
    wheel.steered = i < 2;
    wheel.powered = i >= 2;
    wheel.braked = true;
    w.wheels.wheels.push_back(wheel);
  }
  return w;
}

/// The same cars with all that a vehicle may have: brush tires and inertia of the wheels, an engine with gears and a limited
/// slip differential, anti-lock brakes in shares, anti-roll bars, air.
inline VehicleWorld with_drive_trains(VehicleWorld w) {
  physics::VehicleSettings& v = w.wheels;
  for (physics::WheelSettings& wheel : v.wheels) {
    wheel.tire = {};
    wheel.tire.rolling_resistance = 0.012;
    wheel.inertia = 1.2;
  }
  vehicle::DriveTrainSettings train;
  train.engine.curve = {{80, 60}, {450, 90}, {680, 75}};
  train.engine.brake_torque = 15;
  train.gearbox.ratios = {3.6, 2, 1.35, 1};
  train.differential = vehicle::Differential::limited;
  train.lock_torque = 60;
  v.train = train;
  v.brakes = {0.65, true, 0.1};
  v.bars = {{0, 1, 8000}, {2, 3, 4000}};
  v.air.drag = 0.7;
  return w;
}

/// What all drivers do: every car its own bends, a push and a brake now and then.
inline physics::VehicleControls drive(int car, int step, double dt) {
  const double t = step * dt + 0.37 * car;
  const bool brakes = std::fmod(t, 8) > 7;
  return {brakes ? 0.0 : 500, brakes ? 800.0 : 0, 0.3 * std::sin(0.7 * t)};
}

/// Puts everything into a world of ours.
inline std::vector<physics::VehicleId> build(physics::World& world, const VehicleWorld& w) {
  std::vector<physics::VehicleId> vehicles;
  world.add_terrain(w.ground);
  for (const auto& house : w.houses) world.add_body(house);
  for (const auto& car : w.cars) {
    physics::VehicleSettings v = w.wheels;
    v.name = car.name + ".drive";
    vehicles.push_back(world.add_vehicle(world.add_body(car), v));
  }
  return vehicles;
}

}  // namespace simbatch::bench
