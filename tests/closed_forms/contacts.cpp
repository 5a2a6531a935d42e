// Sliding and rolling with Coulomb's friction.

#include <tuple>

#include "tests/closed_forms/common.hpp"
#include "tests/closed_forms/table.hpp"

namespace simbatch::closed_forms {
namespace {

struct Stop {
  double way = 0, time = 0;  // m to rest, s to 1 m/s
};

// A block that slides on level ground until it rests.
Stop slide_to_rest(double hz, Ground ground) {
  World world(at_rate(hz));
  add_ground(world, ground);
  BodySettings b = body("block", Box{{0.6, 0.3, 0.6}}, {{-5, 0.15, 0.3}, {}}, 2);
  b.friction = 0.4;
  const BodyId id = world.add_body(b);
  run(world, 0.5);
  const double from = world.pose(id).p.x, start = world.time();
  world.set_velocity(id, {8, 0, 0}, {});
  Stop stop;
  double last = 8;
  while (world.time() < start + 5) {
    world.step();
    const double v = world.center_velocity(id).x;
    if (v <= 1 && last > 1) stop.time = world.time() - start - world.settings().dt * (1 - v) / (last - v);
    last = v;
  }
  stop.way = world.pose(id).p.x - from;
  return stop;
}

double worst_way(double hz) {
  std::vector<double> ways;
  for (const Ground ground : kGrounds) ways.push_back(slide_to_rest(hz, ground).way);
  return worst(64 / (0.8 * kG), ways);
}

// Speed after t seconds on a slope of `angle` for a body that starts at rest on it.
double down_slope(double hz, Shape shape, double half, double mu, double angle, double t) {
  World world(at_rate(hz));
  const Quat tilt = geo::rotation({1, 0, 0}, angle);  // +z goes down
  BodySettings slope = body("slope", Box{{20, 1, 200}}, {{}, tilt});
  slope.kind = BodyKind::fixed;
  slope.friction = 1;
  world.add_body(slope);
  BodySettings b = body("body", std::move(shape), {tilt * Vec3{0, 0.5 + half, -50}, tilt}, 2);
  b.friction = mu;
  const BodyId id = world.add_body(b);
  run(world, t);
  return geo::dot(world.center_velocity(id), tilt * Vec3{0, 0, 1});
}

// How far the boxes of a leaning stack creep in 10 s.
double creep(double hz, Ground ground) {
  World world(at_rate(hz));
  add_ground(world, ground);
  std::vector<BodyId> boxes;
  for (int i = 0; i < 3; ++i) {
    BodySettings b = body("box" + std::to_string(i), Box{{0.6, 0.3, 0.4}},
                          {{0.1 + 0.03 * i, 0.16 + 0.31 * i, 0.3}, geo::rotation({0, 1, 0}, 0.3)}, 2);
    b.friction = 0.6;
    boxes.push_back(world.add_body(b));
  }
  run(world, 5);
  std::vector<Vec3> from;
  for (const BodyId id : boxes) from.push_back(world.pose(id).p);
  run(world, 10);
  double way = 0;
  for (std::size_t i = 0; i < boxes.size(); ++i) way = std::max(way, geo::length(world.pose(boxes[i]).p - from[i]));
  return way;
}

struct Ride {
  double way = 0, lean = 0;  // m over the slab until both move alike, rad at most
};

// A block that slides along a slab of three times its mass, which nothing holds.
Ride slide_on_slab(double hz, Vec3 size, double turn) {
  World world(at_rate(hz));
  world.set_pair_friction(3, 1, 0);  // ground and slab
  world.set_pair_friction(1, 2, 0.4);
  world.add_plane(0, {"ground", 1, 0, 3});
  BodySettings slab = body("slab", Box{{1.5, 0.2, 6}}, {{0, 0.1, 0}, {}}, 6);
  slab.material = 1;
  BodySettings block = body("block", Box{size}, {{0, 0.2 + size.y / 2, -2}, geo::rotation({0, 1, 0}, turn)}, 2);
  block.material = 2;
  const BodyId under = world.add_body(slab), id = world.add_body(block);
  run(world, 0.5);
  const double from = world.pose(id).p.z - world.pose(under).p.z;
  world.set_velocity(id, {0, 0, 4}, {});
  Ride ride;
  for (long i = 0; i < std::lround(3 * hz); ++i) {
    world.step();
    const Vec3 up = world.pose(id).q * Vec3{0, 1, 0};
    ride.lean = std::max(ride.lean, std::hypot(up.x, up.z));
  }
  ride.way = world.pose(id).p.z - world.pose(under).p.z - from;
  return ride;
}

// How far a box creeps in 10 s, at rest on a slab that rests on a slope of 15 degrees.
double creep_on_slope(double hz, double turn) {
  World world(at_rate(hz));
  const Quat tilt = geo::rotation({1, 0, 0}, kPi / 12), turned = tilt * geo::rotation({0, 1, 0}, turn);
  BodySettings slope = body("slope", Box{{20, 1, 20}}, {{}, tilt});
  slope.kind = BodyKind::fixed;
  slope.friction = 1;
  world.add_body(slope);
  BodySettings slab = body("slab", Box{{2, 0.2, 2}}, {tilt * Vec3{0, 0.6, 0}, tilt}, 20);
  slab.friction = 0.8;
  world.add_body(slab);
  BodySettings b = body("box", Box{{0.4, 0.4, 0.4}}, {tilt * Vec3{0.8, 0.9, 0.3}, turned}, 2);
  b.friction = 0.8;
  const BodyId id = world.add_body(b);
  run(world, 2);
  const Vec3 from = world.pose(id).p;
  run(world, 10);
  return geo::length(world.pose(id).p - from);
}

double rolls_after_sliding(double hz) {
  World world(at_rate(hz));
  add_ground(world, Ground::plane);
  BodySettings b = body("ball", Sphere{0.1}, {{0, 0.1, 0}, {}});
  b.friction = 0.3;
  b.linear_velocity = {7, 0, 0};
  const BodyId id = world.add_body(b);
  run(world, 2);
  return world.center_velocity(id).x;
}

}  // namespace

void add_contacts(Table& table) {
  table.push_back({"block, mu = 0.4, from 8 m/s on any ground: distance to rest", "v^2 / (2 mu g)", "m", 64 / (0.8 * kG),
                   [](double hz) { return worst_way(hz); }, 0, 0.01});
  table.push_back({"the same on a plane, time to 1 m/s", "(v - 1 m/s) / (mu g)", "s", 7 / (0.4 * kG),
                   [](double hz) { return slide_to_rest(hz, Ground::plane).time; }, 0, 1e-4, 1e-4});
  const double a = kPi / 6;
  table.push_back({"block, mu = 0.2, on 30 degrees: speed after 2 s", "g (sin a - mu cos a) t", "m/s",
                   2 * kG * (std::sin(a) - 0.2 * std::cos(a)),
                   [a](double hz) {
                     return down_slope(hz, Box{{1, 0.2, 1}}, 0.1, 0.2, a, 2);
                   },
                   0, 1e-5, 1e-5});
  table.push_back({"the same, mu = 0.8: it stays", "0", "m/s", 0,
                   [a](double hz) {
                     return down_slope(hz, Box{{1, 0.2, 1}}, 0.1, 0.8, a, 2);
                   },
                   1, 1e-6, 1e-6});
  table.push_back({"three boxes, each 3 cm beside the one under it, at rest on any ground: distance in 10 s", "0", "m", 0,
                   [](double hz) {
                     double most = 0;
                     for (const Ground ground : kGrounds) most = std::max(most, creep(hz, ground));
                     return most;
                   },
                   1, 5e-6, 5e-6});
  const double over_slab = 16 / (2 * 0.4 * kG * (4.0 / 3));
  for (const auto& [name, size, turn] :
       {std::tuple("block, mu = 0.4, from 4 m/s over a free slab of three times its mass: distance on it", Vec3{0.6, 0.3, 0.6},
                   0.0),
        std::tuple("the same, turned by 0.5 rad", Vec3{0.6, 0.3, 0.6}, 0.5),
        std::tuple("the same, a plank across that is wider than the slab", Vec3{2, 0.3, 0.6}, 0.0)}) {
    table.push_back({name, "v^2 / (2 mu g (1 + m / M))", "m", over_slab,
                     [s = size, t = turn](double hz) { return slide_on_slab(hz, s, t).way; }, 0, 0.03});
    table.push_back({"its largest lean", "0", "rad", 0,
                     [s = size, t = turn](double hz) { return slide_on_slab(hz, s, t).lean; }, 1, 1e-3, 1e-4});
  }
  table.push_back({"box on a free slab on a slope of 15 degrees, mu = 0.64: distance in 10 s", "0", "m", 0,
                   [](double hz) { return std::max(creep_on_slope(hz, 0), creep_on_slope(hz, 0.4)); }, 1, 1.5e-3});
  table.push_back({"ball rolling down 20 degrees: speed after 2 s", "5/7 g sin(a) t", "m/s", 10.0 / 7 * kG * std::sin(kPi / 9),
                   [](double hz) { return down_slope(hz, Sphere{0.2}, 0.2, 1, kPi / 9, 2); }, 0, 1e-4});
  table.push_back(
      {"cylinder rolling down 20 degrees: speed after 2 s", "2/3 g sin(a) t", "m/s", 4.0 / 3 * kG * std::sin(kPi / 9),
       [](double hz) {
         // Its axis is across the slope.
         World world(at_rate(hz));
         const Quat tilt = geo::rotation({1, 0, 0}, kPi / 9);
         BodySettings slope = body("slope", Box{{20, 1, 200}}, {{}, tilt});
         slope.kind = BodyKind::fixed;
         slope.friction = 1;
         world.add_body(slope);
         BodySettings b = body("roll", Cylinder{0.2, 1}, {tilt * Vec3{0, 0.7, -50}, tilt * geo::rotation({0, 0, 1}, kPi / 2)});
         b.friction = 1;
         const BodyId id = world.add_body(b);
         run(world, 2);
         return geo::dot(world.center_velocity(id), tilt * Vec3{0, 0, 1});
       },
       0, 1e-4, 1e-6});
  table.push_back(
      {"ball that starts sliding at 7 m/s, mu = 0.3: speed when it rolls", "5/7 v", "m/s", 5, rolls_after_sliding, 0, 1e-9});
}

}  // namespace simbatch::closed_forms
