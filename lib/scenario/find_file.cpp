// package:// is used by ROS, model:// by Gazebo; both are relative to a search path that is unknown here, so the folders above
// the file are searched, as far as the scenario may read.

#include "lib/scenario/find_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <set>

#include "base/core/input.hpp"
#include "base/core/text.hpp"
#include "formats/obj/obj.hpp"
#include "formats/stl/stl.hpp"
#include "lib/grasp/solid.hpp"
#include "lib/robots/codes.hpp"

namespace simbatch::scenario::detail {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kMeshSuffixes[] = {".obj", ".stl"};
constexpr int kMaxUp = 16;  // folders

/// Paths that a name may stand for, relative to the file that contains it.
std::vector<std::string> candidates(const std::string& name) {
  const std::size_t scheme = name.find("://");
  if (scheme == std::string::npos) return {name};
  const std::string rest = name.substr(scheme + 3);
  if (std::string_view(name).substr(0, scheme) == "file") return {rest};
  std::vector<std::string> all;
  const std::size_t slash = rest.find('/');
  std::string up;
  for (int i = 0; i < kMaxUp; ++i, up += "../") {
    all.push_back(up + rest);                                                    // the package's folder is in this one
    if (slash != std::string::npos) all.push_back(up + rest.substr(slash + 1));  // or is this one
  }
  return all;
}

struct Found {
  std::string path;      ///< empty: nowhere
  bool outside = false;  ///< there is one, where the scenario may not read
};

/// The first candidate that is a regular file, with one of the `tails` after it.
Found find(const ScenarioRoot& root, const std::string& name, const std::string& from,
           std::initializer_list<std::string_view> tails) {
  Found found;
  for (const std::string& candidate : candidates(name))
    for (const std::string_view tail : tails) {
      const ScenarioRoot::Resolved resolved = root.resolve(candidate + std::string(tail), from);
      std::error_code error;
      if (!fs::is_regular_file(resolved.path, error)) continue;
      if (resolved.access == ScenarioRoot::Access::allowed) return {resolved.path, false};
      found.outside = true;
    }
  return found;
}

std::string reason(const Found& found) {
  return found.outside ? "it lies outside the folder that the scenario may read; widen it with --root"
                       : "there is no such file";
}

/// Mass properties of the volume that the triangles of a mesh enclose, with density 1.
template <class Mesh>
std::optional<robots::Inertial> solid_of(Parsed<Mesh> mesh, geo::Vec3 scale) {
  if (!mesh.ok()) return std::nullopt;
  for (auto& p : mesh.value->points) p = {scale.x * p[0], scale.y * p[1], scale.z * p[2]};
  const grasp::SolidProperties solid = grasp::measure_solid(mesh.value->points, mesh.value->triangles);
  // Triangles that turn inward, as those of a mirrored mesh do, have a negative volume.
  const double volume = std::abs(solid.volume);
  if (!(volume > 0) || !std::isfinite(volume)) return std::nullopt;
  const auto& [x, y, z] = solid.centroid;
  const auto& i = solid.inertia;
  return robots::Inertial{
      volume, {x, y, z}, {volume * i[0], volume * i[4], volume * i[8], volume * i[1], volume * i[2], volume * i[5]}};
}

}  // namespace

bool is_mesh(std::string_view name) {
  const std::string lower = lower_ascii(name);
  return robots::has_y_up(name) || std::any_of(std::begin(kMeshSuffixes), std::end(kMeshSuffixes),
                                               [&](std::string_view suffix) { return lower.ends_with(suffix); });
}

FoundMesh find_mesh(const ScenarioRoot& root, const std::string& name, const std::string& from) {
  const Found found = find(root, name, from, {""});
  if (found.path.empty()) return {{}, fmt::format("the mesh {} is left out: {}", quoted(name), reason(found)), found.outside};
  if (!is_mesh(name))
    return {{},
            fmt::format("the mesh {} is left out: meshes are read from .obj, .stl, .dae, .gltf and .glb files; convert it, for "
                        "example by: assimp export FILE mesh.obj",
                        quoted(name)),
            false};
  return {found.path, {}, false};
}

