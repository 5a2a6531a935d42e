#include <cmath>
#include <numbers>

#include "lib/sim/device/nmea.hpp"
#include "tests/unit/lib/sim/device/rig.hpp"

using namespace simbatch;
using namespace simbatch::sim;
using std::numbers::pi;

namespace {
const Quat kTurnedEast = geo::rotation({0, 1, 0}, pi / 2);  // heading 90 degrees
}

TEST_CASE("gyroscope: rate about a body axis, not the world axis that PAL takes") {
  Rig rig(rig_settings(), {{}, geo::rotation({1, 0, 0}, pi / 2)});  // body y points along world z
  rig.devices->add_gyroscope(rig.part, {"y", {}, {}}, {0, 2, 0}, 1, rig.problems);
  rig.devices->add_gyroscope(rig.part, {"z", {}, {}}, {0, 0, 1}, 1, rig.problems);
  rig.simulation.world().set_velocity(rig.part.body, {}, {0, 0, 0.5});
  rig.steps(1);
  CHECK(rig.value("r.part.y") == doctest::Approx(0.5));
  CHECK(rig.value("r.part.z") == doctest::Approx(0).epsilon(1e-12));
}

TEST_CASE("gyroscope: Alpha smooths by y += alpha (x - y) each step") {
  Rig rig;
  rig.devices->add_gyroscope(rig.part, {"g", {}, {}}, {0, 1, 0}, 0.05, rig.problems);
  rig.simulation.start();
  rig.simulation.world().set_velocity(rig.part.body, {}, {0, 1, 0});
  rig.steps(1);
  CHECK(rig.value("r.part.g") == doctest::Approx(0.05));
  rig.steps(59);
  CHECK(rig.value("r.part.g") == doctest::Approx(1 - std::pow(0.95, 60)));
}

TEST_CASE("velocimeter: signed speed along a body axis") {
  Rig rig(rig_settings(), {{}, kTurnedEast});
  rig.devices->add_velocimeter(rig.part, {"ahead", {}, {}}, {0, 0, 3}, rig.problems);
  rig.devices->add_velocimeter(rig.part, {"right", {}, {}}, {1, 0, 0}, rig.problems);
  rig.simulation.world().set_velocity(rig.part.body, {4, 0, 1}, {});
  rig.steps(1);
  CHECK(rig.value("r.part.ahead") == doctest::Approx(4));
  CHECK(rig.value("r.part.right") == doctest::Approx(-1));
}

TEST_CASE("velocimeter: a body at rest on the ground reads 0, though Bullet leaves g dt in its velocity") {
  Rig rig(rig_settings(1.0 / 240, {0, -9.81, 0}), {{0, 0.5, 0}, {}});
  rig.simulation.world().add_terrain(physics::HeightGrid{2, 2, 100, -50, -50, {0, 0, 0, 0}});
  rig.devices->add_velocimeter(rig.part, {"up", {}, {}}, {0, 1, 0}, rig.problems);
  rig.devices->add_drive(rig.part, {"drive", {}, {}}, {}, rig.problems);
  rig.steps(480);
  CHECK(std::abs(rig.value("r.part.up")) < 1e-3);
}

