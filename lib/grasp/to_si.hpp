#pragma once
/// GraspIt!'s models in SI units: transforms as poses, robots as chains, lists of DOF values. Frames stay GraspIt!'s:
/// right-handed, z up.

#include <cstddef>
#include <numbers>
#include <span>
#include <vector>

#include "base/geo/pose.hpp"
#include "formats/graspit/graspit.hpp"
#include "lib/grasp/chain.hpp"

namespace simbatch::grasp {

inline constexpr double kDegree = std::numbers::pi / 180;  ///< rad
inline constexpr double kMillimeter = 0.001;               ///< m

/// Millimeters of a file as meters.
Vec3 meters(const graspit::Vector3& v);
/// A transform as a pose, meters.
geo::Pose pose_of(const graspit::Transform& transform);
/// The chains of a robot, SI. A DOF that drives only prismatic joints is in meters, any other in radians.
Kinematics chains_of(const graspit::Robot& robot, std::vector<bool>* dof_is_length = nullptr);

/// The values of a world's DOF line, split with the robot's help: a breakaway DOF is followed by a flag for each of its joints,
/// and a set flag by the joint's breakaway position.
struct DofValues {
  std::vector<double> values;  ///< one per DOF, SI
  std::size_t used = 0;        ///< count of the file's numbers
  bool complete = false;       ///< the count matches
};
DofValues split_dof_values(const graspit::Robot& robot, std::span<const double> numbers);

}  // namespace simbatch::grasp
