// Engines, gearboxes, differentials and anti-lock brakes by themselves, and a car that drives by them.

#include <doctest/doctest.h>

#include <cmath>

#include "lib/vehicle/drive_train.hpp"
#include "tests/unit/lib/vehicle/flat_car.hpp"

using namespace simbatch;
using namespace simbatch::vehicle;

namespace {

DriveTrainSettings settings() {
  DriveTrainSettings s;
  s.engine.curve = {{100, 120}, {400, 200}, {600, 160}};
  s.engine.idle = 90;
  s.engine.limit = 650;
  s.engine.brake_torque = 20;
  s.engine.brake_slope = 0.05;
  s.gearbox.ratios = {3.5, 2, 1.3};
  s.gearbox.final_ratio = 4;
  s.gearbox.efficiency = 0.9;
  return s;
}

}  // namespace

TEST_CASE("drive train: the torque curve, its ends, the limiter and the engine's brake") {
  const EngineSettings e = settings().engine;
  CHECK(engine_torque(e, 50, 1) == 120);
  CHECK(engine_torque(e, 250, 1) == doctest::Approx(160));
  CHECK(engine_torque(e, 640, 1) == 160);
  CHECK(engine_torque(e, 651, 1) == 0);
  CHECK(engine_torque(e, 90, 0) == 0);
  CHECK(engine_torque(e, 400, 0) == doctest::Approx(-40));
  CHECK(engine_torque(e, 400, 0.5) == doctest::Approx(80));
}

TEST_CASE("drive train: torque goes through gear, axle and efficiency, half to each side; the clutch slips below idle") {
  DriveTrainSettings s = settings();
  DriveTrainState state;
  const DrivenWheel slow[] = {{2, false}, {2, false}};
  DriveTrainStep step = drive(s, state, 1, slow, 0.01);
  CHECK(state.engine_speed == 90);
  CHECK(step.couplings.empty());  // the clutch slips
  CHECK(step.torques[0] == doctest::Approx(120 * 3.5 * 4 * 0.9 / 2));
  const DrivenWheel fast[] = {{20, false}, {24, false}};
  step = drive(s, state, 1, fast, 0.01);
  CHECK(state.engine_speed == doctest::Approx(22 * 14));
  REQUIRE(step.couplings.size() == 1);
  CHECK(step.couplings[0].direction == Numbers{7, 7});
}

TEST_CASE("drive train: gears change up and down, with a pause, and backwards only when slow") {
  DriveTrainSettings s = settings();
  DriveTrainState state;
  const auto run = [&](double spin, double throttle) {
    const DrivenWheel wheels[] = {{spin, true}, {spin, true}};
    return drive(s, state, throttle, wheels, 0.01).torques[0];
  };
  CHECK(run(40, 1) > 0);
  CHECK(run(44, 1) == 0);  // 616 rad/s: up
  CHECK(state.gear == 2);
  for (int i = 0; i < 29; ++i) run(44, 1);
  CHECK(run(44, 1) > 0);
  run(30, 1);  // 240 rad/s: down
  CHECK(state.gear == 1);
  for (int i = 0; i < 40; ++i) run(20, -1);
  CHECK(state.gear == 1);
  CHECK(run(20, -1) < 0);  // no throttle, so the engine brakes
  CHECK(run(0.5, -1) < 0);
  CHECK(state.gear == -1);
  run(-10, -1);
  CHECK(state.gear == -1);
  run(0, 1);
  CHECK(state.gear == 1);
}

TEST_CASE("drive train: both axles get their shares, locked differentials couple sides and axles") {
  DriveTrainSettings s = settings();
  s.front_share = 0.4;
  s.differential = Differential::limited;
  s.lock_torque = 80;
  DriveTrainState state;
  const DrivenWheel wheels[] = {{0, true}, {0, true}, {0, false}, {0, false}};
  const DriveTrainStep step = drive(s, state, 1, wheels, 0.01);
  CHECK(step.torques[0] / step.torques[2] == doctest::Approx(0.4 / 0.6));
  REQUIRE(step.couplings.size() == 3);
  CHECK(step.couplings[0].direction == Numbers{-1, 1, 0, 0});
  CHECK(step.couplings[2].direction == Numbers{0.5, 0.5, -0.5, -0.5});
  CHECK(step.couplings[2].limit == 80);
}

TEST_CASE("drive train: a car accelerates by engine torque less what its own inertia takes, at every step rate") {
  for (const double hz : {60.0, 120.0, 240.0, 1000.0}) {
    CAPTURE(hz);
    test::FlatCar car(test::thesis_car(20, 1, 0.5));
    car.position = {0, 0.55, 0};
    car.run(2, hz);
    car.roll_at(10);
    DriveTrainSettings s = settings();
    s.gearbox.shift_up = 1e9;
    s.gearbox.shift_down = 0;
    s.engine.limit = 1e9;
    s.engine.curve = {{1, 150}};
    DriveTrainState state;
    state.gear = 2;
    car.groups = {{{2, 3}, {}}};
    const auto steps = static_cast<int>(2 * hz);
    for (int i = 0; i < steps; ++i) {
      const DrivenWheel wheels[] = {{car.memories[2].spin, false}, {car.memories[3].spin, false}};
      const DriveTrainStep step = drive(s, state, 1, wheels, 1 / hz);
      car.groups[0].couplings = step.couplings;
      for (std::size_t k = 0; k < 2; ++k) car.inputs[2 + k].torque = step.torques[k];
      car.step(1 / hz);
    }
    // F = T G eta / R on the mass, the wheels, and the engine turning G times as fast.
    const double g = 8, r = 0.36, mass = 1400 + (4 * 0.5 + s.engine.inertia * g * g) / (r * r);
    CHECK(car.speed() == doctest::Approx(10 + 2 * 150 * g * 0.9 / r / mass).epsilon(0.005));
  }
}

TEST_CASE("anti-lock: on wet ground the wheels keep turning, and the car stops in what friction allows") {
  for (const double hz : {120.0, 240.0, 1000.0}) {
    CAPTURE(hz);
    test::FlatCarModel model = test::thesis_car(20, 1, 0.8);
    for (auto& wheel : model.wheels) {
      wheel.tire.sliding_friction = 0.7;
      wheel.tire.sliding_speed = 2;
      wheel.roll_influence = 1;
    }
    const auto distance = [&](bool anti_lock_on) {
      test::FlatCar car(model);
      car.position = {0, 0.55, 0};
      car.ground_friction = 0.5;
      car.run(2, hz);
      car.position.z = 0;
      car.roll_at(20);
      std::array<double, 4> share{1, 1, 1, 1};
      for (int i = 0; i < 10 * hz; ++i) {
        for (std::size_t k = 0; k < 4; ++k) {
          const WheelMemory& m = car.memories[k];
          if (anti_lock_on) share[k] = anti_lock(share[k], 0.1, 0.36 * m.spin, m.hub_x, 1 / hz);
          car.inputs[k].brake_torque = 2500 * share[k];
        }
        car.step(1 / hz);
        if (anti_lock_on && car.speed() > 4) CHECK(car.memories[0].spin >= 0);
      }
      return car.position.z;
    };
    const double locked = distance(false), kept = distance(true), best = 20 * 20 / (2 * 0.5 * 9.81);
    CHECK(locked == doctest::Approx(best / 0.7).epsilon(0.06));
    CHECK(kept < 0.92 * locked);
    CHECK(kept > 0.98 * best);
  }
}
