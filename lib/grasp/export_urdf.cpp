#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "lib/grasp/codes.hpp"
#include "lib/grasp/export.hpp"
#include "lib/grasp/export_parts.hpp"

namespace simbatch::grasp {
namespace {

using namespace detail;

urdf::Pose urdf_pose(const geo::Pose& pose) { return {{pose.p.x, pose.p.y, pose.p.z}, roll_pitch_yaw(pose.q)}; }

class UrdfBuilder {
 public:
  UrdfBuilder(const GraspRobot& robot, const ExportOptions& options, MeshFiles& meshes, Diagnostics& diagnostics)
      : robot_(robot), files_(options, meshes), diagnostics_(diagnostics), limits_(grasp::dof_limits(robot.chains)) {}

  urdf::Robot build() {
    out_.name = robot_.name;
    masters_.resize(robot_.chains.dofs);
    for (std::size_t c = 0; c < robot_.chains.chains.size(); ++c)
      for (std::size_t j = 0; j < robot_.chains.chains[c].joints.size(); ++j) {
        const auto& joint = robot_.chains.chains[c].joints[j];
        auto& master = masters_[joint.dof];
        if (!master.found && joint.factor != 0) master = {true, joint_name(c, j), joint.factor};
      }
    link("palm", robot_.palm.get(), {}, robot_.model.palm);
    for (std::size_t c = 0; c < robot_.chains.chains.size(); ++c) chain(c);
    report_robot_losses(robot_.model, RobotTarget::urdf, diagnostics_);
    return std::move(out_);
  }

 private:
  struct Master {
    bool found = false;
    std::string joint;
    double factor = 1;
  };

  void link(const std::string& name, const GraspBody* body, const geo::Pose& place, const std::string& file) {
    urdf::Link link;
    link.name = name;
    if (body != nullptr) {
      const geo::Pose centre = place * grasp::moved(body->cog);
      const auto& i = body->inertia;
      link.inertial = urdf::Inertial{urdf_pose(centre), body->mass, {i[0], i[1], i[2], i[4], i[5], i[8]}};
      if (!body->mesh.triangles.empty()) {
        urdf::Mesh mesh{urdf_pose(place), files_.add(*body), body->mesh.parts[0].color};
        link.visuals.push_back(mesh);
        link.collisions.push_back(mesh);
      }
    } else if (!file.empty()) {
      diagnostics_.report(
          code::kLossShape, {},
          fmt::format("link {} has no shape and no mass: its file {} is missing", name, simbatch::quoted(file)));
    }
    out_.links.push_back(std::move(link));
  }

  void chain(std::size_t c) {
    const grasp::Chain& chain = robot_.chains.chains[c];
    const graspit::Chain& model = robot_.model.chains[c];
    std::string parent = "palm";
    geo::Pose tail = chain.base;  // from the parent's frame to the frame after its last joint
    fixed_links(c, -1, parent, tail, false);
    for (std::size_t j = 0; j < chain.joints.size(); ++j) {
      const grasp::Joint& from = chain.joints[j];
      const grasp::JointParts parts = grasp::parts(from);
      std::size_t first = chain.links.size();
      for (std::size_t l = chain.links.size(); l-- > 0;)
        if (chain.links[l] == static_cast<std::int64_t>(j)) first = l;
      const std::string child = first < chain.links.size() ? link_name(c, first) : joint_name(c, j) + "_frame";
      urdf::Joint joint;
      joint.name = joint_name(c, j);
      joint.parent = parent;
      joint.child = child;
      joint.origin = urdf_pose(tail * parts.before);
      drive(joint, from, model.joints[j]);
      out_.joints.push_back(std::move(joint));
      parent = child;
      tail = parts.behind;
      if (first < chain.links.size())
        link(child, robot_.links[c][first].get(), tail, model.links[first].file);
      else
        link(child, nullptr, tail, "");
      fixed_links(c, static_cast<std::int64_t>(j), parent, tail, true);
    }
  }

  // Further links in the frame of one joint (GraspIt! has none, Fixed ones would be).
  void fixed_links(std::size_t c, std::int64_t last, const std::string& parent, const geo::Pose& tail, bool skip_first) {
    const grasp::Chain& chain = robot_.chains.chains[c];
    for (std::size_t l = 0; l < chain.links.size(); ++l) {
      if (chain.links[l] != last) continue;
      if (skip_first) {
        skip_first = false;
        continue;
      }
      urdf::Joint joint;
      joint.name = link_name(c, l) + "_fixed";
      joint.parent = parent;
      joint.child = link_name(c, l);
      joint.origin = urdf_pose(tail);
      out_.joints.push_back(std::move(joint));
      link(link_name(c, l), robot_.links[c][l].get(), {}, robot_.model.chains[c].links[l].file);
    }
  }

  void drive(urdf::Joint& joint, const grasp::Joint& from, const graspit::Joint& model) {
    const Master& master = masters_[from.dof];
    if (from.factor == 0 || !master.found) return;  // never moves
    joint.type = from.prismatic ? "prismatic" : "revolute";
    const graspit::Dof& dof = robot_.model.dofs[from.dof];
    urdf::Limit limit;
    limit.lower = from.min;
    limit.upper = from.max;
    if (joint.name == master.joint) {
      // The DOF's limits: what all of its joints allow.
      const double a = limits_[from.dof].min * from.factor, b = limits_[from.dof].max * from.factor;
      if (std::min(a, b) <= std::max(a, b) && limits_[from.dof].min <= limits_[from.dof].max) {
        limit.lower = std::min(a, b);
        limit.upper = std::max(a, b);
      }
    } else {
      joint.mimic = urdf::Mimic{master.joint, from.factor / master.factor, 0};
    }
    limit.effort = effort_si(dof.max_effort, from.prismatic);
    // GraspIt! limits no velocity; that of the autograsp motion is the only one a file gives.
    limit.velocity = dof.velocity != 0 ? std::abs(dof.velocity * from.factor) : 1;
    joint.limit = limit;
    if (model.viscous) joint.damping = damping_si(*model.viscous, from.prismatic);
    if (model.coulomb) joint.friction = effort_si(*model.coulomb, from.prismatic);
  }

  const GraspRobot& robot_;
  MeshNames files_;
  Diagnostics& diagnostics_;
  std::vector<grasp::Limits> limits_;
  std::vector<Master> masters_;
  urdf::Robot out_;
};

}  // namespace

namespace detail {

std::string MeshNames::add(const GraspBody& body) {
  if (const auto known = names_.find(body.file); known != names_.end()) return known->second;
  std::string name = options_.mesh_folder + "/" + body.name + "." + options_.mesh_format;
  for (int i = 2; meshes_.contains(name); ++i)
    name = fmt::format("{}/{}_{}.{}", options_.mesh_folder, body.name, i, options_.mesh_format);
  meshes_[name] = options_.mesh_format == "obj" ? write_obj(body.mesh, 1, body.name) : write_stl(body.mesh, 1);
  names_[body.file] = name;
  return name;
}

std::string link_name(std::size_t chain, std::size_t link) { return fmt::format("chain{}_link{}", chain, link); }
std::string joint_name(std::size_t chain, std::size_t joint) { return fmt::format("chain{}_joint{}", chain, joint); }

// Files hold N 1e6 and N mm 1e6.
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

}  // namespace detail

urdf::Robot to_urdf(const GraspRobot& robot, const ExportOptions& options, MeshFiles& meshes, Diagnostics& diagnostics) {
  return UrdfBuilder(robot, options, meshes, diagnostics).build();
}

}  // namespace simbatch::grasp
