#include "lib/plot/trace_charts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

namespace simbatch::plot {
namespace {

std::optional<std::size_t> field_named(const trace::Device& device, std::string_view name) {
  for (std::size_t i = 0; i < device.fields.size(); ++i) {
    const trace::Field& field = device.fields[i];
    if (field.name == name && field.frame == "W" && field.unit == "m") return i;
  }
  return std::nullopt;
}

bool measures(const trace::Device& device) {
  return device.kind.ends_with("Sensor") || device.kind.find("Mission") != std::string::npos;
}

Chart map_of(const trace::Trace& trace, const TraceChartOptions& options) {
  Chart map{"Paths", "x east (m)", "z north (m)", {}, {}, true};
  for (std::size_t d = 0; d < trace.header.devices.size(); ++d) {
    const trace::Device& device = trace.header.devices[d];
    const auto x = field_named(device, "x"), z = field_named(device, "z");
    if (!x || !z || device.kind == "Camera") continue;
    const std::vector<double>& east = trace.columns[d][*x].numbers;
    const std::vector<double>& north = trace.columns[d][*z].numbers;
    if (east.empty()) continue;
    const auto [east_low, east_high] = std::minmax_element(east.begin(), east.end());
    const auto [north_low, north_high] = std::minmax_element(north.begin(), north.end());
    if (*east_high - *east_low + *north_high - *north_low < 0.5) continue;  // it does not move
    const bool few = map.series.size() < 8;
    map.series.push_back({few ? device.name : "", east, north});
    map.marks.push_back({east.back(), north.back(), ""});
  }
  if (map.series.empty()) return map;
  for (Series plan : options.plans) {
    plan.dashed = true;
    map.series.push_back(std::move(plan));
  }
  map.ground = options.ground;
  return map;
}

/// Unwraps directions at north: adds full turns so that each value is closest to the previous one.
std::vector<double> unwrapped(std::vector<double> values, double turn) {
  for (std::size_t i = 1; i < values.size(); ++i) values[i] -= turn * std::round((values[i] - values[i - 1]) / turn);
  return values;
}

}  // namespace

std::vector<Chart> trace_charts(const trace::Trace& trace, const TraceChartOptions& options) {
  std::vector<Chart> charts;
  if (Chart map = map_of(trace, options); !map.series.empty()) charts.push_back(std::move(map));
  std::vector<double> time;
  time.reserve(trace.steps.size());
  for (const std::int64_t step : trace.steps) time.push_back(static_cast<double>(step) * trace.header.dt);
  for (std::size_t d = 0; d < trace.header.devices.size(); ++d) {
    const trace::Device& device = trace.header.devices[d];
    if (options.wanted ? !options.wanted(device.name) : !measures(device)) continue;
    std::vector<Chart> own;
    // A dozen evenly spaced rays of a scanner's hundreds suffice for a chart.
    constexpr std::size_t kMaxSeries = 12;
    const std::size_t stride = device.kind == "LaserScanner" ? (device.fields.size() + kMaxSeries - 1) / kMaxSeries : 1;
    for (std::size_t f = 0; f < device.fields.size(); ++f) {
      const trace::Field& field = device.fields[f];
      if (field.type == trace::FieldType::text || field.name == "utc") continue;
      if (field.unit == "m" && f % stride != 0) continue;
      // A course and a latitude are both in degrees, but do not belong in one chart.
      const std::string label = field.unit == "1"                           ? ""
                                : field.frame == "G" && field.unit == "deg" ? field.name + " (deg)"
                                                                            : field.unit;
      auto chart = std::find_if(own.begin(), own.end(), [&](const Chart& c) { return c.y_label == label; });
      if (chart == own.end()) chart = own.insert(own.end(), {device.name, "time (s)", label, {}, {}, false});
      std::vector<double> values = trace.columns[d][f].numbers;
      const bool is_direction = field.name.starts_with("heading") || field.name.starts_with("course");
      if (is_direction) values = unwrapped(std::move(values), field.unit == "deg" ? 360 : 2 * std::numbers::pi);
      chart->series.push_back({field.name, time, std::move(values)});
    }
    for (Chart& chart : own) {
      // The true value is drawn over the noisy one.
      std::stable_sort(chart.series.begin(), chart.series.end(), [](const Series& a, const Series& b) {
        return !a.name.ends_with("_true") && b.name.ends_with("_true");
      });
      for (Series& series : chart.series)
        series.faint = std::any_of(chart.series.begin(), chart.series.end(),
                                   [&](const Series& other) { return other.name == series.name + "_true"; });
      if (charts.size() < options.max_charts) charts.push_back(std::move(chart));
    }
  }
  return charts;
}

}  // namespace simbatch::plot
