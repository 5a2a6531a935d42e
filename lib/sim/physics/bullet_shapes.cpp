#include "lib/sim/physics/bullet_shapes.hpp"

#include <BulletCollision/CollisionShapes/btConvexHullShape.h>
#include <BulletCollision/CollisionShapes/btTriangleMesh.h>

namespace simbatch::physics::detail {
namespace {

// Bullet puts the margin of boxes and cylinders inside the shape, but that of hulls and cones around it; so these two get a
// margin that nobody sees.
constexpr double kOuterMargin = 0.001;

struct Make {
  OwnedShape& owner;
  std::unique_ptr<btCollisionShape> operator()(const Box& s) const {
    return std::make_unique<btBoxShape>(bt(0.5 * s.size));
  }
  std::unique_ptr<btCollisionShape> operator()(const Sphere& s) const {
    return std::make_unique<btSphereShape>(s.radius);
  }
  std::unique_ptr<btCollisionShape> operator()(const Capsule& s) const {
    return std::make_unique<btCapsuleShape>(s.radius, s.length);
  }
  std::unique_ptr<btCollisionShape> operator()(const Cylinder& s) const {
    return std::make_unique<btCylinderShape>(btVector3(s.radius, s.length / 2, s.radius));
  }
  std::unique_ptr<btCollisionShape> operator()(const Cone& s) const {
    auto shape = std::make_unique<btConeShape>(s.radius, s.length);
    shape->setMargin(kOuterMargin);
    return shape;
  }
  std::unique_ptr<btCollisionShape> operator()(const ConvexHull& s) const {
    auto shape = std::make_unique<btConvexHullShape>();
    for (const Vec3& p : s.points) shape->addPoint(bt(p), false);
    shape->recalcLocalAabb();
    shape->optimizeConvexHull();
    shape->setMargin(kOuterMargin);
    return shape;
  }
  std::unique_ptr<btCollisionShape> operator()(const TriangleMesh& s) const {
    auto mesh = std::make_unique<btTriangleMesh>(true, false);
    for (std::size_t i = 0; i + 2 < s.indices.size(); i += 3)
      mesh->addTriangle(bt(s.points[s.indices[i]]), bt(s.points[s.indices[i + 1]]), bt(s.points[s.indices[i + 2]]));
    auto shape = std::make_unique<btBvhTriangleMeshShape>(mesh.get(), true);
    owner.meshes.push_back(std::move(mesh));
    return shape;
  }
};

}  // namespace

OwnedShape make_shape(const std::vector<Part>& parts, const Pose& x_pb) {
  OwnedShape owned;
  for (const Part& part : parts) owned.shapes.push_back(std::visit(Make{owned}, part.shape));
  owned.root = owned.shapes.front().get();
  if (parts.size() == 1 && x_pb * parts[0].pose == Pose{}) return owned;
  // A tree over the children pays from a handful of them on.
  auto compound = std::make_unique<btCompoundShape>(parts.size() > 4, static_cast<int>(parts.size()));
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const Pose x = x_pb * parts[i].pose;
    compound->addChildShape(bt(Pose{x.p, geo::normalized(x.q)}), owned.shapes[i].get());
  }
  owned.root = compound.get();
  owned.shapes.push_back(std::move(compound));
  return owned;
}

// Not CUSTOM_CONCAVE_SHAPE_TYPE: since 2.88 that number is the signed distance field's, and nothing would be hit.
GridShape::GridShape(const Grid& grid) : grid_(grid) { m_shapeType = FAST_CONCAVE_MESH_PROXYTYPE; }

void GridShape::processAllTriangles(btTriangleCallback* callback, const btVector3& low, const btVector3& high) const {
  const HeightGrid& g = grid_.heights();
  if (low.y() > grid_.highest() || high.y() < grid_.lowest()) return;
  const auto cell = [&](double place, double origin, int n) {
    return static_cast<int>(std::clamp(std::floor((place - origin) / g.spacing), -1.0, static_cast<double>(n)));
  };
  const int x0 = std::max(cell(low.x(), g.x0, g.nx), 0), x1 = std::min(cell(high.x(), g.x0, g.nx), g.nx - 2);
  const int z0 = std::max(cell(low.z(), g.z0, g.nz), 0), z1 = std::min(cell(high.z(), g.z0, g.nz), g.nz - 2);
  for (int z = z0; z <= z1; ++z)
    for (int x = x0; x <= x1; ++x) {
      const auto [bottom, top] = grid_.cell_range(x, z);
      if (low.y() > top || high.y() < bottom) continue;
      const auto corner = [&](int i, int j) {
        return btVector3(g.x0 + i * g.spacing, grid_.at(i, j), g.z0 + j * g.spacing);
      };
      const btVector3 a = corner(x, z), b = corner(x, z + 1), c = corner(x + 1, z), d = corner(x + 1, z + 1);
      const int index = 2 * (z * g.nx + x);
      btVector3 first[3] = {a, b, c}, second[3] = {c, b, d};
      callback->processTriangle(first, 0, index);
      callback->processTriangle(second, 0, index + 1);
    }
}

void GridShape::getAabb(const btTransform&, btVector3& low, btVector3& high) const {
  const HeightGrid& g = grid_.heights();
  low = {g.x0, grid_.lowest(), g.z0};
  high = {g.x0 + g.spacing * (g.nx - 1), grid_.highest(), g.z0 + g.spacing * (g.nz - 1)};
}
void GridShape::calculateLocalInertia(btScalar, btVector3& inertia) const { inertia.setZero(); }
void GridShape::setLocalScaling(const btVector3& scaling) { scaling_ = scaling; }
const btVector3& GridShape::getLocalScaling() const { return scaling_; }

}  // namespace simbatch::physics::detail
