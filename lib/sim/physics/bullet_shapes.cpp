// Converts shapes to Bullet's. A height grid becomes a concave shape that generates the triangles of the cells under a body. A
// triangle whose plane separates it from the body (separating axis theorem, one axis; support functions of Gilbert, Johnson and
// Keerthi 1988) is skipped.

#include "lib/sim/physics/bullet_shapes.hpp"

#include <BulletCollision/CollisionShapes/btConvexHullShape.h>

#include <utility>

namespace simbatch::physics::detail {
namespace {

// In Bullet the margin of boxes and cylinders lies inside the shape, that of hulls and cones outside; so the latter get a
// negligible margin.
constexpr double kOuterMargin = 0.001;
constexpr double kPlaneCell = 64;  // m; contacts with much larger triangles lose precision
constexpr double kEndless = 1e15;  // m; beyond it two neighboring doubles are more than 0.1 m apart

struct Make {
  MeshShapes* kept;
  std::shared_ptr<btCollisionShape> operator()(const Box& s) const { return std::make_shared<btBoxShape>(bt(0.5 * s.size)); }
  std::shared_ptr<btCollisionShape> operator()(const Sphere& s) const { return std::make_shared<btSphereShape>(s.radius); }
  std::shared_ptr<btCollisionShape> operator()(const Capsule& s) const {
    return std::make_shared<btCapsuleShape>(s.radius, s.length);
  }
  std::shared_ptr<btCollisionShape> operator()(const Cylinder& s) const {
    return std::make_shared<btCylinderShape>(btVector3(s.radius, s.length / 2, s.radius));
  }
  std::shared_ptr<btCollisionShape> operator()(const Cone& s) const {
    auto shape = std::make_shared<btConeShape>(s.radius, s.length);
    shape->setMargin(kOuterMargin);
    return shape;
  }
  std::shared_ptr<btCollisionShape> operator()(const ConvexHull& s) const {
    auto shape = std::make_shared<btConvexHullShape>();
    for (const Vec3& p : s.points) shape->addPoint(bt(p), false);
    shape->recalcLocalAabb();
    shape->optimizeConvexHull();
    shape->setMargin(kOuterMargin);
    return shape;
  }
  std::shared_ptr<btCollisionShape> operator()(TriangleMesh& s) const {
    const std::shared_ptr<BvhMesh> mesh = kept != nullptr ? kept->get(std::move(s)) : std::make_shared<BvhMesh>(std::move(s));
    return {mesh, &*mesh->shape};
  }
};

}  // namespace

OwnedShape make_shape(std::vector<Part>& parts, const Pose& x_pb, MeshShapes* meshes) {
  OwnedShape owned;
  for (Part& part : parts) owned.shapes.push_back(std::visit(Make{meshes}, part.shape));
  owned.root = owned.shapes.front().get();
  if (parts.size() == 1 && x_pb * parts[0].pose == Pose{}) return owned;
  // A tree over the children is worth it only for more than a handful.
  auto compound = std::make_shared<btCompoundShape>(parts.size() > 4, static_cast<int>(parts.size()));
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const Pose x = x_pb * parts[i].pose;
    compound->addChildShape(bt(Pose{x.p, geo::normalized(x.q)}), owned.shapes[i].get());
  }
  owned.root = compound.get();
  owned.shapes.push_back(std::move(compound));
  return owned;
}

// Not CUSTOM_CONCAVE_SHAPE_TYPE: since 2.88 that value denotes signed distance fields, and nothing would be hit.
GridShape::GridShape(const Grid& grid) : grid_(grid) { m_shapeType = FAST_CONCAVE_MESH_PROXYTYPE; }

void GridShape::processAllTriangles(btTriangleCallback* callback, const btVector3& low, const btVector3& high) const {
  if (low.y() > grid_.highest() || high.y() < grid_.lowest()) return;
  if (grid_.is_plane()) {
    plane_triangles(callback, low, high);
    return;
  }
  const HeightGrid& g = grid_.heights();
  const auto cell = [&](double place, double origin, int n) {
    return static_cast<int>(std::clamp(std::floor((place - origin) / g.spacing), -1.0, static_cast<double>(n)));
  };
  const int x0 = std::max(cell(low.x(), g.x0, g.nx), 0), x1 = std::min(cell(high.x(), g.x0, g.nx), g.nx - 2);
  const int z0 = std::max(cell(low.z(), g.z0, g.nz), 0), z1 = std::min(cell(high.z(), g.z0, g.nz), g.nz - 2);
  for (int z = z0; z <= z1; ++z)
    for (int x = x0; x <= x1; ++x) {
      const auto [bottom, top] = grid_.cell_range(x, z);
      if (low.y() > top || high.y() < bottom) continue;
      const auto corner = [&](int i, int j) { return btVector3(g.x0 + i * g.spacing, grid_.at(i, j), g.z0 + j * g.spacing); };
      const btVector3 a = corner(x, z), b = corner(x, z + 1), c = corner(x + 1, z), d = corner(x + 1, z + 1);
      const int index = 2 * (z * g.nx + x);
      btVector3 first[3] = {a, b, c}, second[3] = {c, b, d};
      if (!clear_of(b, {a.y() - c.y(), g.spacing, a.y() - b.y()})) callback->processTriangle(first, 0, index);
      if (!clear_of(b, {b.y() - d.y(), g.spacing, c.y() - d.y()})) callback->processTriangle(second, 0, index + 1);
    }
}

