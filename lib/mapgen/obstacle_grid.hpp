#pragma once
/// Everything that a house must not touch, found quickly: road corridors, buildings, water, railways, and houses set before.

#include <cstdint>
#include <span>
#include <vector>

#include "lib/mapgen/geometry.hpp"
#include "lib/mapgen/plane.hpp"

namespace simbatch::mapgen {

/// Why a house cannot stand at a place.
enum class Reason : std::uint8_t {
  road,       ///< touches a road's corridor (its own or another's)
  path,       ///< touches a way for people or bicycles
  building,   ///< touches a mapped building
  house,      ///< touches a house that was set before, or stands nearer to its neighbour than asked
  water,      ///< touches water
  railway,
  land_use,   ///< the land use has no section in the house list
  median,     ///< between the carriageways of one road, inside a roundabout, or behind another road
  bounds,     ///< outside the map's bounds
  barrier,    ///< something else that is mapped: a wall of a fort, a pier, a tank
};
inline constexpr std::size_t kReasons = 10;
/// "road corridor", "mapped building", ...: for summaries.
const char* to_text(Reason reason);

/// A house as it is placed: 16 bytes.
struct House {
  Point centre;
  std::uint16_t heading = 0;  ///< compass direction of the front, hundredths of a degree, 0..35999
  std::uint16_t model = 0;    ///< index into the models of the house list, all sections one behind the other
  std::uint32_t next = 0xFFFFFFFF;  ///< of the grid's list; used by ObstacleGrid alone
};

/// Obstacles in square cells. Two levels (pages of 8 x 8 cells), flat arrays: 8 bytes a cell of a page in use, 8 bytes an
/// obstacle, 4 bytes for each cell that an obstacle lies in. Corners are not copied: they stay in the caller's points.
class ObstacleGrid {
 public:
  /// A disc (1 point), a corridor about a segment (2 points), or a small ring (3 and more, without repeated end).
  struct Obstacle {
    std::uint32_t first = 0;  ///< first of its points, which lie one behind the other
    std::uint16_t count = 0;
    std::uint16_t kind = 0;   ///< into `kinds`
  };
  struct Kind {
    Reason reason = Reason::road;
    double radius = 0;  ///< half the width of the corridor (m); of a ring: how near it may be come to
  };
  struct Model {  ///< of a house
    double half_x = 0, half_z = 0;
  };
  struct Hit {
    bool hit = false;
    Reason reason = Reason::road;
    double clear_after = 0;  ///< m along the box's u: nearer than that it cannot be free
  };

  /// @param points  corners, which must outlive the grid and not move
  /// @param kinds   radius includes the clearance that is wanted
  /// @param models  sizes of houses by House::model
  void build(std::span<const Point> points, std::vector<Obstacle> obstacles, std::vector<Kind> kinds,
             std::vector<Model> models);
  /// Does the box touch an obstacle, or come nearer than `gap` (m) to a house?
  Hit test(const Box& box, double gap) const;
  /// The first corridor of a road that the segment from `a` to `b` crosses (its middle line), or kNone: an obstacle number.
  std::uint32_t first_crossing(Vec2 a, Vec2 b) const;
  const Obstacle& obstacle(std::uint32_t number) const { return obstacles_[number]; }

  /// Sets a house; later tests see it.
  void add(House house);
  Box box_of(const House& house) const;
  std::vector<House>& houses() { return houses_; }
  const std::vector<House>& houses() const { return houses_; }
  std::size_t memory() const;

  static constexpr std::uint32_t kNone = 0xFFFFFFFF;

 private:
  struct Cell {
    std::uint32_t start = 0;      // into listed_; ends where the next cell's starts
    std::uint32_t house = kNone;  // last house set here
  };
  struct Range {
    std::int32_t x0, x1, z0, z1;
  };
  Range range(Vec2 centre, Vec2 reach) const;
  Range range_of(const Obstacle& obstacle, bool& thin) const;
  Range row_of(const Obstacle& obstacle, const Range& all, std::int32_t z) const;
  std::uint32_t cell_at(std::int32_t x, std::int32_t z) const;  // kNone if its page is not there
  std::uint32_t need_cell(std::int32_t x, std::int32_t z);
  template <class Use>
  void each_cell(const Obstacle& obstacle, Use use);
  Hit test_obstacle(const Box& box, const Obstacle& obstacle) const;

  std::span<const Point> points_;
  std::vector<Obstacle> obstacles_;
  std::vector<Kind> kinds_;
  std::vector<Model> models_;
  double reach_ = 0;  // greatest half diagonal of a model
  Vec2 low_;          // corner of cell (0, 0)
  double cell_ = 32;  // side (m)
  std::int32_t pages_x_ = 0, pages_z_ = 0;
  std::vector<std::uint32_t> pages_;  // first cell of each page, kNone if not in use
  std::vector<Cell> cells_;
  std::vector<std::uint32_t> listed_;
  std::vector<House> houses_;
};

/// Unit vector of a compass direction given in hundredths of a degree: 0 = north (+z), 9000 = east (+x).
Vec2 direction_of(std::uint16_t heading);
/// The nearest hundredth of a degree, 0..35999.
std::uint16_t heading_of(Vec2 direction);

}  // namespace simbatch::mapgen
