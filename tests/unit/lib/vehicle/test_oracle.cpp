// Three cars against an independent multi-body model (corpus/vehicle): step steer (mbs), sine with dwell and circles (mb).

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "tests/unit/lib/vehicle/flat_car.hpp"

using namespace simbatch;

namespace {

/// Figures of the corpus' parameters.json (US DOT data); roll stiffnesses and axle stiffnesses are its derived ones.
struct Figures {
  const char* name;
  double mass, a, b;                  // kg; m from the center of mass to the axles
  double roll, pitch, yaw;            // kg m^2
  double spring_front, damper_front;  // N/m, N s/m
  double spring_rear, damper_rear;
  double track_front, track_rear, tire_spring, height;
  double roll_front, roll_rear, axle_front, axle_rear;  // N m/rad, N/rad
};
constexpr Figures kCars[] = {
    {"escort", 1225.8878467253344, 0.88392, 1.50876, 244.047, 1342.26, 1538.853, 21898.33, 1459.390, 21898.33, 1459.390,
     1.389888, 1.423416, 189785.5, 0.557784, 34031.75, 22184.25, 162536.92, 101072.12},
    {"bmw320i", 1093.2952334674046, 1.1561957, 1.4227171, 207.265, 1565.818, 1791.6, 24453.138, 1786.244, 19635.505, 1649.083,
     1.38684, 1.36398, 158294.14, 0.5748690, 30430.55, 20908.954, 128279.03, 106817.92},
    {"vanagon", 1478.8979637767998, 1.1507916, 1.3211364, 479.884, 2204.323, 2473.118, 33577.443, 2405.564, 39125.021, 2769.727,
     1.574292, 1.543812, 212641.57, 0.7478167, 75557.306, 54355.79, 168762.53, 149252.44},
};

test::FlatCarModel model_of(const Figures& f) {
  constexpr double kG = 9.81, kRadius = 0.344, kShape = 1.3507, kFriction = 1.0489, kCurvature = -0.0074722, kStiffness = 21.92;
  test::FlatCarModel car;
  car.mass = f.mass;
  car.inertia = {f.pitch, f.yaw, f.roll};
  car.ackermann = 0;
  const double base = f.a + f.b;
  for (const bool front : {true, false}) {
    const double load = f.mass * kG * (front ? f.b : f.a) / base / 2, spring = front ? f.spring_front : f.spring_rear;
    const double share = f.tire_spring / (spring + f.tire_spring), stiffness = spring * share;
    const double track = front ? f.track_front : f.track_rear;
    for (const double side : {-1.0, 1.0}) {
      vehicle::WheelModel wheel;
      wheel.radius = kRadius;
      wheel.inertia = 1.7;
      wheel.stiffness = stiffness;
      wheel.damping = (front ? f.damper_front : f.damper_rear) * share * share;
      wheel.lateral = side * track / 2;
      // The model's axles carry the body's weight by its center and their own, while all moments are taken about that center: its
      // loads differ from ours by -2.2 and 3.8 % (escort). So each axle gets the curve that it has there, stiffness and grip alike.
      wheel.tire.friction = kFriction * (front ? f.axle_front : f.axle_rear) / (2 * load * kStiffness);
      wheel.tire.stiffness = (front ? f.axle_front : f.axle_rear) / (2 * load);
      wheel.tire.curve = vehicle::MagicFormula{kStiffness / (kShape * kFriction), kShape, kCurvature};
      wheel.tire.relaxation_length_y = 0.05;
      car.wheels.push_back(wheel);
      car.hard_points.push_back({side * track / 2, 0, front ? f.a : -f.b});
      car.rest_lengths.push_back(f.height - kRadius + load / stiffness);
    }
    const std::size_t first = car.wheels.size() - 2;
    const double wanted = front ? f.roll_front : f.roll_rear;
    car.bars.push_back({first, first + 1, (wanted - stiffness * track * track / 2) / (track * track)});
  }
  return car;
}

struct Row {
  double time, delta, speed, yaw_rate, side;
};
std::vector<Row> series(const std::string& path) {
  std::vector<Row> rows;
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  while (std::getline(file, line)) {
    std::stringstream cells(line);
    std::vector<double> v;
    for (std::string cell; std::getline(cells, cell, ',');) v.push_back(std::stod(cell));
    rows.push_back({v[0], v[1], v[5], v[7], v[8]});
  }
  return rows;
}

const char* corpus() {
  const char* shared = std::getenv("SIMBATCH_SHARED");
  if (shared == nullptr) MESSAGE("skipped: SIMBATCH_SHARED is not set");
  return shared;
}

/// How a car follows the steering of a series; values are of the series' times.
struct Comparison {
  double peak = 0, worst = 0;         // of the series' yaw rate; difference from it (rad/s)
  double side_peak = 0, side = 0;     // largest lateral accelerations, of the series and of the car (m/s^2)
  double second = 0, own_second = 0;  // most negative yaw rates
  double yaw_rate_end = 0, speed_end = 0;
};
Comparison follow(const Figures& figures, const std::vector<Row>& rows, double hz) {
  test::FlatCar car(model_of(figures));
  car.position = {0, figures.height, 0};
  car.roll_at(rows.front().speed);
  Comparison c;
  std::size_t next = 0;
  vehicle::Velocity before = car.velocity;
  double side = 0;
  for (long k = 0; next < rows.size(); ++k) {
    const double time = static_cast<double>(k) / hz;
    while (next < rows.size() && rows[next].time <= time + 1e-9) {
      const double back = (time - rows[next].time) * hz;  // of a step, to the row's time
      const double rate = car.velocity.angular.y + back * (before.angular.y - car.velocity.angular.y);
      c.peak = std::max(c.peak, std::abs(rows[next].yaw_rate));
      c.worst = std::max(c.worst, std::abs(rate - rows[next].yaw_rate));
      c.second = std::min(c.second, rows[next].yaw_rate);
      c.own_second = std::min(c.own_second, rate);
      c.side_peak = std::max(c.side_peak, std::abs(rows[next].side));
      c.side = std::max(c.side, std::abs(side));
      ++next;
    }
    const double at = (time + 1 / hz) * 100;
    const auto i = std::min(static_cast<std::size_t>(at), rows.size() - 2);
    car.steer(rows[i].delta + std::min(at - static_cast<double>(i), 1.0) * (rows[i + 1].delta - rows[i].delta));
    before = car.velocity;
    car.step(1 / hz);
    side = geo::dot(hz * (car.velocity.linear - before.linear), car.attitude * geo::Vec3{1, 0, 0});
  }
  c.yaw_rate_end = car.velocity.angular.y;
  c.speed_end = car.speed();
  return c;
}

}  // namespace

