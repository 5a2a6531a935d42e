#pragma once
/// What the replay page knows about lanes: positions on roads for each triangle, and the marks that cross it.

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "lib/sim/scene/paint.hpp"
#include "lib/sim/scene/painted_scene.hpp"
#include "lib/sim/scene/placed_marks.hpp"

namespace simbatch::view::detail {

/// Writes the data of roads for the block "scene".
class RoadWriter {
 public:
  explicit RoadWriter(const std::vector<scene::RoadAppearance>& roads);

  /// Appends what a mesh in the world has: for each triangle of a road width, lanes, and for its corners position across and along
  /// the center line (m); for each triangle of a road or junction the marks that may touch it, as a run in the table.
  void append(std::string& to, const scene::PaintedMesh& mesh, const std::vector<scene::Paint>& paints);
  /// Appends the table of marks, after all meshes.
  void append_table(std::string& to) const;

 private:
  /// Sorted numbers of the marks that may touch a triangle. @param corners  three points
  std::vector<std::uint32_t> marks_near(const geo::Vec3* corners) const;

  scene::RoadMap roads_;
  std::vector<scene::PlacedMark> marks_;                      // by x
  double reach_ = 0;                                          // of the largest one (m)
  std::vector<std::uint32_t> table_;                          // numbers of marks, run by run
  std::map<std::vector<std::uint32_t>, std::uint32_t> runs_;  // where each run begins
};

}  // namespace simbatch::view::detail
