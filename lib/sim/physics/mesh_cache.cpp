#include "lib/sim/physics/mesh_cache.hpp"

#include <utility>

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

static_assert(sizeof(Vec3) == 3 * sizeof(btScalar), "Bullet reads points where they are");

/// Triangles that Bullet's compressed tree can number (btQuantizedBvh.h); beyond, it would read other memory. The tree that is
/// not compressed takes six times the memory.
constexpr std::size_t kCompressible = std::size_t{1} << (31 - MAX_NUM_PARTS_IN_BITS);

BvhMesh::BvhMesh(TriangleMesh made_of) : mesh(std::move(made_of)) {
  btIndexedMesh indexed;
  indexed.m_numTriangles = static_cast<int>(mesh.triangle_count());
  indexed.m_triangleIndexBase = reinterpret_cast<const unsigned char*>(mesh.indices.data());
  indexed.m_triangleIndexStride = 3 * sizeof(std::uint32_t);
  indexed.m_numVertices = static_cast<int>(mesh.points.size());
  indexed.m_vertexBase = reinterpret_cast<const unsigned char*>(mesh.points.data());
  indexed.m_vertexStride = sizeof(Vec3);
  triangles.addIndexedMesh(indexed);
  shape.emplace(&triangles, mesh.triangle_count() <= kCompressible);
  shape->setUserPointer(&mesh);
}

std::shared_ptr<BvhMesh> MeshShapes::get(TriangleMesh mesh) {
  const std::uint64_t key = hash64(bytes_of(mesh.indices), hash64(bytes_of(mesh.points)));
  const auto [first, last] = kept_.equal_range(key);
  for (auto at = first; at != last; ++at)
    if (is_same(at->second->mesh, mesh)) return at->second;
  auto made = std::make_shared<BvhMesh>(std::move(mesh));
  kept_.emplace(key, made);
  return made;
}

}  // namespace detail

MeshCache::MeshCache() : shapes_(std::make_unique<detail::MeshShapes>()) {}
MeshCache::~MeshCache() = default;
std::size_t MeshCache::size() const { return shapes_->size(); }

}  // namespace simbatch::physics
