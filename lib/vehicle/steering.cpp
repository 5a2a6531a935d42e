// Ackermann geometry; see steering.hpp.
// Our own: for any number of axles, the center is on the line of the mean of the unsteered ones.

#include "lib/vehicle/steering.hpp"

#include <cmath>

namespace simbatch::vehicle {

SteeringGeometry steering_geometry(std::span<const geo::Vec3> positions, std::span<const bool> steered) {
  SteeringGeometry geometry;
  int fixed = 0, turning = 0;
  for (std::size_t i = 0; i < positions.size(); ++i) {
    if (steered[i]) {
      ++turning;
      continue;
    }
    geometry.z += positions[i].z;
    ++fixed;
  }
  if (fixed > 0) geometry.z /= fixed;
  geometry.has_center = fixed > 0 && turning > 0;
  return geometry;
}

double wheel_angle(const SteeringGeometry& geometry, geo::Vec3 position, double middle, double ackermann) {
  const double base = position.z - geometry.z;
  if (middle == 0 || ackermann == 0 || !geometry.has_center || base == 0) return middle;
  const double tangent = std::tan(middle);
  // rho = base / tangent is signed: the center lies to the right for a positive angle.
  const double inner = std::atan2(std::abs(base * tangent), std::abs(base - position.x * tangent));
  return middle + ackermann * (std::copysign(inner, middle) - middle);
}

WheelDirection wheel_direction(const SteeringGeometry& geometry, geo::Vec3 position, double middle, double ackermann) {
  return wheel_direction(geometry, position, middle, std::tan(middle), ackermann);
}

WheelDirection wheel_direction(const SteeringGeometry& geometry, geo::Vec3 position, double middle, double tangent,
                               double ackermann) {
  const double base = position.z - geometry.z;
  if (middle == 0) return {};
  if (ackermann != 1 || !geometry.has_center || base == 0) {
    const double angle = wheel_angle(geometry, position, middle, ackermann);
    return {std::sin(angle), std::cos(angle)};
  }
  const double across = std::abs(base * tangent), along = std::abs(base - position.x * tangent);
  const double scale = 1 / std::sqrt(across * across + along * along);
  return {std::copysign(scale * across, middle), scale * along};
}

}  // namespace simbatch::vehicle
