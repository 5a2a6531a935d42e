#include "apps/objconv/robot_files.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <map>
#include <set>
#include <utility>

#include "apps/objconv/copied_meshes.hpp"
#include "base/core/input.hpp"
#include "base/core/read_files.hpp"
#include "formats/sdf/sdf.hpp"
#include "formats/urdf/urdf.hpp"
#include "lib/robots/codes.hpp"
#include "lib/robots/to_sdf.hpp"
#include "lib/robots/to_urdf.hpp"
#include "lib/scenario/check_meshes.hpp"
#include "lib/scenario/read_models.hpp"

namespace simbatch::objconv {
namespace {

using file_kind::Kind;
namespace fs = std::filesystem;

/// How an output calls the meshes of its input, and the files that have to be copied for that.
class MeshNames {
 public:
  MeshNames(std::string input, Kind kind, std::string output, bool to_urdf, const WorldOptions& options,
            grasp::MeshFiles& files, Diagnostics& problems)
      : input_(std::move(input)),
        kind_(kind),
        output_(std::move(output)),
        to_urdf_(to_urdf),
        options_(options),
        copies_(output_, input_, options.root, files),
        problems_(problems),
        is_same_(folder_of(input_) == folder_of(output_)) {}

  /// @param from  the file that names the mesh, at `at`; empty: the input
  std::string name_of(const std::string& name, const std::string& from, Position at) {
    const auto [known, fresh] = names_.try_emplace({from, name});
    if (fresh) known->second = find(name, from.empty() ? input_ : from, at);
    return known->second;
  }

 private:
  static fs::path folder_of(const std::string& file) { return fs::absolute(file).lexically_normal().parent_path(); }

  std::string find(const std::string& name, const std::string& from, Position at) {
    std::string why_not;
    const std::string path = scenario::find_mesh(input_, kind_, options_.root, name, from, why_not);
    if (!path.empty()) {
      note_named_file(path);
      if (std::string problem = scenario::mesh_problem(path, input_, options_.root, reader_); !problem.empty())
        report(robots::code::kMesh, from, at, std::move(problem));
    }
    if (name.find("://") != std::string::npos) return find_by_scheme(name, from, at, !path.empty());
    if (fs::path(name).is_absolute()) return name;
    const bool is_named_there = kind_ == Kind::mjcf || folder_of(from) == folder_of(input_);
    if (is_same_ && is_named_there) return name;
    if (path.empty()) {
      report(robots::code::kLossMesh, from, at,
             fmt::format("the mesh {} keeps its name, which means another file beside the output: {}", quoted(name), why_not));
      return name;
    }
    if (is_same_) return fs::absolute(path).lexically_normal().lexically_relative(folder_of(input_)).generic_string();
    std::vector<std::string> lost;
    const std::string copy = copies_.copy(path, lost);
    for (std::string& message : lost) report(robots::code::kLossMesh, from, at, std::move(message));
    return copy;
  }

  /// ROS knows package://, and Gazebo the same as model://.
  std::string find_by_scheme(std::string name, const std::string& from, Position at, bool is_found) {
    const std::string_view old = to_urdf_ ? "model://" : "package://", made = to_urdf_ ? "package://" : "model://";
    const std::string named = name;
    if (name.starts_with(old)) name.replace(0, old.size(), made);
    std::string why_not;
    if (!is_same_ && is_found && scenario::find_mesh(output_, Kind::urdf, options_.root, name, "", why_not).empty())
      report(robots::code::kLossMesh, from, at,
             fmt::format("the mesh {} keeps its name, by which no file is found from the output's folder: {}", quoted(named),
                         why_not));
    return name;
  }

  void report(const Code& code, const std::string& from, Position at, std::string message) {
    problems_.report_in(from, code, at, std::move(message));
  }

