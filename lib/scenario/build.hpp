#pragma once
/// Builds a simulation, ready to step, from a scenario file. build_scenario() (build.cpp) determines the kind of the file once,
/// reads it, and runs these steps in order:  terrain.cpp, map.cpp   the ground; roads, buildings and houses of a map
/// statics.cpp            what never moves robot.cpp              robots: robot_bodies.cpp, robot_devices.cpp,
/// robot_vehicles.cpp, control.cpp, mission.cpp traffic.cpp            CajunBot objects on a road network grasp.cpp
/// GraspIt! worlds program.cpp            user programs, after all that they can control expect.cpp             expectations,
/// which refer to all of them  site.hpp has what the steps share. Each gets a Site (constant inputs; Files, through which it
/// opens everything that the scenario names; the Assembly, to which it adds bodies and devices) and returns a Scene: timed
/// settings, missions, participants, vehicles, looks, cameras. Problems go to Files::report(), and a step goes on after them,
/// so that all are found.  To add a new kind of inhabitant: read its element in formats/autosim (world.hpp, read_world.cpp);
/// write a file here with `Scene build_NAME(const Site&)`; declare it in site.hpp; call it in build_world(), at the place where
/// its bodies belong in the order of the world, which decides the order of contacts and with it the state hash; document it in
/// docs/scenario.md.

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/core/diagnostics.hpp"
#include "lib/models/model_reader.hpp"
#include "lib/sim/program/scheduler.hpp"
#include "lib/sim/simulation.hpp"

namespace simbatch::sim {
class Expectations;
class ProgramEndpoint;
namespace vision {
class Cameras;
}
}  // namespace simbatch::sim

namespace simbatch::scenario {

class BuildCache;

/// --program ROBOT=LIBRARY: a library instead of what the scenario says.
struct ProgramChoice {
  std::string robot;      ///< robots whose name matches; * and ?
  std::string library;    ///< path, relative to the working folder; may lie outside the root; empty: no program at all
  bool may_miss = false;  ///< may be without such a robot: it is ignored
};

/// Treatment of programs while building.
enum class ProgramUse {
  run,     ///< load them; the first step starts them
  check,   ///< read and check their files, run none of their code
  ignore,  ///< ignore them
};

/// --controller ROBOT=COMMAND: a command that speaks the line protocol (docs/controllers.md), instead of what the scenario
/// says.
struct ControllerChoice {
  std::string robot;      ///< robots whose name matches; * and ?
  std::string command;    ///< for /bin/sh -c; or "tcp:...", "unix:...", "ws:..." or "ws", where a program connects
  bool may_miss = false;  ///< may be without such a robot: it is ignored
};

/// What robots of other formats (URDF, SDF) consist of.
enum class Look {
  collisions,  ///< the shapes that they collide with
  visuals,     ///< what they look like, for worlds that are drawn and not run
};

/// A value of a file that was replaced: --set.
struct FileChange {
  std::string at;     ///< as the user wrote it: "impreza.chassis.Mass"
  std::string value;  ///< likewise
};

struct BuildOptions {
  std::optional<double> dt = {};           ///< s; instead of the scenario's
  std::optional<std::uint64_t> seed = {};  ///< instead of the scenario's
  std::string root = {};                   ///< folder that the scenario may read; empty: its own
  /// Folder of the robots that `<Include>` names (library.hpp), which a scenario may read, too; empty: none.
  std::string library = {};
  /// of a GraspIt! world: folder that its files are relative to, which permits to read it; empty: searched for within
  /// `root`
  std::string graspit_root = {};
  std::optional<std::array<double, 3>> gravity = {};    ///< of a GraspIt! world that is run by itself, m/s^2
  std::string rndf = {};                                ///< road network of a CajunBot object file, in any folder; empty: none
  bool planar = false;                                  ///< its coordinates are meters (rndf::ReadOptions::planar)
  std::optional<std::string> text = {};                 ///< a World file's text that replaces the file's own: a variant
  std::map<std::string, std::string> robot_texts = {};  ///< the same for files of robots, by the robots' names
  /// The changes that `text` and `robot_texts` consist of, if the run's header should list them. The digests there are then
  /// those of the original files, so that these can be found again.
  std::vector<FileChange> changes = {};
  std::shared_ptr<BuildCache> cache = {};  ///< of what files become (build_cache.hpp); null: nothing is kept
  ProgramUse programs = ProgramUse::run;
  Look look = Look::collisions;
  double mesh_seconds = models::kMaxAllModelsSeconds;  ///< real time for reading all collision meshes in DAE, glTF and GLB
  /// Libraries that only the scenario names are loaded, and so run as native code of this process. Without it they are an error
  /// (sim-program-permission) when `programs` is ProgramUse::run; what program_choices names needs no permission.
  bool allow_programs = false;
  /// Whether the user trusts a scenario and a library that it names, so that it may run without allow_programs; reports why it
  /// does not. Asked for each library, once. @param bytes  of the library, as they were read; empty: it was not. Empty: no trust
  std::function<bool(const std::string& scenario, const std::string& library, std::string_view bytes, Diagnostics& problems)>
      trusts = {};
  std::vector<ProgramChoice> program_choices = {};  ///< the last one that matches a robot counts
  double program_timeout = 10;  ///< wall-clock limit of a program's turn, from sleep to sleep, in s; 0: none
  /// Programs of libraries run in processes of their own, made by the first step, and these and controllers in sandboxes.
  bool isolate = false;
  std::vector<ControllerChoice> controllers = {};        ///< all that match a robot are started by the first step
  std::vector<std::string> controller_environment = {};  ///< NAME=VALUE each, for controllers, overriding our environment
  std::vector<std::string> controller_files = {};        ///< files and folders that isolated controllers may also read
  std::string controller_token = {};                     ///< that programs on sockets have to send first; empty: none
  /// Opens the endpoint of a robot whose controller is "ws:..." or "ws" (lib/sim/program/command/controller.hpp).
  std::function<std::unique_ptr<sim::ProgramEndpoint>(const std::string& robot, const std::string& address)> open_endpoint = {};
  std::string generator = "simbatch";  ///< name and version of the simulator, for controllers
  std::function<bool()> keep_going =
      {};  ///< called several times per second during a program's turn, possibly in a signal handler; false ends the run
  std::function<void(std::string_view robot, std::string_view text)> log = {};  ///< receives the log messages of controllers
};

/// An input file.
struct FileDigest {
  std::string name;    ///< relative to the scenario's folder
  std::string digest;  ///< XXH3-64 of its bytes, 16 hexadecimal digits
};

/// The path of a robot's mission, seen from above.
struct PlannedPath {
  std::string robot;
  /// World's x and z (m), along lines and arcs, by chords within 0.1 m; NaN where the path is interrupted.
  std::vector<double> x, z;
};

/// A line of a road network, seen from above: the middle of a lane, or the perimeter of a zone, closed.
struct NetworkLine {
  std::string name;          ///< "traffic 1.2": lane 2 of segment 1
  std::vector<double> x, z;  ///< world's, through the waypoints; m
};

struct BuiltScenario {
  BuiltScenario();
  BuiltScenario(BuiltScenario&&) noexcept;
  BuiltScenario& operator=(BuiltScenario&&) noexcept;
  ~BuiltScenario();