TEST_CASE("PSD: distance from its place along its direction, its own robot left out, Range where there is nothing") {
  Rig rig(rig_settings(), {{10, 5, 0}, kTurnedEast});
  physics::BodySettings wall;
  wall.name = "wall";
  wall.kind = physics::BodyKind::fixed;
  wall.parts.push_back({physics::Box{{1, 20, 20}}, {}});
  wall.pose.p = {20, 5, 0};
  rig.simulation.world().add_body(wall);
  // The body's +z looks east; the sensor sits 0.5 m behind the middle, so that its ray runs through its own body.
  rig.devices->add_psd(rig.part, {"ahead", {}, {}}, {{0, 0, -0.5}, {0, 0, 7}, 30}, rig.problems);
  rig.devices->add_psd(rig.part, {"short", {}, {}}, {{0, 0, -0.5}, {0, 0, 1}, 9}, rig.problems);
  rig.devices->add_psd(rig.part, {"back", {}, {}}, {{0, 0, 0}, {0, 0, -1}, 30}, rig.problems);
  const NoiseSpec noise{NoiseKind::white, 0.25, 0};
  rig.devices->add_psd(rig.part, {"noisy", {}, {&noise, 1}}, {{0, 0, -0.5}, {0, 0, 1}, 30}, rig.problems);
  rig.steps(1);
  CHECK(rig.value("r.part.ahead") == doctest::Approx(10));
  CHECK(rig.value("r.part.short") == 9);
  CHECK(rig.value("r.part.back") == 30);
  CHECK(rig.value("r.part.noisy", 0) == doctest::Approx(10.25));
  CHECK(rig.value("r.part.noisy", 1) == doctest::Approx(10));  // distance_true
  CHECK(rig.value("r.part.ahead", 1) == 1);                    // hit
  CHECK(rig.value("r.part.short", 1) == 0);
  CHECK(rig.value("r.part.back", 1) == 0);
  CHECK(rig.value("r.part.noisy", 2) == 1);
  float distance[2] = {};
  const auto* node = dynamic_cast<const DeviceNode*>(rig.simulation.tree().find("r.part.ahead"));
  CHECK(node->get_data(distance, 4) == DeviceError::none);  // programs get the distance alone
  CHECK(node->get_data(distance, 8) == DeviceError::data_size_mismatch);
  // Noise of another device does not change it; a device's noise follows its name, not its place.
  CHECK(rig.simulation.tree().find("r.part.noisy")->type().fields[1].name == "distance_true");
}

TEST_CASE("compass: angle of the body axis from north, clockwise, from 0 to 2 pi") {
  for (const double degrees : {0.0, 30.0, 90.0, 180.0, 270.0, 359.0}) {
    CAPTURE(degrees);
    Rig rig(rig_settings(), {{}, geo::rotation({0, 1, 0}, geo::radians(degrees))});
    rig.devices->add_compass(rig.part, {"c", {}, {}}, {0, 0, 1}, rig.problems);
    rig.devices->add_compass(rig.part, {"right", {}, {}}, {1, 0, 0}, rig.problems);
    rig.devices->add_compass(rig.part, {"up", {}, {}}, {0, 1, 0}, rig.problems);
    rig.simulation.start();
    CHECK(geo::degrees(rig.value("r.part.c")) == doctest::Approx(degrees));
    CHECK(geo::degrees(rig.value("r.part.right")) == doctest::Approx(std::fmod(degrees + 90, 360)));
    CHECK(rig.value("r.part.up") == 0);  // a vertical axis has no heading: the last one stays
  }
}

TEST_CASE("inclinometer: turn since the start about a body axis, for a vertical axis as well") {
  for (const Vec3 axis : {Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}}) {
    Rig rig(rig_settings(), {{}, geo::rotation({0.3, 1, 0.2}, 2)});  // started in any pose
    rig.devices->add_inclinometer(rig.part, {"i", {}, {}}, axis, rig.problems);
    rig.simulation.start();
    CHECK(std::abs(rig.value("r.part.i")) < 1e-15);
    const Vec3 world_axis = rig.simulation.world().pose(rig.part.body).q * axis;
    rig.simulation.world().set_velocity(rig.part.body, {}, 0.5 * world_axis);
    rig.steps(240);
    // Residual 2e-6: Bullet turns by quaternion steps of 0.5/240 rad.
    CHECK(std::abs(rig.value("r.part.i") - 0.5) < 2e-5);
    rig.steps(240 * 8);  // 4.5 rad: shown as 4.5 - 2 pi
    CHECK(std::abs(rig.value("r.part.i") - (4.5 - 2 * pi)) < 2e-4);
  }
}

TEST_CASE("inclinometer: a pitch reads the same in every heading, due south of the start too") {
  Rig rig;
  rig.devices->add_inclinometer(rig.part, {"i", {}, {}}, {1, 0, 0}, rig.problems);
  rig.simulation.start();
  for (int degrees = 0; degrees <= 360; degrees += 5) {
    CAPTURE(degrees);
    const Quat pose =
        geo::rotation({0, 1, 0}, geo::radians(degrees)) * geo::rotation({1, 0, 0}, 0.01) * geo::rotation({0, 0, 1}, 0.02);
    rig.simulation.world().set_pose(rig.part.body, {{}, pose});
    rig.simulation.world().set_velocity(rig.part.body, {}, {});
    rig.steps(1);
    CHECK(rig.value("r.part.i") == doctest::Approx(0.01).epsilon(0.001));
  }
}

