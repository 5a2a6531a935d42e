// A z-buffer (Catmull 1974) with one shadow map (Williams, "Casting curved shadows on curved surfaces", SIGGRAPH 1978). Two
// passes of one rasterizer: the scene's depth seen from the key light, then three by three samples per pixel, shaded after
// Blinn and Phong; finally the samples are averaged over a background with a floor. Light: a warm key light with a soft shadow,
// a cool fill light from the other side, a sky above. Weights and colors are our own choice.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "lib/render/render.hpp"

namespace simbatch::render {
namespace {

using geo::Vec3;

constexpr int kSamples = 3;
constexpr int kShadowSize = 1536;

/// Projected position of a point: x, y in pixels, and a depth that increases away from the eye.
struct View {
  Vec3 eye, right, up, forward;
  double scale = 1, half_width = 0, half_height = 0;
  bool perspective = true;

  Vec3 project(Vec3 p) const {
    const Vec3 d = p - eye;
    const double depth = geo::dot(d, forward);
    const double s = perspective ? scale / std::max(depth, 1e-9) : scale;
    // Perspective keeps 1 / depth, which is linear on the screen.
    return {half_width + s * geo::dot(d, right), half_height - s * geo::dot(d, up),
            perspective ? -1 / std::max(depth, 1e-9) : depth};
  }
  Vec3 ray(double x, double y) const {
    return geo::normalized(scale * forward + (x - half_width) * right - (y - half_height) * up);
  }
};

/// Calls at(x, y, depth, weights of the corners) for every pixel whose center a triangle covers.
template <class At>
void rasterize(const Vec3 (&p)[3], int width, int height, const At& at) {
  const double area = (p[1].x - p[0].x) * (p[2].y - p[0].y) - (p[1].y - p[0].y) * (p[2].x - p[0].x);
  if (!(std::abs(area) > 1e-12)) return;
  const auto bound = [](double v, int limit) { return static_cast<int>(std::clamp(v, 0.0, static_cast<double>(limit))); };
  const int x0 = bound(std::floor(std::min({p[0].x, p[1].x, p[2].x})), width),
            x1 = bound(std::ceil(std::max({p[0].x, p[1].x, p[2].x})), width);
  const int y0 = bound(std::floor(std::min({p[0].y, p[1].y, p[2].y})), height),
            y1 = bound(std::ceil(std::max({p[0].y, p[1].y, p[2].y})), height);
  for (int y = y0; y < y1; ++y) {
    for (int x = x0; x < x1; ++x) {
      const double px = x + 0.5, py = y + 0.5;
      const double a = ((p[1].x - px) * (p[2].y - py) - (p[1].y - py) * (p[2].x - px)) / area;
      const double b = ((p[2].x - px) * (p[0].y - py) - (p[2].y - py) * (p[0].x - px)) / area;
      const double c = 1 - a - b;
      if (a < 0 || b < 0 || c < 0) continue;
      at(x, y, a * p[0].z + b * p[1].z + c * p[2].z, a, b, c);
    }
  }
}

struct Shadow {
  View view;
  std::vector<float> depth;
  double bias = 0;

