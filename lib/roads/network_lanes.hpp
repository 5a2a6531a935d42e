#pragma once
/// The carriageways of a road network (RNDF) as flat surfaces with their lines, for pictures.

#include <cmath>
#include <cstdint>
#include <vector>

#include "base/geo/geo.hpp"
#include "formats/rndf/rndf.hpp"

namespace simbatch::roads {

enum class BorderLine : std::uint8_t { none, solid_white, broken_white, solid_yellow, double_yellow };

/// A lane, or a parking place.
struct NetworkLane {
  std::vector<geo::EastNorth> line;  ///< its middle, in driving order, at least two points (m)
  double width = 0;                  ///< m
  BorderLine left = BorderLine::none, right = BorderLine::none;
  std::vector<double> stops = {};  ///< of stop lines, from the start of the line (m), ascending
};

/// Triangles are three corners each, counter-clockwise on a map; none lies over another.
struct NetworkSurfaces {
  std::vector<NetworkLane> lanes;
  std::vector<geo::EastNorth> marked;  ///< of lanes and parking places
  std::vector<geo::EastNorth> plain;   ///< of shoulders, ways between lanes, zones
};

/// Lanes as wide as the file says (else kUsualLane), with shoulders of kShoulder; exits as curves from lane to lane; zones, and
/// parking places in them. Where two lanes lie beside each other, the line between them is painted once, in the lane that the file
/// names first: the more restrictive of both lanes' boundaries. A file without any boundary gets usual ones: white edges, between
/// lanes a broken white line, between directions a double yellow one.
///
/// Left out are: steps of more than kLongestStep, waypoints more than 1000 km from the frame's origin, zones larger than
/// kLargestZone, and what exceeds kMostPieces or kMostCuts.
/// Cost: in proportion to the length of all lanes, as long as few overlap.
NetworkSurfaces network_surfaces(const rndf::Rndf& network, const geo::LocalFrame& frame);

inline constexpr double kUsualLane = 12 * rndf::kMetersPerFoot;    ///< m: the width of lanes in the USA
inline constexpr double kShoulder = 0.5;                           ///< m
inline constexpr double kLongestStep = 5000, kLargestZone = 1000;  ///< m; steps as rndf-step-long has it
inline constexpr double kPieceLength = 50;                         ///< m, along a lane
inline constexpr std::size_t kMostPieces = 100'000;
inline constexpr std::uint64_t kMostCuts = 5'000'000;  ///< pairs of pieces looked at

namespace detail {

/// The lanes and parking places, without lines. Parking places follow lanes. @param sources  of each: its lane, or null
std::vector<NetworkLane> lanes_of(const rndf::Rndf& network, const geo::LocalFrame& frame,
                                  std::vector<const rndf::Lane*>& sources);
/// Gives lanes their lines, and parking places two white ones.
void add_lines(std::vector<NetworkLane>& lanes, const std::vector<const rndf::Lane*>& sources);
/// How many pieces of at most kPieceLength a step of a lane is cut into; 0 for one without length. @param length  m
inline std::size_t pieces_in(double length) { return static_cast<std::size_t>(std::ceil(length / kPieceLength)); }
/// A waypoint on the plane. @return false if it has no place within 1000 km of the origin
bool is_placed(const rndf::Waypoint& waypoint, const geo::LocalFrame& frame, geo::EastNorth& at);

}  // namespace detail
}  // namespace simbatch::roads