  std::string input_;
  Kind kind_;
  std::string output_;
  bool to_urdf_;
  const WorldOptions& options_;
  CopiedMeshes copies_;
  models::ModelReader reader_;
  Diagnostics& problems_;
  bool is_same_;                                                      // input and output are in one folder
  std::map<std::pair<std::string, std::string>, std::string> names_;  // by the file that names them, and the name in it
};

void rename_meshes(robots::Model& model, MeshNames& names) {
  for (robots::Part& part : model.parts)
    for (std::vector<robots::Solid>* solids : {&part.collisions, &part.visuals})
      for (robots::Solid& solid : *solids)
        if (solid.shape.kind == robots::Shape::Kind::mesh)
          solid.shape.file = names.name_of(solid.shape.file, solid.file, solid.place);
}

/// A robot in its own format.
std::optional<std::string> urdf_again(const Input& input, MeshNames& names, Diagnostics& problems) {
  auto read = urdf::read_urdf(input.text(), input.name());
  const bool is_good = read.ok();
  problems.append(std::move(read.diagnostics));
  if (!is_good) return std::nullopt;
  for (urdf::Link& link : read.value->links)
    for (std::vector<urdf::Shape>* shapes : {&link.collisions, &link.visuals})
      for (urdf::Shape& shape : *shapes)
        if (auto* mesh = std::get_if<urdf::Mesh>(&shape.geometry)) mesh->file = names.name_of(mesh->file, "", shape.place.at);
  return urdf::write_urdf(*read.value);
}

/// What never moves is fixed to the world by each part that no joint leads to.
robots::Model with_world(robots::Model model) {
  if (!model.is_static) return model;
  std::set<std::string> led_to;
  for (const robots::Joint& joint : model.joints) led_to.insert(joint.child);
  std::vector<robots::Joint> fixed;
  for (const robots::Part& part : model.parts) {
    if (led_to.contains(part.name)) continue;
    robots::Joint& joint = fixed.emplace_back();
    joint.name = part.name + "_fixed";
    joint.place = part.place;
    joint.child = part.name;
  }
  model.joints.insert(model.joints.begin(), fixed.begin(), fixed.end());
  return model;
}

std::optional<std::string> text_of(scenario::RobotModels& models, bool to_urdf, Diagnostics& problems) {
  robots::World& world = models.world;
  const bool is_alone = !models.is_world && world.models.size() == 1;
  if (!to_urdf && models.is_world) return sdf::write_world(robots::to_sdf(world, problems));
  const robots::Model* model = is_alone ? &world.models.front() : the_robot(world, problems);
  if (model == nullptr) return std::nullopt;
  if (const std::size_t others = world.models.size() - 1; others > 0)
    problems.report(robots::code::kScene, model->place,
                    fmt::format("{} of the file never {} and {} left out beside the robot {}",
                                others == 1 ? "one model" : fmt::format("{} models", others), others == 1 ? "moves" : "move",
                                others == 1 ? "is" : "are", quoted(model->name)));
  return to_urdf ? urdf::write_urdf(robots::to_urdf(with_world(*model), problems))
                 : sdf::write_model(robots::to_sdf(*model, problems));
}

}  // namespace

bool is_robot_file(Kind kind) { return kind == Kind::urdf || kind == Kind::sdf || kind == Kind::mjcf; }

std::optional<WorldFiles> robot_files(const std::string& path, Kind kind, const std::string& output, const std::string& target,
                                      const WorldOptions& options, Diagnostics& problems) {
  const bool to_urdf = target == ".urdf" || target == ".xacro";
  const Input input = Input::open(path);
  WorldFiles result;
  MeshNames names(path, kind, output, to_urdf, options, result.files, problems);
  std::optional<std::string> text;
  if (kind == Kind::urdf && to_urdf) {
    text = urdf_again(input, names, problems);
  } else if (auto models = scenario::read_models(input, kind, options.root, problems)) {
    if (models->world.name.empty()) models->world.name = name_of(path);
    for (robots::Model& model : models->world.models) {
      rename_meshes(model, names);
      robots::drop_world_part(model);
    }
    Diagnostics own(input.name());
    text = text_of(*models, to_urdf, own);
    problems.append(std::move(own));
  }
  if (!text || problems.has_errors()) return std::nullopt;
  result.text = std::move(*text);
  return result;
}

}  // namespace simbatch::objconv
