#pragma once
/// The houses that were set, found by place. Several threads may set and look at the same time.

#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "lib/town/cells.hpp"
#include "lib/town/house.hpp"

namespace simbatch::town {

/// A house is listed in the cell of its middle, and if it is larger than usual, in as many around it as make up for that:
/// 16 bytes each time. 4 bytes a cell of a page in use.
///
/// Threads: between freeze() and thaw(), any number of them may call test() and add(). A test may or may not see what another
/// thread sets meanwhile; the caller ensures that this does not matter (lib/town/schedule.hpp: no other thread
/// sets within reach of where one looks).
class HouseGrid {
 public:
  /// What one thread needs to add: a handful of free places. Default-constructed it is empty.
  class Inserter {
    friend class HouseGrid;
    std::uint32_t next_ = 0, end_ = 0;
  };

  HouseGrid(Cells cells, const std::vector<HouseSize>& sizes);
  /// Takes the cells within `reach` (m) of a box into use. Before freeze().
  void need(Vec2 low, Vec2 high, double reach);
  /// From now on no cell is taken into use: all that houses will touch are. Until thaw().
  void freeze();
  void thaw() { frozen_ = false; }

  void add(const House& house, Inserter& inserter);
  /// Adds to `hit` what is nearer to the box than `gap` (m).
  void test(const Box& box, double gap, Hit& hit) const;
  /// Is this house still nearer than `gap`? @return as Hit::clear_after
  double clear_of(std::uint32_t house, const Box& box, double gap) const;
  Box box_of(const House& house) const { return town::box_of(house, sizes_[house.model].half); }

 private:
  struct Entry {  // without initial values: a block of them is not touched before it is used
    std::int32_t x, z;
    std::uint16_t heading, model;
    std::uint32_t next;
  };
  struct Size {
    HouseSize half;
    double reach = 0;           // half the diagonal (m)
    std::int64_t reach_mm = 0;  // rounded up
  };
  static constexpr std::uint32_t kBlock = 1 << 15, kBlocks = 1 << 15, kHandful = 64;
  const Entry& entry(std::uint32_t n) const { return blocks_[n / kBlock][n % kBlock]; }
  double clear_of(const Entry& entry, const Box& grown) const;
  std::uint32_t take_place(Inserter& inserter);

  std::vector<Size> sizes_;
  bool frozen_ = false;
  Cells cells_;
  std::vector<std::uint32_t> heads_;  // of each cell: the entry made last, which names the one before
  std::vector<std::unique_ptr<Entry[]>> blocks_;
  std::mutex mutex_;  // of what follows, and of making blocks
  std::uint32_t used_ = 0;
};

}  // namespace simbatch::town
