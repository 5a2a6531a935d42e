// simrun plot: a trace as an SVG picture.

#include "lib/plot/trace_charts.hpp"

#include <algorithm>

#include "apps/simrun/simrun.hpp"
#include "base/core/atomic_file.hpp"
#include "lib/sim/tree/tree.hpp"

namespace simbatch::simrun {

using cli::ExitCode;

ExitCode plot(const cli::Common& common, const PlotOptions& options) {
  cli::Reporter reporter(common);
  const auto input = read_trace(reporter, options.input);
  if (!input) return reporter.finish(ExitCode::input);
  plot::TraceChartOptions choice;
  if (!options.devices.empty()) {
    choice.wanted = [&](std::string_view name) {
      return std::any_of(options.devices.begin(), options.devices.end(),
                         [&](const std::string& pattern) { return sim::glob_matches(pattern, name); });
    };
  }
  const std::vector<plot::Chart> charts = plot::trace_charts(*input->trace.value, choice);
  write_file(options.output, plot::svg(charts, options.columns));
  return reporter.finish();
}

}  // namespace simbatch::simrun
