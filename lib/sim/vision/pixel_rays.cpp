// Packets of four rays in Embree: first against the static scene, then, in the frame of each, against the movers whose bounding
// sphere a ray hits. Distances and normals come from the triangles' planes, in double (surface.hpp).

#include "lib/sim/vision/pixel_rays.hpp"

#include <embree3/rtcore.h>

#include "lib/sim/vision/shading.hpp"

namespace simbatch::sim::vision {

using namespace scene;

namespace {

constexpr double kShadowReach = 500;  // m

void set_ray(RTCRay4& ray, unsigned i, Vec3 from, Vec3 d, double near, double far) {
  ray.org_x[i] = static_cast<float>(from.x);
  ray.org_y[i] = static_cast<float>(from.y);
  ray.org_z[i] = static_cast<float>(from.z);
  ray.dir_x[i] = static_cast<float>(d.x);
  ray.dir_y[i] = static_cast<float>(d.y);
  ray.dir_z[i] = static_cast<float>(d.z);
  ray.tnear[i] = static_cast<float>(near);
  ray.tfar[i] = static_cast<float>(far);
  ray.time[i] = 0;
  ray.mask[i] = ~0u;
  ray.id[i] = i;
  ray.flags[i] = 0;
}

bool may_meet(const Mover& mover, Vec3 from, Vec3 d, double far) {
  const Vec3 to = mover.center - from;
  const double along = dot(to, d), l2 = dot(to, to), r2 = mover.radius * mover.radius;
  return l2 - along * along <= r2 && (along >= 0 || l2 <= r2) && along - mover.radius < far;
}

}  // namespace

void cast_four(const VisibleScene& scene, const std::vector<const Mover*>& movers, Vec3 from, const Vec3* d, Hit* hits) {
  alignas(16) RTCRayHit4 packet{};
  alignas(16) const int valid[4] = {-1, -1, -1, -1};
  RTCIntersectContext context{};
  rtcInitIntersectContext(&context);
  context.flags = RTC_INTERSECT_CONTEXT_FLAG_COHERENT;
  const auto shoot = [&](const Surface& surface, Vec3 origin, const Vec3* directions) {
    for (unsigned i = 0; i < 4; ++i) {
      set_ray(packet.ray, i, origin, directions[i], kNear, hits[i].distance);
      packet.hit.geomID[i] = RTC_INVALID_GEOMETRY_ID;
      packet.hit.instID[0][i] = RTC_INVALID_GEOMETRY_ID;
    }
    rtcIntersect4(valid, surface.scene(), &context, &packet);
  };
  const Surface& fixed = scene.fixed();
  if (!fixed.empty()) {
    shoot(fixed, from, d);
    for (unsigned i = 0; i < 4; ++i) {
      if (packet.hit.geomID[i] == RTC_INVALID_GEOMETRY_ID) continue;
      const Surface::Triangle triangle{packet.hit.geomID[i], packet.hit.primID[i]};
      if (packet.hit.instID[0][i] == RTC_INVALID_GEOMETRY_ID) {
        const Surface::Meeting met = fixed.meet(triangle, from, d[i]);
        hits[i] = {met.distance, &scene.paint(met.tag), met.normal, nullptr};
      } else {
        const auto& [shape, pose, inverse_pose, first_paint] = fixed.instance(packet.hit.instID[0][i]);
        const Surface::Meeting met = shape->meet(triangle, inverse_pose * from, inverse_pose.q * d[i]);
        hits[i] = {met.distance, &scene.paint(first_paint + met.tag), pose.q * met.normal, nullptr};
      }
    }
  }
  for (const Mover* mover : movers) {
    bool near = false;
    for (unsigned i = 0; i < 4; ++i) near = near || may_meet(*mover, from, d[i], hits[i].distance);
    if (!near) continue;
    const Vec3 own_from = mover->inverse_pose * from;
    Vec3 own[4];
    for (unsigned i = 0; i < 4; ++i) own[i] = mover->inverse_pose.q * d[i];
    shoot(*mover->surface, own_from, own);
    for (unsigned i = 0; i < 4; ++i) {
      if (packet.hit.geomID[i] == RTC_INVALID_GEOMETRY_ID) continue;
      const Surface::Meeting met = mover->surface->meet({packet.hit.geomID[i], packet.hit.primID[i]}, own_from, own[i]);
      if (met.distance >= hits[i].distance) continue;
      hits[i] = {met.distance, &scene.paint(met.tag), mover->pose.q * met.normal, mover};
    }
  }
  for (unsigned i = 0; i < 4; ++i) {
    if (hits[i].paint == nullptr) continue;
    if (dot(hits[i].normal, d[i]) > 0) hits[i].normal = -hits[i].normal;
  }
}

void cast_shadows(const VisibleScene& scene, const Vec3* at, const bool* asks, bool* dark) {
  alignas(16) RTCRay4 rays{};
  alignas(16) int valid[4];
  bool any = false;
  for (unsigned i = 0; i < 4; ++i) {
    valid[i] = asks[i] ? -1 : 0;
    any = any || asks[i];
    dark[i] = false;
    set_ray(rays, i, at[i], kSunDirection, 0, kShadowReach);
  }
  if (!any) return;
  RTCIntersectContext context{};
  rtcInitIntersectContext(&context);
  context.flags = RTC_INTERSECT_CONTEXT_FLAG_COHERENT;
  if (!scene.fixed().empty()) {
    rtcOccluded4(valid, scene.fixed().scene(), &context, &rays);
    for (unsigned i = 0; i < 4; ++i) dark[i] = asks[i] && rays.tfar[i] < 0;
  }
  for (const Mover& mover : scene.movers()) {
    bool near = false;
    for (unsigned i = 0; i < 4; ++i) {
      valid[i] = asks[i] && !dark[i] && may_meet(mover, at[i], kSunDirection, kShadowReach) ? -1 : 0;
      near = near || valid[i] != 0;
    }
    if (!near) continue;
    const Vec3 sun = mover.inverse_pose.q * kSunDirection;
    for (unsigned i = 0; i < 4; ++i) set_ray(rays, i, mover.inverse_pose * at[i], sun, 0, kShadowReach);
    rtcOccluded4(valid, mover.surface->scene(), &context, &rays);
    for (unsigned i = 0; i < 4; ++i) dark[i] = dark[i] || (valid[i] != 0 && rays.tfar[i] < 0);
  }
}

}  // namespace simbatch::sim::vision
