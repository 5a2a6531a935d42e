// Missions sailed in whole simulations. Run from the source folder (as ctest does): the scenarios are read from there.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "lib/scenario/build.hpp"
#include "lib/scenario/codes.hpp"
#include "lib/sim/mission/thrust.hpp"
#include "tests/support/support.hpp"

using namespace simbatch;
using namespace simbatch::scenario;
using namespace simbatch::sim;

namespace {

/// Fields of the node "mission", in its order.
enum Value { kSection, kLine, kGamma, kPathGamma, kCross, kCourse, kSpeed, kTurn, kDepth, kAltitude };

struct Run {
  std::vector<int> sections;             ///< in the order in which they came
  double cross_mean = 0, cross_max = 0;  ///< after the first 20 m
};

std::unique_ptr<Simulation> built(const std::string& scenario, const BuildOptions& options = {}) {
  BuildResult result = build_scenario(scenario, options);
  CAPTURE(simbatch::test::all_text(result.diagnostics));
  REQUIRE(result.value);
  CHECK(result.diagnostics.empty());
  return std::move(result.value->simulation);
}

Run sail(Simulation& simulation, const std::string& robot, int steps) {
  TreeNode* node = simulation.tree().find(robot + ".mission");
  REQUIRE(node != nullptr);
  Run run;
  double n = 0;
  for (int i = 0; i < steps; ++i) {
    REQUIRE(simulation.step());
    const auto v = node->values();
    if (run.sections.empty() || run.sections.back() != static_cast<int>(v[kSection]))
      run.sections.push_back(static_cast<int>(v[kSection]));
    if (v[kGamma] < 20 || v[kCross] == 0) continue;
    run.cross_mean += std::abs(v[kCross]);
    run.cross_max = std::max(run.cross_max, std::abs(v[kCross]));
    ++n;
  }
  if (n > 0) run.cross_mean /= n;
  return run;
}

double number(const Simulation& simulation, const std::string& node, std::size_t field) {
  return simulation.tree().find(node)->values()[field];
}

/// A world of water with one robot.
struct Folder {
  simbatch::test::TemporaryFolder folder;
  Folder(const std::string& mission, const std::string& mission_attributes, const std::string& robot_file,
         const std::string& water = "", const std::string& position = "<Position x=\"0\" y=\"-0.14\" z=\"0\"/>") {
    simbatch::test::write_text(folder.file("mission.txt"), "3\n491890.163 4290832.905 29S\n" + mission);
    simbatch::test::write_text(folder.file("robot.xml"), robot_file);
    simbatch::test::write_text(
        folder.file("scenario.xml"),
        "<World name=\"w\">\n<Physics><Engine name=\"e\"><StepSize value=\"0.02\"/><Origin latitude=\"38.766170275\" "
        "longitude=\"-9.093349518\"/></Engine><Water name=\"sea\">" +
            water +
            "</Water></Physics>\n<Terrain><Plane name=\"bottom\"><Height value=\"-12\"/></Plane></Terrain>\n"
            "<Objects><Robot name=\"v\" file=\"robot.xml\">" +
            position + "\n<Mission file=\"mission.txt\" " + mission_attributes + "/></Robot></Objects></World>\n");
  }
  std::string scenario() const { return folder.file("scenario.xml"); }
};

std::string surface_vehicle() { return simbatch::test::read_text("scenarios/lawn_mower/medusa.xml"); }

/// The surface vehicle, weighed out to hang in the water, with two vertical thrusters.
std::string diving_vehicle() {
  std::string text = surface_vehicle();
  text.replace(text.find("<Volume value=\"0.036\"/>"), 23, "<Volume value=\"0.0293\"/>");
  const std::string more =
      "<Propeller name=\"up_front\"><Part name=\"hull\"/><Position x=\"0\" y=\"-0.06\" z=\"0.3\"/><Direction x=\"0\" "
      "y=\"1\" z=\"0\"/><MaxVoltage value=\"24\"/><Alpha value=\"1\"/></Propeller>\n"
      "<Propeller name=\"up_rear\"><Part name=\"hull\"/><Position x=\"0\" y=\"-0.06\" z=\"-0.3\"/><Direction x=\"0\" "
      "y=\"1\" z=\"0\"/><MaxVoltage value=\"24\"/><Alpha value=\"1\"/></Propeller>\n";
  return text.insert(text.find("</Devices>"), more);
}

}  // namespace

