#pragma once
/// Reads models of bodies, wheels and houses: files of several formats, through assimp in a confined process.

#include <optional>
#include <string>

#include "base/geo/geo.hpp"
#include "lib/models/import_model.hpp"
#include "lib/models/model_file.hpp"
#include "lib/models/packed_model.hpp"

namespace simbatch::models {

/// Maximum processor time per model, real time per model, and real time for all models of one reader (s).
inline constexpr unsigned kMaxModelSeconds = 20;
inline constexpr double kMaxModelWallSeconds = 60, kMaxAllModelsSeconds = 180;

/// Reads models one after another.
///
/// Each is parsed in a child process with limits on memory and time, which reads the files, drops all system calls except those
/// for memory, and returns triangles; a crash there does not affect this process.
class ModelReader {
 public:
  /// @param seconds  for all models together
  explicit ModelReader(double seconds = kMaxAllModelsSeconds) : seconds_left_(seconds) {}

  /// @param path  path_of(file)  @param why  set to the reason if there is no result
  std::optional<Model> read(const ModelFile& file, const std::string& path, ModelUse use, std::string& why);

 private:
  double seconds_left_;
};

}  // namespace simbatch::models
