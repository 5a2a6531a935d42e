#pragma once
/// What the tags of a way say about its lanes. Internal to lib/lanes.

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "formats/osm/osm.hpp"

namespace simbatch::lanes::detail {

/// Directions in which a lane may be left, from `turn:lanes`, as bits.
using Arrows = std::uint8_t;
inline constexpr Arrows kRight = 1, kThrough = 2, kLeft = 4;

/// The lanes in one direction.
struct Side {
  int lanes = 0;
  std::vector<Arrows> arrows;  ///< from left to right, as drivers see them; empty: not marked
  bool has_sidewalk = false;
  friend bool operator==(const Side&, const Side&) = default;
};

struct Street {
  std::string name, kind;
  std::optional<double> speed;  ///< m/s
  Side forward, backward;
  double lane_width = 0;     ///< m
  bool is_reversed = false;  ///< oneway=-1: forward is against the way's direction
  bool guessed_lanes = false, guessed_width = false;
  bool is_raised = false;  ///< bridge or tunnel
  bool is_roundabout = false;
  friend bool operator==(const Street&, const Street&) = default;
};

/// A way as a street; nothing if cars do not drive on it. If a way with `highway` is left out, `left_out` receives its kind.
std::optional<Street> street_of(const osm::Model& map, std::span<const osm::TagId> tags, std::string& left_out);

}  // namespace simbatch::lanes::detail
