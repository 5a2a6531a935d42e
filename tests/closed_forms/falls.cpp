// Falling, bouncing, colliding: uniform acceleration, Newton's restitution, Coulomb's friction in impacts (e.g. Goldsmith,
// Impact, 1960).

#include "tests/closed_forms/common.hpp"
#include "tests/closed_forms/table.hpp"

namespace simbatch::closed_forms {
namespace {

double fallen(double hz) {
  World world(at_rate(hz));
  const BodyId id = world.add_body(body("ball", Sphere{0.1}, {}));
  run(world, 2);
  return -world.pose(id).p.y;
}

double range(double hz) {
  World world(at_rate(hz));
  BodySettings b = body("ball", Sphere{0.1}, {{0, 1e-9, 0}, {}});
  b.linear_velocity = {std::sqrt(200), std::sqrt(200), 0};
  const BodyId id = world.add_body(b);
  return std::sqrt(200) * crossing(world, 1, 5, [&] { return world.pose(id).p.y; });
}

// Height of the top of the n-th bounce.
double top(double hz, Ground ground, Shape shape, double half, double e, double height, int n) {
  World world(at_rate(hz));
  add_ground(world, ground);
  BodySettings b = body("body", std::move(shape), {{0.37, height + half, 0.21}, {}});
  b.restitution = e;
  const BodyId id = world.add_body(b);
  double highest = 0;
  for (bool rising = false; n >= 0 && world.time() < 10;) {
    world.step();
    const bool now = world.center_velocity(id).y > 0;
    if (rising && !now && --n == 0) return highest;
    if (now && !rising) highest = 0;
    rising = now;
    highest = std::max(highest, world.pose(id).p.y - half);
  }
  return std::numeric_limits<double>::quiet_NaN();
}

double worst_top(double hz, const Shape& shape, double half, double e, int n) {
  std::vector<double> shares;  // heights of different starts, as a share of the exact one
  for (const Ground ground : kGrounds)
    for (int phase = 0; phase < 8; ++phase) {
      const double height = 2 + 0.0131 * phase;
      shares.push_back(top(hz, ground, shape, half, e, height, n) / height);
    }
  const double exact = std::pow(e, 2 * n);
  return 2 * worst(exact, shares);
}

double after_collision(double hz, double e, bool heavy) {
  std::vector<double> speeds;
  const double exact = heavy ? 2.5 + 2.5 * e : 2.5 - 7.5 * e;
  for (int phase = 0; phase < 8; ++phase) {
    World world(at_rate(hz, false));
    BodySettings a = body("a", Sphere{0.1}, {{-1 - 0.017 * phase, 0, 0}, {}}), b = body("b", Sphere{0.1}, {{1, 0, 0}, {}}, 3);
    a.linear_velocity = {10, 0, 0};
    a.restitution = e;
    b.restitution = 1;
    const BodyId one = world.add_body(a), two = world.add_body(b);
    run(world, 0.5);
    speeds.push_back(world.linear_velocity(heavy ? two : one).x);
  }
  return worst(exact, speeds);
}

double spin_after(double hz, double mu) {
  World world(at_rate(hz, false));
  add_ground(world, Ground::plane);
  BodySettings b = body("ball", Sphere{0.1}, {{0, 0.83, 0}, {}});
  b.restitution = 0.5;
  b.friction = mu;
  b.linear_velocity = {5, -4, 0};
  const BodyId id = world.add_body(b);
  run(world, 0.4);
  return -world.angular_velocity(id).z;
}

double past_wall(double hz) {
  std::vector<double> speeds;
  for (int phase = 0; phase < 8; ++phase) {
    World world(at_rate(hz, false));
    BodySettings wall = body("wall", Box{{0.05, 4, 4}}, {});
    wall.kind = BodyKind::fixed;
    wall.restitution = 1;
    world.add_body(wall);
    BodySettings b = body("ball", Sphere{0.02}, {{-5 - 0.17 * phase, 0, 0}, {}});
    b.linear_velocity = {80, 0, 0};
    b.restitution = 0.5;
    const BodyId id = world.add_body(b);
    run(world, 0.25);
    speeds.push_back(world.linear_velocity(id).x);
  }
  return worst(-40, speeds);
}

}  // namespace

void add_falls(Table& table) {
  table.push_back({"free fall, distance in 2 s", "g t^2 / 2", "m", kG * 2, fallen, 0, 0.01});
  table.push_back({"throw at 20 m/s and 45 degrees, range", "v^2 / g", "m", 400 / kG, range, 0, 0.007});
  table.push_back({"ball, e = 0.9, dropped from 2 m on any ground: first rise", "e^2 h", "m", 2 * 0.81,
                   [](double hz) { return worst_top(hz, Sphere{0.1}, 0.1, 0.9, 1); }, 0, 0.005, 1e-3});
  table.push_back({"the same, fifth rise", "e^10 h", "m", 2 * std::pow(0.9, 10),
                   [](double hz) { return worst_top(hz, Sphere{0.1}, 0.1, 0.9, 5); }, 0, 0.02, 2e-3, 1});
  table.push_back({"box of 0.4 m, e = 0.5, flat from 2 m on any ground: first rise", "e^2 h", "m", 0.5,
                   [](double hz) {
                     return worst_top(hz, Box{{0.4, 0.4, 0.4}}, 0.2, 0.5, 1);
                   },
                   0, 0.005, 1e-3});
  table.push_back({"the same as the hull of a mesh, a prism of seven sides", "e^2 h", "m", 0.5,
                   [](double hz) {
                     ConvexHull prism;
                     for (int i = 0; i < 14; ++i) {
                       const double turn = 2 * kPi / 7 * i;
                       prism.points.push_back({0.25 * std::cos(turn), i < 7 ? -0.2 : 0.2, 0.25 * std::sin(turn)});
                     }
                     return worst_top(hz, prism, 0.2, 0.5, 1);
                   },
                   0, 0.01, 5e-3});
  for (const double e : {0.5, 1.0})
    table.push_back(
        {std::string("ball of 1 kg at 10 m/s on one of 3 kg at rest, e = ") + (e < 1 ? "0.5" : "1") + ": its speed after",
         "v (1 - 3 e) / 4", "m/s", 2.5 - 7.5 * e, [e](double hz) { return after_collision(hz, e, false); }, 10, 1e-3, 1e-6});
  table.push_back({"the same, e = 0.5: speed of the other", "v (1 + e) / 4", "m/s", 3.75,
                   [](double hz) { return after_collision(hz, 0.5, true); }, 0, 1e-3, 1e-6});
  table.push_back({"ball of 0.1 m, e = 0.5, strikes at (5, -4) m/s, mu = 0.1: spin after", "mu (1 + e) v_n / (2 r / 5)",
                   "rad/s", 15, [](double hz) { return spin_after(hz, 0.1); }, 0, 1e-3, 1e-6});
  table.push_back({"the same, mu = 1: it leaves rolling", "5 v_t / (7 r)", "rad/s", 250.0 / 7,
                   [](double hz) { return spin_after(hz, 1); }, 0, 1e-3, 1e-6});
  table.push_back(
      {"ball of 2 cm at 80 m/s, e = 0.5, against a wall of 5 cm: speed after", "-e v", "m/s", -40, past_wall, 0, 1e-3, 1e-6});
}

}  // namespace simbatch::closed_forms
