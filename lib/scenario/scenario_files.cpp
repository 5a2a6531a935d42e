#include "lib/scenario/scenario_files.hpp"

#include <filesystem>

#include "lib/file_kind/file_kind.hpp"
#include "lib/scenario/import.hpp"
#include "lib/scenario/robot.hpp"

namespace simbatch::scenario {
namespace {

using file_kind::Kind;

/// Reads the files of a world's robots, each once.
std::vector<ScenarioRobot> robots_of(const std::string& path, const BuildOptions& readable, const autosim::World& world,
                                     const std::map<std::string, autosim::Robot>* made, Diagnostics& problems) {
  sim::Simulation simulation{sim::SimulationSettings{}};
  BuildOptions options;
  options.root = readable.root;
  options.library = readable.library;
  detail::Files files(path, options, problems);
  detail::Assembly assembly(simulation, world);
  const detail::Site site{world, options, files, assembly, simulation, made};
  std::vector<ScenarioRobot> robots;
  for (const autosim::RobotEntry& entry : world.robots) {
    auto file = detail::read_robot_file(site, entry);
    if (!file) continue;
    ScenarioRobot& robot = robots.emplace_back();
    robot.name = entry.name;
    robot.file = file->path;
    robot.robot = std::move(file->robot);
    robot.is_fixed = entry.is_fixed;
    robot.fixed = entry.fixed;
    robot.fixed.insert(robot.fixed.end(), file->fixed.begin(), file->fixed.end());
  }
  return robots;
}

}  // namespace

std::optional<ScenarioFiles> read_scenario_files(const std::string& path, const BuildOptions& options, Diagnostics& problems) {
  const std::size_t before = problems.errors();
  const Input input = Input::open(path);
  const Kind kind = file_kind::kind_of(input.name(), input.text());
  ScenarioFiles files;
  if (kind == Kind::autosim_world) {
    auto parsed = autosim::read_world(input.text(), input.name());
    problems.append(std::move(parsed.diagnostics));
    if (parsed.value) files.world = std::move(*parsed.value);
    if (parsed.value) files.robots = robots_of(path, options, files.world, nullptr, problems);
  } else if (kind == Kind::autosim_robot) {
    auto parsed = autosim::read_robot(input.text(), input.name());
    problems.append(std::move(parsed.diagnostics));
    files.is_world = false;
    if (parsed.value)
      files.robots.push_back({std::filesystem::path(path).stem().string(), input.name(), std::move(*parsed.value), false, {}});
  } else if (detail::is_imported(kind)) {
    auto made = detail::import_scenario(input, kind, detail::ScenarioRoot(path, options.root), Look::collisions, problems);
    if (made) {
      files.world = std::move(made->world);
      files.is_world = made->is_world;
      files.robots = robots_of(path, options, files.world, &made->robots, problems);
    }
  }
  return problems.errors() == before ? std::optional(std::move(files)) : std::nullopt;
}

}  // namespace simbatch::scenario
