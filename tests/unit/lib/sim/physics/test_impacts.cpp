// Restitution, free spin and fast bodies against closed forms, at four step rates.

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "lib/sim/physics/world.hpp"
#include "tests/unit/lib/sim/physics/car.hpp"

using namespace simbatch;
using namespace simbatch::physics;

namespace {

constexpr double kRates[] = {60, 120, 240, 1000};
enum class Ground { grid, mesh, box };

WorldSettings at_rate(double hz) {
  WorldSettings settings;
  settings.dt = 1 / hz;
  return settings;
}

void add_ground(World& world, Ground kind) {
  const TerrainSettings settings{"ground", 1, 1, 0};
  if (kind == Ground::grid) {
    world.add_terrain(test::flat_ground(5), settings);
  } else if (kind == Ground::mesh) {
    world.add_terrain(TriangleMesh{{{-9, 0, -9}, {-9, 0, 9}, {9, 0, -9}, {9, 0, 9}}, {0, 1, 2, 2, 1, 3}}, settings);
  } else {
    BodySettings box;
    box.name = "ground";
    box.kind = BodyKind::fixed;
    box.parts = {{Box{{18, 1, 18}}, {}}};
    box.pose.p.y = -0.5;
    box.friction = box.restitution = 1;
    world.add_body(box);
  }
}

BodySettings ball(double radius, Vec3 position, double restitution) {
  BodySettings b;
  b.name = "ball";
  b.parts = {{Sphere{radius}, {}}};
  b.pose.p = position;
  b.restitution = restitution;
  return b;
}

// Height of the lowest point at the top of the first bounce.
double first_rise(Ground ground, double hz, double restitution, double height, Shape shape, double half_height) {
  World world(at_rate(hz));
  add_ground(world, ground);
  BodySettings body = ball(0.1, {0.37, height + half_height, 0.21}, restitution);
  body.parts = {{shape, {}}};
  const BodyId id = world.add_body(body);
  const double fall = std::sqrt(2 * height / 9.81);
  double top = 0;
  const auto steps = static_cast<int>((fall + 2 * restitution * fall) * hz);
  for (int i = 0; i < steps; ++i) {
    world.step();
    if (world.time() > fall + 2.0 / hz) top = std::max(top, world.pose(id).p.y - half_height);
  }
  return top;
}

}  // namespace

TEST_CASE("impacts: what is dropped from 2 m rises to e^2 of it, on every ground, at every rate") {
  for (const double hz : kRates)
    for (const Ground ground : {Ground::grid, Ground::mesh, Ground::box})
      for (const double e : {0.0, 0.5, 0.9, 1.0})
        for (int phase = 0; phase < 4; ++phase) {
          const double height = 2 + 0.013 * phase;
          CAPTURE(hz);
          CAPTURE(static_cast<int>(ground));
          CAPTURE(e);
          CAPTURE(phase);
          const double rise = first_rise(ground, hz, e, height, Sphere{0.1}, 0.1);
          if (e > 0)
            CHECK(rise == doctest::Approx(e * e * height).epsilon(0.02));
          else
            CHECK(rise < 0.01);
        }
}

TEST_CASE("impacts: what lands flat, on corners or on rims, rises to e^2 of its height, hulls included") {
  ConvexHull cube, prism;
  for (int i = 0; i < 8; ++i) cube.points.push_back({i & 1 ? 0.3 : -0.3, i & 2 ? 0.3 : -0.3, i & 4 ? 0.3 : -0.3});
  for (int i = 0; i < 14; ++i)
    prism.points.push_back({0.3 * std::cos(0.897597901025655 * i), i < 7 ? -0.3 : 0.3, 0.3 * std::sin(0.897597901025655 * i)});
  const std::pair<const char*, Shape> shapes[] = {{"box", Box{{0.6, 0.6, 0.6}}},
                                                  {"cylinder", Cylinder{0.3, 0.6}},
                                                  {"cube as a hull", cube},
                                                  {"prism of seven sides", prism}};
  for (const auto& [name, shape] : shapes)
    for (const Ground ground : {Ground::grid, Ground::mesh, Ground::box})
      for (const double hz : kRates)
        for (const double e : {0.5, 1.0}) {
          const bool on_box = ground == Ground::box && std::holds_alternative<Cylinder>(shape);
          if (on_box) continue;  // it has one contact a step
          const std::string what = name;
          CAPTURE(what);
          CAPTURE(static_cast<int>(ground));
          CAPTURE(hz);
          CAPTURE(e);
          CHECK(first_rise(ground, hz, e, 2.013, shape, 0.3) == doctest::Approx(e * e * 2.013).epsilon(0.02));
        }
}

