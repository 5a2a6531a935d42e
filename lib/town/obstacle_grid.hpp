#pragma once
/// Spatial index of mapped obstacles for houses: road corridors, buildings, water, railways.

#include <emmintrin.h>

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "lib/town/cells.hpp"
#include "lib/town/house.hpp"

namespace simbatch::town {

/// Obstacles in square cells: 4 bytes per cell of an allocated page, 8 bytes per obstacle, 12 bytes per cell covered by an
/// obstacle. Corners are not copied: the grid refers to the caller's points. Immutable once built: any number of threads may
/// query it.
class ObstacleGrid {
 public:
  /// A disc (1 point), a corridor about a segment (2 points), or a small ring (3 and more, without repeated end).
  struct Obstacle {
    std::uint32_t first = 0;  ///< first of its points, which are consecutive
    std::uint16_t count = 0;
    std::uint16_t kind = 0;  ///< into `kinds`
  };
  struct Kind {
    Reason reason = Reason::road;
    double radius = 0;  ///< half the width of the corridor (m); of a ring: minimum distance to keep (m)
  };

  /// @param points  corners, which must outlive the grid and not move
  /// @param kinds   radius includes the required clearance
  ObstacleGrid(std::span<const Point> points, std::vector<Obstacle> obstacles, std::vector<Kind> kinds);
  /// Adds the obstacles that the box touches to `hit`.
  void test(const Box& box, Hit& hit) const;
  /// Tests whether the box still touches this obstacle. @return as Hit::clear_after
  double clear_of(std::uint32_t obstacle, const Box& box) const { return clear_of(obstacles_[obstacle], box); }
  /// The obstacle number of the first road corridor whose center line the segment from `a` to `b` crosses, or Cells::kNone.
  std::uint32_t first_crossing(Vec2 a, Vec2 b) const;
  /// Whether a railway, water, a building or another structure lies across the segment: its line, or the outline of a small
  /// ring.
  bool cuts(Vec2 a, Vec2 b) const;
  /// Calls use(number) for the obstacles in the cells that the box touches; for some more than once.
  template <class Use>
  void each_near(const Box& box, Use use) const {
    const Cells::Range r = cells_.range(box.center, box.reach());
    for (std::int32_t z = r.z0; z <= r.z1; ++z)
      for (std::int32_t x = r.x0; x <= r.x1; ++x) {
        const std::uint32_t cell = cells_.at(x, z);
        if (cell == Cells::kNone) continue;
        for (std::uint32_t i = starts_[cell]; i < starts_[cell + 1]; ++i) use(listed_[i]);
      }
  }
  std::size_t size() const { return obstacles_.size(); }
  double cell() const { return cells_.cell(); }  ///< m
  /// Number of obstacles in the cell of a place.
  std::uint32_t listed_at(Vec2 place) const {
    const std::uint32_t cell = cells_.at(place);
    return cell == Cells::kNone ? 0 : starts_[cell + 1] - starts_[cell];
  }
  /// The sum, over all cells, of the square of the number of obstacles in each.
  double listed_pairs() const;
  Reason reason(std::uint32_t number) const { return kinds_[obstacles_[number].kind].reason; }
  const Obstacle& obstacle(std::uint32_t number) const { return obstacles_[number]; }
  /// Cells over the same part of the plane, without any page allocated. A third as large: houses are small and close together.
  Cells empty_cells() const { return {cells_.low(), extent_, cells_.cell() / 3}; }

 private:
  void choose_cells();
  void fill_cells();
  /// Lowest x and z, then highest ones, in fractions of a cell from the corner of the first one.
  __m128i extent_of(Vec2 center, Vec2 reach) const;
  __m128i extent_of(__m128d center, __m128d reach) const;  // x and z side by side
  /// The box of an obstacle's points, and how far from them it blocks, with the effect of rounding to millimeters (m).
  struct Span {
    __m128d middle, half;  // x and z side by side
    double radius = 0;
  };
  Span span_of(const Obstacle& obstacle) const;
  Cells::Range row_of(const Obstacle& obstacle, const Cells::Range& all, std::int32_t z) const;
  template <class Use>
  void each_cell(const Obstacle& obstacle, const Span& span, Use use) const;
  double clear_of(const Obstacle& obstacle, const Box& box) const;
  double clear_of_ring(const Obstacle& obstacle, const Box& box) const;
  /// Calls use(number) for obstacles in the cells of `range` whose extents meet that of the query, until it returns false; for
  /// some more than once.
  template <class Use>
  void each_meeting(const Cells::Range& range, __m128i query, Use use) const;

  std::span<const Point> points_;
  std::vector<Obstacle> obstacles_;
  std::vector<Kind> kinds_;
  Vec2 extent_;
  Cells cells_;
  std::vector<std::uint32_t> starts_;  // of each cell, into listed_; it ends where the next one's starts
  std::unique_ptr<std::uint32_t[]> listed_;
  std::unique_ptr<std::uint64_t[]> bounds_;  // of each of listed_, within its cell: packed extents
};

}  // namespace simbatch::town
