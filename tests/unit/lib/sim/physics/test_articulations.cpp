// Articulated bodies against closed forms and against their own kinematics.

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "lib/sim/physics/world.hpp"
#include "tests/unit/lib/sim/physics/car.hpp"

using namespace simbatch;
using namespace simbatch::physics;
using test::residual;

namespace {

LinkBody rod(std::string name, double length, double mass = 1) {
  LinkBody b;
  b.name = std::move(name);
  b.parts = {{Box{{0.05, length, 0.05}}, {{0, -length / 2, 0}, {}}}};  // hangs from its joint
  b.mass = mass;
  return b;
}

/// Rods that hang from each other, turning about z.
ArticulationSettings chain(int count, double length = 1) {
  ArticulationSettings a;
  a.name = "chain";
  a.base.name = "chain.base";
  for (int i = 0; i < count; ++i) {
    ArticulatedLink link;
    link.body = rod("chain.link" + std::to_string(i), length);
    link.parent = i - 1;
    if (i > 0) link.frame.p = {0, -length, 0};
    a.links.push_back(link);
  }
  return a;
}

}  // namespace

TEST_CASE("an articulated rod swings with the period of the elliptic integral, and stays whole") {
  World world(WorldSettings{.dt = 1.0 / 1000});
  ArticulationSettings a = chain(1, 2);
  a.links[0].position = 1;
  const ArticulationId id = world.add_articulation(a);
  CHECK(world.joint_position(id, 0) == 1);
  double crossings[2] = {0, 0}, last = world.joint_position(id, 0);
  int found = 0;
  for (int i = 0; i < 12000 && found < 2; ++i) {
    world.step();
    const double angle = world.joint_position(id, 0);
    if (last > 0 && angle <= 0) crossings[found++] = world.time() - world.settings().dt * angle / (angle - last);
    last = angle;
  }
  REQUIRE(found == 2);
  const MassProperties m = world.mass(world.articulation_link(id, 0));
  // About the joint: Izz + m (l / 2)^2.
  const double w = std::sqrt(9.81 * 1 / (m.inertia.zz + 1));
  const double period = 4 / w * std::comp_ellint_1(std::sin(0.5));
  CHECK(residual("articulated rod, relative period", (crossings[1] - crossings[0]) / period - 1) < 2e-6);  // 1.7e-7
  const Pose x = world.pose(world.articulation_link(id, 0));
  CHECK(residual("articulated rod, joint", geo::length(x.p)) < 2e-15);  // 1.2e-16
}