TEST_CASE("impacts: a box dropped flat from 50 m without restitution stays down") {
  for (const double hz : kRates)
    for (const Ground ground : {Ground::grid, Ground::mesh, Ground::box}) {
      CAPTURE(hz);
      CAPTURE(static_cast<int>(ground));
      CHECK(first_rise(ground, hz, 0, 50, Box{{1, 1, 1}}, 0.5) < 0.02);
    }
}

TEST_CASE("impacts: two balls that meet exchange momentum as their masses and restitution say") {
  for (const double hz : kRates)
    for (const double e : {0.5, 1.0}) {
      CAPTURE(hz);
      CAPTURE(e);
      WorldSettings settings = at_rate(hz);
      settings.gravity = {};
      World world(settings);
      BodySettings a = ball(0.1, {-1, 0, 0}, e), b = ball(0.1, {1.01, 0, 0}, 1);
      a.name = "a";
      b.mass = 3;
      a.linear_velocity = {10, 0, 0};
      a.friction = b.friction = 0;
      const BodyId one = world.add_body(a), two = world.add_body(b);
      while (world.time() < 0.5) world.step();
      const double common = 10.0 / 4;
      CHECK(world.linear_velocity(one).x == doctest::Approx(common - 3 * e * common).epsilon(1e-4));
      CHECK(world.linear_velocity(two).x == doctest::Approx(common + e * common).epsilon(1e-4));
    }
}

TEST_CASE("impacts: a ball that strikes obliquely gets the spin and the speed of Coulomb's impulse") {
  // J_n = (1 + e) m v_n; sliding throughout: J_t = mu J_n; else J_t = 2/7 m v_t, when it leaves rolling.
  for (const double hz : kRates)
    for (const double e : {0.0, 0.5, 1.0})
      for (const double mu : {0.1, 1.0}) {
        CAPTURE(hz);
        CAPTURE(e);
        CAPTURE(mu);
        WorldSettings settings = at_rate(hz);
        settings.gravity = {};
        World world(settings);
        add_ground(world, Ground::box);
        BodySettings b = ball(0.1, {-1, 0.83, 0}, e);
        b.friction = mu;
        b.linear_velocity = {5, -4, 0};
        const BodyId id = world.add_body(b);
        while (world.time() < 0.19) world.step();
        const double tangential = std::min(mu * (1 + e) * 4, 2.0 / 7 * 5);
        CHECK(world.linear_velocity(id).y == doctest::Approx(4 * e).epsilon(1e-3));
        CHECK(world.linear_velocity(id).x == doctest::Approx(5 - tangential).epsilon(1e-3));
        CHECK(world.angular_velocity(id).z == doctest::Approx(-tangential / (0.4 * 0.1)).epsilon(1e-3));
      }
}

TEST_CASE("impacts: a moving platform gives its velocity to what bounces on it") {
  for (const double hz : kRates) {
    CAPTURE(hz);
    WorldSettings settings = at_rate(hz);
    settings.gravity = {};
    World world(settings);
    BodySettings platform;
    platform.name = "platform";
    platform.kind = BodyKind::kinematic;
    platform.parts = {{Box{{2, 0.2, 2}}, {}}};
    platform.restitution = 1;
    const BodyId lift = world.add_body(platform);
    BodySettings b = ball(0.1, {0, 1.5, 0}, 0.8);
    b.linear_velocity = {0, -3, 0};
    const BodyId id = world.add_body(b);
    while (world.time() < 0.4) {
      world.set_pose(lift, {{0, 2 * (world.time() + settings.dt), 0}, {}});
      world.step();
    }
    CHECK(world.linear_velocity(id).y == doctest::Approx(2 + 0.8 * 5).epsilon(1e-3));
  }
}

