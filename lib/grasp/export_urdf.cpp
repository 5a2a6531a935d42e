// Robots as URDF, with the frames of export_sdf.cpp. Of the joints that share a DOF the first has its limits (the intersection
// over all of them), the others mimic it.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "base/core/number.hpp"
#include "lib/grasp/codes.hpp"
#include "lib/grasp/export.hpp"
#include "lib/grasp/export_robot.hpp"

namespace simbatch::grasp {
namespace {

using namespace detail;

class UrdfBuilder {
 public:
  UrdfBuilder(const GraspRobot& robot, const ExportOptions& options, MeshFiles& meshes, Diagnostics& diagnostics)
      : robot_(robot),
        files_(options, meshes),
        inertias_(diagnostics),
        diagnostics_(diagnostics),
        limits_(dof_limits(robot.chains)) {}

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
      const geo::Pose center = place * translation(body->cog);
      const std::array<double, 9> i = inertias_.of(*body);
      link.inertial = urdf::Inertial{geo::to_euler(center), body->mass, {i[0], i[1], i[2], i[4], i[5], i[8]}};
      if (!body->mesh.triangles.empty()) {
        urdf::Shape mesh;
        mesh.origin = geo::to_euler(place);
        mesh.geometry = urdf::Mesh{files_.add(*body)};
        link.collisions.push_back(mesh);
        const auto& color = body->mesh.parts[0].color;
        mesh.color = urdf::Color{in_255ths(color[0]), in_255ths(color[1]), in_255ths(color[2]), 1};
        link.visuals.push_back(mesh);
      }
    } else if (!file.empty()) {
      diagnostics_.report(
          code::kLossShape, {},
          fmt::format("link {} has no shape and no mass: its file {} is missing", name, simbatch::quoted(file)));
    }
    out_.links.push_back(std::move(link));
  }

  void chain(std::size_t c) {
    const Chain& chain = robot_.chains.chains[c];
    const graspit::Chain& model = robot_.model.chains[c];
    std::string parent = "palm";
    geo::Pose tail = chain.base;  // from the parent's frame to the frame after its last joint
    fixed_links(c, -1, parent, tail, false);
    for (std::size_t j = 0; j < chain.joints.size(); ++j) {
      const Joint& from = chain.joints[j];
      const JointParts parts = joint_parts(from);
      std::size_t first = chain.links.size();
      for (std::size_t l = chain.links.size(); l-- > 0;)
        if (chain.links[l] == static_cast<std::int64_t>(j)) first = l;
      const std::string child = first < chain.links.size() ? link_name(c, first) : joint_name(c, j) + "_frame";
      urdf::Joint joint;
      joint.name = joint_name(c, j);
      joint.parent = parent;
      joint.child = child;
      joint.origin = geo::to_euler(tail * parts.before);
      drive(joint, from, model.joints[j]);
      out_.joints.push_back(std::move(joint));
      parent = child;
      tail = parts.after;
      if (first < chain.links.size())
        link(child, robot_.links[c][first].get(), tail, model.links[first].file);
      else
        link(child, nullptr, tail, "");
      fixed_links(c, static_cast<std::int64_t>(j), parent, tail, true);
    }
  }

  // Additional links in the frame of one joint (only Fixed joints, which GraspIt! does not have).
  void fixed_links(std::size_t c, std::int64_t last, const std::string& parent, const geo::Pose& tail, bool skip_first) {
    const Chain& chain = robot_.chains.chains[c];
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
      joint.origin = geo::to_euler(tail);
      out_.joints.push_back(std::move(joint));
      link(link_name(c, l), robot_.links[c][l].get(), {}, robot_.model.chains[c].links[l].file);
    }
  }

  void drive(urdf::Joint& joint, const Joint& from, const graspit::Joint& model) {
    const Master& master = masters_[from.dof];
    if (from.factor == 0 || !master.found) return;  // never moves
    joint.type = from.prismatic ? "prismatic" : "revolute";
    const graspit::Dof& dof = robot_.model.dofs[from.dof];
    urdf::Limit limit;
    limit.lower = std::min(from.min, from.max) + 0.0;
    limit.upper = std::max(from.min, from.max) + 0.0;
    if (joint.name == master.joint) {
      // The DOF's limits: the range allowed by all of its joints.
      const double a = limits_[from.dof].min * from.factor, b = limits_[from.dof].max * from.factor;
      if (std::min(a, b) <= std::max(a, b) && limits_[from.dof].min <= limits_[from.dof].max) {
        limit.lower = std::min(a, b);
        limit.upper = std::max(a, b);
      }
    } else {
      joint.mimic = urdf::Mimic{master.joint, from.factor / master.factor, 0};
    }
    limit.effort = effort_si(std::abs(dof.max_effort), from.prismatic);
    // GraspIt! has no velocity limits; the velocity of the autograsp motion is the only one in a file.
    const double unit = robot_.dof_is_length[from.dof] ? kMillimeter : 1;  // of a DOF that is a length
    limit.velocity = dof.velocity != 0 ? std::abs(dof.velocity * unit * from.factor) : 1;
    joint.limit = limit;
    if (model.viscous) joint.damping = damping_si(*model.viscous, from.prismatic);
    if (model.coulomb) joint.friction = effort_si(*model.coulomb, from.prismatic);
  }

  const GraspRobot& robot_;
  MeshNames files_;
  SoundInertias inertias_;
  Diagnostics& diagnostics_;
  std::vector<Limits> limits_;
  std::vector<Master> masters_;
  urdf::Robot out_;
};

}  // namespace

urdf::Robot to_urdf(const GraspRobot& robot, const ExportOptions& options, MeshFiles& meshes, Diagnostics& diagnostics) {
  return UrdfBuilder(robot, options, meshes, diagnostics).build();
}

}  // namespace simbatch::grasp
