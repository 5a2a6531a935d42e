// Devices of robots: sensors, actuators, lights and cameras.

#include <algorithm>
#include <cmath>
#include <span>
#include <type_traits>

#include "base/core/number.hpp"
#include "lib/scenario/codes.hpp"
#include "lib/scenario/drive_limits.hpp"
#include "lib/scenario/robot.hpp"

namespace simbatch::scenario::detail {
namespace {

using geo::Quat;
using geo::Vec3;

PropellerSettings propeller_of(const autosim::Propeller& from) {
  PropellerSettings p;
  p.position = vec(from.position);
  p.direction = vec(from.direction);
  p.max_voltage = from.max_voltage;
  p.dead_zone = from.dead_zone;
  p.pole = from.pole;
  p.alpha = from.alpha.value_or(0);
  if (from.reaction) {
    p.reaction = from.reaction->left ? -1 : 1;
    p.torque_ratio = from.reaction->ratio;
  }
  if (from.motor)
    p.motor = PropellerSettings::Motor{from.motor->resistance, from.motor->torque_constant,    from.motor->back_emf_constant,
                                       from.motor->inertia,    from.motor->torque_coefficient, from.motor->thrust_coefficient};
  return p;
}

Sampling sampling_of(const autosim::Device& device) { return {device.rate.value_or(0), device.latency.value_or(0)}; }

/// Where a third-person camera looks without a Direction: towards the part's center, but so far above it that the horizon is a
/// sixth below the picture's upper edge, if that leaves the center a sixth above its lower edge.
Vec3 over_the_part(const autosim::Camera& camera) {
  const Vec3 to_part = -vec(camera.position);
  if (length(to_part) == 0) return {0, 0, 1};
  const Vec3 up = geo::normalized(vec(camera.up));
  const double height = -dot(to_part, up);
  const Vec3 ahead = to_part + height * up;
  const double margin = std::atan(2.0 / 3 * std::tan(geo::radians(camera.field_of_view / 2)));  // from the picture's middle
  const double part = std::atan2(height, length(ahead));                                        // below the horizon
  const double aim = std::max(margin, part - margin);
  if (part <= aim || length(ahead) == 0) return to_part;
  return std::cos(aim) * geo::normalized(ahead) - std::sin(aim) * up;
}

CameraSettings camera_of(const autosim::Camera& from) {
  CameraSettings settings;
  settings.position = vec(from.position);
  Vec3 forward{0, 0, 1};
  if (from.direction)
    forward = vec(*from.direction);
  else if (from.type == autosim::Camera::Type::third_person)
    forward = over_the_part(from);
  settings.orientation = aimed(forward, vec(from.up));
  return settings;
}

vision::LaserScannerSettings scanner_of(const autosim::LaserScanner& from) {
  vision::LaserScannerSettings s;
  s.pose = {vec(from.position), aimed(vec(from.direction), vec(from.up))};
  s.azimuth_min = geo::radians(from.horizontal.min);
  s.azimuth_max = geo::radians(from.horizontal.max);
  s.columns = from.horizontal.count;
  s.elevation_min = geo::radians(from.vertical.min);
  s.elevation_max = geo::radians(from.vertical.max);
  s.layers = from.vertical.count;
  s.range_min = from.range_min;
  s.range_max = from.range_max;
  s.rate = from.rate.value_or(0);
  return s;
}

class DeviceBuilder {
 public:
  DeviceBuilder(const Site& site, const RobotParts& robot, Scene& scene) : site_(site), robot_(robot), scene_(scene) {}

  RobotDevices build() {
    // Encoders read values of links and wheels, and so come after them.
    for (const bool encoders : {false, true})
      for (const autosim::Device& device : robot_.file.robot.devices)
        if (std::holds_alternative<autosim::EncoderSensor>(device.kind) == encoders) add(device);
    return std::move(made_);
  }

 private:
  /// True if a device applies forces to its part.
  static bool is_pushed(const autosim::Device& device) {
    return std::holds_alternative<autosim::DriveActuator>(device.kind) ||
           std::holds_alternative<autosim::WheelDevice>(device.kind) || std::holds_alternative<autosim::Propeller>(device.kind);
  }

  /// Reports a device that would move a fixed part.
  bool is_refused(const autosim::Device& device) const {
    if (!is_pushed(device) || !robot_.is_fixed(device.part)) return false;
    site_.files.report(code::kFixed, robot_.entry.place.at,
                       quoted(device.part) + " of " + quoted(robot_.entry.name) + " is fixed, and its " +
                           std::string(autosim::type_name(device)) + " " + quoted(device.name) + " cannot move it");
    return true;
  }

  /// A device, where it is and what all devices have.
  struct Request {
    const autosim::Device& device;
    const PartRef& on;
    DeviceCommon common;
  };

  void add(const autosim::Device& device) {
    const PartRef* on = robot_.part(device.part);
    if (on == nullptr) return;  // reported where the body is
    if (is_refused(device)) return;
    const std::vector<NoiseSpec> noise = noise_of(device.noise);
    const Request request{device, *on, {device.name, {robot_.file.path, device.place.at}, noise}};
    std::visit([&](const auto& kind) { make(request, kind); }, device.kind);
    add_sampling(site_, *on, device);
  }

  DeviceSet& set() const { return *site_.assembly.devices; }
  Diagnostics& problems() const { return site_.files.problems(); }

