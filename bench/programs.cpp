// What user programs cost: a wake-up, and a getData, in this process, in a process of their own, and over the line protocol.
//
//   programs [--robots 10] [--steps 400] [--rounds 3] [--crowd 1000]
//
// The baseline, in the same run, is a step of one car: physics and devices of the world without programs, by robots. A
// wake-up's cost is that of the scheduler waking all programs once, by robots, while the world is not stepped; a getData's the
// difference of programs with and without readings. Wall time, since other processes take part; minimum of the rounds, which
// take turns. The crowd is that many robots, each with a program that reads once per step, in one world that is stepped. The
// checksum is of the states that runs come to, where wake-ups were timed one step after them; in this process and in one of
// their own, a crowd has to come to the same.

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

#include <sys/wait.h>
#include <unistd.h>

#include "bench/bench.hpp"
#include "lib/scenario/build.hpp"

using namespace simbatch;

namespace {

namespace fs = std::filesystem;

struct Way {
  const char* name;
  enum { none, native, isolated, lines } kind;
  int gets;
  std::string command = {};
};

void write_scenario(const fs::path& folder, int robots, int gets) {
  std::ofstream out(folder / "scenario.xml");
  out << "<?xml version=\"1.0\"?><World name=\"bench\"><Physics><Engine name=\"bullet\"><StepSize value=\"0.005\"/>"
         "<Origin latitude=\"-31.97\" longitude=\"115.8\"/></Engine></Physics>"
         "<Terrain><Plane name=\"ground\"><Height value=\"0\"/></Plane></Terrain><Objects>";
  for (int i = 0; i < robots; ++i)
    out << "<Robot name=\"car" << i << "\" file=\"impreza.xml\"><Position x=\"" << i % 40 * 9 << "\" z=\"" << i / 40 * 9
        << "\"/><UserProgram path=\"user.so\" arg=\"" << gets << "\"/></Robot>";
  out << "</Objects></World>";
  fs::copy_file(SOURCE_DIR "/scenarios/first_drive/impreza.xml", folder / "impreza.xml", fs::copy_options::overwrite_existing);
}

struct Result {
  double start = 0;  // s: building, and the first step, which starts processes
  double step = 0;   // s
  std::uint64_t hash = 0;
};

Result measure(const Way& way, int robots, int steps) {
  const fs::path folder = fs::temp_directory_path() / ("simbatch-bench-" + std::to_string(::getpid()));
  fs::create_directories(folder);
  write_scenario(folder, robots, way.gets);
  scenario::BuildOptions options;
  options.allow_programs = true;
  options.programs = way.kind == Way::none ? scenario::ProgramUse::ignore : scenario::ProgramUse::run;
  options.isolate = way.kind == Way::isolated;
  if (way.kind == Way::lines)
    options.controllers.push_back({"*", way.command});
  else
    options.program_choices.push_back({"*", USER_PROGRAM});
  Result result;
  const double begun = bench::wall_seconds();
  scenario::BuildResult built = scenario::build_scenario((folder / "scenario.xml").string(), options);
  fs::remove_all(folder);
  if (!built.value) {
    for (const Diagnostic& problem : built.diagnostics.items()) std::fprintf(stderr, "%s\n", to_text(problem).c_str());
    std::exit(1);
  }
  sim::Simulation& simulation = *built.value->simulation;
  for (int i = 0; i < 3; ++i) simulation.step();
  const double ready = bench::wall_seconds();
  const bool moving = way.kind == Way::none || robots > 100;
  const std::int64_t first = simulation.clock().step;
  for (std::int64_t i = 0; i < steps; ++i) {
    if (moving)
      simulation.step();
    else
      built.value->programs->control({first + i, 0, 0.005});
    if (simulation.failure()) {
      std::fprintf(stderr, "%s: %s\n", way.name, simulation.failure()->message.c_str());
      std::exit(1);
    }
  }
  result.step = (bench::wall_seconds() - ready) / steps;
  result.start = ready - begun;
  if (!moving) simulation.step();  // the state has when programs are due
  result.hash = simulation.state_hash();
  return result;
}

// Each in a process of its own: libraries stay loaded, and would weigh on what comes after.
Result run(const Way& way, int robots, int steps) {
  int ends[2];
  Result result;
  if (::pipe(ends) != 0) std::exit(1);
  std::fflush(stdout);
  const pid_t pid = ::fork();
  if (pid == 0) {
    ::close(ends[0]);
    result = measure(way, robots, steps);
    ::_exit(::write(ends[1], &result, sizeof result) == sizeof result ? 0 : 1);
  }
  ::close(ends[1]);
  const bool got = ::read(ends[0], &result, sizeof result) == sizeof result;
  ::close(ends[0]);
  ::waitpid(pid, nullptr, 0);
  if (!got) std::exit(1);
  return result;
}

// A controller in C++, of the simplest kind.
int peer(int gets) {
  std::string line, device;
  std::getline(std::cin, line);
  const std::size_t at = line.find("\"robot\":\"") + 9;
  device = line.substr(at, line.find('"', at) - at) + ".chassis.psd0";
  const std::string get = "{\"do\":\"get\",\"device\":\"" + device + "\"}\n", sleep = "{\"do\":\"sleep\",\"ms\":0}\n";
  const auto ask = [&](const std::string& text) {
    return ::write(1, text.data(), text.size()) == static_cast<ssize_t>(text.size()) && std::getline(std::cin, line);
  };
  for (;;) {
    for (int i = 0; i < gets; ++i)
      if (!ask(get)) return 0;
    if (!ask(sleep)) return 0;
  }
}

}  // namespace

