/// GraspIt! bodies, robots and worlds, Inventor and VRML files in `check`, `info` and `fmt`.

#include <fmt/format.h>

#include <cmath>

#include "apps/objconv/codes.hpp"
#include "apps/objconv/grasp_files.hpp"
#include "apps/objconv/kinds.hpp"
#include "base/json/write_json.hpp"
#include "lib/grasp/export.hpp"

namespace simbatch::objconv {
namespace {

using grasp::GraspBody;
using grasp::GraspRobot;
using grasp::GraspWorld;

template <class T>
std::optional<T> take(Parsed<T> parsed, Diagnostics& diagnostics) {
  diagnostics.append(std::move(parsed.diagnostics));
  return std::move(parsed.value);
}

bool from_pipe(const std::string& file) { return file == "<stdin>"; }

std::optional<GraspBody> body_of(std::string_view text, const std::string& file, const Reading& reading,
                                 Diagnostics& diagnostics) {
  if (!from_pipe(file)) return take(grasp::load_body(file, reading.grasp), diagnostics);
  // A pipe provides only the text: there is no folder to search for other files.
  (void)take(graspit::read_body_header(text, reading.grasp.reading, file), diagnostics);
  (void)take(inventor::read_inventor(text, {}, file), diagnostics);
  return std::nullopt;
}

void check_body(std::string_view text, const std::string& file, const Reading& reading, Diagnostics& diagnostics) {
  (void)body_of(text, file, reading, diagnostics);
}

std::string three(geo::Vec3 v, double unit) {
  const auto digits = [unit](double x) { return fmt::format("{:.6g}", std::fabs(x) < 1e-12 ? 0.0 : x / unit); };
  return digits(v.x) + " " + digits(v.y) + " " + digits(v.z);
}

void write_three(json::Writer& out, geo::Vec3 v, double unit) {
  out.open_array().value(v.x / unit).value(v.y / unit).value(v.z / unit).close();
}

/// A fact with a text for people, and what `write` writes for programs.
template <class Write>
Fact fact_of(std::string key, std::string text, Write write) {
  json::Writer out;
  write(out);
  return {std::move(key), std::move(text), false, out.text()};
}

Fact number_fact(std::string key, std::string text, double value) {
  return fact_of(std::move(key), std::move(text), [value](json::Writer& out) { out.value(value); });
}

Fact place_fact(std::string key, geo::Vec3 v, double unit) {
  return fact_of(std::move(key), three(v, unit), [&](json::Writer& out) { write_three(out, v, unit); });
}

Fact matrix_fact(std::string key, const std::array<double, 9>& m, double unit) {
  std::string text;
  for (std::size_t i = 0; i < 9; ++i) text += fmt::format("{}{:.6g}", i == 0 ? "" : i % 3 == 0 ? "; " : " ", m[i] / unit);
  return fact_of(std::move(key), std::move(text), [&](json::Writer& out) {
    out.open_array();
    for (std::size_t i = 0; i < 9; ++i) out.value(m[i] / unit);
    out.close();
  });
}

std::vector<Fact> body_facts(const GraspBody& body) {
  std::vector<Fact> facts;
  facts.push_back(fact("triangles", body.mesh.triangles.size()));
  facts.push_back(fact_of("closed", body.closed ? "yes" : "no", [&](json::Writer& out) { out.value(body.closed); }));
  if (const auto box = inventor::bounding_box(body.mesh)) {
    facts.push_back(place_fact("box_min_mm", {box->min[0], box->min[1], box->min[2]}, 0.001));
    facts.push_back(place_fact("box_max_mm", {box->max[0], box->max[1], box->max[2]}, 0.001));
  }
  const bool even = body.min_scale == body.max_scale;
  facts.push_back(fact_of(
      "scale", even ? fmt::format("{:.6g}", body.min_scale) : fmt::format("{:.6g} .. {:.6g}", body.min_scale, body.max_scale),
      [&](json::Writer& out) {
        if (even)
          out.value(body.min_scale);
        else
          out.open_array().value(body.min_scale).value(body.max_scale).close();
      }));
  facts.push_back(fact_of("material", body.material + (body.given.material ? "" : " (default)"),
                          [&](json::Writer& out) { out.value(body.material); }));
  facts.push_back(
      number_fact("mass_g", fmt::format("{:.6g}", body.mass * 1000) + (body.given.mass ? "" : " (default)"), body.mass * 1000));
  facts.push_back(number_fact("volume_mm3", fmt::format("{:.6g}", body.volume * 1e9), body.volume * 1e9));
  if (body.volume > 0)
    facts.push_back(number_fact("density_kg_m3", fmt::format("{:.6g}", body.mass / body.volume), body.mass / body.volume));
  if (body.given.cog) facts.push_back(place_fact("cog_given_mm", body.cog, 0.001));
  facts.push_back(place_fact("cog_computed_mm", body.centroid, 0.001));
  if (body.given.inertia) facts.push_back(matrix_fact("inertia_given_mm2", *body.given.inertia, 1));
  facts.push_back(matrix_fact("inertia_computed_mm2", body.computed_inertia, 1e-6));
  return facts;
}

std::vector<Fact> info_body(std::string_view text, const std::string& file, const Reading& reading, Diagnostics& diagnostics) {
  const auto body = body_of(text, file, reading, diagnostics);
  return body ? body_facts(*body) : std::vector<Fact>{};
}

std::optional<GraspRobot> robot_of(std::string_view text, const std::string& file, const Reading& reading,
                                   Diagnostics& diagnostics) {
  if (!from_pipe(file)) return take(grasp::load_robot(file, reading.grasp), diagnostics);
  if (graspit::xml_kind(text) == graspit::XmlKind::robot)
    (void)take(graspit::read_robot_xml(text, file), diagnostics);
  else
    (void)take(graspit::read_cfg(text, reading.grasp.reading, file), diagnostics);
  return std::nullopt;
}

void check_robot(std::string_view text, const std::string& file, const Reading& reading, Diagnostics& diagnostics) {
  (void)robot_of(text, file, reading, diagnostics);
}

Fact joint_fact(std::string key, const graspit::Joint& joint) {
  const char* type = joint.prismatic ? "prismatic" : "revolute";
  return fact_of(std::move(key),
                 fmt::format("{} d{}*{:.6g}+{:.6g}, {:.6g} .. {:.6g}", type, joint.variable.dof, joint.variable.factor,
                             joint.variable.offset, joint.min, joint.max),
                 [&](json::Writer& out) {
                   out.open_object().member("type", type).member("dof", joint.variable.dof);
                   out.member("factor", joint.variable.factor).member("offset", joint.variable.offset);
                   out.member("min", joint.min).member("max", joint.max).close();
                 });
}

Fact link_fact(std::string key, const graspit::Link& link, const GraspBody* body) {
  const std::string rest = body == nullptr ? " (missing)"
                                           : fmt::format(", {:.6g} g, {}, {} triangles", body->mass * 1000, body->material,
                                                         body->mesh.triangles.size());
  return fact_of(std::move(key),
                 fmt::format("{} {} after joint {}{}", graspit::to_text(link.kind), link.file, link.last_joint, rest),
                 [&](json::Writer& out) {
                   out.open_object().member("type", graspit::to_text(link.kind)).member("file", link.file);
                   out.member("after_joint", link.last_joint).member("missing", body == nullptr);
                   if (body != nullptr)
                     out.member("mass_g", body->mass * 1000)
                         .member("material", body->material)
                         .member("triangles", body->mesh.triangles.size());
                   out.close();
                 });
}

void append_chain_facts(std::vector<Fact>& facts, const GraspRobot& robot, std::size_t c) {
  const graspit::Chain& chain = robot.model.chains[c];
  const geo::Vec3 base = robot.chains.chains[c].base.p;
  facts.push_back(
      fact_of(fmt::format("chain{}", c),
              fmt::format("{} joints, {} links, base at {} mm", chain.joints.size(), chain.links.size(), three(base, 0.001)),
              [&](json::Writer& out) {
                out.open_object().member("joints", chain.joints.size()).member("links", chain.links.size());
                write_three(out.key("base_mm"), base, 0.001);
                out.close();
              }));
  for (std::size_t j = 0; j < chain.joints.size(); ++j)
    facts.push_back(joint_fact(fmt::format("chain{}.joint{}", c, j), chain.joints[j]));
  for (std::size_t l = 0; l < chain.links.size(); ++l)
    facts.push_back(link_fact(fmt::format("chain{}.link{}", c, l), chain.links[l], robot.links[c][l].get()));
}

Fact dof_fact(std::string key, const graspit::Dof& dof, const grasp::Limits& limits, bool length) {
  const double unit = length ? grasp::kMillimeter : grasp::kDegree;
  const char* name = length ? "mm" : "degrees";
  return fact_of(std::move(key),
                 fmt::format("type {}, {:.6g} .. {:.6g} {}, velocity {:.6g}, effort {:.6g}, Kp {:.6g}, Kd {:.6g}",
                             static_cast<char>(dof.kind), limits.min / unit, limits.max / unit, name, dof.velocity,
                             dof.max_effort, dof.kp, dof.kd),
                 [&](json::Writer& out) {
                   out.open_object().member("type", std::string(1, static_cast<char>(dof.kind)));
                   out.member("min", limits.min / unit).member("max", limits.max / unit).member("unit", name);
                   out.member("velocity", dof.velocity).member("effort", dof.max_effort);
                   out.member("Kp", dof.kp).member("Kd", dof.kd).close();
                 });
}

std::vector<Fact> info_robot(std::string_view text, const std::string& file, const Reading& reading, Diagnostics& diagnostics) {
  const auto robot = robot_of(text, file, reading, diagnostics);
  if (!robot) return {};
  std::vector<Fact> facts;
  facts.push_back(fact("class", robot->model.class_name));
  facts.push_back(fact("palm", robot->model.palm + (robot->palm ? "" : " (missing)")));
  facts.push_back(fact("dofs", robot->model.dofs.size()));
  facts.push_back(fact("chains", robot->model.chains.size()));
  const auto limits = grasp::dof_limits(robot->chains);
  for (std::size_t d = 0; d < limits.size(); ++d)
    facts.push_back(dof_fact(fmt::format("dof{}", d), robot->model.dofs[d], limits[d], robot->dof_is_length[d]));
  for (std::size_t c = 0; c < robot->model.chains.size(); ++c) append_chain_facts(facts, *robot, c);
  return facts;
}

std::optional<GraspWorld> read_world(std::string_view text, const std::string& file, const Reading& reading,
                                     Diagnostics& diagnostics) {
  if (!from_pipe(file)) return take(grasp::load_world(file, reading.grasp), diagnostics);
  if (graspit::xml_kind(text) == graspit::XmlKind::world)
    (void)take(graspit::read_world_xml(text, file), diagnostics);
  else
    (void)take(graspit::read_wld(text, reading.grasp.reading, file), diagnostics);
  return std::nullopt;
}

void check_world(std::string_view text, const std::string& file, const Reading& reading, Diagnostics& diagnostics) {
  (void)read_world(text, file, reading, diagnostics);
}

std::vector<Fact> info_world(std::string_view text, const std::string& file, const Reading& reading, Diagnostics& diagnostics) {
  const auto world = read_world(text, file, reading, diagnostics);
  if (!world) return {};
  std::vector<Fact> facts;
  facts.push_back(fact("root", world->root));
  facts.push_back(fact("bodies", world->model.bodies.size()));
  facts.push_back(fact("robots", world->model.robots.size()));
  facts.push_back(fact("connections", world->model.connections.size()));
  for (std::size_t i = 0; i < world->model.bodies.size(); ++i) {
    const graspit::WorldBody& body = world->model.bodies[i];
    const GraspBody* loaded = world->bodies[i].get();
    const char* kind = body.obstacle ? "obstacle" : "graspable";
    const geo::Vec3 place = grasp::pose_of(body.transform).p;
    const std::string rest =
        loaded == nullptr ? " (missing)" : fmt::format(", {:.6g} g, {}", loaded->mass * 1000, loaded->material);
    facts.push_back(fact_of(fmt::format("body{}", i),
                            fmt::format("{} {} at {} mm{}", kind, body.file, three(place, 0.001), rest),
                            [&](json::Writer& out) {
                              out.open_object().member("kind", kind).member("file", body.file);
                              write_three(out.key("position_mm"), place, 0.001);
                              out.member("missing", loaded == nullptr);
                              if (loaded != nullptr)
                                out.member("mass_g", loaded->mass * 1000).member("material", loaded->material);
                              out.close();
                            }));
  }
  for (std::size_t i = 0; i < world->model.robots.size(); ++i) {
    const graspit::WorldRobot& robot = world->model.robots[i];
    const geo::Vec3 place = grasp::pose_of(robot.transform).p;
    const bool missing = world->robots[i] == nullptr;
    facts.push_back(fact_of(fmt::format("robot{}", i),
                            fmt::format("{} at {} mm, {} numbers of DOFs{}", robot.file, three(place, 0.001),
                                        robot.dof_values.size(), missing ? " (missing)" : ""),
                            [&](json::Writer& out) {
                              out.open_object().member("file", robot.file);
                              write_three(out.key("position_mm"), place, 0.001);
                              out.member("missing", missing).key("dof_values").open_array();
                              for (const double x : robot.dof_values) out.value(x);
                              out.close().close();
                            }));
  }
  return facts;
}

// ---- canonical forms

template <class T>
std::optional<std::string> written(Parsed<T> parsed, std::string (*write)(const T&), Diagnostics& diagnostics) {
  const bool good = parsed.ok();
  diagnostics.append(std::move(parsed.diagnostics));
  if (!good) return std::nullopt;
  return write(*parsed.value);
}
std::optional<std::string> format_body(std::string_view text, const std::string& file, const Reading&,
                                       Diagnostics& diagnostics) {
  if (graspit::xml_kind(text) == graspit::XmlKind::body)
    return written(graspit::read_body_xml(text, file), graspit::write_body_xml, diagnostics);
  diagnostics.report(code::kNoFormat, {}, "Inventor and VRML files have no canonical form, XML of bodies has");
  return std::nullopt;
}
std::optional<std::string> format_robot(std::string_view text, const std::string& file, const Reading& reading,
                                        Diagnostics& diagnostics) {
  if (graspit::xml_kind(text) == graspit::XmlKind::robot)
    return written(graspit::read_robot_xml(text, file), graspit::write_robot_xml, diagnostics);
  return written(graspit::read_cfg(text, reading.grasp.reading, file), graspit::write_cfg, diagnostics);
}
std::optional<std::string> format_world(std::string_view text, const std::string& file, const Reading& reading,
                                        Diagnostics& diagnostics) {
  if (graspit::xml_kind(text) == graspit::XmlKind::world)
    return written(graspit::read_world_xml(text, file), graspit::write_world_xml, diagnostics);
  return written(graspit::read_wld(text, reading.grasp.reading, file), graspit::write_wld, diagnostics);
}

constexpr FileKind kGraspKinds[] = {
    {"graspit-body",
     "GraspIt! body, Inventor or VRML file, or a body XML",
     {file_kind::Kind::graspit_body, file_kind::Kind::graspit_body_xml},
     check_body,
     info_body,
     format_body},
    {"graspit-robot",
     "GraspIt! robot (.cfg or XML)",
     {file_kind::Kind::graspit_robot, file_kind::Kind::graspit_robot_xml},
     check_robot,
     info_robot,
     format_robot},
    {"graspit-world",
     "GraspIt! world (.wld or XML)",
     {file_kind::Kind::graspit_world, file_kind::Kind::graspit_world_xml},
     check_world,
     info_world,
     format_world},
};

}  // namespace

std::span<const FileKind> grasp_kinds() { return kGraspKinds; }

}  // namespace simbatch::objconv
