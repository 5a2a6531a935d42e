// Procedural textures (Perlin 1985; Ebert et al., Texturing and Modeling): value noise on a lattice with an integer hash,
// smooth steps between; lines are box-filtered over a pixel, and detail finer than a pixel fades out.

#include "lib/sim/scene/paint.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace simbatch::scene {
namespace {

/// Whole numbers below, without a call into the math library.
std::int64_t floor_of(double x) {
  if (!(x > -4e15 && x < 4e15)) return 0;  // nothing is that far away
  const auto i = static_cast<std::int64_t>(x);
  return i - (static_cast<double>(i) > x ? 1 : 0);
}

/// 0 for NaN.
float clamp01(float x) { return !(x > 0) ? 0 : std::min(x, 1.0f); }

constexpr std::uint32_t kAcross = 0x8da6b343u, kUp = 0xd8163841u, kSalt = 0xcb1ab31fu;

float mixed(std::uint32_t h) {
  h ^= h >> 15;
  h *= 0x2c1b3c6du;
  h ^= h >> 13;
  return static_cast<float>(h >> 8) * 0x1p-24f;
}

/// A number in 0..1 for a square of a grid.
float hash(std::int64_t x, std::int64_t z, std::uint32_t salt = 0) {
  return mixed(static_cast<std::uint32_t>(x) * kAcross + static_cast<std::uint32_t>(z) * kUp + salt * kSalt);
}

/// Smooth noise in 0..1 with features of `size` m.
float noise(double x, double z, double size, std::uint32_t salt) {
  const double scale = 1 / size, u = x * scale, v = z * scale;
  const std::int64_t i = floor_of(u), j = floor_of(v);
  auto a = static_cast<float>(u - static_cast<double>(i)), b = static_cast<float>(v - static_cast<double>(j));
  a = a * a * (3 - 2 * a);
  b = b * b * (3 - 2 * b);
  const std::uint32_t h = static_cast<std::uint32_t>(i) * kAcross + static_cast<std::uint32_t>(j) * kUp + salt * kSalt;
  const float low = mixed(h) * (1 - a) + mixed(h + kAcross) * a, high = mixed(h + kUp) * (1 - a) + mixed(h + kAcross + kUp) * a;
  return low * (1 - b) + high * b;
}

/// Fraction of a pixel of that width about x covered by a line of half width `half` about `at`.
float line(double x, double at, double half, double pixel) {
  const double reach = std::max(pixel, 1e-4) / 2;
  const double low = std::max(x - reach, at - half), high = std::min(x + reach, at + half);
  return static_cast<float>(std::max(high - low, 0.0) / (2 * reach));
}

/// Noise that fades where pixels are larger than its features.
float faded(double size, double pixel) { return clamp01(static_cast<float>(1.5 - pixel / size)); }

Rgb ground(Vec3 p, double pixel) {
  constexpr Rgb grass = screen_color(104, 134, 66), dry = screen_color(142, 147, 86);
  const float patches = noise(p.x, p.z, 23, 1) * 0.6f + (faded(5, pixel) > 0 ? noise(p.x, p.z, 5, 2) : 0.5f) * 0.4f;
  const Rgb base = mix(grass, dry, clamp01(patches * 1.3f - 0.25f));
  const float near = faded(0.35, pixel), blades = near > 0 ? (noise(p.x, p.z, 0.35, 3) - 0.5f) * 0.35f * near : 0;
  return (1 + blades) * base;
}

Rgb asphalt(Vec3 p, double pixel) {
  const float near = faded(0.12, pixel), grain = near > 0 ? (noise(p.x, p.z, 0.12, 4) - 0.5f) * 0.25f * near : 0;
  const float wear = (noise(p.x, p.z, 6, 5) - 0.5f) * 0.14f;
  return (1 + grain + wear) * screen_color(92, 93, 97);
}

/// Crossings as stripes along the road, 3 m long; stop lines 0.5 m thick.
float marks_across(const RoadMap::Place& place, double pixel, bool only_crossings) {
  constexpr double kReach = 2, kHalfCrossing = 1.5, kHalfStop = 0.25;  // m
  if (place.marks == nullptr || !place.is_marked) return 0;
  float paint = 0;
  auto mark = std::lower_bound(place.marks->begin(), place.marks->end(), place.along - kReach,
                               [](const RoadMarkAppearance& m, double along) { return m.along < along; });
  for (; mark != place.marks->end() && mark->along <= place.along + kReach; ++mark) {
    const double inner = place.width / 2 - 0.4;
    const float within = line(place.across, 0, inner, pixel);
    if (!mark->is_stop_line) {
      const double stripe = place.right - static_cast<double>(floor_of(place.right));  // 1 m apart, half of it white
      const float white = pixel > 1 ? 0.5f : line(stripe, 0.5, 0.25, pixel);
      paint = std::max(paint, within * white * line(place.along, mark->along, kHalfCrossing, pixel));
    } else if (!only_crossings && (place.is_one_way || mark->side == 0 || place.right * mark->side > 0)) {
      paint = std::max(paint, within * line(place.along, mark->along, kHalfStop, pixel));
    }
  }
  return paint;
}

constexpr Rgb kRoadPaint = screen_color(235, 235, 228), kYellowPaint = screen_color(226, 176, 36);

/// Share of a dashed line that is painted: 3 m of each 6 m. In the distance the dashes merge into a faint line.
float dashed(double along, double pixel) {
  const double period = 6, on = 3;
  const double u = along - static_cast<double>(floor_of(along / period)) * period;
  return pixel > 3 ? 0.5f : line(u, on / 2, on / 2, pixel);
}

/// The line at a lane's border, inside of it: single ones 0.1 m wide.
Rgb border_lines(Rgb color, const LaneLines& lines, const RoadMap::Place& place, double pixel) {
  const LaneLine kind = place.right > 0 ? lines.right : lines.left;
  const double border = place.width / 2;
  if (kind == LaneLine::none) return color;
  if (kind == LaneLine::double_yellow) {
    const float both = line(place.across, border - 0.09, 0.05, pixel) + line(place.across, border - 0.27, 0.05, pixel);
    return mix(color, kYellowPaint, clamp01(both) * 0.9f);
  }
  const float on = kind == LaneLine::broken_white ? dashed(place.along, pixel) : 1;
  const float paint = line(place.across, border - 0.15, 0.05, pixel) * on;
  return mix(color, kind == LaneLine::solid_yellow ? kYellowPaint : kRoadPaint, paint * 0.9f);
}

Rgb junction(Vec3 p, const RoadMap& roads, double pixel) {
  const Rgb color = asphalt(p, pixel);
  if (!roads.has_marks()) return color;
  return mix(color, kRoadPaint, marks_across(roads.at(p), pixel, true) * 0.9f);
}

Rgb lane(Vec3 p, const RoadMap& roads, double pixel) {
  Rgb color = asphalt(p, pixel);
  const RoadMap::Place place = roads.at(p);
  if (!(place.width > 0)) return color;
  if (!place.is_marked) return color * screen_color(236, 226, 210);
  if (place.lines)
    return mix(border_lines(color, *place.lines, place, pixel), kRoadPaint, marks_across(place, pixel, false) * 0.9f);
  float paint = line(place.across, place.width / 2 - 0.3, 0.07, pixel);
  const int lanes = place.lanes > 0 ? place.lanes : place.width >= 5.5 && !place.is_one_way ? 2 : 1;
  if (lanes > 1) {
    // The border of two lanes that is nearest. That between the directions is solid where there is more than one lane in each.
    const double wide = place.width / lanes, middle = lanes % 2 == 0 ? 0 : 0.5 * wide;
    const double border = std::abs(static_cast<double>(floor_of((place.across - middle) / wide + 0.5)) * wide + middle);
    const bool is_between = !place.is_one_way && lanes > 2 && lanes % 2 == 0 && border < 0.25 * wide;
    if (border < place.width / 2 - 0.25 * wide)
      paint = std::max(paint, line(place.across, border, 0.07, pixel) * (is_between ? 1 : dashed(place.along, pixel)));
  }
  paint = std::max(paint, marks_across(place, pixel, false));
  return mix(color, kRoadPaint, paint * 0.9f);
}

Rgb pavement(Vec3 p, double pixel) {
  constexpr Rgb slab = screen_color(178, 172, 160);
  const double size = 0.5;
  const double u = p.x / size, v = p.z / size;
  const float tone = (hash(floor_of(u), floor_of(v), 6) - 0.5f) * 0.14f * faded(size, pixel);
  const double du = (u - static_cast<double>(floor_of(u)) - 0.5) * size,
               dv = (v - static_cast<double>(floor_of(v)) - 0.5) * size;
  const float joint = std::max(line(std::abs(du), size / 2, 0.015, pixel), line(std::abs(dv), size / 2, 0.015, pixel));
  return (1 + tone) * (1 - 0.35f * std::min(joint, 1.0f) * faded(size, pixel)) * slab;
}

/// Walls with rows of windows, and a roof.
Rgb facade(const Paint& paint, Vec3 p, Vec3 n, double pixel) {
  if (n.y > 0.3) {
    const float near = faded(0.4, pixel),
                tiles = near > 0 ? (noise(p.x + p.z, p.y * 3 + p.x - p.z, 0.4, 7) - 0.5f) * 0.25f * near : 0;
    return (1 + tiles) * paint.second;
  }
  if (n.y < -0.5) return 0.5f * paint.color;
  Rgb wall = (1 + (noise(p.x - p.z, p.y, 1.7, 8) - 0.5f) * 0.06f) * paint.color;
  const double along = n.z * p.x - n.x * p.z, above = p.y - static_cast<double>(paint.base);
  if (above < 0.45) return 0.62f * wall;  // plinth
  if (above > static_cast<double>(paint.windows)) return wall;
  const double wide = 2.9, high = static_cast<double>(paint.floor_height);
  const double u = along / wide, v = above / high;
  const double du = (u - static_cast<double>(floor_of(u)) - 0.5) * wide,
               dv = (v - static_cast<double>(floor_of(v)) - 0.52) * high;
  const float glass = line(du, 0, 0.6, pixel) * line(dv, 0, 0.68, pixel);
  const float frame = line(du, 0, 0.72, pixel) * line(dv, 0, 0.8, pixel);
  const float bar = line(du, 0, 0.04, pixel);
  const float lit = hash(floor_of(u), floor_of(v), 9);
  const Rgb pane = mix(screen_color(62, 78, 96), screen_color(150, 172, 190), lit * 0.5f);
  constexpr Rgb white = screen_color(232, 230, 224);
  return mix(mix(wall, white, frame), mix(pane, white, bar), glass);
}

/// Sheet metal below, glass in the cabin's sides (tessellated so that they lean inwards), lamps at the ends.
Rgb vehicle(const Paint& paint, Vec3 p, Vec3 n) {
  if (static_cast<float>(p.y) > paint.base && n.y < 0.85) return paint.second;
  if (std::abs(n.z) > 0.9 && static_cast<float>(p.y) > paint.base - paint.floor_height * 0.45f &&
      static_cast<float>(p.y) < paint.base - paint.floor_height * 0.1f &&
      std::abs(static_cast<float>(p.x)) > paint.floor_height)
    return n.z > 0 ? screen_color(250, 246, 225) : screen_color(190, 22, 20);
  if (static_cast<float>(p.y) < paint.base - paint.floor_height * 0.85f) return screen_color(38, 38, 40);
  return paint.color;
}

/// A tire about +x with a rim of five spokes.
Rgb wheel(const Paint& paint, Vec3 p, Vec3 n) {
  if (std::abs(n.x) < 0.5) return paint.color;
  const double r2 = (p.y * p.y + p.z * p.z) / static_cast<double>(paint.base * paint.base);
  if (r2 > 0.46) return paint.color;
  if (r2 < 0.03) return 0.6f * paint.second;
  // Spokes: where the fifth turn of the angle points forward; cos 5a by multiplication, without the library's cosine.
  const double c = p.z / std::sqrt(p.y * p.y + p.z * p.z), c2 = c * c, five = c * (16 * c2 * c2 - 20 * c2 + 5);
  return five > -0.2 || r2 > 0.4 ? paint.second : 0.3f * paint.second;
}

}  // namespace

