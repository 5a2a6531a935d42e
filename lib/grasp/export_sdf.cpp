// Worlds as SDFormat and back. A Denavit-Hartenberg joint turns about its own z, so a link's frame is placed on the joint and
// the constant rest of the transform is moved into the link's shapes and the next joint (own derivation; see
// docs/formats/graspit.md). DOF values of the world become the zero posture. The whole world is included as an extension, from
// which world_from_sdf() rebuilds it.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include "base/core/number.hpp"
#include "base/core/text.hpp"
#include "base/xml/xml.hpp"
#include "formats/graspit/codes.hpp"
#include "lib/grasp/codes.hpp"
#include "lib/grasp/export.hpp"
#include "lib/grasp/export_robot.hpp"
#include "lib/grasp/material.hpp"
#include "lib/grasp/to_si.hpp"

namespace simbatch::grasp {
namespace {

using namespace detail;

constexpr std::string_view kNamespace = "https://simbatch.example/graspit";

class SdfBuilder {
 public:
  SdfBuilder(const GraspWorld& world, const ExportOptions& options, MeshFiles& meshes, Diagnostics& diagnostics)
      : world_(world), files_(options, meshes), inertias_(diagnostics), diagnostics_(diagnostics) {}

  sdf::World build() {
    sdf::World out;
    out.extension_prefix = "graspit";
    out.extension_address = kNamespace;
    for (std::size_t i = 0; i < world_.model.bodies.size(); ++i) out.models.push_back(body(i));
    for (std::size_t i = 0; i < world_.model.robots.size(); ++i) out.models.push_back(robot(i));
    out.extensions.push_back(
        {"graspit:source", {{"xml", graspit::write_world_xml(world_.model)}, {"head", world_.model.head}}});
    if (!world_.model.connections.empty())
      diagnostics_.report(code::kLossConnection, {},
                          fmt::format("{} lost for the simulator; converting the SDFormat file back restores {}",
                                      world_.model.connections.size() == 1
                                          ? "1 connection of robots is"
                                          : fmt::format("{} connections of robots are", world_.model.connections.size()),
                                      world_.model.connections.size() == 1 ? "it" : "them"));
    if (std::any_of(world_.mounts.begin(), world_.mounts.end(), [](const auto& mount) { return mount != nullptr; }))
      diagnostics_.report(code::kLossMount, {}, "the mounts of connections are lost for the simulator");
    if (world_.model.camera) diagnostics_.report(code::kLossCamera, {}, "the camera is lost for the simulator");
    if (materials_.size() > 1)
      diagnostics_.report(
          code::kLossKineticFriction, {},
          "friction depends on the pair of materials in GraspIt!; every body gets that of its material with itself");
    return out;
  }

 private:
  std::string unique(std::string name) {
    name = sdf::valid_name(std::move(name));
    if (name.empty()) name = "body";
    std::string result = name;
    // Numbers of a name are given in order: those below its last are taken.
    for (int& i = numbers_[name]; !names_.insert(result).second;) result = fmt::format("{}_{}", name, ++i + 1);
    return result;
  }

  sdf::Link link(const std::string& name, const GraspBody* body, const geo::Pose& pose, const geo::Pose& inside) {
    sdf::Link link;
    link.name = name;
    link.pose = geo::to_euler(pose);
    if (body == nullptr) {
      link.inertial = sdf::Inertial{{}, 1e-3, {1e-9, 0, 0, 1e-9, 0, 1e-9}};
      return link;
    }
    const std::array<double, 9> i = inertias_.of(*body);
    link.inertial =
        sdf::Inertial{geo::to_euler(inside * translation(body->cog)), body->mass, {i[0], i[1], i[2], i[4], i[5], i[8]}};
    if (!body->mesh.triangles.empty()) {
      const sdf::Mesh mesh{files_.add(*body), {1, 1, 1}};
      const auto& color = body->mesh.parts[0].color;
      link.visuals.push_back({"visual", geo::to_euler(inside), mesh,
                              sdf::Color{in_255ths(color[0]), in_255ths(color[1]), in_255ths(color[2]), 1}});
      const auto friction = pair_friction(body->material, body->material);
      link.collisions.push_back(
          {"collision", geo::to_euler(inside), mesh, friction ? std::optional(friction->at_rest) : std::nullopt});
      materials_.insert(body->material);
    }
    if (body->given.youngs)
      diagnostics_.report(code::kLossYoungs, {}, fmt::format("the soft contacts of {} are lost", body->name));
    return link;
  }

