// Bodies that overlap before a run: each pair whose bounding boxes overlap in the broadphase is tested once by Bullet's narrow
// phase (contactPairTest). Its contacts are discarded, so that later steps are not affected.

#include <algorithm>

#include "lib/sim/physics/state.hpp"

namespace simbatch::physics {

using detail::Body;

namespace {

/// Collects all bodies whose bounding boxes overlap that of a body.
struct Neighbors final : btBroadphaseAabbCallback {
  std::vector<BodyId> found;
  bool process(const btBroadphaseProxy* proxy) override {
    found.push_back(detail::body_id(static_cast<const btCollisionObject*>(proxy->m_clientObject)));
    return true;
  }
};

/// Whether the solver would push the body out of what it overlaps.
bool gives_way(const Body& body) {
  if (body.settings.kind == BodyKind::articulated) return body.joint >= 0 || !body.multi->hasFixedBase();
  return body.settings.kind == BodyKind::dynamic;
}

struct Deepest final : btCollisionWorld::ContactResultCallback {
  double depth = 0;
  btScalar addSingleResult(btManifoldPoint& p, const btCollisionObjectWrapper*, int, int, const btCollisionObjectWrapper*, int,
                           int) override {
    depth = std::max(depth, -p.getDistance());
    return 0;
  }
};

}  // namespace

std::vector<Overlap> World::overlaps(double least_depth) {
  State& s = *state_;
  s.flush();
  std::vector<Overlap> all;
  for (const std::uint32_t i : s.movable) {
    Body& body = *s.bodies[i];
    if (!gives_way(body)) continue;
    Neighbors near;
    btVector3 low, high;
    body.object->getCollisionShape()->getAabb(body.object->getWorldTransform(), low, high);
    s.broadphase->aabbTest(low, high, near);
    std::sort(near.found.begin(), near.found.end());
    for (const BodyId id : near.found) {
      const auto other_index = static_cast<std::uint32_t>(id);
      Body& other = s.body(id);
      // A pair of movable bodies is visited twice. Links of the same tree may overlap.
      if (other_index == i || other.terrain || (gives_way(other) && other_index < i)) continue;
      if (body.multi != nullptr && body.multi == other.multi) continue;
      if (!body.object->checkCollideWith(other.object) || !other.object->checkCollideWith(body.object)) continue;
      Deepest deepest;
      s.world->contactPairTest(body.object, other.object, deepest);
      if (deepest.depth > least_depth)
        all.push_back({BodyId(std::min(i, other_index)), BodyId(std::max(i, other_index)), deepest.depth});
    }
  }
  std::sort(all.begin(), all.end(),
            [](const Overlap& x, const Overlap& y) { return std::pair(x.a, x.b) < std::pair(y.a, y.b); });
  return all;
}

}  // namespace simbatch::physics
