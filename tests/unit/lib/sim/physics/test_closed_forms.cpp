// The world against closed forms. A tolerance is the measured residual times ten, one digit; the residual is beside it.

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

#include "lib/sim/physics/world.hpp"
#include "tests/unit/lib/sim/physics/car.hpp"

using namespace simbatch;
using namespace simbatch::physics;
using test::residual;

namespace {

BodySettings box(std::string name, Vec3 size, Pose pose, double mass = 1) {
  BodySettings b;
  b.name = std::move(name);
  b.parts = {{Box{size}, {}}};
  b.pose = pose;
  b.mass = mass;
  return b;
}

}  // namespace

TEST_CASE("free fall follows the sum that semi-implicit Euler makes of it") {
  World world;
  const double dt = world.settings().dt, g = 9.81;
  const BodyId id = world.add_body(box("b", {1, 1, 1}, {{0, 100, 0}, {}}));
  const int n = 480;
  for (int i = 0; i < n; ++i) world.step();
  // v_k = -g k dt, y = y0 - g dt^2 n (n + 1) / 2: the parabola, late by half a step.
  const double y = 100 - g * dt * dt * n * (n + 1) / 2;
  CHECK(residual("fall, y", world.pose(id).p.y - y) < 3e-13);                              // 2.8e-14
  CHECK(residual("fall, v", world.linear_velocity(id).y + g * n * dt) < 7e-13);            // 7.5e-14
  CHECK(residual("fall, parabola", world.pose(id).p.y - (100 - g * 2 * 2 / 2)) < g * dt);  // g t dt / 2 = 0.041
  CHECK(world.time() == doctest::Approx(2));
}

TEST_CASE("a box slides down a slope with g (sin a - mu cos a), and stays where mu is larger") {
  for (const double mu : {0.2, 0.8}) {
    CAPTURE(mu);
    World world;
    const double a = 30 * std::numbers::pi / 180, g = 9.81;
    const Quat tilt = geo::rotation({1, 0, 0}, a);  // +z goes down
    BodySettings slope = box("slope", {20, 1, 200}, {{}, tilt});
    slope.kind = BodyKind::fixed;
    slope.friction = 1;
    world.add_body(slope);
    BodySettings crate = box("crate", {1, 0.2, 1}, {tilt * Vec3{0, 0.6, -50}, tilt}, 10);
    crate.friction = mu;
    const BodyId id = world.add_body(crate);
    for (int i = 0; i < 60; ++i) world.step();  // settle
    const Vec3 v0 = world.linear_velocity(id), p0 = world.pose(id).p;
    for (int i = 0; i < 480; ++i) world.step();
    const Vec3 down = tilt * Vec3{0, 0, 1};
    if (mu < std::tan(a)) {
      const double acceleration = (geo::dot(world.linear_velocity(id), down) - geo::dot(v0, down)) / 2;
      CHECK(residual("slide", acceleration - g * (std::sin(a) - mu * std::cos(a))) < 0.04);  // 3.8e-3 of 3.2
    } else {
      CHECK(residual("rest on a slope, way in 2 s", geo::length(world.pose(id).p - p0)) < 4e-9);  // 3.9e-10
    }
    CHECK(residual("sideways", world.pose(id).p.x) < 9e-4);  // 9.3e-5 after 20 m
  }
}

TEST_CASE("a pendulum on a revolute link has the period of the elliptic integral") {
  WorldSettings settings;
  settings.dt = 1.0 / 1000;
  World world(settings);
  const double length = 2, amplitude = 1;
  // A small heavy ball at the end of nothing: I = m l^2 + 2/5 m r^2.
  const double r = 0.1;
  BodySettings bob;
  bob.name = "bob";
  bob.parts = {{Sphere{r}, {}}};
  bob.pose = {{length * std::sin(amplitude), -length * std::cos(amplitude), 0}, {}};
  const BodyId id = world.add_body(bob);
  LinkSettings hinge;
  hinge.kind = LinkKind::revolute;
  hinge.b = id;
  hinge.axis = {0, 0, 1};
  const LinkId link = world.add_link(hinge);
  // Times at which the angle falls through -amplitude.
  double crossings[2] = {0, 0}, last = 0;
  int found = 0;
  for (int i = 0; i < 12000 && found < 2; ++i) {
    world.step();
    const double angle = world.link_position(link) + amplitude;
    if (last > 0 && angle <= 0 && i > 10) crossings[found++] = world.time() - settings.dt * angle / (angle - last);
    last = angle;
  }
  REQUIRE(found == 2);
  // T = 4 sqrt(I / (m g l)) K(sin(A / 2)).
  const double w = std::sqrt(9.81 * length / (length * length + 0.4 * r * r));
  const double period = 4 / w * std::comp_ellint_1(std::sin(amplitude / 2));
  CHECK(residual("pendulum, relative period", (crossings[1] - crossings[0]) / period - 1) < 6e-5);  // 6.3e-6
  CHECK(residual("pendulum, length", geo::length(world.pose(id).p) - length) < 2e-4);               // 2.3e-5
}

TEST_CASE("a thrown spinning box keeps its spin, and its center follows the parabola wherever its frame is") {
  World world;
  BodySettings b = box("b", {1, 2, 3}, {{0, 50, 0}, geo::rotation({1, 2, 3}, 0.7)}, 4);
  b.center_of_mass = Vec3{0.2, -0.3, 0.5};
  b.angular_velocity = {0, 3, 0};
  b.linear_velocity = {1, 5, 2};
  const BodyId id = world.add_body(b);
  const Vec3 c0 = world.center_of_mass(id), v0 = world.center_velocity(id);
  CHECK(geo::length(world.linear_velocity(id) - b.linear_velocity) < 1e-12);
  CHECK(geo::length(world.pose(id).p - b.pose.p) < 1e-12);
  for (int i = 0; i < 240; ++i) world.step();
  const double t = 1, dt = world.settings().dt;
  const Vec3 c = c0 + t * v0 + Vec3{0, -9.81 * t * (t + dt) / 2, 0};
  CHECK(residual("throw, center", geo::length(world.center_of_mass(id) - c)) < 1e-13);  // 1.0e-14
}

TEST_CASE("a body of products of inertia turns about its fixed axis under a torque as I says") {
  World world(WorldSettings{.gravity = {}});
  // Two boxes off the axes: the principal axes are turned against the body's.
  BodySettings b;
  b.name = "cross";
  b.parts = {{Box{{1, 0.2, 0.2}}, {{0.5, 0.3, 0}, {}}}, {Box{{1, 0.2, 0.2}}, {{-0.5, -0.3, 0}, {}}}};
  b.mass = 3;
  const BodyId id = world.add_body(b);
  const Inertia i = world.mass(id).inertia;
  REQUIRE(std::abs(i.xy) > 0.1);
  world.apply_torque_impulse(id, {0, 0, 2});
  // About z the products vanish: omega = 2 / Izz.
  world.step();
  const Vec3 w = world.angular_velocity(id);
  CHECK(residual("torque, z", w.z - 2 / i.zz) < 4e-15);  // 4.4e-16
  CHECK(residual("torque, x", w.x) < 4e-15);             // 0
}
