// A uniform grid of buckets (Ericson, Real-Time Collision Detection, 2005, section 7.1), filled as a counting sort does: count
// per cell, running sum, scatter. Obstacles far from a box are rejected by their extents, which are kept beside the lists: four
// coordinates in one word, compared at once (Lamport, Multiple byte processing with full-word instructions, 1975). What remains
// is tested by separating axes (Ericson, section 4.4).
#include "lib/town/obstacle_grid.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

namespace simbatch::town {
namespace {
constexpr std::size_t kMaxRing = 64;  // maximum number of corners of a ring that is tested directly

// Packed extents: fields of 15 bits in 16. A field holds a coordinate in 1/4096 of a cell, from 4
// cells below the corner of the cell to 4 above; what is beyond is set to the limit. Such a limit can only let an obstacle pass
// that is rejected later.
constexpr int kFraction = 4096, kLimit = 32767;

/// An extent within a cell: two coordinates, and how far the other two are below the limit.
std::uint64_t packed(__m128i extent, std::int32_t x, std::int32_t z) {
  const __m128i corner = _mm_set_epi32(z, x, z, x);
  const __m128i from = _mm_sub_epi32(_mm_slli_epi32(corner, std::countr_zero(0U + kFraction)), _mm_set1_epi32(kLimit / 2));
  const __m128i fields = _mm_sub_epi32(extent, from);
  const __m128i limited = _mm_max_epi16(_mm_packs_epi32(fields, fields), _mm_setzero_si128());
  constexpr std::uint64_t kBelow = std::uint64_t{kLimit} << 32 | std::uint64_t{kLimit} << 48;
  return static_cast<std::uint64_t>(_mm_cvtsi128_si64(limited)) ^ kBelow;
}
/// Of an obstacle: the highest coordinates, and how far the lowest ones are below the limit.
std::uint64_t packed_obstacle(__m128i extent, std::int32_t x, std::int32_t z) {
  return packed(_mm_shuffle_epi32(extent, _MM_SHUFFLE(1, 0, 3, 2)), x, z);
}
/// The first obstacle from `at` on that meets a query, or `end` or one after it. Of a query, the lowest coordinates are in the
/// place of the highest: every field of an obstacle that meets it is as high. Two of them are compared at once.
/// @pre there is another one at `end`
const std::uint64_t* first_meeting(const std::uint64_t* at, const std::uint64_t* end, std::uint64_t query) {
  const __m128i both = _mm_set1_epi64x(static_cast<std::int64_t>(query));
  for (; at < end; at += 2) {
    const __m128i lower = _mm_cmpgt_epi16(both, _mm_loadu_si128(reinterpret_cast<const __m128i*>(at)));
    const auto fields = static_cast<std::uint32_t>(_mm_movemask_epi8(lower));
    if ((fields & 0xFF) == 0) return at;
    if (fields <= 0xFF) return at + 1;
  }
  return end;
}

/// As meters(), with x and z side by side.
__m128d both_meters(const Point& p) {
  const __m128i millimeters = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(&p));
  return _mm_mul_pd(_mm_cvtepi32_pd(millimeters), _mm_set1_pd(1e-3));
}
Vec2 to_vec2(__m128d both) { return {_mm_cvtsd_f64(both), _mm_cvtsd_f64(_mm_unpackhi_pd(both, both))}; }
/// Lowest and highest x and z of points.
struct Extremes {
  __m128d low = _mm_set1_pd(HUGE_VAL), high = _mm_set1_pd(-HUGE_VAL);
  void add(__m128d both) {
    low = _mm_min_pd(low, both);
    high = _mm_max_pd(high, both);
  }
};
}  // namespace

/// Rounded outward by a fraction more than doubles need.
inline __m128i ObstacleGrid::extent_of(__m128d center, __m128d reach) const {
  const __m128d corner = Cells::both(cells_.low()), scale = _mm_set1_pd(kFraction / cells_.cell());
  const auto fractions = [corner, scale](__m128d place) {
    constexpr double kFar = 1e9;  // beyond all cells, and far enough from overflow
    const __m128d of = _mm_mul_pd(_mm_sub_pd(place, corner), scale);
    return _mm_cvttpd_epi32(_mm_min_pd(_mm_max_pd(of, _mm_set1_pd(-kFar)), _mm_set1_pd(kFar)));
  };
  const __m128i low = fractions(_mm_sub_pd(center, reach)), high = fractions(_mm_add_pd(center, reach));
  return _mm_add_epi32(_mm_unpacklo_epi64(low, high), _mm_set_epi32(2, 2, -2, -2));
}

