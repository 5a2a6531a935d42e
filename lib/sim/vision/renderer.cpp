// Ray casting (Appel 1968): rays through pixels, sixteen by sixteen pixels at a time. Per tile: select the movers in its cone;
// cast the rays; cast one ray towards the sun from each point facing it; shade (shading.hpp). Visible lamps get a disc of
// light.

#include "lib/sim/vision/renderer.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <stdexcept>
#include <string>

#include "base/core/float_mode.hpp"
#include "lib/sim/vision/pixel_noise.hpp"
#include "lib/sim/vision/pixel_rays.hpp"
#include "lib/sim/vision/shading.hpp"
#include "lib/sim/vision/visible_scene.hpp"

namespace simbatch::sim::vision {

using namespace scene;

namespace {

constexpr int kTile = 16;

/// A view's rays.
class Lens {
 public:
  explicit Lens(const View& view)
      : columns_(view.width * view.samples),
        rows_(view.height * view.samples),
        half_height_(std::tan(view.field_of_view / 2)),
        ahead_(view.pose.q * Vec3{0, 0, 1}) {
    const double step = 2 * half_height_ / rows_;
    right_ = step * (view.pose.q * Vec3{1, 0, 0});
    up_ = step * (view.pose.q * Vec3{0, 1, 0});
  }
  int columns() const { return columns_; }
  int rows() const { return rows_; }
  /// Tangent of half the vertical field of view.
  double half_height() const { return half_height_; }
  double pixel_angle() const { return 2 * half_height_ / rows_; }
  /// Unit direction through a point of the picture, in samples from its top left corner.
  Vec3 direction(double x, double y) const {
    return normalized(ahead_ + (x - 0.5 * columns_) * right_ + (0.5 * rows_ - y) * up_);
  }

 private:
  int columns_, rows_;
  double half_height_;
  Vec3 ahead_, right_, up_;
};

/// Throws for an invalid view.
void check(const View& view, std::size_t pixels) {
  const auto require = [](bool condition, const char* what) {
    if (!condition) throw std::invalid_argument(std::string("Renderer: ") + what);
  };
  require(view.width > 0 && view.height > 0 && view.samples > 0, "width, height and samples must be positive");
  require(pixels == static_cast<std::size_t>(view.width) * static_cast<std::size_t>(view.height),
          "there must be width * height pixels");
  require(view.field_of_view > 0 && view.field_of_view < std::numbers::pi, "field_of_view must be in (0, pi)");
  require(view.daylight >= 0 && view.daylight <= 1, "daylight must be in 0..1");
}

}  // namespace

struct Renderer::Scene {
  VisibleScene visible;
  Paint plain = {};  // of the ground beyond the terrain
  Paint water = {};
  std::vector<Lamp> lamps = {};
  std::vector<const Mover*> in_tile = {};
  std::vector<Rgb> light = {};  // linear, of the whole picture

