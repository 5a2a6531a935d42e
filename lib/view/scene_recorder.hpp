#pragma once
/// A run as an animated scene, recorded while it goes on.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "lib/scenario/build.hpp"
#include "lib/view/gltf_world.hpp"

namespace simbatch::view {

/// Keeps 56 bytes for each body and row, 24 for each wheel.
class SceneRecorder {
 public:
  /// @param built  must outlive this
  explicit SceneRecorder(const scenario::BuiltScenario& built) : built_(built) {}
  /// Adds a row with the current poses. The first is the simulation's start: what is visible is found then.
  void record(std::int64_t step);
  /// The file, the same as is made of the run's trace; empty after reporting view-too-large. Without a row: what is visible now.
  std::string glb(Diagnostics& problems);

 private:
  void look();

  const scenario::BuiltScenario& built_;
  scene::PaintedScene scene_;
  std::vector<WorldCamera> cameras_;
  Diagnostics problems_;
  std::optional<MotionRecorder> recorder_;
};

}  // namespace simbatch::view
