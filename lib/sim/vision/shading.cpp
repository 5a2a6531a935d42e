// Lambert's cosine law for the sun and for a sky lit from above (hemisphere lighting), a share of mirrored sky on sheet metal
// that grows towards grazing angles (after Schlick 1994, with the third power in place of the fifth), lamps by the inverse
// square of the distance, and haze as a blend with the horizon's color.

#include "lib/sim/vision/shading.hpp"

#include <algorithm>
#include <cmath>

#include "lib/sim/tree/tree.hpp"
#include "lib/sim/vision/moment.hpp"

namespace simbatch::sim::vision {

using namespace scene;

namespace {

constexpr Rgb kSunLight{1.28f, 1.2f, 1.04f}, kSkyLight{0.36f, 0.42f, 0.52f}, kGroundLight{0.16f, 0.15f, 0.12f};
constexpr Rgb kNightSky{0.006f, 0.008f, 0.016f}, kNightLight{0.02f, 0.022f, 0.03f};
constexpr double kLampReach = 120;  // m
constexpr double kHalfHaze = 900;   // m: distance at which haze contributes half

}  // namespace

std::vector<Lamp> lit_lamps(const std::vector<LightAppearance>& lights, const Moment* then) {
  std::vector<Lamp> lamps;
  for (std::size_t i = 0; i < lights.size(); ++i) {
    const LightAppearance& look = lights[i];
    const auto intensity = static_cast<float>(then != nullptr ? then->lamps()[i].intensity : look.node->values()[0]);
    if (!(intensity > 0)) continue;
    const auto v = look.part->values();
    const geo::Pose pose = then != nullptr ? then->lamps()[i].part : geo::Pose{{v[0], v[1], v[2]}, {v[3], v[4], v[5], v[6]}};
    lamps.push_back({&look, pose * look.position, pose.q * look.direction, std::min(intensity, 1.0f)});
  }
  return lamps;
}

Rgb Shading::sky(Vec3 ray) const { return day_ * sky_color(ray, kSunDirection) + (1 - day_) * kNightSky; }

Rgb Shading::lamp_light(Vec3 p, Vec3 n) const {
  Rgb sum{0, 0, 0};
  for (const Lamp& lamp : lamps_) {
    const Vec3 to = p - lamp.at;
    const double d2 = dot(to, to), d = std::sqrt(d2);
    if (d > kLampReach || d < 0.01) continue;
    const auto facing = static_cast<float>(std::max(-dot(n, to) / d, 0.0));
    float power = 0.25f;
    if (lamp.look->cos_half_angle != 0 || dot(lamp.look->direction, lamp.look->direction) > 0) {
      const double c = dot(lamp.direction, to) / d, edge = lamp.look->cos_half_angle;
      if (c <= edge) continue;
      power = 240 * static_cast<float>(std::min((c - edge) / (0.35 * (1 - edge) + 1e-9), 1.0));
    }
    const float share = lamp.intensity * power * facing / static_cast<float>(1 + d2);
    const Vec3& c = lamp.look->color;
    sum = sum + share * Rgb{static_cast<float>(c.x), static_cast<float>(c.y), static_cast<float>(c.z)};
  }
  return sum;
}

Rgb Shading::color(const ShadedPoint& point, const RoadMap& roads, Vec3 ray) const {
  const Rgb horizon = day_ * kHorizon + (1 - day_) * kNightSky;
  const double slant = std::max(-dot(point.normal, ray), 0.05);
  const double pixel = point.distance * point.pixel_angle / std::sqrt(slant);
  const Rgb paint = surface_color(*point.paint, roads, point.own_at, point.own_normal, pixel);
  const auto sun = static_cast<float>(std::max(dot(point.normal, kSunDirection), 0.0));
  const auto up = static_cast<float>(0.5 + 0.5 * point.normal.y);
  Rgb lit = day_ * (mix(kGroundLight, kSkyLight, up) + (point.in_shadow ? 0.0f : sun) * kSunLight) + (1 - day_) * kNightLight;
  if (!lamps_.empty()) lit = lit + lamp_light(point.at, point.normal);
  Rgb seen = paint * lit;
  if (point.paint->material == Material::vehicle && !point.in_shadow) {
    const Vec3 mirrored = ray - 2 * dot(ray, point.normal) * point.normal;
    const auto grazing = static_cast<float>(1 - slant);
    if (mirrored.y > 0) seen = mix(seen, day_ * sky_color(mirrored, kSunDirection), 0.06f + 0.3f * grazing * grazing * grazing);
  }
  const auto far = static_cast<float>(point.distance / kHalfHaze);
  return mix(seen, horizon, far * far / (1 + far * far));
}

}  // namespace simbatch::sim::vision
