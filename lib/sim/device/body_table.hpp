#pragma once
/// The bodies that carry devices: read from the physics once per step, regardless of the number of devices.

#include <vector>

#include "base/geo/pose.hpp"
#include "lib/sim/simulation.hpp"

namespace simbatch::sim {

/// Shows the poses of bodies in the tree (x, y, z in m; orientation as a quaternion qw, qx, qy, qz; frame W) and keeps the
/// values used by sensors. Must be added to the simulation before its users.
class BodyTable final : public Participant {
 public:
  struct State {
    geo::Pose pose;      ///< X_WB
    geo::Vec3 velocity;  ///< of the body frame's origin, m/s, in W
    geo::Vec3 angular;   ///< rad/s, in W
  };

  explicit BodyTable(Simulation& simulation) : simulation_(simulation) {}
  /// Fields of a node for a body: x, y, z, qw, qx, qy, qz.
  static std::vector<Field> pose_fields();
  static void write_pose(std::span<double> out, const geo::Pose& pose);

  /// @param node  whose first seven numbers are pose_fields()
  /// @return index for operator[]
  std::size_t add(physics::BodyId body, const TreeNode& node);
  const State& operator[](std::size_t index) const { return states_[index]; }
  physics::BodyId body(std::size_t index) const { return entries_[index].body; }

  void start(const Clock&) override { refresh(); }
  void after_step(const Clock&) override { refresh(); }

 private:
  struct Entry {
    physics::BodyId body;
    std::size_t offset;
  };
  void refresh();

  Simulation& simulation_;
  std::vector<Entry> entries_;
  std::vector<State> states_;
};

}  // namespace simbatch::sim
