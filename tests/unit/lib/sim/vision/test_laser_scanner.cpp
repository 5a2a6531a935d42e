#include "lib/sim/vision/laser_scanner.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

#include "lib/sim/vision/surface.hpp"
#include "tests/unit/lib/sim/device/rig.hpp"

using namespace simbatch;
using namespace simbatch::sim;
using namespace simbatch::sim::vision;
using geo::Vec3;
using std::numbers::pi;

namespace {

LaserScannerSettings planar(double from, double to, int count) {
  LaserScannerSettings s;
  s.azimuth_min = from;
  s.azimuth_max = to;
  s.columns = count;
  s.range_max = 30;
  return s;
}

/// A rig with a wall ahead and one to the right.
struct ScannerRig : Rig {
  explicit ScannerRig(double dt = 1.0 / 240) : Rig(rig_settings(dt)) {
    const auto wall = [&](const char* name, Vec3 at, Vec3 size) {
      physics::BodySettings b;
      b.name = name;
      b.kind = physics::BodyKind::fixed;
      b.parts = {{physics::Box{size}, {}}};
      b.pose.p = at;
      simulation.world().add_body(b);
    };
    wall("ahead", {0, 0, 10.5}, {40, 10, 1});
    wall("right", {5.5, 0, 0}, {1, 10, 8});
    scanners = &simulation.add(std::make_unique<LaserScanners>(simulation, *bodies, std::make_shared<EmbreeDevice>()));
  }
  LaserScanners* scanners;
};

}  // namespace

TEST_CASE("scanner: angles count from straight ahead to the right, layers from the lowest up") {
  LaserScannerSettings s = planar(-pi / 2, pi / 2, 3);
  s.elevation_min = 0;
  s.elevation_max = pi / 4;
  s.layers = 2;
  const auto d = ray_directions(s);
  REQUIRE(d.size() == 6);
  const auto near = [](Vec3 a, Vec3 b) { return geo::length(a - b) < 1e-12; };
  CHECK(near(d[0], {-1, 0, 0}));
  CHECK(near(d[1], {0, 0, 1}));
  CHECK(near(d[2], {1, 0, 0}));
  CHECK(near(d[4], {0, std::sqrt(0.5), std::sqrt(0.5)}));
  CHECK(near(ray_directions(planar(-0.3, 0.7, 1))[0], {std::sin(0.2), 0, std::cos(0.2)}));
  const auto circle = ray_directions(planar(-pi, pi, 4));  // a full circle has no ray twice
  CHECK(near(circle[0], {0, 0, -1}));
  CHECK(near(circle[1], {-1, 0, 0}));
  CHECK(near(circle[3], {1, 0, 0}));
}

TEST_CASE("scanner: ranges of walls, the maximum where nothing is, and the own robot is not seen") {
  ScannerRig rig;
  DeviceNode* node = rig.scanners->add_scanner(rig.part, {"scan", {}, {}}, planar(-pi / 2, pi / 2, 181), rig.problems);
  REQUIRE(node != nullptr);
  rig.simulation.start();
  const auto values = node->values();
  REQUIRE(values.size() == 183);
  CHECK(node->type().fields[0].name == "r0");
  CHECK(node->type().fields[181].name == "hits");
  CHECK(values[90] == doctest::Approx(10).epsilon(1e-12));
  CHECK(values[180] == doctest::Approx(5).epsilon(1e-12));
  CHECK(values[120] == doctest::Approx(10 / std::cos(pi / 6)).epsilon(1e-12));
  CHECK(values[0] == 30);
  CHECK(values[181] ==
        static_cast<double>(std::count_if(values.begin(), values.begin() + 181, [](double r) { return r < 30; })));
  CHECK(values[182] == 1);
  // A program gets the ranges, as floats, and nothing else.
  CHECK(node->data_size() == 181 * sizeof(float));
  std::vector<float> data(181);
  CHECK(node->get_data(data.data(), 181 * sizeof(float)) == DeviceError::none);
  CHECK(data[180] == 5.0f);
  CHECK(node->set_data(data.data(), 4) == DeviceError::invalid_operation);
  rig.simulation.step();
  CHECK(node->values()[182] == 2);
  CHECK(rig.scanners->add_scanner(rig.part, {"scan", {}, {}}, planar(0, 1, 2), rig.problems) == nullptr);
}