  std::unique_ptr<sim::Simulation> simulation;
  /// The scenario's expectations; more may be added before the first step. Never null. The caller evaluates them after each
  /// step (lib/sim/expect).
  std::unique_ptr<sim::Expectations> expectations;
  sim::ProgramScheduler* programs = nullptr;  ///< a participant of it; nullptr if there are none
  sim::vision::Cameras* cameras = nullptr;    ///< a participant of it: pictures, also from free viewpoints
  double duration = 0;                        ///< s, required by its expectations (<Expectations duration=>); 0: none
  std::string name;                           ///< of the scenario file, without its folder
  std::vector<FileChange> changes;            ///< BuildOptions::changes
  std::string world;                          ///< the world's own name; may be empty
  std::vector<PlannedPath> plans;             ///< of missions, in the order of the robots
  std::vector<NetworkLine> network_lines;     ///< of the networks of traffic, and of those that positions refer to
  std::vector<FileDigest> inputs;             ///< the scenario first, then in the order of reading, each once
};

struct [[nodiscard]] BuildResult {
  std::optional<BuiltScenario> value;  ///< empty if there was an error
  Diagnostics diagnostics;             ///< of all files together
  bool unreadable = false;             ///< a file could not be read: the program exits with the code for I/O errors
};

/// Reads the scenario, or a GraspIt! world (.wld, or XML whose root is `world`), or a CajunBot object file of either version,
/// and all that it names, builds the world and the tree, and reports every problem with its position. Object files run on the
/// network that the options name, on flat ground, as docs/scenario.md says.
/// @throws IoError when the scenario file itself cannot be read
BuildResult build_scenario(const std::string& path, const BuildOptions& options = {});
/// A map folder (setup.xml, heights, streets) as a scenario without robots.
BuildResult build_map(const std::string& folder, const BuildOptions& options = {});
/// An AutoSim robot file as a scenario: the robot on level ground, named after the file.
BuildResult build_robot(const std::string& file, const BuildOptions& options = {});

}  // namespace simbatch::scenario
