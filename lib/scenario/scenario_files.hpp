#pragma once
/// A scenario's files as they were read, without building anything: its world and its robots, also of imported formats.

#include <optional>
#include <string>
#include <vector>

#include "base/core/diagnostics.hpp"
#include "formats/autosim/robot.hpp"
#include "formats/autosim/world.hpp"
#include "lib/scenario/build.hpp"

namespace simbatch::scenario {

/// A robot of a scenario.
struct ScenarioRobot {
  std::string name;  ///< of its entry: its bodies are called NAME.PART
  std::string file;  ///< for diagnostics
  autosim::Robot robot;
  bool is_fixed = false;           ///< no part moves
  std::vector<std::string> fixed;  ///< parts that never move
};
struct ScenarioFiles {
  autosim::World world;  ///< of an imported file: what it became
  std::vector<ScenarioRobot> robots;
  bool is_world = true;  ///< false: a robot alone, on level ground
};

/// @param path  of an AutoSim world or robot, URDF, SDF or MJCF file; of other files there is nothing
/// @param options  root and library, as for building it
/// @return nothing after an error
std::optional<ScenarioFiles> read_scenario_files(const std::string& path, const BuildOptions& options, Diagnostics& problems);

}  // namespace simbatch::scenario
