#pragma once
/// Caches what depends only on file contents, across builds: studies build the same town 100,000
/// times.

#include <map>
#include <memory>
#include <string>

#include "lib/sim/physics/mesh_cache.hpp"

namespace simbatch::scenario {

/// Keeps everything until it is destroyed. A scenario that is built with a cache is the same as without. Not for several
/// threads at once; a forked process has what its parent had.
class BuildCache {
 public:
  /// The kept value of this key, or what make() returns. @param key  names the kind of value, and everything that it depends on
  template <class Make>
  auto get(const std::string& key, Make make) {
    using Value = decltype(make());
    std::shared_ptr<const void>& kept = kept_[key];
    if (!kept) kept = std::make_shared<const Value>(make());
    return std::static_pointer_cast<const Value>(kept);
  }
  /// The engine's shapes of all meshes.
  const std::shared_ptr<physics::MeshCache>& meshes() const { return meshes_; }

 private:
  std::map<std::string, std::shared_ptr<const void>> kept_;
  std::shared_ptr<physics::MeshCache> meshes_ = std::make_shared<physics::MeshCache>();
};

}  // namespace simbatch::scenario
