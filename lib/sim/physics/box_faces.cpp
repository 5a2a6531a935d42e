// Complete contact manifolds of a box's face on the face of another box that moves. Bullet's test of two boxes finds only the
// corners of their common area that overlap, and forgets those that have slid by 2 cm: a box that rested on the others tipped
// onto them. Here all corners of the common area become contacts at once: the face of one box clipped by the sides of the other
// (I. E. Sutherland and G. W. Hodgman, Reentrant polygon clipping, Communications of the ACM 17, 1974). faces.cpp does the same
// for boxes on immovable bodies.

#include <algorithm>
#include <cmath>

#include "lib/sim/physics/added_contact.hpp"
#include "lib/sim/physics/state.hpp"

namespace simbatch::physics {

namespace {

constexpr double kFlat = 0.9;  // minimum cosine of the angle between faces that rest on each other
constexpr double kAlike =
    1e-3;  // how much closer to the contact's normal that of the first face must be than that of the second
constexpr double kBehind = 1e-3;  // m: a corner this much deeper than all contacts is a new point
constexpr int kMostCorners = 12;  // 4, and up to 2 more for each side that clips

/// A box in the world, and the axis whose face points along a direction.
struct BoxFace {
  btTransform pose;
  btVector3 half;
  int axis = 0;
  double sign = 1, cosine = 0;
  btVector3 normal() const { return sign * pose.getBasis().getColumn(axis); }
};

bool box_of(const btCollisionObject& object, int part, BoxFace& face) {
  const btCollisionShape* shape = object.getCollisionShape();
  face.pose = object.getWorldTransform();
  if (shape->isCompound()) {
    const auto& compound = static_cast<const btCompoundShape&>(*shape);
    if (part < 0 || part >= compound.getNumChildShapes()) return false;
    face.pose = face.pose * compound.getChildTransform(part);
    shape = compound.getChildShape(part);
  }
  if (shape->getShapeType() != BOX_SHAPE_PROXYTYPE) return false;
  face.half = static_cast<const btBoxShape*>(shape)->getHalfExtentsWithMargin();
  return true;
}

void turn_to(BoxFace& face, const btVector3& direction) {
  const btVector3 lean = direction * face.pose.getBasis();
  face.axis = lean.absolute().maxAxis();
  face.sign = lean[face.axis] < 0 ? -1 : 1;
  face.cosine = std::abs(lean[face.axis]);
}

/// The part of `face` over the face `below`, in the frame of the latter's box. @return number of corners
int common_area(const BoxFace& face, const BoxFace& below, btVector3* corners) {
  const btTransform to_below = below.pose.inverse() * face.pose;
  const int u = (face.axis + 1) % 3, v = (face.axis + 2) % 3;
  int n = 0;
  for (const auto& [a, b] : {std::pair(-1, -1), std::pair(1, -1), std::pair(1, 1), std::pair(-1, 1)}) {
    btVector3 corner;
    corner[face.axis] = face.sign * face.half[face.axis];
    corner[u] = a * face.half[u];
    corner[v] = b * face.half[v];
    corners[n++] = to_below * corner;
  }
  btVector3 before[kMostCorners];
  for (int axis = 0; axis < 3; ++axis) {
    if (axis == below.axis) continue;
    for (const double side : {-1.0, 1.0}) {
      const int count = n;
      std::copy_n(corners, count, before);
      n = 0;
      for (int i = 0; i < count; ++i) {
        const btVector3 &p = before[i], &q = before[(i + 1) % count];
        const double inside_p = below.half[axis] - side * p[axis], inside_q = below.half[axis] - side * q[axis];
        if (inside_p >= 0) corners[n++] = p;
        if ((inside_p >= 0) != (inside_q >= 0)) corners[n++] = p + inside_p / (inside_p - inside_q) * (q - p);
      }
    }
  }
  return n;
}

/// The corners join the manifold, or take the place of what is near them, with its impulse; new ones start with a share of the
/// others'.
void add_corners(btPersistentManifold& manifold, const btManifoldPoint* found, int count) {
  double impulse = 0;
  const int known = manifold.getNumContacts();
  for (int k = 0; k < known; ++k) impulse += manifold.getContactPoint(k).m_appliedImpulse / known;
  for (int i = 0; i < count; ++i) {
    const int entry = manifold.getCacheEntry(found[i]);
    if (entry >= 0) {
      manifold.replaceContactPoint(found[i], entry);
      continue;
    }
    btManifoldPoint p = found[i];
    p.m_appliedImpulse = impulse;
    manifold.addManifoldPoint(p);
  }
}

}  // namespace

void World::State::complete_boxes(btPersistentManifold& manifold) {
  const btManifoldPoint known = manifold.getContactPoint(0);
  BoxFace a, b;
  if (!box_of(*manifold.getBody0(), known.m_index0, a) || !box_of(*manifold.getBody1(), known.m_index1, b)) return;
  turn_to(a, -known.m_normalWorldOnB);
  turn_to(b, known.m_normalWorldOnB);
  const bool on_a = a.cosine > b.cosine + kAlike;  // whose face carries the other
  BoxFace &below = on_a ? a : b, &above = on_a ? b : a;
  const btVector3 normal = below.normal();
  turn_to(above, -normal);
  if (below.cosine < kFlat || above.cosine < kFlat) return;
  double deepest = known.getDistance();
  for (int k = 1; k < manifold.getNumContacts(); ++k)
    deepest = std::min<double>(deepest, manifold.getContactPoint(k).getDistance());
  btVector3 corners[kMostCorners];
  const int n = common_area(above, below, corners);
  btManifoldPoint found[kMostCorners];
  int count = 0;
  for (int i = 0; i < n; ++i) {
    const double distance = below.sign * corners[i][below.axis] - below.half[below.axis];
    if (distance > gContactBreakingThreshold || distance < deepest - kBehind) continue;
    const btVector3 place = below.pose * corners[i], under = place - distance * normal;
    const btVector3 &at_a = on_a ? under : place, &at_b = on_a ? place : under;
    found[count++] = detail::added_contact(manifold, known, at_a, at_b, on_a ? -normal : normal, distance);
  }
  add_corners(manifold, found, count);
}

}  // namespace simbatch::physics
