// What expectations cost: the processor time of evaluating them after a step, against that of the step.
//
//   expectations [--steps 9000] [--rounds 5]
//
// The run is circle_town's, a car with eleven sensors. Evaluation is timed by itself, over as many steps as the run has,
// because the difference of two runs is smaller than their noise; minimum of the rounds.

#include <cstdio>
#include <cstring>
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

/// Seconds per step of the world, and of looking at it.
struct Cost {
  double step = 0, look = 0;
};

Cost measure(const Set& set, int steps) {
  auto built = scenario::build_scenario(SIMBATCH_SOURCE_DIR "/scenarios/circle_town/scenario.xml");
  if (!built.value) return {};
  sim::Expectations expectations(*built.value->simulation);
  Diagnostics problems;
  expectations.add(set.text, {"bench", {}}, {}, 0, problems);
  if (problems.has_errors()) std::printf("%s\n", to_text(problems.items()[0]).c_str());
  sim::Simulation& simulation = *built.value->simulation;
  simulation.start();
  Cost cost;
  cost.step = bench::seconds_of(bench::cpu_seconds,
                                [&] {
                                  for (int i = 0; i < steps; ++i) (void)simulation.step();
                                }) /
              steps;
  cost.look = bench::seconds_of(bench::cpu_seconds,
                                [&] {
                                  for (int i = 0; i < steps; ++i) expectations.look();
                                }) /
              steps;
  return cost;
}

}  // namespace

int main(int argc, char** argv) {
  int steps = 9000, rounds = 5;
  for (int i = 1; i + 1 < argc; i += 2) {
    if (std::strcmp(argv[i], "--steps") == 0) steps = std::atoi(argv[i + 1]);
    if (std::strcmp(argv[i], "--rounds") == 0) rounds = std::atoi(argv[i + 1]);
  }
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
  std::printf("%-28s %12s %12s %8s\n", "expectations", "look (ns)", "step (ns)", "share");
  for (const Set& set : sets) {
    std::vector<double> look, step;
    for (int round = 0; round < rounds; ++round) {
      const Cost cost = measure(set, steps);
      look.push_back(cost.look);
      step.push_back(cost.step);
    }
    std::printf("%-28s %12.0f %12.0f %7.2f%%\n", set.name, 1e9 * bench::minimum(look), 1e9 * bench::minimum(step),
                100 * bench::minimum(look) / bench::minimum(step));
  }
}