TEST_CASE("links are and move where the joints put them") {
  World world(WorldSettings{.gravity = {}});
  ArticulationSettings a;
  a.name = "arm";
  a.base = rod("arm.base", 1);
  a.pose = {{1, 2, 3}, geo::rotation({0, 1, 1}, 0.5)};
  const JointKind kinds[4] = {JointKind::revolute, JointKind::prismatic, JointKind::fixed, JointKind::revolute};
  for (int i = 0; i < 4; ++i) {
    ArticulatedLink link;
    link.body = rod("arm.link" + std::to_string(i), 0.5 + 0.1 * i, 1 + i);
    link.body.center_of_mass = Vec3{0.1, -0.2, 0.05 * i};
    link.body.inertia = Inertia{0.2, 0.3, 0.25, 0.02, -0.03, 0.01};  // principal axes turned
    link.parent = i - 1;
    link.joint = kinds[i];
    link.frame = {{0.1, -0.5, 0.2 * i}, geo::rotation({1, 0.5 * i, -1}, 0.3 * i)};
    link.axis = {1, 2, -1.0 * i};
    link.position = 0.2 * (i + 1);
    a.links.push_back(link);
  }
  const ArticulationId id = world.add_articulation(a);
  const double speeds[4] = {0.7, 0.4, 0, -0.9};
  for (const std::size_t i : {0u, 1u, 3u}) world.set_joint_state(id, i, a.links[i].position, speeds[i]);
  const auto check_poses = [&] {
    Pose x = a.pose;
    CHECK(geo::length(world.pose(world.articulation_base(id)).p - x.p) < 1e-12);
    for (std::size_t i = 0; i < 4; ++i) {
      const double q = kinds[i] == JointKind::fixed ? 0 : world.joint_position(id, i);
      const Vec3 axis = geo::normalized(a.links[i].axis);
      x = x * Pose{a.links[i].frame.p, geo::normalized(a.links[i].frame.q)} *
          (kinds[i] == JointKind::prismatic ? Pose{q * axis, {}} : Pose{{}, geo::rotation(axis, q)});
      const Pose have = world.pose(world.articulation_link(id, i));
      CHECK(residual("link place", geo::length(have.p - x.p)) < 2e-14);
      CHECK(residual("link turn", geo::length(have.q * Vec3{1, 2, 3} - x.q * Vec3{1, 2, 3})) < 2e-14);
    }
  };
  check_poses();
  // Velocities against the difference of two poses a short step apart.
  const double h = 1e-6;
  for (std::size_t i = 0; i < 4; ++i) {
    const BodyId body = world.articulation_link(id, i);
    for (const std::size_t k : {0u, 1u, 3u}) world.set_joint_state(id, k, a.links[k].position, speeds[k]);
    const Vec3 v = world.point_velocity(body, world.pose(body) * Vec3{0.3, 0.1, 0.2});
    Vec3 at[2];
    for (int s = 0; s < 2; ++s) {
      for (const std::size_t k : {0u, 1u, 3u})
        world.set_joint_state(id, k, a.links[k].position + (s ? h : -h) * speeds[k], speeds[k]);
      at[s] = world.pose(body) * Vec3{0.3, 0.1, 0.2};
    }
    CHECK(residual("link velocity", geo::length(v - (1 / (2 * h)) * (at[1] - at[0]))) < 3e-9);  // 3.0e-10
  }
  for (int i = 0; i < 100; ++i) world.step();
  check_poses();
}

TEST_CASE("a swinging chain keeps its energy") {
  World world(WorldSettings{.dt = 1.0 / 2000});
  ArticulationSettings a = chain(3);
  for (ArticulatedLink& link : a.links) link.position = 0.4;
  const ArticulationId id = world.add_articulation(a);
  const auto energy = [&] {
    double sum = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      const BodyId b = world.articulation_link(id, i);
      const Vec3 v = world.center_velocity(b), w = world.angular_velocity(b);
      sum += 0.5 * geo::dot(v, v) + 0.5 * world.mass(b).inertia.zz * w.z * w.z + 9.81 * (world.center_of_mass(b).y + 3);
    }
    return sum;
  };
  const double before = energy();
  double worst = 0;
  for (int i = 0; i < 4000; ++i) {
    world.step();
    worst = std::max(worst, std::abs(energy() / before - 1));
  }
  CHECK(residual("chain, energy", worst) < 2e-3);  // 1.5e-4
}

TEST_CASE("a joint stops at its limits") {
  for (const double sign : {1.0, -1.0}) {
    World world(WorldSettings{.gravity = {sign * 9.81, 0, 0}});
    ArticulationSettings a = chain(1);
    a.links[0].lower = -0.6;
    a.links[0].upper = 0.4;
    const ArticulationId id = world.add_articulation(a);
    double most = 0;
    for (int i = 0; i < 1200; ++i) {
      world.step();
      most = std::max(most, sign * world.joint_position(id, 0));
    }
    const double limit = sign > 0 ? 0.4 : 0.6;
    CHECK(residual("joint limit", world.joint_position(id, 0) - sign * limit) < 3e-15);  // 2.3e-16
    CHECK(residual("joint limit, overshoot", most - limit) < 0.09);                      // 8.9e-3, one step at full speed
    CHECK(residual("joint limit, at rest", world.joint_velocity(id, 0)) < 2e-13);        // 1.1e-14
  }
}

TEST_CASE("a PD controller holds a joint against gravity, off by the load over its stiffness") {
  World world;
  const ArticulationId id = world.add_articulation(chain(1));
  const double kp = 200, kd = 20, target = 0.5;
  for (int i = 0; i < 5 * 240; ++i) {
    world.apply_joint_force(id, 0, kp * (target - world.joint_position(id, 0)) - kd * world.joint_velocity(id, 0));
    world.step();
  }
  const double q = world.joint_position(id, 0);
  CHECK(residual("PD", kp * (target - q) - 9.81 * 0.5 * std::sin(q)) < 9e-13);  // 9.0e-14
  CHECK(residual("PD, at rest", world.joint_velocity(id, 0)) < 5e-14);          // 4.5e-15
}

