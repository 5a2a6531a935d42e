// Tires, steering and spins by themselves.

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "lib/vehicle/spin.hpp"
#include "lib/vehicle/steering.hpp"
#include "lib/vehicle/tire.hpp"

using namespace simbatch;
using namespace simbatch::vehicle;

TEST_CASE("tire: the brush model has its slope at 0, its peak at full sliding, and grows in between") {
  TireSettings tire;
  tire.stiffness = 20;
  CHECK(secant(tire, 0, 0.9) == doctest::Approx(20));
  CHECK(full_sliding_slip(tire, 0.9) == doctest::Approx(0.135));
  CHECK(force_per_load(tire, 0.135, 0.9) == doctest::Approx(0.9));
  CHECK(force_per_load(tire, 5, 0.9) == doctest::Approx(0.9));
  double before = 0;
  for (double s = 0.005; s < 0.135; s += 0.005) {
    const double force = force_per_load(tire, s, 0.9);
    CHECK(force > before);
    before = force;
  }
  // Pacejka 2012, eq. 3.6: mu (1 - (1 - theta s)^3), theta = c / (3 mu).
  CHECK(force_per_load(tire, 0.05, 0.9) == doctest::Approx(0.9 * (1 - std::pow(1 - 20 / 2.7 * 0.05, 3))));
}

TEST_CASE("tire: the Magic Formula peaks at its friction and falls beyond it") {
  TireSettings tire;
  tire.curve = MagicFormula{10, 1.6, 0};
  CHECK(secant(tire, 0, 0.8) == doctest::Approx(10 * 1.6 * 0.8));
  const double peak_at = std::tan(std::numbers::pi / 2 / 1.6) / 10;
  CHECK(force_per_load(tire, peak_at, 0.8) == doctest::Approx(0.8));
  CHECK(force_per_load(tire, 4 * peak_at, 0.8) < 0.75);
}

TEST_CASE("tire: friction falls with load and with sliding") {
  TireSettings tire;
  tire.load_sensitivity = 0.1;
  CHECK(friction(tire, 8000, 0, 0, 1) == doctest::Approx(0.9));
  CHECK(friction(tire, 1e9, 0, 0, 1) == doctest::Approx(0.05));
  tire.load_sensitivity = 0;
  tire.sliding_friction = 0.7;
  CHECK(friction(tire, 4000, 0, 0, 0.5) == doctest::Approx(0.5));
  CHECK(friction(tire, 4000, 0, 60, 1) == doctest::Approx(0.7).epsilon(1e-4));
}

TEST_CASE("tire: a deflection reaches the steady slip over its relaxation length, at any step") {
  TireSettings tire;
  for (const double dt : {1 / 60.0, 1 / 1000.0}) {
    Deflection e;
    for (double t = 0; t < 2; t += dt) e = advance(tire, e, 0, -0.2, 10, 1, dt);
    CHECK(combined_slip(tire, e) == doctest::Approx(0.02));
  }
}

TEST_CASE("steering: wheels on the circle about one center") {
  const geo::Vec3 wheels[] = {{-0.8, 0, 1.3}, {0.8, 0, 1.3}, {-0.8, 0, -1.2}, {0.8, 0, -1.2}};
  const bool steered[] = {true, true, false, false};
  const SteeringGeometry g = steering_geometry(wheels, steered);
  CHECK(g.has_center);
  CHECK(g.z == doctest::Approx(-1.2));
  const double middle = 0.4, rho = 2.5 / std::tan(middle);
  CHECK(wheel_angle(g, wheels[0], middle, 1) == doctest::Approx(std::atan(2.5 / (rho + 0.8))));
  CHECK(wheel_angle(g, wheels[1], middle, 1) == doctest::Approx(std::atan(2.5 / (rho - 0.8))));
  CHECK(wheel_angle(g, wheels[0], -middle, 1) == doctest::Approx(-wheel_angle(g, wheels[1], middle, 1)));
  CHECK(wheel_angle(g, wheels[0], middle, 0) == middle);
  for (const double share : {0.0, 0.5, 1.0})
    for (const double angle : {-0.5, 0.0, 0.3}) {
      const WheelDirection d = wheel_direction(g, wheels[1], angle, share);
      CHECK(std::atan2(d.sine, d.cosine) == doctest::Approx(wheel_angle(g, wheels[1], angle, share)));
    }
  const bool all[] = {true, true, true, true};
  CHECK(wheel_angle(steering_geometry(wheels, all), wheels[0], middle, 1) == middle);
}

TEST_CASE("spin: one wheel by itself and as a group of one agree in every regime") {
  for (const double brake : {0.0, 30.0, 3000.0})
    for (const double motor : {0.0, 100.0, 5000.0})
      for (const double hub : {-3.0, 0.0, 12.0}) {
        CAPTURE(brake);
        CAPTURE(motor);
        CAPTURE(hub);
        const SpinInput w{0.8, 0.3, 20, 150, {0, brake}, {25, motor}, 40, 900, hub};
        const SpinResult one = eliminate(w, 1 / 240.0);
        const GroupResult group = eliminate(std::span(&w, 1), {}, 1 / 240.0);
        CHECK(one.spin0 + one.gain * hub == doctest::Approx(group.spin0[0] + group.gain[0] * hub).epsilon(1e-9));
        CHECK(one.a - one.b * hub == doctest::Approx(group.a[0] - group.b[0] * hub).epsilon(1e-9));
        CHECK(one.b >= 0);
        CHECK(one.b <= 900);
      }
}

TEST_CASE("spin: an open differential splits torque, a locked one ties speeds, an engine adds its inertia to both") {
  const auto wheel = [](double torque, double grip) { return SpinInput{1, 0.3, 10, torque, {}, {}, 0, grip, 3.0}; };
  const double dt = 0.01;
  // One wheel on ice, one on the road.
  const SpinInput wheels[] = {wheel(100, 0), wheel(100, 1e5)};
  const auto speeds = [&](const GroupResult& r) {
    return std::array{r.spin0[0] + r.gain[0] * 3 + r.gain[1] * 3, r.spin0[1] + r.gain[2] * 3 + r.gain[3] * 3};
  };
  const auto open = speeds(eliminate(wheels, {}, dt));
  CHECK(open[0] == doctest::Approx(11));
  CHECK(open[1] == doctest::Approx(10).epsilon(0.01));
  const Coupling locker{{1, -1}, 0, std::numeric_limits<double>::infinity()};
  const auto locked = speeds(eliminate(wheels, std::span(&locker, 1), dt));
  CHECK(locked[0] == doctest::Approx(locked[1]).epsilon(1e-12));
  const Coupling limited{{1, -1}, 0, 40};
  CHECK(speeds(eliminate(wheels, std::span(&limited, 1), dt))[0] == doctest::Approx(11 - 0.4));
  // In the air, both wheels alike: (I + J / 2) dw = dt T with J at the mean of the spins.
  const SpinInput air[] = {wheel(100, 0), wheel(100, 0)};
  const Coupling engine{{0.5, 0.5}, 4, 0};
  CHECK(speeds(eliminate(air, std::span(&engine, 1), dt))[0] == doctest::Approx(10 + 0.01 * 100 / (1 + 4 * 0.5 * 0.5 * 2)));
}