  /// Fraction of the light that reaches a point, averaged over a few texels.
  double light(Vec3 p, int spread) const {
    const Vec3 at = view.project(p);
    double lit = 0, all = 0;
    for (int dy = -spread; dy <= spread; ++dy)
      for (int dx = -spread; dx <= spread; ++dx) {
        if (dx * dx + dy * dy > spread * spread) continue;
        const int x = static_cast<int>(std::floor(at.x)) + dx, y = static_cast<int>(std::floor(at.y)) + dy;
        all += 1;
        if (x < 0 || y < 0 || x >= kShadowSize || y >= kShadowSize ||
            static_cast<double>(depth[static_cast<std::size_t>(y) * kShadowSize + static_cast<std::size_t>(x)]) > at.z - bias)
          lit += 1;
      }
    return lit / all;
  }
};

double linear(float c) { return std::pow(static_cast<double>(c), 2.2); }

struct Sample {
  float depth = 1e30F;
  float light[3] = {0, 0, 0};
  bool hit = false;
};

/// Box and ball around the scene.
struct Extent {
  double floor = 0;  ///< z of the lowest point
  Vec3 center;
  double radius = 1e-6;
};

Extent extent_of(const Scene& scene) {
  Extent extent;
  if (scene.empty()) return extent;
  Vec3 low = scene.faces()[0].p[0], high = low;
  for (const auto& face : scene.faces())
    for (const Vec3& p : face.p) {
      low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
      high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
    }
  extent.floor = low.z;
  extent.center = 0.5 * (low + high);
  for (const auto& face : scene.faces())
    for (const Vec3& p : face.p) extent.radius = std::max(extent.radius, geo::length(p - extent.center));
  return extent;
}

/// Axes of a view along `forward`, upright.
View view_along(Vec3 forward) {
  View view;
  view.forward = forward;
  const Vec3 side = geo::cross(forward, {0, 0, 1});
  view.right = geo::length(side) > 1e-6 ? geo::normalized(side) : Vec3{1, 0, 0};
  view.up = geo::cross(view.right, forward);
  return view;
}

/// Angles of the camera in radians.
struct Angles {
  double azimuth, elevation;
};

/// A camera that sees the whole extent, in a picture of width x height samples.
View camera_view(const Extent& extent, Angles angles, int width, int height) {
  View view = view_along(-Vec3{std::cos(angles.elevation) * std::cos(angles.azimuth),
                               std::cos(angles.elevation) * std::sin(angles.azimuth), std::sin(angles.elevation)});
  view.half_width = width / 2.0;
  view.half_height = height / 2.0;
  const double field = 28 * std::numbers::pi / 180;  // of the smaller side
  view.scale = std::min(width, height) / 2.0 / std::tan(field / 2);
  view.eye = extent.center - (extent.radius * 1.06 / std::sin(field / 2)) * view.forward;
  return view;
}

/// Depth map of the scene seen from direction `key`.
Shadow cast_shadow(const Scene& scene, const Extent& extent, Vec3 key) {
  Shadow shadow;
  shadow.view = view_along(-key);
  shadow.view.perspective = false;
  shadow.view.eye = extent.center;
  shadow.view.half_width = shadow.view.half_height = kShadowSize / 2.0;
  shadow.view.scale = kShadowSize / 2.0 / (extent.radius * 1.05);
  shadow.bias = extent.radius * 0.008;
  shadow.depth.assign(std::size_t{kShadowSize} * kShadowSize, 1e30F);
  for (const auto& face : scene.faces()) {
    const Vec3 p[3] = {shadow.view.project(face.p[0]), shadow.view.project(face.p[1]), shadow.view.project(face.p[2])};
    rasterize(p, kShadowSize, kShadowSize, [&](int x, int y, double depth, double, double, double) {
      float& there = shadow.depth[static_cast<std::size_t>(y) * kShadowSize + static_cast<std::size_t>(x)];
      there = std::min(there, static_cast<float>(depth));
    });
  }
  return shadow;
}

struct Lights {
  Vec3 key, fill;  ///< directions towards the lights
  Shadow shadow;   ///< of the key light
};

Lights lights_around(const Scene& scene, const Extent& extent, double azimuth) {
  const Vec3 key =
      geo::normalized(geo::normalized(Vec3{std::cos(azimuth + 0.7), std::sin(azimuth + 0.7), 0}) + Vec3{0, 0, 1.3});
  const Vec3 fill = geo::normalized(Vec3{std::cos(azimuth - 1.1), std::sin(azimuth - 1.1), 0.35});
  return {key, fill, cast_shadow(scene, extent, key)};
}

/// Light reflected by a point to the eye.
void shade(Sample& sample, const Lights& lights, Vec3 at, Vec3 normal, Vec3 to_eye, const Color& color) {
  if (geo::dot(normal, to_eye) < 0) normal = -normal;
  const double sun = std::max(0.0, geo::dot(normal, lights.key));
  const double lit = sun > 0 ? lights.shadow.light(at + (lights.shadow.bias * 0.7) * normal, 1) : 0;
  const double shine = std::pow(std::max(0.0, geo::dot(normal, geo::normalized(lights.key + to_eye))), 40) * 0.16 * lit;
  const double other = std::max(0.0, geo::dot(normal, lights.fill)) * 0.22;
  const double sky = 0.5 + 0.5 * normal.z;
  const double rim = std::pow(1 - std::max(0.0, geo::dot(normal, to_eye)), 4) * 0.06;
  const double warm[3] = {1.0, 0.96, 0.9}, cool[3] = {0.75, 0.85, 1.0};
  for (std::size_t i = 0; i < 3; ++i) {
    // A minimum of 0.03 keeps shapes visible in the shadow.
    const double base = 0.03 + 0.94 * linear(color[i]);
    sample.light[i] =
        static_cast<float>(base * (0.85 * sun * lit * warm[i] + other * cool[i] + (0.16 + 0.2 * sky) * cool[i]) + shine + rim);
  }
}

std::vector<Sample> draw_samples(const Scene& scene, const View& view, const Lights& lights, int width, int height) {
  std::vector<Sample> samples(static_cast<std::size_t>(width) * static_cast<std::size_t>(height));
  for (const auto& face : scene.faces()) {
    const Vec3 p[3] = {view.project(face.p[0]), view.project(face.p[1]), view.project(face.p[2])};
    rasterize(p, width, height, [&](int x, int y, double depth, double a, double b, double c) {
      Sample& sample = samples[static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x)];
      if (static_cast<float>(depth) >= sample.depth) return;
      sample.depth = static_cast<float>(depth);
      sample.hit = true;
      // Perspective-correct weights: screen weights divided by depth.
      const double wa = a * -p[0].z, wb = b * -p[1].z, wc = c * -p[2].z, w = wa + wb + wc;
      const Vec3 at = (1 / w) * (wa * face.p[0] + wb * face.p[1] + wc * face.p[2]);
      const Vec3 normal = geo::normalized(wa * face.n[0] + wb * face.n[1] + wc * face.n[2]);
      shade(sample, lights, at, normal, geo::normalized(view.eye - at), face.color);
    });
  }
  return samples;
}

/// Fraction of the background's light at a sample: the floor receives the scene's shadow, which fades at its rim.
double floor_light(const View& view, const Extent& extent, const Shadow& shadow, int x, int y) {
  const Vec3 ray = view.ray(x + 0.5, y + 0.5);
  if (!(ray.z < -1e-6 && view.eye.z > extent.floor)) return 1;
  const Vec3 at = view.eye + ((extent.floor - view.eye.z) / ray.z) * ray;
  const double away = geo::length(Vec3{at.x - extent.center.x, at.y - extent.center.y, 0}) / extent.radius;
  if (!(away < 3)) return 1;
  return 1 - 0.5 * (1 - shadow.light(at + Vec3{0, 0, shadow.bias}, 4)) * std::clamp(3 - away, 0.0, 1.0);
}

}  // namespace

