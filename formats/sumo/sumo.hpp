#pragma once
/// SUMO's road networks (.net.xml): the model and its writer. Described in docs/formats/sumo.md.
///
/// Meters on the plane of geo::LocalFrame about `origin`, x east and y north; speeds in m/s. References are by id. Nothing is
/// derived: what SUMO expects to agree, such as the number of a junction's requests and that of its links, is up to the caller.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/geo/geo.hpp"

namespace simbatch::sumo {

/// Meters; the height counts only in a network with heights.
struct Point {
  double east = 0, north = 0, height = 0;
  friend bool operator==(const Point&, const Point&) = default;
};

struct Lane {
  double speed = 0;              ///< limit (m/s)
  double length = 0, width = 0;  ///< m
  std::string allow, disallow;   ///< classes of vehicles, separated by spaces; at most one of them is not empty
  std::vector<Point> shape;      ///< the middle of the lane, at least 2 points
};

/// The lanes in one direction between two junctions, or those that lead through a junction in the same direction (internal; the
/// id begins with a colon). Lane k has the id "<edge>_<k>".
struct Edge {
  std::string id;
  bool is_internal = false;
  std::string from, to, name, type;  ///< not of an internal edge
  int priority = 0;                  ///< not of an internal edge
  std::vector<Lane> lanes;           ///< from the right
};

struct Phase {
  int duration = 0;   ///< s
  std::string state;  ///< of each link: G, g, y, r
};
struct Program {
  std::string id;  ///< that of its junction
  std::vector<Phase> phases;
};

/// The right of way of a link: the bits of the links to which it yields, and of those that it meets.
struct Request {
  std::vector<bool> response, foes;
  bool waits_inside = false;  ///< its lane is divided by an internal junction
};

struct Junction {
  std::string id, type;
  Point at;
  std::vector<std::string> incoming, internal;  ///< ids of lanes; of an internal junction, the lanes that it observes
  std::vector<Point> shape;
  std::vector<Request> requests;  ///< one for each link, in the order of the incoming lanes and of their connections
};

struct Connection {
  std::string from, to;  ///< edges
  std::size_t from_lane = 0, to_lane = 0;
  std::string via;  ///< an internal lane; empty if the connection leaves the last one
  std::string light;
  std::optional<std::size_t> light_index;
  char direction = 's';  ///< s, l, r, t
  char state = 'M';
};

struct Roundabout {
  std::vector<std::string> nodes, edges;
};

struct Net {
  geo::LatLon origin;
  bool has_heights = false;
  std::vector<Edge> edges;  ///< internal ones first
  std::vector<Program> programs;
  std::vector<Junction> junctions;  ///< internal ones last
  std::vector<Connection> connections;
  std::vector<Roundabout> roundabouts;
};

/// The id of an edge's lane.
std::string lane_id(const std::string& edge, std::size_t lane);

std::string write(const Net& net);

}  // namespace simbatch::sumo
