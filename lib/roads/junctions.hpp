#pragma once
/// How roads meet: legs between places, fans at junctions. Private to the room; the public side is roads.hpp.

#include <cstdint>
#include <vector>

#include "lib/roads/convex.hpp"
#include "lib/roads/road_lines.hpp"

namespace simbatch::roads::detail {

/// A piece of road between two places, none inside.
struct Leg {
  std::vector<EastNorth> line;  ///< at least 2 points
  std::vector<double> along;    ///< distance from the first point to each (m)
  double half_width = 0;        ///< of the lanes (m)
  double left = 0, right = 0;   ///< pavements, along the line (m)
  std::uint32_t place[2] = {0, 0};
  double cut[2] = {0, 0};  ///< how much a fan takes off each end (m)
  double length() const { return along.back(); }
};

/// A road end at a place, seen from the place outwards.
struct Arm {
  std::uint32_t leg = 0;
  int end = 0;          ///< 0: the leg begins here, 1: it ends here
  EastNorth direction;  ///< unit vector away from the place
};

/// A road's cross-section: middle, edges of the lanes, outer edges of the pavements; left and right as seen along it.
struct CrossSection {
  EastNorth middle, left, right, outer_left, outer_right;
};

/// A node where roads end, join or cross.
struct Place {
  EastNorth at;
  std::vector<Arm> arms;  ///< counter-clockwise by direction
  bool is_fan = false;    ///< legs are cut back, a fan fills the middle
};

struct Network {
  std::vector<Leg> legs;
  std::vector<Place> places;
};

/// Cuts roads into legs at the nodes that they share, and decides which places become fans.
Network network_of(const std::vector<Road>& roads);

/// The cross-section where an arm leaves its place: at the fan's mouth, or at the node itself. Seen from the place outwards.
CrossSection mouth_of(const Network& network, const Arm& arm);

/// A leg without what its fans take, as points.
std::vector<EastNorth> trimmed_line(const Leg& leg);

/// A point of the rim between two neighboring arms, on the edge of the lanes, and the pavement's edge outside of it.
struct RimPoint {
  EastNorth inner, outer;
};
/// The rim from the left of arm `n`'s mouth to the right of the next arm's mouth. Where the two go straight on, or bend the
/// other way, it follows the edges of both roads.
std::vector<RimPoint> rim_of(const Network& network, const Place& place, std::size_t n);

/// What a place adds to the ground: triangles of lanes, and polygons of pavement between neighboring arms.
struct PlaceGround {
  std::vector<Piece> lanes;  ///< of a fan: two an arm, all of positive area
  std::vector<Polygon> pavements;
};
PlaceGround ground_of(const Network& network, const Place& place);

/// A piece of these corners, turned counter-clockwise.
Piece piece_of(EastNorth a, EastNorth b, EastNorth c);
/// Appends what is not a sliver; turned counter-clockwise.
void add_triangle(std::vector<Polygon>& polygons, EastNorth a, EastNorth b, EastNorth c);

}  // namespace simbatch::roads::detail
