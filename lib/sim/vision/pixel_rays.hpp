#pragma once
/// Rays through pixels and towards the sun, four at a time, against everything that a picture shows. Internal to this room.

#include <vector>

#include "lib/sim/vision/visible_scene.hpp"

namespace simbatch::sim::vision {

inline constexpr double kFar = 6000, kNear = 0.02;  ///< m: nothing beyond, and nothing nearer to the eye, is seen

/// What a pixel's ray met.
struct Hit {
  double distance = kFar;
  const scene::Paint* paint = nullptr;  ///< nullptr: nothing
  Vec3 normal;                          ///< world, against the ray
  const Mover* mover = nullptr;         ///< nullptr: what never moves
};

/// Four rays from one point: what each meets first.
/// @param movers  those that the rays may meet
void cast_four(const VisibleScene& scene, const std::vector<const Mover*>& movers, Vec3 from, const Vec3* directions,
               Hit* hits);

/// Which of four points the sun does not reach, within 500 m.
/// @param asks  false: this one does not matter, and is not in shadow
void cast_shadows(const VisibleScene& scene, const Vec3* at, const bool* asks, bool* dark);

}  // namespace simbatch::sim::vision
