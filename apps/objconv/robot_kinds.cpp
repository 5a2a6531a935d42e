/// URDF robots, SDF and MJCF files in `check` and `info`.

#include <fmt/format.h>

#include "apps/objconv/kinds.hpp"
#include "formats/sdf/read.hpp"
#include "formats/urdf/urdf.hpp"
#include "lib/robots/from_mjcf.hpp"
#include "lib/scenario/check_meshes.hpp"
#include "lib/scenario/read_mjcf.hpp"

namespace simbatch::objconv {
namespace {

using file_kind::Kind;

/// What its reader finds wrong, else what is wrong with its meshes.
template <auto read, Kind kind>
void check_robot_file(std::string_view text, const std::string& file, const Reading& reading, Diagnostics& diagnostics) {
  diagnostics.append(read(text, file).diagnostics);
  if (!diagnostics.has_errors()) scenario::check_meshes(text, file, kind, reading.root, diagnostics);
}

std::string link_facts(const urdf::Link& link) {
  std::string text = link.inertial ? fmt::format("{:.6g} kg", link.inertial->mass) : "no mass";
  text += fmt::format(", {} visuals, {} collisions", link.visuals.size(), link.collisions.size());
  for (const std::vector<urdf::Shape>* shapes : {&link.visuals, &link.collisions})
    for (const urdf::Shape& shape : *shapes)
      if (const auto* mesh = std::get_if<urdf::Mesh>(&shape.geometry)) text += ", " + mesh->file;
  return text;
}

std::string joint_facts(const urdf::Joint& joint) {
  std::string text = fmt::format("{}, {} > {}", joint.type, joint.parent, joint.child);
  const bool slides = joint.type == "prismatic";
  if (joint.limit && (slides || joint.type == "revolute"))
    text += fmt::format(", {:.6g} .. {:.6g} {}", joint.limit->lower, joint.limit->upper, slides ? "m" : "rad");
  if (joint.limit && joint.limit->effort > 0) text += fmt::format(", {:.6g} {}", *joint.limit->effort, slides ? "N" : "N m");
  if (joint.mimic) text += ", follows " + joint.mimic->joint;
  return text;
}

std::vector<Fact> urdf_info(std::string_view text, const std::string& file, const Reading&, Diagnostics& diagnostics) {
  auto parsed = urdf::read_urdf(text, file);
  diagnostics.append(std::move(parsed.diagnostics));
  if (!parsed.value) return {};
  const urdf::Robot& robot = *parsed.value;
  double mass = 0;
  std::size_t moving = 0;
  for (const urdf::Link& link : robot.links) mass += link.inertial ? link.inertial->mass : 0;
  for (const urdf::Joint& joint : robot.joints) moving += joint.type == "fixed" ? 0 : 1;
  std::vector<Fact> facts = {fact("name", robot.name), fact("links", robot.links.size()), fact("joints", robot.joints.size()),
                             fact("movable_joints", moving), fact("mass_kg", mass)};
  for (const urdf::Link& link : robot.links) facts.push_back(fact("link." + link.name, link_facts(link)));
  for (const urdf::Joint& joint : robot.joints) facts.push_back(fact("joint." + joint.name, joint_facts(joint)));
  return facts;
}

void append_model_facts(const sdf::file::Model& model, const std::string& before, std::vector<Fact>& facts) {
  const std::string name = before + model.name;
  double mass = 0;
  for (const sdf::file::Link& link : model.links) mass += link.inertial && !link.inertial->automatic ? link.inertial->mass : 0;
  std::string text =
      fmt::format("{}{} links, {} joints", model.is_static ? "static, " : "", model.links.size(), model.joints.size());
  if (!model.is_static && mass > 0) text += fmt::format(", {:.6g} kg", mass);
  if (!model.includes.empty()) text += fmt::format(", includes {} models", model.includes.size());
  facts.push_back(fact("model." + name, text));
  for (const sdf::file::Joint& joint : model.joints)
    facts.push_back(
        fact("joint." + name + "::" + joint.name, fmt::format("{}, {} > {}", joint.type, joint.parent, joint.child)));
  for (const sdf::file::Model& nested : model.models) append_model_facts(nested, name + "::", facts);
}

std::vector<Fact> sdf_info(std::string_view text, const std::string& file, const Reading&, Diagnostics& diagnostics) {
  auto parsed = sdf::file::read_sdf(text, file);
  diagnostics.append(std::move(parsed.diagnostics));
  if (!parsed.value) return {};
  const sdf::file::File& read = *parsed.value;
  std::vector<Fact> facts = {fact("version", fmt::format("{}.{}", read.version / 100, read.version % 100))};
  if (read.world) {
    facts.push_back(fact("world", read.world->name));
    facts.push_back(fact("models", read.world->models.size()));
    if (read.world->step) facts.push_back(fact("step", *read.world->step));
    for (const sdf::file::Model& model : read.world->models) append_model_facts(model, "", facts);
    for (const sdf::file::Include& include : read.world->includes)
      facts.push_back(fact("include" + (include.name.empty() ? "" : "." + include.name), include.uri));
  }
  if (read.model) append_model_facts(*read.model, "", facts);
  return facts;
}

// Included files are read as far as simrun reads them.
void check_mjcf(std::string_view text, const std::string& file, const Reading& reading, Diagnostics& diagnostics) {
  diagnostics.append(scenario::read_mjcf_files(text, file, reading.root).diagnostics);
  if (!diagnostics.has_errors()) scenario::check_meshes(text, file, Kind::mjcf, reading.root, diagnostics);
}

std::string mjcf_joints(const mjcf::Body& body) {
  static constexpr std::string_view kKinds[] = {"hinge", "slide", "ball", "free"};
  std::string text;
  for (const mjcf::Joint& joint : body.joints) {
    text += text.empty() ? "" : "; ";
    text += kKinds[static_cast<std::size_t>(joint.kind)];
    if (!joint.name.empty()) text += " " + joint.name;
    if (joint.range)
      text += fmt::format(" {:.6g} .. {:.6g} {}", (*joint.range)[0], (*joint.range)[1],
                          joint.kind == mjcf::Joint::Kind::slide ? "m" : "rad");
  }
  return text.empty() ? "fixed" : text;
}

void append_body_facts(const mjcf::Body& body, const mjcf::Model& model, std::size_t& count, std::vector<Fact>& facts) {
  for (const mjcf::Body& inner : body.bodies) {
    ++count;
    const auto inertial = robots::detail::inertial_of(inner, model, nullptr);
    facts.push_back(fact("body." + (inner.name.empty() ? fmt::format("{}", count) : inner.name),
                         fmt::format("{}, {} geoms, {}", inertial ? fmt::format("{:.6g} kg", inertial->mass) : "no mass",
                                     inner.geoms.size(), mjcf_joints(inner))));
    append_body_facts(inner, model, count, facts);
  }
}

std::vector<Fact> mjcf_info(std::string_view text, const std::string& file, const Reading&, Diagnostics& diagnostics) {
  auto parsed = scenario::read_mjcf_files(text, file, "");
  diagnostics.append(std::move(parsed.diagnostics));
  if (!parsed.value) return {};
  const mjcf::Model& model = *parsed.value;
  std::vector<Fact> bodies;
  std::size_t count = 0;
  append_body_facts(model.world, model, count, bodies);
  std::vector<Fact> facts = {fact("model", model.name),
                             fact("step", model.step),
                             fact("bodies", count),
                             fact("world_geoms", model.world.geoms.size()),
                             fact("actuators", model.actuators.size()),
                             fact("meshes", model.meshes.size())};
  facts.insert(facts.end(), bodies.begin(), bodies.end());
  static constexpr std::string_view kActuators[] = {"motor", "position", "velocity"};
  for (const mjcf::Actuator& one : model.actuators)
    facts.push_back(fact("actuator." + (one.name.empty() ? one.joint : one.name),
                         fmt::format("{} of {}, gain {:.6g}, gear {:.6g}", kActuators[static_cast<std::size_t>(one.kind)],
                                     one.joint, one.gain, one.gear)));
  return facts;
}

constexpr FileKind kRobotKinds[] = {
    {"urdf", "URDF robot", twice(Kind::urdf), check_robot_file<urdf::read_urdf, Kind::urdf>, urdf_info, nullptr},
    {"sdf", "SDF world or model", twice(Kind::sdf), check_robot_file<sdf::file::read_sdf, Kind::sdf>, sdf_info, nullptr},
    {"mjcf", "MJCF model (MuJoCo)", twice(Kind::mjcf), check_mjcf, mjcf_info, nullptr},
};

}  // namespace

std::span<const FileKind> robot_kinds() { return kRobotKinds; }

}  // namespace simbatch::objconv
