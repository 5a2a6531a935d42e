// Speculative contacts (E. Catto, Continuous Collision, GDC 2013) from linear casts of inscribed spheres (as Jolt Physics'
// linear cast motion does).

#include "lib/sim/physics/fast_bodies.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include <BulletCollision/NarrowPhaseCollision/btPersistentManifold.h>

#include "lib/sim/physics/state.hpp"

namespace simbatch::physics::detail {
namespace {

constexpr std::size_t kMaxSpheres = 8;
constexpr int kHolds = 4;  // a body slides along up to three surfaces in a step, then it stops where it touches the next one
// of swept spheres, so that rolling and sliding bodies do not hit the surface they move along
constexpr double kShrink = 0.999;
constexpr double kSameWay = 0.9;  // minimum cosine of the angle between normals of the same obstacle

// The first obstacle on the path of a body's sphere.
struct Sweep final : btCollisionWorld::ClosestConvexResultCallback {
  const World::State& state;
  const btRigidBody& own;
  btVector3 center, way;
  double radius, least_depth;
  btVector3 normal{0, 0, 0};  // unit, toward the sphere; on terrain, that of the triangle
  double depth = 0;           // m, penetration of the obstacle at the end of the path
  int triangle = -1;          // or a compound's part

  /// @param least  m; ignores obstacles that the sphere would penetrate by less than this
  Sweep(World::State& s, const btRigidBody& body, const btVector3& from, const btVector3& along, double r, double least)
      : ClosestConvexResultCallback(from, from + along),
        state(s),
        own(body),
        center(from),
        way(along),
        radius(r),
        least_depth(least) {
    const btBroadphaseProxy* proxy = body.getBroadphaseHandle();
    m_collisionFilterGroup = proxy->m_collisionFilterGroup;
    m_collisionFilterMask = proxy->m_collisionFilterMask;
    const btTransform start(btQuaternion::getIdentity(), from), end(btQuaternion::getIdentity(), from + along);
    const btSphereShape sphere(r);
    s.world->convexSweepTest(&sphere, start, end, *this, s.world->getDispatchInfo().m_allowedCcdPenetration);
  }
  bool needsCollision(btBroadphaseProxy* proxy) const override {
    const auto* other = static_cast<btCollisionObject*>(proxy->m_clientObject);
    return other != &own && ClosestConvexResultCallback::needsCollision(proxy) && own.checkCollideWith(other) &&
           other->checkCollideWith(&own);
  }
  btScalar addSingleResult(btCollisionWorld::LocalConvexResult& result, bool in_world) override {
    const btCollisionObject* other = result.m_hitCollisionObject;
    if (!other->hasContactResponse()) return m_closestHitFraction;
    btVector3 n = in_world ? result.m_hitNormalLocal : other->getWorldTransform().getBasis() * result.m_hitNormalLocal;
    const int index = result.m_localShapeInfo ? result.m_localShapeInfo->m_triangleIndex : -1;
    const std::optional<Vec3> up = facet_normal(state.body(body_id(other)), index);
    double height = 0;  // of the center over the triangle's plane
    if (up) {
      height = (center - result.m_hitPointLocal).dot(bt(*up));
      n = bt(*up);
      if (height < 0 && !state.body(body_id(other)).grid) {  // a mesh has two sides
        n = -n;
        height = -height;
      }
    }
    const double approach = -way.dot(n), height_after = height - approach;
    if (approach <= 0) return m_closestHitFraction;
    // Obstacles that overlap at the start have a contact already and must not hide those further along the path. For ground
    // this includes all triangles in the same plane, or each edge between two triangles would stop a sliding body (and a cast
    // hits anything that it passes within 1 mm).
    if (up ? height_after > radius || (height < radius && height_after > radius / 4) : result.m_hitFraction <= 0)
      return m_closestHitFraction;
    const double into = up ? radius - height_after : (1 - result.m_hitFraction) * approach;
    if (into < least_depth) return m_closestHitFraction;
    depth = into;
    normal = n;
    triangle = index;
    return ClosestConvexResultCallback::addSingleResult(result, in_world);
  }
};

// The largest sphere inside a part, in the part's frame.
struct Inside {
  InnerSphere operator()(const Box& s) const { return {{0, 0, 0}, std::min({s.size.x, s.size.y, s.size.z}) / 2}; }
  InnerSphere operator()(const Sphere& s) const { return {{0, 0, 0}, s.radius}; }
  InnerSphere operator()(const Capsule& s) const { return {{0, 0, 0}, s.radius}; }
  InnerSphere operator()(const Cylinder& s) const { return {{0, 0, 0}, std::min(s.radius, s.length / 2)}; }
  InnerSphere operator()(const Cone& s) const {
    const double r = s.radius * s.length / (s.radius + std::hypot(s.radius, s.length));
    return {{0, r - s.length / 2, 0}, r};
  }
  InnerSphere operator()(const HullPlanes& s) const {
    const Vec3 center = mass_properties({{s.surface, {}}}, 1).center;
    double least = std::numeric_limits<double>::infinity();
    for (const HullPlanes::Plane& plane : s.planes) least = std::min(least, plane.d - geo::dot(plane.n, center));
    return {bt(center), std::isfinite(least) ? std::max(0.0, least) : 0};
  }
  InnerSphere operator()(const MeshRay&) const { return {}; }
};

// True if the two already have a contact that points along n, from `other` toward `body`.
bool has_contact(btDispatcher& dispatcher, const btCollisionObject* body, const btCollisionObject* other, const btVector3& n) {
  for (int m = 0; m < dispatcher.getNumManifolds(); ++m) {
    const btPersistentManifold* manifold = dispatcher.getManifoldByIndexInternal(m);
    const bool first = manifold->getBody0() == body && manifold->getBody1() == other;
    if (!first && !(manifold->getBody1() == body && manifold->getBody0() == other)) continue;
    for (int k = 0; k < manifold->getNumContacts(); ++k)
      if (manifold->getContactPoint(k).m_normalWorldOnB.dot(n) * (first ? 1 : -1) > kSameWay) return true;
  }
  return false;
}

btManifoldPoint contact_point(const btRigidBody& body, const Sweep& hit, double radius) {
  const btVector3 there = hit.center + hit.m_closestHitFraction * hit.way;
  // The contact of a sphere is at its future position. For other shapes only the center is known to reach it, so there is no
  // friction.
  const bool round = body.getCollisionShape()->getShapeType() == SPHERE_SHAPE_PROXYTYPE;
  const btVector3 to_edge = round ? -radius * hit.normal : btVector3(0, 0, 0);
  const btVector3 on_body = hit.center + to_edge, on_other = there + to_edge;
  btManifoldPoint contact(body.getWorldTransform().inverse() * on_body,
                          hit.m_hitCollisionObject->getWorldTransform().inverse() * on_other, hit.normal,
                          -hit.m_closestHitFraction * hit.way.dot(hit.normal) - (1 - kShrink) * radius);
  contact.m_positionWorldOnA = on_body;
  contact.m_positionWorldOnB = on_other;
  contact.m_combinedFriction = round ? body.getFriction() * hit.m_hitCollisionObject->getFriction() : 0;
  contact.m_index0 = -1;
  contact.m_index1 = hit.triangle;
  return contact;
}

}  // namespace

std::vector<InnerSphere> inner_spheres(const std::vector<RayPart>& parts) {
  std::vector<InnerSphere> all;
  for (const RayPart& part : parts) {
    InnerSphere s = std::visit(Inside{}, part.shape);
    s.center = bt(part.x_pp * from_bt(s.center));
    if (s.radius > 0) all.push_back(s);
  }
  std::stable_sort(all.begin(), all.end(), [](const InnerSphere& a, const InnerSphere& b) { return a.radius > b.radius; });
  std::size_t n = 0;
  while (n < std::min(all.size(), kMaxSpheres) && all[n].radius >= all[0].radius / 2) ++n;
  all.resize(n);
  return all;
}

void FastBodies::look_ahead(World::State& state, const Body& fast, btManifoldArray& added) {
  btRigidBody& body = *fast.bt;
  const double dt = state.settings.dt;
  const btVector3 velocity = body.getLinearVelocity() + dt * body.getInvMass() * body.getTotalForce();
  const btTransform& pose = body.getWorldTransform();
  for (const InnerSphere& s : fast.spheres) {
    const btVector3 arm = pose.getBasis() * s.center;
    const btVector3 way = dt * (velocity + body.getAngularVelocity().cross(arm));
    if (way.length2() < 0.25 * s.radius * s.radius) continue;
    const btVector3 center = pose.getOrigin() + arm;
    fast_.push_back({&body, s, center});
    const Sweep hit(state, body, center, way, kShrink * s.radius, 0);
    if (!hit.hasHit() || has_contact(*state.dispatcher, &body, hit.m_hitCollisionObject, hit.normal)) continue;
    btPersistentManifold* manifold = state.dispatcher->getNewManifold(&body, hit.m_hitCollisionObject);
    manifold->addManifoldPoint(contact_point(body, hit, s.radius), true);
    added.push_back(manifold);
  }
}

void FastBodies::hold_back(World::State& state) {
  for (const Fast& f : fast_) {
    btTransform pose = f.body->getWorldTransform();
    const btVector3 at_first = pose.getOrigin();
    for (int k = 0; k < kHolds; ++k) {
      const btVector3 way = pose * f.sphere.center - f.center;
      if (way.length2() < 0.25 * f.sphere.radius * f.sphere.radius) break;
      const Sweep hit(state, *f.body, f.center, way, kShrink * f.sphere.radius, f.sphere.radius / 2);
      if (!hit.hasHit()) break;
      const bool last = k + 1 == kHolds;
      pose.setOrigin(pose.getOrigin() + (last ? -(1 - hit.m_closestHitFraction) * way : hit.depth * hit.normal));
    }
    if (pose.getOrigin() == at_first) continue;
    f.body->setWorldTransform(pose);
    f.body->setInterpolationWorldTransform(pose);
  }
  fast_.clear();
}

}  // namespace simbatch::physics::detail
