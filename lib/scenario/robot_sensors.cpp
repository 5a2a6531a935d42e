// Sensors of robots' joints and bodies, and the rates and latencies of all sensors.

#include <type_traits>

#include "base/core/number.hpp"
#include "lib/scenario/codes.hpp"
#include "lib/scenario/robot.hpp"

namespace simbatch::scenario::detail {
namespace {

InertialErrors errors_of(const autosim::ImuErrors& from) {
  return {from.noise,       from.bias,  from.turn_on_bias, from.instability, from.correlation_time,
          from.random_walk, from.drift, from.range};
}

/// Offset in the bank of a field of a node; nothing if it has no such field.
std::optional<std::size_t> field_of(const TreeNode& node, std::string_view name) {
  std::size_t at = node.values_offset();
  for (const Field& field : node.type().fields) {
    if (field.name == name) return at;
    if (field.type != FieldType::text) ++at;
  }
  return std::nullopt;
}

class SensorBuilder {
 public:
  SensorBuilder(const Site& site, const RobotParts& robot, const PartRef& on, const DeviceCommon& common,
                const autosim::Device& device)
      : site_(site), robot_(robot), on_(on), common_(common), device_(device) {}

  void add(const autosim::EncoderSensor& from) {
    EncoderSettings settings;
    settings.resolution = from.resolution;
    settings.rate = rate();
    std::optional<std::size_t> source;
    if (!from.wheel.empty()) {
      const TreeNode* wheel = site_.simulation.tree().find(on_.node->name() + "." + from.wheel);
      if (wheel != nullptr && wheel->type().kind == "WheelDevice") source = field_of(*wheel, "rotation");
      if (!source) return refuse("WheelDevice", from.wheel);
    } else {
      const LinkEntry* link = find_link(from.link);
      if (link == nullptr) return;
      settings.turns = link->kind == physics::LinkKind::revolute;
      source = field_of(*link->node, settings.turns ? "angle" : "displacement");
    }
    settings.source = *source;
    site_.assembly.sensors->add_encoder(on_, common_, settings, site_.files.problems());
  }
  void add(const autosim::ImuSensor& from) {
    site_.assembly.sensors->add_imu(
        on_, common_,
        {{vec(from.position), rotation_of(from.rotation)}, errors_of(from.gyroscope), errors_of(from.accelerometer), rate()},
        site_.files.problems());
  }
  void add(const autosim::BumperSensor& from) {
    BumperSettings settings;
    if (from.size) settings.size = vec(*from.size);
    settings.position = vec(from.position);
    settings.threshold = from.threshold;
    site_.assembly.sensors->add_bumper(on_, common_, settings, site_.files.problems());
  }
  void add(const autosim::ForceTorqueSensor& from) {
    if (const LinkEntry* link = find_link(from.link))
      site_.assembly.sensors->add_force_torque(on_, common_, {link->joint, link->kind}, site_.files.problems());
  }
  void add(const autosim::RadarSensor& from) {
    RadarSettings settings;
    settings.pose = {vec(from.position), aimed(vec(from.direction), vec(from.up))};
    settings.width = geo::radians(from.width);
    settings.height = geo::radians(from.height);
    settings.range = from.range;
    settings.columns = from.columns;
    settings.rows = from.rows;
    settings.targets = from.targets;
    settings.rate = rate();
    site_.assembly.sensors->add_radar(on_, common_, settings, site_.files.problems());
  }

  void add(const autosim::DepthCamera& from) { add_camera(from, false); }
  void add(const autosim::SemanticCamera& from) { add_camera(from, true); }

