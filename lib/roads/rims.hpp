#pragma once
/// The edges of arms at a junction, and the rims between neighboring ones. Private to the room.

#include <optional>
#include <utility>
#include <vector>

#include "lib/roads/junctions.hpp"

namespace simbatch::roads::detail {

constexpr double kMinCut = 0.5;    ///< m, so that the triangle over a mouth is not degenerate
constexpr double kMaxCut = 40;     ///< m; sharper corners overlap instead
constexpr double kMinArea = 0.02;  ///< m^2: minimum area of each triangle of a fan

/// Point and unit direction at a distance from the leg's first point.
std::pair<EastNorth, EastNorth> at_distance(const Leg& leg, double where);

/// Unit direction of an arm's first chord.
EastNorth first_direction(const Leg& leg, const Arm& arm);

/// How far out two neighboring arms are clear of each other (m).
struct Clear {
  double first = kMinCut, second = kMinCut;
};
/// The same for arms that are straight; the second is the next one counter-clockwise. Nothing if they have nearly the same
/// direction.
std::optional<Clear> clear_of(const Network& network, const Arm& first, const Arm& second);

/// A point of the rim between two neighboring arms, on the edge of the lanes, and the outer edge of the pavement there.
struct RimPoint {
  EastNorth inner, outer;
};
/// A point of an arm's edge, and how far out along the arm it is (m).
struct EdgePoint : RimPoint {
  double out = 0;
};
/// An arm's edge from its node to its mouth; `side` +1 is its left, -1 its right.
std::vector<EdgePoint> edge_of(const Leg& leg, const Arm& arm, double side);

/// The rim from the left of arm `n`'s mouth to the right of the next arm's mouth. Where the two continue straight or bend the
/// other way, it follows the edges of both roads; at a corner it may be straight as far as that stays near them.
std::vector<RimPoint> rim_of(const Network& network, const Place& place, std::size_t n);

}  // namespace simbatch::roads::detail
