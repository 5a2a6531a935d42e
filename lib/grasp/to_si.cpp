// GraspIt!'s models in SI units (docs/formats/graspit.md for the meaning of their numbers).
#include "lib/grasp/to_si.hpp"

#include <algorithm>
#include <cmath>

namespace simbatch::grasp {
namespace {

using graspit::TransformStep;

Pose pose_of(const TransformStep& step) {
  switch (step.kind) {
    case TransformStep::Kind::translation: return translation(meters(step.position));
    case TransformStep::Kind::degrees:
    case TransformStep::Kind::radians: {
      const double angle = step.kind == TransformStep::Kind::degrees ? step.angle * kDegree : step.angle;
      const Vec3 axis{step.axis == 'x' ? 1.0 : 0.0, step.axis == 'y' ? 1.0 : 0.0, step.axis == 'z' ? 1.0 : 0.0};
      return {{}, geo::rotation(axis, angle)};
    }
    case TransformStep::Kind::matrix: {
      // Rows are axes: the text is the transpose of the rotation matrix for column vectors.
      const graspit::Matrix3& r = *step.rows;
      return {{}, from_rows({r[0], r[3], r[6], r[1], r[4], r[7], r[2], r[5], r[8]})};
    }
    case TransformStep::Kind::full: {
      const auto& q = step.quaternion;
      return {meters(step.position), geo::normalized(geo::Quat{q[0], q[1], q[2], q[3]})};
    }
  }
  return {};
}

}  // namespace

Vec3 meters(const graspit::Vector3& v) { return {v[0] * kMillimeter, v[1] * kMillimeter, v[2] * kMillimeter}; }

Pose pose_of(const graspit::Transform& transform) {
  Pose pose;
  for (const TransformStep& step : transform) pose = pose * pose_of(step);
  pose.q = geo::normalized(pose.q);
  return pose;
}

Kinematics chains_of(const graspit::Robot& robot, std::vector<bool>* dof_is_length) {
  Kinematics out;
  out.dofs = robot.dofs.size();
  std::vector<bool> length(out.dofs, false), turns(out.dofs, false);
  for (const auto& chain : robot.chains)
    for (const auto& joint : chain.joints)
      if (joint.variable.dof < out.dofs) (joint.prismatic ? length : turns)[joint.variable.dof] = true;
  for (std::size_t i = 0; i < out.dofs; ++i) length[i] = length[i] && !turns[i];
  for (const auto& chain : robot.chains) {
    Chain to;
    to.base = pose_of(chain.base);
    for (const auto& from : chain.joints) {
      const double unit = from.prismatic ? kMillimeter : kDegree;
      const bool dof_known = from.variable.dof < out.dofs;
      Joint joint;
      joint.prismatic = from.prismatic;
      joint.dof = dof_known ? from.variable.dof : 0;
      // GraspIt! measures DOFs in radians and millimeters: a prismatic joint driven by an angle moves k mm per radian.
      joint.factor = dof_known ? from.variable.factor * (from.prismatic && !length[joint.dof] ? kMillimeter : 1) : 0;
      joint.offset = from.variable.offset * unit;
      joint.theta = from.theta * kDegree;
      joint.d = from.d * kMillimeter;
      joint.a = from.a * kMillimeter;
      joint.alpha = from.alpha * kDegree;
      joint.min = from.min * unit;
      joint.max = from.max * unit;
      to.joints.push_back(joint);
    }
    const auto last = static_cast<std::int64_t>(to.joints.size()) - 1;
    for (const auto& link : chain.links) to.links.push_back(std::clamp<std::int64_t>(link.last_joint, -1, last));
    out.chains.push_back(std::move(to));
  }
  if (out.dofs == 0)
    for (auto& chain : out.chains) chain.joints.clear(), std::fill(chain.links.begin(), chain.links.end(), -1);
  if (dof_is_length != nullptr) *dof_is_length = std::move(length);
  return out;
}

DofValues split_dof_values(const graspit::Robot& robot, std::span<const double> numbers) {
  std::vector<bool> length;
  (void)chains_of(robot, &length);
  std::vector<std::size_t> joints(robot.dofs.size(), 0);
  for (const auto& chain : robot.chains)
    for (const auto& joint : chain.joints)
      if (joint.variable.dof < joints.size()) ++joints[joint.variable.dof];
  DofValues out;
  out.complete = true;
  const auto take = [&]() -> double {
    if (out.used < numbers.size()) return numbers[out.used++];
    out.complete = false;
    return 0;
  };
  for (std::size_t i = 0; i < robot.dofs.size(); ++i) {
    out.values.push_back(take() * (length[i] ? kMillimeter : 1));
    if (robot.dofs[i].kind != graspit::DofKind::breakaway) continue;
    for (std::size_t k = 0; k < joints[i]; ++k)
      if (take() != 0) (void)take();
  }
  out.complete = out.complete && out.used == numbers.size();
  return out;
}

}  // namespace simbatch::grasp
