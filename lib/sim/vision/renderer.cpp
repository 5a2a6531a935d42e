// Rays through pixels, sixteen by sixteen pixels at a time: first what is fixed, then the movers that a tile may show; then one ray
// to the sun from each place that faces it. Light, paint and haze are plain arithmetic (paint.hpp).

#include "lib/sim/vision/renderer.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include <embree3/rtcore.h>

#include "base/core/float_mode.hpp"
#include "lib/sim/vision/visible_scene.hpp"

namespace simbatch::sim::vision {
namespace {

constexpr int kTile = 16;
constexpr double kFar = 6000, kNear = 0.02;  // m
constexpr Vec3 kSunDirection{0.5257, 0.6731,
                             -0.5201};  // towards the sun, of length 1 (to 1e-4): from the south-east, 42 degrees high
constexpr Rgb kSunLight{1.28f, 1.2f, 1.04f}, kSkyLight{0.36f, 0.42f, 0.52f}, kGroundLight{0.16f, 0.15f, 0.12f};

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

/// What a pixel's ray met.
struct Hit {
  double distance = kFar;
  const Paint* paint = nullptr;  // nullptr: nothing
  Vec3 normal;                   // world, against the ray
  const Mover* mover = nullptr;
};

bool may_meet(const Mover& mover, Vec3 from, Vec3 d, double far) {
  const Vec3 to = mover.center - from;
  const double along = dot(to, d), l2 = dot(to, to), r2 = mover.radius * mover.radius;
  return l2 - along * along <= r2 && (along >= 0 || l2 <= r2) && along - mover.radius < far;
}

/// A lamp that is on.
struct Lamp {
  const LightAppearance* look;
  Vec3 at, direction;
  float intensity;
};

}  // namespace

struct Renderer::Scene {
  const Simulation& simulation;
  VisibleScene visible;
  Paint plain = {};  // of the ground beyond the terrain
  std::vector<Lamp> lamps = {};
  std::vector<const Mover*> in_tile = {};
  std::vector<Rgb> light = {};  // linear, of the whole picture

  void light_lamps() {
    lamps.clear();
    for (const LightAppearance& look : visible.lights()) {
      const auto intensity = static_cast<float>(look.node->values()[0]);
      if (!(intensity > 0)) continue;
      const auto v = look.part->values();
      const geo::Pose pose{{v[0], v[1], v[2]}, {v[3], v[4], v[5], v[6]}};
      lamps.push_back({&look, pose * look.position, pose.q * look.direction, std::min(intensity, 1.0f)});
    }
  }

  /// Four rays with one origin.
  void trace(Vec3 from, const Vec3* d, Hit* hits) {
    alignas(16) RTCRayHit4 packet;
    alignas(16) const int valid[4] = {-1, -1, -1, -1};
    RTCIntersectContext context;
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
    const Surface& fixed = visible.fixed();
    if (!fixed.empty()) {
      shoot(fixed, from, d);
      for (unsigned i = 0; i < 4; ++i) {
        if (packet.hit.geomID[i] == RTC_INVALID_GEOMETRY_ID) continue;
        const std::uint32_t t = packet.hit.primID[i];
        hits[i] = {fixed.distance(t, from, d[i]), &visible.paint(fixed.tag(t)), fixed.normal(t), nullptr};
      }
    }
    for (const Mover* mover : in_tile) {
      bool near = false;
      for (unsigned i = 0; i < 4; ++i) near = near || may_meet(*mover, from, d[i], hits[i].distance);
      if (!near) continue;
      const Vec3 own_from = mover->inverse_pose * from;
      Vec3 own[4];
      for (unsigned i = 0; i < 4; ++i) own[i] = mover->inverse_pose.q * d[i];
      shoot(*mover->surface, own_from, own);
      for (unsigned i = 0; i < 4; ++i) {
        if (packet.hit.geomID[i] == RTC_INVALID_GEOMETRY_ID) continue;
        const std::uint32_t t = packet.hit.primID[i];
        const double distance = mover->surface->distance(t, own_from, own[i]);
        if (distance >= hits[i].distance) continue;
        hits[i] = {distance, &visible.paint(mover->surface->tag(t)), mover->pose.q * mover->surface->normal(t), mover};
      }
    }
    for (unsigned i = 0; i < 4; ++i) {
      if (hits[i].paint == nullptr) continue;
      if (dot(hits[i].normal, d[i]) > 0) hits[i].normal = -hits[i].normal;
    }
  }

