// A uniform grid of buckets (Ericson, Real-Time Collision Detection, 2005, section 7.1), filled as a counting sort does: count
// per cell, running sum, scatter. Points far from a box are rejected by the outcodes of Cohen and Sutherland (Foley et al.
// 1990, 3.12), what remains by separating axes (Ericson, section 4.4).
#include "lib/town/obstacle_grid.hpp"

#include <emmintrin.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace simbatch::town {
namespace {
constexpr std::size_t kMaxRing = 64;  // maximum number of corners of a ring that is tested directly

/// The axis-aligned extent of a box, for fast rejection.
class Extent {
 public:
  Extent(Vec2 center, Vec2 reach) {
    // No point is farther than 2000 km from the origin, so that coordinates plus any radius fit into 32 bits.
    const auto mm = [](double m) { return static_cast<std::int32_t>(m * 1000); };
    const std::int32_t x0 = mm(center.x - reach.x) - 1, z0 = mm(center.z - reach.z) - 1;
    const std::int32_t x1 = mm(center.x + reach.x) + 1, z1 = mm(center.z + reach.z) + 1;
    low_ = _mm_setr_epi32(x0, z0, x0, z0);
    high_ = _mm_setr_epi32(x1, z1, x1, z1);
  }
  /// True if all points are outside the same side of the extent by more than `by` (mm). Two points at a time, by the outcodes
  /// of Cohen and Sutherland.
  bool apart(const Point* points, std::size_t count, std::int32_t by) const {
    const __m128i grow = _mm_set1_epi32(by), low = _mm_sub_epi32(low_, grow), high = _mm_add_epi32(high_, grow);
    int below = 15, above = 15;
    const auto look = [&](__m128i two) {
      below &= _mm_movemask_ps(_mm_castsi128_ps(_mm_cmplt_epi32(two, low)));
      above &= _mm_movemask_ps(_mm_castsi128_ps(_mm_cmpgt_epi32(two, high)));
    };
    std::size_t k = 0;
    for (; k + 2 <= count; k += 2) look(_mm_loadu_si128(reinterpret_cast<const __m128i*>(points + k)));
    if (k < count) {
      const __m128i one = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(points + k));
      look(_mm_unpacklo_epi64(one, one));
    }
    return ((below & below >> 2) | (above & above >> 2)) & 3;
  }

 private:
  __m128i low_, high_;
};
}  // namespace

