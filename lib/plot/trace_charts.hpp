#pragma once
/// The charts that give an overview of a trace.

#include <functional>
#include <string_view>
#include <vector>

#include "formats/trace/trace.hpp"
#include "lib/plot/chart.hpp"

namespace simbatch::plot {

struct TraceChartOptions {
  /// Which devices get charts over time. Empty: everything that measures (kinds that end in "Sensor", missions, traffic).
  std::function<bool(std::string_view name)> wanted;
  std::size_t max_charts = 24;
};

/// First a map (x east, z north; m) with the paths of everything that has a place in the world and moves, its end marked; then,
/// for each wanted device, one chart per unit with all its number fields of that unit over time (s). Text fields are left out.
std::vector<Chart> trace_charts(const trace::Trace& trace, const TraceChartOptions& options = {});

}  // namespace simbatch::plot
