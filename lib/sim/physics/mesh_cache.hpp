#pragma once
/// Triangle meshes in the engine's form, kept from one world to the next, because building the trees for a town's streets takes
/// longer than a thousand steps of a car on them.

#include <cstddef>
#include <memory>

namespace simbatch::physics {

namespace detail {
class MeshShapes;
}

/// Keeps the engine's shape of every mesh used by worlds with this cache (WorldSettings::meshes). Meshes are the same if all
/// their points and indices are, bit for bit, so that worlds built with and without a cache are identical. Not thread-safe; a
/// forked process inherits its parent's contents.
class MeshCache {
 public:
  MeshCache();
  ~MeshCache();
  MeshCache(const MeshCache&) = delete;
  MeshCache& operator=(const MeshCache&) = delete;
  std::size_t size() const;  ///< number of meshes
  detail::MeshShapes& shapes() { return *shapes_; }

 private:
  std::unique_ptr<detail::MeshShapes> shapes_;
};

}  // namespace simbatch::physics
