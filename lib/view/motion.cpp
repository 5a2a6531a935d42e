#include "lib/view/motion.hpp"

#include <algorithm>
#include <map>
#include <string_view>

namespace simbatch::view {
namespace {

constexpr std::array<std::string_view, 7> kPoseFields = {"x", "y", "z", "qw", "qx", "qy", "qz"};

/// True if a device's first fields are a pose in the world, as numbers.
bool has_pose(const trace::Device& device) {
  if (device.fields.size() < kPoseFields.size()) return false;
  for (std::size_t i = 0; i < kPoseFields.size(); ++i)
    if (device.fields[i].name != kPoseFields[i] || device.fields[i].frame != "W" ||
        device.fields[i].type == trace::FieldType::text)
      return false;
  return true;
}

/// The numeric column of a field; nullptr if there is none.
const std::vector<double>* column_of(const trace::Device& device, const std::vector<trace::Column>& columns,
                                     std::string_view field) {
  for (std::size_t f = 0; f < device.fields.size(); ++f)
    if (device.fields[f].name == field && device.fields[f].type != trace::FieldType::text) return &columns[f].numbers;
  return nullptr;
}

}  // namespace

std::string mover_name(const sim::Simulation& simulation, const scene::MovingFigure& mover) {
  const physics::World& world = simulation.world();
  if (mover.body != physics::kNoBody) return world.name(mover.body);
  const std::string& chassis = world.name(world.chassis(mover.vehicle));
  const std::string& wheel = world.vehicle(mover.vehicle).wheels[mover.wheel].name;
  return wheel.starts_with(chassis + ".") ? wheel : chassis + "." + wheel;
}

MotionRecorder::MotionRecorder(const sim::Simulation& simulation, const scene::PaintedScene& scene)
    : simulation_(simulation), scene_(scene) {
  motion_.bodies.resize(scene.movers.size());
  motion_.wheels.resize(scene.movers.size());
}

void MotionRecorder::record(std::int64_t step) {
  const physics::World& world = simulation_.world();
  motion_.steps.push_back(step);
  for (std::size_t i = 0; i < scene_.movers.size(); ++i) {
    const scene::MovingFigure& mover = scene_.movers[i];
    if (mover.body != physics::kNoBody) {
      motion_.bodies[i].push_back(world.pose(mover.body));
    } else {
      const physics::WheelState wheel = world.wheel(mover.vehicle, mover.wheel);
      motion_.wheels[i].push_back({wheel.suspension_length, wheel.steering, wheel.rotation});
    }
  }
}

Motion traced_motion(const trace::Trace& trace, const sim::Simulation& simulation, const scene::PaintedScene& scene) {
  std::map<std::string_view, std::size_t> devices;
  for (std::size_t d = 0; d < trace.header.devices.size(); ++d) devices[trace.header.devices[d].name] = d;
  Motion motion;
  motion.steps = trace.steps;
  motion.bodies.resize(scene.movers.size());
  motion.wheels.resize(scene.movers.size());
  for (std::size_t i = 0; i < scene.movers.size(); ++i) {
    const std::string name = mover_name(simulation, scene.movers[i]);
    const auto found = devices.find(name);
    if (found == devices.end()) continue;
    const trace::Device& device = trace.header.devices[found->second];
    const auto& columns = trace.columns[found->second];
    if (scene.movers[i].body != physics::kNoBody && has_pose(device)) {
      const auto v = [&](std::size_t field, std::size_t row) { return columns[field].numbers[row]; };
      for (std::size_t r = 0; r < trace.steps.size(); ++r)
        motion.bodies[i].push_back({{v(0, r), v(1, r), v(2, r)}, {v(3, r), v(4, r), v(5, r), v(6, r)}});
    } else if (scene.movers[i].body == physics::kNoBody) {
      const auto* length = column_of(device, columns, "suspension_length");
      const auto* steering = column_of(device, columns, "steering");
      const auto* rotation = column_of(device, columns, "rotation");
      if (length == nullptr || steering == nullptr || rotation == nullptr) continue;
      for (std::size_t r = 0; r < trace.steps.size(); ++r)
        motion.wheels[i].push_back({(*length)[r], (*steering)[r], (*rotation)[r]});
    }
  }
  return motion;
}

bool is_complete(const Motion& motion) {
  if (motion.steps.empty()) return true;
  for (std::size_t i = 0; i < motion.bodies.size(); ++i)
    if (motion.bodies[i].empty() && motion.wheels[i].empty()) return false;
  return true;
}

void fill_motion(Motion& motion, const Motion& from) {
  for (std::size_t i = 0; i < motion.bodies.size(); ++i) {
    if (!motion.bodies[i].empty() || !motion.wheels[i].empty()) continue;
    for (std::size_t row = 0, at = 0; row < motion.steps.size(); ++row) {
      // The last row is used for steps that `from` did not reach.
      while (at + 1 < from.steps.size() && from.steps[at] < motion.steps[row]) ++at;
      if (!from.bodies[i].empty()) motion.bodies[i].push_back(from.bodies[i][at]);
      if (!from.wheels[i].empty()) motion.wheels[i].push_back(from.wheels[i][at]);
    }
  }
}

}  // namespace simbatch::view
