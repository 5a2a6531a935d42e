#pragma once
/// Shared by the exports of GraspIt! robots. Internal to this room.

#include <map>
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

std::string link_name(std::size_t chain, std::size_t link);
std::string joint_name(std::size_t chain, std::size_t joint);
/// The files' efforts and frictions in N m or N, per rad/s or m/s.
double effort_si(double value, bool prismatic);
double damping_si(double value, bool prismatic);

enum class RobotTarget { urdf, sdf };
void report_robot_losses(const graspit::Robot& robot, RobotTarget target, Diagnostics& diagnostics);

}  // namespace simbatch::grasp::detail