TEST_CASE("GPS: latitude grows when driven north, longitude when driven east, speed is horizontal, course is true") {
  Rig rig;
  rig.devices->add_gps(rig.part, {"gps", {}, {}}, {0, 0.5, 0}, rig.problems);
  rig.simulation.start();
  CHECK(rig.value("r.part.gps", 0) == doctest::Approx(52.5).epsilon(1e-12));
  CHECK(rig.value("r.part.gps", 1) == doctest::Approx(13.4).epsilon(1e-12));
  rig.simulation.world().set_velocity(rig.part.body, {0, 3, 10}, {});
  rig.steps(2400);
  // 100 m north: against the geodesic (1e-9 degrees are 0.1 mm).
  const geo::LatLon north{rig.value("r.part.gps", 0), rig.value("r.part.gps", 1)};
  CHECK(geo::geodesic({52.5, 13.4}, north).distance == doctest::Approx(100).epsilon(1e-6));
  CHECK(std::abs(geo::geodesic({52.5, 13.4}, north).azimuth) < 1e-6);
  CHECK(rig.value("r.part.gps", 2) == doctest::Approx(10));
  CHECK(rig.value("r.part.gps", 3) == doctest::Approx(0).epsilon(1e-9));
  CHECK(rig.value("r.part.gps", 4) == doctest::Approx(1204118999 + 10).epsilon(1e-15));
  rig.simulation.world().set_velocity(rig.part.body, {20, 0, 0}, {});
  rig.steps(2400);
  CHECK(rig.value("r.part.gps", 1) > 13.4);
  // Grid convergence at 200 m east is 2.1e-3 degrees * sin(52.5): true course = 90 + that.
  const double expected = 90 + (rig.value("r.part.gps", 1) - 13.4) * std::sin(geo::radians(52.5));
  CHECK(rig.value("r.part.gps", 3) == doctest::Approx(expected).epsilon(1e-9));
  const geo::LocalFrame frame({52.5, 13.4});
  const geo::LatLon place{rig.value("r.part.gps", 0), rig.value("r.part.gps", 1)};
  CHECK(geo::degrees(-frame.convergence(place)) == doctest::Approx(expected - 90).epsilon(1e-4));
  // Stopped: the course stays.
  const double course = rig.value("r.part.gps", 3);
  rig.simulation.world().set_velocity(rig.part.body, {}, {});
  rig.steps(10);
  CHECK(rig.value("r.part.gps", 2) == 0);
  CHECK(rig.value("r.part.gps", 3) == course);
}

TEST_CASE("GPS: the antenna's arm counts for place and speed, noise is meters to the east and north") {
  Rig rig;
  rig.devices->add_gps(rig.part, {"front", {}, {}}, {0, 0, 2}, rig.problems);
  const NoiseSpec noise{NoiseKind::white, 5, 0};
  rig.devices->add_gps(rig.part, {"noisy", {}, {&noise, 1}}, {}, rig.problems);
  rig.simulation.world().set_velocity(rig.part.body, {}, {0, 1, 0});
  rig.steps(1);
  CHECK(rig.value("r.part.front", 2) == doctest::Approx(2));  // 1 rad/s at 2 m
  const geo::EastNorth place =
      geo::LocalFrame({52.5, 13.4}).to_plane({rig.value("r.part.noisy", 0), rig.value("r.part.noisy", 1)});
  CHECK(place.east == doctest::Approx(5).epsilon(1e-6));
  CHECK(place.north == doctest::Approx(5).epsilon(1e-6));
}

