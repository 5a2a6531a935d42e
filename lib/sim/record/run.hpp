#pragma once
/// A whole run: steps, rows, hashes, frames.

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "formats/trace/write.hpp"
#include "lib/sim/record/collisions.hpp"
#include "lib/sim/record/recorder.hpp"
#include "lib/sim/record/recording.hpp"
#include "lib/sim/simulation.hpp"

namespace simbatch::sim {

struct RunPlan {
  std::int64_t steps = 0;         ///< exact number of steps
  std::int64_t every = 1;         ///< steps per row and frame, the first at step 0
  std::int64_t hash_every = 100;  ///< steps per hash in the trace; 0: none
};

/// The header's part that comes from the simulation: dt, seed, engine, probes, and the plan. Name, inputs and devices are the
/// caller's.
trace::Header trace_header(const Simulation& simulation, const RunPlan& plan);

struct RunOutputs {
  trace::Writer* writer = nullptr;  ///< rows of `nodes`
  std::vector<const TreeNode*> nodes;
  RecordingWriter* recording = nullptr;
  std::function<void(std::int64_t step)> on_step = {};  ///< called after the start (0) and after each step that was made
};

/// Writes each step to a run's outputs, for callers that step the simulation themselves.
class RunRecorder {
 public:
  /// @param simulation, outputs  must outlive this
  RunRecorder(Simulation& simulation, const RunPlan& plan, const RunOutputs& outputs);
  /// After the start, and after each step that was made.
  void record();
  /// The end record, as of this step. @param interrupted  before all steps were made
  trace::End end(bool interrupted) const;

 private:
  const Simulation& simulation_;
  RunPlan plan_;
  const RunOutputs& outputs_;
  RowGatherer gatherer_;
  Collisions collisions_;
};

/// Starts and steps the simulation. Outputs get their rows, but are not finished: that is the caller's, which knows how the run
/// ended.
/// @param keep_going  called with the steps done, often; false ends the run as "interrupted"
trace::End run_simulation(Simulation& simulation, const RunPlan& plan, const RunOutputs& outputs,
                          const std::function<bool(std::int64_t)>& keep_going);

}  // namespace simbatch::sim
