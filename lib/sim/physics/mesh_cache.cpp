#include "lib/sim/physics/mesh_cache.hpp"

#include "base/core/hash.hpp"
#include "lib/sim/physics/bullet_shapes.hpp"

namespace simbatch::physics {
namespace detail {
namespace {

template <class T>
std::string_view bytes_of(const std::vector<T>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

bool is_same(const TriangleMesh& a, const TriangleMesh& b) {
  return bytes_of(a.points) == bytes_of(b.points) && bytes_of(a.indices) == bytes_of(b.indices);
}

}  // namespace

BvhMesh::BvhMesh(const TriangleMesh& mesh) : triangles(true, false) {
  for (std::size_t i = 0; i + 2 < mesh.indices.size(); i += 3)
    triangles.addTriangle(bt(mesh.points[mesh.indices[i]]), bt(mesh.points[mesh.indices[i + 1]]),
                          bt(mesh.points[mesh.indices[i + 2]]));
  shape.emplace(&triangles, true);
}

std::shared_ptr<BvhMesh> MeshShapes::get(const TriangleMesh& mesh) {
  const std::uint64_t key = hash64(bytes_of(mesh.indices), hash64(bytes_of(mesh.points)));
  const auto [first, last] = kept_.equal_range(key);
  for (auto at = first; at != last; ++at)
    if (is_same(at->second.mesh, mesh)) return at->second.shape;
  auto made = std::make_shared<BvhMesh>(mesh);
  kept_.emplace(key, Kept{mesh, made});
  return made;
}

}  // namespace detail

MeshCache::MeshCache() : shapes_(std::make_unique<detail::MeshShapes>()) {}
MeshCache::~MeshCache() = default;
std::size_t MeshCache::size() const { return shapes_->size(); }

}  // namespace simbatch::physics
