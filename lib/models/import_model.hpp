#pragma once
/// Imports models by assimp, which is not hardened against hostile files: use only in a sandboxed process. Internal to this
/// room.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lib/models/packed_model.hpp"

namespace simbatch::models {

/// Suffixes of the supported formats: the subset of assimp's formats that are common and well tested.
inline constexpr std::string_view kModelTypes[] = {"obj", "3ds", "gltf", "glb", "dae", "stl", "ply"};
/// True if the file's suffix is one of these, case-insensitively.
bool has_model_type(std::string_view file);

/// A file in memory.
struct ModelBytes {
  std::string name;  ///< without folder
  std::string_view bytes;
};
/// @param files  the model, then files that it may refer to; no others are read, and the file system is not accessed @param why
/// set to the reason if there is no result
/// @param use  pictures: each format's axes are turned as it says; shapes: as read_mesh_file() has it
enum class ModelUse { picture, shape };
std::optional<Model> import_model(const std::vector<ModelBytes>& given, ModelUse use, std::string& why);

}  // namespace simbatch::models