  void select_movers(const Lens& lens, Vec3 from, int x0, int y0, int x1, int y1);
  void draw_tile(const View& view, const Lens& lens, int x0, int y0);
  void draw_four(const View& view, const Lens& lens, int x, int y, int x1, int y1);
  Rgb through_water(Rgb seen, double distance, Vec3 from, Vec3 d, const Lens& lens, const Shading& shading) const;
  void draw_glow(const View& view, const Lens& lens, const Lamp& lamp);
  Rgb& pixel(const View& view, int x, int y) {
    return light[static_cast<std::size_t>(y) * static_cast<std::size_t>(view.width) + static_cast<std::size_t>(x)];
  }
};

/// Movers that intersect the cone about a tile.
void Renderer::Scene::select_movers(const Lens& lens, Vec3 from, int x0, int y0, int x1, int y1) {
  const Vec3 axis = lens.direction(0.5 * (x0 + x1), 0.5 * (y0 + y1));
  double cosine = 1;
  for (const int x : {x0, x1})
    for (const int y : {y0, y1}) cosine = std::min(cosine, dot(axis, lens.direction(x, y)));
  const double sine = std::sqrt(std::max(1 - cosine * cosine, 0.0)) + 1e-6;
  in_tile.clear();
  for (const Mover& mover : visible.movers()) {
    const Vec3 to = mover.center - from;
    const double along = dot(to, axis), off = std::sqrt(std::max(dot(to, to) - along * along, 0.0));
    if (length(to) <= mover.radius || (off * cosine - along * sine <= mover.radius && along > -mover.radius))
      in_tile.push_back(&mover);
  }
}

void Renderer::Scene::draw_tile(const View& view, const Lens& lens, int x0, int y0) {
  const int x1 = std::min(x0 + kTile, lens.columns()), y1 = std::min(y0 + kTile, lens.rows());
  select_movers(lens, view.pose.p, x0, y0, x1, y1);
  for (int y = y0; y < y1; y += 2)
    for (int x = x0; x < x1; x += 2) draw_four(view, lens, x, y, x1, y1);
}

/// Two by two samples from (x, y) on, as far as they are below (x1, y1).
void Renderer::Scene::draw_four(const View& view, const Lens& lens, int x, int y, int x1, int y1) {
  const Vec3 from = view.pose.p;
  Vec3 d[4], at[4];
  Hit hits[4];
  bool asks[4], in_shadow[4];
  for (int i = 0; i < 4; ++i) d[i] = lens.direction(x + (i & 1) + 0.5, y + (i >> 1) + 0.5);
  cast_four(visible, in_tile, from, d, hits);
  for (int i = 0; i < 4; ++i) {
    // Where the terrain ends, the plain continues.
    if ((hits[i].paint == nullptr || visible.plain_is_ground()) && d[i].y < 0 && visible.plain_y()) {
      const double t = (*visible.plain_y() - from.y) / d[i].y;
      if (t > 0 && t < 20 * kFar && (hits[i].paint == nullptr || t < hits[i].distance))
        hits[i] = {t, &plain, {0, 1, 0}, nullptr};
    }
    asks[i] =
        hits[i].paint != nullptr && hits[i].distance < 1500 && dot(hits[i].normal, kSunDirection) > 0 && view.daylight > 0;
    at[i] = from + hits[i].distance * d[i] + (2e-3 + 1e-4 * hits[i].distance) * hits[i].normal;
  }
  cast_shadows(visible, at, asks, in_shadow);
  const Shading shading(view.daylight, lamps);
  for (int i = 0; i < 4; ++i) {
    const int px = x + (i & 1), py = y + (i >> 1);
    if (px >= x1 || py >= y1) continue;
    const Hit& hit = hits[i];
    Rgb& sum = pixel(view, px / view.samples, py / view.samples);
    if (hit.paint == nullptr) {
      sum = sum + through_water(shading.sky(d[i]), std::numeric_limits<double>::infinity(), from, d[i], lens, shading);
      continue;
    }
    const Vec3 p = from + hit.distance * d[i];
    const Mover* mover = hit.mover;
    const ShadedPoint point{p,
                            hit.normal,
                            mover != nullptr ? mover->inverse_pose * p : p,
                            mover != nullptr ? mover->inverse_pose.q * hit.normal : hit.normal,
                            hit.paint,
                            hit.distance,
                            lens.pixel_angle(),
                            in_shadow[i]};
    sum = sum + through_water(shading.color(point, visible.roads(), d[i]), hit.distance, from, d[i], lens, shading);
  }
}

/// What is seen along from + t d at a distance (m), behind the surface of the water where that is nearer.
Rgb Renderer::Scene::through_water(Rgb seen, double distance, Vec3 from, Vec3 d, const Lens& lens,
                                   const Shading& shading) const {
  if (!visible.water_y() || d.y == 0) return seen;
  // A map's own surface may have the same height.
  constexpr double kLeastDepth = 0.02;  // m
  const double t = (*visible.water_y() - from.y) / d.y;
  if (!(t > 0 && t < 20 * kFar && t + kLeastDepth / std::abs(d.y) < distance)) return seen;
  const Vec3 at = from + t * d, up{0, 1, 0};
  const ShadedPoint point{at, up, at, up, &water, t, lens.pixel_angle(), false};
  return mix(seen, shading.color(point, visible.roads(), d), kWaterOpacity);
}

/// A disc of light where a lamp itself is visible.
void Renderer::Scene::draw_glow(const View& view, const Lens& lens, const Lamp& lamp) {
  const double scale = view.height / (2 * lens.half_height());
  const Vec3 to = lamp.at - view.pose.p, own = inverse(view.pose.q) * to;
  const double distance = length(to);
  if (own.z < 0.05 || distance > 1000) return;
  float power = lamp.intensity;
  if (dot(lamp.direction, lamp.direction) > 0) {  // a cone is bright from the front only
    const double c = -dot(lamp.direction, to) / distance;
    if (c <= 0) return;
    power *= static_cast<float>(c * c);
  }
  // Lamps are often slightly inside their body: surfaces within half a meter of them do not occlude.
  const Vec3 d = (1 / distance) * to;
  Hit hits[4];
  const Vec3 four[4] = {d, d, d, d};
  in_tile.clear();
  for (const Mover& mover : visible.movers()) in_tile.push_back(&mover);
  cast_four(visible, in_tile, view.pose.p, four, hits);
  if (hits[0].distance < distance - 0.5) return;
  const double x = 0.5 * view.width + own.x / own.z * scale, y = 0.5 * view.height - own.y / own.z * scale;
  const double core = std::max(0.07 * scale / own.z, 0.6), radius = 4 * core;
  if (!(std::abs(x) < 1e5) || !(std::abs(y) < 1e5)) return;
  const int xa = std::max(0, static_cast<int>(x - radius)), xb = std::min(view.width - 1, static_cast<int>(x + radius));
  const int ya = std::max(0, static_cast<int>(y - radius)), yb = std::min(view.height - 1, static_cast<int>(y + radius));
  const Vec3& c = lamp.look->color;
  const Rgb color{static_cast<float>(c.x), static_cast<float>(c.y), static_cast<float>(c.z)};
  for (int py = ya; py <= yb; ++py)
    for (int px = xa; px <= xb; ++px) {
      const double dx = px + 0.5 - x, dy = py + 0.5 - y, r = std::sqrt(dx * dx + dy * dy) / core;
      if (r >= 4) continue;
      const auto fall = static_cast<float>(r < 1 ? 1.0 : (1 - (r - 1) / 3) * (1 - (r - 1) / 3) * 0.35);
      Rgb& sum = pixel(view, px, py);
      sum = sum + (1.6f * power * fall) * color;
    }
}

Renderer::Renderer(const Simulation& simulation, Appearance appearance, std::shared_ptr<EmbreeDevice> device)
    : scene_(new Scene{VisibleScene(simulation, std::move(appearance), std::move(device))}) {}
Renderer::~Renderer() = default;

const Diagnostics& Renderer::problems() const { return scene_->visible.problems(); }

const scene::Appearance& Renderer::appearance() const { return scene_->visible.appearance(); }

void Renderer::check_models() { scene_->visible.check_models(); }

bool Renderer::draw(const View& view, std::span<std::uint32_t> pixels, const std::function<bool(int, int)>& keep_going) {
  const FloatModeGuard guard;
  set_float_mode(kDefaultFloatMode);
  check(view, pixels.size());
  Scene& scene = *scene_;
  scene.visible.update(view.moment.get());
  scene.lamps = lit_lamps(scene.visible.lights(), view.moment.get());
  scene.plain.material = Material::ground;
  scene.water.color = kWaterColor;
  scene.light.assign(pixels.size(), Rgb{0, 0, 0});
  const double turn = view.pose.q.w + view.pose.q.x + view.pose.q.y + view.pose.q.z;
  if (!Surface::in_reach(view.pose.p) || !std::isfinite(turn)) {  // the simulation is diverging
    std::fill(pixels.begin(), pixels.end(), 0xff000000u);
    return true;
  }
  const Lens lens(view);
  for (int y = 0; y < lens.rows(); y += kTile) {
    if (keep_going && !keep_going(y, lens.rows())) return false;
    for (int x = 0; x < lens.columns(); x += kTile) scene.draw_tile(view, lens, x, y);
  }
  const float share = 1 / static_cast<float>(view.samples * view.samples);
  if (view.samples > 1)
    for (Rgb& c : scene.light) c = share * c;
  for (const Lamp& lamp : scene.lamps) scene.draw_glow(view, lens, lamp);
  for (std::size_t i = 0; i < pixels.size(); ++i) {
    const Rgb c = scene.light[i];
    pixels[i] = 0xff000000u | static_cast<std::uint32_t>(screen_byte(c.b)) << 16 |
                static_cast<std::uint32_t>(screen_byte(c.g)) << 8 | screen_byte(c.r);
  }
  if (view.noise) add_noise(*view.noise, pixels);
  return true;
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
