#include "lib/scenario/check_meshes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include "base/core/input.hpp"
#include "base/core/text.hpp"
#include "formats/autosim/robot.hpp"
#include "formats/autosim/world.hpp"
#include "lib/robots/codes.hpp"
#include "lib/scenario/import.hpp"
#include "lib/scenario/read_mesh.hpp"

namespace simbatch::scenario {
namespace {

using file_kind::Kind;

/// Opens each mesh once.
class MeshCheck {
 public:
  MeshCheck(const std::string& path, const std::string& root, Diagnostics& problems)
      : path_(path), files_(path, options_of(root), problems) {}

  void imported(const robots::World& world, detail::NamesBegin base) {
    for (const robots::Model& model : world.models)
      for (const robots::Part& part : model.parts)
        for (const std::vector<robots::Solid>* solids : {&part.collisions, &part.visuals})
          for (const robots::Solid& solid : *solids)
            if (solid.shape.kind == robots::Shape::Kind::mesh) imported(solid, base);
  }
  void autosim(const autosim::Shape& shape, Position at) {
    if (shape.kind != autosim::Shape::Kind::mesh || !known_.emplace(path_, shape.file).second) return;
    if (auto input = files_.open(shape.file, path_, at)) (void)detail::read_mesh(files_, reader_, std::move(*input), path_, at);
  }
  /// Of those that were not opened.
  void finish() {
    if (outside_ == 0) return;
    files_.report(
        robots::code::kMesh, outside_file_, outside_at_,
        fmt::format("{} outside the folder that may be read and {} not checked; widen it with --root",
                    outside_ == 1 ? "a mesh is" : fmt::format("{} meshes are", outside_), outside_ == 1 ? "is" : "are"));
  }

 private:
  static BuildOptions options_of(const std::string& root) {
    BuildOptions options;
    options.root = root;
    return options;
  }

  void imported(const robots::Solid& solid, detail::NamesBegin base) {
    const std::string from = solid.file.empty() ? path_ : solid.file;
    if (!known_.emplace(from, solid.shape.file).second) return;
    const detail::FoundMesh found =
        detail::find_mesh(files_.root(), solid.shape.file, base == detail::NamesBegin::at_the_first ? path_ : from);
    if (found.is_outside) {
      if (outside_++ > 0) return;
      outside_file_ = from;
      outside_at_ = solid.place;
    } else if (!found.why_not.empty()) {
      files_.report(robots::code::kMesh, from, solid.place, found.why_not);
    } else if (auto input = files_.open_path(found.path, from, solid.place)) {
      (void)detail::read_mesh(files_, reader_, std::move(*input), from, solid.place);
    }
  }

  std::string path_;
  detail::Files files_;
  models::ModelReader reader_;
  std::set<std::pair<std::string, std::string>> known_;  // by the file that names them, and the name in it
  std::size_t outside_ = 0;
  std::string outside_file_;  // where the first is named
  Position outside_at_;
};

/// Whether a text can name a mesh, or a file that does: others, however large, need not be read again.
bool may_have_meshes(std::string_view text, Kind kind) {
  const auto has = [&](std::string_view element) { return text.find(element) != std::string_view::npos; };
  if (!detail::is_imported(kind)) return has("<Mesh");
  return has("<mesh") || (kind != Kind::urdf && has("<include")) || (kind == Kind::mjcf && has("<model"));
}

/// Those of files that `path` includes, but for those that are known.
void append_of_included(const Diagnostics& found, const std::string& path, Diagnostics& problems) {
  const auto text_of = [](const Diagnostic& problem) { return to_text(problem); };
  std::set<std::string> known;
  std::transform(problems.items().begin(), problems.items().end(), std::inserter(known, known.end()), text_of);
  bool is_new = false;  // the last one, but for notes
  for (const Diagnostic& problem : found.items()) {
    if (problem.severity != Severity::note) is_new = problem.file != path && !known.contains(text_of(problem));
    if (!is_new) continue;
    problems.report_in(problem.file, {problem.code, problem.severity, {}}, problem.at, problem.message, problem.path);
  }
}

}  // namespace

void check_meshes(std::string_view text, const std::string& path, Kind kind, const std::string& root, Diagnostics& problems) {
  if (!may_have_meshes(text, kind)) return;
  MeshCheck check(path, root, problems);
  Diagnostics again;  // what is wrong with the file itself is known
  if (detail::is_imported(kind)) {
    const auto models = detail::read_models(text, path, kind, detail::ScenarioRoot(path, root), again);
    append_of_included(again, path, problems);
    if (models) check.imported(models->world, detail::names_of(kind));
  } else if (kind == Kind::autosim_robot) {
    if (const auto robot = autosim::read_robot(text, path).value)
      for (const autosim::Body& body : robot->bodies) {
        if (!body.is_compound) check.autosim(body.shape, body.place.at);
        for (const autosim::Geometry& geometry : body.geometries) check.autosim(geometry.shape, geometry.place.at);
      }
  } else if (kind == Kind::autosim_world) {
    if (const auto world = autosim::read_world(text, path).value)
      for (const autosim::StaticObject& object : world->statics) check.autosim(object.shape, object.place.at);
  }
  check.finish();
}

std::string mesh_problem(const std::string& mesh, const std::string& path, const std::string& root,
                         models::ModelReader& reader) {
  Diagnostics found;
  BuildOptions options;
  options.root = root;
  detail::Files files(path, options, found);
  if (!detail::is_mesh(mesh)) return {};
  if (auto input = files.open_path(mesh, path, {})) (void)detail::read_mesh(files, reader, std::move(*input), path, {});
  for (const Diagnostic& problem : found.items()) {
    if (problem.severity != Severity::error) continue;
    if (problem.file == path) return problem.message;  // of a mesh that is read as a whole
    const std::string at = problem.at.line > 0 ? fmt::format(":{}:{}", problem.at.line, problem.at.column) : std::string();
    return fmt::format("the mesh {} cannot be used: {}{}: {}", quoted(mesh), printable(problem.file), at, problem.message);
  }
  return {};
}

}  // namespace simbatch::scenario
