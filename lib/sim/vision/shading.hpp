#pragma once
/// Lighting of a surface point. Plain arithmetic and square roots only. Internal to this room; needs no Embree.

#include <vector>

#include "lib/sim/scene/appearance.hpp"
#include "lib/sim/scene/paint.hpp"

namespace simbatch::sim::vision {

class Moment;

using geo::Vec3;

/// Towards the sun, of length 1 (to 1e-4): from the south-east, 42 degrees high.
inline constexpr Vec3 kSunDirection{0.5257, 0.6731, -0.5201};

/// A lamp that is on.
struct Lamp {
  const scene::LightAppearance* look = nullptr;
  Vec3 at, direction;   ///< world
  float intensity = 0;  ///< 0..1
};
/// Those of `lights` that are on, where their parts are. @param then  a past moment of these lights; null: now
std::vector<Lamp> lit_lamps(const std::vector<scene::LightAppearance>& lights, const Moment* then = nullptr);

/// A visible point of a surface.
struct ShadedPoint {
  Vec3 at, normal;          ///< world, m; of length 1, against the ray
  Vec3 own_at, own_normal;  ///< the same in the frame of the mover; otherwise as above
  const scene::Paint* paint = nullptr;
  double distance = 0;     ///< from the eye, m
  double pixel_angle = 0;  ///< of a pixel, rad
  bool in_shadow = false;
};

class Shading {
 public:
  /// @param day  daylight, 0 (night) to 1
  Shading(double day, const std::vector<Lamp>& lamps) : day_(static_cast<float>(day)), lamps_(lamps) {}
  /// Color of the sky along a ray without a hit.
  scene::Rgb sky(Vec3 ray) const;
  /// @param ray  from the eye, of length 1
  scene::Rgb color(const ShadedPoint& point, const scene::RoadMap& roads, Vec3 ray) const;

 private:
  scene::Rgb lamp_light(Vec3 p, Vec3 n) const;

  float day_;
  const std::vector<Lamp>& lamps_;
};

}  // namespace simbatch::sim::vision
