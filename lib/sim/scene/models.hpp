#pragma once
/// Models of bodies, wheels and houses: files of several formats, read through assimp in a confined process. Internal to this
/// room.

#include <optional>
#include <string_view>

#include "base/core/diagnostics.hpp"
#include "lib/sim/scene/appearance.hpp"
#include "lib/sim/scene/import_model.hpp"
#include "lib/sim/scene/packed_model.hpp"

namespace simbatch::scene {

/// Maximum size of a model file, and of it together with the files that it refers to (bytes).
inline constexpr std::size_t kMaxModelBytes = std::size_t{64} << 20, kMaxModelBytesTogether = 4 * kMaxModelBytes;
/// Maximum processor time per model, real time per model, and real time for all models of one reader (s).
inline constexpr unsigned kMaxModelSeconds = 20;
inline constexpr double kMaxModelWallSeconds = 60, kMaxAllModelsSeconds = 180;

/// Reads models one after another.
///
/// Each is parsed in a child process with limits on memory and time, which reads the files, drops all system calls except those
/// for memory, and returns triangles; a crash there does not affect this process.
class ModelReader {
 public:
  /// Reads LOD0/model.<type> of the folder (or the folder itself if it is a file). Empty, with a warning where it is
  /// referenced, if there is no such file or it cannot be read. @param instead  the substitute, for the warning
  std::optional<Model> read(const ModelFile& file, std::string_view instead, Diagnostics& problems);
  /// The same of the file at `path`, which `file` stands for. @param why  set to the reason if there is no result
  std::optional<Model> read_file(const ModelFile& file, const std::string& path, ModelUse use, std::string& why);

 private:
  double seconds_left_ = kMaxAllModelsSeconds;
};

/// True if the file exists, valid or not.
bool is_there(const ModelFile& file);

/// Stretches a model so that its bounding box has `size` and is centered at the origin.
void fit_into_box(Model& model, geo::Vec3 size);

}  // namespace simbatch::scene
