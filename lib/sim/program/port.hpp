#pragma once
/// The User Program API (thesis 5.5, listings A.1 and A.2) on the simulation's side: queries and settings of programs. All
/// three kinds of program (program.hpp) use it, so that they get the same results.

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lib/sim/device/device_node.hpp"
#include "lib/sim/device/image_source.hpp"
#include "lib/sim/program/api.hpp"
#include "lib/sim/simulation.hpp"

namespace simbatch::sim {

/// Numbers as in the thesis' listing A.1: bits. A device is READY or BLOCKED, and may also be ACTIVE or PAUSED.
enum class DeviceStatus : unsigned {
  invalid = 0,  ///< no device of that name
  ready = 1,    ///< getData, or setData of an actuator, will succeed
  blocked = 2,  ///< a camera whose image is held by a program
  active = 4,   ///< an actuator with a non-zero setting; a sensor that measures by itself (not a camera)
  paused = 8,   ///< an actuator of a robot whose programs have all ended: the last setting holds
};
constexpr unsigned operator|(DeviceStatus a, DeviceStatus b) { return static_cast<unsigned>(a) | static_cast<unsigned>(b); }

class ProgramPort;

/// A file that the run depends on, as programs elsewhere compare it with theirs.
struct RunInput {
  std::string name;    ///< relative to the scenario's folder
  std::string digest;  ///< XXH3-64 of its bytes, 16 hexadecimal digits
};

/// What the programs of a simulation know of each other: one for all ports of a simulation.
class ProgramBoard {
 public:
  /// The simulation's instance; created by the first call.
  static std::shared_ptr<ProgramBoard> of(Simulation& simulation);

  /// Changes a robot's program count.
  void program_added(const std::string& robot) { ++running_[robot]; }
  void program_ended(const std::string& robot) { --running_[robot]; }
  /// True for a robot that has, or had, a program.
  bool has_programs(std::string_view robot) const { return running_.find(robot) != running_.end(); }
  /// True for a robot that had programs, and has none left.
  bool all_ended(std::string_view robot) const {
    const auto found = running_.find(robot);
    return found != running_.end() && found->second == 0;
  }
  /// What the simulation was made of, once it is complete: the scenario's file name, and all inputs.
  void set_inputs(std::string scenario, std::vector<RunInput> inputs) {
    scenario_ = std::move(scenario);
    inputs_ = std::move(inputs);
  }
  const std::string& scenario() const { return scenario_; }
  const std::vector<RunInput>& inputs() const { return inputs_; }
  /// Settings made by programs so far.
  std::uint64_t settings() const { return settings_; }
  /// Whether a program holds the camera's image.
  bool is_held(const TreeNode& camera) const { return held_.contains(&camera); }

 private:
  friend class ProgramPort;
  std::map<std::string, int, std::less<>> running_;
  std::string scenario_;
  std::vector<RunInput> inputs_;
  std::uint64_t settings_ = 0;
  std::map<const TreeNode*, int> held_;  // looked up, never walked
};

class ProgramPort final : public ProgramApi {
 public:
  /// @param robot  the program's own
  ProgramPort(Simulation& simulation, std::string robot)
      : simulation_(&simulation), board_(ProgramBoard::of(simulation)), robot_(std::move(robot)) {}
  ProgramPort(ProgramPort&& other) noexcept;
  ProgramPort& operator=(ProgramPort&&) = delete;
  ProgramPort(const ProgramPort&) = delete;
  ProgramPort& operator=(const ProgramPort&) = delete;
  ~ProgramPort() override { ProgramPort::unlock_image(); }

  const std::string& robot() const override { return robot_; }
  Simulation& simulation() { return *simulation_; }
  const ProgramBoard& board() const { return *board_; }
  /// Simulation time, s.
  double time() const override { return simulation_->clock().time; }
  std::int64_t start_unix() const override { return simulation_->settings().start_unix; }

  /// A name is looked up as given: "robot.part.device", of any robot.
  /// @param size  bytes; a negative one, or no data, is a mismatch
  /// @return unknown_robot: no robot has the name's first part; unknown_device: no node of that name; invalid_device: the
  ///   node is a robot, a part or another thing without data; else the result of DeviceNode::get_data or set_data
  DeviceError get_data(std::string_view device, void* data, std::int64_t size) override;
  DeviceError set_data(std::string_view device, const void* data, std::int64_t size) override;
  /// Bits of DeviceStatus; 0 for anything but a device.
  unsigned status(std::string_view device) override;
  /// All devices of all robots, in the order of the tree.
  std::vector<DeviceInfo> devices() const override;

  /// Draws a camera's current view, and holds the image until unlock_image(). One at a time.
  /// @return image_size() pixels (layout: image_source.hpp); nullptr: no such camera, or there is no renderer
  ///   (Simulation::images()), a program holds this camera's image, or this program holds another
  std::uint32_t* get_image(std::string_view camera) override;
  /// Size of the last image; before the first one, of the robot's first camera. 0 x 0: it has none, or there is no renderer.
  ImageSize image_size() const override;
  /// Does nothing if no image is held.
  void unlock_image() override;

 private:
  DeviceNode* find(std::string_view device, DeviceError& error);
  Simulation* simulation_;
  std::shared_ptr<ProgramBoard> board_;
  std::string robot_;
  const TreeNode* held_ = nullptr;
  ImageSize size_;
  std::vector<std::uint32_t> pixels_;
};

}  // namespace simbatch::sim