TEST_CASE("free spin: a body keeps its angular momentum and, nearly, its energy") {
  for (const double hz : kRates) {
    CAPTURE(hz);
    WorldSettings settings = at_rate(hz);
    settings.gravity = {};
    World world(settings);
    BodySettings plate;
    plate.name = "plate";
    plate.parts = {{Box{{0.2, 1, 3}}, {}}};
    plate.angular_velocity = {0.01, 8, 0.01};  // about the middle axis, which is unstable: it turns over
    const BodyId id = world.add_body(plate);
    const auto momentum = [&] {
      const Pose x = world.pose(id);
      const Inertia& i = world.mass(id).inertia;
      const Vec3 w = inverse(x.q) * world.angular_velocity(id);
      return x.q * Vec3{i.xx * w.x, i.yy * w.y, i.zz * w.z};
    };
    const Vec3 at_start = momentum();
    double turned = 1;
    while (world.time() < 60) {
      world.step();
      turned = std::min(turned, geo::dot(world.pose(id).q * Vec3{0, 1, 0}, {0, 1, 0}));
    }
    CHECK(geo::length(momentum() - at_start) < 1e-9 * geo::length(at_start));
    CHECK(turned < -0.9);
    const double energy = geo::dot(momentum(), world.angular_velocity(id)), start = geo::dot(at_start, plate.angular_velocity);
    CHECK(energy == doctest::Approx(start).epsilon(0.01));
  }
}

TEST_CASE("free spin: a body turns as far as its angular velocity says, however fast") {
  for (const double hz : kRates)
    for (const bool round : {false, true}) {
      CAPTURE(hz);
      CAPTURE(round);
      WorldSettings settings = at_rate(hz);
      settings.gravity = {};
      World world(settings);
      BodySettings rotor = ball(0.1, {}, 0);
      if (!round) rotor.parts = {{Cylinder{0.1, 0.04}, {}}};
      rotor.angular_velocity = {0, 311, 0};  // 5 rad a step at 60 Hz
      const BodyId id = world.add_body(rotor);
      while (world.time() < 9.999999) world.step();
      CHECK(world.angular_velocity(id).y == doctest::Approx(311).epsilon(1e-12));
      const Vec3 x = world.pose(id).q * Vec3{1, 0, 0};
      CHECK(x.x == doctest::Approx(std::cos(3110.0)).epsilon(1e-6));
      CHECK(x.z == doctest::Approx(-std::sin(3110.0)).epsilon(1e-6));
    }
}

TEST_CASE("free spin: a rotor whose bearing is off its principal axes keeps its speed and its axis") {
  for (const double hz : kRates) {
    CAPTURE(hz);
    WorldSettings settings = at_rate(hz);
    settings.gravity = {};
    World world(settings);
    BodySettings rotor;
    rotor.name = "rotor";
    rotor.parts = {{Box{{1, 0.2, 0.1}}, {{0, 0, 0}, geo::rotation({0, 0, 1}, 0.5)}}};
    rotor.angular_velocity = {0, 10, 0};
    const BodyId id = world.add_body(rotor);
    LinkSettings bearing;
    bearing.kind = LinkKind::revolute;
    bearing.b = id;
    bearing.axis = {0, 1, 0};
    world.add_link(bearing);
    double lean = 0;
    while (world.time() < 10) {
      world.step();
      lean = std::max(lean, 1 - (world.pose(id).q * Vec3{0, 1, 0}).y);
    }
    CHECK(test::residual("rotor, speed", world.angular_velocity(id).y / 10 - 1) < 0.02);
    CHECK(test::residual("rotor, lean", std::sqrt(2 * lean)) < 0.1);
  }
}

