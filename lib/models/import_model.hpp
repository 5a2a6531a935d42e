#pragma once
/// What the module simbatch-models.so exports: models imported by assimp, which is not hardened against hostile files: call it only
/// in a confined process. Internal to this room.
///
/// assimp and what it needs take longer to load than most runs of osmgen take otherwise, and few runs read a model. So no program
/// is linked with them: model_module.hpp loads the module at the first model.

#include <cstddef>
#include <string>
#include <string_view>

namespace simbatch::models {

/// A file in memory.
struct ModelBytes {
  std::string_view name;  ///< without folder
  std::string_view bytes;
};
/// pictures: each format's axes are turned as it says; shapes: as read_mesh_file() has it
enum class ModelUse { picture, shape };

/// @param files  `count` >= 1 of them: the model, then files that it may refer to; no others are read, and the file system is not
/// accessed
/// @param reply  set to the packed model (packed_model.hpp), or to the reason if there is none
/// @return true if there is a model
/// @throws std::bad_alloc and whatever else assimp does not catch
extern "C" bool simbatch_import_model(const ModelBytes* files, std::size_t count, ModelUse use, std::string& reply);

}  // namespace simbatch::models
