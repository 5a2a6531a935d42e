#include "lib/scenario/import.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "formats/sdf/read.hpp"
#include "formats/urdf/urdf.hpp"
#include "lib/robots/codes.hpp"
#include "lib/robots/from_sdf.hpp"
#include "lib/robots/from_urdf.hpp"
#include "lib/scenario/find_file.hpp"

namespace simbatch::scenario::detail {
namespace {

constexpr double kStep = 0.001;  // s: Gazebo's, for files that have none

/// What a file holds.
struct Contents {
  robots::World world;
  bool is_world = false;  ///< with a ground of its own; else one robot, which is put on a level one
};

/// Nothing after an error.
std::optional<Contents> read_contents(const Input& input, file_kind::Kind kind, const ScenarioRoot& root,
                                      Diagnostics& problems) {
  const std::size_t before = problems.errors();
  Contents contents;
  Diagnostics own(input.name());
  if (kind == file_kind::Kind::urdf) {
    auto parsed = urdf::read_urdf(input.text(), input.name());
    const bool good = parsed.ok();
    problems.append(std::move(parsed.diagnostics));
    if (!good) return std::nullopt;
    contents.world.models.push_back(robots::from_urdf(*parsed.value, own));
    contents.world.name = parsed.value->name;
  } else {
    auto parsed = sdf::file::read_sdf(input.text(), input.name());
    const bool good = parsed.ok();
    problems.append(std::move(parsed.diagnostics));
    if (!good) return std::nullopt;
    Diagnostics included;
    contents.world = robots::from_sdf(*parsed.value, input.name(), include_loader(root, included), own);
    contents.is_world = parsed.value->world.has_value();
    problems.append(std::move(included));
  }
  problems.append(std::move(own));
  return problems.errors() == before ? std::optional(std::move(contents)) : std::nullopt;
}

void set_lone_robot(robots::AutosimWorld& made) {
  made.world.terrain = world_of_objects().terrain;
  made.world.physics.origin.emplace();  // 0 north, 0 east: a GPS needs one
  for (autosim::RobotEntry& entry : made.world.robots) {
    // Beside the origin only if the file says so, but always on the ground.
    entry.pose.y.reset();
    if (entry.name == made.world.terrain.name) made.world.terrain.name = "level_ground";
  }
}

}  // namespace

bool is_imported(file_kind::Kind kind) { return kind == file_kind::Kind::urdf || kind == file_kind::Kind::sdf; }

std::optional<robots::AutosimWorld> import_scenario(const Input& input, file_kind::Kind kind, const ScenarioRoot& root,
                                                    Diagnostics& problems) {
  const std::size_t before = problems.errors();
  const auto contents = read_contents(input, kind, root, problems);
  if (!contents) return std::nullopt;
  Diagnostics own(input.name()), meshes;
  auto made = robots::to_autosim(contents->world, std::filesystem::path(input.name()).filename().string(),
                                 mesh_finder(root, input.name(), meshes), own);
  problems.append(std::move(own));
  problems.append(std::move(meshes));
  made.world.physics.step = contents->world.step.value_or(kStep);
  if (!contents->is_world) set_lone_robot(made);
  return problems.errors() == before ? std::optional(std::move(made)) : std::nullopt;
}

std::optional<RobotFile> import_robot(const Site& site, const Input& input, file_kind::Kind kind) {
  const std::size_t before = site.files.problems().errors();
  const auto contents = read_contents(input, kind, site.files.root(), site.files.problems());
  if (!contents) return std::nullopt;
  Diagnostics own(input.name()), meshes;
  if (contents->world.models.size() != 1) {
    own.report(
        robots::code::kEmpty, {1, 1},
        fmt::format("the file holds {} models, expected one to be the robot of a scenario", contents->world.models.size()));
    site.files.append(std::move(own));
    return std::nullopt;
  }
  auto robot = robots::to_autosim(contents->world.models.front(), mesh_finder(site.files.root(), input.name(), meshes), own);
  site.files.append(std::move(own));
  site.files.append(std::move(meshes));
  if (site.files.problems().errors() != before) return std::nullopt;
  return RobotFile{input.name(), std::move(robot.robot), std::move(robot.fixed), false, {}};
}

}  // namespace simbatch::scenario::detail
