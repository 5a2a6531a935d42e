// Pendulums (Landau and Lifshitz, Mechanics, section 11), springs, motors.

#include "tests/closed_forms/common.hpp"
#include "tests/closed_forms/table.hpp"

namespace simbatch::closed_forms {
namespace {

// Five periods of a rod of 1 m on a hinge at its end, started at rest.
double rod_periods(double hz, double amplitude) {
  World world(at_rate(hz));
  const Quat tilt = geo::rotation({0, 0, 1}, amplitude);
  const BodyId id = world.add_body(body("rod", Box{{0.05, 1, 0.05}}, {tilt * Vec3{0, -0.5, 0}, tilt}));
  LinkSettings hinge;
  hinge.kind = LinkKind::revolute;
  hinge.b = id;
  hinge.axis = {0, 0, 1};
  const LinkId link = world.add_link(hinge);
  const auto angle = [&] { return world.link_position(link) + amplitude; };
  const double first = crossing(world, 1, 20, angle);
  return crossing(world, 5, 60, angle) - first;
}
double exact_rod_periods(double amplitude) {
  const double inertia = (1 + 0.05 * 0.05) / 12 + 0.25;
  return 5 * 4 * std::sqrt(inertia / (kG * 0.5)) * std::comp_ellint_1(std::sin(amplitude / 2));
}

double conical_periods(double hz) {
  World world(at_rate(hz));
  const double a = kPi / 6, r = std::sin(a), rate = std::sqrt(kG / std::cos(a));
  BodySettings bob = body("bob", Sphere{0.1}, {{r, -std::cos(a), 0}, {}});
  bob.angular_velocity = {0, rate, 0};
  bob.linear_velocity = {0, 0, -rate * r};
  const BodyId id = world.add_body(bob);
  LinkSettings pivot;
  pivot.b = id;
  world.add_link(pivot);
  const auto beside = [&] { return world.pose(id).p.z; };
  const double first = crossing(world, 1, 20, beside);
  return crossing(world, 5, 60, beside) - first;
}

// Energy of two rods on hinges, over what they could release: the largest change in 5 s.
double double_pendulum(double hz) {
  World world(at_rate(hz));
  const Quat tilt = geo::rotation({0, 0, 1}, 0.5);
  const BodyId one = world.add_body(body("one", Box{{0.05, 1, 0.05}}, {tilt * Vec3{0, -0.5, 0}, tilt}));
  const BodyId two = world.add_body(body("two", Box{{0.05, 1, 0.05}}, {tilt * Vec3{0, -1.5, 0}, tilt}));
  LinkSettings hinge;
  hinge.kind = LinkKind::revolute;
  hinge.axis = {0, 0, 1};
  hinge.b = one;
  world.add_link(hinge);
  hinge.name = "second";
  hinge.a = one;
  hinge.b = two;
  hinge.position = tilt * Vec3{0, -1, 0};
  world.add_link(hinge);
  const auto energy = [&] {
    double e = 0;
    for (const BodyId id : {one, two}) {
      const Vec3 v = world.center_velocity(id);
      const double w = world.angular_velocity(id).z;
      e += 0.5 * geo::dot(v, v) + 0.5 * world.mass(id).inertia.zz * w * w;
      // The velocity is that of the middle of the step: the height that belongs to it is half a step back.
      e += kG * (world.pose(id).p.y - 0.5 * world.settings().dt * v.y);
    }
    return e;
  };
  const double at_start = energy(), scale = 2 * kG * (1 - std::cos(0.5)) * 1;
  run(world, 5);
  return std::abs(energy() - at_start) / scale;
}

double spring_periods(double hz) {
  World world(at_rate(hz, false));
  const BodyId id = world.add_body(body("mass", Box{{0.2, 0.2, 0.2}}, {}, 2));
  LinkSettings spring;
  spring.kind = LinkKind::generic;
  spring.b = id;
  spring.axis = {1, 0, 0};
  spring.axes[0] = {false, {}, {}, 80, 0};
  world.add_link(spring);
  world.set_velocity(id, {1, 0, 0}, {});
  const auto away = [&] { return world.pose(id).p.x; };
  const double first = crossing(world, 1, 20, away);
  return crossing(world, 5, 60, away) - first;
}

// A bead that slides out along a bar, which turns about its middle.
struct Bead {
  World world;
  BodyId bar, bead;
  LinkId slide;

