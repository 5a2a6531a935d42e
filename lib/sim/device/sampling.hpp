#pragma once
/// Rates and latencies of sensors: programs and traces see samples taken at the sensor's rate and delayed by its latency.
/// Sensors themselves measure after every step and are unaware of it.

#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include "lib/sim/device/device_node.hpp"
#include "lib/sim/device/sample_clock.hpp"
#include "lib/sim/simulation.hpp"

namespace simbatch::sim {

struct Sampling {
  double rate = 0;     ///< Hz; 0: after every step
  double latency = 0;  ///< s, >= 0: delay between measurement and visibility
};
/// Steps between a sample and the first step that shows it.
std::int64_t delay_steps(const Sampling& sampling, double dt);
/// Maximum number of samples that are delayed at the same time.
double most_samples(const Sampling& sampling, double dt);
/// Maximum total count of numbers in all delayed samples.
inline constexpr std::size_t kMaxDelayed = std::size_t{1} << 24;

/// Two participants: one acts before all sensors and restores their own values, the other after all of them.
class SensorSampling {
 public:
  explicit SensorSampling(Simulation& simulation);
  ~SensorSampling();
  /// @param node  registered; @return false if this would keep more than kMaxDelayed numbers: nothing is added
  bool add(const DeviceNode& node, const Sampling& sampling);
  bool empty() const;
  /// Add them to the simulation before the first sensor and after the last one, respectively.
  std::unique_ptr<Participant> first();
  std::unique_ptr<Participant> last();

 private:
  struct State;
  std::shared_ptr<State> state_;
};

}  // namespace simbatch::sim
