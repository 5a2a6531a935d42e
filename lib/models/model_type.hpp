#pragma once
/// Types of model files, by their suffixes. Internal to this room.

#include <string>
#include <string_view>

namespace simbatch::models {

/// Suffixes of the supported formats: the subset of assimp's formats that are common and well tested.
inline constexpr std::string_view kModelTypes[] = {"obj", "3ds", "gltf", "glb", "dae", "stl", "ply"};
/// The file's suffix without its dot, in lowercase (ASCII letters only); empty if it has none.
std::string model_type(std::string_view file);
/// True if the file's suffix is one of kModelTypes, case-insensitively.
bool has_model_type(std::string_view file);

}  // namespace simbatch::models
