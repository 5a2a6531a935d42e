#pragma once
/// Metrics of a simulation, bound to its tree and events and evaluated while it runs, without side effects.

#include <vector>

#include "lib/expect/metric.hpp"
#include "lib/sim/expect/expectations.hpp"

namespace simbatch::sim {

class Metrics {
 public:
  explicit Metrics(Simulation& simulation, ProgramsLoaded programs = ProgramsLoaded::yes)
      : simulation_(simulation), signals_(simulation, programs) {}
  /// Binds a metric and reports problems. Call before the first step.
  void add(const expect::MetricSpec& spec, Diagnostics& problems);
  /// In order of addition.
  const std::vector<expect::Metric>& all() const { return metrics_; }
  /// Call once after Simulation::start() and once after each step.
  void evaluate();

 private:
  Simulation& simulation_;
  SimulationSignals signals_;
  std::vector<expect::Metric> metrics_;
};

}  // namespace simbatch::sim
