#pragma once
/// A scenario of one robot file in a temporary folder, for tests.

#include <doctest/doctest.h>

#include <string>

#include "lib/scenario/build.hpp"
#include "lib/sim/device/device_node.hpp"
#include "lib/sim/simulation.hpp"
#include "tests/support/support.hpp"

namespace simbatch::scenario::test_scene {

struct RobotScene {
  test::TemporaryFolder folder;
  BuildResult result;

  /// @param parts, devices  what <Parts> and <Devices> have; @param robots  <Robot> entries that use robot.xml
  RobotScene(const std::string& parts, const std::string& devices, const std::string& physics, const std::string& robots,
             const std::string& head = "", BuildOptions options = {}) {
    test::write_text(folder.file("robot.xml"), "<Robot name=\"r\">\n" + head + "\n<Parts>\n" + parts +
                                                   "\n</Parts>\n<Devices>\n" + devices + "\n</Devices>\n</Robot>\n");
    test::write_text(
        folder.file("world.xml"),
        "<World name=\"w\">\n<Physics><Engine name=\"e\">" + physics +
            "</Engine></Physics>\n<Terrain><Plane name=\"p\"><Height value=\"-100\"/></Plane></Terrain>\n<Objects>\n" + robots +
            "\n</Objects>\n</World>\n");
    result = build_scenario(folder.file("world.xml"), options);
  }
  sim::Simulation& simulation() {
    REQUIRE_MESSAGE(result.value, test::all_text(result.diagnostics));
    return *result.value->simulation;
  }
  std::span<const double> values(std::string_view name) {
    const sim::TreeNode* node = simulation().tree().find(name);
    REQUIRE_MESSAGE(node != nullptr, name);
    return node->values();
  }
  sim::DeviceNode& device(std::string_view name) {
    auto* node = dynamic_cast<sim::DeviceNode*>(simulation().tree().find(name));
    REQUIRE_MESSAGE(node != nullptr, name);
    return *node;
  }
  void run(double seconds) {
    const double dt = simulation().settings().physics.dt;
    const auto steps = static_cast<int>(seconds / dt + 0.5);
    for (int i = 0; i < steps; ++i) REQUIRE(simulation().step());
  }
};

inline std::string entry(const std::string& name = "r", const std::string& more = "", const std::string& x = "0") {
  return "<Robot name=\"" + name + "\" file=\"robot.xml\"><Position x=\"" + x + "\" y=\"0\" z=\"0\"/>" + more + "</Robot>\n";
}

}  // namespace simbatch::scenario::test_scene
