#include "lib/models/model_module.hpp"

#include <dlfcn.h>

#include "base/core/float_mode.hpp"
#include "base/core/installation.hpp"

namespace simbatch::models {
namespace {

/// By its full path, not by a name that is looked for from here: the sanitizers' dlopen is called by their library, which has other
/// folders, and LD_LIBRARY_PATH has no say.
ModelModule load() {
  const std::filesystem::path prefix = installation_prefix();
  if (prefix.empty()) return {nullptr, "its reader cannot be found: the system does not tell where this program is"};
  const FloatModeGuard guard;
  void* module = ::dlopen((prefix / SIMBATCH_MODELS_MODULE).c_str(), RTLD_NOW | RTLD_LOCAL);
  void* import = module == nullptr ? nullptr : ::dlsym(module, "simbatch_import_model");
  if (import == nullptr) return {nullptr, std::string("its reader cannot be loaded: ") + ::dlerror()};
  return {reinterpret_cast<decltype(ModelModule::import)>(import), {}};
}

}  // namespace

const ModelModule& model_module() {
  static const ModelModule module = load();
  return module;
}

}  // namespace simbatch::models
