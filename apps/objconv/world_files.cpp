#include "apps/objconv/world_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include "apps/common/installation.hpp"
#include "apps/objconv/codes.hpp"
#include "apps/objconv/copied_meshes.hpp"
#include "base/core/input.hpp"
#include "base/core/read_files.hpp"
#include "base/core/text.hpp"
#include "formats/autosim/robot.hpp"
#include "formats/autosim/world.hpp"
#include "lib/robots/codes.hpp"
#include "lib/robots/to_sdf.hpp"
#include "lib/robots/to_urdf.hpp"
#include "lib/scenario/check_meshes.hpp"
#include "lib/scenario/scenario_files.hpp"
#include "lib/scenario/town.hpp"
#include "lib/worlds/models_of.hpp"

namespace simbatch::objconv {
namespace {

using file_kind::Kind;
namespace fs = std::filesystem;

/// A robot file beside a scenario names its meshes from where it is.
class ShapeFiles {
 public:
  ShapeFiles(const std::string& input, const std::string& output, const std::string& root, grasp::MeshFiles& files,
             Diagnostics& problems)
      : input_(input),
        root_(root),
        copies_(output, input, root, files),
        is_same_(folder_of(output) == folder_of(input)),
        problems_(problems) {}

  void move(autosim::Robot& robot) {
    for (autosim::Body& body : robot.bodies) {
      move(body.shape, body.place.at);
      for (autosim::Geometry& geometry : body.geometries) move(geometry.shape, geometry.place.at);
    }
  }
  /// @param at  where the shape was read
  void move(autosim::Shape& shape, Position at) {
    if (shape.kind != autosim::Shape::Kind::mesh) return;
    const auto [name, fresh] = names_.try_emplace(shape.file, shape.file);
    if (fresh) name->second = place(shape.file, at);
    shape.file = name->second;
  }

 private:
  static fs::path folder_of(const std::string& file) { return fs::absolute(file).lexically_normal().parent_path(); }

  std::string place(const std::string& name, Position at) {
    const std::string path = (fs::path(input_).parent_path() / name).string();
    note_named_file(path);
    std::vector<std::string> lost;
    if (std::string problem = scenario::mesh_problem(path, input_, root_, reader_); !problem.empty())
      report(robots::code::kMesh, at, std::move(problem));
    const std::string placed = is_same_ ? name : copies_.copy(path, lost);
    for (std::string& message : lost) report(robots::code::kLossMesh, at, std::move(message));
    return placed;
  }
  void report(const Code& code, Position at, std::string message) { problems_.report_in(input_, code, at, std::move(message)); }

  const std::string input_, root_;
  CopiedMeshes copies_;
  models::ModelReader reader_;
  const bool is_same_;
  Diagnostics& problems_;
  std::map<std::string, std::string> names_;
};

/// STEM_NAME.xml for each robot of a world. The slashes of a name become underscores; where that is another robot's file, a
/// number follows.
class RobotFileNames {
 public:
  RobotFileNames(std::string stem, const std::vector<autosim::RobotEntry>& robots) : stem_(std::move(stem)) {
    for (const autosim::RobotEntry& robot : robots)
      if (robot.name.find('/') == std::string::npos) taken_.insert(robot.name);
  }

  std::string file_of(const std::string& robot) {
    std::string name = robot;
    if (name.find('/') != std::string::npos) {
      std::replace(name.begin(), name.end(), '/', '_');
      const std::string first = name;
      for (int i = 2; !taken_.insert(name).second; ++i) name = fmt::format("{}_{}", first, i);
    }
    return stem_ + "_" + name + ".xml";
  }

