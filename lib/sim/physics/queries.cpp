// Rays, contacts and heights. Short rays look up the bodies near them, long ones walk Bullet's broadphase, a dynamic bounding
// volume tree (btDbvt); bodies are tested exactly by rays.cpp, meshes by Bullet's triangle tree.

#include <algorithm>
#include <cmath>

#include <BulletCollision/NarrowPhaseCollision/btRaycastCallback.h>

#include "lib/sim/physics/state.hpp"

namespace simbatch::physics {

using detail::Body;
using detail::bt;
using detail::from_bt;

namespace {

/// Nearest triangle of a mesh, both sides.
struct MeshNearest final : btTriangleRaycastCallback {
  btVector3 normal{0, 0, 0};
  bool hit = false;
  MeshNearest(const btVector3& from, const btVector3& to, double limit) : btTriangleRaycastCallback(from, to) {
    m_hitFraction = limit;
  }
  btScalar reportHit(const btVector3& n, btScalar fraction, int, int) override {
    normal = n;
    hit = true;
    return fraction;
  }
};

bool enter_mesh(const btBvhTriangleMeshShape& mesh, Vec3 from, Vec3 d, double& t_hit, Vec3& normal) {
  const btVector3 a = bt(from), b = bt(from + d);
  MeshNearest nearest(a, b, t_hit);
  const_cast<btBvhTriangleMeshShape&>(mesh).performRaycast(&nearest, a, b);
  if (!nearest.hit || nearest.m_hitFraction >= t_hit) return false;
  t_hit = nearest.m_hitFraction;
  normal = geo::normalized(from_bt(nearest.normal));
  return true;
}

/// Rays with less horizontal extent than this (m) test all bodies in their bounding box, which is faster than traversing
/// the tree.
constexpr double kShortRay = 16;

/// A ray and the nearest that it has met.
struct Ray {
  Vec3 from, d;
  RayFilter filter;
  double nearest = 1;
  Vec3 normal;
  const Body* body = nullptr;
  int part = -1;

  void meet(const Body& b) {
    if (b.grid || detail::body_id(b.object) == filter.ignore_body ||
        (b.settings.group != kNoGroup && b.settings.group == filter.ignore_group))
      return;
    double t = nearest;
    Vec3 n;
    int p = -1;
    if (!detail::ray_enter_body(b, from, d, t, n, p)) return;
    nearest = t;
    normal = n;
    body = &b;
    part = p;
  }
};

/// All bodies whose boxes a ray meets in the broadphase.
struct RayWalk final : btBroadphaseRayCallback {
  World::State& state;
  Ray& ray;

