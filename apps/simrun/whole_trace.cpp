#include "apps/simrun/whole_trace.hpp"

#include "apps/simrun/options.hpp"
#include "formats/trace/write.hpp"
#include "lib/sim/expect/expectations.hpp"
#include "lib/sim/program/script.hpp"
#include "lib/sim/record/run.hpp"

namespace simbatch::simrun {

void write_whole_trace(const SteppedRun& run, trace::Collector& rows, const TraceFile& file) {
  trace::End end = run.recorder.end(false);
  if (run.interrupted) {
    end.outcome = "interrupted";
    end.message.clear();
  }
  if (end.outcome == "complete") run.built.expectations->finish();
  finish_expectations(*run.built.expectations, end);
  trace::Trace& trace = rows.trace();
  trace.end = end;
  // A failed step counts as a requested one.
  trace.header.steps = end.steps + (run.built.simulation->failure() ? 1 : 0);
  trace.header.script = traced_script(run.script.settings());
  const auto writer = trace::make_writer(trace_format(file.format, file.path), file.path, trace.header,
                                         trace::Lines::at_the_end, trace_compression(file.compression));
  trace::write_trace(trace, *writer);
}

}  // namespace simbatch::simrun
