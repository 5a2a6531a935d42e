#include "lib/sim/traffic/traffic_participant.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>
#include <span>

namespace simbatch::sim {
namespace {

constexpr double kStepUp = 3;                      // m: ground that is higher than that over the last is a bridge above
constexpr double kDeepest = 1000, kInside = 1e-3;  // m

/// Height of the first terrain straight below a place.
std::optional<double> ground_below(physics::World& world, geo::Vec3 from) {
  while (const auto hit = world.ray_cast(from, {from.x, from.y - kDeepest, from.z})) {
    if (world.is_terrain(hit->body)) return hit->point.y;
    from.y = hit->point.y - kInside;
  }
  return std::nullopt;
}

physics::Pose pose_of(const traffic::State& s, double lift) {
  return {{s.position.x, s.position.y + lift, s.position.z}, geo::rotation({0, 1, 0}, s.heading)};
}

}  // namespace

std::unique_ptr<TreeNode> make_traffic_node(std::string name, Source source, bool readable) {
  static const auto type = make_type("TrafficObject", {{"x", "m", "W"},
                                                       {"y", "m", "W"},
                                                       {"z", "m", "W"},
                                                       {"heading", "rad", "W"},
                                                       {"speed", "m/s", "W"},
                                                       {"goal", "1", "", FieldType::integer}});
  if (readable)
    return std::make_unique<DeviceNode>(std::move(name), type, std::move(source), std::vector<DeviceInput>{},
                                        type->fields.size());
  return std::make_unique<TreeNode>(std::move(name), type, std::move(source));
}

void TrafficParticipant::add_mover(physics::BodyId body, const TreeNode& node, traffic::Motion motion, double lift) {
  movers_.push_back({body, node.values_offset(), std::move(motion), lift, 0, false});
}

void TrafficParticipant::add_dynamic(physics::BodyId body, const TreeNode& node, double lift,
                                     std::optional<DrivenVehicle> drive, std::optional<Driver> driver) {
  vehicles_.push_back({body, node.values_offset(), lift, std::move(drive), std::move(driver)});
}

physics::Pose TrafficParticipant::underside_pose(const DynamicVehicle& vehicle) const {
  const physics::Pose pose = simulation_.world().pose(vehicle.body);
  return {pose * geo::Vec3{0, -vehicle.lift, 0}, pose.q};
}

traffic::State TrafficParticipant::state_on_ground(Mover& mover, double time) {
  traffic::State state = mover.motion.at(time);
  // Below a bridge, take the surface nearest to the last height; without any, keep it.
  physics::World& world = simulation_.world();
  std::optional<double> ground = world.terrain_height(state.position.x, state.position.z);
  if (mover.has_ground && ground && *ground > mover.ground + kStepUp)
    ground = ground_below(world, {state.position.x, mover.ground + kStepUp, state.position.z}).value_or(*ground);
  mover.has_ground = mover.has_ground || ground.has_value();
  mover.ground = ground.value_or(mover.ground);
  state.position.y += mover.ground;
  return state;
}

void TrafficParticipant::start(const Clock& clock) { write_values(clock.time); }

void TrafficParticipant::control(const Clock& clock) {
  for (DynamicVehicle& vehicle : vehicles_)
    if (vehicle.driver)
      vehicle.driver->decide(clock, underside_pose(vehicle), geo::length(simulation_.world().linear_velocity(vehicle.body)),
                             *vehicle.drive);
}

void TrafficParticipant::hash_state(StateHash& hash) const {
  for (const DynamicVehicle& vehicle : vehicles_)
    if (vehicle.driver) vehicle.driver->hash_state(hash);
}

void TrafficParticipant::before_step(const Clock& clock) {
  // The poses after the step; the time is computed as by the clock, never accumulated.
  const double time = static_cast<double>(clock.step + 1) * clock.dt;
  for (Mover& m : movers_) simulation_.world().set_pose(m.body, pose_of(state_on_ground(m, time), m.lift));
  for (DynamicVehicle& vehicle : vehicles_)
    if (vehicle.drive) vehicle.drive->move_actuators(clock.dt);
}

void TrafficParticipant::after_step(const Clock& clock) { write_values(clock.time); }

void TrafficParticipant::write_values(double time) {
  const std::span<double> bank = simulation_.tree().bank();
  for (Mover& m : movers_) {
    const traffic::State s = state_on_ground(m, time);
    const double values[] = {s.position.x, s.position.y, s.position.z, s.heading, s.speed, static_cast<double>(s.goal + 1)};
    std::copy(std::begin(values), std::end(values), bank.begin() + static_cast<std::ptrdiff_t>(m.values));
  }
  for (const DynamicVehicle& vehicle : vehicles_) {
    const physics::Pose pose = underside_pose(vehicle);
    const geo::Vec3 forward = pose.q * geo::Vec3{0, 0, 1};
    const double values[] = {pose.p.x,
                             pose.p.y,
                             pose.p.z,
                             std::atan2(forward.x, forward.z),
                             geo::length(simulation_.world().linear_velocity(vehicle.body)),
                             vehicle.driver ? static_cast<double>(vehicle.driver->goal()) : 0};
    std::copy(std::begin(values), std::end(values), bank.begin() + static_cast<std::ptrdiff_t>(vehicle.values));
  }
}

}  // namespace simbatch::sim