std::uint8_t screen_byte(float value) {
  // Byte b covers brightness b - 1/2 to b + 1/2 of the display. `first` begins the search in `from`; its first entries are coarse,
  // as the darkest bytes are closer to each other than its steps.
  struct Tables {
    std::array<float, 257> from{};           // least brightness of each byte; the last one is never reached
    std::array<std::uint8_t, 4097> first{};  // byte of the least brightness of each step
  };
  static const Tables tables = [] {
    Tables made;
    for (std::size_t byte = 1; byte < 256; ++byte) {
      const double x = (static_cast<double>(byte) - 0.5) / 255;
      made.from[byte] = static_cast<float>(x * x * (0.8 + 0.2 * x));
    }
    made.from[256] = 2;
    std::size_t byte = 0;
    for (std::size_t i = 0; i < made.first.size(); ++i) {
      while (made.from[byte + 1] <= static_cast<float>(i) / 4096) ++byte;
      made.first[i] = static_cast<std::uint8_t>(byte);
    }
    return made;
  }();
  const float y = clamp01(value);
  std::size_t byte = tables.first[static_cast<std::size_t>(y * 4096)];
  while (tables.from[byte + 1] <= y) ++byte;
  return static_cast<std::uint8_t>(byte);
}

RoadMap::RoadMap(const std::vector<RoadAppearance>& roads) {
  double low_x = 0, low_z = 0, high_x = 0, high_z = 0;
  for (const RoadAppearance& road : roads) {
    double along = 0;
    for (std::size_t i = 0; i + 1 < road.line.size(); ++i) {
      const double x = road.line[i].east, z = road.line[i].north, dx = road.line[i + 1].east - x,
                   dz = road.line[i + 1].north - z;
      const double length = std::sqrt(dx * dx + dz * dz);
      if (!(length > 0) || !(length < 1e5)) continue;
      if (segments_.empty()) low_x = high_x = x, low_z = high_z = z;
      for (const auto& p : {road.line[i], road.line[i + 1]}) {
        low_x = std::min(low_x, p.east - road.width);
        high_x = std::max(high_x, p.east + road.width);
        low_z = std::min(low_z, p.north - road.width);
        high_z = std::max(high_z, p.north + road.width);
      }
      constexpr double kAnyHeight = std::numeric_limits<double>::quiet_NaN();
      const bool has_y = i + 1 < road.y.size();
      const double y = has_y ? road.y[i] : kAnyHeight, dy = has_y ? (road.y[i + 1] - y) / length : 0;
      segments_.push_back({x, z, dx / length, dz / length, length, along, road.width, road.is_marked, road.is_one_way,
                           road.lanes, static_cast<std::uint32_t>(marks_.size()), y, dy, road.lines});
      along += length;
    }
    has_marks_ = has_marks_ || !road.marks.empty();
    marks_.push_back(road.marks);
  }
  if (segments_.empty()) return;
  // At most 3,750 cells to a side, whatever the size of the map.
  constexpr double kMostCells = 3750;
  cell_ = std::max(cell_, std::max(high_x - low_x, high_z - low_z) / kMostCells);
  x0_ = low_x;
  z0_ = low_z;
  nx_ = static_cast<int>((high_x - low_x) / cell_) + 1;
  nz_ = static_cast<int>((high_z - low_z) / cell_) + 1;
  starts_.assign(static_cast<std::size_t>(nx_) * static_cast<std::size_t>(nz_) + 1, 0);
  // Two passes: count, then place.
  for (int pass = 0; pass < 2; ++pass) {
    if (pass == 1) {
      for (std::size_t i = 1; i < starts_.size(); ++i) starts_[i] += starts_[i - 1];
      items_.resize(starts_.back());
    }
    for (std::size_t s = segments_.size(); s-- > 0;) {
      const Segment& g = segments_[s];
      const double reach = g.width / 2 + 0.1, ex = g.x + g.dx * g.length, ez = g.z + g.dz * g.length;
      const auto index = [&](double v, double origin, int n) {
        return std::clamp(static_cast<int>((v - origin) / cell_), 0, n - 1);
      };
      const int za = index(std::min(g.z, ez) - reach, z0_, nz_), zb = index(std::max(g.z, ez) + reach, z0_, nz_);
      for (int z = za; z <= zb; ++z) {
        // The part of the segment in this row of cells.
        double from = 0, to = 1;
        if (ez != g.z) {
          const double low = (z0_ + z * cell_ - reach - g.z) / (ez - g.z),
                       high = (z0_ + (z + 1) * cell_ + reach - g.z) / (ez - g.z);
          from = std::clamp(std::min(low, high), 0.0, 1.0);
          to = std::clamp(std::max(low, high), 0.0, 1.0);
        }
        const double x1 = g.x + from * (ex - g.x), x2 = g.x + to * (ex - g.x);
        const int xa = index(std::min(x1, x2) - reach, x0_, nx_), xb = index(std::max(x1, x2) + reach, x0_, nx_);
        for (int x = xa; x <= xb; ++x) {
          const auto c = static_cast<std::size_t>(z) * static_cast<std::size_t>(nx_) + static_cast<std::size_t>(x);
          if (pass == 0)
            ++starts_[c];
          else
            items_[--starts_[c]] = static_cast<std::uint32_t>(s);
        }
      }
    }
  }
}

