#pragma once
/// Land and sea: on which side of the coastline a point is.

#include <cstdint>
#include <span>
#include <vector>

#include "lib/town/geometry.hpp"
#include "lib/town/plane.hpp"

namespace simbatch::town {

/// A piece of coastline, in the direction it is drawn: land on the left, sea on the right (OSM wiki, "Tag:natural=coastline").
struct CoastPiece {
  Point from, to;
};

/// A tree over pieces of coastline. Coastlines of extracts end at the extract's edge and need not close: a point is at sea if
/// it is to the right of the nearest piece. 32 bytes per piece; O(log n) per query, much less for queries near the last one.
class Coast {
 public:
  explicit Coast(std::vector<CoastPiece> pieces);
  /// The piece nearest to the last query, kept so that nearby queries search less. It does not affect the answers.
  struct Near {
    std::uint32_t piece = 0;
  };
  /// False without coastline.
  bool is_sea(Vec2 place, Near& near) const;

 private:
  struct Node {
    Vec2 low, high;
    std::uint32_t first = 0, count = 0;  // pieces of a leaf; count 0: the children are `first` and `first` + 1
  };
  struct Found {
    double distance = HUGE_VAL;  // from the piece (m); initially an upper bound of the distance of the nearest piece
    double across = 0;           // from its line, left positive (m)
    std::uint32_t piece = 0;
  };
  void make_node(std::uint32_t node, std::uint32_t first, std::uint32_t count);
  void search(std::uint32_t node, Vec2 place, Found& found) const;

  std::vector<CoastPiece> pieces_;
  std::vector<Node> nodes_;
};

}  // namespace simbatch::town
