#pragma once
/// All devices of a simulation, in flat arrays by kind. docs/devices.md lists the data, unit, frame, formula and source of
/// each, and its differences from PAL of 2008. Settings are in SI units; positions, directions and axes are in the frame of the
/// part that carries the device; directions and axes may have any length but 0.

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "lib/sim/device/body_table.hpp"
#include "lib/sim/device/device_node.hpp"
#include "lib/sim/device/noise.hpp"
#include "lib/sim/simulation.hpp"
#include "lib/sim/water_level.hpp"

namespace simbatch::sim {

using geo::Pose;
using geo::Quat;
using geo::Vec3;

/// Mounting of a device.
struct PartRef {
  TreeNode* node = nullptr;
  std::size_t index = 0;  ///< in the BodyTable
  physics::BodyId body = physics::kNoBody;
  int group = physics::kNoGroup;  ///< of its robot
};

/// Properties common to all devices.
struct DeviceCommon {
  std::string name;  ///< own name: "psd0"
  Source source;
  std::span<const NoiseSpec> noise;  ///< in the file's order
};

/// Default full steering angle (rad), as in PAL.
inline constexpr double kDefaultSteeringAngle = 0.3;

struct DriveSettings {
  double motor_force = 0;                         ///< N on each powered wheel at acceleration 1
  double brake_force = 0;                         ///< N on each braked wheel at brake 1
  double steering_angle = kDefaultSteeringAngle;  ///< rad at steering 1
  bool engine = false;                            ///< has a drive train: acceleration is its throttle
};
struct PropellerSettings {
  Vec3 position, direction{0, 0, 1};
  double max_voltage = 1;      ///< V at setting 1
  double dead_zone = 0;        ///< smaller settings are treated as 0
  std::optional<double> pole;  ///< 1/s: first-order lag of the setting
  double alpha = 0;            ///< N/V; without a motor: thrust = alpha V
  struct Motor {               ///< J w' = kt (V - kb w) / R - q w|w|; thrust = t w|w|
    double resistance = 1, torque_constant = 1, back_emf_constant = 1, inertia = 1, torque_coefficient = 0,
           thrust_coefficient = 0;
  };
  std::optional<Motor> motor;
  /// Whether it twists its part: 1 if it turns clockwise at a positive setting, seen along `direction` (right-handed), -1 if
  /// counterclockwise, 0: it does not.
  int reaction = 0;
  double torque_ratio = 0;  ///< m, without a motor: ratio of that torque to the thrust
};
struct CameraSettings {
  Vec3 position;
  Quat orientation;  ///< of the camera in the part: +z looks forward, +y is up in the picture
};
struct PsdSettings {
  Vec3 position, direction{0, 0, 1};
  double range = 1;  ///< m
};

class DeviceSet final : public Participant {
 public:
  /// @param water_level  y of the water's surface, m; absent: propellers always push
  DeviceSet(Simulation& simulation, BodyTable& bodies, std::optional<double> water_level = std::nullopt);
  /// Replaces the water level: there is water only where this function returns a level.
  void set_water_level(WaterLevelAt level_at) { water_level_at_ = std::move(level_at); }
  ~DeviceSet() override;

  // Each registers a node below the part and returns it; nullptr when its name is taken (reported).
  DeviceNode* add_drive(const PartRef& part, const DeviceCommon& common, const DriveSettings& settings, Diagnostics&);
  /// Assigns wheels to a drive; wheel_nodes[i] shows wheel i of the vehicle.
  DeviceNode* add_wheel_node(const PartRef& part, const DeviceCommon& common, Diagnostics&);
  void attach_wheels(DeviceNode& drive, physics::VehicleId vehicle, std::span<DeviceNode* const> wheel_nodes);
  DeviceNode* add_propeller(const PartRef& part, const DeviceCommon& common, const PropellerSettings& settings, Diagnostics&);
  DeviceNode* add_camera(const PartRef& part, const DeviceCommon& common, const CameraSettings& settings, Diagnostics&);
  /// @param alpha  smoothing y += alpha (x - y) a step, in (0, 1]
  DeviceNode* add_gyroscope(const PartRef& part, const DeviceCommon& common, Vec3 axis, double alpha, Diagnostics&);
  DeviceNode* add_velocimeter(const PartRef& part, const DeviceCommon& common, Vec3 axis, Diagnostics&);
  DeviceNode* add_psd(const PartRef& part, const DeviceCommon& common, const PsdSettings& settings, Diagnostics&);
  /// @pre the simulation's settings have an origin
  DeviceNode* add_gps(const PartRef& part, const DeviceCommon& common, Vec3 position, Diagnostics&);
  DeviceNode* add_compass(const PartRef& part, const DeviceCommon& common, Vec3 axis, Diagnostics&);
  DeviceNode* add_inclinometer(const PartRef& part, const DeviceCommon& common, Vec3 axis, Diagnostics&);
  DeviceNode* add_time(const PartRef& part, const DeviceCommon& common, Diagnostics&);
  /// LightDevice or HeadLightDevice. @param kind  the element's name
  DeviceNode* add_light(const PartRef& part, const DeviceCommon& common, std::string kind, double intensity, Diagnostics&);

  void start(const Clock&) override;
  void before_step(const Clock&) override;
  void after_step(const Clock&) override;

 private:
  struct Arrays;
  /// @param first  at time 0, before any step
  void measure(const Clock& clock, bool first);
  void measure_wheels_and_cameras();
  void measure_motion(bool first);
  void measure_distances();
  void measure_positions(const Clock& clock, bool first);
  void measure_directions();
  /// True everywhere in a world without water.
  bool is_under_water(Vec3 place) const;
  Simulation& simulation_;
  BodyTable& bodies_;
  std::optional<double> water_level_;
  WaterLevelAt water_level_at_;
  std::unique_ptr<Arrays> arrays_;
};

}  // namespace simbatch::sim