TEST_CASE("lawn_mower: all sections in order, mean cross-track error far below 0.3 m") {
  const auto simulation = built("scenarios/lawn_mower/scenario.xml", {0.02, {}, {}});
  const Run run = sail(*simulation, "medusa", 26000);
  CHECK(run.sections == std::vector<int>{1, 2, 3, 4, 5, 6});
  CHECK(run.cross_mean < 0.02);  // measured 0.0012 m
  CHECK(run.cross_max < 0.1);    // measured 0.015 m
  CHECK(std::abs(number(*simulation, "medusa.mission", kGamma) - (81.04 + 2 * 3.14159265358979 * 10.13)) < 0.01);
}

TEST_CASE("formation: the three keep their offsets within 0.5 m on the lines") {
  simbatch::test::TemporaryFolder library;
  simbatch::test::write_text(library.file("medusa.xml"), surface_vehicle());
  BuildOptions options;
  options.dt = 0.02;
  options.library = library.path().string();
  const auto simulation = built("scenarios/formation/scenario.xml", options);
  TreeNode *mission[3], *hull[3];
  for (int i = 0; i < 3; ++i) {
    mission[i] = simulation->tree().find("medusa" + std::to_string(i + 1) + ".mission");
    hull[i] = simulation->tree().find("medusa" + std::to_string(i + 1) + ".hull");
  }
  double worst = 0;
  std::vector<int> sections[3];
  for (int step = 0; step < 30000; ++step) {
    REQUIRE(simulation->step());
    int section[3];
    for (int i = 0; i < 3; ++i) {
      section[i] = static_cast<int>(mission[i]->values()[kSection]);
      if (sections[i].empty() || sections[i].back() != section[i]) sections[i].push_back(section[i]);
    }
    // They start up to 2 m out of place: the first line counts from its second half on.
    if (section[0] != section[1] || section[1] != section[2] || section[0] % 2 == 0 || mission[1]->values()[kGamma] < 18)
      continue;
    if (section[0] > 5) continue;
    const double north = section[0] == 3 ? -1 : 1;  // the lines run north, south, north
    for (int i = 0; i < 3; i += 2) {
      const double east = hull[i]->values()[0] - hull[1]->values()[0];
      const double along = (hull[i]->values()[2] - hull[1]->values()[2]) * north;
      const double left = -east * north;
      worst = std::max(worst, std::hypot(along, left - (i == 0 ? -3 : 3)));
    }
  }
  CHECK(worst < 0.5);  // measured 0.04 m
  MESSAGE("largest deviation from the formation on lines: " << worst << " m");
  for (const auto& list : sections) CHECK(list == std::vector<int>{1, 2, 3, 4, 5, 6});
}

TEST_CASE("every law sails a line and a half turn, also across a current of 0.1 m/s") {
  for (const char* law : {"lapierre", "aguiar", "samson", "los"}) {
    Folder world("LINE 0 0 0 40 0.3 -1\nARC 0 40 8 40 16 40 0.3 -1 8 -1\n", std::string("law=\"") + law + "\"",
                 surface_vehicle(), "<Current x=\"0.1\" y=\"0\" z=\"0\"/>", "<Position x=\"1\" y=\"-0.14\" z=\"0\"/>");
    const auto simulation = built(world.scenario());
    const Run run = sail(*simulation, "v", 13000);
    CHECK(run.sections == std::vector<int>{1, 2, 3});
    CHECK(run.cross_mean < 0.2);
    MESSAGE(std::string(law) << ": mean cross-track error " << run.cross_mean << " m, largest " << run.cross_max << " m");
  }
}

