#include "lib/plot/deviation_charts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>

namespace simbatch::plot {
namespace {

constexpr std::size_t kMaxPaths = 8;

std::vector<double> times_of(const trace::Trace& trace) {
  std::vector<double> times;
  times.reserve(trace.steps.size());
  for (const std::int64_t step : trace.steps) times.push_back(static_cast<double>(step) * trace.header.dt);
  return times;
}

const std::vector<double>* coordinate(const trace::Trace& trace, std::size_t device, std::string_view name) {
  const trace::Device& each = trace.header.devices[device];
  for (std::size_t f = 0; f < each.fields.size(); ++f)
    if (each.fields[f].name == name && each.fields[f].frame == "W" && each.fields[f].unit == "m")
      return &trace.columns[device][f].numbers;
  return nullptr;
}

/// Paths of the bodies that deviate by a pixel or more; a camera's is that of its body.
Chart deviation_map(const trace::Trace& a, const trace::Trace& b, std::span<const trace::Deviation> deviations) {
  constexpr double kLeast = 1e-3;  // m
  Chart map{"Paths", "x east (m)", "z north (m)", {}, {}, true};
  std::vector<std::size_t> seen;
  for (const trace::Deviation& deviation : deviations) {
    const trace::Device& device = a.header.devices[deviation.device_a];
    const std::string& field = device.fields[deviation.field_a].name;
    if ((field != "x" && field != "z") || deviation.max < kLeast || device.kind == "Camera" || seen.size() == kMaxPaths)
      continue;
    if (std::find(seen.begin(), seen.end(), deviation.device_a) != seen.end()) continue;
    const auto *xa = coordinate(a, deviation.device_a, "x"), *za = coordinate(a, deviation.device_a, "z");
    const auto *xb = coordinate(b, deviation.device_b, "x"), *zb = coordinate(b, deviation.device_b, "z");
    if (xa == nullptr || za == nullptr || xb == nullptr || zb == nullptr) continue;
    seen.push_back(deviation.device_a);
    map.series.push_back({device.name + ", first", *xa, *za});
    map.series.push_back({device.name + ", second", *xb, *zb});
  }
  return map;
}

}  // namespace

std::vector<Chart> deviation_charts(const trace::Trace& a, const trace::Trace& b,
                                    const std::vector<std::pair<std::size_t, std::size_t>>& rows,
                                    std::span<const trace::Deviation> deviations) {
  std::vector<Chart> charts;
  if (Chart map = deviation_map(a, b, deviations); !map.series.empty()) charts.push_back(std::move(map));
  const std::vector<double> times_a = times_of(a), times_b = times_of(b);
  for (const trace::Deviation& deviation : deviations) {
    const trace::Device& device = a.header.devices[deviation.device_a];
    const trace::Field& field = device.fields[deviation.field_a];
    const std::vector<double>& first = a.columns[deviation.device_a][deviation.field_a].numbers;
    const std::vector<double>& second = b.columns[deviation.device_b][deviation.field_b].numbers;
    const std::string name = device.name + "." + field.name, unit = field.unit == "1" ? "" : field.unit;
    charts.push_back({name, "time (s)", unit, {{"first", times_a, first}, {"second", times_b, second}}, {}, false});
    Series apart{"second - first", {}, {}};
    for (const auto& [row_a, row_b] : rows) {
      apart.x.push_back(times_a[row_a]);
      apart.y.push_back(trace::difference(first[row_a], second[row_b], trace::turn_of(field)));
    }
    const Mark most{apart.x[deviation.row], apart.y[deviation.row], fmt::format("{:.3g}", apart.y[deviation.row])};
    charts.push_back(
        {fmt::format("difference, rms {:.3g}", deviation.rms), "time (s)", unit, {std::move(apart)}, {most}, false});
  }
  return charts;
}

}  // namespace simbatch::plot
