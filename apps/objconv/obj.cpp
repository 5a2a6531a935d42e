#include "apps/objconv/obj.hpp"

#include <filesystem>

#include "base/core/input.hpp"
#include "formats/gltf/gltf.hpp"
#include "lib/view/gltf_world.hpp"
#include "lib/view/obj_files.hpp"

namespace simbatch::objconv {

using file_kind::Kind;

std::optional<std::string> obj_conversion(const std::string& path, const std::string& target, const WorldOptions& options,
                                          Diagnostics& problems) {
  const std::filesystem::path file(path);
  if (file.extension() == ".obj" && target == ".glb") {
    const Input input = Input::open(path);
    const Kind kind = file_kind::kind_of(input.name(), input.text());
    if (kind != Kind::mesh && kind != Kind::unknown) return std::nullopt;  // CajunBot's object files are called that, too
    const auto asset = view::asset_of_obj(input.text(), input.name(), file.stem().string(), problems);
    return asset ? view::world_glb(*asset, problems) : std::string();
  }
  if (target != ".obj") return std::nullopt;
  std::error_code error;
  Kind kind = Kind::unknown;
  if (!std::filesystem::is_directory(path, error)) {
    const Input input = Input::open(path);
    kind = file_kind::kind_of(input.name(), input.text());
  }
  if (!is_world(path, kind)) return std::nullopt;
  const auto view = world_view(path, kind, options, problems);
  if (!view || problems.has_errors()) return std::string();
  return view::obj_of(view::world_asset(view->scene, *view->built.simulation, {}, nullptr));
}

}  // namespace simbatch::objconv
