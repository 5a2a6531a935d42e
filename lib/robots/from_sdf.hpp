#pragma once
/// SDF worlds and models as models of this room: frames resolved, includes followed, nested models flattened.

#include <functional>
#include <optional>
#include <string>

#include "base/core/diagnostics.hpp"
#include "formats/sdf/read.hpp"
#include "lib/robots/model.hpp"

namespace simbatch::robots {

/// A file that a model includes.
struct IncludedFile {
  std::string path;  ///< for diagnostics, and for the files that it names in turn
  sdf::file::File file;
};
/// Finds and reads an included file; if that fails, reports why and returns nothing. @param from  the file that includes it
using IncludeLoader = std::function<std::optional<IncludedFile>(const std::string& uri, const std::string& from, Position at)>;

/// Maximum number of models in a world, including those of included files.
inline constexpr std::size_t kMaxModels = 20'000;

/// @param path  of the file, for diagnostics
/// @pre the file was read without errors
World from_sdf(const sdf::file::File& file, const std::string& path, const IncludeLoader& load, Diagnostics& problems);

/// For a simulation: ODE takes the lower friction of two bodies, Simbatch their product, so that those above 1 become 1.
void limit_friction(World& world);

}  // namespace simbatch::robots