  sdf::Model body(std::size_t i) {
    const graspit::WorldBody& from = world_.model.bodies[i];
    const GraspBody* loaded = world_.bodies[i].get();
    sdf::Model model;
    const std::size_t slash = from.file.rfind('/');
    const std::string base = from.file.substr(slash == std::string::npos ? 0 : slash + 1);
    model.name = unique(base.substr(0, base.rfind('.')));
    model.is_static = from.obstacle;
    model.pose = geo::to_euler(pose_of(from.transform));
    if (loaded == nullptr)
      diagnostics_.report(
          code::kLossShape, from.place.at,
          fmt::format("model {} has no shape and no mass: its file {} is missing", model.name, simbatch::quoted(from.file)));
    model.links.push_back(link("link", loaded, {}, {}));
    model.extensions.push_back({"graspit:body", {{"index", fmt::format("{}", i)}, {"pose", pose_text(model.pose)}}});
    // libsdformat rejects empty attributes.
    if (!from.material.empty()) model.extensions.back().attributes.emplace_back("material", from.material);
    return model;
  }

  sdf::Model robot(std::size_t i) {
    const graspit::WorldRobot& from = world_.model.robots[i];
    sdf::Model model;
    model.pose = geo::to_euler(pose_of(from.transform));
    model.extensions.push_back({"graspit:robot", {{"index", fmt::format("{}", i)}, {"pose", pose_text(model.pose)}}});
    const GraspRobot* loaded = world_.robots[i].get();
    if (loaded == nullptr) {
      model.name = unique("robot");
      model.links.push_back(link("palm", nullptr, {}, {}));
      diagnostics_.report(
          code::kLossShape, from.place.at,
          fmt::format("model {} has no links: its file {} is missing", model.name, simbatch::quoted(from.file)));
      return model;
    }
    model.name = unique(loaded->name);
    model.links.push_back(link("palm", loaded->palm.get(), {}, {}));
    for (std::size_t c = 0; c < loaded->chains.chains.size(); ++c) chain(*loaded, c, world_.dofs[i], model);
    report_robot_losses(loaded->model, RobotTarget::sdf, diagnostics_);
    return model;
  }

  // As in the URDF: a link's frame is on its joint, before the constant rest of the D-H transform.
  void chain(const GraspRobot& robot, std::size_t c, const std::vector<double>& dofs, sdf::Model& model) {
    const Chain& chain = robot.chains.chains[c];
    std::string parent = "palm";
    geo::Pose frame = chain.base;  // after the last joint, in the model
    const auto fixed = [&](std::int64_t last, bool skip_first) {
      for (std::size_t l = 0; l < chain.links.size(); ++l) {
        if (chain.links[l] != last) continue;
        if (std::exchange(skip_first, false)) continue;
        model.links.push_back(link(link_name(c, l), robot.links[c][l].get(), frame, {}));
        model.joints.push_back({link_name(c, l) + "_fixed", "fixed", parent, link_name(c, l), {}, {}, {}, {}});
      }
    };
    fixed(-1, false);
    for (std::size_t j = 0; j < chain.joints.size(); ++j) {
      const Joint& from = chain.joints[j];
      const graspit::Joint& text = robot.model.chains[c].joints[j];
      const JointParts parts = joint_parts(from);
      const double value = from.factor * dofs[from.dof];
      const geo::Pose on_joint = frame * parts.before * joint_motion(from, value);
      std::size_t first = chain.links.size();
      for (std::size_t l = chain.links.size(); l-- > 0;)
        if (chain.links[l] == static_cast<std::int64_t>(j)) first = l;
      const bool is_link = first < chain.links.size();
      const std::string child = is_link ? link_name(c, first) : joint_name(c, j) + "_frame";
      model.links.push_back(link(child, is_link ? robot.links[c][first].get() : nullptr, on_joint, parts.after));
      sdf::Joint joint;
      joint.name = joint_name(c, j);
      joint.type = from.factor == 0 ? "fixed" : from.prismatic ? "prismatic" : "revolute";
      joint.parent = parent;
      joint.child = child;
      sdf::Axis& axis = joint.axis;
      axis.lower = std::min(from.min, from.max) - value;
      axis.upper = std::max(from.min, from.max) - value;
      axis.effort = effort_si(std::abs(robot.model.dofs[from.dof].max_effort), from.prismatic);
      if (text.viscous) axis.damping = damping_si(*text.viscous, from.prismatic);
      if (text.coulomb) axis.friction = effort_si(*text.coulomb, from.prismatic);
      if (text.stiffness.value_or(0) != 0) {
        // N mm per rad, N per mm.
        axis.spring_stiffness = from.prismatic ? *text.stiffness * 1e3 : *text.stiffness * 1e-3;
        axis.spring_reference = text.rest.value_or(0) * (from.prismatic ? kMillimeter : kDegree) - value;
      }
      model.joints.push_back(std::move(joint));
      parent = child;
      frame = on_joint * parts.after;
      fixed(static_cast<std::int64_t>(j), is_link);
    }
  }

