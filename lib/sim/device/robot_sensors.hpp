#pragma once
/// Sensors of robots' joints and bodies: encoders, inertial units, bumpers, force and torque at a link, radar. docs/devices.md
/// has their data and conventions. Settings are in SI units, in the frame of the part that carries the device.

#include <memory>
#include <optional>
#include <vector>

#include "lib/sim/device/body_table.hpp"
#include "lib/sim/device/device_set.hpp"
#include "lib/sim/device/imu.hpp"
#include "lib/sim/device/link_table.hpp"
#include "lib/sim/device/sample_clock.hpp"

namespace simbatch::sim {

struct EncoderSettings {
  std::size_t source = 0;  ///< offset in the tree's bank of the measured angle (rad) or length (m)
  bool turns = true;       ///< an angle
  double resolution = 1;   ///< counts per turn, or per m; > 0
  double rate = 0;         ///< sample rate, Hz; 0: every step. The speed is measured over one sample
};
struct ImuSettings {
  geo::Pose pose;  ///< of its axes in the part
  InertialErrors gyroscope, accelerometer;
  double rate = 0;  ///< Hz; 0: every step
};
struct BumperSettings {
  std::optional<geo::Vec3>
      size;  ///< size of the contact zone, a box about `position` in the part's axes; absent: the whole part
  geo::Vec3 position;
  double threshold = 0;  ///< N: pressed above this
};
struct ForceTorqueSettings {
  JointRef joint;
  physics::LinkKind kind = physics::LinkKind::revolute;
};
struct RadarSettings {
  geo::Pose pose;                  ///< of the radar in the part: +z ahead, +y up
  double width = 1, height = 0.2;  ///< rad: whole field, at most pi
  double range = 100;              ///< m, > 0
  int columns = 64, rows = 8;      ///< rays, >= 1
  int targets = 8;                 ///< maximum number of targets reported, 1..64
  double rate = 0;
};

class RobotSensors final : public Participant {
 public:
  /// @param bodies  added to the simulation before this
  RobotSensors(Simulation& simulation, BodyTable& bodies);
  ~RobotSensors() override;

  // Each registers a node below the part; nullptr when its name is taken (reported).
  DeviceNode* add_encoder(const PartRef& part, const DeviceCommon& common, const EncoderSettings& settings, Diagnostics&);
  DeviceNode* add_imu(const PartRef& part, const DeviceCommon& common, const ImuSettings& settings, Diagnostics&);
  DeviceNode* add_bumper(const PartRef& part, const DeviceCommon& common, const BumperSettings& settings, Diagnostics&);
  DeviceNode* add_force_torque(const PartRef& part, const DeviceCommon& common, const ForceTorqueSettings& settings,
                               Diagnostics&);
  DeviceNode* add_radar(const PartRef& part, const DeviceCommon& common, const RadarSettings& settings, Diagnostics&);

  void start(const Clock& clock) override;
  void after_step(const Clock& clock) override;
  void hash_state(StateHash& hash) const override;

 private:
  struct Arrays;
  void measure(const Clock& clock, bool first);
  Simulation& simulation_;
  BodyTable& bodies_;
  std::unique_ptr<Arrays> arrays_;
};

}  // namespace simbatch::sim
