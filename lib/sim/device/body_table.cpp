#include "lib/sim/device/body_table.hpp"

namespace simbatch::sim {

std::vector<Field> BodyTable::pose_fields() {
  return {{"x", "m", "W"},  {"y", "m", "W"},  {"z", "m", "W"}, {"qw", "1", "W"},
          {"qx", "1", "W"}, {"qy", "1", "W"}, {"qz", "1", "W"}};
}

void BodyTable::write_pose(std::span<double> out, const geo::Pose& pose) {
  out[0] = pose.p.x;
  out[1] = pose.p.y;
  out[2] = pose.p.z;
  out[3] = pose.q.w;
  out[4] = pose.q.x;
  out[5] = pose.q.y;
  out[6] = pose.q.z;
}

std::size_t BodyTable::add(physics::BodyId body, const TreeNode& node) {
  entries_.push_back({body, node.values_offset()});
  states_.emplace_back();
  return entries_.size() - 1;
}

void BodyTable::refresh() {
  const physics::World& world = simulation_.world();
  const std::span<double> bank = simulation_.tree().bank();
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    const physics::BodyId body = entries_[i].body;
    states_[i] = {world.pose(body), world.linear_velocity(body), world.angular_velocity(body)};
    write_pose(bank.subspan(entries_[i].offset, 7), states_[i].pose);
  }
}

}  // namespace simbatch::sim
