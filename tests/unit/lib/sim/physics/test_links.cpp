// Links: what they hold, their limits and motors, and the sign of their positions.

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

#include "lib/sim/physics/world.hpp"
#include "tests/unit/lib/sim/physics/car.hpp"

using namespace simbatch;
using namespace simbatch::physics;
using test::residual;

namespace {

BodySettings ball(std::string name, Vec3 at, double mass = 1) {
  BodySettings b;
  b.name = std::move(name);
  b.parts = {{Box{{0.4, 0.4, 0.4}}, {}}};
  b.pose.p = at;
  b.mass = mass;
  return b;
}

}  // namespace

TEST_CASE("a revolute link's motor, position, velocity and limits agree in sign") {
  for (const bool to_world : {true, false})
    for (const double sign : {1.0, -1.0})
      for (const Vec3 axis : {Vec3{0, 1, 0}, Vec3{0, 0, 1}, Vec3{1, 1, 0}}) {
        CAPTURE(sign);
        CAPTURE(to_world);
        World world(WorldSettings{.gravity = {}});
        const BodyId parent = world.add_body(ball("parent", {0, 0, 0}, 1e6));
        const BodyId child = world.add_body(ball("child", {1, 0, 0}));
        LinkSettings s;
        s.kind = LinkKind::revolute;
        s.a = to_world ? kNoBody : parent;
        s.b = child;
        s.axis = axis;
        s.lower = -0.5;
        s.upper = 0.8;
        const LinkId link = world.add_link(s);
        CHECK(world.link_position(link) == 0);
        world.set_link_motor(link, sign, 100);
        for (int i = 0; i < 60; ++i) world.step();
        CHECK(residual("motor, speed", world.link_velocity(link) - sign) < 3e-15);         // 2.3e-16
        CHECK(residual("motor, angle", world.link_position(link) - sign * 0.25) < 5e-15);  // 5.0e-16
        CHECK(residual("right hand", geo::dot(world.angular_velocity(child), geo::normalized(axis)) - sign) <
              4e-4);  // 3.9e-5: the parent recoils
        for (int i = 0; i < 480; ++i) world.step();
        CHECK(residual("limit", world.link_position(link) - (sign > 0 ? 0.8 : -0.5)) < 2e-14);  // 1.3e-15
        world.set_link_motor(link, 0, 0);
        for (int i = 0; i < 240; ++i) world.step();
        CHECK(residual("rest at the limit", world.link_velocity(link)) < 6e-13);  // 5.4e-14
      }
}

TEST_CASE("a prismatic link slides along its axis only, between its limits") {
  World world;
  const BodyId child = world.add_body(ball("child", {0, 1, 0}));
  LinkSettings s;
  s.kind = LinkKind::prismatic;
  s.b = child;
  s.position = {0, 1, 0};
  s.axis = {0, 0, 1};
  s.lower = -0.3;
  s.upper = 0.6;
  const LinkId link = world.add_link(s);
  world.set_link_motor(link, 0.5, 50);
  for (int i = 0; i < 120; ++i) world.step();
  CHECK(residual("slide, position", world.link_position(link) - 0.25) < 0.02);  // 1.6e-3: one step of 0.5 m/s less
  CHECK(residual("slide, velocity", world.link_velocity(link) - 0.5) < 1e-14);  // 0
  CHECK(residual("slide, height", world.pose(child).p.y - 1) < 1e-14);          // 0
  CHECK(world.pose(child).p.z > 0.2);
  for (int i = 0; i < 480; ++i) world.step();
  CHECK(residual("slide, limit", world.link_position(link) - 0.6) < 3e-15);  // 2.3e-16
}