inline __m128i ObstacleGrid::extent_of(Vec2 center, Vec2 reach) const {
  return extent_of(Cells::both(center), Cells::both(reach));
}

inline ObstacleGrid::Span ObstacleGrid::span_of(const Obstacle& obstacle) const {
  Extremes corners;
  for (const Point& p : points_.subspan(obstacle.first, obstacle.count)) corners.add(both_meters(p));
  const __m128d half = _mm_set1_pd(0.5);
  return {_mm_mul_pd(_mm_add_pd(corners.low, corners.high), half), _mm_mul_pd(_mm_sub_pd(corners.high, corners.low), half),
          kinds_[obstacle.kind].radius + 0.002};
}

Cells::Range ObstacleGrid::row_of(const Obstacle& obstacle, const Cells::Range& all, std::int32_t z) const {
  // The part of the segment near the row, extended by the radius.
  const double radius = kinds_[obstacle.kind].radius + 0.002;
  const Vec2 a = meters(points_[obstacle.first]), b = meters(points_[obstacle.first + 1]);
  const double low = cells_.low().z + z * cells_.cell() - radius, high = cells_.low().z + (z + 1) * cells_.cell() + radius;
  double t0 = (low - a.z) / (b.z - a.z), t1 = (high - a.z) / (b.z - a.z);
  if (t0 > t1) std::swap(t0, t1);
  t0 = std::clamp(t0, 0.0, 1.0);
  t1 = std::clamp(t1, 0.0, 1.0);
  const double xa = a.x + t0 * (b.x - a.x), xb = a.x + t1 * (b.x - a.x);
  const Cells::Range row =
      cells_.range({(xa + xb) / 2, cells_.low().z + (z + 0.5) * cells_.cell()}, {std::fabs(xb - xa) / 2 + radius, 0});
  return {std::max(row.x0, all.x0), std::min(row.x1, all.x1), z, z};
}

ObstacleGrid::ObstacleGrid(std::span<const Point> points, std::vector<Obstacle> obstacles, std::vector<Kind> kinds)
    : points_(points), obstacles_(std::move(obstacles)), kinds_(std::move(kinds)) {
  choose_cells();
  fill_cells();
}

void ObstacleGrid::choose_cells() {
  Extremes all;
  double spread = 0;  // total extent of all obstacles (m)
  for (const Obstacle& obstacle : obstacles_) {
    const std::span<const Point> points = points_.subspan(obstacle.first, obstacle.count);
    spread += 4 * kinds_[obstacle.kind].radius;
    __m128d before = both_meters(points[0]);
    all.add(before);
    for (const Point& p : points.subspan(1)) {
      const __m128d here = both_meters(p);
      all.add(here);
      const Vec2 by = to_vec2(_mm_sub_pd(here, before));
      spread += std::fabs(by.x) + std::fabs(by.z);
      before = here;
    }
  }
  const Vec2 low = obstacles_.empty() ? Vec2{} : to_vec2(all.low), high = obstacles_.empty() ? Vec2{} : to_vec2(all.high);
  constexpr double kMargin = 64;  // houses stand beside the outermost roads
  const Vec2 corner = low - Vec2{kMargin, kMargin};
  extent_ = high + Vec2{kMargin, kMargin} - corner;
  // The table of pages must not outgrow the map: a few objects scattered over a continent get larger cells. So do obstacles
  // that cross many cells, to keep the lists short.
  const double most_pages = std::max<double>(65536, static_cast<double>(obstacles_.size()));
  const double most_listed = 1e6 + 16.0 * static_cast<double>(obstacles_.size());
  const auto too_fine = [&](double cell) {
    return static_cast<double>(Cells::pages_for(extent_.x, cell)) * Cells::pages_for(extent_.z, cell) > most_pages ||
           spread / cell > most_listed;
  };
  // Smaller ones save little time and take more memory. Another size also changes towns: a ring beside a corner of a box, farther
  // than its distance to keep but within that along both sides, counts only if the two have a cell in common.
  double cell = 48;
  while (too_fine(cell)) cell *= 2;
  cells_ = Cells(corner, extent_, cell);
}

