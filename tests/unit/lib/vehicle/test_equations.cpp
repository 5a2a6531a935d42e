// The parts of a vehicle against the equations that define them: what they return is put into these, at random settings.

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "base/core/random.hpp"
#include "lib/vehicle/drive_train.hpp"
#include "lib/vehicle/matrix6.hpp"
#include "lib/vehicle/spin.hpp"
#include "lib/vehicle/steering.hpp"

using namespace simbatch;
using namespace simbatch::vehicle;

namespace {

double between(RandomStream& random, double low, double high) { return low + (high - low) * random.uniform(); }

SpinInput random_wheel(RandomStream& random) {
  SpinInput w;
  w.inertia = random.below(5) == 0 ? 0 : between(random, 0.1, 3);
  w.radius = between(random, 0.1, 0.6);
  w.spin = between(random, -40, 40);
  w.torque = between(random, -900, 900);
  if (random.below(2) == 0) w.brake = {0, between(random, 0, 1500)};
  if (random.below(3) == 0) w.motor = {between(random, -30, 30), between(random, 0, 1500)};
  w.a = between(random, -2000, 2000);
  w.b = between(random, 1, 5000);
  w.hub = between(random, -15, 15);
  return w;
}

double force(const SpinInput& w, double hub, double spin) { return w.a - w.b * (hub - w.radius * spin); }

/// I (w - w0) - dt (T - R F - Coulomb torques): increases with the spin.
double residual(const SpinInput& w, double spin, double dt) {
  const auto sign = [](double x) { return x > 0 ? 1.0 : x < 0 ? -1.0 : 0.0; };
  const double coulomb = w.brake.limit * sign(spin) + w.motor.limit * sign(spin - w.motor.target);
  return w.inertia * (spin - w.spin) - dt * (w.torque - w.radius * force(w, w.hub, spin) - coulomb);
}

/// The spin at which the residual changes its sign, by bisection.
double bisected(const SpinInput& w, double dt) {
  double low = -1e6, high = 1e6;
  for (int i = 0; i < 200; ++i) {
    const double middle = (low + high) / 2;
    (residual(w, middle, dt) < 0 ? low : high) = middle;
  }
  return (low + high) / 2;
}

}  // namespace

TEST_CASE("spin: a wheel's spin is the root of its equation, whichever of its torques hold it") {
  int held = 0, at_target = 0;
  for (std::uint64_t seed = 0; seed < 3000; ++seed) {
    RandomStream random(seed, "wheel");
    const SpinInput w = random_wheel(random);
    const double dt = random.below(2) == 0 ? 0.01 : 0.0005;
    const SpinResult result = eliminate(w, dt);
    const double spin = result.spin0 + result.gain * w.hub, root = bisected(w, dt);
    CAPTURE(seed);
    CHECK(std::abs(spin - root) < 1e-7 * (1 + std::abs(root)));
    CHECK(std::abs(result.a - result.b * w.hub - force(w, w.hub, spin)) < 1e-6 * (1 + std::abs(w.a) + w.b));
    CHECK(result.b >= 0);
    CHECK(result.b <= w.b);
    held += spin == 0 ? 1 : 0;
    at_target += w.motor.limit > 0 && spin == w.motor.target ? 1 : 0;
  }
  CHECK(held > 50);  // the cases that need care do occur
  CHECK(at_target > 20);
}

