#pragma once
/// The metrics of a simulation: their texts are bound to its tree and events, and evaluated while it runs. Looking changes nothing.

#include <vector>

#include "lib/expect/metric.hpp"
#include "lib/sim/expect/expectations.hpp"

namespace simbatch::sim {

class Metrics {
 public:
  explicit Metrics(Simulation& simulation, ProgramsLoaded programs = ProgramsLoaded::yes)
      : simulation_(simulation), signals_(simulation, programs) {}
  /// Reports what is wrong with it. Before the first step.
  void add(const expect::MetricSpec& spec, Diagnostics& problems);
  /// In the order of adding.
  const std::vector<expect::Metric>& all() const { return metrics_; }
  /// Once after Simulation::start(), and after each step.
  void look();

 private:
  Simulation& simulation_;
  SimulationSignals signals_;
  std::vector<expect::Metric> metrics_;
};

}  // namespace simbatch::sim
