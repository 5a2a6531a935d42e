#include "formats/trace/select.hpp"

#include <algorithm>
#include <utility>

namespace simbatch::trace {

Trace every_nth_row(Trace trace, std::int64_t n) {
  if (n <= 1) return trace;
  const auto keep = [step = static_cast<std::size_t>(n)](auto& values) {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < values.size(); i += step, ++kept)
      if (kept != i) values[kept] = std::move(values[i]);
    values.resize(kept);
  };
  keep(trace.steps);
  for (std::vector<Column>& columns : trace.columns)
    for (Column& column : columns) {
      keep(column.numbers);
      keep(column.texts);
    }
  trace.header.every *= n;
  return trace;
}

Trace only_steps(Trace trace, std::int64_t first, std::int64_t last) {
  const auto begin = std::lower_bound(trace.steps.begin(), trace.steps.end(), first) - trace.steps.begin();
  const auto end = std::max(begin, std::upper_bound(trace.steps.begin(), trace.steps.end(), last) - trace.steps.begin());
  const auto keep = [begin, end](auto& values) {
    if (values.empty()) return;  // of the numbers and texts of a column one is empty
    values.erase(values.begin() + end, values.end());
    values.erase(values.begin(), values.begin() + begin);
  };
  keep(trace.steps);
  for (std::vector<Column>& columns : trace.columns)
    for (Column& column : columns) {
      keep(column.numbers);
      keep(column.texts);
    }
  return trace;
}

Trace only_devices(Trace trace, const std::function<bool(std::string_view name)>& wanted) {
  std::size_t kept = 0;
  for (std::size_t d = 0; d < trace.header.devices.size(); ++d) {
    if (!wanted(trace.header.devices[d].name)) continue;
    if (kept != d) {
      trace.header.devices[kept] = std::move(trace.header.devices[d]);
      trace.columns[kept] = std::move(trace.columns[d]);
    }
    ++kept;
  }
  trace.header.devices.resize(kept);
  trace.columns.resize(kept);
  return trace;
}

}  // namespace simbatch::trace
