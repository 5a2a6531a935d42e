#pragma once
/// Chains of joints in Denavit-Hartenberg parameters, driven by DOFs that several joints may share.
///
/// Standard (distal) convention, Denavit and Hartenberg 1955: joint j moves frame j - 1 to frame j by Rz(theta) Tz(d) Tx(a)
/// Rx(alpha). SI: meters, radians. Frames are right-handed; independent of which axis is up.

#include <cstdint>
#include <span>
#include <vector>

#include "base/geo/pose.hpp"

namespace simbatch::grasp {

using geo::Pose;
using geo::Quat;
using geo::Vec3;

/// A rotation about x or z by an angle in radians, and a translation.
Pose rotation_x(double angle);
Pose rotation_z(double angle);
Pose translation(Vec3 by);
/// The quaternion of a rotation matrix given row by row; a rotation close to it if the rows are slightly off. Source: S. W.
/// Shepperd, "Quaternion from rotation matrix", J. Guidance and Control 1(3), 1978; then normalized.
Quat from_rows(const double (&m)[9]);

struct Joint {
  bool prismatic = false;   ///< d is driven, else theta
  std::uint32_t dof = 0;    ///< index of the driving DOF
  double factor = 1;        ///< value = factor * DOF + offset
  double offset = 0;        ///< rad or m
  double theta = 0, d = 0;  ///< the driven parameter is taken as 0 here
  double a = 0, alpha = 0;
  double min = 0, max = 0;  ///< of factor * DOF, without the offset (as in GraspIt!)
};

/// Parts of a joint's motion: frame j - 1 -> before -> (moved by the value) -> after = frame j.
struct JointParts {
  Pose before;  ///< revolute: Rz(offset); prismatic: Rz(theta) Tz(offset)
  Pose after;   ///< revolute: Tz(d) Tx(a) Rx(alpha); prismatic: Tx(a) Rx(alpha)
};
JointParts joint_parts(const Joint& joint);
/// The motion alone: about z by v, or along z by v.
Pose joint_motion(const Joint& joint, double v);

struct Chain {
  Pose base;  ///< of the first joint in the robot's base
  std::vector<Joint> joints;
  std::vector<std::int64_t> links;  ///< for each link, the joint that defines its frame; -1: the chain's base
};

/// Chains that share DOFs and start from one base.
struct Kinematics {
  std::size_t dofs = 0;
  std::vector<Chain> chains;
};

struct Limits {
  double min = 0, max = 0;
};
/// Range of each DOF: the intersection over its joints of limit / factor (ends swapped where the factor is negative). A DOF
/// without joints, or with factors 0 only, has -inf .. inf; joints that contradict each other give min > max.
std::vector<Limits> dof_limits(const Kinematics& robot);

/// Poses of all links in the frame of the base, chain by chain.
/// @param dofs  a value for each DOF (rad or m)
/// @pre every joint's dof < dofs.size(), every link's joint exists
/// Cost: one walk over the joints.
std::vector<std::vector<Pose>> link_poses(const Kinematics& robot, std::span<const double> dofs);

}  // namespace simbatch::grasp
