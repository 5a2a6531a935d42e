// Tires at random settings: the formulas of their sources, and the closed form of what their steps add up to.

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "base/core/random.hpp"
#include "lib/vehicle/tire.hpp"

using namespace simbatch;
using namespace simbatch::vehicle;

namespace {

double between(RandomStream& random, double low, double high) { return low + (high - low) * random.uniform(); }

TireSettings random_tire(RandomStream& random) {
  TireSettings tire;
  tire.stiffness = between(random, 2, 40);
  tire.stiffness_ratio = between(random, 0.5, 2);
  tire.friction = between(random, 0.2, 1.5);
  tire.relaxation_length_x = between(random, 0.05, 0.5);
  tire.relaxation_length_y = between(random, 0.05, 1);
  return tire;
}

}  // namespace

TEST_CASE("tire: the brush model is Pacejka's cubic, and smooth where the last bristle slides") {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    RandomStream random(seed, "brush");
    const TireSettings tire = random_tire(random);
    const double mu = between(random, 0.05, 1.5), theta = tire.stiffness / (3 * mu), most = full_sliding_slip(tire, mu);
    CAPTURE(seed);
    CHECK(most * theta == doctest::Approx(1));
    for (int i = 0; i < 20; ++i) {
      const double s = between(random, 0, 1.5 * most);
      const double expected = s < most ? mu * (1 - std::pow(1 - theta * s, 3)) : mu;
      CHECK(force_per_load(tire, s, mu) == doctest::Approx(expected));
      CHECK(force_per_load(tire, s, mu) <= mu * (1 + 1e-12));
      CHECK(secant(tire, s, mu) <= tire.stiffness * (1 + 1e-12));
    }
    const double h = 1e-4 * most;
    CHECK(force_per_load(tire, most - h, mu) == doctest::Approx(mu).epsilon(1e-10));  // the slope there is 0
    CHECK(secant(tire, most * (1 - 1e-12), mu) == doctest::Approx(secant(tire, most * (1 + 1e-12), mu)));
  }
}

TEST_CASE("tire: the Magic Formula is the one of its source for all shapes, and never negative") {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    RandomStream random(seed, "magic");
    TireSettings tire = random_tire(random);
    const MagicFormula m{between(random, 1, 30), between(random, 1, 2), between(random, -5, 1)};
    tire.curve = m;
    const double mu = between(random, 0.1, 1.5);
    CAPTURE(seed);
    CHECK(secant(tire, 0, mu) == doctest::Approx(mu * m.b * m.c));
    // Continuous where the formula is replaced by its limit.
    CHECK(secant(tire, 1.001e-6 / m.b, mu) == doctest::Approx(secant(tire, 0.999e-6 / m.b, mu)).epsilon(1e-5));
    for (int i = 0; i < 30; ++i) {
      const double s = std::pow(10, between(random, -5, 3)), bs = m.b * s;
      const double expected = mu * std::sin(m.c * std::atan(bs - m.e * (bs - std::atan(bs))));
      CHECK(force_per_load(tire, s, mu) == doctest::Approx(expected).epsilon(1e-9));
      CHECK(secant(tire, s, mu) >= 0);
    }
  }
}

TEST_CASE("tire: no grip without friction, a spring without limit") {
  const TireSettings tire;
  CHECK(secant(tire, 0.1, 0) == 0);
  CHECK(friction(tire, 4000, 1, 1, 0) == 0);
  CHECK(friction(tire, 4000, 1, 1, -1) == 0);
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  CHECK(secant(tire, 100, kInfinity) == tire.stiffness);
  const Deflection e = clipped(tire, {3, -4}, kInfinity);
  CHECK(e.x == 3);
  CHECK(e.y == -4);
}

TEST_CASE("tire: friction is the product of its three laws") {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    RandomStream random(seed, "friction");
    TireSettings tire = random_tire(random);
    tire.sliding_friction = between(random, 0, tire.friction);
    tire.load_sensitivity = between(random, 0, 0.4);
    const double load = between(random, 0, 20000), x = between(random, -20, 20), y = between(random, -20, 20),
                 ground = between(random, 0.05, 1.2);
    const double decay = std::exp(-std::hypot(x, y) / tire.sliding_speed);
    const double of_speed = decay * tire.friction + (1 - decay) * tire.sliding_friction;
    const double of_load = std::max(0.05, 1 - tire.load_sensitivity * (load - tire.nominal_load) / tire.nominal_load);
    CAPTURE(seed);
    CHECK(friction(tire, load, x, y, ground) == doctest::Approx(of_speed * of_load * ground));
    CHECK(friction(tire, load, y, -x, ground) == doctest::Approx(of_speed * of_load * ground));  // of any direction
  }
}

TEST_CASE("tire: steps of a deflection add up to the geometric series of implicit Euler") {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    RandomStream random(seed, "steps");
    const TireSettings tire = random_tire(random);
    const double dt = between(random, 1e-4, 0.02), transport = between(random, 0.5, 40), vy = between(random, -0.05, 0.05),
                 vx = between(random, -0.05, 0.05);
    const int n = 1 + static_cast<int>(random.below(200));
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    Deflection e{0.001, -0.002};
    for (int i = 0; i < n; ++i) e = advance(tire, e, vx, vy, transport, kInfinity, dt);
    const auto closed = [&](double start, double v, double length) {
      const double rest = -v * length / transport, fade = std::pow(1 + dt * transport / length, -n);
      return rest + (start - rest) * fade;
    };
    CAPTURE(seed);
    CHECK(e.x == doctest::Approx(closed(0.001, vx, tire.relaxation_length_x)));
    CHECK(e.y == doctest::Approx(closed(-0.002, vy, tire.relaxation_length_y)));
    // A wheel that does not roll is a spring: it takes up the way that the tread slides.
    Deflection parked;
    for (int i = 0; i < n; ++i) parked = advance(tire, parked, vx, vy, 0, kInfinity, dt);
    CHECK(parked.x == doctest::Approx(-vx * n * dt));
    CHECK(parked.y == doctest::Approx(-vy * n * dt));
  }
}

TEST_CASE("tire: clipping keeps the direction, reaches exactly full sliding, and changes nothing within") {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    RandomStream random(seed, "clip");
    const TireSettings tire = random_tire(random);
    const double mu = between(random, 0.05, 1.5), most = full_sliding_slip(tire, mu);
    const Deflection e{between(random, -0.5, 0.5), between(random, -0.5, 0.5)}, c = clipped(tire, e, mu);
    CAPTURE(seed);
    CHECK(c.x * e.y == doctest::Approx(c.y * e.x));
    CHECK(combined_slip(tire, c) == doctest::Approx(std::min(combined_slip(tire, e), most)));
    const Deflection again = clipped(tire, c, mu);
    CHECK(again.x == doctest::Approx(c.x).epsilon(1e-15));
    if (combined_slip(tire, e) < most) {
      CHECK(c.x == e.x);
      CHECK(c.y == e.y);
    }
    // Components combine as the legs of a triangle.
    const double x = combined_slip(tire, {e.x, 0}), y = combined_slip(tire, {0, e.y});
    CHECK(combined_slip(tire, e) == doctest::Approx(std::hypot(x, y)));
    CHECK(x == doctest::Approx(tire.stiffness_ratio * std::abs(e.x) / tire.relaxation_length_x));
  }
}