const RoadMap::Segment* RoadMap::segment_at(Vec3 p, double& square) const {
  constexpr double kSameLevel = 2;  // m
  const double x = p.x, z = p.z;
  const double u = (x - x0_) / cell_, v = (z - z0_) / cell_;
  if (segments_.empty() || !(u >= 0) || !(v >= 0) || u >= nx_ || v >= nz_) return nullptr;
  const Segment *best = nullptr, *street = nullptr;  // street: marked, and not beyond its ends, where a track may go on
  double on_street = 0;
  const auto c = static_cast<std::size_t>(v) * static_cast<std::size_t>(nx_) + static_cast<std::size_t>(u);
  for (std::uint32_t i = starts_[c]; i < starts_[c + 1]; ++i) {
    const Segment& g = segments_[items_[i]];
    const double px = x - g.x, pz = z - g.z, along = px * g.dx + pz * g.dz, t = std::clamp(along, 0.0, g.length);
    const double ox = px - t * g.dx, oz = pz - t * g.dz, off = ox * ox + oz * oz, reach = g.width / 2 + 0.1;
    if (off > reach * reach) continue;
    const bool is_street = g.is_marked && along == t && (street == nullptr || off < on_street);
    const bool is_nearest = best == nullptr || off < square;
    if (!is_street && !is_nearest) continue;
    if (std::abs(g.y + t * g.dy - p.y) > kSameLevel) continue;  // never of those at any height
    if (is_street) street = &g, on_street = off;
    if (is_nearest) best = &g, square = off;
  }
  if (best == nullptr || best->is_marked || street == nullptr) return best;
  square = on_street;
  return street;
}

