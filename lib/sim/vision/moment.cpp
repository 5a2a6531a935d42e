#include "lib/sim/vision/moment.hpp"

#include <algorithm>

namespace simbatch::sim::vision {

using physics::BodyId;
using physics::VehicleId;

void Moment::capture(const Simulation& simulation, const std::vector<scene::LightAppearance>& lights) {
  const physics::World& world = simulation.world();
  step_ = simulation.clock().step;
  ids_.clear();
  bodies_.clear();
  wheels_.clear();
  first_wheel_.clear();
  lamps_.clear();
  for (std::uint32_t i = 0; i < world.body_count(); ++i) {
    if (world.kind(BodyId(i)) == physics::BodyKind::fixed) continue;
    ids_.push_back(BodyId(i));
    bodies_.push_back(world.pose(BodyId(i)));
  }
  for (std::uint32_t i = 0; i < world.vehicle_count(); ++i) {
    first_wheel_.push_back(wheels_.size());
    for (std::size_t k = 0; k < world.vehicle(VehicleId(i)).wheels.size(); ++k)
      wheels_.push_back(world.wheel(VehicleId(i), k).pose);
  }
  first_wheel_.push_back(wheels_.size());
  for (const scene::LightAppearance& light : lights) {
    const auto v = light.part->values();
    lamps_.push_back({light.node->values()[0], {{v[0], v[1], v[2]}, {v[3], v[4], v[5], v[6]}}});
  }
}

const geo::Pose* Moment::body(BodyId id) const {
  const auto at = std::lower_bound(ids_.begin(), ids_.end(), id);
  return at == ids_.end() || *at != id ? nullptr : &bodies_[static_cast<std::size_t>(at - ids_.begin())];
}

const geo::Pose* Moment::wheel(VehicleId vehicle, std::size_t wheel) const {
  const auto v = static_cast<std::size_t>(vehicle);
  if (v + 1 >= first_wheel_.size() || first_wheel_[v] + wheel >= first_wheel_[v + 1]) return nullptr;
  return &wheels_[first_wheel_[v] + wheel];
}

std::size_t Moment::numbers(const Simulation& simulation, std::size_t lights) {
  const physics::World& world = simulation.world();
  std::size_t poses = lights;
  for (std::uint32_t i = 0; i < world.body_count(); ++i)
    if (world.kind(BodyId(i)) != physics::BodyKind::fixed) ++poses;
  for (std::uint32_t i = 0; i < world.vehicle_count(); ++i) poses += world.vehicle(VehicleId(i)).wheels.size();
  return 8 * poses;
}

}  // namespace simbatch::sim::vision
