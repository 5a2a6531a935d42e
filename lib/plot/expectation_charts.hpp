#pragma once
/// Charts of expectations: the signal, its bound, and the deciding moment.

#include <span>
#include <vector>

#include "formats/trace/trace.hpp"
#include "lib/expect/trace_signals.hpp"
#include "lib/plot/chart.hpp"

namespace simbatch::plot {

/// One chart: both sides of the deciding comparison over time (s), a mark where the margin is smallest and one where the
/// verdict was decided. Empty if no comparison decides (an event, or nothing to check).
std::vector<Chart> expectation_chart(const trace::Trace& trace, const expect::Expectation& expectation,
                                     const expect::TraceCheck& check);

/// The same for the expectations in a trace, as far as its columns allow.
std::vector<Chart> recorded_expectation_charts(const trace::Trace& trace);

}  // namespace simbatch::plot
