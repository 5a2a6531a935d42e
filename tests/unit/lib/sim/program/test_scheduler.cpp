#include <doctest/doctest.h>

#include <cmath>

#include <vector>

#include "lib/sim/program/scheduler.hpp"

using namespace simbatch;
using namespace simbatch::sim;

namespace {

constexpr Code kTestFailure{"test-failure", Severity::error, "a program of this test failed"};

struct Wake {
  char who;
  std::int64_t step;
  friend bool operator==(const Wake&, const Wake&) = default;
};

// Sleeps for the given times, one after the other, then ends or fails.
class Scripted final : public Program {
 public:
  Scripted(char who, std::vector<double> until, bool fails, Simulation& simulation, std::vector<Wake>& log)
      : Program(std::string(1, who), "scripted", {}),
        until_(std::move(until)),
        fails_(fails),
        simulation_(simulation),
        log_(log) {}
  Turn run() override {
    log_.push_back({robot()[0], simulation_.clock().step});
    if (next_ < until_.size()) return {Turn::Kind::sleeping, until_[next_++]};
    if (fails_) return {Turn::Kind::failed, 0, 0, &kTestFailure, "gave up"};
    return {};
  }

 private:
  std::vector<double> until_;
  std::size_t next_ = 0;
  bool fails_;
  Simulation& simulation_;
  std::vector<Wake>& log_;
};

SimulationSettings tenth() {
  SimulationSettings settings;
  settings.physics.dt = 0.1;
  return settings;
}

}  // namespace

TEST_CASE("programs wake at their times, the earlier due first, then in their order") {
  Simulation simulation(tenth());
  std::vector<Wake> log;
  auto scheduler = std::make_unique<ProgramScheduler>(simulation);
  scheduler->add(std::make_unique<Scripted>('a', std::vector<double>{0.3, 0.3, 0.45}, false, simulation, log));
  scheduler->add(std::make_unique<Scripted>('b', std::vector<double>{0.2, 0.3}, false, simulation, log));
  simulation.add(std::move(scheduler));
  for (int i = 0; i < 8; ++i) REQUIRE(simulation.step());
  // a asks for 0.3 twice: the second time is already reached, so that it goes on one step later
  const std::vector<Wake> expected{{'a', 0}, {'b', 0}, {'b', 2}, {'a', 3}, {'b', 3}, {'a', 4}, {'a', 5}};
  CHECK(log == expected);
}

TEST_CASE("a program that fails ends the run before its step, with its reason") {
  Simulation simulation(tenth());
  std::vector<Wake> log;
  auto scheduler = std::make_unique<ProgramScheduler>(simulation);
  scheduler->add(std::make_unique<Scripted>('a', std::vector<double>{0.2}, true, simulation, log));
  scheduler->add(std::make_unique<Scripted>('b', std::vector<double>{0.2}, false, simulation, log));
  simulation.add(std::move(scheduler));
  CHECK(simulation.step());
  CHECK(simulation.step());
  CHECK_FALSE(simulation.step());
  REQUIRE(simulation.failure());
  CHECK(simulation.failure()->step == 2);
  CHECK(simulation.failure()->object == "a");
  CHECK(simulation.failure()->message == "its program \"scripted\" gave up");
  CHECK(simulation.failure()->code == &kTestFailure);
  CHECK(simulation.clock().step == 2);
  CHECK(log.back() == Wake{'a', 2});
}

TEST_CASE("a sleep until a time that never comes, or is not a time, is a sleep") {
  Simulation simulation(tenth());
  std::vector<Wake> log;
  auto scheduler = std::make_unique<ProgramScheduler>(simulation);
  for (const double until : {1e300, static_cast<double>(INFINITY), static_cast<double>(NAN), -5.0})
    scheduler->add(std::make_unique<Scripted>('a', std::vector<double>{until}, false, simulation, log));
  simulation.add(std::move(scheduler));
  for (int i = 0; i < 4; ++i) REQUIRE(simulation.step());
  CHECK(log.size() == 5);  // only the last, which asked for the past, woke again
}
