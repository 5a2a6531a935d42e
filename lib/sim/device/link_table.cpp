#include "lib/sim/device/link_table.hpp"

namespace simbatch::sim {

std::vector<Field> LinkTable::fields(physics::LinkKind kind) {
  if (kind == physics::LinkKind::revolute) return {{"angle", "rad", "B"}, {"rate", "rad/s", "B"}};
  if (kind == physics::LinkKind::prismatic) return {{"displacement", "m", "B"}, {"rate", "m/s", "B"}};
  return {};
}

void LinkTable::add(physics::LinkId link, physics::LinkKind kind, const TreeNode& node) {
  if (!fields(kind).empty()) entries_.push_back({link, node.values_offset()});
}

void LinkTable::refresh() {
  const std::span<double> bank = simulation_.tree().bank();
  for (const Entry& entry : entries_) {
    bank[entry.offset] = simulation_.world().link_position(entry.link);
    bank[entry.offset + 1] = simulation_.world().link_velocity(entry.link);
  }
}

}  // namespace simbatch::sim