TEST_CASE("fast bodies: a ball at 80 m/s does not pass a wall of 5 cm") {
  for (const double hz : kRates)
    for (const double radius : {0.1, 0.02})
      for (const double e : {0.0, 0.5, 1.0})
        for (int phase = 0; phase < 8; ++phase) {
          CAPTURE(hz);
          CAPTURE(radius);
          CAPTURE(e);
          CAPTURE(phase);
          WorldSettings settings = at_rate(hz);
          settings.gravity = {};
          World world(settings);
          BodySettings wall;
          wall.name = "wall";
          wall.kind = BodyKind::fixed;
          wall.parts = {{Box{{0.05, 4, 4}}, {}}};
          wall.restitution = 1;
          world.add_body(wall);
          BodySettings shot = ball(radius, {-5 - 0.17 * phase, 0, 0}, e);
          shot.linear_velocity = {80, 0, 0};
          const BodyId id = world.add_body(shot);
          while (world.time() < 0.3) world.step();
          CHECK(world.pose(id).p.x < 0);
          CHECK(std::abs(world.linear_velocity(id).x + 80 * e) < 0.05);  // 0.04 at 1 kHz: the swept sphere is 0.1 % smaller
        }
}

TEST_CASE("fast bodies: a compound, a box and a ball do not fall through any ground") {
  for (const double hz : kRates)
    for (const Ground ground : {Ground::grid, Ground::mesh, Ground::box}) {
      CAPTURE(hz);
      CAPTURE(static_cast<int>(ground));
      World world(at_rate(hz));
      add_ground(world, ground);
      std::vector<BodyId> ids;
      for (int i = 0; i < 3; ++i) {
        BodySettings b = ball(0.05, {-4.0 + 2 * i, 60, 0.3}, 0);
        b.name += std::to_string(i);
        if (i == 1) b.parts = {{Box{{0.3, 0.1, 0.3}}, {}}, {Box{{0.1, 0.1, 0.1}}, {{0, 0.1, 0}, {}}}};
        if (i == 2) b.parts = {{Box{{0.4, 0.05, 0.4}}, {}}};
        b.linear_velocity = {0, -50, 0};
        ids.push_back(world.add_body(b));
      }
      while (world.time() < 3) world.step();
      for (const BodyId id : ids) CHECK(world.pose(id).p.y > 0);
    }
}

TEST_CASE("fast bodies: small and thin things rest on any ground, and hills stop what falls on them") {
  for (const double hz : kRates)
    for (const Ground ground : {Ground::grid, Ground::mesh, Ground::box}) {
      CAPTURE(hz);
      CAPTURE(static_cast<int>(ground));
      World world(at_rate(hz));
      add_ground(world, ground);
      std::vector<BodyId> ids;
      for (int i = 0; i < 3; ++i) {
        BodySettings b = ball(0.002, {-2.0 + i, 0.002, 0.3}, 0.5);
        b.name += std::to_string(i);
        b.mass = 0.001;
        if (i == 1) b.parts = {{Box{{0.1, 0.004, 0.1}}, {}}};
        if (i == 2) b.pose.p.y = 3;
        ids.push_back(world.add_body(b));
      }
      while (world.time() < 3) world.step();
      for (const BodyId id : ids) {
        CHECK(world.pose(id).p.y > -0.001);
        CHECK(world.pose(id).p.y < 0.06);  // a plate of 4 mm rocks on a terrain at 60 Hz
      }
    }
  for (const double hz : kRates) {
    CAPTURE(hz);
    HeightGrid hills = test::flat_ground(21);
    for (int z = 0; z < 21; ++z)
      for (int x = 0; x < 21; ++x)
        hills.heights[static_cast<std::size_t>(z * 21 + x)] = 3 * std::sin(1.3 * x) * std::cos(0.9 * z);
    World world(at_rate(hz));
    world.add_terrain(hills);
    std::vector<BodyId> ids;
    for (int i = 0; i < 25; ++i) {
      BodySettings b = ball(0.05, {-8.0 + 4.1 * (i % 5), 40, -8.0 + 3.7 * (i / 5)}, 0);
      b.name += std::to_string(i);
      if (i % 2) b.parts = {{Box{{0.3, 0.1, 0.3}}, {}}, {Box{{0.1, 0.1, 0.1}}, {{0, 0.1, 0}, {}}}};
      b.linear_velocity = {3, -70, 2};
      ids.push_back(world.add_body(b));
    }
    while (world.time() < 4) world.step();
    for (const BodyId id : ids) {
      const Vec3 p = world.pose(id).p;
      if (const auto ground = world.terrain_height(p.x, p.z)) CHECK(p.y > *ground);
    }
  }
}

