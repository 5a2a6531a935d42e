#include "lib/view/page_expectations.hpp"

#include "lib/expect/trace_signals.hpp"
#include "lib/view/blocks.hpp"
#include "lib/view/page.hpp"

namespace simbatch::view {
namespace {

/// Adds the sides of the comparison that decides, in the rows of the trace.
void add_sides(PageExpectation& to, const trace::Trace& trace) {
  auto parsed = expect::read_expectations(to.text, {}, to.name);
  if (!parsed.ok() || parsed.value->size() != 1) return;
  Diagnostics unused;  // events, and fields that were not traced
  auto check = expect::check_trace(trace, parsed.value->front(), unused);
  if (!check || check->left.empty()) return;
  const expect::Outcome& outcome = check->outcome;
  to.comparisons.push_back(
      {std::string(expect::to_text(outcome.comparison)), check->left_text, check->right_text, outcome.unit});
  to.left = std::move(check->left);
  to.right = std::move(check->right);
}

}  // namespace

PageComparison page_comparison(const expect::Atom& atom) {
  if (atom.is_event) return {"", atom.text, "", ""};
  return {std::string(expect::to_text(atom.comparison)), atom.left_text, atom.right_text, atom.unit};
}

std::vector<PageExpectation> page_expectations(const trace::Trace& trace) {
  std::vector<PageExpectation> all;
  if (!trace.end) return all;
  for (const trace::ExpectationOutcome& outcome : trace.end->expectations) {
    PageExpectation& each = all.emplace_back();
    each.name = outcome.name;
    each.text = outcome.text;
    each.outcome = outcome;
    add_sides(each, trace);
  }
  return all;
}

void write_outcome(json::Writer& out, const trace::ExpectationOutcome& outcome, std::size_t deciding) {
  out.member("verdict", outcome.verdict).member("margin", outcome.margin).member("unit", outcome.unit);
  out.member("step", outcome.step).member("time", outcome.time).member("condition", outcome.condition);
  out.member("left", outcome.left).member("right", outcome.right).member("decided", outcome.decided);
  out.member("deciding", deciding);
}

namespace detail {

void write_expectations(json::Writer& out, const std::vector<PageExpectation>& expectations) {
  out.key("expectations").open_array();
  for (const PageExpectation& each : expectations) {
    out.open_object().member("name", each.name).member("text", each.text).member("rows", each.left.size());
    out.key("comparisons").open_array();
    for (const PageComparison& comparison : each.comparisons) {
      out.open_object().member("comparison", comparison.comparison).member("left", comparison.left);
      out.member("right", comparison.right).member("unit", comparison.unit).close();
    }
    out.close().key("outcome").open_object();
    write_outcome(out, each.outcome, each.deciding);
    out.close().close();
  }
  out.close();
}

std::string side_block(const std::vector<PageExpectation>& expectations) {
  std::string bytes;
  for (const PageExpectation& each : expectations) {
    if (each.left.empty()) continue;
    append_float_planes(bytes, each.left);
    append_float_planes(bytes, each.right);
  }
  return bytes;
}

}  // namespace detail
}  // namespace simbatch::view
