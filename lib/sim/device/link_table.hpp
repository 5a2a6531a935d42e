#pragma once
/// Links between parts, as nodes of the tree.

#include <vector>

#include "lib/sim/simulation.hpp"

namespace simbatch::sim {

/// Shows position (rad or m) and speed of revolute and prismatic links since the start; spherical links have no values.
class LinkTable final : public Participant {
 public:
  explicit LinkTable(Simulation& simulation) : simulation_(simulation) {}
  static std::vector<Field> fields(physics::LinkKind kind);
  /// @param node  made with fields(kind)
  void add(physics::LinkId link, physics::LinkKind kind, const TreeNode& node);
  void start(const Clock&) override { refresh(); }
  void after_step(const Clock&) override { refresh(); }

 private:
  struct Entry {
    physics::LinkId link;
    std::size_t offset;
  };
  void refresh();
  Simulation& simulation_;
  std::vector<Entry> entries_;
};

}  // namespace simbatch::sim
