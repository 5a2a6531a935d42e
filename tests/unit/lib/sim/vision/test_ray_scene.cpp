// Fans of rays against closed forms and against the physics' own rays.

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

#include "base/core/float_mode.hpp"
#include "base/core/random.hpp"
#include "lib/sim/scene/tessellate.hpp"
#include "lib/sim/vision/embree_device.hpp"
#include "lib/sim/vision/ray_scene.hpp"

using namespace simbatch;
using namespace simbatch::scene;
using namespace simbatch::sim::vision;
using geo::Vec3;

namespace {

physics::BodySettings body(std::string name, physics::Shape shape, geo::Pose pose,
                           physics::BodyKind kind = physics::BodyKind::fixed) {
  physics::BodySettings b;
  b.name = std::move(name);
  b.kind = kind;
  b.parts = {{std::move(shape), {}}};
  b.pose = pose;
  return b;
}

std::vector<Vec3> sphere_directions(int n, std::uint64_t seed) {
  RandomStream random(seed, "directions");
  std::vector<Vec3> directions;
  while (static_cast<int>(directions.size()) < n) {
    const Vec3 d{2 * random.uniform() - 1, 2 * random.uniform() - 1, 2 * random.uniform() - 1};
    if (const double l = geo::length(d); l > 0.1 && l <= 1) directions.push_back((1 / l) * d);
  }
  return directions;
}

std::vector<double> cast(RayScene& scene, Vec3 from, const std::vector<Vec3>& directions, double far,
                         int group = physics::kNoGroup, double near = 0) {
  std::vector<double> out(directions.size());
  scene.cast({from, directions, near, far, group}, out);
  return out;
}

}  // namespace

TEST_CASE("rays: distances in a room, to a ball and to a plane are those of the closed forms") {
  physics::World world;
  const Vec3 half{3, 2, 5};
  // A room of six walls around a point that is not its middle, far from the world's origin.
  const Vec3 c{812.3, 41.7, -1533.9};
  const auto wall = [&](const char* name, Vec3 at, Vec3 size) { world.add_body(body(name, physics::Box{size}, {c + at, {}})); };
  wall("east", {half.x + 0.5, 0, 0}, {1, 20, 20});
  wall("west", {-half.x - 0.5, 0, 0}, {1, 20, 20});
  wall("up", {0, half.y + 0.5, 0}, {20, 1, 20});
  wall("down", {0, -half.y - 0.5, 0}, {20, 1, 20});
  wall("north", {0, 0, half.z + 0.5}, {20, 20, 1});
  wall("south", {0, 0, -half.z - 0.5}, {20, 20, 1});
  RayScene scene(world, std::make_shared<EmbreeDevice>());
  scene.update();
  const Vec3 at{0.4, -0.3, 1.1};
  const auto directions = sphere_directions(5000, 1);
  const auto distances = cast(scene, c + at, directions, 100);
  double worst = 0;
  for (std::size_t i = 0; i < directions.size(); ++i) {
    const Vec3 d = directions[i];
    const double x = ((d.x > 0 ? half.x : -half.x) - at.x) / d.x, y = ((d.y > 0 ? half.y : -half.y) - at.y) / d.y,
                 z = ((d.z > 0 ? half.z : -half.z) - at.z) / d.z;
    worst = std::max(worst, std::abs(distances[i] - std::min({x, y, z})));
  }
  CHECK(worst < 1e-3);  // where two walls meet, either may be hit: a float's eighth of a millimeter at 1.5 km
  CHECK(std::count_if(directions.begin(), directions.end(), [&](const Vec3&) { return true; }) == 5000);

  physics::World endless;
  endless.add_plane(-2);
  RayScene far_away(endless, std::make_shared<EmbreeDevice>());
  far_away.update();
  for (const double x : {0.0, 1e5, 1e6}) {
    const auto down = cast(far_away, {x, 1, 0.3 * x}, directions, 200);
    for (std::size_t i = 0; i < directions.size(); ++i) {
      const double expected = directions[i].y < 0 ? std::min(200.0, -3 / directions[i].y) : 200;
      if (std::abs(expected - 200) > 1 || expected == 200) CHECK(std::abs(down[i] - expected) < 1e-6);
    }
  }

  physics::World ball;
  ball.add_body(body("ball", physics::Sphere{2}, {{0, 0, 10}, {}}));
  ball.add_terrain(physics::HeightGrid{2, 2, 1000, -500, -500, {-1, -1, -1, -1}});
  RayScene other(ball, std::make_shared<EmbreeDevice>());
  other.update();
  const auto seen = cast(other, {}, directions, 200);
  double ball_worst = 0;
  int on_ball = 0, on_ground = 0, nothing = 0;
  for (std::size_t i = 0; i < directions.size(); ++i) {
    const Vec3 d = directions[i];
    const double b = 10 * d.z, disc = b * b - (100 - 4);
    double expected = 200;
    if (d.y < 0) expected = std::min(expected, -1 / d.y);
    if (b > 0 && disc >= 0) expected = std::min(expected, b - std::sqrt(disc));
    (expected == 200 ? nothing : b > 0 && disc >= 0 ? on_ball : on_ground) += 1;
    ball_worst = std::max(ball_worst, std::abs(seen[i] - expected));
  }
  CHECK(ball_worst < 1e-9);
  CHECK(on_ball > 30);
  CHECK(on_ground > 2000);
  CHECK(nothing > 2000);
}

