#pragma once
/// Connects roads: legs between nodes, fans at junctions. Private to the room; the public side is roads.hpp.

#include <cstdint>
#include <vector>

#include "lib/roads/convex.hpp"
#include "lib/roads/road_lines.hpp"

namespace simbatch::roads::detail {

/// A piece of road between two consecutive nodes.
struct Leg {
  std::vector<EastNorth> line;  ///< at least 2 points
  std::vector<double> along;    ///< distance from the first point to each (m)
  std::vector<double> height;   ///< of each point above the ground (m); empty: on the ground
  double half_width = 0;        ///< of the lanes (m)
  double left = 0, right = 0;   ///< pavements, along the line (m)
  std::uint32_t place[2] = {0, 0};
  double cut[2] = {0, 0};  ///< length cut off each end by a fan (m)
  double length() const { return along.back(); }
};

/// A road end at a node, seen outward from the node.
struct Arm {
  std::uint32_t leg = 0;
  int end = 0;          ///< 0: the leg begins here, 1: it ends here
  EastNorth direction;  ///< unit vector away from the node
};

/// A road's cross-section: middle, edges of the lanes, outer edges of the pavements; left and right as seen along it.
struct CrossSection {
  EastNorth middle, left, right, outer_left, outer_right;
};

/// A node where roads end, join or cross.
struct Place {
  EastNorth at;
  std::vector<Arm> arms;  ///< counter-clockwise by direction
  bool is_fan = false;    ///< legs are cut back, and a fan fills the gap between them
};

struct Network {
  std::vector<Leg> legs;
  std::vector<Place> places;
};

/// Cuts roads into legs at shared nodes, and decides which nodes become fans.
Network network_of(const std::vector<Road>& roads);

/// The cross-section where an arm leaves its node: at the fan's mouth, or at the node itself. Seen outward from the node.
CrossSection mouth_of(const Network& network, const Arm& arm);

/// The points of a leg without the ends covered by its fans.
std::vector<EastNorth> trimmed_line(const Leg& leg);

/// Ground surfaces of a node: triangles of lanes, and polygons of pavement between neighboring arms.
struct PlaceGround {
  std::vector<Piece> lanes;  ///< triangles of a fan: two per arm, all of positive area
  std::vector<Polygon> pavements;
};
PlaceGround ground_of(const Network& network, const Place& place);

/// A piece with these corners, oriented counter-clockwise.
Piece piece_of(EastNorth a, EastNorth b, EastNorth c);
/// Appends the polygon unless it is a sliver; oriented counter-clockwise.
void add_triangle(std::vector<Polygon>& polygons, EastNorth a, EastNorth b, EastNorth c);

}  // namespace simbatch::roads::detail