  /// Which of four places the sun does not reach.
  void shade(const Vec3* at, const bool* asks, bool* dark) {
    alignas(16) RTCRay4 rays;
    alignas(16) int valid[4];
    bool any = false;
    for (unsigned i = 0; i < 4; ++i) {
      valid[i] = asks[i] ? -1 : 0;
      any = any || asks[i];
      dark[i] = false;
      set_ray(rays, i, at[i], kSunDirection, 0, 500);
    }
    if (!any) return;
    RTCIntersectContext context;
    rtcInitIntersectContext(&context);
    context.flags = RTC_INTERSECT_CONTEXT_FLAG_COHERENT;
    if (!visible.fixed().empty()) {
      rtcOccluded4(valid, visible.fixed().scene(), &context, &rays);
      for (unsigned i = 0; i < 4; ++i) dark[i] = asks[i] && rays.tfar[i] < 0;
    }
    for (const Mover& mover : visible.movers()) {
      bool near = false;
      for (unsigned i = 0; i < 4; ++i) {
        valid[i] = asks[i] && !dark[i] && may_meet(mover, at[i], kSunDirection, 500) ? -1 : 0;
        near = near || valid[i] != 0;
      }
      if (!near) continue;
      const Vec3 way = mover.inverse_pose.q * kSunDirection;
      for (unsigned i = 0; i < 4; ++i) set_ray(rays, i, mover.inverse_pose * at[i], way, 0, 500);
      rtcOccluded4(valid, mover.surface->scene(), &context, &rays);
      for (unsigned i = 0; i < 4; ++i) dark[i] = dark[i] || (valid[i] != 0 && rays.tfar[i] < 0);
    }
  }

