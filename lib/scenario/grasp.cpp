// GraspIt! worlds, run as they are.
#include "lib/sim/grasp/grasp.hpp"
#include "base/core/hash.hpp"
#include "formats/graspit/codes.hpp"
#include "lib/scenario/context.hpp"
#include "lib/sim/program/codes.hpp"

#include <filesystem>
#include <set>

namespace simbatch::scenario::detail {
namespace {

/// All files that a world was read from, sorted, each once.
std::set<std::string> files_of(const grasp::GraspWorld& world) {
  std::set<std::string> files;
  for (const auto& body : world.bodies)
    if (body) files.insert(body->file);
  for (const auto& robot : world.robots) {
    if (!robot) continue;
    files.insert(robot->file);
    if (robot->palm) files.insert(robot->palm->file);
    for (const auto& chain : robot->links)
      for (const auto& link : chain)
        if (link) files.insert(link->file);
  }
  return files;
}

}  // namespace

void build_grasps(BuildContext& context) {
  namespace fs = std::filesystem;
  for (const autosim::GraspWorld& entry : context.world_file.grasps) {
    const auto input = context.open(entry.file, entry.place.at);
    if (!input) continue;
    grasp::GraspOptions load;
    const fs::path folder = context.folder.empty() ? fs::path(".") : fs::path(context.folder);
    if (!entry.root.empty()) load.root = (folder / entry.root).lexically_normal().string();
    auto world = grasp::load_world((folder / entry.file).lexically_normal().string(), load);
    const bool good = world.ok();
    context.problems.append(std::move(world.diagnostics));
    if (!good) continue;
    std::error_code error;
    bool inside = true;
    for (const std::string& file : files_of(*world.value)) {
      const fs::path relative =
          fs::absolute(file, error).lexically_normal().lexically_relative(fs::absolute(folder, error).lexically_normal());
      inside = context.open(relative.string(), entry.place.at).has_value() && inside;
    }
    if (!inside) continue;
    GraspSettings settings;
    settings.prefix = entry.name;
    settings.file = (folder / entry.file).lexically_normal().string();
    add_grasp_world(context.simulation, *world.value, settings, context.problems);
  }
}

void refuse_grasp(const std::string& robot, const std::string& world, Diagnostics& problems) {
  Diagnostics own(world);
  own.report(program_code::kRobot, {},
             "no program can control " + simbatch::quoted(robot) +
                 ": the robots of a GraspIt! world have no devices, their hands close by themselves");
  own.note(
      program_code::kRobot, {},
      "how they close stands in the robot's file, as the default velocities of its DOFs; run the world without a program, or name it in a "
      "scenario, by <GraspWorld file=>, beside the robots that programs control");
  problems.append(std::move(own));
}

BuildResult build_grasp_world(const std::string& path, const Input& input, const BuildOptions& options) {
  namespace fs = std::filesystem;
  BuildResult result;
  grasp::GraspOptions load;
  load.root = options.graspit_root;
  auto world = grasp::load_world(path, load);
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
  for (const std::string& file : files_of(*world.value)) {
    std::error_code error;
    const fs::path relative = fs::absolute(file, error)
                                  .lexically_normal()
                                  .lexically_relative(fs::absolute(world.value->root, error).lexically_normal());
    built.inputs.push_back({relative.empty() ? file : relative.string(), hex64(hash64(Input::open(file).text()))});
  }
  GraspSettings grasp;
  grasp.file = path;
  add_grasp_world(*built.simulation, *world.value, grasp, result.diagnostics);
  built.cameras = &built.simulation->add(std::make_unique<vision::Cameras>(
      *built.simulation, std::vector<vision::ImagingCamera>{}, vision::Appearance{}, std::make_shared<vision::EmbreeDevice>()));
  built.simulation->set_images(built.cameras);
  if (!result.diagnostics.has_errors()) result.value = std::move(built);
  return result;
}

}  // namespace simbatch::scenario::detail
