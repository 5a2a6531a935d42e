// Complete contact manifolds of flat faces on terrain and on the sides of immovable boxes. Bullet finds one contact
// per triangle and step (GJK) and collects the other corners of a face over several steps, during which a body that landed flat
// has already tipped. Here every corner near the ground is added to the manifold at once; btPersistentManifold keeps the four
// that span the largest area. Between two boxes it finds only corners that overlap, and forgets those that have slid by 2 cm: a
// crate sliding over a floor rocked from corner to corner.
// Our own method: of box, cylinder and hull the corners near the ground; of a hull's, the four whose quadrilateral (half the
// cross product of its diagonals) is largest.

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <BulletCollision/CollisionShapes/btConvexHullShape.h>
#include <BulletCollision/NarrowPhaseCollision/btRaycastCallback.h>

#include "lib/sim/physics/added_contact.hpp"
#include "lib/sim/physics/state.hpp"

namespace simbatch::physics {

using detail::Body;
using detail::bt;
using detail::facet_normal;

namespace {

constexpr int kMaxCorners = 8;
constexpr double kHigher = 1e-3;  // m: a point this much farther from the ground than a corner is a different point
constexpr double kUpright = detail::kLevel;

// The child shape that a manifold's points belong to, and its pose.
const btCollisionShape* child_of(const btCollisionObject& object, int index, btTransform& pose) {
  const btCollisionShape* shape = object.getCollisionShape();
  pose = object.getWorldTransform();
  if (!shape->isCompound()) return shape;
  const auto& compound = static_cast<const btCompoundShape&>(*shape);
  if (index < 0 || index >= compound.getNumChildShapes()) return nullptr;
  pose = pose * compound.getChildTransform(index);
  return compound.getChildShape(index);
}

// Of corners in the order of their directions, keeps the four that span the largest area, as many as a manifold has.
int span_most(btVector3* corners, int n, const btVector3& up) {
  if (n <= 4) return n;
  double most = -1;
  std::array<btVector3, 4> kept;
  for (int a = 0; a < n; ++a)
    for (int b = a + 1; b < n; ++b)
      for (int c = b + 1; c < n; ++c)
        for (int d = c + 1; d < n; ++d) {
          const double area = std::abs((corners[c] - corners[a]).cross(corners[d] - corners[b]).dot(up));
          if (area <= most) continue;
          most = area;
          kept = {corners[a], corners[b], corners[c], corners[d]};
        }
  std::copy(kept.begin(), kept.end(), corners);
  return 4;
}

// Of the corners of a hull that are near the lowest one, those that are furthest out in eight directions.
int corners_of_hull(const btConvexHullShape& hull, const btTransform& pose, const btVector3& up, btVector3* corners) {
  const btVector3 down = -(up * pose.getBasis());
  btVector3 right, ahead;
  btPlaneSpace1(down, right, ahead);
  constexpr double kHalf = 0.7071067811865476;
  const btVector3 outward[kMaxCorners] = {right,  kHalf * (right + ahead),  ahead,  kHalf * (ahead - right),
                                          -right, -kHalf * (right + ahead), -ahead, kHalf * (right - ahead)};
  double lowest = -std::numeric_limits<double>::infinity();
  for (int i = 0; i < hull.getNumPoints(); ++i) lowest = std::max(lowest, hull.getScaledPoint(i).dot(down));
  std::array<int, kMaxCorners> best{};
  std::array<double, kMaxCorners> furthest{};
  best.fill(-1);
  for (int i = 0; i < hull.getNumPoints(); ++i) {
    const btVector3 point = hull.getScaledPoint(i);
    if (point.dot(down) < lowest - gContactBreakingThreshold) continue;
    for (std::size_t k = 0; k < best.size(); ++k) {
      const double out = point.dot(outward[k]);
      if (best[k] >= 0 && out <= furthest[k]) continue;
      best[k] = i;
      furthest[k] = out;
    }
  }
  int n = 0;
  for (auto one = best.begin(); one != best.end(); ++one)
    if (std::find(best.begin(), one, *one) == one)
      corners[n++] = pose * hull.getScaledPoint(*one) - hull.getMarginNonVirtual() * up;
  return span_most(corners, n, up);
}

// World positions of the corners of a box, or of four points on the rim of each end of a cylinder: the lowest, and every
// quarter turn from it. Of a hull, see above.
int corners_of(const btCollisionShape& shape, const btTransform& pose, const btVector3& up, btVector3* corners) {
  if (shape.getShapeType() == BOX_SHAPE_PROXYTYPE) {
    const btVector3 h = static_cast<const btBoxShape&>(shape).getHalfExtentsWithMargin();
    for (int i = 0; i < 8; ++i)
      corners[i] = pose * btVector3(i & 1 ? h.x() : -h.x(), i & 2 ? h.y() : -h.y(), i & 4 ? h.z() : -h.z());
    return 8;
  }
  if (shape.getShapeType() == CYLINDER_SHAPE_PROXYTYPE) {
    const btVector3 h = static_cast<const btCylinderShape&>(shape).getHalfExtentsWithMargin();
    const btVector3 down = -(up * pose.getBasis());
    const double length = std::hypot(down.x(), down.z());
    const btVector3 low = length > 1e-6 ? btVector3(down.x() / length, 0, down.z() / length) : btVector3(1, 0, 0);
    const btVector3 beside(-low.z(), 0, low.x());
    int n = 0;
    for (const double end : {-h.y(), h.y()})
      for (const btVector3& d : {low, -low, beside, -beside}) corners[n++] = pose * (h.x() * d + btVector3(0, end, 0));
    return n;
  }
  if (shape.getShapeType() == CONVEX_HULL_SHAPE_PROXYTYPE)
    return corners_of_hull(static_cast<const btConvexHullShape&>(shape), pose, up, corners);
  return 0;
}

struct NearestTriangle final : btTriangleRaycastCallback {
  int triangle = -1;
  using btTriangleRaycastCallback::btTriangleRaycastCallback;
  btScalar reportHit(const btVector3&, btScalar fraction, int, int index) override {
    triangle = index;
    return fraction;
  }
};

// The point of a box's side nearest to a corner; false if the corner is beside the side, or if none is turned upward.
bool side_at(const btBoxShape& box, const btTransform& pose, const btVector3& corner, const btVector3& up, btVector3& place,
             btVector3& normal) {
  const btVector3 half = box.getHalfExtentsWithMargin(), lean = up * pose.getBasis();
  const int axis = lean.absolute().maxAxis();
  btVector3 at = pose.inverse() * corner;
  for (int i = 0; i < 3; ++i)
    if (i != axis && std::abs(at[i]) > half[i]) return false;
  const double sign = lean[axis] < 0 ? -1 : 1;
  at[axis] = sign * half[axis];
  place = pose * at;
  normal = sign * pose.getBasis().getColumn(axis);
  return true;
}

// The point of the ground nearest to a corner; false if there is none within range.
bool ground_at(const Body& ground, int part, const btVector3& corner, const btVector3& up, btVector3& place, btVector3& normal,
               int& triangle) {
  if (ground.grid) {
    const auto y = ground.grid->height(corner.x(), corner.z());
    if (!y) return false;
    triangle = ground.grid->triangle_at(corner.x(), corner.z());
    normal = bt(ground.grid->facet(triangle));
    place = corner - (corner.y() - *y) * normal.y() * normal;
    return true;
  }
  if (!ground.terrain) {
    btTransform at;
    const btCollisionShape* shape = child_of(*ground.object, part, at);
    triangle = part;
    return shape != nullptr && shape->getShapeType() == BOX_SHAPE_PROXYTYPE &&
           side_at(static_cast<const btBoxShape&>(*shape), at, corner, up, place, normal);
  }
  if (ground.parts.size() != 1 || !ground.parts[0].mesh) return false;
  const btTransform pose = ground.object->getWorldTransform() * bt(ground.parts[0].x_pp), back = pose.inverse();
  const double reach = 4 * gContactBreakingThreshold;
  const btVector3 from = back * (corner + reach * up), to = back * (corner - reach * up);
  NearestTriangle hit(from, to);
  const_cast<btBvhTriangleMeshShape*>(ground.parts[0].mesh)->performRaycast(&hit, from, to);
  if (hit.triangle < 0) return false;
  const auto facet = detail::facet_normal(ground, hit.triangle);
  if (!facet) return false;
  triangle = hit.triangle;
  normal = bt(*facet);
  if (normal.dot(up) < 0) normal = -normal;
  const btVector3 met = pose * (from + hit.m_hitFraction * (to - from));
  place = corner - (corner - met).dot(normal) * normal;
  return true;
}

const btVector3& on_body(const btManifoldPoint& p, bool ground_first) {
  return ground_first ? p.m_localPointB : p.m_localPointA;
}

// The part of the body's shape that a point is on; -1 or 0 of shapes that have no parts.
int part_of(const btManifoldPoint& p, bool ground_first) { return ground_first ? p.m_index1 : p.m_index0; }

// Corners that are missing join the manifold, with the impulse that they had, or a share of the others'. Three or more carry a
// level face: points between them would only take the place of a fourth, unless they are deeper.
void merge(btPersistentManifold& manifold, const btManifoldPoint* found, int count, const Body& ground, bool ground_first,
           const detail::FaceMemory* memory) {
  const double apart = gContactBreakingThreshold * gContactBreakingThreshold;
  double impulse = 0;
  int kept = 0;
  for (int k = manifold.getNumContacts() - 1; k >= 0; --k) {
    const btManifoldPoint& p = manifold.getContactPoint(k);
    const auto at = std::find_if(found, found + count,
                                 [&](const btManifoldPoint& f) { return f.m_localPointA.distance2(p.m_localPointA) < apart; });
    const auto facet = facet_normal(ground, ground_first ? p.m_index0 : p.m_index1);
    if (at != found + count && p.getDistance() > at->getDistance() + kHigher) {
      manifold.removeContactPoint(k);  // a contact with an edge, in place of the corner
      continue;
    }
    if (at != found + count || !facet) {
      impulse += p.m_appliedImpulse;
      ++kept;
      continue;
    }
    bool level = count >= 3;
    for (int i = 0; i < count; ++i)
      level = level && std::abs(bt(*facet).dot(found[i].m_normalWorldOnB)) > 0.9999 &&
              found[i].getDistance() < p.getDistance() + kHigher;
    if (level) manifold.removeContactPoint(k);
  }
  for (int i = 0; i < count; ++i) {
    if (manifold.getCacheEntry(found[i]) >= 0) continue;
    btManifoldPoint p = found[i];
    p.m_appliedImpulse = kept > 0 ? impulse / kept : 0;  // a start for the solver
    for (int k = 0; memory != nullptr && k < memory->count; ++k)
      if (on_body(p, ground_first).distance2(memory->places[k]) < apart) p.m_appliedImpulse = memory->impulses[k];
    manifold.addManifoldPoint(p);
  }
}

}  // namespace

void World::State::complete_faces(btPersistentManifold& manifold, const Body& ground, bool ground_first) {
  const btCollisionObject& body = *(ground_first ? manifold.getBody1() : manifold.getBody0());
  const btManifoldPoint known = manifold.getContactPoint(0);
  btTransform pose;
  const btCollisionShape* shape = child_of(body, part_of(known, ground_first), pose);
  // Bullet handles cylinders that roll on boxes well, and finds both ends of their line of contact.
  if (!shape || (!ground.terrain && shape->getShapeType() == CYLINDER_SHAPE_PROXYTYPE)) return;
  btVector3 up = ground_first ? -known.m_normalWorldOnB : known.m_normalWorldOnB;
  // A body that has just reached a triangle touches its edge, at any slant; the ground is taken to be the triangle's plane.
  // Otherwise a block that slides across the border between two triangles has no corner on the ground for a step or two.
  if (const auto facet = facet_normal(ground, ground_first ? known.m_index0 : known.m_index1)) {
    if (std::abs(bt(*facet).dot(up)) < kUpright) up = bt(detail::turned_to(*facet, ground, body, known, ground_first));
  }
  btVector3 corners[kMaxCorners];
  const int n = corners_of(*shape, pose, up, corners);
  const detail::FaceMemory* memory = nullptr;
  for (int i = bodies[static_cast<std::size_t>(detail::body_id(&body))]->first_memory; i >= 0 && memory == nullptr;) {
    const detail::FaceMemory& m = face_memories[static_cast<std::size_t>(i)];
    if (m.ground == &ground && m.part == part_of(known, ground_first)) memory = &m;
    i = m.next;
  }
  double deepest = -std::numeric_limits<double>::infinity();  // on a box, anything deeper is past its far side
  if (!ground.terrain) {
    deepest = known.getDistance() - kHigher;
    for (int k = 1; k < manifold.getNumContacts(); ++k)
      deepest = std::min(deepest, manifold.getContactPoint(k).getDistance() - kHigher);
  }
  btManifoldPoint found[kMaxCorners];
  int count = 0;
  for (int i = 0; i < n; ++i) {
    btVector3 place, normal;
    int triangle = -1;
    if (!ground_at(ground, ground_first ? known.m_index0 : known.m_index1, corners[i], up, place, normal, triangle)) continue;
    const double distance = (corners[i] - place).dot(normal);
    if (distance > gContactBreakingThreshold || distance < deepest || normal.dot(up) < kUpright) continue;
    const btVector3 &on_a = ground_first ? place : corners[i], &on_b = ground_first ? corners[i] : place;
    btManifoldPoint& p = found[count++];
    p = detail::added_contact(manifold, known, on_a, on_b, ground_first ? -normal : normal, distance);
    (ground_first ? p.m_index0 : p.m_index1) = triangle;
  }
  merge(manifold, found, count, ground, ground_first, memory);
}

// In each step, GJK's point replaces a corner, and with it the impulse that the corner had.
void World::State::remember_faces() {
  for (const detail::FaceMemory& old : face_memories) old.body->first_memory = -1;
  face_memories.clear();
  for (int i = 0; i < dispatcher->getNumManifolds(); ++i) {
    const btPersistentManifold& manifold = *dispatcher->getManifoldByIndexInternal(i);
    if (manifold.getNumContacts() < 3) continue;
    Body& first = *bodies[static_cast<std::size_t>(detail::body_id(manifold.getBody0()))];
    Body& second = *bodies[static_cast<std::size_t>(detail::body_id(manifold.getBody1()))];
    const bool ground_first = detail::is_ground(first);
    if (!ground_first && !detail::is_ground(second)) continue;
    Body& body = ground_first ? second : first;
    detail::FaceMemory memory{};
    memory.ground = ground_first ? &first : &second;
    memory.body = &body;
    memory.part = part_of(manifold.getContactPoint(0), ground_first);
    memory.next = body.first_memory;
    memory.count = manifold.getNumContacts();
    for (int k = 0; k < memory.count; ++k) {
      memory.places[k] = on_body(manifold.getContactPoint(k), ground_first);
      memory.impulses[k] = manifold.getContactPoint(k).m_appliedImpulse;
    }
    body.first_memory = static_cast<int>(face_memories.size());
    face_memories.push_back(memory);
  }
}

}  // namespace simbatch::physics
