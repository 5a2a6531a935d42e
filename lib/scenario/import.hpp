#pragma once
/// Imports robots and worlds from URDF, SDF and MJCF. Internal to this room.

#include <map>
#include <optional>
#include <string>

#include "lib/file_kind/file_kind.hpp"
#include "lib/robots/to_autosim.hpp"
#include "lib/scenario/find_file.hpp"
#include "lib/scenario/read_models.hpp"
#include "lib/scenario/robot.hpp"

namespace simbatch::scenario::detail {

/// Whether import_scenario() and import_robot() read this kind.
bool is_imported(file_kind::Kind kind);

/// As scenario::read_models(), without masses of parts that have densities.
std::optional<RobotModels> read_models(std::string_view text, const std::string& path, file_kind::Kind kind,
                                       const ScenarioRoot& root, Diagnostics& problems);
/// Where the names of meshes begin in files of a kind.
NamesBegin names_of(file_kind::Kind kind);

/// A robot on level ground, or a world with its robots. Nothing after an error.
/// @param look  BuildOptions::look
std::optional<robots::AutosimWorld> import_scenario(const Input& input, file_kind::Kind kind, const ScenarioRoot& root,
                                                    Look look, Diagnostics& problems);

/// Enters the digests of files that an imported one includes among the inputs. @param paths  AutosimWorld::included
void note_included(Files& files, const std::vector<std::string>& paths);

/// The robot of a file that a scenario names in <Robot file=>. Nothing after an error.
std::optional<RobotFile> import_robot(const Site& site, const Input& input, file_kind::Kind kind);

}  // namespace simbatch::scenario::detail
