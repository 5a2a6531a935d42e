#pragma once
/// Models of bodies, wheels and houses: files of several formats, read through assimp in a confined process. Internal to this room.

#include <optional>
#include <string_view>

#include "base/core/diagnostics.hpp"
#include "lib/sim/scene/appearance.hpp"
#include "lib/sim/scene/packed_model.hpp"

namespace simbatch::scene {

/// Most bytes of a model file; and of it together with the files that it names.
inline constexpr std::size_t kMaxModelBytes = std::size_t{64} << 20, kMaxModelBytesTogether = 4 * kMaxModelBytes;
/// Most processor time of a model, most real time of a model, and of all that one reader reads (s).
inline constexpr unsigned kMaxModelSeconds = 20;
inline constexpr double kMaxModelWallSeconds = 60, kMaxAllModelsSeconds = 180;

/// Reads models one after another.
///
/// Each is parsed in a child process with limits on memory and time, which reads the files, gives up all system calls but those of
/// memory, and sends back triangles; whatever happens there, this process continues.
class ModelReader {
 public:
  /// Reads LOD0/model.<type> of the folder (or the folder itself if it is a file). Empty, with a warning at the position that names it,
  /// if there is no such file, or if it cannot be read.
  /// @param instead  what is drawn then, for the warning
  std::optional<Model> read(const ModelFile& file, std::string_view instead, Diagnostics& problems);

 private:
  std::optional<Model> read_file(const ModelFile& file, const std::string& path, std::string& why);

  double seconds_left_ = kMaxAllModelsSeconds;
};

/// True if the file exists, whatever it contains.
bool is_there(const ModelFile& file);

/// Stretches a model so that its bounding box is one of `size` about the origin.
void fit_into_box(Model& model, geo::Vec3 size);

}  // namespace simbatch::scene