TEST_CASE("a joint motor keeps its speed within its force, and stalls beyond it") {
  World world;
  const ArticulationId id = world.add_articulation(chain(1));
  world.set_joint_motor(id, 0, 1, 20);
  for (int i = 0; i < 240; ++i) world.step();
  CHECK(residual("motor, angle after 1 s", world.joint_position(id, 0) - 1) < 0.07);  // 6.3e-3: while it speeds up
  // Half of what holds the rod level: it settles where load and motor are equal at the latest.
  world.set_joint_state(id, 0, 0, 0);
  world.set_joint_motor(id, 0, 0.05, 0.5 * 9.81 * 0.5);
  double most = 0;
  for (int i = 0; i < 20 * 240; ++i) {
    world.step();
    most = std::max(most, world.joint_position(id, 0));
  }
  CHECK(residual("motor, stall", std::sin(most) - 0.5) < 0.2);  // 0.012: the swing past it
}

TEST_CASE("dry friction in a joint holds a small load and slows a swing") {
  World world;
  ArticulationSettings a = chain(1);
  a.links[0].position = 0.3;
  a.links[0].friction = 2;  // 9.81 * 0.5 * sin 0.3 = 1.45
  const ArticulationId id = world.add_articulation(a);
  for (int i = 0; i < 480; ++i) world.step();
  CHECK(residual("joint friction", world.joint_position(id, 0) - 0.3) < 1e-14);  // 0
}

TEST_CASE("a free articulation keeps its momentum and falls as one") {
  World world;
  ArticulationSettings a = chain(2);
  a.fixed_base = false;
  a.base = rod("chain.base", 1, 2);
  a.links[0].frame.p = {0, -1, 0};
  a.pose.p = {0, 100, 0};
  const ArticulationId id = world.add_articulation(a);
  const auto center = [&] {
    Vec3 sum = 2 * world.center_of_mass(world.articulation_base(id));
    for (std::size_t i = 0; i < 2; ++i) sum += world.center_of_mass(world.articulation_link(id, i));
    return 0.25 * sum;
  };
  const Vec3 before = center();
  for (int i = 0; i < 240; ++i) {
    world.apply_joint_force(id, 0, 0.5);  // inner forces
    world.step();
  }
  const double dt = world.settings().dt;
  CHECK(std::abs(world.joint_velocity(id, 0)) > 0.1);
  CHECK(residual("free chain, center", geo::length(center() - before + Vec3{0, 9.81 * (1 + dt) / 2, 0})) <
        0.02);  // 1.4e-3 in 4.9 m
}

TEST_CASE("a link is a body: rays hit it, it pushes others, forces push it, its contacts have its name") {
  World world(WorldSettings{.gravity = {}});
  ArticulationSettings a = chain(1);
  a.group = 4;
  const ArticulationId id = world.add_articulation(a);
  BodySettings ball;
  ball.name = "ball";
  ball.parts = {{Sphere{0.1}, {}}};
  ball.pose.p = {0.3, -0.9, 0};
  const BodyId other = world.add_body(ball);
  const BodyId link = world.articulation_link(id, 0);
  CHECK(world.find_body("chain.link0") == link);
  CHECK(world.kind(link) == BodyKind::articulated);
  const auto hit = world.ray_cast({-5, -0.5, 0}, {5, -0.5, 0});
  REQUIRE(hit);
  CHECK(hit->body == link);
  CHECK(residual("ray on a link", hit->point.x + 0.025) < 4e-15);  // 3.6e-16
  CHECK(!world.ray_cast({-5, -0.5, 0}, {5, -0.5, 0}, {4, kNoBody}));
  bool touched = false;
  std::vector<Contact> contacts;
  for (int i = 0; i < 240; ++i) {
    world.apply_force_at(link, {2, 0, 0}, {0, -1, 0});
    world.step();
    world.contacts(contacts);
    touched = touched || std::any_of(contacts.begin(), contacts.end(),
                                     [&](const Contact& c) { return c.a == link && c.b == other && c.impulse > 0; });
  }
  CHECK(touched);
  CHECK(world.linear_velocity(other).x > 0.1);
  CHECK(world.joint_position(id, 0) > 0.2);
  CHECK(!world.find_blow_up());
}

