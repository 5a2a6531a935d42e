// GraspIt! worlds, run unmodified.

#include "lib/sim/grasp/grasp.hpp"

#include <filesystem>
#include <map>
#include <set>

#include "base/core/hash.hpp"
#include "lib/scenario/codes.hpp"
#include "lib/scenario/site.hpp"
#include "lib/sim/program/codes.hpp"

namespace simbatch::scenario::detail {
namespace {

namespace fs = std::filesystem;

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

/// Loads a world, every file of which is opened through `files`, so that nothing outside the root is read or quoted.
class Loading {
 public:
  /// @param named_in  the file in which a file that must not be read is reported, at `at`
  Loading(Files& files, std::string named_in, Position at) : files_(files), named_in_(std::move(named_in)), at_(at) {}

  /// @param root  folder that the world's files are relative to; empty: searched for, upwards as far as the scenario's root
  Parsed<grasp::GraspWorld> load(const std::string& path, std::string_view text, const std::string& root) {
    grasp::GraspOptions options;
    options.root = root;
    options.search_within = files_.root().root();
    options.open = [this](const std::string& file) { return open(file); };
    return grasp::load_world(path, text, options);
  }
  /// Digest of a file that was opened.
  const std::string& digest(const std::string& file) const { return digests_.at(file); }

 private:
  std::optional<Input> open(const std::string& file) {
    std::optional<Input> input = files_.open_path(file, named_in_, at_);
    if (input) digests_[file] = hex64(hash64(input->text()));
    return input;
  }

  Files& files_;
  std::string named_in_;
  Position at_;
  std::map<std::string, std::string> digests_;
};

/// A path relative to a folder, whichever of them is absolute.
std::string relative_to(const std::string& file, const std::string& folder) {
  std::error_code error;
  const fs::path relative =
      fs::absolute(file, error).lexically_normal().lexically_relative(fs::absolute(folder, error).lexically_normal());
  return relative.empty() ? file : relative.generic_string();
}

void build_grasp_in(const Site& site, const autosim::GraspWorld& entry) {
  Files& files = site.files;
  const auto input = files.open(entry.file, entry.place.at);
  if (!input) return;
  std::string root;
  if (!entry.root.empty()) {
    const auto permitted = files.permit(entry.root, entry.place.at);
    if (!permitted) return;
    root = *permitted;
  }
  Loading loading(files, files.scenario(), entry.place.at);
  const std::size_t before = files.problems().errors();
  auto world = loading.load(input->name(), input->text(), root);
  const bool good = world.ok() && files.problems().errors() == before;
  files.append(std::move(world.diagnostics));
  if (!good) return;
  for (const std::string& file : files_of(*world.value))
    files.note_digest(relative_to(file, files.root().folder()), loading.digest(file));
  GraspSettings settings;
  settings.prefix = entry.name;
  settings.file = input->name();
  add_grasp_world(site.simulation, *world.value, settings, files.problems());
}

/// The nearest folder above a world's own in which one of its files exists; empty: there is none within six levels.
std::string root_above(const std::string& path, const graspit::World& world) {
  std::error_code error;
  fs::path folder = fs::absolute(path, error).lexically_normal().parent_path();
  for (int up = 0; up < 6 && folder != folder.parent_path(); ++up) {
    folder = folder.parent_path();
    for (const auto& body : world.bodies)
      if (!body.file.empty() && fs::exists(folder / body.file, error)) return folder.string();
    for (const auto& robot : world.robots)
      if (!robot.file.empty() && fs::exists(folder / robot.file, error)) return folder.string();
  }
  return {};
}

SimulationSettings settings_of(const BuildOptions& options) {
  SimulationSettings settings;
  // Small bodies in a firm grip: shorter steps and more iterations than driving needs, friction in two directions.
  settings.physics.dt = options.dt.value_or(0.002);
  settings.physics.solver_iterations = 50;
  settings.physics.friction_directions = 2;
  settings.seed = options.seed.value_or(1);
  if (options.gravity) settings.physics.gravity = {(*options.gravity)[0], (*options.gravity)[1], (*options.gravity)[2]};
  return settings;
}

}  // namespace

void build_grasps(const Site& site) {
  for (const autosim::GraspWorld& entry : site.file.grasps) build_grasp_in(site, entry);
}

void refuse_grasp(const std::string& robot, const std::string& world, Diagnostics& problems) {
  Diagnostics own(world);
  own.report(program_code::kRobot, {},
             "no program can control " + simbatch::quoted(robot) +
                 ": the robots of a GraspIt! world have no devices, their hands close by themselves");
  own.note(program_code::kRobot, {},
           "the default velocities of the DOFs in the robot's file determine how the hands close; run the world without a "
           "program, or add it to a scenario with <GraspWorld file=>, next to robots that programs control");
  problems.append(std::move(own));
}

BuildResult build_grasp_world(const std::string& path, const Input& input, const BuildOptions& options) {
  BuildResult result;
  // Naming the folder of the world's files permits reading it.
  BuildOptions readable = options;
  if (readable.root.empty()) readable.root = options.graspit_root;
  Files files(path, readable, result.diagnostics);
  if (!options.graspit_root.empty() && !files.permit_path(options.graspit_root, path, {})) return result;
  Loading loading(files, path, {});
  auto world = loading.load(path, input.text(), options.graspit_root);
  const bool good = world.ok() && !result.diagnostics.has_errors();
  result.diagnostics.append(std::move(world.diagnostics));
  result.unreadable = files.unreadable();
  if (!good) {
    const bool bounded = options.root.empty() && options.graspit_root.empty();
    const std::string root = bounded && world.value ? root_above(path, world.value->model) : std::string();
    if (!root.empty()) {
      Diagnostics hint(path);
      hint.note(code::kOutside, {},
                "files of this world are in " + root + ", which it may not read; permit it with --graspit-root " + root);
      result.diagnostics.append(std::move(hint));
    }
    return result;
  }

  BuiltScenario built;
  built.simulation = std::make_unique<Simulation>(settings_of(options));
  built.name = fs::path(path).filename().string();
  built.inputs.push_back({built.name, hex64(hash64(input.text()))});
  for (const std::string& file : files_of(*world.value))
    built.inputs.push_back({relative_to(file, world.value->root), loading.digest(file)});
  GraspSettings grasp;
  grasp.file = path;
  add_grasp_world(*built.simulation, *world.value, grasp, result.diagnostics);
  built.changes = options.changes;
  if (!result.diagnostics.has_errors()) check_support(*built.simulation, "", path, result.diagnostics);
  built.cameras = &built.simulation->add(std::make_unique<vision::Cameras>(
      *built.simulation, std::vector<vision::ImagingCamera>{}, scene::Appearance{}, std::make_shared<vision::EmbreeDevice>()));
  built.simulation->set_images(built.cameras);
  built.expectations = std::make_unique<Expectations>(*built.simulation);
  if (!result.diagnostics.has_errors()) result.value = std::move(built);
  return result;
}

}  // namespace simbatch::scenario::detail