RoadMap::Place RoadMap::at(Vec3 p) const {
  double square = 0;
  const Segment* g = segment_at(p, square);
  if (g == nullptr) return {};
  const double t = std::clamp((p.x - g->x) * g->dx + (p.z - g->z) * g->dz, 0.0, g->length);
  const std::vector<RoadMarkAppearance>& marks = marks_[g->road];
  return {std::sqrt(square),
          g->along + t,
          g->width,
          g->is_marked,
          g->lanes,
          g->is_one_way,
          (p.x - g->x) * g->dz - (p.z - g->z) * g->dx,
          marks.empty() ? nullptr : &marks,
          g->lines};
}

RoadMap::Frame RoadMap::frame_at(Vec3 p) const {
  double square = 0;
  const Segment* g = segment_at(p, square);
  if (g == nullptr) return {};
  return {g->x, g->z, g->dx, g->dz, g->along, g->width, g->is_marked, g->lanes, g->is_one_way, g->lines};
}

Rgb surface_color(const Paint& paint, const RoadMap& roads, Vec3 p, Vec3 normal, double pixel) {
  switch (paint.material) {
    case Material::ground: return ground(p, pixel);
    case Material::road: return lane(p, roads, pixel);
    case Material::junction: return junction(p, roads, pixel);
    case Material::pavement: return pavement(p, pixel);
    case Material::kerb: return (1 + (noise(p.x + p.z, p.x - p.z, 1.0, 10) - 0.5f) * 0.1f) * screen_color(206, 202, 194);
    case Material::building:
    case Material::house: return facade(paint, p, normal, pixel);
    case Material::tree:
      return (0.75f +
              0.5f * (noise(p.x + p.z * 0.7, p.y + p.z, 0.5, 11) * faded(0.5, pixel) + 0.5f * (1 - faded(0.5, pixel)))) *
             paint.color;
    case Material::vehicle: return vehicle(paint, p, normal);
    case Material::wheel: return wheel(paint, p, normal);
    case Material::plain: break;
  }
  return paint.color;
}

Rgb sky_color(Vec3 ray, Vec3 sun_direction) {
  const float up = clamp01(static_cast<float>(ray.y)), fade = (1 - up) * (1 - up) * (1 - up);
  Rgb color = mix(screen_color(86, 138, 205), kHorizon, fade);
  const auto towards = static_cast<float>(dot(ray, sun_direction));
  if (towards > 0.9994f) return {1.4f, 1.35f, 1.2f};
  if (towards > 0.9f) {
    const float glow = (towards - 0.9f) * 10;
    color = mix(color, {1.0f, 0.97f, 0.88f}, glow * glow * glow * 0.5f);
  }
  return color;
}

}  // namespace simbatch::scene
