// Yaw and pitch from the image of x, roll from the remaining rotation: no division by a cosine that may be 0 (own).
#include "base/geo/euler.hpp"

#include <cmath>

namespace simbatch::geo {

std::array<double, 3> roll_pitch_yaw(Quat q) {
  const auto column = [](Quat r, int k) { return r * Vec3{k == 0 ? 1.0 : 0.0, k == 1 ? 1.0 : 0.0, k == 2 ? 1.0 : 0.0}; };
  const Vec3 x = column(q, 0);
  const double flat = std::hypot(x.x, x.y);
  const double pitch = std::atan2(-x.z, flat);
  const double yaw = flat > 1e-12 ? std::atan2(x.y, x.x) : 0;
  const Quat rest = rotation({0, 1, 0}, -pitch) * rotation({0, 0, 1}, -yaw) * q;
  const Vec3 y = column(rest, 1);
  // Adding 0 turns -0 into 0.
  return {std::atan2(y.z, y.y) + 0.0, pitch + 0.0, yaw + 0.0};
}

EulerPose to_euler(const Pose& pose) { return {{pose.p.x, pose.p.y, pose.p.z}, roll_pitch_yaw(pose.q)}; }

Quat from_roll_pitch_yaw(const std::array<double, 3>& rpy) {
  return rotation({0, 0, 1}, rpy[2]) * rotation({0, 1, 0}, rpy[1]) * rotation({1, 0, 0}, rpy[0]);
}

}  // namespace simbatch::geo
