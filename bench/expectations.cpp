// What expectations cost: the time of evaluating them after a step, against that of the step.
//
//   expectations [--steps 9000] [--rounds 5]
//
// The run is circle_town's, a car with eleven sensors. Each step and each evaluation is timed by itself, on the way: what
// on_road() remembers depends on the way, and the difference of two runs is smaller than their noise. The checksum is of all
// states of the run, which expectations must not change, and of their outcomes.

#include <algorithm>
#include <bit>
#include <chrono>
#include <cstdio>
#include <iterator>
#include <string>
#include <vector>

#include "bench/bench.hpp"
#include "lib/scenario/build.hpp"
#include "lib/sim/expect/expectations.hpp"

using namespace simbatch;

namespace {

struct Set {
  const char* name;
  std::string text;
};

std::string ten() {
  std::string text;
  for (int i = 0; i < 10; ++i)
    text += "e" + std::to_string(i) + ": always impreza.chassis.psd0.distance_true > " + std::to_string(i) + ";";
  return text;
}

/// Outcomes as text, with the bits of their margins.
std::string outcomes_of(const sim::Expectations& expectations) {
  std::string text;
  for (const auto& entry : expectations.entries()) {
    const expect::Outcome outcome = entry.monitor.outcome();
    text += std::string(to_text(outcome.verdict)) + " " + hex64(std::bit_cast<std::uint64_t>(outcome.margin)) + " " +
            outcome.unit + " " + std::to_string(outcome.step) + " " + outcome.condition + " " +
            std::to_string(outcome.decided) + "\n";
  }
  return text;
}

/// Seconds per step of the world, and per evaluation of its expectations after it.
struct Cost {
  double step = 0, evaluation = 0;
};

using Clock = std::chrono::steady_clock;
double between(Clock::time_point from, Clock::time_point to) { return std::chrono::duration<double>(to - from).count(); }

/// The mean of times of which none is as long as an interruption.
class Mean {
 public:
  explicit Mean(double longest) : longest_(longest) {}
  void add(double seconds) {
    if (seconds > longest_) return;
    sum_ += seconds;
    ++count_;
  }
  double value() const { return count_ > 0 ? sum_ / count_ : 0; }

 private:
  double longest_, sum_ = 0;
  int count_ = 0;
};

/// What looking at the clock takes.
double cost_of_clock() {
  Mean mean(1e-6);
  for (int i = 0; i < 100'000; ++i) {
    const auto from = Clock::now();
    mean.add(between(from, Clock::now()));
  }
  return mean.value();
}

Cost measure(const Set& set, int steps, bench::Checksum& checksum) {
  auto built = scenario::build_scenario(SIMBATCH_SOURCE_DIR "/scenarios/circle_town/scenario.xml");
  if (!built.value) return {};
  sim::Expectations expectations(*built.value->simulation);
  Diagnostics problems;
  expectations.add(set.text, {"bench", {}}, {}, 0, problems);
  if (problems.has_errors()) std::printf("%s\n", to_text(problems.items()[0]).c_str());
  sim::Simulation& simulation = *built.value->simulation;
  simulation.start();
  Mean step(1e-3), evaluation(5e-5);
  for (int i = 0; i < steps; ++i) {
    const auto begin = Clock::now();
    (void)simulation.step();
    const auto middle = Clock::now();
    expectations.evaluate();
    const auto end = Clock::now();
    step.add(between(begin, middle));
    evaluation.add(between(middle, end));
  }
  expectations.finish();
  checksum.add("run", simulation.state_hash());
  checksum.add(set.name, outcomes_of(expectations));
  const double clock = cost_of_clock();
  return {step.value() - clock, std::max(evaluation.value() - clock, 0.0)};
}

}  // namespace

int main(int argc, char** argv) {
  const bench::Options options(argc, argv, {"--steps", "--rounds"});
  const int steps = options.whole("--steps", 9000), rounds = options.whole("--rounds", 5);
  const Set sets[] = {
      {"one comparison", "always impreza.chassis.psd0.distance_true > 0.5"},
      {"ten comparisons", ten()},
      {"speed and distance", "always speed(impreza.chassis) < 70 km/h; a: always dist(impreza.chassis, 0, 0, 0) < 200"},
      {"a response within 5 s",
       "always (impreza.chassis.velocimeter0.speed_true > 5 implies eventually[0, 5] impreza.chassis.gyro0.rate < 1)"},
      {"settling", "eventually[0, 200] always impreza.chassis.velocimeter0.speed_true < 0.1"},
      {"until within 5 s, always", "always (impreza.chassis.x < 1000 until[0, 5] impreza.chassis.x > -1000)"},
      {"contact", "never contact(impreza, houses)"},
      {"on_road", "always on_road(impreza.chassis)"},
  };
  bench::print_head(
      argc, argv,
      "wall time of steps without interruptions; minimum and median of " + std::to_string(rounds) + " rounds in turns");
  std::puts("expectations,evaluation_ns_min,evaluation_ns_median,step_ns_min,step_ns_median,share_of_medians");
  std::vector<std::vector<double>> evaluation(std::size(sets)), step(std::size(sets));
  bench::Checksum checksum;
  for (int round = 0; round < rounds; ++round)
    for (std::size_t i = 0; i < std::size(sets); ++i) {
      const Cost cost = measure(sets[i], steps, checksum);
      evaluation[i].push_back(1e9 * cost.evaluation);
      step[i].push_back(1e9 * cost.step);
    }
  for (std::size_t i = 0; i < std::size(sets); ++i)
    std::printf("\"%s\",%.0f,%.0f,%.0f,%.0f,%.4f\n", sets[i].name, bench::minimum(evaluation[i]), bench::median(evaluation[i]),
                bench::minimum(step[i]), bench::median(step[i]), bench::median(evaluation[i]) / bench::median(step[i]));
  return checksum.finish("the run's states and the outcomes");
}
