#pragma once
/// Recorded motion of all moving bodies in a run, row by row.

#include <array>
#include <cstdint>
#include <vector>

#include "formats/trace/trace.hpp"
#include "lib/sim/scene/painted_scene.hpp"
#include "lib/sim/simulation.hpp"

namespace simbatch::view {

/// Suspension (m, hard point to hub), steering and rotation (rad) of a wheel.
struct WheelSample {
  double length = 0, steering = 0, rotation = 0;
};

struct Motion {
  std::vector<std::int64_t> steps;               ///< of each row
  std::vector<std::vector<geo::Pose>> bodies;    ///< [mover][row], in the world; empty for wheels
  std::vector<std::vector<WheelSample>> wheels;  ///< [mover][row]; empty for bodies
};

/// Collects the motion of a simulation while it runs.
class MotionRecorder {
 public:
  /// @param scene  whose movers are followed; must outlive the recorder
  MotionRecorder(const sim::Simulation& simulation, const scene::PaintedScene& scene);
  /// Adds a row with the current poses.
  void record(std::int64_t step);
  Motion& motion() { return motion_; }

 private:
  const sim::Simulation& simulation_;
  const scene::PaintedScene& scene_;
  Motion motion_;
};

/// The motion in a trace: poses of bodies and states of wheels whose nodes were traced, row by row. Columns that were not
/// traced are empty; see is_complete().
Motion traced_motion(const trace::Trace& trace, const sim::Simulation& simulation, const scene::PaintedScene& scene);
bool is_complete(const Motion& motion);

/// Fills the missing columns of `motion` from another motion of the same movers, whose steps include all of its steps.
void fill_motion(Motion& motion, const Motion& from);

/// The full name of a mover in the tree: "impreza.chassis", "impreza.chassis.front_left".
std::string mover_name(const sim::Simulation& simulation, const scene::MovingFigure& mover);

}  // namespace simbatch::view