TEST_CASE("a force on a free prismatic link accelerates by F / m, a torque on a revolute one by M / I") {
  World world(WorldSettings{.gravity = {}});
  const BodyId child = world.add_body(ball("child", {0, 0, 0}, 4));
  LinkSettings s;
  s.kind = LinkKind::prismatic;
  s.b = child;
  s.axis = {0, 0, 1};
  const LinkId slide = world.add_link(s);
  const BodyId wheel = world.add_body(ball("wheel", {5, 0, 0}, 3));
  s.kind = LinkKind::revolute;
  s.b = wheel;
  s.position = {5, 0, 0};
  const LinkId hinge = world.add_link(s);
  const double inertia = world.mass(wheel).inertia.zz;
  for (int i = 0; i < 240; ++i) {
    world.apply_link_force(slide, 2);
    world.apply_link_force(hinge, 0.1);
    world.step();
  }
  CHECK(residual("force on a slide", world.link_velocity(slide) - 0.5) < 2e-14);             // 1.2e-15
  CHECK(residual("torque on a hinge", world.link_velocity(hinge) - 0.1 / inertia) < 7e-15);  // 6.7e-16
}

TEST_CASE("a spherical link holds its point, a fixed one everything, a generic one what it locks") {
  World world;
  const BodyId a = world.add_body(ball("a", {1, 0, 0}));
  LinkSettings s;
  s.kind = LinkKind::spherical;
  s.b = a;
  world.add_link(s);
  const BodyId b = world.add_body(ball("b", {2, 0, 10}));
  const BodyId c = world.add_body(ball("c", {3, 0, 10}));
  s.position = {1, 0, 10};
  s.b = b;
  world.add_link(s);
  LinkSettings weld;
  weld.kind = LinkKind::fixed;
  weld.a = b;
  weld.b = c;
  weld.position = {2.5, 0, 10};
  world.add_link(weld);
  // A spring along y, everything else locked.
  const BodyId d = world.add_body(ball("d", {0, 0, 20}, 2));
  LinkSettings spring;
  spring.kind = LinkKind::generic;
  spring.b = d;
  spring.position = {0, 0, 20};
  spring.axis = {0, 1, 0};
  spring.axes[0].locked = false;
  spring.axes[0].stiffness = 400;
  spring.axes[0].damping = 20;
  world.add_link(spring);
  const Pose before = inverse(world.pose(b)) * world.pose(c);
  for (int i = 0; i < 480; ++i) {
    world.step();
    CHECK(std::abs(geo::length(world.pose(a).p) - 1) < 0.01);
  }
  for (int i = 0; i < 960; ++i) world.step();
  const Pose after = inverse(world.pose(b)) * world.pose(c);
  CHECK(residual("fixed link, way", geo::length(after.p - before.p)) < 4e-3);  // 3.6e-4, while it swings
  CHECK(residual("spring, sag", world.pose(d).p.y + 2 * 9.81 / 400) < 9e-15);  // 8.4e-16
  CHECK(residual("spring, sideways", std::hypot(world.pose(d).p.x, world.pose(d).p.z - 20)) < 1e-14);  // 0
}

TEST_CASE("linked bodies do not collide, unless asked to") {
  for (const bool collide : {false, true}) {
    World world(WorldSettings{.gravity = {}});
    const BodyId a = world.add_body(ball("a", {0, 0, 0}));
    const BodyId b = world.add_body(ball("b", {0.3, 0, 0}));  // 10 cm inside a
    LinkSettings s;
    s.kind = LinkKind::prismatic;
    s.a = a;
    s.b = b;
    s.axis = {1, 0, 0};
    s.collide = collide;
    world.add_link(s);
    for (int i = 0; i < 120; ++i) world.step();
    CHECK((geo::length(world.pose(b).p - world.pose(a).p) > 0.35) == collide);
  }
}

TEST_CASE("a link that cannot be is refused") {
  World world;
  const BodyId a = world.add_body(ball("a", {}));
  const auto link = [](BodyId from, BodyId to) {
    LinkSettings s;
    s.a = from;
    s.b = to;
    return s;
  };
  CHECK_THROWS_AS(world.add_link(link(kNoBody, kNoBody)), std::invalid_argument);
  CHECK_THROWS_AS(world.add_link(link(a, a)), std::invalid_argument);
  LinkSettings bad = link(kNoBody, a);
  bad.axis = {};
  CHECK_THROWS_AS(world.add_link(bad), std::invalid_argument);
  bad = link(kNoBody, a);
  bad.lower = 1;
  bad.upper = 0;
  CHECK_THROWS_AS(world.add_link(bad), std::invalid_argument);
  const LinkId ball_link = world.add_link(link(kNoBody, a));
  CHECK_THROWS_AS(world.link_position(ball_link), std::invalid_argument);
  CHECK_THROWS_AS(world.link_position(LinkId{7}), std::invalid_argument);
}