/// Calls use(x, z) for the cells of an obstacle.
template <class Use>
void ObstacleGrid::each_cell(const Obstacle& obstacle, const Span& span, Use use) const {
  const Cells::Range r = cells_.range(span.middle, _mm_add_pd(span.half, _mm_set1_pd(span.radius)));
  const bool thin = obstacle.count == 2 && r.x1 > r.x0 && r.z1 > r.z0;  // a slanting corridor: not all cells of its box
  for (std::int32_t z = r.z0; z <= r.z1; ++z) {
    const Cells::Range row = thin ? row_of(obstacle, r, z) : r;
    for (std::int32_t x = row.x0; x <= row.x1; ++x) use(x, z);
  }
}

/// Count, prefix sum, fill from the end: each cell's start ends at its final value.
void ObstacleGrid::fill_cells() {
  struct Entry {
    std::uint32_t cell, number;
    std::uint64_t bounds;
  };
  std::vector<Entry> entries;
  entries.reserve(2 * obstacles_.size());
  for (std::size_t i = 0; i < obstacles_.size(); ++i) {
    const Obstacle& obstacle = obstacles_[i];
    const Span span = span_of(obstacle);
    // For rings the box is grown by the radius, so its corners reach farther.
    const double reach = obstacle.count > 2 ? span.radius * 1.5 : span.radius;
    const __m128i extent = extent_of(span.middle, _mm_add_pd(span.half, _mm_set1_pd(reach)));
    each_cell(obstacle, span, [&](std::int32_t x, std::int32_t z) {
      const std::uint32_t cell = cells_.need(x, z);
      if (cell >= starts_.size()) starts_.resize(cells_.count(), 0);
      ++starts_[cell];
      entries.push_back({cell, static_cast<std::uint32_t>(i), packed_obstacle(extent, x, z)});
    });
  }
  starts_.push_back(0);
  std::uint32_t sum = 0;
  for (std::uint32_t& start : starts_) start = sum += start;
  listed_ = std::make_unique_for_overwrite<std::uint32_t[]>(sum);
  bounds_ = std::make_unique_for_overwrite<std::uint64_t[]>(sum + std::size_t{1});
  bounds_[sum] = 0;  // they are read in pairs
  for (std::size_t i = entries.size(); i-- > 0;) {
    const std::uint32_t place = --starts_[entries[i].cell];
    listed_[place] = entries[i].number;
    bounds_[place] = entries[i].bounds;
  }
}

double ObstacleGrid::listed_pairs() const {
  double pairs = 0;
  for (std::size_t cell = 0; cell + 1 < starts_.size(); ++cell) {
    const double listed = starts_[cell + 1] - starts_[cell];
    pairs += listed * listed;
  }
  return pairs;
}

template <class Use>
void ObstacleGrid::each_meeting(const Cells::Range& r, __m128i query, Use use) const {
  for (std::int32_t z = r.z0; z <= r.z1; ++z)
    for (std::int32_t x = r.x0; x <= r.x1; ++x) {
      const std::uint32_t cell = cells_.at(x, z);
      if (cell == Cells::kNone) continue;
      const std::uint64_t here = packed(query, x, z);
      const std::uint64_t *at = bounds_.get() + starts_[cell], *const end = bounds_.get() + starts_[cell + 1];
      for (;; ++at) {
        at = first_meeting(at, end, here);
        if (at >= end) break;
        if (!use(listed_[static_cast<std::size_t>(at - bounds_.get())])) return;
      }
    }
}

double ObstacleGrid::clear_of(const Obstacle& obstacle, const Box& box) const {
  if (obstacle.count > 2) return clear_of_ring(obstacle, box);
  const double radius = kinds_[obstacle.kind].radius;
  const Vec2 from = meters(points_[obstacle.first]) - box.center;
  const Vec2 to = obstacle.count == 2 ? meters(points_[obstacle.first + 1]) - box.center : from;
  // Most corridors are those of its own street and of others along it.
  const double from_v = dot(from, box.v), to_v = dot(to, box.v), far = box.half_v + radius;
  if (std::min(from_v, to_v) >= far || std::max(from_v, to_v) <= -far) return 0;
  return distance_to_clear_segment(box, {dot(from, box.u), from_v}, {dot(to, box.u), to_v}, radius);
}

