#pragma once
/// assimp, which was not written for hostile files: only for a process that has nothing to lose. Internal to this room.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lib/sim/scene/packed_model.hpp"

namespace simbatch::scene {

/// Suffixes of the formats that are read: few of assimp's, the ones in use whose readers are best tested.
inline constexpr std::string_view kModelTypes[] = {"obj", "3ds", "gltf", "glb", "dae", "stl", "ply"};
/// True if the file's suffix is one of these; capital letters do not matter.
bool has_model_type(std::string_view file);

/// A file in memory.
struct ModelBytes {
  std::string name;  ///< without folder
  std::string_view bytes;
};
/// @param files  the model, then files beside it that it may name; no other is read, and no file system is asked
/// @param why    gets the reason if there is no result
std::optional<Model> import_model(const std::vector<ModelBytes>& given, std::string& why);

}  // namespace simbatch::scene
