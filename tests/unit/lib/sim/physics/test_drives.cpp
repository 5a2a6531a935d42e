// Springs, dampers, friction and motors of joints against closed forms, at four rates, for links between bodies and for joints
// of articulations.

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "lib/sim/physics/drive_rows.hpp"
#include "lib/sim/physics/world.hpp"
#include "tests/unit/lib/sim/physics/car.hpp"

using namespace simbatch;
using namespace simbatch::physics;
using test::residual;

namespace {

constexpr double kRates[] = {60, 120, 240, 1000};

/// A bar of 1 m that turns about its end, or a block on a rail: one joint, one moving body.
struct OneJoint {
  World world;
  bool reduced, turns;
  LinkId link{};
  ArticulationId articulation{};
  double inertia = 0;

  OneJoint(double rate, bool reduced_, bool turns_, const JointLoad& load, bool motor, Vec3 gravity = {})
      : world(WorldSettings{.dt = 1 / rate, .gravity = gravity}), reduced(reduced_), turns(turns_) {
    constexpr double mass = 3;
    const Part bar{Box{{1, 0.1, 0.1}}, {}};
    inertia = turns ? mass * (1 + 0.01) / 12 + mass * 0.25 : mass;
    if (reduced) {
      ArticulationSettings s;
      s.name = "arm";
      s.base.name = "base";
      s.base.parts = {{Box{{0.1, 0.1, 0.1}}, {}}};
      s.self_collision = false;
      ArticulatedLink l;
      l.body.name = "bar";
      l.body.parts = {{bar.shape, {{0.5, 0, 0}, {}}}};
      l.body.mass = mass;
      l.joint = turns ? JointKind::revolute : JointKind::prismatic;
      l.axis = turns ? Vec3{0, 0, 1} : Vec3{1, 0, 0};
      l.load = load;
      l.motor = motor;
      s.links = {l};
      articulation = world.add_articulation(s);
    } else {
      BodySettings b;
      b.name = "bar";
      b.parts = {bar};
      b.mass = mass;
      b.pose.p = {0.5, 0, 0};
      LinkSettings l;
      l.kind = turns ? LinkKind::revolute : LinkKind::prismatic;
      l.b = world.add_body(b);
      l.axis = turns ? Vec3{0, 0, 1} : Vec3{1, 0, 0};
      l.load = load;
      l.motor = motor;
      link = world.add_link(l);
    }
  }
  double position() const { return reduced ? world.joint_position(articulation, 0) : world.link_position(link); }
  double rate() const { return reduced ? world.joint_velocity(articulation, 0) : world.link_velocity(link); }
  double motor_force() const { return reduced ? world.joint_motor_force(articulation, 0) : world.link_motor_force(link); }
  double load_force() const { return reduced ? world.joint_load_force(articulation, 0) : world.link_load_force(link); }
  void set(const JointMotor& motor) {
    if (reduced)
      world.set_joint_motor(articulation, 0, motor);
    else
      world.set_link_motor(link, motor);
  }
  void run(double seconds) {
    const auto steps = static_cast<int>(std::lround(seconds / world.settings().dt));
    for (int i = 0; i < steps; ++i) world.step();
  }
};

// A link between bodies makes its anchors meet at the end of a step, to second order: a turning bar loses a little energy, less
// where it turns
// by little each step. Joints of articulations, and everything that slides, are exact.
double room(double rate, bool reduced, bool turns) { return !reduced && turns ? 60 / rate : 0; }

template <class F>
void for_all_joints(F&& f) {
  for (const double rate : kRates)
    for (const bool reduced : {false, true})
      for (const bool turns : {false, true}) {
        CAPTURE(rate);
        CAPTURE(reduced);
        CAPTURE(turns);
        f(rate, reduced, turns);
      }
}

}  // namespace

