// A number is parsed as the comparison `NUMBER >= 0`, whose left side the monitor computes; a condition is parsed as is. So
// metrics share the language of expectations, including names, units and messages.

#include "lib/expect/metric.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "lib/expect/codes.hpp"

namespace simbatch::expect {
namespace {

bool holds(Comparison comparison, double left, double right) {
  switch (comparison) {
    case Comparison::less: return left < right;
    case Comparison::less_equal: return left <= right;
    case Comparison::greater: return left > right;
    case Comparison::greater_equal: return left >= right;
    case Comparison::equal: return left == right;
    case Comparison::not_equal: return left != right;
  }
  return false;
}

using Texts = Parsed<std::vector<Expectation>>;

/// The text as a comparison with 0; empty if it is not a single number.
std::optional<Expectation> as_number(const MetricSpec& spec) {
  Texts read = read_expectations(spec.text + "\n>= 0", spec.place);
  if (!read.ok() || read.value->size() != 1) return std::nullopt;
  const Node& root = read.value->front().nodes.back();
  if (root.kind != Kind::compare || read.value->front().nodes[root.children[1]].begin < spec.text.size()) return std::nullopt;
  return std::move(read.value->front());
}

std::optional<Expectation> read(const MetricSpec& spec, Diagnostics& problems) {
  Texts read = read_expectations(spec.text, spec.place);
  const bool is_one = read.ok() && read.value->size() == 1;
  if (is_one && is_of_condition(spec.kind)) {
    Expectation& condition = read.value->front();
    const auto temporal =
        std::find_if(condition.nodes.begin(), condition.nodes.end(), [](const Node& n) { return n.kind >= Kind::always; });
    if (temporal == condition.nodes.end()) return std::move(condition);
    problems.report(
        code::kType, condition.at(*temporal),
        "a metric looks at one step at a time, expected a condition without always, never, eventually, until and finally");
    return std::nullopt;
  }
  const std::string_view kind = kMetricKinds[static_cast<std::size_t>(spec.kind)];
  if (is_one) {
    problems.report(
        code::kType, spec.place.at.at(0),
        quoted(read.value->front().text) + " is a condition, expected a number, of which " + quoted(kind) + " can be taken");
    return std::nullopt;
  }
  auto number = as_number(spec);
  if (number && !is_of_condition(spec.kind)) return number;
  if (number)
    problems.report(code::kType, spec.place.at.at(0),
                    quoted(kind) + " is of a condition, and this is a number; compare it with something");
  else if (read.ok())
    problems.report(code::kSyntax, spec.place.at.at(0), "more than one text, expected one number or condition");
  else
    problems.append(std::move(read.diagnostics));
  return std::nullopt;
}

/// Conversion factor to the requested unit; empty after reporting an error.
std::optional<double> factor_to(const MetricSpec& spec, const std::string& unit, Diagnostics& problems) {
  if (spec.unit.empty() || spec.unit == unit) return 1;
  const UnitRow* wanted = find_unit(spec.unit);
  if (wanted == nullptr)
    problems.report(code::kUnit, spec.place.at.at(0),
                    "unknown unit " + quoted(spec.unit) + ", expected one of " + known_units());
  else if (wanted->si != (unit.empty() ? "1" : unit))
    problems.report(
        code::kUnit, spec.place.at.at(0),
        "the metric is in " + quoted(unit.empty() ? "1" : unit) + ", which cannot be shown in " + quoted(spec.unit));
  else
    return 1 / wanted->factor;
  return std::nullopt;
}

std::int64_t steps_in(double seconds, double dt, bool up) {
  constexpr double kSlack = 1e-6, kMax = 1e15;  // in steps; as for windows of expectations
  const double exact = std::min(seconds / dt, kMax);
  return static_cast<std::int64_t>(up ? std::ceil(exact - kSlack) : std::floor(exact + kSlack));
}

}  // namespace

std::optional<Metric> Metric::bind(const MetricSpec& spec, SignalSource& source, double dt, Diagnostics& diagnostics) {
  Diagnostics problems(spec.place.file);
  const auto expectation = read(spec, problems);
  diagnostics.append(std::move(problems));
  if (!expectation) return std::nullopt;
  auto program = expect::bind(*expectation, source, dt, diagnostics);
  if (!program) return std::nullopt;
  std::string unit = is_of_condition(spec.kind) ? "s" : program->atoms.front().unit;
  if (spec.kind == MetricKind::integral && !unit.empty()) unit += unit == "m/s" ? "" : " s";
  if (spec.kind == MetricKind::integral && unit == "m/s") unit = "m";
  Diagnostics units(spec.place.file);
  const auto factor = factor_to(spec, unit, units);
  diagnostics.append(std::move(units));
  if (!factor) return std::nullopt;
  Metric metric(spec, std::move(*program), dt);
  metric.factor_ = *factor;
  metric.unit_ = spec.unit.empty() ? unit : spec.unit;
  return metric;
}

Metric::Metric(const MetricSpec& spec, Program program, double dt)
    : kind_(spec.kind),
      monitor_(std::move(program)),
      dt_(dt),
      first_(steps_in(spec.from, dt, true)),
      last_(spec.to ? steps_in(*spec.to, dt, false) : std::numeric_limits<std::int64_t>::max()) {
  const Program& made = monitor_.program();
  signal_ = made.formulas[made.parts.front().formula].a;
}

bool Metric::holds() const {
  const Program& program = monitor_.program();
  std::vector<bool> values;
  for (std::uint32_t i = 0; i <= signal_; ++i) {
    const SignalNode& node = program.signals[i];
    bool value = false;
    if (node.kind == SignalKind::atom) {
      const Monitor::Sides& sides = monitor_.sides()[node.a];
      value = expect::holds(program.atoms[node.a].comparison, sides.left, sides.right);
    } else {
      value = node.kind == SignalKind::conjunction ? values[node.a] && values[node.b] : values[node.a] || values[node.b];
    }
    values.push_back(value);
  }
  return values.back();
}

void Metric::add(double number) {
  switch (kind_) {
    case MetricKind::min: value_ = count_ == 0 ? number : number < value_ || std::isnan(number) ? number : value_; break;
    case MetricKind::max: value_ = count_ == 0 ? number : number > value_ || std::isnan(number) ? number : value_; break;
    case MetricKind::mean: value_ += number; break;
    case MetricKind::rms: value_ += number * number; break;
    case MetricKind::final: value_ = number; break;
    case MetricKind::integral:
      if (count_ > 0) value_ += (before_ + number) / 2 * dt_;
      before_ = number;
      break;
    case MetricKind::first_time:
    case MetricKind::time_in: break;
  }
  ++count_;
}

void Metric::step(std::span<const double> values) {
  monitor_.evaluate(values);  // in every step: rates need the previous step
  const std::int64_t step = steps_++;
  if (step < first_ || step > last_) return;
  if (!is_of_condition(kind_)) return add(monitor_.sides().front().left);
  const bool now = holds();
  if (kind_ == MetricKind::first_time && now && !held_) value_ = static_cast<double>(step) * dt_;
  if (kind_ == MetricKind::time_in && held_) value_ += 1;  // counts steps to avoid rounding errors
  held_ = kind_ == MetricKind::first_time ? held_ || now : now;
  ++count_;
}

std::optional<double> Metric::value() const {
  if (count_ == 0 || (kind_ == MetricKind::first_time && !held_)) return std::nullopt;
  double value = value_;
  const auto count = static_cast<double>(count_);
  if (kind_ == MetricKind::mean) value /= count;
  if (kind_ == MetricKind::rms) value = std::sqrt(value / count);
  if (kind_ == MetricKind::time_in) value *= dt_;
  value = value * factor_ + 0.0;  // no negative zero
  if (!std::isfinite(value)) return std::nullopt;
  return value;
}

}  // namespace simbatch::expect