 private:
  std::string stem_;
  std::set<std::string> taken_;
};

}  // namespace

const robots::Model* the_robot(const robots::World& world, Diagnostics& problems) {
  const robots::Model* found = nullptr;
  std::size_t count = 0;
  for (const robots::Model& model : world.models) {
    if (model.is_static) continue;
    found = &model;
    ++count;
  }
  if (count == 1) return found;
  problems.report(robots::code::kEmpty, {},
                  fmt::format("there are {} things that move, and a URDF file holds one robot; convert it to .sdf", count));
  return nullptr;
}

std::string name_of(const std::string& path) {
  const fs::path whole = fs::absolute(path).lexically_normal();
  return (whole.has_filename() ? whole : whole.parent_path()).stem().string();
}

std::string mesh_folder_of(const std::string& output) {
  std::string stem = fs::path(output).stem().string();
  std::replace_if(
      stem.begin(), stem.end(), [](char c) { return static_cast<unsigned char>(c) < ' ' || c == 0x7f; }, '_');
  return output == "-" || stem.empty() ? "meshes" : "meshes/" + stem;
}

bool is_model_target(const std::string& target) {
  return target == ".urdf" || target == ".xacro" || target == ".sdf" || target == ".world";
}

std::optional<WorldFiles> model_files(const std::string& path, Kind kind, const std::string& target,
                                      const WorldOptions& options, Diagnostics& problems) {
  scenario::BuildOptions build{.root = options.root,
                               .library = cli::robot_library(),
                               .graspit_root = options.graspit_root,
                               .rndf = options.rndf,
                               .planar = options.planar};
  build.programs = scenario::ProgramUse::ignore;
  scenario::BuildResult built = build_world(path, kind, build);
  problems.append(std::move(built.diagnostics));
  if (!built.value) return std::nullopt;
  // What is wrong with the files was said while they were built.
  Diagnostics again;
  scenario::ScenarioFiles files;
  std::error_code error;
  if (!fs::is_directory(path, error))
    if (auto read = scenario::read_scenario_files(path, build, again)) files = std::move(*read);
  worlds::report_losses(files, path, problems);
  WorldFiles result;
  robots::World world =
      worlds::models_of(*built.value, files, {options.mesh_folder, options.mesh_format}, result.files, problems);
  if (world.name.empty()) world.name = name_of(path);
  const bool to_urdf = target == ".urdf" || target == ".xacro";
  if (files.is_world && !to_urdf) {
    result.text = sdf::write_world(robots::to_sdf(world, problems));
    return problems.has_errors() ? std::nullopt : std::optional(std::move(result));
  }
  const robots::Model* found = the_robot(world, problems);
  if (found == nullptr) return std::nullopt;
  robots::Model model = *found;
  if (!files.is_world) model.pose = {};  // the simulation puts it on the ground
  result.text =
      to_urdf ? urdf::write_urdf(robots::to_urdf(model, problems)) : sdf::write_model(robots::to_sdf(model, problems));
  // Meshes of what is left out are not written.
  std::set<std::string> used;
  for (const robots::Part& part : model.parts)
    for (const robots::Solid& solid : part.collisions) used.insert(solid.shape.file);
  std::erase_if(result.files, [&](const auto& file) { return !used.contains(file.first); });
  return problems.has_errors() ? std::nullopt : std::optional(std::move(result));
}

bool has_town(const std::string& path, Kind kind) {
  std::error_code error;
  return fs::is_directory(path, error) || kind == Kind::autosim_world || kind == Kind::osm || kind == Kind::packed;
}

std::string town_file(const std::string& path, const WorldOptions& options, Diagnostics& problems) {
  const auto town = scenario::read_town(path, {.root = options.root, .library = cli::robot_library()}, problems);
  return town && !problems.has_errors() ? roads::town_geojson(*town, path, problems) : std::string();
}

bool is_for_autosim(Kind kind, std::string_view text) {
  return kind == Kind::urdf || kind == Kind::mjcf ||
         (kind == Kind::sdf && text.find("<graspit:source") == std::string_view::npos);
}

std::optional<WorldFiles> autosim_files(const std::string& path, const std::string& output, const WorldOptions& options,
                                        Diagnostics& problems) {
  auto read = scenario::read_scenario_files(path, {.root = options.root, .library = cli::robot_library()}, problems);
  if (!read) return std::nullopt;
  WorldFiles result;
  ShapeFiles meshes(path, output, options.root, result.files, problems);
  if (!read->is_world && read->robots.size() == 1) {
    const scenario::ScenarioRobot& robot = read->robots.front();
    autosim::Robot alone = robot.robot;
    meshes.move(alone);
    result.text = autosim::write_robot(alone);
    for (const std::string& part : robot.fixed)
      problems.report(robots::code::kLossScenario, {},
                      fmt::format("the part {} never moves, which the scenario has to specify: <Robot ...><Fixed part=\"{}\"/>",
                                  quoted(part), printable(part)));
    return result;
  }
  RobotFileNames names(fs::path(output).stem().string(), read->world.robots);
  for (autosim::RobotEntry& entry : read->world.robots)
    for (scenario::ScenarioRobot& robot : read->robots)
      if (robot.name == entry.name) {
        const std::string file = names.file_of(entry.name);
        meshes.move(robot.robot);
        result.files[file] = autosim::write_robot(robot.robot);
        entry.file = file;
        entry.fixed = robot.fixed;
      }
  for (autosim::StaticObject& object : read->world.statics) meshes.move(object.shape, object.place.at);
  result.text = autosim::write_world(read->world);
  return result;
}

bool may_write(const WorldFiles& files, const std::string& output, Diagnostics& problems) {
  if (files.files.empty() || output != "-") return true;
  problems.report(code::kNoConversion, {}, "an output with files beside it needs a name (-o)");
  return false;
}

}  // namespace simbatch::objconv