TEST_CASE("rays: fans see what the physics' own rays see, whatever moves, in whatever order") {
  physics::World world;
  RandomStream random(7, "scene");
  const auto place = [&](double range) {
    return geo::Pose{{range * (2 * random.uniform() - 1), 6 * random.uniform(), range * (2 * random.uniform() - 1)},
                     geo::rotation({random.uniform() - 0.5, random.uniform(), random.uniform() - 0.5}, 6 * random.uniform())};
  };
  physics::HeightGrid ground{33, 33, 4, -64, -64, {}};
  for (int i = 0; i < 33 * 33; ++i) ground.heights.push_back(2 * random.uniform());
  world.add_terrain(ground);
  const std::vector<Vec3> hull = {{0, 1, 0}, {1, -1, 0}, {-1, -1, 1}, {-1, -1, -1}};
  const physics::TriangleMesh mesh = triangles_of(physics::Shape(physics::Cone{1, 2}), 7);
  for (int i = 0; i < 60; ++i) {
    const physics::BodyKind kind = i % 3 == 0   ? physics::BodyKind::fixed
                                   : i % 3 == 1 ? physics::BodyKind::kinematic
                                                : physics::BodyKind::dynamic;
    const std::vector<physics::Shape> shapes = {physics::Box{{1, 2, 3}},
                                                physics::Sphere{1},
                                                physics::Capsule{0.5, 2},
                                                physics::Cylinder{1, 2},
                                                physics::Cone{1, 2},
                                                physics::ConvexHull{hull},
                                                mesh};
    const std::size_t which = static_cast<std::size_t>(i / 3) % (kind == physics::BodyKind::dynamic ? 6 : 7);
    physics::BodySettings b = body("b" + std::to_string(i), shapes[which], place(50), kind);
    b.group = i % 5;
    world.add_body(b);
  }
  RayScene scene(world, std::make_shared<EmbreeDevice>());
  for (int step = 0; step < 3; ++step) {
    scene.update();
    for (int group = physics::kNoGroup; group < 3; ++group) {
      const Vec3 from{10.0 * group, 3, 5};
      const auto directions = sphere_directions(1501, static_cast<std::uint64_t>(step));
      std::vector<double> seen(directions.size());
      const std::size_t hits = scene.cast({from, directions, 0, 80, group}, seen);
      double worst = 0;
      std::size_t expected_hits = 0, differ = 0;
      for (std::size_t i = 0; i < directions.size(); ++i) {
        const auto hit = world.ray_cast(from, from + 80 * directions[i], {group, physics::kNoBody});
        const double expected = hit ? 80 * hit->fraction : 80;
        if (hit) ++expected_hits;
        if (std::abs(seen[i] - expected) > 1e-7)
          ++differ;
        else
          worst = std::max(worst, std::abs(seen[i] - expected));
      }
      CAPTURE(step);
      CAPTURE(group);
      CHECK(worst < 1e-7);
      CHECK(differ <= 3);  // rays that graze an edge within a float's last bit
      CHECK(std::max(hits, expected_hits) - std::min(hits, expected_hits) <= 3);
    }
    for (int i = 0; i < 20; ++i) world.step();
  }
}

TEST_CASE("rays: what is nearer than `near` is passed through, and a solid around the start is not met") {
  physics::World world;
  world.add_body(body("near", physics::Box{{1, 1, 1}}, {{0, 0, 2}, {}}));
  world.add_body(body("far", physics::Box{{1, 1, 1}}, {{0, 0, 10}, {}}));
  world.add_body(body("ball", physics::Sphere{1}, {{0, 0, -5}, {}}));
  RayScene scene(world, std::make_shared<EmbreeDevice>());
  scene.update();
  CHECK(cast(scene, {}, {{0, 0, 1}}, 100)[0] == doctest::Approx(1.5));
  CHECK(cast(scene, {}, {{0, 0, 1}}, 100, physics::kNoGroup, 3)[0] == doctest::Approx(9.5));
  CHECK(cast(scene, {}, {{0, 0, 1}}, 100, physics::kNoGroup, 2)[0] == doctest::Approx(9.5));  // starts inside the first
  CHECK(cast(scene, {0, 0, 2}, {{0, 0, 1}}, 100)[0] == doctest::Approx(7.5));
  CHECK(cast(scene, {0, 0, -5}, {{0, 0, 1}}, 100)[0] == doctest::Approx(6.5));
  CHECK(cast(scene, {}, {{0, 0, -1}}, 3.9)[0] == 3.9);
  CHECK(cast(scene, {}, {{0, 0, 1}}, 8, physics::kNoGroup, 3)[0] == 8);
  CHECK(cast(scene, {}, {}, 8).empty());
}

