#pragma once
/// Metrics: a single number per run, such as the maximum of a field or the time at which a condition first held, computed step
/// by step in constant memory (docs/studies.md).

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "lib/expect/monitor.hpp"

namespace simbatch::expect {

enum class MetricKind : std::uint8_t {
  min,  ///< of a number; likewise below
  max,
  mean,        ///< over all steps
  rms,         ///< root mean square
  final,       ///< at the last step
  integral,    ///< over time, by the trapezoidal rule
  first_time,  ///< s, time of the first step at which a condition holds
  time_in,     ///< s, total time during which a condition holds, each step lasting until the next
};
inline constexpr std::array<std::string_view, 8> kMetricKinds = {"min",   "max",      "mean",       "rms",
                                                                 "final", "integral", "first-time", "time-in"};
constexpr bool is_of_condition(MetricKind kind) { return kind >= MetricKind::first_time; }

/// Definition of a metric.
struct MetricSpec {
  MetricKind kind = MetricKind::final;
  std::string text;               ///< a number, or an instantaneous condition (without always, eventually, until)
  Place place;                    ///< of the text
  std::string unit;               ///< of the value, as in expectations ("km/h"); empty: SI
  double from = 0;                ///< s; earlier steps are ignored
  std::optional<double> to = {};  ///< s; later steps are ignored; absent: to the end
};

class Metric {
 public:
  /// Reports texts that are neither, and invalid names and units like bind().
  /// @param dt  seconds between two steps, > 0
  static std::optional<Metric> bind(const MetricSpec& spec, SignalSource& source, double dt, Diagnostics& diagnostics);

  /// Processes the next step; the first is step 0. @param values  of the source's signals, by slot
  void step(std::span<const double> values);
  /// Value after the steps so far; empty if no step was in range, the condition never held, or the value is not a number (0 /
  /// 0).
  std::optional<double> value() const;
  /// Unit of the value: "m", "m/s"; for an integral the unit of the number times s ("m s"); empty: none or unknown.
  const std::string& unit() const { return unit_; }

 private:
  Metric(const MetricSpec& spec, Program program, double dt);
  bool holds() const;
  void add(double number);

  MetricKind kind_;
  Monitor monitor_;  // computes the sides of the comparisons
  std::uint32_t signal_ = 0;
  double dt_, factor_ = 1;
  std::string unit_;
  std::int64_t first_, last_;  // range of steps
  std::int64_t steps_ = 0, count_ = 0;
  double value_ = 0, before_ = 0;
  bool held_ = false;
};

}  // namespace simbatch::expect
