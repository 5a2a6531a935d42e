#pragma once
/// Steering geometry: from the vehicle's steering angle to the angle of each wheel.

#include <span>

#include "base/geo/pose.hpp"

namespace simbatch::vehicle {

/// The line of the unsteered axles, on which the axes of all wheels intersect.
struct SteeringGeometry {
  bool has_center = false;  ///< false: every wheel is steered, or none, and all steered wheels stay parallel
  double z = 0;             ///< m, mean position of the unsteered wheels along the vehicle
};
/// @param positions  wheels in the chassis' frame (x right, z forward), m
/// @param steered    one per wheel
SteeringGeometry steering_geometry(std::span<const geo::Vec3> positions, std::span<const bool> steered);

/// Angle of one steered wheel (rad, positive to the right) for the angle `middle` of a virtual wheel in the middle of its axle;
/// interpolated by `ackermann` between parallel steering (0) and a circle about the common center (1: no tire scrub in a slow
/// turn). Source: Ackermann geometry; rho = (z_s - z0) / tan(middle), tan(angle) = (z_s - z0) / (rho - x).
double wheel_angle(const SteeringGeometry& geometry, geo::Vec3 position, double middle, double ackermann);

/// The same angle as sine and cosine.
struct WheelDirection {
  double sine = 0, cosine = 1;
};
WheelDirection wheel_direction(const SteeringGeometry& geometry, geo::Vec3 position, double middle, double ackermann);
/// The same, given tan(middle), which is the same for all wheels of a vehicle.
WheelDirection wheel_direction(const SteeringGeometry& geometry, geo::Vec3 position, double middle, double tangent,
                               double ackermann);

}  // namespace simbatch::vehicle
