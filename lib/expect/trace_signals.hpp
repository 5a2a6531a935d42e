#pragma once
/// Evaluation of expectations on existing traces, and conversion of outcomes to the trace format.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "formats/trace/trace.hpp"
#include "lib/expect/monitor.hpp"

namespace simbatch::expect {

/// The columns of a trace, which must outlive this object. Traces have no events.
class TraceSignals final : public SignalSource {
 public:
  explicit TraceSignals(const trace::Trace& trace);
  Lookup field(std::string_view node, std::string_view field) override;
  Lookup event(std::string_view event, const std::vector<std::string>& names) override;
  std::vector<std::string> fields() const override;

  /// Seconds between rows.
  double dt() const { return static_cast<double>(trace_.header.every) * trace_.header.dt; }
  /// Number of leading rows at steps 0, every, 2 every, ...; may be less than all in a truncated trace.
  std::size_t rows() const { return rows_; }
  /// Copies the values of a row, for Monitor::step().
  void gather(std::size_t row, std::vector<double>& values) const;

 private:
  const trace::Trace& trace_;
  std::size_t rows_ = 0;
  std::map<std::string, std::size_t, std::less<>> devices_;  // by name
  std::vector<const std::vector<double>*> columns_;          // by slot
};

/// Converts an outcome to the trace format.
trace::ExpectationOutcome trace_outcome(const Expectation& expectation, const Outcome& outcome);

/// An expectation evaluated at the rows of a trace.
struct TraceCheck {
  Outcome outcome;                        ///< in steps of the run. For a truncated trace, as far as its rows decide
  std::vector<double> time, left, right;  ///< s; both sides of the deciding comparison in each row; empty if there is none
  std::string left_text, right_text;
};
/// Empty after errors, which are reported.
std::optional<TraceCheck> check_trace(const trace::Trace& trace, const Expectation& expectation, Diagnostics& diagnostics);

}  // namespace simbatch::expect
