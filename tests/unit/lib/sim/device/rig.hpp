#pragma once
/// A body with devices, for tests.

#include <doctest/doctest.h>

#include <functional>

#include "lib/sim/device/device_set.hpp"
#include "tests/support/support.hpp"

namespace simbatch::sim {

/// Runs a function in every control().
class Do final : public Participant {
 public:
  explicit Do(std::function<void(const Clock&)> what) : what_(std::move(what)) {}
  void control(const Clock& clock) override { what_(clock); }

 private:
  std::function<void(const Clock&)> what_;
};

inline SimulationSettings rig_settings(double dt = 1.0 / 240, geo::Vec3 gravity = {0, 0, 0}) {
  SimulationSettings settings;
  settings.physics.dt = dt;
  settings.physics.gravity = gravity;
  settings.origin = geo::LatLon{52.5, 13.4};
  settings.start_unix = 1204118999;  // 2008-02-27T13:29:59Z
  return settings;
}

/// One box of 1 x 1 x 1 m and 2 kg, part "part" of robot "r", in a world without ground.
struct Rig {
  explicit Rig(const SimulationSettings& settings = rig_settings(), geo::Pose pose = {}, std::optional<double> water = {})
      : simulation(settings) {
    auto table = std::make_unique<BodyTable>(simulation);
    auto set = std::make_unique<DeviceSet>(simulation, *table, water);
    bodies = table.get();
    devices = set.get();
    TreeNode* robot = simulation.tree().register_child(std::make_unique<TreeNode>("r", make_type("Robot", {})), problems);
    TreeNode* node =
        robot->register_child(std::make_unique<TreeNode>("part", make_type("Box", BodyTable::pose_fields())), problems);
    physics::BodySettings body;
    body.name = node->name();
    body.parts.push_back({physics::Box{{1, 1, 1}}, {}});
    body.pose = pose;
    body.mass = 2;
    body.group = 0;
    part.body = simulation.world().add_body(std::move(body));
    part.node = node;
    part.group = 0;
    part.index = bodies->add(part.body, *node);
    simulation.add(std::move(table));
    simulation.add(std::move(set));
  }
  double value(std::string_view name, std::size_t i = 0) const { return simulation.tree().find(name)->values()[i]; }
  void steps(int n) {
    for (int i = 0; i < n; ++i) REQUIRE(simulation.step());
  }

  Simulation simulation;
  Diagnostics problems;
  BodyTable* bodies = nullptr;
  DeviceSet* devices = nullptr;
  PartRef part;
};

}  // namespace simbatch::sim