  static std::string pose_text(const sdf::Pose& pose) {
    std::string text;
    for (const double x : {pose.xyz[0], pose.xyz[1], pose.xyz[2], pose.rpy[0], pose.rpy[1], pose.rpy[2]})
      (text += text.empty() ? "" : " ") += number_text(x);
    return text;
  }

  const GraspWorld& world_;
  MeshNames files_;
  SoundInertias inertias_;
  Diagnostics& diagnostics_;
  std::set<std::string> names_, materials_;
  std::map<std::string, int> numbers_;
};

std::optional<std::array<double, 6>> six(std::string_view text) {
  std::array<double, 6> values{};
  std::size_t n = 0;
  for (const Token& word : split_tokens(text, 1)) {
    const auto value = parse_double(word.text);
    if (!value || n == 6) return std::nullopt;
    values[n++] = value.value;
  }
  return n == 6 ? std::optional(values) : std::nullopt;
}

graspit::Transform transform_of(const std::array<double, 6>& pose) {
  const geo::Quat q = geo::from_roll_pitch_yaw({pose[3], pose[4], pose[5]});
  graspit::TransformStep step;
  step.kind = graspit::TransformStep::Kind::full;
  step.quaternion = {q.w, q.x, q.y, q.z};
  for (std::size_t i = 0; i < 3; ++i) step.position[i] = pose[i] * 1000;
  return {step};
}

}  // namespace

sdf::World to_sdf(const GraspWorld& world, const ExportOptions& options, MeshFiles& meshes, Diagnostics& diagnostics) {
  return SdfBuilder(world, options, meshes, diagnostics).build();
}

Parsed<graspit::World> world_from_sdf(std::string_view text, std::string_view file_name) {
  auto document = xml::Document::parse(text, std::string(file_name));
  Parsed<graspit::World> result{std::nullopt, std::move(document.diagnostics)};
  if (!document.value) return result;
  const xml::Element world = document.value->root().first_child("world");
  const xml::Element source = world.first_child("graspit:source");
  const auto inner = source.attribute("xml");
  if (!inner) {
    result.diagnostics.report(
        graspit::code::kXmlMissing, document.value->root().position(),
        "this SDF was not made from a GraspIt! world: it has no <graspit:source> that distinguishes bodies and robots");
    return result;
  }
  auto read = graspit::read_world_xml(*inner, file_name);
  result.diagnostics.append(std::move(read.diagnostics));
  if (!read.value) return result;
  graspit::World& out = *read.value;
  out.head = std::string(source.attribute("head").value_or(out.head));
  for (const xml::Element& model : world.children("model")) {
    for (const std::string_view kind : {"graspit:body", "graspit:robot"}) {
      const xml::Element mark = model.first_child(kind);
      if (!mark) continue;
      const auto index = parse_integer<std::size_t>(mark.attribute("index").value_or(""));
      const std::size_t size = kind == "graspit:body" ? out.bodies.size() : out.robots.size();
      const xml::Element pose = model.first_child("pose");
      const auto now = six(pose ? pose.text() : "0 0 0 0 0 0");
      const auto then = six(mark.attribute("pose").value_or(""));
      if (!index || index.value >= size || !now || !then) {
        result.diagnostics.report(graspit::code::kXmlText, mark.position(),
                                  fmt::format("<{}> or its model's pose is not understood", kind), mark.path());
        continue;
      }
      if (kind == "graspit:body") out.bodies[index.value].material = std::string(mark.attribute("material").value_or(""));
      if (*now == *then) continue;
      (kind == "graspit:body" ? out.bodies[index.value].transform : out.robots[index.value].transform) = transform_of(*now);
    }
  }
  result.value = std::move(out);
  return result;
}

}  // namespace simbatch::grasp
