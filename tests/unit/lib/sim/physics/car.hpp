#pragma once
/// The car of the thesis' listings, a flat ground, and how residuals are shown.

#include <cmath>
#include <cstdlib>
#include <iostream>
#include <string>
#include <utility>

#include "lib/sim/physics/world.hpp"

namespace simbatch::test {

/// |value|; with TOL_SCALE=0 in the environment it is printed.
inline double residual(const char* what, double value) {
  if (const char* scale = std::getenv("TOL_SCALE"); scale && std::string(scale) == "0")
    std::cout << what << ": " << std::abs(value) << "\n";
  return std::abs(value);
}

/// A flat height grid of n x n points, 4 m apart, about the origin.
inline physics::HeightGrid flat_ground(int n = 101) {
  physics::HeightGrid grid;
  grid.nx = grid.nz = n;
  grid.spacing = 4;
  grid.x0 = grid.z0 = -2.0 * (n - 1);
  grid.heights.assign(static_cast<std::size_t>(n) * static_cast<std::size_t>(n), 0.0);
  return grid;
}

/// Four wheels with the thesis' numbers; the front ones steer, the rear ones drive, all brake.
inline physics::VehicleSettings thesis_wheels(const std::string& name) {
  physics::VehicleSettings v;
  v.name = name;
  for (int i = 0; i < 4; ++i) {
    physics::WheelSettings w;
    w.name = "wheel" + std::to_string(i);
    w.position = {i % 2 ? 0.75 : -0.75, -0.2, i < 2 ? 1.3 : -1.3};
    w.steered = i < 2;
    w.powered = i >= 2;
    w.braked = true;
    v.wheels.push_back(w);
  }
  return v;
}

/// A body of one shape, in the pose (at, upright).
inline physics::BodySettings body(std::string name, physics::Shape shape, geo::Vec3 at,
                                  physics::BodyKind kind = physics::BodyKind::dynamic) {
  physics::BodySettings b;
  b.name = std::move(name);
  b.kind = kind;
  b.parts = {{std::move(shape), {}}};
  b.pose.p = at;
  return b;
}

inline physics::BodySettings thesis_chassis(const std::string& name, physics::Pose pose) {
  physics::BodySettings b;
  b.name = name;
  b.parts = {{physics::Box{{1.74, 0.6, 4.4}}, {}}};
  b.pose = pose;
  b.mass = 1400;
  return b;
}

struct Car {
  physics::BodyId body;
  physics::VehicleId vehicle;
};
inline Car add_car(physics::World& world, const std::string& name, physics::Pose pose) {
  const physics::BodyId body = world.add_body(thesis_chassis(name, pose));
  return {body, world.add_vehicle(body, thesis_wheels(name + ".drive"))};
}

}  // namespace simbatch::test
