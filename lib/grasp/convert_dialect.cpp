// Converts GraspIt!'s text files to its XML and back.
#include <fmt/format.h>

#include <numbers>

#include "lib/grasp/codes.hpp"
#include "lib/grasp/export.hpp"

namespace simbatch::grasp {

using namespace code;

std::string xml_name(const std::string& file) {
  for (const std::string_view suffix : {".iv", ".wrl", ".cfg", ".IV"})
    if (file.ends_with(suffix)) return file.substr(0, file.size() - suffix.size()) + ".xml";
  return file;
}

std::string text_name(const std::string& file, std::string_view suffix) {
  return file.ends_with(".xml") ? file.substr(0, file.size() - 4) + std::string(suffix) : file;
}

namespace {

std::string as_xml(const Rename& rename, const std::string& file, const SourcePlace& place) {
  return rename && !file.empty() ? rename(file, place.at) : xml_name(file);
}

std::string as_text(const Rename& rename, const std::string& file, std::string_view suffix, const SourcePlace& place) {
  return rename && !file.empty() ? rename(file, place.at) : text_name(file, suffix);
}

}  // namespace

graspit::Robot robot_for_xml(graspit::Robot robot, Diagnostics& diagnostics, const Renames& names) {
  robot.palm = as_xml(names.body, robot.palm, robot.palm_place);
  for (std::size_t c = 0; c < robot.chains.size(); ++c) {
    std::int64_t sum = -1;
    for (std::size_t l = 0; l < robot.chains[c].links.size(); ++l) {
      graspit::Link& link = robot.chains[c].links[l];
      link.file = as_xml(names.body, link.file, link.place);
      sum += graspit::joints_of(link.kind);
      if (link.last_joint != sum)
        diagnostics.report(kLossLastJoint, link.place.at,
                           fmt::format("link {} of chain {}: its last joint {} cannot be expressed in XML, which counts {}", l,
                                       c, link.last_joint, sum));
      sum = link.last_joint;
    }
  }
  return robot;
}

graspit::Robot robot_for_text(graspit::Robot robot, Diagnostics& diagnostics, const Renames& names) {
  robot.palm = as_text(names.body, robot.palm, ".iv", robot.palm_place);
  std::size_t attributes = 0, defaults = 0;
  for (graspit::Chain& chain : robot.chains) {
    for (graspit::Link& link : chain.links) {
      link.file = as_text(names.body, link.file, ".iv", link.place);
      attributes += link.attributes.size();
      link.attributes.clear();
    }
  }
  for (graspit::Dof& dof : robot.dofs) {
    defaults += dof.default_value ? 1 : 0;
    dof.default_value.reset();
  }
  if (attributes > 0) diagnostics.report(kLossAttribute, {}, fmt::format("{} attributes of links are lost", attributes));
  if (defaults > 0) diagnostics.report(kLossDefault, {}, fmt::format("{} start values of DOFs are lost", defaults));
  return robot;
}

graspit::World world_for_xml(graspit::World world, Diagnostics& diagnostics, const Renames& names) {
  if (world.head != graspit::World{}.head)
    diagnostics.report(kLossHead, {}, fmt::format("the first line, {}, is lost", simbatch::quoted("#" + world.head)));
  world.head = graspit::World{}.head;
  std::size_t materials = 0;
  for (graspit::WorldBody& body : world.bodies) {
    body.file = as_xml(names.body, body.file, body.place);
    materials += body.obstacle && !body.material.empty() && body.material != "wood" ? 1 : 0;
    body.material.clear();
  }
  if (materials > 0)
    diagnostics.report(kLossMaterial, {},
                       fmt::format("the material line of {} obstacles is lost (GraspIt! never applied it)", materials));
  for (graspit::WorldRobot& robot : world.robots) robot.file = as_xml(names.robot, robot.file, robot.place);
  for (graspit::Connection& connection : world.connections)
    connection.mount = as_xml(names.body, connection.mount, connection.mount_place);
  return world;
}

graspit::World world_for_text(graspit::World world, Diagnostics& diagnostics, const Renames& names) {
  for (graspit::WorldBody& body : world.bodies) {
    if (body.inline_body) {
      diagnostics.report(kLossShape, body.place.at,
                         "a body described inside the world is replaced by its geometry file, which loses what its XML says");
      body.file = body.inline_body->geometry_file;
      body.inline_body.reset();
    }
    body.file = as_text(names.body, body.file, ".iv", body.place);
  }
  for (graspit::WorldRobot& robot : world.robots) robot.file = as_text(names.robot, robot.file, ".cfg", robot.place);
  for (graspit::Connection& connection : world.connections)
    connection.mount = as_text(names.body, connection.mount, ".iv", connection.mount_place);
  return world;
}

void report_body_losses(const GraspBody& body, BodyTarget target, Diagnostics& diagnostics) {
  const graspit::Body& given = body.given;
  if (target == BodyTarget::plain_mesh && body.mesh.parts.size() > 1)
    diagnostics.report(kLossColor, {}, fmt::format("the colors of {} parts are lost", body.mesh.parts.size()));
  if (target == BodyTarget::scene)
    diagnostics.report(kLossScene, {}, "the scene becomes one mesh: names, hierarchy, textures and comments are lost");
  if (target == BodyTarget::header && (given.scaling || !given.geometry_offset.empty() || !given.transform.empty() ||
                                       given.normal_compliance || given.shear_compliance))
    diagnostics.report(kLossGeometry, {}, "scaling, offset, transform or compliance are lost: a header has no place for them");
}

}  // namespace simbatch::grasp