TEST_CASE("a mission sails by GPS and compass, noise included, and says what it lacks") {
  const std::string line = "LINE 0 0 0 60 0.5 -1\n";
  const auto vehicle = [](const std::string& gps_noise, const std::string& compass_noise) {
    std::string text = surface_vehicle();
    for (const char* kind : {"GPSSensor", "CompassSensor"})  // the scenario's own go
      for (std::size_t at; (at = text.find(std::string("<") + kind)) != std::string::npos;)
        text.erase(at, text.find(std::string("</") + kind + ">", at) + std::string(kind).size() + 3 - at);
    const std::string sensors =
        "<GPSSensor name=\"fix\"><Part name=\"hull\"/><Position x=\"0.1\" y=\"0.3\" z=\"-0.2\"/>" + gps_noise +
        "</GPSSensor><CompassSensor name=\"needle\"><Part name=\"hull\"/><Axis x=\"1\" y=\"0\" z=\"0\"/>" + compass_noise +
        "</CompassSensor>";
    return text.insert(text.find("</Devices>"), sensors);
  };
  const auto off_the_line = [&](const std::string& attributes, const std::string& robot) {
    const Folder folder(line, attributes, robot);
    const auto simulation = built(folder.scenario());
    const auto start = number(*simulation, "v.hull", 0);
    double worst = 0, mean = 0;
    for (int i = 0; i < 5000; ++i) {
      REQUIRE(simulation->step());
      if (i < 1500) continue;
      const double off = std::abs(number(*simulation, "v.hull", 0) - start);  // true, not as estimated
      worst = std::max(worst, off);
      mean += off / 3500;
    }
    CHECK(number(*simulation, "v.hull", 2) > 35);
    return std::pair(mean, worst);
  };
  const auto perfect = off_the_line("", vehicle("", ""));
  const auto clean = off_the_line("navigation=\"sensors\"", vehicle("", ""));
  const auto noisy = off_the_line("navigation=\"sensors\"",
                                  vehicle("<WhiteGaussianNoise range=\"2\"/>", "<WhiteGaussianNoise range=\"0.05\"/>"));
  CHECK(clean.first < perfect.first + 0.05);
  CHECK(noisy.first > clean.first + 0.01);
  CHECK(noisy.first < 0.6);
  CHECK(noisy.second < 2);
  std::string blind = surface_vehicle();
  for (const char* kind : {"GPSSensor", "CompassSensor"})
    for (std::size_t at; (at = blind.find(std::string("<") + kind)) != std::string::npos;)
      blind.erase(at, blind.find(std::string("</") + kind + ">", at) + std::string(kind).size() + 3 - at);
  const Folder lacking(line, "navigation=\"sensors\"", blind);
  simbatch::test::Expected expected(build_scenario(lacking.scenario()).diagnostics);
  CHECK(expected.take(scenario::code::kMissionPart).find("GPSSensor or a CompassSensor") != std::string::npos);
}

TEST_CASE("points are reached, waited at, and passed") {
  Folder world("POINT 0 6 1.5 0.4 -1 20 -1\nPOINT 6 6 1.5 -1 -1 0 -1\nPOINT 6 0 1.5 0.4 90 -1 -1\n", "", surface_vehicle());
  const auto simulation = built(world.scenario());
  const Run run = sail(*simulation, "v", 6000);
  CHECK(run.sections == std::vector<int>{1, 2, 3});
  CHECK(std::hypot(number(*simulation, "v.hull", 0) - 6, number(*simulation, "v.hull", 2)) < 1.8);  // stays there
}

TEST_CASE("DEPTH and ALT act on a vehicle that can dive") {
  Folder world("DEPTH 3 90 -1\nALT 4 0 -1\nLINE 0 0 0 20 0.3 -1\nDEPTH 0 0 -1\nPOINT 0 30 2 0.3 -1 60 -1\n", "",
               diving_vehicle());
  const auto simulation = built(world.scenario());
  const auto height = [&] { return number(*simulation, "v.hull", 1); };
  (void)sail(*simulation, "v", 4400);
  CHECK(std::abs(height() + 3) < 0.15);
  CHECK(number(*simulation, "v.mission", kDepth) == 3);
  (void)sail(*simulation, "v", 3000);
  CHECK(number(*simulation, "v.mission", kAltitude) == 4);
  CHECK(std::abs(height() + 8) < 0.3);  // 4 m above the bottom
  (void)sail(*simulation, "v", 4500);
  CHECK(height() > -0.6);
}

