#pragma once
/// Overview charts of a trace.

#include <functional>
#include <string_view>
#include <vector>

#include "formats/trace/trace.hpp"
#include "lib/plot/chart.hpp"

namespace simbatch::plot {

struct TraceChartOptions {
  /// Devices to plot over time. Empty: all measuring devices (kinds that end in "Sensor", missions, traffic).
  std::function<bool(std::string_view name)> wanted;
  std::size_t max_charts = 24;
  GroundPlan ground = {};          ///< under the paths
  std::vector<Series> plans = {};  ///< paths that are to be driven: dashed, on the map
};

/// First a map (x east, z north; m) with the paths of all moving objects, their ends marked; then, for each selected device,
/// one chart per unit with all its numeric fields of that unit over time (s). Text fields are omitted.
std::vector<Chart> trace_charts(const trace::Trace& trace, const TraceChartOptions& options = {});

}  // namespace simbatch::plot
