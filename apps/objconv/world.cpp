#include "apps/objconv/world.hpp"

#include <filesystem>
#include <utility>

#include "apps/common/installation.hpp"
#include "formats/trace/read.hpp"
#include "lib/view/rebuild.hpp"

namespace simbatch::objconv {

using file_kind::Kind;

namespace {

/// Robots of other formats are drawn as they look; a scenario's as in a simulation, with the shapes that collide.
scenario::Look look_of(Kind kind) {
  const bool is_imported = kind == Kind::urdf || kind == Kind::sdf || kind == Kind::mjcf;
  return is_imported ? scenario::Look::visuals : scenario::Look::collisions;
}

}  // namespace

bool is_world(const std::string& path, Kind kind) {
  std::error_code error;
  return std::filesystem::is_directory(path, error) || kind == Kind::autosim_world || kind == Kind::autosim_robot ||
         file_kind::is_objects(kind) || file_kind::is_grasp_world(kind) || kind == Kind::urdf || kind == Kind::sdf ||
         kind == Kind::mjcf;
}

scenario::BuildResult build_world(const std::string& path, Kind kind, const scenario::BuildOptions& build) {
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) return scenario::build_map(path, build);
  if (kind == Kind::autosim_robot) return scenario::build_robot(path, build);
  return scenario::build_scenario(path, build);
}

std::optional<view::BuiltView> world_view(const std::string& path, Kind kind, const WorldOptions& options,
                                          Diagnostics& problems) {
  view::RebuildOptions how;
  how.build = [&](scenario::ProgramUse use) {
    return build_world(path, kind,
                       {.root = options.root,
                        .library = cli::robot_library(),
                        .graspit_root = options.graspit_root,
                        .rndf = options.rndf,
                        .planar = options.planar,
                        .programs = use,
                        .look = look_of(kind)});
  };
  return view::rebuild(how, nullptr, problems);
}

std::string world_glb(const std::string& path, Kind kind, const WorldOptions& options, Diagnostics& problems) {
  std::optional<trace::Trace> trace;
  if (!options.trace.empty()) {
    trace::ReadTrace read = trace::read_trace(options.trace);
    const bool is_good = read.trace.ok();
    problems.append(std::move(read.trace.diagnostics));
    if (!is_good) return {};
    trace = std::move(*read.trace.value);
  }
  view::RebuildOptions how;
  how.build = [&](scenario::ProgramUse use) {
    scenario::BuildOptions build{.root = options.root,
                                 .library = cli::robot_library(),
                                 .graspit_root = options.graspit_root,
                                 .rndf = options.rndf,
                                 .planar = options.planar,
                                 .programs = use};
    if (!trace) build.look = look_of(kind);
    if (trace) {
      build.dt = trace->header.dt;
      build.seed = trace->header.seed;
    }
    return build_world(path, kind, build);
  };
  auto view = view::rebuild(how, trace ? &*trace : nullptr, problems);
  if (!view || problems.has_errors()) return {};
  const gltf::Asset asset =
      view::world_asset(view->scene, *view->built.simulation, view->cameras, trace ? &view->motion : nullptr);
  return view::world_glb(asset, problems);
}

}  // namespace simbatch::objconv
