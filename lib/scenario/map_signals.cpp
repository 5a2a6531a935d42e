#include "lib/scenario/map_signals.hpp"

#include <algorithm>

#include "lib/scenario/codes.hpp"

namespace simbatch::scenario::detail {
namespace {

struct Light {
  const char* name = nullptr;
  double y = 0;  // in the head, m
  autosim::Vector3 color;
};
// Each light shines on the head from in front of it, upward: a bright disc there, and nothing on the street behind it.
constexpr double kConeAngle = 40;  // degrees
constexpr double kRise = 0.6;      // rise of the beam per meter
constexpr double kBefore = 0.15;   // m
const Light kLights[] = {{"red", 0.28, {1, 0, 0}}, {"amber", 0, {1, 0.3, 0}}, {"green", -0.28, {0, 0.3, 0.02}}};

std::string name_of(const roads::Furniture& signal) {
  const std::string id = number_text(signal.node);
  return "s" + (id.starts_with('-') ? "m" + id.substr(1) : id) + "_" + number_text(signal.number);
}

}  // namespace

bool has_signals(const autosim::World& world) {
  return std::any_of(world.robots.begin(), world.robots.end(),
                     [](const autosim::RobotEntry& entry) { return entry.file == autosim::kSignalsOfMap; });
}

std::optional<RobotFile> signals_of_map(const Site& site, const autosim::RobotEntry& entry) {
  RobotFile file{site.files.scenario(), {}, {}, false, {}};
  file.robot.name = entry.name;
  file.robot.place = entry.place;
  const roads::FurnitureBox head = roads::boxes_of(roads::Furniture::Kind::signal).back();
  if (site.assembly.furniture != nullptr)
    for (const roads::Furniture& signal : *site.assembly.furniture) {
      if (signal.kind != roads::Furniture::Kind::signal) continue;
      autosim::Body body;
      body.name = name_of(signal);
      body.place = entry.place;
      body.shape.size = {head.size.x, head.size.y, head.size.z};
      body.position = {signal.at.x, signal.at.y + head.middle.y, signal.at.z};
      body.rotation = {0, geo::degrees(signal.heading), 0};
      body.mass = 20;
      for (const Light& light : kLights) {
        autosim::HeadLightDevice device;
        device.position = {0, light.y - kRise * kBefore, head.size.z / 2 + kBefore};
        device.direction = {0, kRise, -1};
        device.angle = kConeAngle;
        device.color = light.color;
        file.robot.devices.push_back({light.name, entry.place, body.name, device, {}});
      }
      file.fixed.push_back(body.name);
      file.robot.bodies.push_back(std::move(body));
    }
  if (!file.robot.bodies.empty()) return file;
  // A map that cannot be read is reported on its own.
  if (site.assembly.furniture != nullptr || site.file.terrain.kind != autosim::Terrain::Kind::map)
    site.files.report(code::kSignals, entry.place.at,
                      quoted(entry.name) + " is the signals of a map, and the scenario's " +
                          (site.assembly.furniture != nullptr ? "map has none on its streets" : "Terrain is not a <Map>"));
  return std::nullopt;
}

autosim::RobotEntry signals_entry(const autosim::RobotEntry& entry) {
  autosim::RobotEntry here = entry;
  here.pose = {};
  here.pose.y = 0;
  return here;
}

}  // namespace simbatch::scenario::detail