TEST_CASE("spin: wheels that share an engine fulfil their equations at any speeds of their hubs") {
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    RandomStream random(seed, "group");
    const std::size_t n = 1 + random.below(6);
    const double dt = 0.005;
    std::vector<SpinInput> wheels(n);
    for (SpinInput& w : wheels) {
      w = random_wheel(random);
      w.inertia = between(random, 0.1, 3);
      w.brake = w.motor = {};
    }
    Coupling engine{Numbers(n), between(random, 0, 5), 0};
    for (std::size_t i = 0; i < n; ++i) engine.direction[i] = between(random, -4, 4);
    const GroupResult result = eliminate(wheels, std::span(&engine, 1), dt);
    // F and w are linear in V: so other speeds than the predicted ones do as well.
    std::vector<double> hub(n), spin(n);
    for (double& v : hub) v = between(random, -20, 20);
    double change = 0;  // of the engine's speed
    for (std::size_t i = 0; i < n; ++i) {
      spin[i] = result.spin0[i];
      for (std::size_t k = 0; k < n; ++k) spin[i] += result.gain[i * n + k] * hub[k];
      change += engine.direction[i] * (spin[i] - wheels[i].spin);
    }
    CAPTURE(seed);
    for (std::size_t i = 0; i < n; ++i) {
      const SpinInput& w = wheels[i];
      double f = result.a[i];
      for (std::size_t k = 0; k < n; ++k) {
        f -= result.b[i * n + k] * hub[k];
        CHECK(result.b[i * n + k] == doctest::Approx(result.b[k * n + i]).epsilon(1e-9));
      }
      CHECK(std::abs(f - force(w, hub[i], spin[i])) < 1e-6 * (1 + std::abs(w.a) + 40 * w.b));
      const double left = w.inertia * (spin[i] - w.spin) + engine.inertia * engine.direction[i] * change;
      CHECK(std::abs(left - dt * (w.torque - w.radius * f)) < 1e-7 * (1 + std::abs(left) + dt * w.b));
    }
  }
}

TEST_CASE("spin: wheels without couplings do not know of each other") {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    RandomStream random(seed, "alone");
    std::vector<SpinInput> wheels(1 + random.below(20));
    for (SpinInput& w : wheels) {
      w = random_wheel(random);
      w.inertia = between(random, 0.1, 3);
    }
    const std::size_t n = wheels.size();
    const GroupResult result = eliminate(wheels, {}, 0.005);
    CAPTURE(seed);
    for (std::size_t i = 0; i < n; ++i) {
      const SpinResult one = eliminate(wheels[i], 0.005);
      const double hub = wheels[i].hub;
      CHECK(result.spin0[i] + result.gain[i * n + i] * hub == doctest::Approx(one.spin0 + one.gain * hub).epsilon(1e-8));
      for (std::size_t k = 0; k < n; ++k)
        if (k != i) CHECK(result.b[i * n + k] == 0);
    }
  }
}

TEST_CASE("spin: friction between two wheels takes from one what it gives to the other, up to its limit") {
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    RandomStream random(seed, "limited");
    std::array<SpinInput, 2> wheels = {random_wheel(random), random_wheel(random)};
    for (SpinInput& w : wheels) {
      w.inertia = between(random, 0.1, 3);
      w.brake = w.motor = {};
    }
    const double dt = 0.005, limit = between(random, 0, 600);
    const Coupling lock{{1, -1}, 0, limit};
    const GroupResult result = eliminate(wheels, std::span(&lock, 1), dt);
    std::array<double, 2> spin{}, torque{};
    for (std::size_t i = 0; i < 2; ++i) {
      const SpinInput& w = wheels[i];
      spin[i] = result.spin0[i] + result.gain[2 * i] * wheels[0].hub + result.gain[2 * i + 1] * wheels[1].hub;
      torque[i] = w.inertia * (spin[i] - w.spin) / dt - w.torque + w.radius * force(w, w.hub, spin[i]);
    }
    CAPTURE(seed);
    const double slack = 1e-6 * (1 + std::abs(torque[0]) + wheels[0].b + wheels[1].b);
    CHECK(std::abs(torque[0] + torque[1]) < slack);
    CHECK(std::abs(torque[0]) <= limit + slack);
    if (std::abs(spin[0] - spin[1]) > 1e-6) {
      CHECK(std::abs(std::abs(torque[0]) - limit) < slack);
      CHECK((spin[0] > spin[1]) == (torque[0] < 0));  // it opposes the difference
    }
  }
}

