#pragma once
/// Conversion of our shapes to Bullet's. Internal to this room.

#include <BulletCollision/CollisionShapes/btTriangleIndexVertexArray.h>
#include <btBulletCollisionCommon.h>

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "lib/sim/physics/grid.hpp"
#include "lib/sim/physics/shapes.hpp"

namespace simbatch::physics::detail {

inline btVector3 bt(Vec3 v) { return {v.x, v.y, v.z}; }
inline Vec3 from_bt(const btVector3& v) { return {v.x(), v.y(), v.z()}; }
inline btQuaternion bt(Quat q) { return {q.x, q.y, q.z, q.w}; }
inline btTransform bt(const Pose& x) { return btTransform(bt(x.q), bt(x.p)); }
inline Pose from_bt(const btTransform& x) {
  const btQuaternion q = x.getRotation();
  return {from_bt(x.getOrigin()), {q.w(), q.x(), q.y(), q.z()}};
}

/// A Bullet shape and everything that it references.
struct OwnedShape {
  std::vector<std::shared_ptr<btCollisionShape>> shapes;  // children first; meshes may belong to other worlds, too
  btCollisionShape* root = nullptr;
};

/// A mesh with the tree over its triangles, which refers to the mesh's own points; constant once it is made.
struct BvhMesh {
  explicit BvhMesh(TriangleMesh made_of);
  BvhMesh(const BvhMesh&) = delete;
  BvhMesh& operator=(const BvhMesh&) = delete;
  TriangleMesh mesh;
  btTriangleIndexVertexArray triangles;         // of `mesh`
  std::optional<btBvhTriangleMeshShape> shape;  // of `triangles`; its user pointer is `mesh`
};
/// What a shape of a BvhMesh is made of.
inline const TriangleMesh& mesh_under(const btBvhTriangleMeshShape& shape) {
  return *static_cast<const TriangleMesh*>(shape.getUserPointer());
}

/// The contents of a MeshCache.
class MeshShapes {
 public:
  std::shared_ptr<BvhMesh> get(TriangleMesh mesh);
  std::size_t size() const { return kept_.size(); }

 private:
  std::multimap<std::uint64_t, std::shared_ptr<BvhMesh>> kept_;  // by hash
};

/// Combines the parts into one shape about the frame P; `x_pb` is the pose of the body frame in P. Takes the points and indices
/// of meshes, which the parts no longer have afterwards. @param meshes  nullptr: none are kept
OwnedShape make_shape(std::vector<Part>& parts, const Pose& x_pb, MeshShapes* meshes);

/// The convex shape, or the few children of a compound, currently tested against the grid. A triangle cannot touch if all of
/// them are above its plane by more than `margin`; with GJK this test took a third of the step time for cars on a slope.
struct GridProbe {
  struct Piece {
    const btConvexShape* shape = nullptr;
    btTransform pose;
  };
  Piece pieces[8];
  int count = 0;  // 0: unknown, every triangle may touch
  double margin = 0;
};

/// The triangles of a height grid or of an infinite plane, generated on demand.
class GridShape : public btConcaveShape {
 public:
  explicit GridShape(const Grid& grid);
  void processAllTriangles(btTriangleCallback* callback, const btVector3& low, const btVector3& high) const override;
  void getAabb(const btTransform& t, btVector3& low, btVector3& high) const override;
  void calculateLocalInertia(btScalar mass, btVector3& inertia) const override;
  void setLocalScaling(const btVector3& scaling) override;
  const btVector3& getLocalScaling() const override;
  const char* getName() const override { return "GridShape"; }

  /// Bullet's default near callback, with a probe if one body of the pair is a grid.
  static void near_callback(btBroadphasePair& pair, btCollisionDispatcher& dispatcher, const btDispatcherInfo& info);

 private:
  void plane_triangles(btTriangleCallback* callback, const btVector3& low, const btVector3& high) const;
  bool clear_of(const btVector3& corner, const btVector3& normal) const;

  const Grid& grid_;
  GridProbe probe_;
  btVector3 scaling_{1, 1, 1};
};

}  // namespace simbatch::physics::detail
