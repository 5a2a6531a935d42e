#pragma once
/// The module that imports models, loaded. Internal to this room.

#include <string>

#include "lib/models/import_model.hpp"

namespace simbatch::models {

struct ModelModule {
  decltype(&simbatch_import_model) import = nullptr;
  std::string why;  ///< if there is none: "its reader cannot be loaded: /usr/lib/simbatch/simbatch-models.so: cannot open ..."
};

/// Loads the module at the first call, from lib/simbatch of the installation or of the build tree; it stays until the process ends.
/// Call it before forking the process that imports: all copies share what is loaded, and a confined one cannot load anything.
const ModelModule& model_module();

}  // namespace simbatch::models
