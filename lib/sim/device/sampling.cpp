// Samples wait in a queue until their latency has passed (our own method).

#include "lib/sim/device/sampling.hpp"

#include <algorithm>
#include <cmath>

namespace simbatch::sim {

struct SensorSampling::State {
  struct Sample {
    std::int64_t shows = 0;  // step
    std::vector<double> values;
  };
  struct Sensor {
    std::size_t offset, count;
    SampleClock clock;
    std::int64_t delay;         // steps
    std::vector<double> own;    // the sensor's last measurement
    std::vector<double> shown;  // the values visible to others
    std::deque<Sample> waiting;
    std::vector<std::vector<double>> spare;  // recycled memory of published samples
  };
  explicit State(Simulation& s) : simulation(s) {}

  void give_back() {
    const std::span<double> bank = simulation.tree().bank();
    for (const Sensor& sensor : sensors) std::copy(sensor.own.begin(), sensor.own.end(), bank.begin() + at(sensor));
  }
  static std::ptrdiff_t at(const Sensor& sensor) { return static_cast<std::ptrdiff_t>(sensor.offset); }
  void show(const Clock& clock, bool first) {
    const std::span<double> bank = simulation.tree().bank();
    for (Sensor& sensor : sensors) {
      const std::span<double> values = bank.subspan(sensor.offset, sensor.count);
      sensor.own.assign(values.begin(), values.end());
      if (first) sensor.shown = sensor.own;  // steps until the next sample arrives
      if (!first && sensor.clock.due(clock.step)) {
        Sample sample{clock.step + sensor.delay, {}};
        if (!sensor.spare.empty()) {
          sample.values.swap(sensor.spare.back());
          sensor.spare.pop_back();
        }
        sample.values.assign(values.begin(), values.end());
        sensor.waiting.push_back(std::move(sample));
      }
      while (!sensor.waiting.empty() && sensor.waiting.front().shows <= clock.step) {
        sensor.shown.swap(sensor.waiting.front().values);
        sensor.spare.push_back(std::move(sensor.waiting.front().values));
        sensor.waiting.pop_front();
      }
      std::copy(sensor.shown.begin(), sensor.shown.end(), values.begin());
    }
  }

  Simulation& simulation;
  std::vector<Sensor> sensors;
  std::size_t delayed = 0;
};

namespace {

template <class State>
class First final : public Participant {
 public:
  explicit First(std::shared_ptr<State> state) : state_(std::move(state)) {}
  void after_step(const Clock&) override { state_->give_back(); }

 private:
  std::shared_ptr<State> state_;
};

template <class State>
class Last final : public Participant {
 public:
  explicit Last(std::shared_ptr<State> state) : state_(std::move(state)) {}
  void start(const Clock& clock) override { state_->show(clock, true); }
  void after_step(const Clock& clock) override { state_->show(clock, false); }
  void hash_state(StateHash& hash) const override {
    for (const auto& sensor : state_->sensors) hash.add(std::span<const double>(sensor.own));
  }

 private:
  std::shared_ptr<State> state_;
};

}  // namespace

std::int64_t delay_steps(const Sampling& sampling, double dt) {
  return static_cast<std::int64_t>(std::max(std::ceil(sampling.latency / dt - 1e-6), 0.0));
}

double most_samples(const Sampling& sampling, double dt) {
  const double apart = sampling.rate > 0 ? std::max(1.0, 1 / (sampling.rate * dt)) : 1.0;
  return static_cast<double>(delay_steps(sampling, dt)) / apart + 3;
}

SensorSampling::SensorSampling(Simulation& simulation) : state_(std::make_shared<State>(simulation)) {}
SensorSampling::~SensorSampling() = default;

bool SensorSampling::add(const DeviceNode& node, const Sampling& sampling) {
  const double dt = state_->simulation.settings().physics.dt;
  const std::size_t count = node.type().numbers;
  const double most = most_samples(sampling, dt) * static_cast<double>(count);
  if (!(most + static_cast<double>(state_->delayed) <= static_cast<double>(kMaxDelayed))) return false;
  state_->delayed += static_cast<std::size_t>(most);
  state_->sensors.push_back(
      {node.values_offset(), count, SampleClock(sampling.rate, dt), delay_steps(sampling, dt), {}, {}, {}, {}});
  return true;
}

bool SensorSampling::empty() const { return state_->sensors.empty(); }
std::unique_ptr<Participant> SensorSampling::first() { return std::make_unique<First<State>>(state_); }
std::unique_ptr<Participant> SensorSampling::last() { return std::make_unique<Last<State>>(state_); }

}  // namespace simbatch::sim