TEST_CASE("a car follows a mission by its drive") {
  Folder world("LINE 0 0 0 60 5 -1\nARC 0 60 20 60 40 60 5 -1 20 -1\nLINE 40 60 40 0 5 -1\n", "law=\"lapierre\"",
               simbatch::test::read_text("scenarios/first_drive/impreza.xml"), "<Level value=\"-50\"/>",
               "<Position x=\"2\" z=\"-5\"/>");
  std::string text = simbatch::test::read_text(world.scenario());
  text.replace(text.find("-12\"/></Plane>"), 3, "0");
  text.replace(text.find("0.02"), 4, "0.005");
  simbatch::test::write_text(world.scenario(), text);
  const auto simulation = built(world.scenario());
  const Run run = sail(*simulation, "v", 8500);
  CHECK(run.sections == std::vector<int>{1, 2, 3, 4});
  CHECK(run.cross_mean < 0.3);
  MESSAGE("car: mean cross-track error " << run.cross_mean << " m, largest " << run.cross_max << " m");
}

TEST_CASE("what a mission lacks is reported at its element") {
  const auto codes = [](const Folder& world) { return build_scenario(world.scenario()).diagnostics; };
  simbatch::test::Expected vehicle(codes(Folder("FORMATION 1 0 0\nLINE 0 0 9 0 0.3 -1\n", "vehicle=\"2\"", surface_vehicle())));
  vehicle.take(scenario::code::kMissionVehicle, Position{5, 1});
  simbatch::test::Expected part(codes(Folder("LINE 0 0 9 0 0.3 -1\n", "part=\"hul\"", surface_vehicle())));
  part.take(scenario::code::kMissionPart, Position{5, 1});
  simbatch::test::Expected dive(codes(Folder("DEPTH 3 0 -1\nLINE 0 0 9 0 0.3 -1\n", "", surface_vehicle())));
  dive.take(scenario::code::kMissionDive, Position{5, 1});
  simbatch::test::Expected mission(codes(Folder("LINE 0 0 9 0\n", "", surface_vehicle())));
  mission.take("mission-fields", Position{3, 1});
}

TEST_CASE("thrust is shared out so that force and moment are as wanted, and bounded in their direction") {
  PropellerSettings left;
  left.position = {-0.15, 0, -0.25};
  left.max_voltage = 2;
  left.alpha = 18;  // 36 N
  PropellerSettings right = left;
  right.position.x = 0.15;
  CHECK(ThrustAllocation::full_thrust(left) == 36);
  CHECK(ThrustAllocation::setting_for(left, -9) == -0.25);
  PropellerSettings screw;
  screw.max_voltage = 24;
  screw.motor = PropellerSettings::Motor{1, 0.05, 0.05, 1e-4, 1e-6, 1.6e-4};
  CHECK(ThrustAllocation::setting_for(screw, ThrustAllocation::full_thrust(screw)) == doctest::Approx(1));
  CHECK(ThrustAllocation::setting_for(screw, -ThrustAllocation::full_thrust(screw) / 4) == doctest::Approx(-0.5).epsilon(0.05));

  auto type = make_type("Propeller", {{"setting", "1", ""}});
  Diagnostics ignored;
  SimulationTree tree;
  std::vector<Thruster> thrusters;
  for (const auto* p : {&left, &right}) {
    auto node = std::make_unique<DeviceNode>("p" + std::to_string(thrusters.size()), type, Source{},
                                             std::vector<DeviceInput>{{-1, 1}}, 1);
    thrusters.push_back({static_cast<DeviceNode*>(tree.register_child(std::move(node), ignored)), *p});
  }
  const ThrustAllocation allocation(thrusters, {});
  CHECK(allocation.can_surge());
  CHECK(allocation.can_yaw());
  CHECK_FALSE(allocation.can_heave());
  const auto thrust = [&](int i) { return 36 * thrusters[static_cast<std::size_t>(i)].node->values()[0]; };
  allocation.apply(10, 5, 1.5);
  CHECK(thrust(0) + thrust(1) == doctest::Approx(10));
  CHECK(0.15 * (thrust(0) - thrust(1)) == doctest::Approx(1.5));
  allocation.apply(100, 0, 6);
  CHECK(thrust(0) == doctest::Approx(36));
  CHECK((thrust(0) + thrust(1)) / (0.15 * (thrust(0) - thrust(1))) == doctest::Approx(100.0 / 6));
}
