// Shared by the URDF and SDFormat exports: names, units of efforts, and common losses.
#include "lib/grasp/export_robot.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "lib/grasp/codes.hpp"
#include "lib/grasp/solid.hpp"

namespace simbatch::grasp::detail {

using namespace code;

std::string MeshNames::add(const GraspBody& body) {
  if (const auto known = names_.find(body.file); known != names_.end()) return known->second;
  std::string name = options_.mesh_folder + "/" + body.name + "." + options_.mesh_format;
  for (int i = 2; meshes_.contains(name); ++i)
    name = fmt::format("{}/{}_{}.{}", options_.mesh_folder, body.name, i, options_.mesh_format);
  meshes_[name] = options_.mesh_format == "obj" ? write_obj(body.mesh, 1, body.name) : write_stl(body.mesh, 1);
  names_[body.file] = name;
  return name;
}

std::array<double, 9> SoundInertias::of(const GraspBody& body) {
  if (is_possible_inertia(body.inertia)) return body.inertia;
  std::array<double, 9> tensor = body.computed_inertia;
  for (double& x : tensor) x *= body.mass;
  std::string_view instead = "the uniform solid";
  if (!is_possible_inertia(tensor)) {
    instead = "the box around it";
    double side[3] = {0, 0, 0};
    const auto box = inventor::bounding_box(body.mesh);
    constexpr double kThin = 1e-3;  // m: of a mesh without extent
    for (std::size_t i = 0; i < 3; ++i) side[i] = std::max(box ? box->max[i] - box->min[i] : 0, kThin);
    const double m = body.mass / 12, x = side[0] * side[0], y = side[1] * side[1], z = side[2] * side[2];
    tensor = {m * (y + z), 0, 0, 0, m * (z + x), 0, 0, 0, m * (x + y)};
  }
  const std::string& file = body.described.empty() ? body.file : body.described;
  if (reported_.insert(file).second) {
    diagnostics_.report_in(file, kLossInertia, {},
                           fmt::format("no body can have the tensor of inertia {}: that of {} is written",
                                       body.given.inertia ? "in this file" : "that its open mesh gives", instead));
  }
  return tensor;
}

std::string link_name(std::size_t chain, std::size_t link) { return fmt::format("chain{}_link{}", chain, link); }
std::string joint_name(std::size_t chain, std::size_t joint) { return fmt::format("chain{}_joint{}", chain, joint); }

// Files have N 1e6 and N mm 1e6.
double effort_si(double value, bool prismatic) { return prismatic ? value * 1e-6 : value * 1e-9; }
// N 1e6 per mm/s, and N mm 1e6 per rad/s.
double damping_si(double value, bool prismatic) { return prismatic ? value * 1e-3 : value * 1e-9; }

void report_robot_losses(const graspit::Robot& robot, RobotTarget target, Diagnostics& diagnostics) {
  using namespace code;
  std::size_t springs = 0, controlled = 0, breakaway = 0, compliant = 0, defaults = 0;
  std::vector<std::size_t> joints(robot.dofs.size(), 0);
  for (const auto& chain : robot.chains)
    for (const auto& joint : chain.joints) {
      springs += joint.stiffness.value_or(0) != 0 ? 1 : 0;
      if (joint.variable.dof < joints.size()) ++joints[joint.variable.dof];
    }
  for (const auto& dof : robot.dofs) {
    controlled += dof.kp != 0 || dof.kd != 0 || dof.velocity != 0 ? 1 : 0;
    breakaway += dof.kind == graspit::DofKind::breakaway ? 1 : 0;
    compliant += dof.kind == graspit::DofKind::compliant ? 1 : 0;
    defaults += dof.default_value ? 1 : 0;
  }
  const auto lost = [&](const Code& code, std::size_t count, std::string_view one, std::string_view many) {
    if (count > 0) diagnostics.report(code, {}, fmt::format("{} {} lost", count, count == 1 ? one : many));
  };
  lost(kLossControl, controlled, "force controller (Kp, Kd, autograsp velocity) is",
       "force controllers (Kp, Kd, autograsp velocity) are");
  lost(kLossBreakaway, breakaway, "breakaway torque is", "breakaway torques are");
  lost(kLossCompliance, compliant, "compliant coupling is", "compliant couplings are");
  lost(kLossDefault, defaults, "start value of a DOF is", "start values of DOFs are");
  if (target == RobotTarget::urdf) lost(kLossSpring, springs, "joint spring is", "joint springs are");
  if (target == RobotTarget::sdf)
    lost(kLossCoupling,
         static_cast<std::size_t>(std::count_if(joints.begin(), joints.end(), [](std::size_t n) { return n > 1; })),
         "DOF that drives several joints is", "DOFs that drive several joints are");
  const std::pair<std::string_view, bool> sections[] = {{"Approach", robot.approach.has_value()},
                                                        {"EigenGrasps", !robot.eigen_grasps.empty()},
                                                        {"VirtualContacts", !robot.virtual_contacts.empty()},
                                                        {"CyberGlove", !robot.cyber_glove.empty()},
                                                        {"FlockOfBirds", robot.flock_of_birds.has_value()},
                                                        {"Tendons", !robot.tendons.empty()},
                                                        {"TendonWrappers", !robot.wrappers.empty()}};
  for (const auto& section : sections)
    if (section.second) diagnostics.report(kLossSection, {}, fmt::format("the section {} is lost", section.first));
}

}  // namespace simbatch::grasp::detail