TEST_CASE("drive train: what the wheels receive is the engine's power") {
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    RandomStream random(seed, "train");
    DriveTrainSettings settings;
    settings.engine.curve = {{100, between(random, 50, 300)}, {500, between(random, 50, 300)}};
    settings.engine.brake_torque = between(random, 0, 30);
    settings.engine.brake_slope = between(random, 0, 0.1);
    settings.gearbox.ratios = {between(random, 2, 4), between(random, 1, 2)};
    settings.front_share = random.uniform();
    settings.differential = static_cast<Differential>(random.below(3));
    settings.lock_torque = 50;
    std::vector<DrivenWheel> wheels(2 + 2 * random.below(3));
    for (std::size_t i = 0; i < wheels.size(); ++i) wheels[i] = {between(random, 0, 60), i < 2};
    DriveTrainState state;
    state.gear = 1 + static_cast<int>(random.below(2));
    const double throttle = random.uniform();
    const DriveTrainStep step = drive(settings, state, throttle, wheels, 0.01);
    CAPTURE(seed);
    if (state.shifting > 0) {
      for (std::size_t i = 0; i < wheels.size(); ++i) CHECK(step.torques[i] == 0);
      continue;
    }
    const double rears = static_cast<double>(wheels.size()) - 2, front = rears == 0 ? 1 : settings.front_share;
    const double ratio = settings.gearbox.ratios.at(static_cast<std::size_t>(state.gear - 1)) * settings.gearbox.final_ratio;
    double power = 0, shaft = 0;
    for (std::size_t i = 0; i < wheels.size(); ++i) {
      power += step.torques[i] * wheels[i].spin;
      shaft += (i < 2 ? front / 2 : (1 - front) / rears) * wheels[i].spin;
    }
    const double at_crank = engine_torque(settings.engine, state.engine_speed, throttle) * ratio * shaft;
    CHECK(power == doctest::Approx(at_crank).epsilon(1e-9));
    CHECK(state.engine_speed == doctest::Approx(std::max(ratio * shaft, settings.engine.idle)));
    // With the clutch closed the engine's inertia is at the engine's speed; locks couple differences.
    const bool closed = ratio * shaft >= settings.engine.idle;
    const std::size_t locks = settings.differential == Differential::open ? 0 : wheels.size() / 2 + (rears > 0 ? 1 : 0);
    if (wheels.size() <= 4) CHECK(step.couplings.size() == locks + (closed ? 1 : 0));
    for (const Coupling& coupling : step.couplings) {
      double speed = 0, sum = 0;
      for (std::size_t i = 0; i < wheels.size(); ++i) {
        speed += coupling.direction[i] * wheels[i].spin;
        sum += coupling.direction[i];
      }
      if (coupling.inertia > 0)
        CHECK(speed == doctest::Approx(state.engine_speed));
      else
        CHECK(std::abs(sum) < 1e-12);  // equal spins are not braked
    }
  }
}

TEST_CASE("drive train: the engine's torque is linear between the points of its curve and in the throttle") {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    RandomStream random(seed, "engine");
    EngineSettings engine;
    double at = between(random, 50, 150);
    for (std::uint64_t i = 2 + random.below(5); i-- > 0; at += between(random, 10, 200))
      engine.curve.emplace_back(at, between(random, 10, 400));
    engine.limit = 2000;
    engine.brake_torque = between(random, 0, 50);
    engine.brake_slope = between(random, 0, 0.1);
    CAPTURE(seed);
    for (std::size_t i = 0; i + 1 < engine.curve.size(); ++i) {
      const auto &a = engine.curve[i], &b = engine.curve[i + 1];
      const double share = random.uniform(), speed = a.first + share * (b.first - a.first);
      CHECK(engine_torque(engine, speed, 1) == doctest::Approx(a.second + share * (b.second - a.second)));
      CHECK(engine_torque(engine, a.first, 1) == doctest::Approx(a.second));
      const double full = engine_torque(engine, speed, 1), none = engine_torque(engine, speed, 0), pedal = random.uniform();
      CHECK(engine_torque(engine, speed, pedal) == doctest::Approx(pedal * full + (1 - pedal) * none));
      if (speed >= 2 * engine.idle) CHECK(none == doctest::Approx(-(engine.brake_torque + engine.brake_slope * speed)));
    }
    CHECK(engine_torque(engine, 1, 1) == doctest::Approx(engine.curve.front().second));
    CHECK(engine_torque(engine, 1999, 1) == doctest::Approx(engine.curve.back().second));
    CHECK(engine_torque(engine, 2001, 1) == 0);
  }
}

