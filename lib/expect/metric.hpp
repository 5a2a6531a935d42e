#pragma once
/// Metrics: one number of a run, such as the greatest of a field or the time at which a condition first held, computed step by step in the
/// memory of a few numbers (docs/studies.md).

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "lib/expect/monitor.hpp"

namespace simbatch::expect {

enum class MetricKind : std::uint8_t {
  min,  ///< of a number; so on
  max,
  mean,        ///< of the steps
  rms,         ///< the root of the mean of the squares
  final,       ///< at the last step
  integral,    ///< over time, by the trapezoidal rule
  first_time,  ///< s, of the first step at which a condition holds
  time_in,     ///< s, that a condition holds: of each step until the next
};
inline constexpr std::array<std::string_view, 8> kMetricKinds = {"min",   "max",      "mean",       "rms",
                                                                 "final", "integral", "first-time", "time-in"};
constexpr bool is_of_condition(MetricKind kind) { return kind >= MetricKind::first_time; }

/// What is wanted.
struct MetricSpec {
  MetricKind kind = MetricKind::final;
  std::string text;               ///< a number, or a condition of one moment (without always, eventually, until)
  Place place;                    ///< of the text
  std::string unit;               ///< of the value, as in expectations ("km/h"); empty: SI
  double from = 0;                ///< s; steps before it do not count
  std::optional<double> to = {};  ///< s; nor those after it; absent: to the end
};

class Metric {
 public:
  /// Reports texts that are neither, names and units as bind() does.
  /// @param dt  seconds between two steps, > 0
  static std::optional<Metric> bind(const MetricSpec& spec, SignalSource& source, double dt, Diagnostics& diagnostics);

  /// The next step, the first of which is step 0. @param values  of the source's signals, by slot
  void step(std::span<const double> values);
  /// Of the steps so far; empty where no step counted, a condition never held, or the value is not a number (0 / 0).
  std::optional<double> value() const;
  /// Of the value: "m", "m/s"; of an integral that of its number times seconds ("m s"); empty: none, or unknown.
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
  std::int64_t first_, last_;  // steps that count
  std::int64_t steps_ = 0, count_ = 0;
  double value_ = 0, before_ = 0;
  bool held_ = false;
};

}  // namespace simbatch::expect
