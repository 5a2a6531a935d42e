// simrun plot: a trace as an SVG picture.

#include "lib/plot/trace_charts.hpp"

#include <algorithm>
#include <iterator>

#include "apps/common/outputs.hpp"
#include "apps/simrun/options.hpp"
#include "apps/simrun/simrun.hpp"
#include "base/core/atomic_file.hpp"
#include "lib/plot/expectation_charts.hpp"
#include "lib/sim/tree/tree.hpp"

namespace simbatch::simrun {

namespace {

using cli::ExitCode;

struct PlotOptions {
  std::string input, output;
  std::vector<std::string> devices;  ///< patterns; empty: all measuring devices
  int columns = 3;                   ///< charts side by side
  std::vector<std::string> expectations;
};

ExitCode plot(const PlotOptions& options, cli::Reporter& reporter) {
  const auto input = read_trace(reporter, options.input);
  if (!input) return reporter.finish(ExitCode::input);
  plot::TraceChartOptions choice;
  if (!options.devices.empty()) {
    choice.wanted = [&](std::string_view name) { return sim::is_chosen(options.devices, name); };
  }
  const trace::Trace& trace = *input->trace.value;
  check_patterns(options.input, options.devices, trace.header, reporter);
  std::vector<plot::Chart> charts = plot::trace_charts(trace, choice);
  const auto append = [&charts](std::vector<plot::Chart> more) {
    charts.insert(charts.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
  };
  append(plot::recorded_expectation_charts(trace));
  for_each_expectation_text(options.expectations, [&](std::string_view text, const expect::Place& place) {
    auto parsed = expect::read_expectations(text, place);
    reporter.show(std::move(parsed.diagnostics));
    for (const expect::Expectation& expectation : *parsed.value) {
      Diagnostics problems;
      if (const auto checked = expect::check_trace(trace, expectation, problems))
        append(plot::expectation_chart(trace, expectation, *checked));
      reporter.show(std::move(problems));
    }
  });
  if (reporter.failed()) return reporter.finish();
  write_file(options.output, plot::svg(charts, options.columns));
  return reporter.finish();
}

}  // namespace

void add_plot(cli::Command& program) {
  cli::Command& command = program.add("plot", "Draw a trace: paths on a map, sensors over time (SVG)");
  auto& o = command.keep<PlotOptions>();
  command.positional("TRACE", o.input, "Trace").required();
  command.option("-o,--output", "FILE", o.output, "SVG file; - is standard output").required();
  add_devices_option(command, o.devices);
  add_expect_option(command, o.expectations,
                    "Draw this expectation, or all of a file, as well as those of the trace; may be repeated");
  command.option("--columns", "N", o.columns, "Charts side by side").range(1, 12).show_default();
  command.check([&o] {
    cli::Outputs outputs;
    outputs.reads("TRACE", o.input);
    outputs.writes("--output", o.output);
    return outputs.conflict();
  });
  command.examples({"simrun plot run.json -o run.svg --devices '*.chassis' --devices '*.psd*'"});
  command.run([&o](cli::Reporter& reporter) { return plot(o, reporter); });
}

}  // namespace simbatch::simrun