double ObstacleGrid::clear_of_ring(const Obstacle& obstacle, const Box& box) const {
  std::array<Vec2, kMaxRing> ring;
  const std::size_t n = std::min<std::size_t>(obstacle.count, kMaxRing);
  for (std::size_t i = 0; i < n; ++i) ring[i] = box.local(points_[obstacle.first + i]);
  const double radius = kinds_[obstacle.kind].radius;
  Box grown = box;
  grown.half_u += radius;
  grown.half_v += radius;
  return distance_to_clear_ring(grown, std::span(ring.data(), n));
}

void ObstacleGrid::test(const Box& box, Hit& hit) const {
  const Vec2 reach = box.reach();
  // An obstacle in several cells is visited several times, usually in close succession.
  std::array<std::uint32_t, 4> met{};
  met.fill(Cells::kNone);
  std::size_t next = 0;
  each_meeting(cells_.range(box.center, reach), extent_of(box.center, reach), [&](std::uint32_t number) {
    if (std::find(met.begin(), met.end(), number) != met.end()) return true;
    met[next++ % met.size()] = number;
    const Obstacle& obstacle = obstacles_[number];
    const double clear = clear_of(obstacle, box);
    if (clear > 0) hit.take(Hit{clear, kinds_[obstacle.kind].reason, false, number, {}});
    return true;
  });
}

std::uint32_t ObstacleGrid::first_crossing(Vec2 a, Vec2 b) const {
  std::uint32_t best = Cells::kNone;
  double best_t = 2;
  // Piece by piece from a: an obstacle that crosses a piece is in a cell touched by it.
  const int pieces = std::max(1, static_cast<int>(length(b - a) / cells_.cell()));
  const Vec2 by = (b - a) * (1.0 / pieces);
  const __m128i whole = extent_of((a + b) * 0.5, {std::fabs(b.x - a.x) * 0.5, std::fabs(b.z - a.z) * 0.5});
  for (int piece = 0; piece < pieces && best_t * pieces > piece; ++piece) {
    const Vec2 middle = a + by * (piece + 0.5), reach{std::fabs(by.x) * 0.5, std::fabs(by.z) * 0.5};
    each_meeting(cells_.range(middle, reach), whole, [&](std::uint32_t number) {
      const Obstacle& obstacle = obstacles_[number];
      if (obstacle.count != 2 || kinds_[obstacle.kind].reason != Reason::road) return true;
      const Vec2 p = meters(points_[obstacle.first]), q = meters(points_[obstacle.first + 1]);
      const double along = cross(b - a, q - p);
      if (along == 0) return true;
      const double t = cross(p - a, q - p) / along, s = cross(p - a, b - a) / along;
      if (t < 0 || t > 1 || s < 0 || s > 1) return true;
      if (t < best_t || (t == best_t && number < best)) {
        best_t = t;
        best = number;
      }
      return true;
    });
  }
  return best;
}

bool ObstacleGrid::cuts(Vec2 a, Vec2 b) const {
  const auto crosses = [&](Vec2 p, Vec2 q) {
    const double along = cross(b - a, q - p);
    if (along == 0) return false;
    const double t = cross(p - a, q - p) / along, s = cross(p - a, b - a) / along;
    return t >= 0 && t <= 1 && s >= 0 && s <= 1;
  };
  const Vec2 middle = (a + b) * 0.5, reach{std::fabs(b.x - a.x) * 0.5, std::fabs(b.z - a.z) * 0.5};
  bool cut = false;
  each_meeting(cells_.range(middle, reach), extent_of(middle, reach), [&](std::uint32_t number) {
    const Obstacle& obstacle = obstacles_[number];
    const Reason reason = kinds_[obstacle.kind].reason;
    if (obstacle.count < 2 || reason == Reason::road || reason == Reason::path || reason == Reason::house) return true;
    for (std::uint32_t k = 0; k + 1 < obstacle.count && !cut; ++k)
      cut = crosses(meters(points_[obstacle.first + k]), meters(points_[obstacle.first + k + 1]));
    if (obstacle.count > 2 && !cut)
      cut = crosses(meters(points_[obstacle.first + obstacle.count - 1]), meters(points_[obstacle.first]));
    return !cut;
  });
  return cut;
}

}  // namespace simbatch::town