image::Image draw(const Scene& scene, const Options& options) {
  const Angles angles{options.azimuth * std::numbers::pi / 180, options.elevation * std::numbers::pi / 180};
  const int width = options.width * kSamples, height = options.height * kSamples;
  const Extent extent = extent_of(scene);
  const View view = camera_view(extent, angles, width, height);
  const Lights lights = lights_around(scene, extent, angles.azimuth);
  const std::vector<Sample> samples = draw_samples(scene, view, lights, width, height);
  const bool has_floor = options.ground && !scene.empty();

  image::Image image{options.width, options.height, {}};
  image.rgb.resize(static_cast<std::size_t>(image.width) * static_cast<std::size_t>(image.height) * 3);
  for (int y = 0; y < image.height; ++y) {
    for (int x = 0; x < image.width; ++x) {
      double sum[3] = {0, 0, 0};
      for (int s = 0; s < kSamples * kSamples; ++s) {
        const int sx = x * kSamples + s % kSamples, sy = y * kSamples + s / kSamples;
        const Sample& sample =
            samples[static_cast<std::size_t>(sy) * static_cast<std::size_t>(width) + static_cast<std::size_t>(sx)];
        const double height_share = static_cast<double>(sy) / height;
        const double background[3] = {0.80 - 0.22 * height_share, 0.84 - 0.21 * height_share, 0.90 - 0.20 * height_share};
        const double dim = has_floor && !sample.hit ? floor_light(view, extent, lights.shadow, sx, sy) : 1;
        for (std::size_t i = 0; i < 3; ++i) sum[i] += sample.hit ? static_cast<double>(sample.light[i]) : background[i] * dim;
      }
      for (std::size_t i = 0; i < 3; ++i) {
        const double mean = std::min(sum[i] / (kSamples * kSamples), 1.0);
        image.rgb[(static_cast<std::size_t>(y) * static_cast<std::size_t>(image.width) + static_cast<std::size_t>(x)) * 3 + i] =
            static_cast<std::uint8_t>(255 * std::pow(mean, 1 / 2.2) + 0.5);
      }
    }
  }
  return image;
}

}  // namespace simbatch::render
