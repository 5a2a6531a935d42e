#pragma once
/// Transforms between the frames of the file formats and the world frame (docs/conventions.md). Units are not converted here.

#include <numbers>

#include "base/geo/geo.hpp"
#include "base/geo/pose.hpp"

namespace simbatch::geo {

/// A direction of a compass heading (rad, 0 = north, clockwise), length 1, level.
inline Vec3 direction_of_heading(double heading) { return {std::sin(heading), 0, std::cos(heading)}; }
/// A frame whose +z looks along a heading and whose +y is up.
inline Quat rotation_of_heading(double heading) { return rotation({0, 1, 0}, heading); }
/// A heading from an angle counted counter-clockwise from east (rad), and vice versa: the same formula.
constexpr double heading_from_east_angle(double angle) { return std::numbers::pi / 2 - angle; }

/// A vector of a right-handed frame with z up (GraspIt!, SDF, URDF; CajunBot: x right, y forward, z up) in the world's axes: y
/// and z are swapped. The function is its own inverse.
constexpr Vec3 swap_up(Vec3 v) { return {v.x, v.z, v.y}; }
/// A rotation of a right-handed z-up frame in the world's axes; its own inverse. The world's axes are left-handed when drawn,
/// so swapping y and z reverses the sense of every rotation.
constexpr Quat swap_up(Quat q) { return {q.w, -q.x, -q.z, -q.y}; }

/// A map place (m) on the world's plane at a height.
constexpr Vec3 at_height(EastNorth place, double height) { return {place.east, height, place.north}; }

}  // namespace simbatch::geo
