// Writes .cfg files with the same comments as GraspIt!'s own robots.
#include "formats/graspit/parse.hpp"

namespace simbatch::graspit {
namespace {

using namespace detail;

void append_dofs(std::string& out, const Robot& robot) {
  out += "#number of DOFs\n" + number_text(robot.dofs.size()) +
         "\n\n#type default_velocity max_effort Kp Kd dragger_scale [breakaway_torque]\n";
  for (const Dof& dof : robot.dofs) {
    out += static_cast<char>(dof.kind);
    out += ' ';
    append_values(out, std::array{dof.velocity, dof.max_effort, dof.kp, dof.kd, dof.dragger_scale});
    if (dof.kind == DofKind::breakaway) {
      out += ' ';
      append_number(out, dof.breakaway_torque.value_or(0));
    }
    out += '\n';
  }
}

void append_joint(std::string& out, const Joint& joint) {
  const std::string variable = equation_text(joint.variable);
  if (joint.prismatic)
    out += number_text(joint.theta) + " " + variable;
  else
    out += variable + " " + number_text(joint.d);
  out += ' ';
  append_values(out, std::array{joint.a, joint.alpha, joint.min, joint.max});
  // Columns can only be left out at the end of the line.
  const std::optional<double> columns[] = {joint.viscous, joint.coulomb, joint.stiffness, joint.rest};
  std::size_t last = 0;
  for (std::size_t i = 0; i < 4; ++i)
    if (columns[i]) last = i + 1;
  for (std::size_t i = 0; i < last; ++i) {
    out += ' ';
    append_number(out, columns[i].value_or(0));
  }
  out += '\n';
}

void append_chain(std::string& out, std::size_t index, const Chain& chain) {
  out += "\n#---- chain " + number_text(index) + "\n#number of joints\n" + number_text(chain.joints.size()) +
         "\n#number of links\n" + number_text(chain.links.size()) + "\n#transform from the palm's origin to the chain's base\n";
  append_transform(out, chain.base);
  out += "\n#theta d a alpha min max [viscous [coulomb [stiffness [rest]]]]\n";
  for (const Joint& joint : chain.joints) append_joint(out, joint);
  out += "\n#link type, then its file and last joint\n";
  for (const Link& link : chain.links)
    out += std::string(to_text(link.kind)) + "\n" + link.file + " " + number_text(link.last_joint) + "\n";
}

void append_file(std::string& out, std::string_view section, const std::string& file) {
  if (!file.empty()) ((((out += '\n') += section) += '\n') += file) += '\n';
}

void append_tendons(std::string& out, const Robot& robot) {
  if (!robot.tendons.empty()) {
    out += "\nTendons\n" + number_text(robot.tendons.size()) + "\n";
    for (const Tendon& tendon : robot.tendons) {
      out += tendon.name + "\n" + number_text(tendon.points.size()) + "\n#chain link x y z\n";
      for (const Tendon::Point& point : tendon.points) {
        out += number_text(point.chain) + " " + number_text(point.link) + " ";
        append_values(out, point.position);
        out += '\n';
      }
    }
  }
  if (robot.wrappers.empty()) return;
  out += "\nTendonWrappers\n" + number_text(robot.wrappers.size()) + "\n#chain link x y z ox oy oz radius\n";
  for (const TendonWrapper& w : robot.wrappers) {
    out += number_text(w.chain) + " " + number_text(w.link) + " ";
    append_values(out, std::array{w.position[0], w.position[1], w.position[2], w.orientation[0], w.orientation[1],
                                  w.orientation[2], w.radius});
    out += '\n';
  }
}

}  // namespace

std::string write_cfg(const Robot& robot) {
  std::string out = "#Robot ClassType\n" + robot.class_name + "\n\n#Palm filename (considered a link)\n" + robot.palm + "\n\n";
  append_dofs(out, robot);
  out += "\n#number of kinematic chains\n" + number_text(robot.chains.size()) + "\n";
  for (std::size_t c = 0; c < robot.chains.size(); ++c) append_chain(out, c, robot.chains[c]);
  if (robot.approach) {
    out += "\nApproach\n";
    append_values(out, robot.approach->point);
    out += '\n';
    append_values(out, robot.approach->direction);
    out += '\n';
  }
  append_file(out, "EigenGrasps", robot.eigen_grasps);
  append_file(out, "VirtualContacts", robot.virtual_contacts);
  append_file(out, "CyberGlove", robot.cyber_glove);
  if (robot.flock_of_birds) {
    out += "\nFlockOfBirds\n" + (robot.flock_of_birds->number.empty() ? "0" : robot.flock_of_birds->number) + "\n";
    append_transform(out, robot.flock_of_birds->transform);
  }
  append_tendons(out, robot);
  return out;
}

}  // namespace simbatch::graspit
