#pragma once
/// Shared by the exports of GraspIt! robots. Internal to this room.

#include <array>
#include <map>
#include <set>
#include <string>

#include "lib/grasp/export.hpp"

namespace simbatch::grasp::detail {

/// Writes each body's mesh to a file with a unique name.
class MeshNames {
 public:
  MeshNames(const ExportOptions& options, MeshFiles& meshes) : options_(options), meshes_(meshes) {}
  std::string add(const GraspBody& body);

 private:
  const ExportOptions& options_;
  MeshFiles& meshes_;
  std::map<std::string, std::string> names_;  // geometry file -> name
};

/// The tensors of inertia that are written. Other programs refuse a file with one that no body can have, as some files give,
/// and as the integral over an open mesh can be: instead, that of the uniform solid, or of the box around the mesh.
class SoundInertias {
 public:
  explicit SoundInertias(Diagnostics& diagnostics) : diagnostics_(diagnostics) {}
  /// kg m^2 about the center of gravity, row by row. Reports each body once.
  std::array<double, 9> of(const GraspBody& body);

 private:
  Diagnostics& diagnostics_;
  std::set<std::string> reported_;  // files
};

std::string link_name(std::size_t chain, std::size_t link);
std::string joint_name(std::size_t chain, std::size_t joint);
/// The files' efforts and frictions in N m or N, per rad/s or m/s.
double effort_si(double value, bool prismatic);
double damping_si(double value, bool prismatic);

enum class RobotTarget { urdf, sdf };
void report_robot_losses(const graspit::Robot& robot, RobotTarget target, Diagnostics& diagnostics);

}  // namespace simbatch::grasp::detail
