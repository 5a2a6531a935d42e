#include "lib/scenario/import.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "lib/robots/as_seen.hpp"
#include "lib/robots/codes.hpp"
#include "lib/robots/from_sdf.hpp"

namespace simbatch::scenario::detail {
namespace {

constexpr double kStep = 0.001;  // s: Gazebo's, for files that have none

/// As read_models(), for a simulation.
std::optional<RobotModels> read_contents(const Input& input, file_kind::Kind kind, const ScenarioRoot& root,
                                         Diagnostics& problems) {
  auto contents = read_models(input.text(), input.name(), kind, root, problems);
  if (contents && kind == file_kind::Kind::sdf) robots::limit_friction(contents->world);
  return contents;
}

/// Level ground, unless the model is itself a ground.
void set_lone_robot(robots::AutosimWorld& made) {
  if (made.world.terrain.kind == autosim::Terrain::Kind::none) made.world.terrain = world_of_objects().terrain;
  made.world.physics.origin.emplace();  // 0 north, 0 east: a GPS needs one
  for (autosim::RobotEntry& entry : made.world.robots) {
    // Away from the origin only if the file says so, but always on the ground.
    entry.pose.y.reset();
    if (entry.name == made.world.terrain.name) made.world.terrain.name = "level_ground";
  }
}

/// The robot of a file: its only model, or in MJCF the only one that moves. Nothing after a report.
const robots::Model* only_robot(const std::vector<robots::Model>& models, file_kind::Kind kind, Diagnostics& problems) {
  const robots::Model* found = nullptr;
  std::size_t count = 0, still = 0;
  for (const robots::Model& model : models) {
    if (kind == file_kind::Kind::mjcf && model.is_static) {
      ++still;
      continue;
    }
    found = &model;
    ++count;
  }
  if (count != 1) {
    problems.report(robots::code::kEmpty, {1, 1},
                    fmt::format("the file holds {} models{}, expected one to be the robot of a scenario", count,
                                kind == file_kind::Kind::mjcf ? " that move" : ""));
    return nullptr;
  }
  if (still > 0)
    problems.report(robots::code::kScene, found->place,
                    fmt::format("{} of the file {} never move and are left out beside the robot {}", still,
                                still == 1 ? "model" : "models", quoted(found->name)));
  return found;
}

/// Nothing moves, so that parts can be exact meshes, and those without a shape are left out.
void pose_for_picture(robots::AutosimWorld& made) {
  for (auto& [name, robot] : made.robots) {
    robot.articulation.reset();
    robot.links.clear();
    robot.devices.clear();
    std::erase_if(robot.bodies, [](const autosim::Body& body) { return body.geometries.empty(); });
  }
  for (autosim::RobotEntry& entry : made.world.robots) {
    entry.is_fixed = true;
    entry.fixed.clear();
  }
}

}  // namespace

bool is_imported(file_kind::Kind kind) {
  return kind == file_kind::Kind::urdf || kind == file_kind::Kind::sdf || kind == file_kind::Kind::mjcf;
}

NamesBegin names_of(file_kind::Kind kind) {
  return kind == file_kind::Kind::mjcf ? NamesBegin::at_the_first : NamesBegin::at_their_file;
}

void note_included(Files& files, const std::vector<std::string>& paths) {
  for (const std::string& path : paths) try {
      const Input input = Input::open_regular(path);
      files.note(std::filesystem::path(path).lexically_relative(files.root().folder()).generic_string(), input.text());
    } catch (const IoError&) {
      // It existed a moment ago; if it is missing now, that is reported where it is read.
    }
}

std::optional<robots::AutosimWorld> import_scenario(const Input& input, file_kind::Kind kind, const ScenarioRoot& root,
                                                    Look look, Diagnostics& problems) {
  const std::size_t before = problems.errors();
  auto contents = read_contents(input, kind, root, problems);
  if (!contents) return std::nullopt;
  const auto can_draw = [&](const robots::Solid& solid) {
    return solid.shape.kind != robots::Shape::Kind::mesh ||
           can_read_mesh(root, solid.shape.file,
                         solid.file.empty() || names_of(kind) == NamesBegin::at_the_first ? input.name() : solid.file);
  };
  if (look == Look::visuals)
    for (robots::Model& model : contents->world.models) model = robots::as_seen(std::move(model), can_draw);
  Diagnostics own(input.name()), meshes;
  auto made = robots::to_autosim(contents->world, std::filesystem::path(input.name()).filename().string(),
                                 mesh_finder(root, input.name(), names_of(kind), meshes), own);
  problems.append(std::move(own));
  problems.append(std::move(meshes));
  if (look == Look::visuals) pose_for_picture(made);
  made.world.physics.step = contents->world.step.value_or(kStep);
  made.is_world = contents->is_world;
  made.included = contents->included;
  if (!contents->is_world) set_lone_robot(made);
  return problems.errors() == before ? std::optional(std::move(made)) : std::nullopt;
}

std::optional<RobotFile> import_robot(const Site& site, const Input& input, file_kind::Kind kind) {
  const std::size_t before = site.files.problems().errors();
  const auto contents = read_contents(input, kind, site.files.root(), site.files.problems());
  if (!contents) return std::nullopt;
  Diagnostics own(input.name()), meshes;
  const robots::Model* model = only_robot(contents->world.models, kind, own);
  if (model == nullptr) {
    site.files.append(std::move(own));
    return std::nullopt;
  }
  auto robot = robots::to_autosim(*model, mesh_finder(site.files.root(), input.name(), names_of(kind), meshes), own);
  site.files.append(std::move(own));
  site.files.append(std::move(meshes));
  if (site.files.problems().errors() != before) return std::nullopt;
  note_included(site.files, contents->included);
  return RobotFile{input.name(), std::move(robot.robot), std::move(robot.fixed), false, {}};
}

}  // namespace simbatch::scenario::detail