TEST_CASE("two fingers hold an object between them by friction") {
  WorldSettings settings;
  settings.friction_directions = 2;
  World world(settings);
  ArticulationSettings hand;
  hand.name = "hand";
  hand.base.name = "hand.palm";
  for (const double side : {-1.0, 1.0}) {
    ArticulatedLink finger;
    finger.body.name = side < 0 ? "hand.left" : "hand.right";
    finger.body.parts = {{Box{{0.02, 0.1, 0.05}}, {}}};
    finger.body.mass = 0.2;
    finger.body.friction = 1;
    finger.joint = JointKind::prismatic;
    finger.axis = {-side, 0, 0};
    finger.frame.p = {0.08 * side, 0, 0};
    finger.lower = 0;
    hand.links.push_back(finger);
  }
  const ArticulationId id = world.add_articulation(hand);
  BodySettings cube;
  cube.name = "cube";
  cube.parts = {{Box{{0.06, 0.06, 0.06}}, {}}};
  cube.mass = 0.3;
  cube.friction = 0.8;
  const BodyId body = world.add_body(cube);
  for (int i = 0; i < 4 * 240; ++i) {
    for (const std::size_t k : {0u, 1u})
      world.apply_joint_force(id, k, 10 - 20 * world.joint_velocity(id, k));  // 2 * 0.8 * 10 N > 2.9 N
    world.step();
  }
  CHECK(world.pose(body).p.y > -0.05);  // fell while the fingers closed, then held
  CHECK(residual("grip, slipping", geo::length(world.linear_velocity(body))) < 8e-3);  // 7.4e-4
  std::vector<Contact> contacts;
  world.contacts(contacts);
  double force = 0;
  for (const Contact& c : contacts)
    if (c.a == world.articulation_link(id, 0) || c.b == world.articulation_link(id, 0)) force += c.impulse / settings.dt;
  CHECK(residual("grip, force", force - 10) < 0.7);  // 0.062
}

TEST_CASE("an articulated world repeats bit for bit") {
  const auto run = [](bool first) {
    World world;
    world.add_terrain(test::flat_ground(21));
    ArticulationSettings a = chain(4, 0.5), b = chain(3, 0.4);
    a.pose.p = {0, 1.2, 0};
    b.pose.p = {0.3, 1, 0.01};
    b.name = "other";
    b.base.name = "other.base";
    for (std::size_t i = 0; i < 3; ++i) {
      b.links[i].body.name = "other.link" + std::to_string(i);
      b.links[i].position = 1;
    }
    if (first) world.add_articulation(a);
    world.add_articulation(b);
    if (!first) world.add_articulation(a);
    StateHash hash;
    for (int i = 0; i < 480; ++i) {
      world.step();
      world.hash_state(hash);
    }
    return hash.value();
  };
  CHECK(run(true) == run(true));
  CHECK(run(true) == run(false));
}

TEST_CASE("an articulation that cannot be is refused") {
  World world;
  ArticulationSettings a = chain(2);
  a.links[0].parent = 1;
  CHECK_THROWS_AS(world.add_articulation(a), std::invalid_argument);
  a = chain(2);
  a.links[1].axis = {};
  CHECK_THROWS_AS(world.add_articulation(a), std::invalid_argument);
  a = chain(1);
  a.links[0].body.parts.clear();
  CHECK_THROWS_AS(world.add_articulation(a), std::invalid_argument);  // no inertia
  CHECK_THROWS_AS(world.add_articulation(chain(static_cast<int>(kMaxArticulatedLinks) + 1)), std::invalid_argument);
  a.links[0].body.inertia = Inertia{1, 1, 1, 0, 0, 0};
  const ArticulationId id = world.add_articulation(a);
  CHECK_THROWS_AS(world.joint_position(id, 1), std::invalid_argument);
  CHECK_THROWS_AS(world.set_pose(world.articulation_link(id, 0), {}), std::invalid_argument);
  world.step();
  CHECK_THROWS_AS(world.add_articulation(chain(1)), std::invalid_argument);
}

