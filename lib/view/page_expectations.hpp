#pragma once
/// What a page shows of a run's expectations (docs/expectations.md): their outcomes, and the two sides of a comparison in each row.

#include <string>
#include <vector>

#include "base/json/write_json.hpp"
#include "formats/trace/trace.hpp"
#include "lib/expect/monitor.hpp"

namespace simbatch::view {

/// A comparison whose sides can be drawn.
struct PageComparison {
  std::string comparison;  ///< "<"; empty: an event, which has no sides
  std::string left, right;
  std::string unit;  ///< of both; empty: unknown or none
};
PageComparison page_comparison(const expect::Atom& atom);

struct PageExpectation {
  std::string name, text;
  std::vector<PageComparison> comparisons;  ///< those that can be drawn; all, during a live run
  trace::ExpectationOutcome outcome;
  std::size_t deciding = 0;         ///< an index of `comparisons`, if it has one
  std::vector<double> left, right;  ///< in the first rows, of the deciding one
};

/// The expectations in the end of a trace. Outcomes are the trace's; sides are computed from its rows, as far as its columns allow.
/// @param trace  with all nodes that were traced, and the rows of the page
std::vector<PageExpectation> page_expectations(const trace::Trace& trace);

/// Members of an open object: verdict, margin, unit, step, time, condition, left, right, decided, deciding.
void write_outcome(json::Writer& out, const trace::ExpectationOutcome& outcome, std::size_t deciding);

}  // namespace simbatch::view
