// Free rotation: Euler's equations in Jacobi's elliptic functions (Landau and Lifshitz, Mechanics, section 37). Gyroscope:
// steady precession with a horizontal axis (section 35).

#include "tests/closed_forms/common.hpp"
#include "tests/closed_forms/table.hpp"

namespace simbatch::closed_forms {
namespace {

// Half a turn about the long axis dominates: sizes and speeds of the tumbling plate.
constexpr Vec3 kPlate{0.2, 1, 3};

BodySettings plate(Vec3 spin) {
  BodySettings b = body("plate", Box{kPlate}, {}, 2);
  b.angular_velocity = spin;
  return b;
}

Vec3 body_rate(const World& world, BodyId id) { return inverse(world.pose(id).q) * world.angular_velocity(id); }

Vec3 momentum(const World& world, BodyId id) {
  const Inertia& i = world.mass(id).inertia;
  const Vec3 w = body_rate(world, id);
  return world.pose(id).q * Vec3{i.xx * w.x, i.yy * w.y, i.zz * w.z};
}

// Twenty periods of the angular velocity along the body's axes, of a plate that tumbles about its middle axis.
constexpr Vec3 kTumble{0.5, 4, 0.3};
double tumbling_period(double hz) {
  World world(at_rate(hz, false));
  const BodyId id = world.add_body(plate(kTumble));
  const auto middle = [&] { return body_rate(world, id).y; };
  const double first = crossing(world, 1, 100, middle);
  return crossing(world, 20, 1000, middle) - first;
}
double exact_tumbling_period() {
  World world;
  const Inertia i = world.mass(world.add_body(plate(kTumble))).inertia;
  // I1 < I2 < I3: z, y, x.
  const double i1 = i.zz, i2 = i.yy, i3 = i.xx;
  const double l1 = i1 * kTumble.z, l2 = i2 * kTumble.y, l3 = i3 * kTumble.x;
  const double m2 = l1 * l1 + l2 * l2 + l3 * l3, e2 = l1 * l1 / i1 + l2 * l2 / i2 + l3 * l3 / i3;  // M^2, 2 E
  double k2 = (i2 - i1) * (e2 * i3 - m2) / ((i3 - i2) * (m2 - e2 * i1));
  double rate = std::sqrt((i3 - i2) * (m2 - e2 * i1) / (i1 * i2 * i3));
  if (k2 > 1) {  // the vector of momentum goes round the other axis
    rate = std::sqrt((i2 - i1) * (e2 * i3 - m2) / (i1 * i2 * i3));
    k2 = 1 / k2;
  }
  return 20 * 4 * std::comp_ellint_1(std::sqrt(k2)) / rate;
}

double lost_momentum(double hz) {
  World world(at_rate(hz, false));
  const BodyId id = world.add_body(plate({0.01, 8, 0.01}));
  const Vec3 at_start = momentum(world, id);
  double most = 0;
  while (world.time() < 60) {
    world.step();
    most = std::max(most, geo::length(momentum(world, id) - at_start) / geo::length(at_start));
  }
  return most;
}

double gained_energy(double hz) {
  World world(at_rate(hz, false));
  const BodyId id = world.add_body(plate(kTumble));
  const double at_start = geo::dot(momentum(world, id), world.angular_velocity(id));
  run(world, 60);
  return geo::dot(momentum(world, id), world.angular_velocity(id)) / at_start;
}

constexpr double kArm = 0.5, kDisc = 0.3, kSpin = 60;
double precession(double hz) {
  World world(at_rate(hz));
  // A disc at the end of a massless arm along +x that turns about its pivot at the origin.
  BodySettings disc = body("disc", Cylinder{kDisc, 0.05}, {{kArm, 0, 0}, geo::rotation({0, 0, 1}, -kPi / 2)}, 3);
  const double inertia = 0.5 * 3 * kDisc * kDisc, rate = 3 * kG * kArm / (inertia * kSpin);
  disc.angular_velocity = {kSpin, rate, 0};
  disc.linear_velocity = geo::cross(disc.angular_velocity, Vec3{kArm, 0, 0});
  const BodyId id = world.add_body(disc);
  LinkSettings pivot;
  pivot.b = id;
  world.add_link(pivot);
  double angle = 0, last = 0;
  std::vector<double> rates;  // it nods a little as well
  const auto steps = std::lround(5 * hz);
  for (long i = 0; i < steps; ++i) {
    world.step();
    const Vec3 p = world.pose(id).p;
    const double now = std::atan2(-p.z, p.x);
    angle += std::remainder(now - last, 2 * kPi);
    last = now;
    if (world.time() > 4) rates.push_back(angle / world.time());
  }
  return worst(rate, rates);
}

}  // namespace

void add_rotations(Table& table) {
  table.push_back({"plate tumbling about its middle axis: 20 periods of its angular velocity",
                   "20 &middot; 4 K(k) / p (Jacobi)", "s", exact_tumbling_period(), tumbling_period, 0, 0.025});
  table.push_back(
      {"plate at 8 rad/s about its middle axis: angular momentum lost in 60 s", "0", "", 0, lost_momentum, 1, 1e-9, 1e-9});
  table.push_back({"tumbling plate: energy after 60 s over that at the start", "1", "", 1, gained_energy, 0, 4e-4});
  table.push_back({"gyroscope, 60 rad/s, horizontal on an arm of 0.5 m: rate of precession", "m g l / (I w)", "rad/s",
                   kG * kArm / (0.5 * kDisc * kDisc * kSpin), precession, 0, 0.01, 1e-9, 2});
}

}  // namespace simbatch::closed_forms
