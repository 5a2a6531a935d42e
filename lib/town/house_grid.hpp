#pragma once
/// Spatial index of the placed houses. Several threads may insert and query concurrently.

#include <array>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "lib/town/cells.hpp"
#include "lib/town/house.hpp"

namespace simbatch::town {

/// A house is listed in the cell of its center and, if it is unusually large, in enough cells around it: 16 bytes per entry,
/// plus 4 bytes per cell of an allocated page, and a bit that says whether anything is listed there.
///
/// Threads: between freeze() and thaw(), any number of them may call test() and add(). A test may or may not see concurrent
/// insertions; the caller ensures that this does not matter (lib/town/schedule.hpp: no other thread inserts within reach of a
/// query).
class HouseGrid {
 public:
  /// Per-thread pool of free entries. Default-constructed it is empty.
  class Inserter {
    friend class HouseGrid;
    std::uint32_t next_ = 0, end_ = 0;
  };

  HouseGrid(Cells cells, const std::vector<HouseSize>& sizes);
  /// Allocates the cells within `reach` (m) of a box. Call before freeze().
  void need(Vec2 low, Vec2 high, double reach);
  /// Ends the allocation of cells until thaw(): all cells that houses can touch must be allocated.
  void freeze();
  void thaw() { frozen_ = false; }

  void add(const House& house, Inserter& inserter);
  /// Adds houses closer to the box than `gap` (m) to `hit`, of models below `below`.
  void test(const Box& box, double gap, Hit& hit, std::size_t below = SIZE_MAX) const;
  /// A house closer to the box than `gap`, not always what has to be cleared last: sooner known where only that counts.
  Hit any(const Box& box, double gap) const;
  /// Tests whether this house is still closer than `gap`. @return as Hit::clear_after
  double clear_of(std::uint32_t house, const Box& box, double gap) const;
  Box box_of(const House& house) const { return town::box_of(house, sizes_[house.model].half); }

 private:
  struct Entry {  // uninitialized, so that the pages of a block are not touched before use
    std::int32_t x, z;
    std::uint16_t heading, model;
    std::uint32_t next;
  };
  struct Size {
    HouseSize half;
    double reach = 0;  // half the diagonal (m)
  };
  static constexpr std::uint32_t kBlock = 1 << 15, kBlocks = 1 << 15, kHandful = 64;
  const Entry& entry(std::uint32_t n) const { return blocks_[n / kBlock][n % kBlock]; }
  double clear_of(const Entry& entry, const Box& box, double gap) const;
  /// Calls use(hit) for houses closer to the box than `gap`, until it returns false.
  template <class Use>
  void each_touching(const Box& box, double gap, std::size_t below, Use use) const;
  void grow_tables();
  void add_large(const House& house, const Cells::Range& range, Inserter& inserter);
  void add_to(std::int32_t x, std::int32_t z, const House& house, Inserter& inserter);
  std::uint32_t add_cell(std::int32_t x, std::int32_t z);
  std::uint32_t take_place(Inserter& inserter);
  void take_handful(Inserter& inserter);

  std::vector<Size> sizes_;
  std::vector<std::array<std::uint32_t, 2>> reaches_;  // the same in mm, rounded up, for x and z
  bool frozen_ = false;
  Cells cells_;
  std::vector<std::uint32_t> heads_;   // head of each cell's list: the newest entry, which links to the previous one
  std::vector<std::uint64_t> in_use_;  // of each page, a bit for each cell that has a list
  std::vector<std::unique_ptr<Entry[]>> blocks_;
  std::mutex mutex_;  // guards the members below and the allocation of blocks
  std::uint32_t used_ = 0;
};

}  // namespace simbatch::town