TEST_CASE("anti-lock: the share ramps from full to none and back within the stated time") {
  const double dt = 0.001;
  double share = 1;
  int steps = 0;
  for (; share > 0; ++steps) share = anti_lock(share, 0.2, 0.7 * 20, 20, dt);
  CHECK(steps == doctest::Approx(kAntiLockTime / dt).epsilon(0.03));
  steps = 0;
  for (; share < 1; ++steps) share = anti_lock(share, 0.2, 0.9 * 20, 20, dt);
  CHECK(steps == doctest::Approx(kAntiLockTime / dt).epsilon(0.03));
  CHECK(anti_lock(0.3, 0.2, 0, kAntiLockSpeed - 0.01, dt) == 1);  // too slow
  CHECK(anti_lock(0.3, 0.2, 0, kAntiLockSpeed + 0.01, dt) < 0.3);
}

TEST_CASE("steering: the axles of all wheels meet in one point, wherever the steered wheels are") {
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    RandomStream random(seed, "steering");
    const double fixed_z = between(random, -2, 2);
    // Two fixed wheels, and steered ones before or behind.
    std::vector<geo::Vec3> wheels = {{-0.8, 0, fixed_z - 0.3}, {0.8, 0, fixed_z + 0.3}};
    for (std::uint64_t i = 1 + random.below(4); i-- > 0;)
      wheels.push_back({between(random, -1, 1), 0, fixed_z + (random.below(2) == 0 ? 1 : -1) * between(random, 2, 5)});
    const std::array<bool, 6> steered = {false, false, true, true, true, true};
    const SteeringGeometry geometry = steering_geometry(wheels, std::span(steered).first(wheels.size()));
    CAPTURE(seed);
    CHECK(geometry.z == doctest::Approx(fixed_z));
    const double middle = between(random, -0.7, 0.7);
    // A wheel in the middle of an axle 3 m before the fixed one would be perpendicular to the line to the center.
    for (std::size_t i = 2; i < wheels.size(); ++i) {
      const double base = wheels[i].z - geometry.z, center_x = base / std::tan(middle);
      const WheelDirection d = wheel_direction(geometry, wheels[i], middle, 1);
      // The wheel's direction (sine, cosine) against the line from the wheel to the center.
      const double to_x = center_x - wheels[i].x, to_z = -base;
      CHECK(std::abs(d.sine * to_x + d.cosine * to_z) < 1e-9 * (std::abs(to_x) + std::abs(to_z)));
      CHECK(d.sine * d.sine + d.cosine * d.cosine == doctest::Approx(1));
      CHECK(d.sine * middle >= 0);
      // Half-way between parallel and Ackermann, in angles.
      const double half = wheel_angle(geometry, wheels[i], middle, 0.5), whole = wheel_angle(geometry, wheels[i], middle, 1);
      CHECK(half == doctest::Approx((middle + whole) / 2));
    }
  }
}

