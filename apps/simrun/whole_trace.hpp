#pragma once
/// Traces of runs whose length is not known until they end: rows are kept in memory until then.

#include <string>

#include "apps/simrun/simrun.hpp"
#include "formats/trace/collect.hpp"

namespace simbatch::sim {
class ScriptPlayer;
class RunRecorder;
}  // namespace simbatch::sim

namespace simbatch::simrun {

/// A run that was stepped interactively.
struct SteppedRun {
  const scenario::BuiltScenario& built;
  const sim::ScriptPlayer& script;
  const sim::RunRecorder& recorder;
  bool interrupted = false;  ///< in the middle of a step
};

struct TraceFile {
  std::string path, format, compression;  ///< as of the options
};

/// Writes the trace that a batch run of as many steps with the same script would write. Decides the run's expectations: nothing
/// may be evaluated afterwards. @throws IoError
void write_whole_trace(const SteppedRun& run, trace::Collector& rows, const TraceFile& file);

}  // namespace simbatch::simrun
