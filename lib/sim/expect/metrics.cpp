#include "lib/sim/expect/metrics.hpp"

namespace simbatch::sim {

void Metrics::add(const expect::MetricSpec& spec, Diagnostics& problems) {
  auto metric = expect::Metric::bind(spec, signals_, simulation_.settings().physics.dt, problems);
  if (metric) metrics_.push_back(std::move(*metric));
}

void Metrics::evaluate() {
  if (metrics_.empty()) return;
  const std::vector<double>& values = signals_.gather();
  for (expect::Metric& metric : metrics_) metric.step(values);
}

}  // namespace simbatch::sim