  RayWalk(World::State& s, Ray& r, double length) : state(s), ray(r) {
    const Vec3 u = geo::normalized(r.d);
    const double c[3] = {u.x, u.y, u.z};
    for (int k = 0; k < 3; ++k) {
      m_rayDirectionInverse[k] = c[k] == 0 ? BT_LARGE_FLOAT : 1 / c[k];
      m_signs[k] = m_rayDirectionInverse[k] < 0 ? 1 : 0;
    }
    m_lambda_max = length;
  }
  bool process(const btBroadphaseProxy* proxy) override {
    ray.meet(state.body(detail::body_id(static_cast<const btCollisionObject*>(proxy->m_clientObject))));
    return true;
  }
};

}  // namespace

bool detail::ray_enter_body(const Body& body, Vec3 from, Vec3 d, double& t_hit, Vec3& normal, int& part) {
  const Pose x_pw = inverse(detail::pose_of(body));
  const Vec3 from_p = x_pw * from, d_p = x_pw.q * d;
  bool hit = false;
  for (std::size_t i = 0; i < body.parts.size(); ++i) {
    const RayPart& p = body.parts[i];
    const Quat back = inverse(p.x_pp.q);
    const Vec3 f = back * (from_p - p.x_pp.p), v = back * d_p;
    Vec3 n;
    if (!(p.mesh ? enter_mesh(*p.mesh, f, v, t_hit, n) : enter(p.shape, f, v, t_hit, n))) continue;
    normal = inverse(x_pw.q) * (p.x_pp.q * n);
    part = body.parts.size() > 1 ? static_cast<int>(i) : p.mesh ? -1 : 0;
    hit = true;
  }
  return hit;
}

std::optional<RayHit> World::ray_cast(Vec3 from, Vec3 to, const RayFilter& filter) {
  State& s = *state_;
  s.flush();
  if (!geo::is_finite(from) || !geo::is_finite(to) || from == to) return std::nullopt;
  Ray ray{from, to - from, filter, 1, {}, nullptr, -1};
  // Terrain from its grid first: it shortens the ray for everything else.
  for (const std::uint32_t i : s.grids) {
    detail::GridHit hit;
    if (BodyId(i) == filter.ignore_body || !s.bodies[i]->grid->ray(from, to, ray.nearest, hit)) continue;
    if (hit.fraction >= ray.nearest) continue;
    ray.nearest = hit.fraction;
    ray.normal = hit.normal;
    ray.body = s.bodies[i].get();
  }
  const Vec3 end = from + ray.nearest * ray.d;
  const double dx = end.x - from.x, dz = end.z - from.z;
  if (dx * dx + dz * dz < kShortRay * kShortRay) {
    s.near_bodies.visit({{std::min(from.x, end.x), std::min(from.y, end.y), std::min(from.z, end.z)},
                         {std::max(from.x, end.x), std::max(from.y, end.y), std::max(from.z, end.z)}},
                        [&](const Body& b) { ray.meet(b); });
  } else {
    RayWalk walk(s, ray, ray.nearest * geo::length(ray.d));
    s.broadphase->rayTest(bt(from), bt(end), walk);
  }
  if (!ray.body) return std::nullopt;
  return RayHit{ray.nearest, from + ray.nearest * ray.d, ray.normal, detail::body_id(ray.body->object), ray.part};
}

void World::contacts(std::vector<Contact>& out) { contacts(nullptr, out); }

void World::contacts(const std::function<bool(BodyId a, BodyId b)>& wanted, std::vector<Contact>& out) {
  out.clear();
  State& s = *state_;
  for (int i = 0; i < s.dispatcher->getNumManifolds(); ++i) {
    const btPersistentManifold* manifold = s.dispatcher->getManifoldByIndexInternal(i);
    if (manifold->getNumContacts() == 0) continue;
    const BodyId first = detail::body_id(manifold->getBody0()), second = detail::body_id(manifold->getBody1());
    const bool swap = second < first;
    if (wanted && !(swap ? wanted(second, first) : wanted(first, second))) continue;
    const auto part = [&](BodyId id, int index) { return s.body(id).parts.size() > 1 ? index : -1; };
    for (int k = 0; k < manifold->getNumContacts(); ++k) {
      const btManifoldPoint& p = manifold->getContactPoint(k);
      Contact c;
      c.a = swap ? second : first;
      c.b = swap ? first : second;
      c.part_a = swap ? part(second, p.m_index1) : part(first, p.m_index0);
      c.part_b = swap ? part(first, p.m_index0) : part(second, p.m_index1);
      const Vec3 n = from_bt(p.m_normalWorldOnB);
      c.point = from_bt(swap ? p.getPositionWorldOnA() : p.getPositionWorldOnB());
      c.normal = swap ? -n : n;
      c.distance = p.getDistance();
      c.impulse = p.getAppliedImpulse();
      const Vec3 f = p.m_appliedImpulseLateral1 * from_bt(p.m_lateralFrictionDir1) +
                     p.m_appliedImpulseLateral2 * from_bt(p.m_lateralFrictionDir2);
      c.friction_impulse = swap ? -f : f;
      out.push_back(c);
    }
  }
  std::stable_sort(out.begin(), out.end(),
                   [](const Contact& x, const Contact& y) { return std::pair(x.a, x.b) < std::pair(y.a, y.b); });
}

std::optional<double> World::terrain_height(double x, double z) {
  State& s = *state_;
  std::optional<double> best;
  for (const std::uint32_t i : s.terrains) {
    const Body* b = s.bodies[i].get();
    std::optional<double> y;
    if (b->grid) {
      y = b->grid->height(x, z);
    } else {
      double t = 1;
      Vec3 n;
      int part = -1;
      const double top = 1e5, bottom = -1e5;
      if (detail::ray_enter_body(*b, {x, top, z}, {0, bottom - top, 0}, t, n, part)) y = top + t * (bottom - top);
    }
    if (y && (!best || *y > *best)) best = y;
  }
  return best;
}

}  // namespace simbatch::physics
