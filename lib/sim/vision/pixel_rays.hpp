#pragma once
/// Rays through pixels and towards the sun, four at a time, against everything visible. Internal to this room.

#include <vector>

#include "lib/sim/vision/visible_scene.hpp"

namespace simbatch::sim::vision {

inline constexpr double kFar = 6000, kNear = 0.02;  ///< m: far and near clipping distances

/// Hit of a pixel's ray.
struct Hit {
  double distance = kFar;
  const scene::Paint* paint = nullptr;  ///< nullptr: nothing
  Vec3 normal;                          ///< world, against the ray
  const Mover* mover = nullptr;         ///< nullptr: the static scene
};

/// Four rays from one point: the first hit of each. @param movers  candidates for hits
void cast_four(const VisibleScene& scene, const std::vector<const Mover*>& movers, Vec3 from, const Vec3* directions,
               Hit* hits);

/// Shadow test of four points, within 500 m. @param asks  false: skip this point; it is reported as lit
void cast_shadows(const VisibleScene& scene, const Vec3* at, const bool* asks, bool* dark);

}  // namespace simbatch::sim::vision
