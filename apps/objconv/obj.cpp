#include "apps/objconv/obj.hpp"

#include <filesystem>

#include "formats/gltf/gltf.hpp"
#include "lib/view/gltf_world.hpp"
#include "lib/view/obj_files.hpp"

namespace simbatch::objconv {

using file_kind::Kind;

bool is_obj_mesh(const Input& input, Kind kind) {
  return std::filesystem::path(input.name()).extension() == ".obj" && (kind == Kind::mesh || kind == Kind::unknown);
}

std::string mesh_glb(const Input& input, Diagnostics& problems) {
  const auto asset =
      view::asset_of_obj(input.text(), input.name(), std::filesystem::path(input.name()).stem().string(), problems);
  return asset ? view::world_glb(*asset, problems) : std::string();
}

std::string world_obj(const std::string& path, Kind kind, const WorldOptions& options, Diagnostics& problems) {
  const auto view = world_view(path, kind, options, problems);
  if (!view || problems.has_errors()) return {};
  return view::obj_of(view::world_asset(view->scene, *view->built.simulation, {}, nullptr));
}

}  // namespace simbatch::objconv