  Rgb lamp_light(Vec3 p, Vec3 n) const {
    Rgb sum{0, 0, 0};
    for (const Lamp& lamp : lamps) {
      const Vec3 to = p - lamp.at;
      const double d2 = dot(to, to), d = std::sqrt(d2);
      if (d > 120 || d < 0.01) continue;
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

  Rgb color(const View& view, Vec3 from, Vec3 d, const Hit& hit, bool dark, double pixel_angle) const {
    const auto day = static_cast<float>(view.daylight);
    const Rgb night{0.006f, 0.008f, 0.016f};
    const Rgb horizon = day * kHorizon + (1 - day) * night;
    if (hit.paint == nullptr) return day * sky_color(d, kSunDirection) + (1 - day) * night;
    const Vec3 p = from + hit.distance * d;
    const double slant = std::max(-dot(hit.normal, d), 0.05);
    const double pixel = hit.distance * pixel_angle / std::sqrt(slant);
    const bool own = hit.mover != nullptr;
    const Rgb paint = surface_color(*hit.paint, visible.roads(), own ? hit.mover->inverse_pose * p : p,
                                    own ? hit.mover->inverse_pose.q * hit.normal : hit.normal, pixel);
    const auto sun = static_cast<float>(std::max(dot(hit.normal, kSunDirection), 0.0));
    const auto up = static_cast<float>(0.5 + 0.5 * hit.normal.y);
    Rgb lit =
        day * (mix(kGroundLight, kSkyLight, up) + (dark ? 0.0f : sun) * kSunLight) + (1 - day) * Rgb{0.02f, 0.022f, 0.03f};
    if (!lamps.empty()) lit = lit + lamp_light(p, hit.normal);
    Rgb seen = paint * lit;
    if (hit.paint->material == Material::vehicle && !dark) {
      // A little of the sky in the sheet metal.
      const Vec3 mirrored = d - 2 * dot(d, hit.normal) * hit.normal;
      const auto grazing = static_cast<float>(1 - slant);
      if (mirrored.y > 0)
        seen = mix(seen, day * sky_color(mirrored, kSunDirection), 0.06f + 0.3f * grazing * grazing * grazing);
    }
    const auto far = static_cast<float>(hit.distance / 900);
    return mix(seen, horizon, far * far / (1 + far * far));
  }

  void tile(const View& view, int x0, int y0, double half_height, double pixel_angle);
  void glow(const View& view, double half_height);
};

void Renderer::Scene::tile(const View& view, int x0, int y0, double half_height, double pixel_angle) {
  const int n = view.samples, columns = view.width * n, rows = view.height * n;
  const int x1 = std::min(x0 + kTile, columns), y1 = std::min(y0 + kTile, rows);
  const double step = 2 * half_height / rows;
  const Vec3 right = step * (view.pose.q * Vec3{1, 0, 0}), up = step * (view.pose.q * Vec3{0, 1, 0});
  const Vec3 ahead = view.pose.q * Vec3{0, 0, 1};
  const auto direction = [&](double x, double y) {
    return normalized(ahead + (x - 0.5 * columns) * right + (0.5 * rows - y) * up);
  };
  const Vec3 from = view.pose.p;
  // The cone about the tile, for the movers in it.
  const Vec3 axis = direction(0.5 * (x0 + x1), 0.5 * (y0 + y1));
  double cosine = 1;
  for (const int x : {x0, x1})
    for (const int y : {y0, y1}) cosine = std::min(cosine, dot(axis, direction(x, y)));
  const double sine = std::sqrt(std::max(1 - cosine * cosine, 0.0)) + 1e-6;
  in_tile.clear();
  for (const Mover& mover : visible.movers()) {
    const Vec3 to = mover.center - from;
    const double along = dot(to, axis), off = std::sqrt(std::max(dot(to, to) - along * along, 0.0));
    if (length(to) <= mover.radius || (off * cosine - along * sine <= mover.radius && along > -mover.radius))
      in_tile.push_back(&mover);
  }
  for (int y = y0; y < y1; y += 2)
    for (int x = x0; x < x1; x += 2) {
      Vec3 d[4], at[4];
      Hit hits[4];
      bool asks[4], dark[4];
      for (int i = 0; i < 4; ++i) d[i] = direction(x + (i & 1) + 0.5, y + (i >> 1) + 0.5);
      trace(from, d, hits);
      for (int i = 0; i < 4; ++i) {
        // Ground without end under everything, where the terrain ends.
        if (hits[i].paint == nullptr && d[i].y < 0 && plain.material == Material::ground) {
          const double t = (visible.plain_y() - from.y) / d[i].y;
          if (t > 0 && t < 20 * kFar) hits[i] = {t, &plain, {0, 1, 0}, nullptr};
        }
        asks[i] =
            hits[i].paint != nullptr && hits[i].distance < 1500 && dot(hits[i].normal, kSunDirection) > 0 && view.daylight > 0;
        at[i] = from + hits[i].distance * d[i] + (2e-3 + 1e-4 * hits[i].distance) * hits[i].normal;
      }
      shade(at, asks, dark);
      for (int i = 0; i < 4; ++i) {
        const int px = x + (i & 1), py = y + (i >> 1);
        if (px >= x1 || py >= y1) continue;
        light[static_cast<std::size_t>(py / n) * static_cast<std::size_t>(view.width) + static_cast<std::size_t>(px / n)] =
            light[static_cast<std::size_t>(py / n) * static_cast<std::size_t>(view.width) + static_cast<std::size_t>(px / n)] +
            color(view, from, d[i], hits[i], dark[i], pixel_angle);
      }
    }
}

/// A disc of light where a lamp can be seen itself.
void Renderer::Scene::glow(const View& view, double half_height) {
  const double scale = view.height / (2 * half_height);
  for (const Lamp& lamp : lamps) {
    const Vec3 to = lamp.at - view.pose.p, own = inverse(view.pose.q) * to;
    const double distance = length(to);
    if (own.z < 0.05 || distance > 1000) continue;
    float power = lamp.intensity;
    if (dot(lamp.direction, lamp.direction) > 0) {  // a cone is bright from the front only
      const double c = -dot(lamp.direction, to) / distance;
      if (c <= 0) continue;
      power *= static_cast<float>(c * c);
    }
    // Lamps are often put a little inside their body: what is within half a meter of them hides nothing.
    const Vec3 d = (1 / distance) * to;
    Hit hits[4];
    const Vec3 four[4] = {d, d, d, d};
    in_tile.clear();
    for (const Mover& mover : visible.movers()) in_tile.push_back(&mover);
    trace(view.pose.p, four, hits);
    if (hits[0].distance < distance - 0.5) continue;
    const double x = 0.5 * view.width + own.x / own.z * scale, y = 0.5 * view.height - own.y / own.z * scale;
    const double core = std::max(0.07 * scale / own.z, 0.6), radius = 4 * core;
    if (!(std::abs(x) < 1e5) || !(std::abs(y) < 1e5)) continue;
    const int xa = std::max(0, static_cast<int>(x - radius)), xb = std::min(view.width - 1, static_cast<int>(x + radius));
    const int ya = std::max(0, static_cast<int>(y - radius)), yb = std::min(view.height - 1, static_cast<int>(y + radius));
    const Vec3& c = lamp.look->color;
    const Rgb color{static_cast<float>(c.x), static_cast<float>(c.y), static_cast<float>(c.z)};
    for (int py = ya; py <= yb; ++py)
      for (int px = xa; px <= xb; ++px) {
        const double dx = px + 0.5 - x, dy = py + 0.5 - y, r = std::sqrt(dx * dx + dy * dy) / core;
        if (r >= 4) continue;
        const auto fall = static_cast<float>(r < 1 ? 1.0 : (1 - (r - 1) / 3) * (1 - (r - 1) / 3) * 0.35);
        Rgb& pixel = light[static_cast<std::size_t>(py) * static_cast<std::size_t>(view.width) + static_cast<std::size_t>(px)];
        pixel = pixel + (1.6f * power * fall) * color;
      }
  }
}

Renderer::Renderer(const Simulation& simulation, Appearance appearance, std::shared_ptr<EmbreeDevice> device)
    : scene_(new Scene{simulation, VisibleScene(simulation, std::move(appearance), std::move(device))}) {}
Renderer::~Renderer() = default;

const Diagnostics& Renderer::problems() const { return scene_->visible.problems(); }

void Renderer::prepare() {
  const FloatModeGuard guard;
  set_float_mode(kDefaultFloatMode);
  scene_->visible.update();
}

void Renderer::draw(const View& view, std::span<std::uint32_t> pixels) {
  const FloatModeGuard guard;
  set_float_mode(kDefaultFloatMode);
  Scene& scene = *scene_;
  scene.visible.update();
  scene.light_lamps();
  scene.plain.material = scene.visible.has_plain() ? Material::ground : Material::plain;
  const auto width = static_cast<std::size_t>(view.width), height = static_cast<std::size_t>(view.height);
  scene.light.assign(width * height, Rgb{0, 0, 0});
  const double turn = view.pose.q.w + view.pose.q.x + view.pose.q.y + view.pose.q.z;
  if (!Surface::in_reach(view.pose.p) || !std::isfinite(turn)) {  // a world that is just blowing up
    std::fill(pixels.begin(), pixels.end(), 0xff000000u);
    return;
  }
  const double half_height = std::tan(view.field_of_view / 2);
  const double pixel_angle = 2 * half_height / (view.height * view.samples);
  for (int y = 0; y < view.height * view.samples; y += kTile)
    for (int x = 0; x < view.width * view.samples; x += kTile) scene.tile(view, x, y, half_height, pixel_angle);
  const float share = 1 / static_cast<float>(view.samples * view.samples);
  if (view.samples > 1)
    for (Rgb& c : scene.light) c = share * c;
  scene.glow(view, half_height);
  for (std::size_t i = 0; i < width * height; ++i) {
    const Rgb c = scene.light[i];
    pixels[i] = 0xff000000u | static_cast<std::uint32_t>(screen_byte(c.b)) << 16 |
                static_cast<std::uint32_t>(screen_byte(c.g)) << 8 | screen_byte(c.r);
  }
}

geo::Pose looking_at(Vec3 from, Vec3 to) {
  const Vec3 z = normalized(to - from);
  if (dot(z, z) < 0.5) return {from, {}};
  const bool steep = std::abs(z.y) > 1 - 1e-9;
  // First the compass direction, then the pitch.
  const double heading = steep ? 0 : std::atan2(z.x, z.z), pitch = std::atan2(z.y, std::sqrt(z.x * z.x + z.z * z.z));
  return {from, geo::normalized(geo::rotation({0, 1, 0}, heading) * geo::rotation({1, 0, 0}, -pitch))};
}

}  // namespace simbatch::sim::vision