robots::MeshFinder mesh_finder(const ScenarioRoot& root, const std::string& file, NamesBegin base, Diagnostics& problems) {
  // Reported once for each place, however many bodies have the mesh.
  std::set<std::pair<std::string, Position>> reported;
  return [&root, file, base, &problems, reported](const std::string& name, const std::string& named_in,
                                                  Position at) mutable -> std::optional<std::string> {
    const std::string& from = named_in.empty() ? file : named_in;
    const FoundMesh found = find_mesh(root, name, base == NamesBegin::at_the_first ? file : from);
    if (!found.path.empty()) {
      const fs::path folder = fs::path(file).parent_path();
      return fs::path(found.path).lexically_relative(folder.empty() ? "." : folder).generic_string();
    }
    if (at == Position{} || reported.emplace(from, at).second) problems.report_in(from, robots::code::kMesh, at, found.why_not);
    return std::nullopt;
  };
}

std::string find_named(const ScenarioRoot& root, const std::string& name, const std::string& from, std::string& why_not) {
  Found found = find(root, name, from, {""});
  if (found.path.empty()) why_not = reason(found);
  return std::move(found.path);
}

bool can_read_mesh(const ScenarioRoot& root, const std::string& name, const std::string& from) {
  return is_mesh(name) && !find(root, name, from, {""}).path.empty();
}

robots::IncludeLoader include_loader(const ScenarioRoot& root, Diagnostics& problems, std::vector<std::string>& read) {
  return [&root, &problems, &read](const std::string& uri, const std::string& from,
                                   Position at) -> std::optional<robots::IncludedFile> {
    if (uri.starts_with("http://") || uri.starts_with("https://")) {
      problems.report_in(
          from, robots::code::kInclude, at,
          fmt::format("the model {} is left out: nothing is downloaded; save it in a folder beside this file and name that",
                      quoted(uri)));
      return std::nullopt;
    }
    const Found found = find(root, uri, from, {"", "/model.sdf"});
    if (found.path.empty()) {
      problems.report_in(from, robots::code::kInclude, at,
                         fmt::format("the model {} is left out: {}", quoted(uri), reason(found)));
      return std::nullopt;
    }
    try {
      const Input input = Input::open_regular(found.path);
      read.push_back(found.path);
      auto parsed = sdf::file::read_sdf(input.text(), found.path);
      const bool good = parsed.ok();
      problems.append(std::move(parsed.diagnostics));
      if (!good) return std::nullopt;
      return robots::IncludedFile{found.path, std::move(*parsed.value)};
    } catch (const IoError& problem) {
      problems.report_in(from, robots::code::kInclude, at,
                         fmt::format("the model {} is left out: {}", quoted(uri), problem.what()));
      return std::nullopt;
    }
  };
}

mjcf::Loader mjcf_loader(const ScenarioRoot& root, const std::string& file, Diagnostics& problems,
                         std::vector<std::string>& read) {
  return [&root, file, &problems, &read](const std::string& name, const std::string& from,
                                         Position at) -> std::optional<mjcf::Included> {
    Found found = find(root, name, file, {""});
    if (found.path.empty() && from != file)
      if (Found beside = find(root, name, from, {""}); !beside.path.empty()) found = beside;
    const auto leave_out = [&](const std::string& why) {
      problems.report_in(from, robots::code::kInclude, at, fmt::format("the file {} is left out: {}", quoted(name), why));
      return std::nullopt;
    };
    if (found.path.empty()) return leave_out(reason(found));
    try {
      const Input input = Input::open_regular(found.path);
      read.push_back(found.path);
      return mjcf::Included{found.path, std::string(input.text())};
    } catch (const IoError& problem) {
      return leave_out(problem.what());
    }
  };
}

robots::MeshMeasure mesh_measure(const ScenarioRoot& root, const std::string& file) {
  return [&root, file](const std::string& name, const std::string&, geo::Vec3 scale) -> std::optional<robots::Inertial> {
    const Found found = find(root, name, file, {""});
    if (found.path.empty() || !is_mesh(name) || robots::has_y_up(name)) return std::nullopt;
    try {
      const Input input = Input::open_regular(found.path);
      if (!lower_ascii(name).ends_with(".stl")) return solid_of(obj::read_obj(input.text(), found.path), scale);
      return solid_of(stl::read_stl(input.text(), found.path), scale);
    } catch (const IoError&) {
      return std::nullopt;
    }
  };
}

}  // namespace simbatch::scenario::detail