TEST_CASE("a slider takes part in its bar's turning where it is: angular momentum and energy stay, at every rate") {
  for (const double hz : {60.0, 120.0, 240.0, 1000.0}) {
    CAPTURE(hz);
    World world(WorldSettings{.dt = 1 / hz, .gravity = {}});
    const BodyId bar = world.add_body(test::body("bar", Box{{2, 0.05, 0.05}}, {0, 0, 0}));
    const BodyId bead = world.add_body(test::body("bead", Sphere{0.1}, {0.2, 0, 0}));
    LinkSettings hinge;
    hinge.kind = LinkKind::revolute;
    hinge.b = bar;
    hinge.axis = {0, 1, 0};
    world.add_link(hinge);
    LinkSettings rail;
    rail.kind = LinkKind::prismatic;
    rail.a = bar;
    rail.b = bead;
    rail.position = {0.2, 0, 0};
    rail.axis = {1, 0, 0};
    const LinkId slide = world.add_link(rail);
    const double w0 = 2, i0 = world.mass(bar).inertia.yy + world.mass(bead).inertia.yy;
    world.set_velocity(bar, {}, {0, w0, 0});
    world.set_velocity(bead, {0, 0, -w0 * 0.2}, {0, w0, 0});
    while (world.link_position(slide) < 0.6) world.step();  // freely, to 0.8 m
    // L = (I + m r^2) w; 2 E = (I + m r^2) w^2 + m v^2. The bar's rate is that of the middle of the step, the link's that at its end.
    const double w = world.angular_velocity(bar).y, v = world.link_velocity(slide), r = 0.2 + world.link_position(slide);
    const double l0 = (i0 + 0.04) * w0;
    const auto rate = [&](double at) { return l0 / (i0 + at * at); };
    CHECK(residual("bar's rate, share", w / rate(r - v / hz / 2) - 1) < 2e-5);                 // 4.4e-6
    CHECK(residual("bead's speed, share", v / std::sqrt(l0 * w0 - l0 * rate(r)) - 1) < 3e-6);  // 6.8e-7
  }
}

TEST_CASE("a link transmits the centripetal force and the motor's torque to what whirls, at every rate") {
  for (const double hz : {60.0, 240.0, 1000.0}) {
    CAPTURE(hz);
    World world(WorldSettings{.dt = 1 / hz, .gravity = {}});
    const BodyId bar = world.add_body(test::body("bar", Box{{1, 0.05, 0.05}}, {0.5, 0, 0}));
    LinkSettings s;
    s.kind = LinkKind::revolute;
    s.b = bar;
    s.axis = {0, 1, 0};
    s.motor = true;
    const LinkId hinge = world.add_link(s);
    world.watch_link(hinge);
    JointMotor motor;
    motor.max_force = 10;
    motor.force = 2;
    world.set_link_motor(hinge, motor);
    for (int i = 0; i < hz; ++i) world.step();
    // Impulses act between the rates of two steps.
    const double rise = 2 / (world.mass(bar).inertia.yy + 0.25), w = world.angular_velocity(bar).y - rise / hz / 2;
    const Wrench wrench = world.link_wrench(hinge);
    const Quat back = inverse(world.pose(bar).q);
    const Vec3 force = back * wrench.force, torque = back * wrench.torque;
    CHECK(residual("whirling link, centripetal, share", -force.x / (0.5 * w * w) - 1) < 1e-3);
    CHECK(residual("whirling link, along the way, share", -force.z / (0.5 * rise) - 1) < 1e-3);
    CHECK(residual("whirling link, torque", torque.y - 2) < 1e-9);
  }
}
