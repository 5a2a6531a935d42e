#pragma once
/// From a scenario file to a simulation that is ready to step.
///
/// Where things are made: build.cpp reads the files and keeps the order; terrain.cpp the ground; statics.cpp what never
/// moves; robot.cpp robots with links and devices; control.cpp timed settings; program.cpp user programs; mission.cpp the missions that robots sail;
/// traffic.cpp CajunBot objects. A new kind of inhabitant (a town, traffic, a mission) gets a file
/// of its own with a function that takes a BuildContext (site.hpp) and is called from build_scenario().

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/core/diagnostics.hpp"
#include "lib/sim/program/scheduler.hpp"
#include "lib/sim/simulation.hpp"

namespace simbatch::sim::vision {
class Cameras;
}

namespace simbatch::scenario {

/// --program ROBOT=LIBRARY: a library instead of what the scenario says.
struct ProgramChoice {
  std::string robot;    ///< robots whose name matches; * and ?
  std::string library;  ///< path, not relative to the scenario; not bound to the root
};

/// What building does about programs.
enum class ProgramUse {
  run,     ///< loads them: the first step starts them
  check,   ///< reads and checks their files, runs nothing of theirs
  ignore,  ///< not even that
};

/// --controller ROBOT=COMMAND: a command that speaks the line protocol (docs/controllers.md), instead of what the scenario says.
struct ControllerChoice {
  std::string robot;    ///< robots whose name matches; * and ?
  std::string command;  ///< for /bin/sh -c
};

struct BuildOptions {
  std::optional<double> dt = {};           ///< s; instead of the scenario's
  std::optional<std::uint64_t> seed = {};  ///< instead of the scenario's
  std::string root = {};                   ///< folder that the scenario may read from; empty: its own
  std::string graspit_root = {};           ///< of a GraspIt! world: folder that its files are relative to; empty: found
  std::string rndf = {};                   ///< of a CajunBot object file: its road network, wherever it lies; empty: none
  ProgramUse programs = ProgramUse::run;
  /// Libraries that only the scenario names are loaded, and so run as native code of this process. Without it they are an error
  /// (sim-program-permission) when `programs` is ProgramUse::run; what program_choices names needs no permission.
  bool allow_programs = false;
  std::vector<ProgramChoice> program_choices = {};  ///< the last that matches a robot counts
  double program_timeout = 10;                      ///< s of wall time that a program may take from sleep to sleep; 0: any
  bool isolate = false;  ///< programs of libraries run in processes of their own, made by the first step
  std::vector<ControllerChoice> controllers = {};        ///< all that match a robot are started, by the first step
  std::vector<std::string> controller_environment = {};  ///< NAME=VALUE each, for controllers instead of what ours says
  std::string generator = "simbatch";                    ///< what controllers are told that the simulator is
  std::function<bool()> go_on =
      {};  ///< asked several times a second while a program has its turn, perhaps in a signal handler; false ends the run
  std::function<void(std::string_view robot, std::string_view text)> log = {};  ///< takes what controllers want to have said
};

/// A file that took part.
struct FileDigest {
  std::string name;    ///< relative to the scenario's folder
  std::string digest;  ///< XXH3-64 of its bytes, 16 hexadecimal digits
};

struct BuiltScenario {
  std::unique_ptr<sim::Simulation> simulation;
  sim::ProgramScheduler* programs = nullptr;  ///< a participant of it; nullptr: there are none
  sim::vision::Cameras* cameras = nullptr;    ///< a participant of it: pictures, also from where no camera is
  std::string name;                           ///< of the scenario file, without its folder
  std::vector<FileDigest> inputs;             ///< the scenario first, then in the order of reading, each once
};

struct [[nodiscard]] BuildResult {
  std::optional<BuiltScenario> value;  ///< empty if there was an error
  Diagnostics diagnostics;             ///< of all files together
  bool unreadable = false;             ///< a file could not be read: the program's exit code is that of I/O
};

/// Reads the scenario, or a GraspIt! world (.wld, or XML whose root is `world`), or a CajunBot object file of either version, and
/// all that it names, builds the world and the tree, reports every problem with its place.
/// Object files run on the network that the options name, on flat ground, as docs/scenario.md says.
/// @throws IoError when the scenario file itself cannot be read
BuildResult build_scenario(const std::string& path, const BuildOptions& options = {});

}  // namespace simbatch::scenario
