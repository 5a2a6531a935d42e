#include "lib/expect/trace_signals.hpp"

#include <algorithm>
#include <cmath>

#include "base/core/diagnostics.hpp"

namespace simbatch::expect {

TraceSignals::TraceSignals(const trace::Trace& trace) : trace_(trace) {
  const std::int64_t every = trace.header.every;
  while (rows_ < trace.steps.size() && trace.steps[rows_] == static_cast<std::int64_t>(rows_) * every) ++rows_;
  for (std::size_t d = 0; d < trace.header.devices.size(); ++d) devices_.emplace(trace.header.devices[d].name, d);
}

SignalSource::Lookup TraceSignals::field(std::string_view node, std::string_view field) {
  const auto device = devices_.find(node);
  if (device == devices_.end()) return {};
  const std::vector<trace::Field>& fields = trace_.header.devices[device->second].fields;
  for (std::size_t f = 0; f < fields.size(); ++f) {
    if (fields[f].name != field) continue;
    if (fields[f].type == trace::FieldType::text)
      return {std::nullopt, quoted(std::string(node) + "." + fields[f].name) + " is a text, expected a number"};
    const std::vector<double>* column = &trace_.columns[device->second][f].numbers;
    const auto known = std::find(columns_.begin(), columns_.end(), column);
    const auto slot = static_cast<std::size_t>(known - columns_.begin());
    if (known == columns_.end()) columns_.push_back(column);
    return {Signal{slot, fields[f].unit}, {}};
  }
  return {};
}

SignalSource::Lookup TraceSignals::event(std::string_view event, const std::vector<std::string>&) {
  return {std::nullopt, std::string(event) + "() is seen during a run only; a trace has no events"};
}

std::vector<std::string> TraceSignals::fields() const {
  std::vector<std::string> names;
  for (const trace::Device& device : trace_.header.devices)
    for (const trace::Field& field : device.fields) names.push_back(device.name + "." + field.name);
  return names;
}

void TraceSignals::gather(std::size_t row, std::vector<double>& values) const {
  values.resize(columns_.size());
  for (std::size_t i = 0; i < columns_.size(); ++i) values[i] = (*columns_[i])[row];
}

trace::ExpectationOutcome trace_outcome(const Expectation& expectation, const Outcome& outcome) {
  // -0 becomes 0.
  const auto finite = [](double value) { return std::isfinite(value) ? std::optional(value + 0.0) : std::nullopt; };
  trace::ExpectationOutcome result;
  result.name = expectation.name;
  result.text = expectation.text;
  result.verdict = to_text(outcome.verdict);
  result.margin = finite(outcome.margin);
  if (outcome.step >= 0) {
    result.unit = outcome.unit;
    result.step = outcome.step;
    result.time = outcome.time;
    result.condition = outcome.condition;
    if (!outcome.is_event) {
      result.left = finite(outcome.left);
      result.right = finite(outcome.right);
    }
  } else {
    result.margin.reset();
  }
  if (outcome.decided >= 0) result.decided = outcome.decided;
  return result;
}

std::optional<TraceCheck> check_trace(const trace::Trace& trace, const Expectation& expectation, Diagnostics& diagnostics) {
  TraceSignals signals(trace);
  auto program = bind(expectation, signals, signals.dt(), diagnostics);
  if (!program) return std::nullopt;
  Monitor monitor(*program);
  std::vector<double> values;
  for (std::size_t row = 0; row < signals.rows(); ++row) {
    signals.gather(row, values);
    monitor.step(values);
  }
  if (trace.end && trace.end->outcome == "complete" && signals.rows() == trace.steps.size()) monitor.finish();
  TraceCheck check{monitor.outcome(), {}, {}, {}, {}, {}};
  if (check.outcome.step >= 0 && !check.outcome.is_event) {
    Monitor again(std::move(*program));
    for (std::size_t row = 0; row < signals.rows(); ++row) {
      signals.gather(row, values);
      again.evaluate(values);
      const Monitor::Sides sides = again.sides()[check.outcome.atom];
      check.time.push_back(static_cast<double>(row) * signals.dt());
      check.left.push_back(sides.left);
      check.right.push_back(sides.right);
    }
    const Atom& atom = again.program().atoms[check.outcome.atom];
    check.left_text = atom.left_text;
    check.right_text = atom.right_text;
  }
  if (check.outcome.step >= 0) check.outcome.step *= trace.header.every;
  if (check.outcome.decided >= 0) check.outcome.decided *= trace.header.every;
  return check;
}

}  // namespace simbatch::expect
