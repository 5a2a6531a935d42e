#pragma once
/// Orientations as three angles, as in robot description formats.

#include <array>

#include "base/geo/pose.hpp"

namespace simbatch::geo {

/// A frame in another: rotation Rz(yaw) Ry(pitch) Rx(roll), then translation, as in URDF and SDFormat. Meters, radians.
struct EulerPose {
  std::array<double, 3> xyz{}, rpy{};
  friend bool operator==(const EulerPose&, const EulerPose&) = default;
};

/// Roll, pitch, yaw of Rz(yaw) Ry(pitch) Rx(roll), exact to 1e-12 also near pitch = 90 degrees. Straight up or down, where roll
/// and yaw turn about the same axis, yaw is 0.
std::array<double, 3> roll_pitch_yaw(Quat q);
EulerPose to_euler(const Pose& pose);
Quat from_roll_pitch_yaw(const std::array<double, 3>& rpy);

}  // namespace simbatch::geo
