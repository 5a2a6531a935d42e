// Scripts have the last word in their step; what cannot be set is reported. And programs that wake as a plain list of times says.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

#include "base/core/random.hpp"
#include "lib/sim/device/device_node.hpp"
#include "lib/sim/program/codes.hpp"
#include "lib/sim/program/scheduler.hpp"
#include "lib/sim/program/script.hpp"
#include "lib/sim/program/timeline.hpp"
#include "tests/support/support.hpp"

using namespace simbatch;
using namespace simbatch::sim;

namespace {

SimulationSettings tenth() {
  SimulationSettings settings;
  settings.physics.dt = 0.1;
  return settings;
}

struct Lamp {
  Simulation simulation{tenth()};
  Diagnostics problems;
  DeviceNode* node = nullptr;
  Lamp() {
    auto lamp = std::make_unique<DeviceNode>("lamp", make_type("LightDevice", {{"intensity", "1", ""}, {"tilt", "rad", ""}}),
                                             Source{}, std::vector<DeviceInput>{{0, 1}, {-1, 1}}, 2);
    node = lamp.get();
    simulation.tree().register_child(std::move(lamp), problems);
    simulation.tree().register_child(std::make_unique<TreeNode>("box", make_type("Box", {{"x", "m", "W"}})), problems);
    simulation.tree().register_child(std::make_unique<DeviceNode>("range", make_type("PSDSensor", {{"distance", "m", ""}}),
                                                                  Source{}, std::vector<DeviceInput>{}, 1),
                                     problems);
  }
  std::vector<double> run(int steps) {
    std::vector<double> seen;
    for (int i = 0; i < steps; ++i) {
      REQUIRE(simulation.step());
      seen.push_back(node->values()[0]);
    }
    return seen;
  }
};

// Sleeps for the given times, one after the other, and notes when it runs.
class Sleeper final : public Program {
 public:
  Sleeper(std::size_t who, std::vector<double> until, const Simulation& simulation,
          std::vector<std::pair<std::int64_t, std::size_t>>& log)
      : Program("r", "sleeper", {}), who_(who), until_(std::move(until)), simulation_(simulation), log_(log) {}
  Turn run() override {
    log_.emplace_back(simulation_.clock().step, who_);
    if (next_ == until_.size()) return {Turn::Kind::ended, 0, static_cast<int>(who_)};
    return {Turn::Kind::sleeping, until_[next_++]};
  }

 private:
  std::size_t who_, next_ = 0;
  std::vector<double> until_;
  const Simulation& simulation_;
  std::vector<std::pair<std::int64_t, std::size_t>>& log_;
};

}  // namespace

TEST_CASE("script: a setting is made before its step, after a timeline's, and holds until the next") {
  Lamp lamp;
  lamp.simulation.add(
      std::make_unique<Timeline>(std::vector<TimedSetting>{{0.2, lamp.node, 0, 0.2}, {0.4, lamp.node, 0, 0.4}}, 0.1));
  add_script(lamp.simulation,
             {{1, "lamp", "intensity", 0.9},
              {2, "lamp", "intensity", 5},
              {5, "lamp", "intensity", 0.3},
              {5, "lamp", "intensity", 0.6},
              {9, "lamp", "intensity", 0.1}},
             "s.xml", lamp.problems);
  REQUIRE_MESSAGE(lamp.problems.empty(), test::all_text(lamp.problems));
  CHECK(lamp.run(7) == std::vector<double>{0, 0.9, 1, 1, 0.4, 0.6, 0.6});
}

TEST_CASE("script: settings that come while the run goes on take effect in the next step") {
  Lamp lamp;
  ScriptPlayer& player = add_script(lamp.simulation, {}, "s.xml", lamp.problems);
  CHECK(lamp.run(2) == std::vector<double>{0, 0});
  player.add({2, "lamp", "intensity", 0.5});
  CHECK(lamp.run(2) == std::vector<double>{0.5, 0.5});
  player.add({4, "lamp", "intensity", 0.25});
  player.add({5, "lamp", "intensity", 0.75});
  CHECK(lamp.run(3) == std::vector<double>{0.25, 0.75, 0.75});
  CHECK(player.settings().size() == 3);
}

