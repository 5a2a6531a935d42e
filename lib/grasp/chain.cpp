// Standard Denavit-Hartenberg chains (J. Denavit and R. S. Hartenberg, "A kinematic notation for lower-pair mechanisms based on
// matrices", J. Applied Mechanics 22, 1955): each joint's transform is split into the parts before and after its variable
// motion.
#include "lib/grasp/chain.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace simbatch::grasp {

Pose rotation_x(double angle) { return {{}, {std::cos(angle / 2), std::sin(angle / 2), 0, 0}}; }
Pose rotation_z(double angle) { return {{}, {std::cos(angle / 2), 0, 0, std::sin(angle / 2)}}; }
Pose translation(Vec3 by) { return {by, {}}; }

Quat from_rows(const double (&m)[9]) {
  const double trace = m[0] + m[4] + m[8];
  Quat q;
  if (trace >= m[0] && trace >= m[4] && trace >= m[8]) {
    q = {1 + trace, m[7] - m[5], m[2] - m[6], m[3] - m[1]};
  } else if (m[0] >= m[4] && m[0] >= m[8]) {
    q = {m[7] - m[5], 1 + m[0] - m[4] - m[8], m[1] + m[3], m[2] + m[6]};
  } else if (m[4] >= m[8]) {
    q = {m[2] - m[6], m[1] + m[3], 1 - m[0] + m[4] - m[8], m[5] + m[7]};
  } else {
    q = {m[3] - m[1], m[2] + m[6], m[5] + m[7], 1 - m[0] - m[4] + m[8]};
  }
  return geo::normalized(q);
}

JointParts joint_parts(const Joint& joint) {
  const Pose after = translation({joint.a, 0, 0}) * rotation_x(joint.alpha);
  if (joint.prismatic) return {rotation_z(joint.theta) * translation({0, 0, joint.offset}), after};
  return {rotation_z(joint.offset), translation({0, 0, joint.d}) * after};
}

Pose joint_motion(const Joint& joint, double v) { return joint.prismatic ? translation({0, 0, v}) : rotation_z(v); }

std::vector<Limits> dof_limits(const Kinematics& robot) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  std::vector<Limits> limits(robot.dofs, {-kInfinity, kInfinity});
  for (const Chain& chain : robot.chains) {
    for (const Joint& joint : chain.joints) {
      if (joint.factor == 0 || joint.dof >= robot.dofs) continue;
      const double a = joint.min / joint.factor, b = joint.max / joint.factor;
      Limits& of = limits[joint.dof];
      of.min = std::max(of.min, std::min(a, b));
      of.max = std::min(of.max, std::max(a, b));
    }
  }
  return limits;
}

std::vector<std::vector<Pose>> link_poses(const Kinematics& robot, std::span<const double> dofs) {
  std::vector<std::vector<Pose>> poses;
  std::vector<Pose> frames;
  for (const Chain& chain : robot.chains) {
    frames.assign(1, chain.base);
    for (const Joint& joint : chain.joints) {
      const JointParts of = joint_parts(joint);
      frames.push_back(frames.back() * of.before * joint_motion(joint, joint.factor * dofs[joint.dof]) * of.after);
    }
    poses.emplace_back();
    for (const std::int64_t last : chain.links) poses.back().push_back(frames[static_cast<std::size_t>(last + 1)]);
  }
  return poses;
}

}  // namespace simbatch::grasp
