// Bodies inside each other: found with their depth, and looked for without a trace.

#include <doctest/doctest.h>

#include "lib/sim/physics/world.hpp"
#include "tests/unit/lib/sim/physics/car.hpp"

using namespace simbatch;
using namespace simbatch::physics;
using test::body;

namespace {

std::uint64_t pile(bool look) {
  World world;
  world.add_terrain(test::flat_ground(9));
  for (int i = 0; i < 12; ++i)
    world.add_body(body("b" + std::to_string(i), i % 2 ? Shape(Box{{1, 1, 1}}) : Shape(Capsule{0.4, 0.5}),
                        {0.3 * (i % 3), 0.4 + 0.7 * i, 0.2 * (i % 2)}));
  world.add_body(body("wall", Box{{1, 9, 1}}, {1, 4, 0}, BodyKind::fixed));
  if (look) CHECK(world.overlaps(0.001).size() > 10);
  for (int i = 0; i < 200; ++i) {
    world.step();
    if (look && i % 50 == 0) (void)world.overlaps(0.001);
  }
  return world.state_hash();
}

}  // namespace

TEST_CASE("overlaps: every pair that can move once, deeper than asked for, with its depth") {
  World world;
  world.add_terrain(test::flat_ground(9));
  const BodyId a = world.add_body(body("a", Box{{1, 1, 1}}, {0, 0.2, 0}));  // 0.3 m in the ground, which does not count
  const BodyId b = world.add_body(body("b", Sphere{0.5}, {0.75, 0.2, 0}));
  const BodyId wall = world.add_body(body("wall", Box{{1, 3, 3}}, {-0.95, 1.5, 0}, BodyKind::fixed));
  world.add_body(body("house", Box{{1, 3, 3}}, {-1.5, 1.5, 0}, BodyKind::fixed));  // in the wall: neither moves
  const BodyId linked = world.add_body(body("linked", Box{{1, 1, 1}}, {0, 0.7, 0.99}));
  LinkSettings joint;
  joint.name = "joint";
  joint.a = a;
  joint.b = linked;
  world.add_link(joint);
  const std::vector<Overlap> found = world.overlaps(0.01);
  REQUIRE(found.size() == 3);
  CHECK((found[0].a == a && found[0].b == b));
  CHECK(found[0].depth == doctest::Approx(0.25).epsilon(1e-6));
  CHECK((found[1].a == a && found[1].b == wall));
  CHECK(found[1].depth == doctest::Approx(0.05).epsilon(1e-6));
  CHECK((found[2].a == wall && found[2].b == linked));
  CHECK(world.overlaps(0.1).size() == 1);
}

TEST_CASE("overlaps: looking changes no later step") { CHECK(pile(true) == pile(false)); }
