#pragma once
/// Shapes of models as AutoSim's. Internal to this room.

#include "base/geo/euler.hpp"
#include "lib/robots/to_autosim.hpp"

namespace simbatch::robots::detail {

autosim::Vector3 vector_of(Vec3 v);
/// A vector, and a rotation, converted from z-up axes to AutoSim's.
inline autosim::Vector3 up_vector(Vec3 v) { return vector_of(geo::Vec3{v.x, v.z, v.y}); }

/// A pose as it is written: to 1e-12 m and 1e-13 rad, far below what anything is measured to, so that turning a model's axes and back
/// gives the same text.
geo::EulerPose written_pose(const geo::Pose& pose);

geo::Pose pose_of(const geo::EulerPose& pose);
/// The numbers that a file has, where they are those of the pose to 1e-9 m and 1e-9 rad.
geo::EulerPose written_pose(const geo::Pose& pose, const std::optional<geo::EulerPose>& written);
bool is_close(const geo::Pose& a, const geo::Pose& b);
bool is_close(Vec3 a, Vec3 b);
/// Likewise the inertial of a part, in its frame.
WrittenInertial written_inertial(const Part& part);
/// The axis of a joint in its frame, of the orientation q in the model. @param written  that of the file, in the same frame
Vec3 written_axis(Vec3 axis, const geo::Quat& q, Vec3 written);

/// A shape and its pose in AutoSim's axes.
struct Placed {
  autosim::Shape shape;
  Vec3 position;
  geo::Quat rotation;
};
/// Nothing, after a report, for a shape that has no equivalent: a plane, a mesh without a file.
std::optional<Placed> placed(const Solid& solid, const MeshFinder& find_mesh, Diagnostics& problems);
/// Volume (m^3); nothing for a mesh or a plane.
std::optional<double> volume_of(const Shape& shape);

}  // namespace simbatch::robots::detail