TEST_CASE("drives: the discrete oscillator has the eigenvalues of the exact one") {
  for (const double k : {0.0, 1e-6, 3.0, 400.0, 5e4})
    for (const double c : {0.0, 1e-9, 0.4, 40.0, 7e3})
      for (const double rate : kRates) {
        CAPTURE(k);
        CAPTURE(c);
        CAPTURE(rate);
        const double m = 0.7, dt = 1 / rate;
        const detail::Discrete d = detail::discretize(k, c, m, dt);
        CHECK(d.grip >= 0);
        const double total = m + d.grip;
        const double det = 1 - dt * d.damping / total, trace = 1 + det - k * dt * dt / total;
        const double gamma = c / (2 * m), omega2 = k / m - gamma * gamma;
        CHECK(det == doctest::Approx(std::exp(-2 * gamma * dt)).epsilon(1e-9));
        if (omega2 > 0 && std::sqrt(omega2) * dt < 1.57)
          CHECK(trace == doctest::Approx(2 * std::exp(-gamma * dt) * std::cos(std::sqrt(omega2) * dt)).epsilon(1e-9));
        if (omega2 <= 0) {
          const double s = std::sqrt(-omega2);
          CHECK(trace == doctest::Approx(std::exp((-gamma + s) * dt) + std::exp((-gamma - s) * dt)).epsilon(1e-9));
        }
        // Stable: both eigenvalues within the unit circle (Jury).
        CHECK(std::abs(det) <= 1 + 1e-12);
        CHECK(std::abs(trace) <= 1 + det + 1e-12);
      }
}

TEST_CASE("drives: a damped oscillation has the period and the decay of the closed form") {
  for_all_joints([](double rate, bool reduced, bool turns) {
    const double m = OneJoint(rate, reduced, turns, {}, false).inertia;
    JointLoad load;
    load.stiffness = m * 36;  // 6 rad/s
    load.damping = m * 0.6;   // 0.3 1/s
    load.rest = 0.4;
    OneJoint joint(rate, reduced, turns, load, false);
    // x[n+1] = trace x[n] - det x[n-1] about the rest: two numbers from three places.
    joint.run(1);
    const double a = joint.position() - 0.4;
    joint.world.step();
    const double b = joint.position() - 0.4;
    joint.world.step();
    const double c = joint.position() - 0.4;
    joint.world.step();
    const double d = joint.position() - 0.4;
    const double det = (c * c - b * d) / (b * b - a * c), trace = (d + det * b) / c;
    const double decay = -std::log(det) / 2 * rate, omega = std::acos(trace / (2 * std::sqrt(det))) * rate;
    const double exact = std::sqrt(36 - 0.09);
    CHECK(residual("decay, share", decay / 0.3 - 1) < 1e-6 + 1e-3 * room(rate, reduced, turns));
    CHECK(residual("period, share", exact / omega - 1) < 1e-7 + 1e-5 * room(rate, reduced, turns));
    // The path itself is late by half a step.
    const double t = 1 + 3 / rate + 0.5 / rate;
    const double path = 0.4 - 0.4 * std::exp(-0.3 * t) * (std::cos(exact * t) + 0.3 / exact * std::sin(exact * t));
    CHECK(residual("path", joint.position() - path) < 2 * 36 / (24 * rate * rate) + 5e-3 * room(rate, reduced, turns));
    CHECK(residual("spring and damper", joint.load_force() / m + 36 * d + 0.6 * joint.rate()) < 40 / rate);
  });
}

TEST_CASE("drives: without a damper a spring neither gains nor loses energy in 10,000 steps") {
  for_all_joints([](double rate, bool reduced, bool turns) {
    const double m = OneJoint(rate, reduced, turns, {}, false).inertia;
    JointLoad load;
    load.stiffness = m * 900;  // half a radian a step at 60 Hz
    load.rest = 0.1;
    OneJoint joint(rate, reduced, turns, load, false);
    double early = 0, late = 0;
    for (int i = 0; i < 10000; ++i) {
      joint.world.step();
      double& most = i < 1000 ? early : late;
      most = std::max(most, std::abs(joint.position() - 0.1));
    }
    CHECK(late / early - 1 < 2e-6);  // 1.3e-6: which places of the wave are met
    if (reduced || !turns) CHECK(residual("amplitude, share", late / early - 1) < 2e-6);
  });
}

