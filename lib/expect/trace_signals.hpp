#pragma once
/// Expectations of traces that exist already, and their outcomes in traces.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "formats/trace/trace.hpp"
#include "lib/expect/monitor.hpp"

namespace simbatch::expect {

/// The columns of a trace. A trace has no events. It must outlive this.
class TraceSignals final : public SignalSource {
 public:
  explicit TraceSignals(const trace::Trace& trace);
  Lookup field(std::string_view node, std::string_view field) override;
  Lookup event(std::string_view event, const std::vector<std::string>& names) override;
  std::vector<std::string> fields() const override;

  /// Seconds between rows.
  double dt() const { return static_cast<double>(trace_.header.every) * trace_.header.dt; }
  /// Rows from the first on that lie at steps 0, every, 2 every, ...; a trace that was cut may have fewer than all.
  std::size_t rows() const { return rows_; }
  /// The values of a row, for Monitor::step().
  void gather(std::size_t row, std::vector<double>& values) const;

 private:
  const trace::Trace& trace_;
  std::size_t rows_ = 0;
  std::map<std::string, std::size_t, std::less<>> devices_;  // by name
  std::vector<const std::vector<double>*> columns_;          // by slot
};

/// An outcome as a trace has it.
trace::ExpectationOutcome trace_outcome(const Expectation& expectation, const Outcome& outcome);

/// An expectation of a trace, evaluated at its rows.
struct TraceCheck {
  Outcome outcome;                        ///< in steps of the run. Of a trace without a complete end what its rows decide
  std::vector<double> time, left, right;  ///< s; the sides of the deciding comparison in each row; empty if there is none
  std::string left_text, right_text;
};
/// Empty after errors, which are reported.
std::optional<TraceCheck> check_trace(const trace::Trace& trace, const Expectation& expectation, Diagnostics& diagnostics);

}  // namespace simbatch::expect
