#include <fmt/format.h>

#include "apps/common/outputs.hpp"
#include "apps/simrun/options.hpp"
#include "apps/simrun/simrun.hpp"
#include "formats/trace/select.hpp"
#include "lib/sim/tree/tree.hpp"

namespace simbatch::simrun {
namespace {

struct ConvertOptions {
  std::string input, output, format;
  std::vector<std::string> devices;  ///< patterns; empty: all
  std::int64_t from = 0, to = static_cast<std::int64_t>(kMaxSteps), every = 1;
};

cli::ExitCode convert(const ConvertOptions& options, cli::Reporter& reporter) {
  auto input = read_trace(reporter, options.input);
  if (!input) return reporter.finish(cli::ExitCode::input);
  std::vector<std::string_view> names;
  for (const trace::Device& device : input->trace.value->header.devices) names.push_back(device.name);
  warn_of_patterns(options.input, options.devices, names, "simrun info --devices lists them", reporter);
  const auto wanted = [&](std::string_view name) { return sim::is_chosen(options.devices, name); };
  const trace::Trace selected = trace::only_devices(
      trace::every_nth_row(trace::only_steps(std::move(*input->trace.value), options.from, options.to), options.every), wanted);
  const auto writer = trace::make_writer(trace_format(options.format, options.output), options.output, selected.header,
                                         trace::Lines::at_the_end);
  trace::write_trace(selected, *writer);
  reporter.status(fmt::format("{} rows of {} devices", selected.steps.size(), selected.header.devices.size()));
  return reporter.finish();
}

}  // namespace

void add_convert(cli::Command& program) {
  cli::Command& command = program.add("convert", "Write a trace in another format");
  auto& o = command.keep<ConvertOptions>();
  command.positional("TRACE", o.input, "Trace").required();
  command.option("-o,--output", "FILE", o.output, "Output; - is standard output").required();
  add_format_option(command, o.format);
  add_devices_option(command, o.devices);
  command.option("--from", "STEP", o.from, "First step").range(0, kMaxSteps);
  command.option("--to", "STEP", o.to, "Last step (default: the trace's)").range(0, kMaxSteps);
  command.option("--every", "M", o.every, "Take every M-th row of the trace").range(1, kMaxSteps).show_default();
  command.check([&o] { return trace_problem(o.format, o.output, "--output"); });
  command.check([&o] { return o.from > o.to ? std::string("--from must not be greater than --to") : std::string(); });
  command.check([&o] {
    const bool same = o.output != "-" && trace_format(o.format, o.output) == trace::format_of(o.input);
    cli::Outputs outputs;
    outputs.reads("TRACE", o.input);
    outputs.writes("--output", o.output, same ? "TRACE" : "");
    return outputs.conflict();
  });
  command.examples({"simrun convert run.json -o run.parquet",
                    "simrun convert run.json -o turn.csv --devices '*.gyro0' --from 2000 --to 3000"});
  command.run([&o](cli::Reporter& reporter) { return convert(o, reporter); });
}

}  // namespace simbatch::simrun
