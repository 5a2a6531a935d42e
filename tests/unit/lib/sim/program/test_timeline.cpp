#include "lib/sim/program/timeline.hpp"

#include <doctest/doctest.h>

#include "lib/sim/device/device_set.hpp"

using namespace simbatch;
using namespace simbatch::sim;

TEST_CASE("timeline: a setting takes effect in the first step that begins at its time, in the order given") {
  SimulationSettings settings;
  settings.physics.dt = 0.1;  // 3 * 0.1 and 0.3 are different doubles
  Simulation simulation(settings);
  Diagnostics problems;
  auto lamp = std::make_unique<DeviceNode>("lamp", make_type("LightDevice", {{"intensity", "1", ""}}), Source{},
                                           std::vector<DeviceInput>{{0, 1}}, 1);
  DeviceNode* node = lamp.get();
  simulation.tree().register_child(std::move(lamp), problems);
  simulation.add(std::make_unique<Timeline>(
      std::vector<TimedSetting>{
          {0.3, node, 0, 0.5}, {0, node, 0, 0.25}, {0.31, node, 0, 0.9}, {0.31, node, 0, 1.0}, {1e300, node, 0, 0}},
      0.1));
  std::vector<double> seen;
  for (int i = 0; i < 6; ++i) {
    REQUIRE(simulation.step());
    seen.push_back(node->values()[0]);
  }
  CHECK(seen == std::vector<double>{0.25, 0.25, 0.25, 0.5, 1.0, 1.0});
}
