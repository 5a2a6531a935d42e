#pragma once
/// One run of simrun serve, from step 0 on: what a reset replaces.

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "apps/simrun/offers.hpp"
#include "apps/simrun/simrun.hpp"
#include "formats/trace/collect.hpp"
#include "lib/serve/live_view.hpp"
#include "lib/sim/program/script.hpp"
#include "lib/sim/record/run.hpp"

namespace simbatch::simrun {

struct ServeOptions {
  std::vector<std::string> paths;  ///< scenario files and folders of scenarios
  serve::Choice choice;            ///< their names, for viewers
  std::vector<std::string> scenarios;
  std::string scenario;  ///< the current one
  ScenarioFiles files;
  std::optional<double> dt;
  std::optional<std::uint64_t> seed;
  std::string bind = "127.0.0.1";
  int port = 8765;
  std::vector<std::string> origins;  ///< origins of other pages that may connect
  bool run = false;                  ///< start without waiting for a viewer
  double speed = 1;
  std::optional<std::int64_t> steps;  ///< end after this number of steps
  std::string script, save_script;    ///< empty: none
  std::string trace, format, compression;
  std::int64_t every = 1, hash_every = 100;
  std::vector<std::string> devices;
  std::vector<std::string> expectations;  ///< files and texts
  ProgramOptions programs;
  std::vector<Offer> offered;  ///< --offer
  Offers offers;               ///< the same, with the current choices
};

struct LiveRun {
  view::BuiltView view;
  sim::ScriptPlayer* script = nullptr;
  std::vector<const sim::TreeNode*> all, traced;
  std::optional<trace::Collector> rows;
  sim::RunOutputs outputs;
  sim::RunPlan plan;
  std::optional<sim::RunRecorder> recorder;
  std::optional<serve::LiveView> live;
  std::shared_ptr<const std::string> page;
  bool failed = false;

  sim::Simulation& simulation() { return *view.built.simulation; }
};

/// Builds the scenario, starts it, and makes its page. Null after errors; then `exit` is how the program ends. @throws IoError
/// @param page  the template
/// @param log        receives the messages of programs
/// @param endpoints  for remote programs, on the page's own port
std::unique_ptr<LiveRun> make_live_run(const ServeOptions& options, std::string_view page, cli::Reporter& reporter,
                                       cli::ExitCode& exit, std::function<void(std::string_view, std::string_view)> log,
                                       std::shared_ptr<serve::ControlEndpoints> endpoints);

/// What is wrong with a command line; empty if nothing is.
std::string serve_problem(const ServeOptions& options);
/// Expands `paths`: a folder stands for every scenario.xml below it, sorted by name. @return what is wrong, or empty
std::string find_scenarios(ServeOptions& options);

/// True if the run was ended by a signal while a program had its turn: nothing has failed.
bool was_interrupted_in_turn(const LiveRun& run);

/// Writes trace and script. @return a readable summary of what was written
std::string save(LiveRun& run, const ServeOptions& options);

}  // namespace simbatch::simrun