Cells::Range ObstacleGrid::range_of(const Obstacle& obstacle, bool& thin) const {
  Point low{INT32_MAX, INT32_MAX}, high{INT32_MIN, INT32_MIN};
  for (std::uint32_t i = obstacle.first; i < obstacle.first + obstacle.count; ++i) {
    low = {std::min(low.x, points_[i].x), std::min(low.z, points_[i].z)};
    high = {std::max(high.x, points_[i].x), std::max(high.z, points_[i].z)};
  }
  const double radius = kinds_[obstacle.kind].radius + 0.002;  // and the effect of rounding to millimeters
  const Vec2 a = meters(low), b = meters(high);
  const Cells::Range r = cells_.range((a + b) * 0.5, (b - a) * 0.5 + Vec2{radius, radius});
  thin = obstacle.count == 2 && r.x1 > r.x0 && r.z1 > r.z0;  // a slanting corridor: not all cells of its box
  return r;
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

template <class Use>
void ObstacleGrid::each_cell(const Obstacle& obstacle, Use use) const {
  bool thin = false;
  const Cells::Range r = range_of(obstacle, thin);
  for (std::int32_t z = r.z0; z <= r.z1; ++z) {
    const Cells::Range row = thin ? row_of(obstacle, r, z) : r;
    for (std::int32_t x = row.x0; x <= row.x1; ++x) use(x, z);
  }
}

ObstacleGrid::ObstacleGrid(std::span<const Point> points, std::vector<Obstacle> obstacles, std::vector<Kind> kinds)
    : points_(points), obstacles_(std::move(obstacles)), kinds_(std::move(kinds)) {
  for (const Kind& kind : kinds_) reach_.push_back(static_cast<std::int32_t>(std::ceil(kind.radius * 1000)));
  Point low{0, 0}, high{0, 0};
  if (!obstacles_.empty()) {
    low = {INT32_MAX, INT32_MAX};
    high = {INT32_MIN, INT32_MIN};
  }
  for (const Obstacle& obstacle : obstacles_)
    for (std::uint32_t i = obstacle.first; i < obstacle.first + obstacle.count; ++i) {
      low = {std::min(low.x, points_[i].x), std::min(low.z, points_[i].z)};
      high = {std::max(high.x, points_[i].x), std::max(high.z, points_[i].z)};
    }
  constexpr double kMargin = 64;  // houses stand beside the outermost roads
  const Vec2 corner = meters(low) - Vec2{kMargin, kMargin};
  extent_ = meters(high) + Vec2{kMargin, kMargin} - corner;
  // The table of pages must not outgrow the map: a few objects scattered over a continent get larger cells. So do obstacles
  // that cross many cells, to keep the lists short.
  const double most_pages = std::max<double>(65536, static_cast<double>(obstacles_.size()));
  const double most_listed = 1e6 + 16.0 * static_cast<double>(obstacles_.size());
  double spread = 0;  // total extent of all obstacles (m)
  for (const Obstacle& obstacle : obstacles_) {
    spread += 4 * kinds_[obstacle.kind].radius;
    for (std::uint32_t i = obstacle.first; i + 1 < obstacle.first + obstacle.count; ++i)
      spread += std::fabs(meters(points_[i + 1]).x - meters(points_[i]).x) +
                std::fabs(meters(points_[i + 1]).z - meters(points_[i]).z);
  }
  const auto too_fine = [&](double cell) {
    return static_cast<double>(Cells::pages_for(extent_.x, cell)) * Cells::pages_for(extent_.z, cell) > most_pages ||
           spread / cell > most_listed;
  };
  // Smaller ones save little time and take more memory. Another size also changes towns: a ring beside a corner of a box, farther
  // than its distance to keep but within that along both sides, counts only if the two have a cell in common.
  double cell = 48;
  while (too_fine(cell)) cell *= 2;
  cells_ = Cells(corner, extent_, cell);

  // Count, prefix sum, fill from the end: each cell's start ends at its final value.
  for (const Obstacle& obstacle : obstacles_)
    each_cell(obstacle, [&](std::int32_t x, std::int32_t z) {
      const std::uint32_t number = cells_.need(x, z);
      if (number >= starts_.size()) starts_.resize(cells_.count(), 0);
      ++starts_[number];
    });
  starts_.resize(cells_.count() + 1, 0);
  std::uint32_t sum = 0;
  for (std::uint32_t& start : starts_) start = sum += start;
  listed_.resize(sum);
  for (std::size_t i = obstacles_.size(); i-- > 0;)
    each_cell(obstacles_[i],
              [&](std::int32_t x, std::int32_t z) { listed_[--starts_[cells_.at(x, z)]] = static_cast<std::uint32_t>(i); });
}

double ObstacleGrid::clear_of(const Obstacle& obstacle, const Box& box) const {
  const double radius = kinds_[obstacle.kind].radius;
  if (obstacle.count <= 2) {
    const Vec2 a = box.local(points_[obstacle.first]);
    const Vec2 b = obstacle.count == 2 ? box.local(points_[obstacle.first + 1]) : a;
    return distance_to_clear_segment(box, a, b, radius);
  }
  std::array<Vec2, kMaxRing> ring;
  const std::size_t n = std::min<std::size_t>(obstacle.count, kMaxRing);
  for (std::size_t i = 0; i < n; ++i) ring[i] = box.local(points_[obstacle.first + i]);
  Box grown = box;
  grown.half_u += radius;
  grown.half_v += radius;
  return distance_to_clear_ring(grown, std::span(ring.data(), n));
}

void ObstacleGrid::test(const Box& box, Hit& hit) const {
  const Vec2 reach = box.reach();
  const Cells::Range r = cells_.range(box.center, reach);
  // Most obstacles in the same cells are rejected by their extent alone.
  const Extent extent(box.center, reach);
  const auto apart = [&](const Obstacle& obstacle) {
    const std::int32_t by = reach_[obstacle.kind];
    // For rings the box is grown by the radius, so its corners reach farther.
    return extent.apart(points_.data() + obstacle.first, obstacle.count, obstacle.count > 2 ? by + by / 2 : by);
  };
  // An obstacle in several cells is visited several times, usually in close succession.
  std::array<std::uint32_t, 4> met{};
  met.fill(Cells::kNone);
  std::size_t next = 0;
  for (std::int32_t z = r.z0; z <= r.z1; ++z)
    for (std::int32_t x = r.x0; x <= r.x1; ++x) {
      const std::uint32_t cell = cells_.at(x, z);
      if (cell == Cells::kNone) continue;
      for (std::uint32_t i = starts_[cell]; i < starts_[cell + 1]; ++i) {
        const std::uint32_t number = listed_[i];
        const Obstacle& obstacle = obstacles_[number];
        if (apart(obstacle) || std::find(met.begin(), met.end(), number) != met.end()) continue;
        met[next++ % met.size()] = number;
        const double clear = clear_of(obstacle, box);
        if (clear > 0) hit.take({clear, kinds_[obstacle.kind].reason, false, number, {}});
      }
    }
}

std::uint32_t ObstacleGrid::first_crossing(Vec2 a, Vec2 b) const {
  std::uint32_t best = Cells::kNone;
  double best_t = 2;
  // Piece by piece from a: an obstacle that crosses a piece is in a cell touched by it.
  const int pieces = std::max(1, static_cast<int>(length(b - a) / cells_.cell()));
  const Vec2 by = (b - a) * (1.0 / pieces);
  for (int piece = 0; piece < pieces && best_t * pieces > piece; ++piece) {
    const Cells::Range r = cells_.range(a + by * (piece + 0.5), {std::fabs(by.x) * 0.5, std::fabs(by.z) * 0.5});
    for (std::int32_t z = r.z0; z <= r.z1; ++z)
      for (std::int32_t x = r.x0; x <= r.x1; ++x) {
        const std::uint32_t cell = cells_.at(x, z);
        if (cell == Cells::kNone) continue;
        for (std::uint32_t i = starts_[cell]; i < starts_[cell + 1]; ++i) {
          const Obstacle& obstacle = obstacles_[listed_[i]];
          if (obstacle.count != 2 || kinds_[obstacle.kind].reason != Reason::road) continue;
          const Vec2 p = meters(points_[obstacle.first]), q = meters(points_[obstacle.first + 1]);
          const double along = cross(b - a, q - p);
          if (along == 0) continue;
          const double t = cross(p - a, q - p) / along, s = cross(p - a, b - a) / along;
          if (t < 0 || t > 1 || s < 0 || s > 1) continue;
          if (t < best_t || (t == best_t && listed_[i] < best)) {
            best_t = t;
            best = listed_[i];
          }
        }
      }
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
  const Vec2 middle = (a + b) * 0.5;
  const Cells::Range r = cells_.range(middle, {std::fabs(b.x - a.x) * 0.5, std::fabs(b.z - a.z) * 0.5});
  for (std::int32_t z = r.z0; z <= r.z1; ++z)
    for (std::int32_t x = r.x0; x <= r.x1; ++x) {
      const std::uint32_t cell = cells_.at(x, z);
      if (cell == Cells::kNone) continue;
      for (std::uint32_t i = starts_[cell]; i < starts_[cell + 1]; ++i) {
        const Obstacle& obstacle = obstacles_[listed_[i]];
        const Reason reason = kinds_[obstacle.kind].reason;
        if (obstacle.count < 2 || reason == Reason::road || reason == Reason::path || reason == Reason::house) continue;
        for (std::uint32_t k = 0; k + 1 < obstacle.count; ++k)
          if (crosses(meters(points_[obstacle.first + k]), meters(points_[obstacle.first + k + 1]))) return true;
        if (obstacle.count > 2 &&
            crosses(meters(points_[obstacle.first + obstacle.count - 1]), meters(points_[obstacle.first])))
          return true;
      }
    }
  return false;
}

}  // namespace simbatch::town