TEST_CASE("fast bodies: thin plates and balls slide and roll over flat ground without being held") {
  for (const double hz : kRates)
    for (const Ground ground : {Ground::grid, Ground::mesh, Ground::box}) {
      CAPTURE(hz);
      CAPTURE(static_cast<int>(ground));
      World world(at_rate(hz));
      add_ground(world, ground);
      std::vector<BodyId> ids;
      for (int i = 0; i < 3; ++i) {
        BodySettings b = ball(0.01, {-7, 0.01, -3.3 + 3 * i}, 0);
        b.name += std::to_string(i);
        if (i == 1) b.parts = {{Box{{0.3, 0.02, 0.3}}, {}}};
        if (i == 2) b.parts = {{Box{{0.3, 0.02, 0.3}}, {}}, {Box{{0.02, 0.02, 0.02}}, {{0, 0.02, 0}, {}}}};
        b.friction = 0;
        b.linear_velocity = {6, 0, 0};
        ids.push_back(world.add_body(b));
      }
      while (world.time() < 2) world.step();
      for (const BodyId id : ids) {
        CHECK(world.linear_velocity(id).x == doctest::Approx(6).epsilon(1e-3));
        CHECK(world.pose(id).p.x == doctest::Approx(5).epsilon(2e-3));
      }
    }
}

TEST_CASE("a plane has no end: things rest, roll, drive and are seen on it a million kilometers away") {
  for (const double x : {0.0, 2e4, 1e6, 1e9}) {
    CAPTURE(x);
    World world(at_rate(240));
    const BodyId ground = world.add_plane(3, {"ground", 1, 0, 0});
    CHECK(world.is_terrain(ground));
    CHECK(world.terrain_plane(ground) == 3);
    CHECK(world.terrain_grid(ground) == nullptr);
    CHECK(world.terrain_height(x, -x) == 3);
    BodySettings box = ball(0, {x, 4, -x}, 0);
    box.parts = {{Box{{1, 1, 1}}, {}}};
    const BodyId id = world.add_body(box);
    const test::Car car = test::add_car(world, "car", {{x + 20, 4, -x}, {}});
    const double start = world.pose(car.body).p.z;
    for (int i = 0; i < 480; ++i) {
      world.set_controls(car.vehicle, {i < 120 ? 0.0 : 1500, 0, 0});
      world.step();
    }
    CHECK(world.pose(id).p.y == doctest::Approx(3.5).epsilon(1e-3));
    CHECK(world.linear_velocity(car.body).z > 1);
    CHECK(world.pose(car.body).p.z > start + 1);
    const auto hit = world.ray_cast({x - 5, 13, -x}, {x - 5, -7, -x});
    REQUIRE(hit);
    CHECK(hit->body == ground);
    CHECK(hit->point.y == doctest::Approx(3));
    CHECK(hit->normal == Vec3{0, 1, 0});
    CHECK_FALSE(world.ray_cast({x - 5, 13, -x}, {x + 1000, 13, -x}));
    const auto from_below = world.ray_cast({x - 5, 0, -x}, {x - 5, 6, -x});
    REQUIRE(from_below);
    CHECK(from_below->normal == Vec3{0, -1, 0});
  }
}
