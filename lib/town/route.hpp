#pragma once
/// A drive through a town: where a car can start, and the line it can follow.

#include <optional>
#include <vector>

#include "base/geo/geo.hpp"
#include "formats/autosim/setup.hpp"
#include "formats/osm/osm.hpp"

namespace simbatch::town {

/// A straight line or, with a radius, an arc that is tangent to its neighbors. East and north of the setup's NodeOffset (m).
struct RoutePiece {
  geo::EastNorth from, to;
  geo::EastNorth center;  ///< of an arc
  double radius = 0;      ///< m; 0: straight
  bool right = false;     ///< an arc to the right: clockwise seen from above
  double length() const;  ///< m
};

struct Route {
  osm::Id way = 0;                 ///< where it begins
  std::vector<RoutePiece> pieces;  ///< at least one
  double length = 0;               ///< m
  double heading = 0;              ///< at its beginning, degrees clockwise from north
};

/// The best drive near the center of the map: along streets of the setup as simrun builds them (docs/map.md: curves,
/// tagged widths, narrower between buildings and beside ramps), at least 3.5 m wide, with the gentlest bends, in the
/// right lane of two-way streets, in the permitted direction on one-way ones, never across bridges, through tunnels or on
/// a tunnel's ramps, nor into mapped buildings (garages in which a street ends), and not off the setup's ground. It begins
/// on that one of the 400 pieces of street nearest to the origin from which the longest drive, up to `longest`, is
/// possible; ties go to the nearest. The drive leaves 3 m of street at its beginning and 6 m at its end. Where no street
/// can be driven, main roads, service roads and tracks of at least 3 m are. Corners are rounded with the greatest radius up
/// to 12 m (more in gentle bends) that keeps within 1.2 m of the lane's line, or 2.5 m in left turns, and 1.4 m from the
/// edge of the lanes; where that is less than 5 m, the drive ends. Cost: that of laying out the map's streets.
/// @return nothing where no road can be driven for at least 30 m
std::optional<Route> find_route(const osm::Model& map, const autosim::MapSetup& setup, double longest);

}  // namespace simbatch::town