TEST_CASE("step steer to 4 m/s^2: yaw rate and lateral acceleration of three cars, against a multi-body model") {
  const char* shared = corpus();
  if (shared == nullptr) return;
  for (const Figures& figures : kCars)
    for (const char* speed : {"_10", "_20"})
      for (const double hz : {120.0, 240.0, 1000.0}) {
        CAPTURE(figures.name);
        CAPTURE(speed);
        CAPTURE(hz);
        const std::vector<Row> rows = series(std::string(shared) + "/corpus/vehicle/step_" + figures.name + speed + "_mbs.csv");
        REQUIRE(!rows.empty());
        const Comparison c = follow(figures, rows, hz);
        CHECK(c.worst / c.peak < (hz < 240 ? 0.04 : 0.025));  // measured 0.033 at 120 Hz, 0.022 at 240 Hz and 1 kHz
        // Lateral acceleration in the end: v r, the car being steady.
        CHECK(c.speed_end * c.yaw_rate_end == doctest::Approx(rows.back().side).epsilon(0.02));
        CHECK(c.speed_end == doctest::Approx(rows.back().speed).epsilon(0.005));
      }
}

// At the limit of grip: up to three times the steering that makes 0.3 g at 80 km/h, there and back.
TEST_CASE("sine with dwell: yaw rate and lateral acceleration of three cars, against a multi-body model") {
  const char* shared = corpus();
  if (shared == nullptr) return;
  for (const Figures& figures : kCars)
    for (const char* amplitude : {"_2A", "_3A"})
      for (const double hz : {120.0, 240.0, 1000.0}) {
        CAPTURE(figures.name);
        CAPTURE(amplitude);
        CAPTURE(hz);
        const std::vector<Row> rows =
            series(std::string(shared) + "/corpus/vehicle/dwell_" + figures.name + amplitude + "_mb.csv");
        REQUIRE(!rows.empty());
        const Comparison c = follow(figures, rows, hz);
        // At every moment; measured 0.079, 0.051 and 0.067 of the bmw320i at 3A (8.4 m/s^2). Most of it is camber thrust: without it the
        // multi-body model itself is off by 0.081, 0.047 and 0.049.
        CHECK(c.worst / c.peak < 0.085);
        CHECK(c.own_second == doctest::Approx(c.second).epsilon(0.055));
        CHECK(c.side == doctest::Approx(c.side_peak).epsilon(0.07));
      }
}

// ISO 4138 at 20 m/s: from the linear range to 7.5 m/s^2, where the inner wheels of one car nearly lift.
TEST_CASE("steady circles: yaw rate and lateral acceleration of three cars, against a multi-body model") {
  const char* shared = corpus();
  if (shared == nullptr) return;
  std::ifstream file(std::string(shared) + "/corpus/vehicle/circle.csv");
  std::string line;
  std::getline(file, line);
  int circles = 0;
  while (std::getline(file, line)) {
    std::stringstream cells(line);
    std::string name, cell;
    std::getline(cells, name, ',');
    std::vector<double> v;  // v, delta, ay, r ...
    while (std::getline(cells, cell, ',')) v.push_back(std::stod(cell));
    const auto figures = std::find_if(std::begin(kCars), std::end(kCars), [&](const Figures& f) { return name == f.name; });
    REQUIRE(figures != std::end(kCars));
    for (const double hz : {120.0, 240.0, 1000.0}) {
      CAPTURE(line);
      CAPTURE(hz);
      test::FlatCar car(model_of(*figures));
      car.position = {0, figures->height, 0};
      car.roll_at(v[0]);
      for (int k = 0; k < 12 * hz; ++k) {
        car.steer(v[1] * std::min(1.0, k / (2 * hz)));
        // All wheels keep the speed; the force is 5 % of the weight at most.
        const double push = 2 * figures->mass * (v[0] - car.speed()) * 0.344 / 4;
        for (vehicle::WheelInput& wheel : car.inputs) wheel.torque = push;
        car.step(1 / hz);
      }
      const double r = car.velocity.angular.y;
      CHECK(r == doctest::Approx(v[3]).epsilon(0.045));  // measured 0.042
      CHECK(car.speed() * r ==
            doctest::Approx(v[2]).epsilon(v[2] < 7 ? 0.05 : 0.06));  // measured 0.049 and, at 7.5 m/s^2, 0.058
    }
    ++circles;
  }
  CHECK(circles == 15);
}
