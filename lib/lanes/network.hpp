#pragma once
/// Roads with their lanes, and how lanes continue through junctions, as OpenDRIVE and similar formats describe them; made from
/// maps (OSM) and road networks (RNDF).
///
/// Meters on the plane of geo::LocalFrame about `origin`, headings in radians counterclockwise from east. Traffic drives on the
/// right.

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/core/diagnostics.hpp"
#include "formats/osm/osm.hpp"
#include "formats/rndf/rndf.hpp"
#include "lib/lanes/line.hpp"

namespace simbatch::lanes {

enum class Mark : std::uint8_t { none, solid, broken, double_yellow, solid_yellow };

struct Lane {
  double width = 0;  ///< m
  bool is_sidewalk = false;
  Mark outer = Mark::none;  ///< at the border away from the road's line
};

/// A traffic light or stop sign for the lanes of one direction.
struct Sign {
  double s = 0;  ///< along the road's line
  bool is_light = false;
  bool is_forward = true;
};

struct Road {
  std::string source;  ///< in the input: an OSM way's id, or an RNDF lane as "1.2"
  std::string name;
  std::string kind;             ///< value of `highway`; "lane" for RNDF
  std::optional<double> speed;  ///< limit (m/s), if the input has one
  bool is_roundabout = false;   ///< part of one
  Line line;
  double shift = 0;               ///< how far the border between left and right lanes is to the left of the line
  std::vector<Lane> right, left;  ///< lanes along the line, and against it, each from that border outwards
  Mark center = Mark::none;
  std::vector<Sign> signs;
  std::optional<std::size_t> start_junction, end_junction;
};

/// Lane -1, -2, ... of `right`, or 1, 2, ... of `left`.
using LaneId = int;

/// A way that a car may take through a junction.
struct Turn {
  std::size_t from_road = 0;
  LaneId from_lane = 0;
  std::size_t to_road = 0;
  LaneId to_lane = 0;
};
struct Junction {
  std::string source;  ///< OSM node id, or an RNDF waypoint
  std::vector<Turn> turns;
};

/// Heights of the roads of a map, way by way: where two of them cross, one place has two heights.
struct Heights {
  /// Of the surface (m) at a place of a frame's plane: of a way (`from` and `to`), or of a turn from one to another. Empty: all
  /// are on a plane.
  std::function<double(osm::Id from, osm::Id to, const geo::LocalFrame& frame, geo::EastNorth at)> at;
  std::function<bool(osm::Id way)> knows;  ///< others are on the ground
  bool is_above_geoid = false;             ///< EGM96, as elevation tiles; else above the map's own zero
};

struct Network {
  std::string name;
  geo::LatLon origin;
  std::vector<Road> roads;
  std::vector<Junction> junctions;
  /// As Heights::at, at places of the plane; empty: the roads are on it.
  std::function<double(osm::Id from, osm::Id to, geo::EastNorth at)> height_at;
  bool is_above_geoid = false;
  double height_step = 1;  ///< m: how densely heights are looked at along a road
};

/// The lane with that number. @pre it exists
const Lane& lane_of(const Road& road, LaneId lane);
/// The lane's center at the road's start or end, with the heading of cars on it.
Place lane_place(const Road& road, LaneId lane, bool at_end);

/// The path of a turn: u(p), v(p) in the frame of its start, p from 0 to 1; without a kink at both ends.
struct TurnCurve {
  Place start;
  std::array<double, 4> u{}, v{};  ///< cubic polynomials, constant term first
  double length = 0;
  double from_width = 0, to_width = 0;
};
/// Empty if it would have no length. The cubic is the one closest to a circular arc with the same change of direction.
std::optional<TurnCurve> curve_of(const Network& network, const Turn& turn);

/// The drivable streets of a map: ways from motorway to service, with lanes by `oneway`, `lanes`, `lanes:forward`,
/// `lanes:backward`, `turn:lanes`, widths by `width`, sidewalks by `sidewalk`, limits by `maxspeed`, turns by restriction
/// relations, lights and stop signs by nodes. Only lane counts and widths that are not tagged are assumed. Reports
/// what is lost, one diagnostic for each kind of loss; empty after an error. O(n log n).
/// @param heights  without them the roads are on the plane
std::optional<Network> from_osm(const osm::Model& map, const std::string& name, Diagnostics& diagnostics,
                                std::optional<Heights> heights = std::nullopt);

/// The lanes of a network, each as a separate road that begins and ends where exits do, since the format relates neighboring
/// lanes only by their numbers; boundaries become marks, stops become signs. Reports what is lost; empty after an error.
std::optional<Network> from_rndf(const rndf::Rndf& rndf, Diagnostics& diagnostics);

}  // namespace simbatch::lanes
