#pragma once
/// Scenarios, robots and objects as URDF and SDF as they are built, and robots and worlds of other formats as AutoSim's files.

#include <optional>
#include <string>
#include <vector>

#include "apps/objconv/world.hpp"
#include "lib/grasp/export.hpp"
#include "lib/robots/model.hpp"

namespace simbatch::objconv {

/// An output and the files that it names, relative to its folder.
struct WorldFiles {
  std::string text;
  grasp::MeshFiles files;
};

/// "maps/town/": "town"; "a/b.xml": "b".
std::string name_of(const std::string& path);
/// The only model that moves; nothing after a report.
const robots::Model* the_robot(const robots::World& world, Diagnostics& problems);
/// "meshes/STEM", relative to the output: other outputs in its folder have other meshes.
std::string mesh_folder_of(const std::string& output);

/// ".urdf", ".xacro": one robot; ".sdf", ".world": a world, or a model of a robot alone.
bool is_model_target(const std::string& target);
/// @pre is_world(path, kind), but not is_robot_file(kind), and is_model_target(target). Nothing after an error. @throws IoError
std::optional<WorldFiles> model_files(const std::string& path, file_kind::Kind kind, const std::string& target,
                                      const WorldOptions& options, Diagnostics& problems);

/// True for what may have a town: map folders, scenarios and OpenStreetMap files.
bool has_town(const std::string& path, file_kind::Kind kind);
/// The town of such a path as GeoJSON; empty after an error. @throws IoError
std::string town_file(const std::string& path, const WorldOptions& options, Diagnostics& problems);

/// True for a file that becomes an AutoSim robot or world: URDF, MJCF, and SDF that was not made of a GraspIt! world.
bool is_for_autosim(file_kind::Kind kind, std::string_view text);
/// A robot, or a world and the files of its robots beside it (STEM_NAME.xml, all different). Meshes are copied if the output is in
/// another folder.
/// @param output  its name @pre is_for_autosim(). Nothing after an error. @throws IoError
std::optional<WorldFiles> autosim_files(const std::string& path, const std::string& output, const WorldOptions& options,
                                        Diagnostics& problems);

/// False, after a report, if the files beside an output have no folder (-o -).
bool may_write(const WorldFiles& files, const std::string& output, Diagnostics& problems);

}  // namespace simbatch::objconv