 private:
  void add_camera(const autosim::RangeCamera& from, bool semantic) {
    vision::RangeImageSettings settings;
    settings.pose = {vec(from.position), aimed(vec(from.direction), vec(from.up))};
    settings.field_of_view = geo::radians(from.field_of_view);
    settings.width = from.width;
    settings.height = from.height;
    settings.near = from.range_min;
    settings.far = from.range_max;
    settings.rate = rate();
    settings.semantic = semantic;
    auto& cameras = site_.assembly.range_images;
    if (!cameras)
      cameras = std::make_unique<vision::RangeImages>(site_.simulation, *site_.assembly.bodies, site_.assembly.vision_device);
    if (cameras->pixels() + settings.pixels() > vision::kMaxAllRangePixels) {
      site_.files.report(code::kScannerRays, common_.source.file, common_.source.at,
                         "with " + quoted(on_.node->name() + "." + common_.name) +
                             " the depth and semantic cameras have more than " +
                             number_text(static_cast<std::int64_t>(vision::kMaxAllRangePixels)) + " pixels together");
      return;
    }
    cameras->add_camera(on_, common_, settings, site_.files.problems());
  }
  double rate() const { return device_.rate.value_or(0); }
  void refuse(const std::string& kind, const std::string& name) {
    if (robot_.file.names.contains(name)) return;  // left out for an error that was reported
    site_.files.report(code::kDeviceLink, robot_.file.path, device_.place.at,
                       "the " + std::string(autosim::type_name(device_)) + " " + quoted(device_.name) + " names the " + kind +
                           " " + quoted(name) + ", expected one of " + (kind == "link" ? "this robot" : "the same part"));
  }
  const LinkEntry* find_link(const std::string& name) {
    for (const LinkEntry& link : robot_.links)
      if (link.name == name) return &link;
    refuse("link", name);
    return nullptr;
  }

  const Site& site_;
  const RobotParts& robot_;
  const PartRef& on_;
  const DeviceCommon& common_;
  const autosim::Device& device_;
};

template <class T>
concept RobotSensorModel = std::is_same_v<T, autosim::EncoderSensor> || std::is_same_v<T, autosim::ImuSensor> ||
    std::is_same_v<T, autosim::BumperSensor> || std::is_same_v<T, autosim::ForceTorqueSensor> ||
    std::is_same_v<T, autosim::RadarSensor> || std::is_same_v<T, autosim::DepthCamera> ||
    std::is_same_v<T, autosim::SemanticCamera>;

}  // namespace

void add_robot_sensor(const Site& site, const RobotParts& robot, const PartRef& on, const DeviceCommon& common,
                      const autosim::Device& device) {
  SensorBuilder builder(site, robot, on, common, device);
  std::visit(
      [&]<class T>(const T& sensor) {
        if constexpr (RobotSensorModel<T>) builder.add(sensor);
      },
      device.kind);
}

void add_sampling(const Site& site, const PartRef& on, const autosim::Device& device) {
  if (!device.rate && !device.latency) return;
  const auto* node = dynamic_cast<const DeviceNode*>(site.simulation.tree().find(on.node->name() + "." + device.name));
  if (node == nullptr) return;  // reported where it was to be added
  const double dt = site.simulation.settings().physics.dt;
  Sampling sampling{device.rate.value_or(0), device.latency.value_or(0)};
  if (sampling.rate * dt > 1 + 1e-9)
    site.files.report(code::kSensorRate, node->source().file, node->source().at,
                      number_text(sampling.rate) + " samples a second of " + quoted(device.name) + " with steps of " +
                          number_text(dt) + " s: it measures once a step");
  if (const auto* scanner = std::get_if<autosim::LaserScanner>(&device.kind)) sampling.rate = scanner->rate.value_or(0);
  if (!site.assembly.sampling->add(*node, sampling))
    site.files.report(code::kSensorLatency, node->source().file, node->source().at,
                      "with the latency of " + quoted(node->name()) + " more than " +
                          number_text(static_cast<std::int64_t>(kMaxDelayed)) +
                          " numbers would be in transit; give it a shorter latency, a lower rate or fewer values");
}

}  // namespace simbatch::scenario::detail