TEST_CASE("drives: a position motor answers as its closed form, stays there under load, and takes any gain") {
  for_all_joints([](double rate, bool reduced, bool turns) {
    const double m = OneJoint(rate, reduced, turns, {}, false).inertia;
    OneJoint joint(rate, reduced, turns, {}, true);
    // Critical damping: x = target (1 - (1 + w t) exp(-w t)).
    JointMotor motor{.stiffness = m * 64, .damping = {}, .target = 0.5};
    joint.set(motor);
    joint.run(0.25);
    const double t = std::round(0.25 * rate) / rate + 0.5 / rate;
    CHECK(residual("step answer", joint.position() - 0.5 * (1 - (1 + 8 * t) * std::exp(-8 * t))) < 40 / (rate * rate) + 1e-9);
    joint.run(3);
    CHECK(residual("target", joint.position() - 0.5) < 1e-6);

    for (const double stiffness : {1e3, 1e6, 1e9})
      for (const double damping : {0.0, 1.0, 1e3, 1e7}) {
        CAPTURE(stiffness);
        CAPTURE(damping);
        OneJoint any(rate, reduced, turns, {}, true);
        any.set({.stiffness = stiffness, .damping = damping, .target = 0.3});
        double most = 0;
        for (int i = 0; i < 600; ++i) {
          any.world.step();
          most = std::max(most, std::abs(any.position() - 0.3));
        }
        CHECK(most < 0.3 * (!reduced && turns ? 2 : 1.42));
      }
  });
}

TEST_CASE("drives: motors stall at their limit, droop by load / stiffness, and speed motors hold their speed") {
  for_all_joints([](double rate, bool reduced, bool turns) {
    const Vec3 gravity = turns ? Vec3{0, -9.81, 0} : Vec3{-9.81, 0, 0};
    const double load = 3 * 9.81 * (turns ? 0.5 : 1);
    OneJoint held(rate, reduced, turns, {}, true, gravity);
    held.set({.stiffness = 4000, .damping = {}, .max_force = 1.01 * load});
    held.run(3);
    const double droop = turns ? load * std::cos(held.position()) / 4000 : load / 4000;
    CHECK(residual("droop", held.position() + droop) < 1e-7);
    CHECK(residual("force", held.motor_force() / (4000 * droop) - 1) < 1e-6);

    OneJoint weak(rate, reduced, turns, {}, true, gravity);
    weak.set({.stiffness = 4000, .damping = {}, .max_force = 0.5 * load});
    weak.run(0.2);
    CHECK(weak.position() < -0.02);
    CHECK(residual("limit", weak.motor_force() - 0.5 * load) < 1e-9);

    OneJoint quick(rate, reduced, turns, {}, true);
    quick.set({.damping = {}, .speed = 2, .max_force = 10});
    quick.run(2);
    CHECK(residual("speed", quick.rate() - 2) < 1e-9);
    OneJoint soft(rate, reduced, turns, {}, true);
    soft.set({.damping = soft.inertia, .speed = 2});  // 1 s
    soft.run(1);
    CHECK(residual("speed of a gain", soft.rate() - 2 * (1 - std::exp(-1.0))) < 0.02);
  });
}

TEST_CASE("drives: torque gives torque / inertia, a rotor adds to it, dry friction holds and brakes") {
  for_all_joints([](double rate, bool reduced, bool turns) {
    OneJoint plain(rate, reduced, turns, {}, true);
    plain.set({.force = 0.6});
    plain.run(1);
    CHECK(residual("rate", plain.rate() - 0.6 / plain.inertia) < 1e-9 + 5e-4 * room(rate, reduced, turns));

    JointLoad rotor;
    rotor.rotor = 2;
    OneJoint heavy(rate, reduced, turns, rotor, true);
    heavy.set({.force = 0.6});
    heavy.run(1);
    CHECK(residual("with a rotor", heavy.rate() - 0.6 / (heavy.inertia + 2)) < 1e-9 + 5e-4 * room(rate, reduced, turns));

    JointLoad dry;
    dry.friction = 0.5;
    OneJoint stuck(rate, reduced, turns, dry, true);
    stuck.set({.force = 0.49});
    stuck.run(1);
    CHECK(residual("stuck", stuck.position()) < 1e-9);
    stuck.set({.force = 0.8});
    stuck.run(1);
    CHECK(residual("slides", stuck.rate() - 0.3 / stuck.inertia) < 1e-9 + 5e-4 * room(rate, reduced, turns));
  });
}