namespace {

using Dense = std::array<std::array<double, 7>, 6>;

/// Gauss elimination with pivoting, of the system with its right side as seventh column.
std::array<double, 6> solved(Dense a) {
  for (std::size_t c = 0; c < 6; ++c) {
    std::size_t best = c;
    for (std::size_t r = c + 1; r < 6; ++r)
      if (std::abs(a[r][c]) > std::abs(a[best][c])) best = r;
    std::swap(a[c], a[best]);
    for (std::size_t r = 0; r < 6; ++r) {
      if (r == c) continue;
      const double times = a[r][c] / a[c][c];
      for (std::size_t k = c; k < 7; ++k) a[r][k] -= times * a[c][k];
    }
  }
  std::array<double, 6> x{};
  for (std::size_t i = 0; i < 6; ++i) x[i] = a[i][6] / a[i][i];
  return x;
}

void add_outer(Dense& a, const Term& f, const Term& g, double weight) {
  for (std::size_t i = 0; i < 6; ++i)
    for (std::size_t k = 0; k < 6; ++k) a[i][k] += weight * f.f[i] * g.f[k];
}

geo::Vec3 random_vector(RandomStream& random) {
  return {between(random, -1, 1), between(random, -1, 1), between(random, -1, 1)};
}
Term random_term(RandomStream& random) {
  return Term(jacobian(geo::normalized(random_vector(random)), 2 * random_vector(random)), between(random, 0, 5000),
              between(random, -9000, 9000));
}

}  // namespace

TEST_CASE("wheels: the 6 x 6 system has the solution of Gauss's elimination") {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    RandomStream random(seed, "system");
    const double mass = between(random, 1, 3000);
    const std::array<geo::Vec3, 3> inertia = {{{2000, 30, -10}, {30, 2500, 20}, {-10, 20, 600}}};
    const Velocity v{5 * random_vector(random), random_vector(random)};
    System6 system(mass, inertia, v);
    Dense dense{};
    for (std::size_t i = 0; i < 3; ++i) {
      dense[i][i] = mass;
      dense[3 + i][3] = inertia[i].x;
      dense[3 + i][4] = inertia[i].y;
      dense[3 + i][5] = inertia[i].z;
      dense[3 + i][6] = geo::dot(inertia[i], v.angular);
    }
    dense[0][6] = mass * v.linear.x;
    dense[1][6] = mass * v.linear.y;
    dense[2][6] = mass * v.linear.z;
    const auto add = [&dense](const Term& term, bool with_weight) {
      if (with_weight) add_outer(dense, term, term, term.weight);
      for (std::size_t i = 0; i < 6; ++i) dense[i][6] += term.amount * term.f[i];
    };
    for (int i = 0; i < 3; ++i) {
      const Term term = random_term(random);
      system.add(term);
      add(term, true);
    }
    const std::array<Term, 3> left = {random_term(random), random_term(random), random_term(random)},
                              right = {random_term(random), random_term(random), random_term(random)};
    system.add_sides<2>(left, right);
    for (std::size_t i = 0; i < 3; ++i) {
      add(left[i], i < 2);
      add(right[i], i < 2);
    }
    const Jacobian j = jacobian({1, 0, 0}, random_vector(random)), k = jacobian({0, 0, 1}, random_vector(random));
    system.add_pair(j, k, 0.3);
    add_outer(dense, Term(j), Term(k), 0.3);
    add_outer(dense, Term(k), Term(j), 0.3);
    const Velocity x = system.solve();
    const std::array<double, 6> expected = solved(dense),
                                got = {x.linear.x, x.linear.y, x.linear.z, x.angular.x, x.angular.y, x.angular.z};
    CAPTURE(seed);
    for (std::size_t i = 0; i < 6; ++i) CHECK(std::abs(got[i] - expected[i]) < 1e-7 * (1 + std::abs(expected[i])));
  }
}

TEST_CASE("wheels: exchanged sides give the same system to the last bit") {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    RandomStream random(seed, "sides");
    const std::array<geo::Vec3, 3> inertia = {{{2000, 0, 0}, {0, 2500, 0}, {0, 0, 600}}};
    const std::array<Term, 3> left = {random_term(random), random_term(random), random_term(random)},
                              right = {random_term(random), random_term(random), random_term(random)};
    System6 one(1500, inertia, {}), other(1500, inertia, {});
    one.add_sides<2>(left, right);
    other.add_sides<2>(right, left);
    CHECK(one.solve().linear == other.solve().linear);
    CHECK(one.solve().angular == other.solve().angular);
  }
}
