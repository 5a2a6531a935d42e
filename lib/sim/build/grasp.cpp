// GraspIt! worlds, run as they are.
#include "formats/graspit/codes.hpp"
#include "lib/base/hash.hpp"
#include "lib/sim/build/context.hpp"
#include "lib/sim/grasp/grasp.hpp"

#include <filesystem>

namespace simbatch::sim::build {

BuildResult build_grasp_world(const std::string& path, const Input& input, const BuildOptions& options) {
  namespace fs = std::filesystem;
  BuildResult result;
  convert::GraspOptions load;
  load.root = options.graspit_root;
  auto world = convert::load_world(path, load);
  result.diagnostics = std::move(world.diagnostics);
  if (!world.value || result.diagnostics.has_errors()) return result;

  SimulationSettings settings;
  // Small bodies in a firm grip: shorter steps and more iterations than driving needs, friction in two directions.
  settings.physics.dt = options.dt.value_or(0.002);
  settings.physics.solver_iterations = 50;
  settings.physics.friction_directions = 2;
  settings.seed = options.seed.value_or(1);
  BuiltScenario built;
  built.simulation = std::make_unique<Simulation>(settings);
  built.name = fs::path(path).filename().string();
  built.inputs.push_back({built.name, hex64(hash64(input.text()))});
  // Every file that took part, each once, by name.
  std::map<std::string, std::string> files;
  const auto note = [&](const std::string& file) {
    if (file.empty() || files.contains(file)) return;
    files[file] = hex64(hash64(Input::open(file).text()));
  };
  for (const auto& body : world.value->bodies)
    if (body) note(body->file);
  for (const auto& robot : world.value->robots) {
    if (!robot) continue;
    note(robot->file);
    if (robot->palm) note(robot->palm->file);
    for (const auto& chain : robot->links)
      for (const auto& link : chain)
        if (link) note(link->file);
  }
  for (const auto& file : files) {
    std::error_code error;
    const fs::path relative = fs::absolute(file.first, error).lexically_normal().lexically_relative(fs::absolute(world.value->root, error).lexically_normal());
    built.inputs.push_back({relative.empty() ? file.first : relative.string(), file.second});
  }
  add_grasp_world(*built.simulation, *world.value, {}, result.diagnostics);
  if (!result.diagnostics.has_errors()) result.value = std::move(built);
  return result;
}

}  // namespace simbatch::sim::build
