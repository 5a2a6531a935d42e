#pragma once
/// Streets: roads joined end to end, so that the spacing of houses carries over where a street is cut into ways.

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "lib/town/geometry.hpp"
#include "lib/town/town.hpp"

namespace simbatch::town {

/// Chains of roads along which houses are to be placed (TownRoad::along).
///
/// Two road ends at a node are joined when both roads are of one kind, the bend between them is at most 45 degrees, and they
/// have the same name (or ref, or none), or are the only two ends there. Where several would fit, the straightest pair goes
/// first. A street begins at the end from which its road with the lowest id is walked as it is drawn. Streets are ordered by
/// their lowest id, so that changes elsewhere in the map affect neither a street nor its position in the order.
class Streets {
 public:
  struct Part {
    std::uint32_t road = 0;
    bool backwards = false;  ///< walked against the order of its points
  };
  explicit Streets(const Town& town);
  std::size_t size() const { return starts_.size() - 1; }
  std::span<const Part> parts(std::size_t street) const {
    return std::span(parts_).subspan(starts_[street], starts_[street + 1] - starts_[street]);
  }
  /// Its last road ends where its first begins and is joined to it.
  bool is_ring(std::size_t street) const { return rings_[street]; }

 private:
  /// Adds the street of a road. @param next  of each road end (2 * road, + 1: its last point): the end that continues it
  /// @return whether it is a ring
  bool add_chain(std::uint32_t lowest, std::span<const std::uint32_t> next, std::vector<bool>& done);
  std::vector<std::uint32_t> starts_;
  std::vector<Part> parts_;
  std::vector<bool> rings_;
};

enum class Side : std::int8_t { left = -1, right = 1 };

/// A stretch of the line along which one side of a street is walked: straight, or, on the outside of a bend, an arc about
/// the corner, whose length is measured along the centers of the houses.
struct Stretch {
  double start = 0, length = 0;  ///< along the whole line (m)
  Vec2 origin;                   ///< of the middle line: where it begins; of an arc: the corner
  Vec2 along;                    ///< unit vector of the middle line at its beginning
  double turn = 0;               ///< angle of an arc (rad, > 0); 0: straight
  double way_start = 0;          ///< meters along the road, as drawn, at its beginning
  double way_rate = 1;           ///< +1, -1 (walked backwards), 0 (an arc)
  std::uint32_t road = 0;
  bool backwards = false;  ///< the road is walked against the order of its points
};

/// The lines of stretches for both sides of a street.
struct SideLines {
  std::vector<Stretch> left, right;
  std::vector<Stretch>& of(Side side) { return side == Side::left ? left : right; }
};
/// @param offset  distance from the middle line at which arcs are measured (m), by RoadKind
/// @param lines   receives the stretches
void walk(const Town& town, std::span<const Streets::Part> street, bool ring, std::span<const double> offset, SideLines& lines);

/// The same without the arcs, one line for both sides; `start` is not set.
void walk_straight(const Town& town, std::span<const Streets::Part> street, std::vector<Stretch>& line);

/// at() within an arc.
std::pair<Vec2, Vec2> at_arc(const Stretch& stretch, double distance, Side side);
/// The point of the middle line (or corner) and the direction of the street at `distance` within a stretch.
/// @return {point, unit vector along the street}
inline std::pair<Vec2, Vec2> at(const Stretch& stretch, double distance, Side side) {
  if (stretch.turn != 0) return at_arc(stretch, distance, side);
  return {stretch.origin + stretch.along * distance, stretch.along};
}

/// Away from the street: perpendicular to its direction.
inline Vec2 outward(Vec2 along, Side side) { return side == Side::left ? Vec2{-along.z, along.x} : Vec2{along.z, -along.x}; }

/// Which side of a ring is its outside: by its signed area; of an open piece of a roundabout: by its bends. Empty when the
/// bends cancel out.
std::optional<Side> outside(const Town& town, std::span<const Streets::Part> street, bool ring);
/// Area that a ring encloses (m^2).
double enclosed(const Town& town, std::span<const Streets::Part> street);

}  // namespace simbatch::town
