#pragma once
/// Dependencies between streets, so that several threads place the same houses as one. Private to the room.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "lib/town/streets.hpp"
#include "lib/town/town.hpp"

namespace simbatch::town::detail {

/// Boxes that together cover the lines of the roads along which houses are to be placed: each of a piece of about 64 m, or longer
/// if the box is thin.
class RoadBoxes {
 public:
  struct Piece {
    Vec2 low, high;  ///< m
  };
  explicit RoadBoxes(const Town& town);
  std::span<const Piece> of(std::uint32_t road) const {
    return std::span(pieces_).subspan(starts_[road], starts_[road + 1] - starts_[road]);
  }
  std::span<const Piece> all() const { return pieces_; }
  /// False if there would be too many for the map's size (streets that span half a continent): then some are missing.
  bool useful() const { return useful_; }

 private:
  bool useful_ = true;
  std::vector<std::size_t> starts_;
  std::vector<Piece> pieces_;
};

/// Streets, or parts of them, are processed in order, but one depends only on earlier ones whose houses could touch its own. Two
/// count as being within reach of each other if both, grown by half the reach, touch the same square of a fine mesh. Each
/// waits for its predecessor in each of its squares, and thereby for all earlier ones there.
class Schedule {
 public:
  using Line = std::span<const Streets::Part>;
  /// @param reach  greatest distance (m) between the middle lines of streets whose houses can touch
  /// @param finest  least side (m) of a square; a finer mesh causes fewer unnecessary waits
  Schedule(const Town& town, const RoadBoxes& boxes, std::span<const Line> lines, double reach, double finest);
  /// False if there would be too many squares (a reach of kilometers, or boxes that are not useful): then there is no
  /// schedule, and a single thread places all houses.
  bool useful() const { return useful_; }
  std::span<const std::uint32_t> followers(std::size_t line) const {
    return std::span(followers_).subspan(starts_[line], starts_[line + 1] - starts_[line]);
  }
  /// Number of lines that each line waits for.
  std::vector<std::uint32_t>& waits() { return waits_; }

 private:
  bool useful_ = false;
  std::vector<std::uint32_t> waits_, starts_, followers_;
};

}  // namespace simbatch::town::detail