// Two triangles that extend beyond the body. Their corners are at multiples of a cell size, so they stay the same while it
// moves within a cell.
void GridShape::plane_triangles(btTriangleCallback* callback, const btVector3& low, const btVector3& high) const {
  const auto cell = [](double place, double step) { return kPlaneCell * (std::floor(place / kPlaneCell) + step); };
  const double x0 = cell(low.x(), 0), x1 = cell(high.x(), 1), z0 = cell(low.z(), 0), z1 = cell(high.z(), 1), y = grid_.lowest();
  const btVector3 a(x0, y, z0), b(x0, y, z1), c(x1, y, z0), d(x1, y, z1);
  if (clear_of(b, {0, 1, 0})) return;
  btVector3 first[3] = {a, b, c}, second[3] = {c, b, d};
  callback->processTriangle(first, 0, 0);
  callback->processTriangle(second, 0, 1);
}

// True if the probe is entirely above the plane through `corner` with that normal (of any length, upward).
bool GridShape::clear_of(const btVector3& corner, const btVector3& normal) const {
  if (probe_.count == 0) return false;
  const double needed = probe_.margin * std::sqrt(normal.length2());
  for (int i = 0; i < probe_.count; ++i) {
    const GridProbe::Piece& piece = probe_.pieces[i];
    const btMatrix3x3& m = piece.pose.getBasis();
    const btVector3 n(m.tdotx(normal), m.tdoty(normal), m.tdotz(normal));  // in the piece's frame
    double depth = 0;                                                      // how far the piece extends down along the normal
    if (piece.shape->getShapeType() == BOX_SHAPE_PROXYTYPE) {
      const btVector3 half = static_cast<const btBoxShape*>(piece.shape)->getHalfExtentsWithMargin();
      depth = std::abs(n.x()) * half.x() + std::abs(n.y()) * half.y() + std::abs(n.z()) * half.z();
    } else {
      depth = -n.dot(piece.shape->localGetSupportingVertex(-n));
    }
    if (normal.dot(piece.pose.getOrigin() - corner) - depth <= needed) return false;
  }
  return true;
}

void GridShape::near_callback(btBroadphasePair& pair, btCollisionDispatcher& dispatcher, const btDispatcherInfo& info) {
  const auto* a = static_cast<const btCollisionObject*>(pair.m_pProxy0->m_clientObject);
  const auto* b = static_cast<const btCollisionObject*>(pair.m_pProxy1->m_clientObject);
  if (a->getCollisionShape()->getShapeType() != FAST_CONCAVE_MESH_PROXYTYPE) std::swap(a, b);
  if (a->getCollisionShape()->getShapeType() != FAST_CONCAVE_MESH_PROXYTYPE) {
    btCollisionDispatcher::defaultNearCallback(pair, dispatcher, info);
    return;
  }
  auto& grid = static_cast<GridShape&>(*const_cast<btCollisionShape*>(a->getCollisionShape()));
  GridProbe& probe = grid.probe_;
  const btCollisionShape* shape = b->getCollisionShape();
  if (shape->isConvex()) {
    probe.pieces[0] = {static_cast<const btConvexShape*>(shape), b->getWorldTransform()};
    probe.count = 1;
  } else if (shape->isCompound()) {
    const auto& compound = static_cast<const btCompoundShape&>(*shape);
    if (compound.getNumChildShapes() <= 8)
      for (int i = 0; i < compound.getNumChildShapes() && compound.getChildShape(i)->isConvex(); ++i, ++probe.count)
        probe.pieces[i] = {static_cast<const btConvexShape*>(compound.getChildShape(i)),
                           b->getWorldTransform() * compound.getChildTransform(i)};
    if (probe.count != compound.getNumChildShapes()) probe.count = 0;
  }
  // Contacts persist up to the breaking threshold (the margins are already included in the shapes' extents).
  probe.margin = gContactBreakingThreshold + 0.001;
  btCollisionDispatcher::defaultNearCallback(pair, dispatcher, info);
  probe.count = 0;
}

void GridShape::getAabb(const btTransform&, btVector3& low, btVector3& high) const {
  if (grid_.is_plane()) {
    low = {-kEndless, grid_.lowest(), -kEndless};
    high = {kEndless, grid_.highest(), kEndless};
    return;
  }
  const HeightGrid& g = grid_.heights();
  low = {g.x0, grid_.lowest(), g.z0};
  high = {g.x0 + g.spacing * (g.nx - 1), grid_.highest(), g.z0 + g.spacing * (g.nz - 1)};
}
void GridShape::calculateLocalInertia(btScalar, btVector3& inertia) const { inertia.setZero(); }
void GridShape::setLocalScaling(const btVector3& scaling) { scaling_ = scaling; }
const btVector3& GridShape::getLocalScaling() const { return scaling_; }

}  // namespace simbatch::physics::detail
