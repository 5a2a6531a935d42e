#include "lib/study/kept_trace.hpp"

#include <cmath>

#include "lib/sim/record/recorder.hpp"

namespace simbatch::study::detail {

std::unique_ptr<trace::Writer> keep_trace(const scenario::BuiltScenario& built, const sim::RunPlan& plan,
                                          const std::string& path, sim::RunOutputs& outputs) {
  outputs.nodes = sim::traced_nodes(built.simulation->tree(), {});
  trace::Header header = sim::trace_header(*built.simulation, plan);
  header.scenario = built.name;
  for (const scenario::FileDigest& file : built.inputs) header.inputs.push_back({file.name, file.digest});
  header.devices = sim::trace_devices(outputs.nodes);
  auto writer = trace::make_writer(trace::Format::json, path, std::move(header));
  outputs.writer = writer.get();
  return writer;
}

std::int64_t steps_of(double duration, double dt) { return static_cast<std::int64_t>(std::ceil(duration / dt - 1e-6)); }

}  // namespace simbatch::study::detail
