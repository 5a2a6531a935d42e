#pragma once
/// CajunBot objects on a road network: their positions, and their motion over time. Pure functions of the two files; no
/// physics. docs/formats/cajunbot.md ("Places") documents the interpretation.

#include <cstddef>
#include <optional>
#include <vector>

#include "base/core/diagnostics.hpp"
#include "base/geo/geo.hpp"
#include "formats/cajunbot/cajunbot.hpp"
#include "formats/rndf/rndf.hpp"
#include "lib/traffic/motion.hpp"

namespace simbatch::traffic {

/// One object in the world.
struct PlacedObject {
  std::size_t index = 0;  ///< in the file
  geo::Vec3 position;     ///< of the center of its lower side (m, world frame)
  double heading = 0;     ///< rad, clockwise from north
  geo::LatLon place;      ///< of `position`
  std::vector<Target> targets;
  std::vector<geo::LatLon> target_places;  ///< of the targets, in their order
  double initial_pause = 0;                ///< s
  Motion motion() const { return {position, heading, initial_pause, targets}; }
};

struct PlacedObjects {
  geo::LocalFrame frame{geo::LatLon{}};
  std::vector<PlacedObject> objects;
};

/// kg, of an object with its wheels: 100 kg for each cubic meter of its size, as files do not contain a mass; a car of 1.7 x 3.7
/// x 2.2 m has about 1400 kg. At least 1 kg.
double vehicle_mass(const cajunbot::Object& object);

/// The first waypoint of a network, or nothing if it has none.
std::optional<geo::LatLon> first_place(const rndf::Rndf& network);

/// Direction of a lane or spot at one of its points: towards the next one, at the last one from the one before (rad, clockwise
/// from north). 0 on perimeters, and where there is no other point.
double lane_heading(const rndf::PointId& at, const rndf::Index& network, const geo::LocalFrame& frame);

/// Checks the objects' waypoints, expands goals without a waypoint in `file`, places the objects on the map plane about
/// `origin` and checks their distances. Returns nothing after an error.
std::optional<PlacedObjects> resolve_objects(cajunbot::ObjectFile& file, const rndf::Index& network, geo::LatLon origin,
                                             Diagnostics& diagnostics);

// The steps of resolve_objects:

/// Reports waypoints (start, goals, mesh places) that the network does not have.
void check_waypoints(const cajunbot::ObjectFile& file, const rndf::Index& network, Diagnostics& diagnostics);

/// Waypoints that the goals of a file may become, all together: a lane with 10,000 waypoints, as the goal of each of 10,000
/// objects, would be gigabytes.
inline constexpr std::size_t kMaxExpandedGoals = 2'000'000;
/// Reports the first object by whose goals there would be more. False then.
bool check_expansion(const cajunbot::ObjectFile& file, const rndf::Index& network, Diagnostics& diagnostics);

/// Replaces goals without a waypoint by goals at waypoints: from the one after the current waypoint to the end of the lane
/// if the object is in that lane, otherwise all of that lane; each with the goal's speed and pause (reference, "Dynamic
/// objects").
/// @param number  of the object in its file, from 1, for messages
void expand_goals(cajunbot::Object& object, std::size_t number, const rndf::Index& network, Diagnostics& diagnostics);

/// Places objects whose goals are expanded. An object whose start is not in the network is left out, and a goal that is not
/// in the network is skipped.
PlacedObjects place_objects(const cajunbot::ObjectFile& file, const rndf::Index& network, geo::LatLon origin);

/// Reports values that no map or world can represent: positions and goals more than 1000 km from the origin, sizes and wheels
/// over 10 km.
void check_reach(const cajunbot::ObjectFile& file, const PlacedObjects& resolved, Diagnostics& diagnostics);

}  // namespace simbatch::traffic
