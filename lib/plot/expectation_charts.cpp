#include "lib/plot/expectation_charts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace simbatch::plot {
namespace {

/// Maximum length of a title in bytes.
std::string shortened(const std::string& text) {
  constexpr std::size_t kMax = 56;
  if (text.size() <= kMax) return text;
  std::size_t end = kMax - 3;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) --end;  // not inside a UTF-8 character
  return text.substr(0, end) + "...";
}

}  // namespace

std::vector<Chart> expectation_chart(const trace::Trace& trace, const expect::Expectation& expectation,
                                     const expect::TraceCheck& check) {
  if (check.time.empty()) return {};
  const expect::Outcome& outcome = check.outcome;
  Chart chart;
  chart.title = shortened(expectation.name) + ": " + std::string(to_text(outcome.verdict));
  chart.x_label = "time (s)";
  chart.y_label = outcome.unit;
  chart.series.push_back({shortened(check.left_text), check.time, check.left});
  chart.series.push_back({.name = shortened(std::string(to_text(outcome.comparison)) + " " + check.right_text),
                          .x = check.time,
                          .y = check.right,
                          .is_bound = true});
  const auto mark = [&](std::int64_t step, const std::string& text) {
    const auto row = static_cast<std::size_t>(step / trace.header.every);
    if (row < check.left.size()) chart.marks.push_back({check.time[row], check.left[row], text});
  };
  const bool fails = outcome.verdict == expect::Verdict::fails;
  if (std::isfinite(outcome.margin)) mark(outcome.step, fmt::format("{:.3g} at {:.6g} s", outcome.margin + 0.0, outcome.time));
  if (fails && outcome.decided >= 0 && outcome.decided != outcome.step)
    mark(outcome.decided, fmt::format("broken at {:.6g} s", static_cast<double>(outcome.decided) * trace.header.dt));
  return {std::move(chart)};
}

std::vector<Chart> recorded_expectation_charts(const trace::Trace& trace) {
  std::vector<Chart> charts;
  if (!trace.end) return charts;
  for (const trace::ExpectationOutcome& recorded : trace.end->expectations) {
    auto parsed = expect::read_expectations(recorded.text, {}, recorded.name);
    if (!parsed.ok()) continue;
    for (const expect::Expectation& expectation : *parsed.value) {
      Diagnostics unused;  // events, and fields that were not traced
      if (const auto check = expect::check_trace(trace, expectation, unused))
        for (Chart& chart : expectation_chart(trace, expectation, *check)) charts.push_back(std::move(chart));
    }
  }
  return charts;
}

}  // namespace simbatch::plot
