#include "lib/scenario/read_mesh.hpp"

#include <utility>

#include "base/core/text.hpp"
#include "formats/obj/obj.hpp"
#include "formats/stl/stl.hpp"
#include "lib/robots/to_autosim.hpp"
#include "lib/scenario/codes.hpp"
#include "lib/sim/scene/mesh_file.hpp"

namespace simbatch::scenario::detail {
namespace {

/// Adds the place of its name to what is wrong with a mesh, which in a binary file has no place.
template <class Mesh>
std::optional<obj::Mesh> usable(Files& files, Parsed<Mesh> mesh, const std::string& file, Position at) {
  const bool ok = mesh.ok();
  const bool is_told = !mesh.diagnostics.empty();
  const std::string_view code = is_told ? mesh.diagnostics.items().back().code : code::kShape.name;
  files.append(std::move(mesh.diagnostics));
  if (ok) return obj::Mesh{std::move(mesh.value->points), std::move(mesh.value->triangles)};
  Diagnostics here(file);
  here.note({code, Severity::note, {}}, at, "the mesh is named here");
  files.append(std::move(here));
  return std::nullopt;
}

/// A mesh may be large: of its file, its corners and its triangles, each is released once the next is made.
std::optional<physics::TriangleMesh> plain_mesh(Files& files, Input input, const std::string& file, Position at) {
  std::optional<Input> open(std::move(input));
  std::optional<obj::Mesh> mesh = lower_ascii(open->name()).ends_with(".stl")
                                      ? usable(files, stl::read_stl(open->text(), open->name()), file, at)
                                      : usable(files, obj::read_obj(open->text(), open->name()), file, at);
  open.reset();
  if (!mesh) return std::nullopt;
  physics::TriangleMesh result;
  result.points.reserve(mesh->points.size());
  for (const auto& p : mesh->points) result.points.push_back({p[0], p[1], p[2]});
  mesh->points = {};
  result.indices.reserve(3 * mesh->triangles.size());
  for (const auto& t : mesh->triangles) result.indices.insert(result.indices.end(), {t[0], t[1], t[2]});
  return result;
}

/// Of a file that may name others beside it.
std::optional<physics::TriangleMesh> scene_mesh(Files& files, models::ModelReader& reader, const std::string& path,
                                                const std::string& file, Position at) {
  std::string why = "it names a file outside the folder that the scenario may read";
  std::optional<physics::TriangleMesh> mesh;
  if (files.note_model({path, {}, file, at})) mesh = scene::read_mesh_file(reader, path, why);
  if (!mesh) files.report(code::kShape, file, at, "the mesh " + quoted(path) + " cannot be used: " + why);
  return mesh;
}

}  // namespace

std::optional<physics::TriangleMesh> read_mesh(Files& files, models::ModelReader& reader, Input input, const std::string& file,
                                               Position at) {
  return robots::has_y_up(input.name()) ? scene_mesh(files, reader, input.name(), file, at)
                                        : plain_mesh(files, std::move(input), file, at);
}

}  // namespace simbatch::scenario::detail
