// Any AutoSim world of one file that can be built is drawn as glTF and OBJ, which is read again: all coordinates are finite.
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <string>
#include <string_view>

#include "formats/obj/obj.hpp"
#include "fuzz/scratch_folder.hpp"
#include "lib/sim/simulation.hpp"
#include "lib/view/obj_files.hpp"
#include "lib/view/rebuild.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace simbatch;
  static const ScratchFolder folder("drawn");
  if (size > 20'000) return 0;
  // What the scenario says comes from memory.
  static const bool is_made = static_cast<bool>(std::ofstream(folder.path / "world.xml") << "<World/>");
  if (!is_made) std::abort();
  view::RebuildOptions how;
  how.build = [&](scenario::ProgramUse use) {
    return scenario::build_scenario((folder.path / "world.xml").string(),
                                    {.text = std::string(reinterpret_cast<const char*>(data), size), .programs = use});
  };
  Diagnostics problems;
  const auto view = view::rebuild(how, nullptr, problems);
  if (view.has_value() == problems.has_errors()) std::abort();
  if (!view) return 0;
  const gltf::Asset asset = view::world_asset(view->scene, *view->built.simulation, view->cameras, nullptr);
  const std::string glb = view::world_glb(asset, problems);
  if (!std::string_view(glb).starts_with("glTF")) std::abort();
  const std::string text = view::obj_of(asset);
  const auto read = obj::read_obj(text, "again.obj");
  // A scene without triangles is an OBJ file without any, which is refused.
  if (read.ok() != (text.find("\nf ") != std::string::npos)) std::abort();
  return 0;
}
