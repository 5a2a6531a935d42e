#pragma once
/// Which ways with a layer cross another way of a different one, before anything is projected. Private to the room.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/geo/geo.hpp"
#include "formats/osm/osm.hpp"
#include "lib/roads/effort.hpp"
#include "lib/roads/segment_index.hpp"

namespace simbatch::roads::detail {

/// A way of a map that is not on the ground by its tags.
struct LayeredWay {
  std::size_t way = 0;
  int layer = 0;
};

/// Compares chords between nodes. Cost: linear in the map's references, for each as many comparisons as layered chords are near.
class CrossingWays {
 public:
  /// @param map, layered  kept by reference: must outlive this
  CrossingWays(const osm::Model& map, std::span<const LayeredWay> layered);
  /// Compares a way, layered or not, with all layered ones.
  void compare(std::size_t way, int layer);
  /// For each layered one, whether it came within a few meters of a way of another layer, other than at a common node: those that
  /// cross one do, and some others.
  const std::vector<bool>& found() const { return found_; }
  /// Whether the comparison ended early, because the map is too crowded for it.
  bool is_crowded() const { return is_long_ || budget_.crowded(); }

 private:
  struct Chord {
    std::uint32_t layered = 0, first = 0, last = 0;  ///< nodes
  };
  EastNorth place_of(osm::LatLon at) const;
  bool may_cross(std::size_t way) const;
  template <class Use>
  void each_chord(std::size_t way, Use use) const;

  const osm::Model& map_;
  std::span<const LayeredWay> layered_;
  Budget budget_;
  bool is_long_ = false;  // whether the layered ways are longer together than those of any real map
  double east_ = 0;       // m for each degree
  std::vector<Chord> chords_;
  SegmentIndex index_;  // Segment::span: of chords_
  std::vector<bool> found_;
  std::vector<std::uint32_t> near_;
};

}  // namespace simbatch::roads::detail