TEST_CASE("links in one place that touch each other need more memory than there may be") {
  World world;
  ArticulationSettings a;
  a.name = a.base.name = "burr";
  a.base.parts = {{Sphere{0.1}, {}}};
  for (int i = 0; i < 400; ++i) {
    ArticulatedLink& link = a.links.emplace_back();
    link.body.name = "burr.link" + std::to_string(i);
    link.body.parts = {{Sphere{0.1}, {}}};
  }
  world.add_articulation(a);
  CHECK_THROWS_AS(world.step(), std::bad_alloc);
}

TEST_CASE("an articulation on the ground is held by friction in every direction, and slides by what friction leaves") {
  for (const Vec3 along : {Vec3{1, 0, 0}, Vec3{0, 0, 1}, Vec3{-1, 0, 0}, Vec3{0, 0, -1}})
    for (const double pull : {0.3, 0.8}) {
      CAPTURE(along.x);
      CAPTURE(along.z);
      CAPTURE(pull);
      World world(WorldSettings{.gravity = Vec3{0, -10, 0} + 10 * pull * along});
      TriangleMesh ground;
      ground.points = {{-50, 0, -50}, {50, 0, -50}, {50, 0, 50}, {-50, 0, 50}};
      ground.indices = {0, 2, 1, 0, 3, 2};
      world.add_terrain(ground, {.friction = 1});
      ArticulationSettings s;
      s.name = "sled";
      s.fixed_base = false;
      s.pose.p = {0, 0.1, 0};
      s.base.name = "sled.base";
      s.base.parts = {{Box{{1, 0.2, 1}}, {}}};
      s.base.mass = 4;
      s.base.friction = 0.5;
      ArticulatedLink load;
      load.body.name = "sled.load";
      load.body.parts = {{Box{{0.2, 0.2, 0.2}}, {}}};
      load.body.mass = 1;
      load.joint = JointKind::fixed;
      load.frame.p = {0, 0.2, 0};
      s.links = {load};
      const ArticulationId sled = world.add_articulation(s);
      for (int i = 0; i < 240; ++i) world.step();
      const double way = geo::dot(world.pose(world.articulation_base(sled)).p, along);
      if (pull < 0.5)
        CHECK(std::abs(way) < 0.01);
      else
        CHECK(way == doctest::Approx(0.5 * 3).epsilon(0.05));  // (0.8 - 0.5) g for a second
    }
}

TEST_CASE("a joint transmits the centripetal force and its motor's torque to what whirls, at every rate") {
  for (const double hz : {60.0, 240.0, 1000.0}) {
    CAPTURE(hz);
    World world(WorldSettings{.dt = 1 / hz, .gravity = {}});
    ArticulationSettings a = chain(1);
    a.links[0].motor = true;
    const ArticulationId id = world.add_articulation(a);
    world.watch_joint(id, 0);
    JointMotor motor;
    motor.max_force = 10;
    motor.force = 2;
    world.set_joint_motor(id, 0, motor);
    for (int i = 0; i < hz; ++i) world.step();
    const BodyId rod = world.articulation_link(id, 0);
    // The momentum changes between two rates.
    const double rise = 2 / (world.mass(rod).inertia.zz + 0.25), w = world.angular_velocity(rod).z - rise / hz / 2;
    const Wrench wrench = world.joint_wrench(id, 0);
    const Quat back = inverse(world.pose(rod).q);
    const Vec3 force = back * wrench.force, torque = back * wrench.torque;
    CHECK(residual("whirling joint, centripetal, share", force.y / (0.5 * w * w) - 1) <
          0.6 / hz);  // half a step that the joint is ahead
    CHECK(residual("whirling joint, along the way, share", force.x / (0.5 * rise) - 1) < 2e-3);
    CHECK(residual("whirling joint, torque", torque.z - 2) < 1e-6);
  }
}