TEST_CASE("scanner: layers are named, and a scanner that looks to the right sees that wall ahead") {
  ScannerRig rig;
  LaserScannerSettings s = planar(0, 0, 1);
  s.layers = 2;
  s.elevation_max = 0.1;
  s.pose.q = geo::rotation({0, 1, 0}, pi / 2);
  DeviceNode* node = rig.scanners->add_scanner(rig.part, {"scan", {}, {}}, s, rig.problems);
  rig.simulation.start();
  CHECK(node->type().fields[1].name == "r1_0");
  CHECK(node->values()[0] == doctest::Approx(5).epsilon(1e-12));
  CHECK(node->values()[1] == doctest::Approx(5 / std::cos(0.1)).epsilon(1e-12));
}

TEST_CASE("scanner: scans come at the first step at or after k over rate, at any length of the run") {
  const auto steps_of = [](double rate, double dt, std::int64_t to) {
    const SampleClock clock(rate, dt);
    std::vector<std::int64_t> steps;
    for (std::int64_t s = 0; s <= to; ++s)
      if (clock.due(s)) steps.push_back(s);
    return steps;
  };
  CHECK(steps_of(10, 0.01, 35) == std::vector<std::int64_t>{0, 10, 20, 30});
  CHECK(steps_of(10, 1.0 / 240, 50) == std::vector<std::int64_t>{0, 24, 48});
  CHECK(steps_of(40, 0.01, 10) == std::vector<std::int64_t>{0, 3, 5, 8, 10});
  CHECK(steps_of(30, 0.01, 10) == std::vector<std::int64_t>{0, 4, 7, 10});
  CHECK(steps_of(0, 0.01, 3) == std::vector<std::int64_t>{0, 1, 2, 3});
  CHECK(steps_of(1000, 0.01, 3) == std::vector<std::int64_t>{0, 1, 2, 3});
  const SampleClock clock(30, 0.01);
  const std::int64_t late = 3'000'000'000;  // 30,000,000 s: still on the beat
  CHECK(clock.due(late));
  CHECK_FALSE(clock.due(late + 1));
  CHECK(clock.due(late + 4));
  CHECK_FALSE(SampleClock(1e-9, 0.001).due(std::int64_t{1} << 39));
  CHECK_FALSE(SampleClock(1e-300, 1e-9).due(std::int64_t{1} << 49));
}

TEST_CASE("scanner: each ray draws noise of its own, from the device's stream, and between scans all stays") {
  const NoiseSpec noise{NoiseKind::gaussian, 0, 0.1};
  std::vector<double> first;
  for (const bool with_other : {false, true}) {
    ScannerRig rig(0.01);
    if (with_other) rig.scanners->add_scanner(rig.part, {"another", {}, {&noise, 1}}, planar(0, 1, 5), rig.problems);
    LaserScannerSettings s = planar(-0.1, 0.1, 400);
    s.rate = 50;
    DeviceNode* node = rig.scanners->add_scanner(rig.part, {"scan", {}, {&noise, 1}}, s, rig.problems);
    rig.simulation.start();
    const std::vector<double> at_start(node->values().begin(), node->values().end());
    rig.steps(1);
    CHECK(std::equal(at_start.begin(), at_start.end(), node->values().begin()));
    rig.steps(1);
    CHECK(node->values()[0] != at_start[0]);
    CHECK(node->values()[401] == 2);
    double mean = 0, square = 0;
    for (int i = 0; i < 400; ++i) {
      const double true_range = 10 / std::cos(-0.1 + 0.2 * i / 399);
      mean += (at_start[static_cast<std::size_t>(i)] - true_range) / 400;
      square += std::pow(at_start[static_cast<std::size_t>(i)] - true_range, 2) / 400;
    }
    CHECK(std::abs(mean) < 0.02);
    CHECK(std::sqrt(square) == doctest::Approx(0.1).epsilon(0.15));
    if (with_other) CHECK(at_start == first);
    first = at_start;
  }
}

TEST_CASE("scanner: a scanner changes nothing of what moves") {
  std::uint64_t hashes[2];
  for (const bool with : {false, true}) {
    ScannerRig rig(0.01);
    physics::BodySettings ball;
    ball.name = "ball";
    ball.parts = {{physics::Sphere{0.5}, {}}};
    ball.pose.p = {0, 0, 5};
    ball.linear_velocity = {0.3, 0, 4};
    ball.restitution = 0.9;
    rig.simulation.world().add_body(ball);
    if (with) rig.scanners->add_scanner(rig.part, {"scan", {}, {}}, planar(-pi, pi, 360), rig.problems);
    rig.steps(300);
    hashes[with ? 1 : 0] = rig.simulation.world().state_hash();
  }
  CHECK(hashes[0] == hashes[1]);
}
