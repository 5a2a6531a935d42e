#pragma once
/// Our shapes as Bullet's. Internal to this room.

#include <btBulletCollisionCommon.h>

#include <memory>
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

/// A Bullet shape and everything it refers to.
struct OwnedShape {
  std::vector<std::unique_ptr<btCollisionShape>> shapes;  // children first
  std::vector<std::unique_ptr<btTriangleMesh>> meshes;
  btCollisionShape* root = nullptr;
};

/// The parts as one shape about the frame P; `x_pb` is the pose of the body's frame in it.
OwnedShape make_shape(const std::vector<Part>& parts, const Pose& x_pb);

/// The convex shape, or the few of a compound, that the grid is being collided with. A triangle whose plane has all of them
/// above it, further than `margin`, cannot touch; finding that by GJK took a third of a step of cars on a slope.
struct GridProbe {
  struct Piece {
    const btConvexShape* shape = nullptr;
    btTransform pose;
  };
  Piece pieces[8];
  int count = 0;  // 0: unknown, every triangle may touch
  double margin = 0;
};

/// The triangles of a height grid or of a plane without end, made on demand.
class GridShape : public btConcaveShape {
 public:
  explicit GridShape(const Grid& grid);
  void processAllTriangles(btTriangleCallback* callback, const btVector3& low, const btVector3& high) const override;
  void getAabb(const btTransform& t, btVector3& low, btVector3& high) const override;
  void calculateLocalInertia(btScalar mass, btVector3& inertia) const override;
  void setLocalScaling(const btVector3& scaling) override;
  const btVector3& getLocalScaling() const override;
  const char* getName() const override { return "GridShape"; }

  /// Collides a pair as Bullet does, with a probe where one end is a grid.
  static void near_callback(btBroadphasePair& pair, btCollisionDispatcher& dispatcher, const btDispatcherInfo& info);

 private:
  void plane_triangles(btTriangleCallback* callback, const btVector3& low, const btVector3& high) const;
  bool clear_of(const btVector3& corner, const btVector3& normal) const;

  const Grid& grid_;
  GridProbe probe_;
  btVector3 scaling_{1, 1, 1};
};

}  // namespace simbatch::physics::detail
