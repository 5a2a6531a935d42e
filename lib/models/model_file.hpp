#pragma once
/// Files of models: where they are, and what they refer to.

#include <cstddef>
#include <string>
#include <vector>

#include "base/core/position.hpp"

namespace simbatch::models {

/// Maximum size of a model file, and of it together with the files that it refers to (bytes).
inline constexpr std::size_t kMaxModelBytes = std::size_t{64} << 20, kMaxModelBytesTogether = 4 * kMaxModelBytes;

/// A model that another file names. `at` is the position of its name.
struct ModelFile {
  std::string folder;  ///< contains LOD0/model.<type>; or the file itself. Empty: none
  std::string type;    ///< suffix: "3ds", "obj"; empty: the first that is found
  std::string named_in;
  Position at;
  std::string name = {};  ///< as written there
};

/// The model's own file, valid or not: the folder itself if it is a file, else LOD0/model.<type> in it, or what else is there,
/// types that are read first. Empty if there is none.
std::string path_of(const ModelFile& model);

/// `; for the file there, write path="models/hut.obj"`, if a model that is not there lacks only the suffix; else nothing.
std::string suffix_advice(const ModelFile& model);

/// All files that may be read to draw this model, if it exists: the model's own first, then files beside it whose names occur
/// in it (materials, buffers), by name. None exceeds kMaxModelBytes.
/// Cost: one pass over the model's bytes, and at each dot in them a comparison with every file beside it (at most 256, and 1e8
/// comparisons in all, after which all of these files are taken as named).
std::vector<std::string> model_files(const ModelFile& model);

}  // namespace simbatch::models