TEST_CASE("rays: an empty world, bodies that come later, and wheels") {
  physics::World world;
  RayScene scene(world, std::make_shared<EmbreeDevice>());
  scene.update();
  CHECK(cast(scene, {}, {{0, 0, 1}}, 50)[0] == 50);
  physics::BodySettings car = body("car", physics::Box{{1, 0.5, 2}}, {{0, 0, 5}, {}}, physics::BodyKind::dynamic);
  car.group = 4;
  const physics::BodyId chassis = world.add_body(car);
  physics::VehicleSettings vehicle;
  vehicle.name = "drive";
  physics::WheelSettings wheel;
  wheel.position = {2, 0, 0};
  wheel.radius = 0.5;
  wheel.width = 0.2;
  wheel.rest_length = 0;
  vehicle.wheels.push_back(wheel);
  world.add_vehicle(chassis, vehicle);
  scene.update();
  CHECK(cast(scene, {}, {{0, 0, 1}}, 50)[0] == doctest::Approx(4));
  CHECK(cast(scene, {}, {{0, 0, 1}}, 50, 4)[0] == 50);
  CHECK(cast(scene, {2.05, 0, 0}, {{0, 0, 1}}, 50)[0] == doctest::Approx(4.5));
  CHECK(cast(scene, {2.15, 0, 0}, {{0, 0, 1}}, 50)[0] == 50);
  CHECK(cast(scene, {2.05, 0, 0}, {{0, 0, 1}}, 50, 4)[0] == 50);
}

TEST_CASE("rays: building and casting leave the processor's floating-point mode alone") {
  const FloatMode before = float_mode();
  physics::World world;
  world.add_terrain(physics::HeightGrid{2, 2, 100, -50, -50, {0, 0, 0, 0}});
  world.add_body(body("ball", physics::Sphere{1}, {{0, 3, 0}, {}}, physics::BodyKind::dynamic));
  RayScene scene(world, std::make_shared<EmbreeDevice>());
  scene.update();
  CHECK(cast(scene, {0, 9, 0}, {{0, -1, 0}}, 50)[0] == doctest::Approx(5));
  CHECK(float_mode() == before);
}

TEST_CASE("rays: what is out of all bounds, or no number, is not met and harms nothing") {
  physics::World world;
  world.add_body(body("near", physics::Box{{1, 1, 1}}, {{0, 0, 5}, {}}));
  world.add_body(body("far", physics::Box{{1, 1, 1}}, {{1e30, 0, 5}, {}}));
  world.add_body(body("huge", physics::Box{{1e30, 1e30, 1e30}}, {{0, 0, 5}, {}}));
  world.add_body(body("mover", physics::Sphere{1}, {{0, -1e200, 5}, {}}, physics::BodyKind::kinematic));
  for (int i = 0; i < 20; ++i)
    world.add_body(body("k" + std::to_string(i), physics::Sphere{0.5}, {{0, 10.0 + i, 0}, {}}, physics::BodyKind::kinematic));
  RayScene scene(world, std::make_shared<EmbreeDevice>());
  scene.update();
  CHECK(cast(scene, {}, {{0, 0, 1}}, 50)[0] == doctest::Approx(4.5));
  CHECK(cast(scene, {}, {{0, 1, 0}}, 50)[0] == doctest::Approx(9.5));  // many movers: through the tree
  const double nan = std::nan("");
  CHECK(cast(scene, {nan, 0, 0}, {{0, 0, 1}}, 50)[0] == 50);
  CHECK(cast(scene, {0, 1e300, 0}, {{0, 0, 1}}, 50)[0] == 50);
  CHECK(cast(scene, {}, {{nan, nan, nan}}, 50)[0] == 50);
}

TEST_CASE("triangles of shapes: closed, outwards, of the right volume") {
  const auto volume = [](const physics::TriangleMesh& m) {
    double v = 0;
    for (std::size_t i = 0; i + 2 < m.indices.size(); i += 3)
      v += dot(m.points[m.indices[i]], cross(m.points[m.indices[i + 1]], m.points[m.indices[i + 2]])) / 6;
    return v;
  };
  using std::numbers::pi;
  CHECK(volume(triangles_of(physics::Shape(physics::Box{{1, 2, 3}}))) == doctest::Approx(6));
  CHECK(volume(triangles_of(physics::Shape(physics::Sphere{2}), 96)) == doctest::Approx(4.0 / 3 * pi * 8).epsilon(0.01));
  CHECK(volume(triangles_of(physics::Shape(physics::Capsule{1, 3}), 96)) ==
        doctest::Approx(pi * 3 + 4.0 / 3 * pi).epsilon(0.01));
  CHECK(volume(triangles_of(physics::Shape(physics::Cylinder{2, 3}), 96)) == doctest::Approx(pi * 12).epsilon(0.01));
  CHECK(volume(triangles_of(physics::Shape(physics::Cone{2, 3}), 96)) == doctest::Approx(pi * 4).epsilon(0.01));
  const physics::TriangleMesh level = triangles_of(physics::HeightGrid{5, 9, 2, 1, 3, std::vector<double>(45, 7.0)});
  CHECK(level.indices.size() == 6);
  CHECK(level.points.back() == Vec3{9, 7, 19});
}
