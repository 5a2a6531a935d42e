#pragma once
/// How much room there is for the ramps of a bridge over water. Private to the room.

#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "lib/roads/effort.hpp"
#include "lib/roads/span_network.hpp"

namespace simbatch::roads::detail {

/// A ramp ends before a railway that crosses it at its level, before a road that it crosses without a common node, and before
/// the end of its road, unless there is a junction before that.
class RampRoom {
 public:
  /// @param network  linked; kept by reference: must outlive this
  RampRoom(const SpanNetwork& network, const Budget& budget);
  /// The height that a stretch of a bridge can have (m), at most `wanted`; 0 or more.
  /// @param low, high  its ends (m from the beginning of its span)
  double highest(std::uint32_t span, double low, double high, double wanted);

 private:
  /// What a ramp must not cross: its middle (m from the beginning of the span) and half its width.
  struct Stop {
    double along = 0, half = 0;
  };
  const std::vector<Stop>& stops_of(std::uint32_t span);
  bool meet(std::uint32_t a, std::uint32_t b) const;

  const SpanNetwork& network_;
  const Budget& budget_;
  SegmentIndex index_;                                // of all spans
  std::set<std::uint32_t> railway_nodes_;             // of own roads too
  std::map<std::uint32_t, std::vector<Stop>> stops_;  // by span
  std::vector<std::uint32_t> found_;
};

}  // namespace simbatch::roads::detail
