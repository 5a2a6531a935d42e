#pragma once
/// Traces of runs that are kept. Internal to this room.

#include <memory>
#include <string>

#include "formats/trace/write.hpp"
#include "lib/scenario/build.hpp"
#include "lib/sim/record/run.hpp"

namespace simbatch::study::detail {

/// A JSON trace of all nodes of a run that is about to begin, and which gets its rows from now on. The file is there when finish() has been called.
/// @throws IoError
std::unique_ptr<trace::Writer> keep_trace(const scenario::BuiltScenario& built, const sim::RunPlan& plan,
                                          const std::string& path, sim::RunOutputs& outputs);

/// How many steps a duration (s) takes.
std::int64_t steps_of(double duration, double dt);

}  // namespace simbatch::study::detail