  explicit Bead(double hz) : world(at_rate(hz, false)) {
    bar = world.add_body(body("bar", Box{{2, 0.05, 0.05}}, {}));
    bead = world.add_body(body("bead", Sphere{0.1}, {{0.2, 0, 0}, {}}));
    LinkSettings hinge;
    hinge.kind = LinkKind::revolute;
    hinge.b = bar;
    hinge.axis = {0, 1, 0};
    world.add_link(hinge);
    hinge.name = "rail";
    hinge.kind = LinkKind::prismatic;
    hinge.a = bar;
    hinge.b = bead;
    hinge.position = {0.2, 0, 0};
    hinge.axis = {1, 0, 0};
    slide = world.add_link(hinge);
    world.set_velocity(bar, {}, {0, 2, 0});
    world.set_velocity(bead, {0, 0, -2 * 0.2}, {0, 2, 0});
  }
  double inertia() const { return world.mass(bar).inertia.yy + world.mass(bead).inertia.yy; }
};
// rad that the bar has turned by when the bead is at 0.8 m.
double bead_turns(double hz) {
  Bead b(hz);
  double angle = 0, turn = 0, before = 0, way = 0;
  while (way < 0.6) {
    before = way;
    angle += turn;
    b.world.step();
    way = b.world.link_position(b.slide);
    turn = b.world.angular_velocity(b.bar).y / hz;
  }
  return angle + turn * (0.6 - before) / (way - before);
}
double exact_bead_turns() {
  // d angle / dr = w / v with w = L / (I + r^2), v^2 = L (w0 - w); r = 0.2 cosh(u) takes the root at the start away.
  const Bead b(240);
  const double i = b.inertia(), l = (i + 0.04) * 2, end = std::acosh(0.8 / 0.2);
  constexpr int kParts = 2000;
  double sum = 0;
  for (int k = 0; k <= kParts; ++k) {  // Simpson
    const double u = std::max(end * k / kParts, 1e-6), r = 0.2 * std::cosh(u), w = l / (i + r * r);
    const double f = w / std::sqrt(l * (2 - w)) * 0.2 * std::sinh(u);
    sum += (k == 0 || k == kParts ? 1 : k % 2 == 1 ? 4 : 2) * f;
  }
  return sum * end / kParts / 3;
}

double spun_up(double hz) {
  World world(at_rate(hz, false));
  const BodyId id = world.add_body(body("wheel", Cylinder{0.3, 0.1}, {}, 4));
  LinkSettings axle;
  axle.kind = LinkKind::revolute;
  axle.b = id;
  const LinkId link = world.add_link(axle);
  world.set_link_motor(link, 1000, 0.9);
  run(world, 2);
  return world.link_velocity(link);
}

}  // namespace

void add_links(Table& table) {
  for (const bool large : {false, true}) {
    const double amplitude = large ? 2.0 : 0.1;
    table.push_back({std::string("rod of 1 m on a hinge at its end, amplitude ") + (large ? "2" : "0.1") + " rad: 5 periods",
                     "20 sqrt(I / (m g l)) K(sin(A / 2))", "s", exact_rod_periods(amplitude),
                     [amplitude](double hz) { return rod_periods(hz, amplitude); }, 0, large ? 0.01 : 2e-4});
  }
  table.push_back({"conical pendulum of 1 m at 30 degrees: 5 periods", "10 pi sqrt(l cos(a) / g)", "s",
                   10 * kPi * std::sqrt(std::cos(kPi / 6) / kG), conical_periods, 0, 2e-4});
  table.push_back({"double pendulum of two rods, 0.5 rad: energy lost or gained in 5 s", "0", "", 0, double_pendulum, 1, 1e-3});
  table.push_back({"bead that slides from 0.2 to 0.8 m along a turning bar: rotation of the bar meanwhile",
                   "int w / v dr, L and E kept", "rad", exact_bead_turns(), bead_turns, 0, 1e-4, 1e-9,
                   2});  // small enough for the place within the last step to count
  table.push_back({"2 kg on a spring of 80 N/m: 5 periods", "10 pi sqrt(m / k)", "s", 10 * kPi * std::sqrt(2.0 / 80),
                   spring_periods, 0, 5e-4});
  table.push_back(
      {"wheel of 4 kg, 0.3 m, spun up with 0.9 N m: speed after 2 s", "2 T t / (m r^2)", "rad/s", 10, spun_up, 0, 1e-6});
}

}  // namespace simbatch::closed_forms