TEST_CASE("script: what cannot be set says why, at its place, and the rest is made") {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  for (const auto& row :
       {std::tuple{ScriptSetting{0, "lam", "intensity", 1}, "there is no device \"lam\", did you mean \"lamp\"?"},
        {ScriptSetting{0, "", "intensity", 1}, "there is no device \"\""},
        {ScriptSetting{0, "box", "x", 1}, "\"box\" cannot be set"},
        {ScriptSetting{0, "range", "distance", 1}, "\"range\" cannot be set"},
        {ScriptSetting{0, "lamp", "Tilt", 1}, "\"lamp\" has no input \"Tilt\"; it has intensity, tilt"},
        {ScriptSetting{0, "lamp", "", 1}, "has no input \"\""},
        {ScriptSetting{0, "lamp", "tilt", std::nan("")}, "the value is not finite"},
        {ScriptSetting{0, "lamp", "tilt", -kInfinity}, "the value is not finite"},
        {ScriptSetting{4, "lamp", "tilt", 0}, "step 4 after step 5: settings must be in the order of their steps"},
        {ScriptSetting{-1, "lamp", "tilt", 0}, "step -1 after step 5"}}) {
    Lamp lamp;
    ScriptSetting wrong = std::get<0>(row);
    wrong.at = {7, 3};
    const ScriptPlayer& player =
        add_script(lamp.simulation, {{5, "lamp", "tilt", 0.5}, wrong, {6, "lamp", "tilt", 0.25}}, "s.xml", lamp.problems);
    CHECK(player.settings().size() == 2);
    REQUIRE(lamp.problems.items().size() == 1);
    CHECK(lamp.problems.items()[0].file == "s.xml");
    test::Expected expected(std::move(lamp.problems));
    const std::string message = expected.take(program_code::kScript, Position{7, 3});
    CAPTURE(message);
    CHECK(message.find(std::get<1>(row)) != std::string::npos);
  }
  Lamp lamp;
  add_script(lamp.simulation, {{-1, "lamp", "tilt", 0, {2, 1}}}, "s.xml", lamp.problems);
  test::Expected expected(std::move(lamp.problems));
  expected.take(program_code::kScript, Position{2, 1});
}

TEST_CASE("programs wake when a plain list of their times says, and end once") {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    CAPTURE(seed);
    RandomStream random(seed, "scheduler");
    Simulation simulation(tenth());
    auto owned = std::make_unique<ProgramScheduler>(simulation);
    ProgramScheduler& scheduler = *owned;
    std::vector<std::pair<std::int64_t, std::size_t>> log, expected;
    std::size_t ended = 0;
    constexpr std::int64_t kSteps = 25;
    for (std::size_t who = 0; who < 5; ++who) {
      std::vector<double> until;
      std::int64_t at = 0;
      bool sleeps_forever = false;
      expected.emplace_back(0, who);
      for (std::uint64_t n = random.below(8); n > 0; --n) {
        // Exact multiples of the step, computed by adding up or by multiplying; times between steps; the past; never.
        const auto steps = static_cast<std::int64_t>(random.below(30));
        const std::uint64_t kind = random.below(12);
        double time = static_cast<double>(steps) * 0.1;
        if (kind == 0) time = (static_cast<double>(steps) + 0.5) * 0.1;
        if (kind == 1) time = -1;
        if (kind == 2) time = std::numeric_limits<double>::infinity();
        if (kind >= 6) {
          time = 0;
          for (std::int64_t i = 0; i < steps; ++i) time += 0.1;
        }
        until.push_back(time);
        if (sleeps_forever) continue;
        sleeps_forever = kind == 2;
        at = std::max(at + 1, kind == 1 ? 0 : steps + (kind == 0 ? 1 : 0));
        if (!sleeps_forever && at < kSteps) expected.emplace_back(at, who);
        if (at >= kSteps) sleeps_forever = true;
      }
      if (!sleeps_forever) ++ended;
      scheduler.add(std::make_unique<Sleeper>(who, until, simulation, log));
    }
    simulation.add(std::move(owned));
    for (std::int64_t i = 0; i < kSteps; ++i) REQUIRE(simulation.step());
    std::sort(expected.begin(), expected.end());  // by step, then in the order of adding
    CHECK(log == expected);
    CHECK(scheduler.ends().size() == ended);
    CHECK(std::is_sorted(scheduler.ends().begin(), scheduler.ends().end(),
                         [](const ProgramEnd& a, const ProgramEnd& b) { return a.step < b.step; }));
    CHECK(scheduler.warnings().empty());
  }
}
