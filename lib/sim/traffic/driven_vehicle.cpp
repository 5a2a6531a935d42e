#include "lib/sim/traffic/driven_vehicle.hpp"

#include <algorithm>
#include <cmath>

namespace simbatch::sim {
namespace {

DeviceNode* add_actuator(TreeNode& object, std::string name, std::string kind, const Source& source, Diagnostics& problems) {
  auto node =
      std::make_unique<DeviceNode>(std::move(name), make_type(std::move(kind), {{"command", "1", ""}, {"value", "1", ""}}),
                                   source, std::vector<DeviceInput>{{-1, 1}}, 2);
  DeviceNode* raw = node.get();
  return object.register_child(std::move(node), problems) == nullptr ? nullptr : raw;
}

}  // namespace

DrivenVehicle::DrivenVehicle(Simulation& simulation, physics::VehicleId vehicle, TreeNode& object, const Source& source,
                             const DrivenSettings& settings, Diagnostics& problems)
    : simulation_(simulation), vehicle_(vehicle), settings_(settings) {
  actuators_[0] = add_actuator(object, "throttle", "Throttle", source, problems);
  if (settings.skid) {
    actuators_[1] = add_actuator(object, "left_lever", "Lever", source, problems);
    actuators_[2] = add_actuator(object, "right_lever", "Lever", source, problems);
  } else {
    actuators_[1] = add_actuator(object, "steering", "Steering", source, problems);
  }
}

double DrivenVehicle::move(std::size_t actuator, double rate, double dt) {
  if (actuators_[actuator] == nullptr) return 0;
  const std::span<double> v = actuators_[actuator]->values();  // command, value
  if (rate <= 0) return v[1];
  const double rest = v[0] - v[1], most = rate * dt;
  // A tolerance of a millionth of a step, so that k steps of rate dt arrive after k regardless of rounding.
  v[1] = std::abs(rest) <= most * (1 + 1e-6) ? v[0] : v[1] + std::copysign(most, rest);
  return v[1];
}

void DrivenVehicle::move_actuators(double dt) {
  const double throttle = move(0, settings_.throttle_rate, dt), first = move(1, settings_.lever_rate, dt),
               second = move(2, settings_.lever_rate, dt);
  for (std::size_t side = 0; side < 2 && settings_.skid; ++side) {
    const double wanted = kTopSpeed * throttle * (side == 0 ? first : second), most = kAcceleration * dt;
    rims_[side] += std::clamp(wanted - rims_[side], -most, most);
  }
  physics::World& world = simulation_.world();
  for (std::size_t wheel = 0; wheel < 4; ++wheel) {
    const bool right = wheel % 2 == 1, front = wheel < 2;
    physics::VehicleControls c;
    c.governed = settings_.skid || !front;
    if (c.governed) c.engine_force = settings_.mass * (settings_.skid ? kSkidForce * 9.81 : kAcceleration / 2);
    c.rim_speed = settings_.skid ? rims_[right ? 1 : 0] : kTopSpeed * throttle;
    c.steering = settings_.skid || !front ? 0 : first * kSteeringAngle;
    world.set_wheel_controls(vehicle_, wheel, c);
  }
}

}  // namespace simbatch::sim
