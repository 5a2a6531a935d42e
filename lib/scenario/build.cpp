#include "lib/scenario/build.hpp"

#include <filesystem>

#include "base/core/hash.hpp"
#include "lib/file_kind/file_kind.hpp"
#include "lib/scenario/codes.hpp"
#include "lib/scenario/context.hpp"
#include "lib/sim/vision/codes.hpp"

namespace simbatch::scenario {
namespace fs = std::filesystem;
using namespace sim;
namespace detail {
namespace {

void note(std::vector<FileDigest>& inputs, const std::string& name, const Input& input) {
  for (const FileDigest& file : inputs)
    if (file.name == name) return;
  inputs.push_back({name, hex64(hash64(input.text()))});
}

}  // namespace

std::optional<Input> BuildContext::open(const std::string& name, const std::string& from, Position at) {
  const fs::path path = (fs::path(from).parent_path() / name).lexically_normal();
  // By the words of the path alone: a link inside the folder was put there by its owner.
  std::error_code error;
  const fs::path own = fs::path(folder).empty() ? fs::path(".") : fs::path(folder);
  const fs::path root = fs::absolute(options.root.empty() ? own : fs::path(options.root), error).lexically_normal();
  const fs::path inside = fs::absolute(path, error).lexically_normal().lexically_relative(root);
  if (inside.empty() || *inside.begin() == "..") {
    report(code::kOutside, from, at,
           simbatch::quoted(name) + " lies outside the folder that the scenario may read; --root names a larger one");
    return std::nullopt;
  }
  try {
    Input input = Input::open(path.string());
    const std::string shown = path.lexically_relative(own).generic_string();
    note(inputs, shown.empty() ? name : shown, input);
    return input;
  } catch (const IoError& problem) {
    unreadable = true;
    report(code::kFile, from, at, problem.what());
    return std::nullopt;
  }
}

vision::ModelFile BuildContext::model_of(const std::optional<autosim::Model>& model, const std::string& from, Position at) {
  if (!model || model->path.empty()) return {};
  const fs::path path = (fs::path(from).parent_path() / model->path).lexically_normal();
  std::error_code error;
  const fs::path own = fs::path(folder).empty() ? fs::path(".") : fs::path(folder);
  const fs::path root = fs::absolute(options.root.empty() ? own : fs::path(options.root), error).lexically_normal();
  const fs::path inside = fs::absolute(path, error).lexically_normal().lexically_relative(root);
  vision::ModelFile file{path.string(), model->type, from, at, model->path};
  const bool outside = inside.empty() || *inside.begin() == ".." || fs::path(model->type).has_parent_path();
  const bool fresh = models.emplace(file.folder, file.type).second;
  if (outside) {
    if (fresh)
      report(vision_code::kOutside, from, at,
             "the model " + simbatch::quoted(model->path) +
                 " lies outside the folder that the scenario may read, and something plain is drawn instead; --root names a "
                 "larger folder");
    return {};
  }
  if (!fresh) return file;
  for (const std::string& part : vision::model_files(file)) {
    try {
      const std::string shown = fs::path(part).lexically_relative(own).generic_string();
      note(inputs, shown.empty() ? part : shown, Input::open(part));
    } catch (const IoError&) {
      // Told when it is to be drawn.
    }
  }
  return file;
}

std::optional<Input> BuildContext::open_named(const std::string& path) {
  try {
    Input input = Input::open(path);
    // A trace is the same wherever its files lie: outside the scenario's folder only the name counts.
    std::error_code error;
    const auto absolute = [&](const fs::path& p) {
      return fs::absolute(p.empty() ? fs::path(".") : p, error).lexically_normal();
    };
    const fs::path inside = absolute(path).lexically_relative(absolute(folder));
    const bool outside = inside.empty() || *inside.begin() == "..";
    note(inputs, (outside ? fs::path(path).filename() : inside).generic_string(), input);
    return input;
  } catch (const IoError& problem) {
    unreadable = true;
    report(code::kFile, path, {}, problem.cause());
    return std::nullopt;
  }
}

}  // namespace detail

BuildResult build_scenario(const std::string& path, const BuildOptions& options) {
  BuildResult result;
  if (file_kind::report_folder(path, result.diagnostics)) return result;
  const Input input = Input::open(path);
  if (file_kind::report_other_kind(input.text(), input.name(), file_kind::Purpose::scenario, result.diagnostics)) return result;
  const bool objects = detail::is_object_file(input.text(), options);
  if (!objects && !options.rndf.empty()) {
    Diagnostics unused(input.name());
    unused.report(code::kNetworkUnused, {}, "this is no CajunBot object file; --rndf has no effect");
    result.diagnostics.append(std::move(unused));
  }
  if (path.ends_with(".wld") || file_kind::is_grasp_world(input.text())) {
    BuildResult grasp = detail::build_grasp_world(path, input, options);
    for (const ProgramChoice& choice : options.program_choices) detail::refuse_grasp(choice.robot, path, grasp.diagnostics);
    for (const ControllerChoice& choice : options.controllers) detail::refuse_grasp(choice.robot, path, grasp.diagnostics);
    if (grasp.diagnostics.has_errors()) grasp.value.reset();
    grasp.diagnostics.append(std::move(result.diagnostics));
    return grasp;
  }
  if (!objects && !file_kind::is_xml(input.text())) {
    file_kind::report_unknown_kind(input.text(), input.name(), result.diagnostics);
    return result;
  }
  auto parsed =
      objects ? Parsed<autosim::World>{detail::world_of_objects(), {}} : autosim::read_world(input.text(), input.name());
  result.diagnostics.append(std::move(parsed.diagnostics));
  if (!parsed.value) return result;
  const autosim::World& file = *parsed.value;

  SimulationSettings settings;
  settings.physics.dt = options.dt.value_or(file.physics.step);
  settings.physics.gravity = detail::vec(file.physics.gravity);
  settings.seed = options.seed.value_or(file.physics.seed);
  if (!file.grasps.empty()) {
    // What is gripped needs friction in two directions, and more iterations than driving.
    settings.physics.solver_iterations = 50;
    settings.physics.friction_directions = 2;
  }
  if (file.physics.origin) settings.origin = geo::LatLon{file.physics.origin->latitude, file.physics.origin->longitude};
  if (file.physics.start_time) settings.start_unix = detail::unix_time(*file.physics.start_time).value_or(settings.start_unix);

  BuiltScenario built;
  built.simulation = std::make_unique<Simulation>(settings);
  built.name = fs::path(path).filename().string();
  built.inputs.push_back({built.name, hex64(hash64(input.text()))});
  Simulation& simulation = *built.simulation;

  // Order: first what decides, then what others read (bodies, links), then devices, then the medium.
  std::optional<double> water_level;
  std::optional<WaterBody> water;
  if (file.physics.water) {
    water_level = file.physics.water->level;
    water = WaterBody{file.physics.water->level, file.physics.water->density, detail::vec(file.physics.water->current)};
  }
  auto bodies = std::make_unique<BodyTable>(simulation);
  auto links = std::make_unique<LinkTable>(simulation);
  auto devices = std::make_unique<DeviceSet>(simulation, *bodies, water_level);
  auto fluid = std::make_unique<FluidForces>(simulation, water);
  detail::BuildContext context{file,
                               input.name(),
                               fs::path(path).parent_path().string(),
                               options,
                               simulation,
                               *bodies,
                               *links,
                               *devices,
                               *fluid,
                               {},
                               result.diagnostics,
                               built.inputs,
                               false,
                               0,
                               false};
  detail::build_terrain(context);
  detail::build_statics(context);
  detail::build_robots(context);
  detail::build_traffic(context);
  if (objects) detail::build_objects(context, input);
  detail::build_grasps(context);
  detail::build_programs(context);

  simulation.add(std::make_unique<Timeline>(std::move(context.settings), settings.physics.dt));
  for (auto& mission : context.missions) simulation.add(std::move(mission));
  for (auto& participant : context.participants) simulation.add(std::move(participant));
  // After all others that decide: a program has the last word.
  if (context.programs) built.programs = &simulation.add(std::move(context.programs));
  simulation.add(std::move(bodies));
  simulation.add(std::move(links));
  simulation.add(std::move(devices));
  if (context.scanners) simulation.add(std::move(context.scanners));
  simulation.add(std::move(fluid));
  built.cameras = &simulation.add(std::make_unique<vision::Cameras>(simulation, std::move(context.cameras),
                                                                    std::move(context.looks), context.vision_device));
  simulation.set_images(built.cameras);

  result.unreadable = context.unreadable;
  if (!result.diagnostics.has_errors()) result.value = std::move(built);
  return result;
}

}  // namespace simbatch::scenario
