#pragma once
/// Index of the areas under a point: land use, water, large buildings.

#include <cstdint>
#include <span>
#include <vector>

#include "lib/town/cells.hpp"
#include "lib/town/geometry.hpp"
#include "lib/town/plane.hpp"

namespace simbatch::town {

/// Closed areas (each of one or more rings; a point is inside by the even-odd rule, so that inner rings are holes) in square
/// cells, each of which lists the areas that hold all of it or have an edge in it; the edges of large areas are sorted into slabs
/// of z. A query costs O(areas with an edge in the cell), independent of their number of corners. At most 16 bytes per corner for
/// large areas, 8 for small ones; 4 bytes per cell of an allocated page and per area listed in it. Immutable once built: any
/// number of threads may query it.
class AreaIndex {
 public:
  static constexpr std::uint32_t kNone = 0xFFFFFFFF;

  /// What an area means to the caller: its land use (the caller's index), or that nothing may be placed there.
  struct Meaning {
    std::uint16_t use = 0;
    bool blocks = false;      ///< nothing may be placed inside
    std::uint8_t reason = 0;  ///< if it blocks: the caller's reason
  };

  /// Starts an area; its rings follow. @param id  decides between areas of equal size: the lower one counts as smaller
  void begin_area(Meaning meaning, std::int64_t id);
  /// Adds a ring to the last area, without repeated end. Rings of fewer than 3 points are ignored.
  /// @param adds  false for a hole: its size is subtracted from the area's (the inside test uses the even-odd rule alone)
  void add_ring(std::span<const Point> ring, bool adds = true);
  /// Appends the areas of another index. @pre neither is built yet
  void append(const AreaIndex& other);
  /// Call once, after the last area.
  void build();

  struct Answer {
    std::uint32_t area = kNone;      ///< smallest area that holds the point and does not block
    std::uint32_t blocking = kNone;  ///< an area that blocks and holds the point
  };
  Answer at(Vec2 place) const {
    const std::uint32_t number = cells_.at(place);
    if (number == Cells::kNone) return {};
    const std::uint32_t cell = in_cells_[number];
    // The same in all of it; kNone has all bits.
    if ((cell & kWhole) != 0) return {static_cast<std::uint32_t>(static_cast<std::int32_t>(cell << 1) >> 1), kNone};
    return look(cell, place);
  }
  bool contains(std::uint32_t index, Vec2 place) const;

  std::size_t size() const { return areas_.size(); }
  Meaning meaning(std::uint32_t area) const { return areas_[area].meaning; }
  std::int64_t id(std::uint32_t area) const { return areas_[area].id; }
  double square_meters(std::uint32_t area) const { return areas_[area].size; }
  /// Lowest and highest corner.
  Point lowest(std::uint32_t area) const { return areas_[area].low; }
  Point highest(std::uint32_t area) const { return areas_[area].high; }
  /// Rings of an area, as they were given.
  std::size_t ring_count(std::uint32_t area) const { return ring_end(area) - areas_[area].first_ring; }
  std::span<const Point> ring(std::uint32_t area, std::size_t n) const;

 private:
  static constexpr std::uint32_t kWhole = 0x80000000, kBlocks = 0x40000000, kLast = 0x20000000;
  struct Area {
    Meaning meaning;
    std::int64_t id = 0;
    double size = 0;
    Point low{INT32_MAX, INT32_MAX}, high{INT32_MIN, INT32_MIN};
    std::uint32_t first_ring = 0;
    std::uint32_t slabs = kNone;  // into slabbed_, for large areas
  };
  struct Slabbed {  // slabs of equal height from low.z to high.z; edge n of slab s: edges_[starts_[first + s] + n]
    std::uint32_t first = 0, count = 0;
    double height = 0;
  };
  std::size_t ring_end(std::uint32_t area) const {
    return area + 1 < areas_.size() ? areas_[area + 1].first_ring : ring_starts_.size();
  }
  /// Calls use(a, b) for the edges of an area.
  template <class Use>
  void each_edge(std::uint32_t index, Use use) const;
  /// The answer from a list.
  Answer look(std::uint32_t start, Vec2 place) const;
  void choose_cells();
  void fill_cells();
  void make_slabs(Area& area, std::uint32_t index);

  std::vector<Area> areas_;
  std::vector<std::uint32_t> ring_starts_;
  std::vector<Point> points_;
  std::vector<Slabbed> slabbed_;
  std::vector<std::uint32_t> starts_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> edges_;  // point numbers of both ends
  Cells cells_;
  // Of each cell: with kWhole, the answer everywhere in it, which does not block; else where its list starts.
  std::vector<std::uint32_t> in_cells_;
  // Areas that block, with kBlocks, then others, smaller ones first; with kWhole, all of the cell; the last one with kLast.
  std::vector<std::uint32_t> listed_;
};

/// Twice the signed area of a ring (mm^2), positive when it runs from east to north (counter-clockwise on the map).
double twice_area(std::span<const Point> ring);

}  // namespace simbatch::town
