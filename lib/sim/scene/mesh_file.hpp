#pragma once
/// Meshes in files of scenes, as collision shapes: Collada and glTF.

#include <optional>
#include <string>

#include "lib/models/model_reader.hpp"
#include "lib/sim/physics/shapes.hpp"

namespace simbatch::scene {

/// All triangles of a .dae, .gltf or .glb file (robots::has_y_up()), its nodes' transforms applied. Read through assimp in a confined process, within the limits of
/// models (models.hpp). Meters (Collada's `unit` applied), x right, y up, z forward, triangles facing outward: glTF has y up
/// (glTF 2.0, section 3.4); of Collada z is up whatever its `up_axis` says, as for RViz, MoveIt and Gazebo
/// (ros-visualization/rviz issue 1045).
/// @param path  of a regular file; files beside it that it names are read too (models::model_files())
/// @param why  set to the reason if there is no result
std::optional<physics::TriangleMesh> read_mesh_file(models::ModelReader& reader, const std::string& path, std::string& why);

}  // namespace simbatch::scene
