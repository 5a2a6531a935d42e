#pragma once
/// What a program may ask and set: the User Program API (thesis 5.5, listings A.1 and A.2) on the simulation's side. The
/// three kinds of program (program.hpp) all end here, so that they get the same answers.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lib/sim/device/device_node.hpp"
#include "lib/sim/device/image_source.hpp"
#include "lib/sim/simulation.hpp"

namespace simbatch::sim {

/// Numbers as in the thesis' listing A.1; may be combined.
enum class DeviceStatus : unsigned {
  invalid = 0,  ///< no such device
  ready = 1,    ///< getData, or setData of an actuator, will answer
  blocked = 2,  ///< a camera whose image a program holds
  active = 4,   ///< an actuator that is set to anything but 0; a sensor that has measured in this run
  paused = 8,   ///< the device's program ended or its sensor has no new value since the last step
};

struct DeviceInfo {
  std::string name;         ///< fully qualified
  std::string kind;         ///< "PSDSensor"
  std::size_t size = 0;     ///< bytes that getData writes; 0: a camera
  bool settable = false;    ///< an actuator
};

class ProgramPort {
 public:
  /// @param robot  the program's own, whose images it unlocks when it ends
  ProgramPort(Simulation& simulation, std::string robot) : simulation_(simulation), robot_(std::move(robot)) {}

  const std::string& robot() const { return robot_; }
  Simulation& simulation() { return simulation_; }
  /// Simulation time, s.
  double time() const { return simulation_.clock().time; }

  /// A name is looked up as it stands: "robot.part.device", of any robot.
  /// @return unknown_robot: the name's first part is no robot's; unknown_device: no node of that name; invalid_device: the
  ///   node is a robot, a part or another thing without data; else what DeviceNode::get_data and set_data say
  DeviceError get_data(std::string_view device, void* data, std::size_t size);
  DeviceError set_data(std::string_view device, const void* data, std::size_t size);
  /// Of DeviceStatus; 0 for what is no device.
  unsigned status(std::string_view device);
  /// All devices of all robots, in the order of the tree.
  std::vector<DeviceInfo> devices() const;

 private:
  DeviceNode* find(std::string_view device, DeviceError& error);
  Simulation& simulation_;
  std::string robot_;
};

}  // namespace simbatch::sim