int main(int argc, char** argv) {
  const bench::Options options(argc, argv, {"--peer", "--robots", "--steps", "--rounds", "--crowd"});
  if (!options.text("--peer").empty()) return peer(options.whole("--peer", 0));
  const int robots = options.whole("--robots", 10), steps = options.whole("--steps", 400),
            rounds = options.whole("--rounds", 3);
  const int crowd = options.whole("--crowd", 1000);
  const std::string self = fs::read_symlink("/proc/self/exe").string();
  const std::string python = "exec python3 " SOURCE_DIR "/bench/programs/peer.py ";
  std::vector<Way> ways = {
      {"none", Way::none, 0},
      {"in process", Way::native, 0},
      {"in process", Way::native, 1000},
      {"isolated", Way::isolated, 0},
      {"isolated", Way::isolated, 1000},
      {"lines, C++", Way::lines, 0, "exec '" + self + "' --peer 0"},
      {"lines, C++", Way::lines, 10, "exec '" + self + "' --peer 10"},
      {"lines, Python", Way::lines, 0, python + "0"},
      {"lines, Python", Way::lines, 10, python + "10"},
      {"lines, Python, batch", Way::lines, 0, python + "0 batch"},
      {"lines, Python, batch", Way::lines, 10, python + "10 batch"},
  };
  bench::print_head(argc, argv, "wall time; minimum and median of rounds in turns");
  bench::Checksum checksum;
  std::vector<Result> best(ways.size());
  std::vector<std::vector<double>> steps_of(ways.size());  // s, one a round
  for (int round = 0; round < rounds; ++round)
    for (std::size_t i = 0; i < ways.size(); ++i) {
      const int share = ways[i].kind == Way::lines                         ? std::max(steps / 4, 20)
                        : ways[i].kind == Way::native && ways[i].gets == 0 ? steps * 50
                                                                           : steps;
      const Result result = run(ways[i], robots, share);
      steps_of[i].push_back(result.step);
      checksum.add(std::string(ways[i].name) + " " + std::to_string(ways[i].gets), result.hash);
      if (round == 0 || result.step < best[i].step) best[i] = result;
    }
  const double step = best[0].step / robots;
  std::printf("# a step of one car without programs: %.3f us (minimum), %.3f us (median)\n", step * 1e6,
              bench::median(steps_of[0]) / robots * 1e6);
  std::printf("way,us_a_wake_up,us_a_wake_up_median,ns_a_getData,wake_up_to_car_step,getData_to_car_step\n");
  for (std::size_t i = 1; i + 1 < ways.size(); i += 2) {
    const double wake = best[i].step / robots;
    const double get = (best[i + 1].step - best[i].step) / robots / ways[i + 1].gets;
    std::printf("\"%s\",%.3f,%.3f,%.1f,%.3f,%.4f\n", ways[i].name, wake * 1e6, bench::median(steps_of[i]) / robots * 1e6,
                get * 1e9, wake / step, get / step);
  }
  const char* const of = "the states of all runs";
  if (crowd <= 0) return checksum.finish(of);
  std::printf(
      "# %d robots in one world, each with a program that reads once a step\nway,s_to_start,us_a_step,times_real_time,state_hash\n",
      crowd);
  for (const Way& way : {Way{"none", Way::none, 0}, Way{"in process", Way::native, 1}, Way{"isolated", Way::isolated, 1}}) {
    const Result result = run(way, crowd, 100);
    std::printf("%s,%.2f,%.0f,%.2f,%016llx\n", way.name, result.start, result.step * 1e6, 0.005 / result.step,
                static_cast<unsigned long long>(result.hash));
    checksum.add(way.kind == Way::none ? "crowd without programs" : "crowd", result.hash);
  }
  return checksum.finish(of);
}
