#pragma once
/// Triangle meshes as the engine needs them, kept from one world to the next, because building the trees over a town's streets
/// takes longer than a thousand steps of a car on them.

#include <cstddef>
#include <memory>

namespace simbatch::physics {

namespace detail {
class MeshShapes;
}

/// Keeps the engine's shape of every mesh that the worlds with this cache (WorldSettings::meshes) were made of. Meshes are the same
/// if all their points and indices are, bit for bit: a world that is made with a cache is the same as without. Not for several
/// threads at once; a forked process has what its parent had.
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