TEST_CASE("RMC: every field as NMEA 0183 has it") {
  struct Row {
    Fix fix;
    const char* body;
  };
  for (const Row& row : {
           Row{{1204118999, {52.5, 13.4}, 0, 0}, "GPRMC,132959.00,A,5230.00000,N,01324.00000,E,000.00,000.00,270208,,,A"},
           Row{{0, {-31.9728, -115.827}, 1852.0 / 3600, 359.994},
               "GPRMC,000000.00,A,3158.36800,S,11549.62000,W,001.00,359.99,010170,,,A"},
           // Rounding never gives 60 minutes, 60 seconds or 360 degrees.
           Row{{951782399.996, {9.9999999999, -0.00000001}, 51.4444, 359.996},
               "GPRMC,000000.00,A,1000.00000,N,00000.00000,W,100.00,000.00,290200,,,A"},
           Row{{4107542399.5, {90, 180}, 1e9, 12.345},
               "GPRMC,235959.50,A,9000.00000,N,18000.00000,E,1943844.49,012.35,280200,,,A"},
       }) {
    std::string sentence = "before";
    append_rmc(sentence, row.fix);
    sentence.erase(0, 6);
    CAPTURE(sentence);
    REQUIRE(sentence.size() > 8);
    CHECK(sentence.front() == '$');
    CHECK(sentence.substr(sentence.size() - 2) == "\r\n");
    CHECK(sentence.substr(1, sentence.size() - 6) == row.body);
    unsigned sum = 0;
    for (char c : std::string(row.body)) sum ^= static_cast<unsigned char>(c);
    char text[3];
    std::snprintf(text, sizeof text, "%02X", sum);
    CHECK(sentence.substr(sentence.size() - 5, 3) == std::string("*") + text);
    if (row.fix.speed < 500) CHECK(sentence.size() <= 82);
  }
}

TEST_CASE("GPS: the sentence is the text of its numbers, and get_data hands it out with a zero") {
  Rig rig;
  DeviceNode* gps = rig.devices->add_gps(rig.part, {"gps", {}, {}}, {}, rig.problems);
  DeviceNode* time = rig.devices->add_time(rig.part, {"clock", {}, {}}, rig.problems);
  rig.steps(240);
  char text[100];
  CHECK(gps->get_data(text, 10) == DeviceError::data_size_mismatch);
  REQUIRE(gps->get_data(text, sizeof text) == DeviceError::none);
  CHECK(std::string(text).starts_with("$GPRMC,133000.00,A,5230.00000,N,01324.00000,E,000.00,000.00,270208,,,A*"));
  float seconds = 0;
  CHECK(time->data_size() == 4);
  REQUIRE(time->get_data(&seconds, 4) == DeviceError::none);
  CHECK(seconds == 1.0f);
  CHECK(time->get_data(&seconds, 8) == DeviceError::data_size_mismatch);
  CHECK(time->set_data(&seconds, 4) == DeviceError::invalid_operation);
}

TEST_CASE("camera: posed by its part, looking along +z with +y up") {
  Rig rig(rig_settings(), {{1, 2, 3}, kTurnedEast});
  rig.devices->add_camera(rig.part, {"cam", {}, {}}, {{0, 1, 2}, {}}, rig.problems);
  rig.simulation.start();
  CHECK(rig.value("r.part.cam", 0) == doctest::Approx(3));
  CHECK(rig.value("r.part.cam", 1) == doctest::Approx(3));
  CHECK(rig.value("r.part.cam", 2) == doctest::Approx(3));
  const Quat q{rig.value("r.part.cam", 3), rig.value("r.part.cam", 4), rig.value("r.part.cam", 5), rig.value("r.part.cam", 6)};
  CHECK((q * Vec3{0, 0, 1}).x == doctest::Approx(1));
}

TEST_CASE("devices: adding a device with noise changes no other device's values") {
  const NoiseSpec noise{NoiseKind::gaussian, 0, 0.1};
  const auto run = [&](bool more) {
    Rig rig;
    if (more) rig.devices->add_velocimeter(rig.part, {"a", {}, {&noise, 1}}, {1, 0, 0}, rig.problems);
    rig.devices->add_velocimeter(rig.part, {"b", {}, {&noise, 1}}, {1, 0, 0}, rig.problems);
    rig.steps(20);
    return rig.value("r.part.b");
  };
  CHECK(run(false) == run(true));
}

TEST_CASE("devices: a second device of the same name is an error at its place") {
  Rig rig;
  rig.devices->add_time(rig.part, {"d", {"robot.xml", {3, 1}}, {}}, rig.problems);
  CHECK(rig.devices->add_compass(rig.part, {"d", {"robot.xml", {9, 1}}, {}}, {0, 0, 1}, rig.problems) == nullptr);
  test::Expected expected(rig.problems);
  expected.take("sim-name-duplicate", Position{9, 1});
  expected.take("sim-name-duplicate", Position{3, 1});
}