  void make(const Request& r, const autosim::DriveActuator& d) {
    const DriveSettings settings{d.motor_force, d.brake_force, full_steering(d), d.engine.has_value()};
    if (DeviceNode* node = set().add_drive(r.on, r.common, settings, problems()))
      made_.drives.push_back({&r.device, node, r.on});
  }
  void make(const Request& r, const autosim::WheelDevice& d) {
    made_.wheels.push_back({d.drive_actuator, r.device.part, &r.device, set().add_wheel_node(r.on, r.common, problems())});
  }
  void make(const Request& r, const autosim::Propeller& d) {
    if (DeviceNode* node = set().add_propeller(r.on, r.common, propeller_of(d), problems()))
      made_.propellers.push_back({r.device.part, {node, propeller_of(d)}});
  }
  void make(const Request& r, const autosim::Camera& d) {
    const DeviceNode* node = set().add_camera(r.on, r.common, camera_of(d), problems());
    if (node == nullptr) return;
    const std::span<const NoiseSpec> noise = r.common.noise;
    scene_.cameras.push_back(
        {node, geo::radians(d.field_of_view), d.width, d.height, sampling_of(r.device), {noise.begin(), noise.end()}});
  }
  void make(const Request& r, const autosim::GyroscopeSensor& d) {
    set().add_gyroscope(r.on, r.common, vec(d.axis), d.alpha, problems());
  }
  void make(const Request& r, const autosim::VelocimeterSensor& d) {
    set().add_velocimeter(r.on, r.common, vec(d.axis), problems());
  }
  void make(const Request& r, const autosim::PSDSensor& d) {
    if (const DeviceNode* node = set().add_psd(r.on, r.common, {vec(d.position), vec(d.direction), d.range}, problems()))
      scene_.appearance.rays.push_back({node, r.on.node, vec(d.position), {geo::normalized(vec(d.direction))}, d.range});
  }
  void make(const Request& r, const autosim::LaserScanner& d) { add_scanner(r.on, r.common, d); }
  void make(const Request& r, const autosim::GPSSensor& d) {
    if (site_.simulation.settings().origin)
      set().add_gps(r.on, r.common, vec(d.position), problems());
    else
      site_.files.report(code::kOrigin, robot_.file.path, r.device.place.at,
                         "the GPSSensor " + quoted(r.device.name) + " needs <Origin> in the scenario's Physics");
  }
  void make(const Request& r, const autosim::CompassSensor& d) { set().add_compass(r.on, r.common, vec(d.axis), problems()); }
  void make(const Request& r, const autosim::InclinometerSensor& d) {
    set().add_inclinometer(r.on, r.common, vec(d.axis), problems());
  }
  void make(const Request& r, const autosim::TimeDevice&) { set().add_time(r.on, r.common, problems()); }
  void make(const Request& r, const autosim::LightDevice& d) {
    if (const DeviceNode* node = set().add_light(r.on, r.common, "LightDevice", d.intensity, problems()))
      scene_.appearance.lights.push_back({node, r.on.node, vec(d.position), {}, 0, vec(d.color)});
  }
  void make(const Request& r, const autosim::HeadLightDevice& d) {
    if (const DeviceNode* node = set().add_light(r.on, r.common, "HeadLightDevice", d.intensity, problems()))
      scene_.appearance.lights.push_back({node, r.on.node, vec(d.position), geo::normalized(vec(d.direction)),
                                          std::cos(geo::radians(d.angle) / 2), vec(d.color)});
  }
  /// Those of RobotSensors.
  template <class Sensor>
  void make(const Request& r, const Sensor&) {
    if ((std::is_same_v<Sensor, autosim::ImuSensor> ||
         std::is_same_v<Sensor, autosim::SemanticCamera>)&&!r.device.noise.empty())
      site_.files.report(code::kNoiseUnused, robot_.file.path, r.device.noise.front().place.at,
                         "the noise of " + quoted(r.device.name) + " has no value to be added to");
    add_robot_sensor(site_, robot_, r.on, r.common, r.device);
  }

  void add_scanner(const PartRef& on, const DeviceCommon& common, const autosim::LaserScanner& from) {
    const vision::LaserScannerSettings s = scanner_of(from);
    if (!site_.assembly.scanners)
      site_.assembly.scanners =
          std::make_unique<vision::LaserScanners>(site_.simulation, *site_.assembly.bodies, site_.assembly.vision_device);
    if (site_.assembly.scanners->rays() + s.rays() > vision::kMaxAllRays) {
      site_.files.report(code::kScannerRays, common.source.file, common.source.at,
                         "with " + quoted(on.node->name() + "." + common.name) + " the scanners have more than " +
                             number_text(static_cast<std::int64_t>(vision::kMaxAllRays)) + " rays together");
      return;
    }
    const double dt = site_.simulation.settings().physics.dt;
    if (s.rate * dt > 1 + 1e-9)
      site_.files.report(code::kScannerRate, common.source.file, common.source.at,
                         number_text(s.rate) + " scans a second of " + quoted(common.name) + " with steps of " +
                             number_text(dt) + " s: it scans once a step");
    const DeviceNode* node = site_.assembly.scanners->add_scanner(on, common, s, site_.files.problems());
    if (node == nullptr) return;
    std::vector<geo::Vec3> directions = vision::ray_directions(s);
    for (geo::Vec3& d : directions) d = s.pose.q * d;
    scene_.appearance.rays.push_back({node, on.node, s.pose.p, std::move(directions), s.range_max});
  }

  const Site& site_;
  const RobotParts& robot_;
  Scene& scene_;
  RobotDevices made_;
};

}  // namespace

Quat aimed(Vec3 forward, Vec3 up_vector) {
  const Quat aim = geo::rotation_between({0, 0, 1}, forward);
  const Vec3 up = inverse(aim) * up_vector;
  return geo::normalized(aim * geo::rotation({0, 0, 1}, std::atan2(-up.x, up.y)));
}

RobotDevices add_devices(const Site& site, const RobotParts& robot, Scene& scene) {
  return DeviceBuilder(site, robot, scene).build();
}

}  // namespace simbatch::scenario::detail
