/// GraspIt! bodies, robots and worlds, Inventor and VRML files in `check`, `info` and `fmt`.

#include <fmt/format.h>

#include <cmath>

#include "apps/objconv/grasp_files.hpp"
#include "apps/objconv/kinds.hpp"
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

std::string three(geo::Vec3 v, double unit) { return fmt::format("{:.6g} {:.6g} {:.6g}", v.x / unit, v.y / unit, v.z / unit); }

std::vector<Fact> body_facts(const GraspBody& body) {
  std::vector<Fact> facts;
  facts.push_back(fact("triangles", body.mesh.triangles.size()));
  facts.push_back(fact("closed", std::string(body.closed ? "yes" : "no")));
  if (const auto box = inventor::bounding_box(body.mesh)) {
    facts.push_back(fact("box_min_mm", three({box->min[0], box->min[1], box->min[2]}, 0.001)));
    facts.push_back(fact("box_max_mm", three({box->max[0], box->max[1], box->max[2]}, 0.001)));
  }
  facts.push_back(fact("scale", body.min_scale == body.max_scale
                                    ? fmt::format("{:.6g}", body.min_scale)
                                    : fmt::format("{:.6g} .. {:.6g}", body.min_scale, body.max_scale)));
  facts.push_back(fact("material", body.material + (body.given.material ? "" : " (default)")));
  facts.push_back(fact("mass_g", fmt::format("{:.6g}", body.mass * 1000) + (body.given.mass ? "" : " (default)")));
  facts.push_back(fact("volume_mm3", fmt::format("{:.6g}", body.volume * 1e9)));
  if (body.volume > 0) facts.push_back(fact("density_kg_m3", fmt::format("{:.6g}", body.mass / body.volume)));
  const auto rows = [](const std::array<double, 9>& m, double unit) {
    std::string out;
    for (std::size_t i = 0; i < 9; ++i) out += fmt::format("{}{:.6g}", i == 0 ? "" : i % 3 == 0 ? "; " : " ", m[i] / unit);
    return out;
  };
  if (body.given.cog) facts.push_back(fact("cog_given_mm", three(body.cog, 0.001)));
  facts.push_back(fact("cog_computed_mm", three(body.centroid, 0.001)));
  if (body.given.inertia) facts.push_back(fact("inertia_given_mm2", rows(*body.given.inertia, 1)));
  facts.push_back(fact("inertia_computed_mm2", rows(body.computed_inertia, 1e-6)));
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

void append_chain_facts(std::vector<Fact>& facts, const GraspRobot& robot, std::size_t c) {
  const graspit::Chain& chain = robot.model.chains[c];
  facts.push_back(
      fact(fmt::format("chain{}", c), fmt::format("{} joints, {} links, base at {} mm", chain.joints.size(), chain.links.size(),
                                                  three(robot.chains.chains[c].base.p, 0.001))));
  for (std::size_t j = 0; j < chain.joints.size(); ++j) {
    const graspit::Joint& joint = chain.joints[j];
    facts.push_back(fact(fmt::format("chain{}.joint{}", c, j),
                         fmt::format("{} d{}*{:.6g}+{:.6g}, {:.6g} .. {:.6g}", joint.prismatic ? "prismatic" : "revolute",
                                     joint.variable.dof, joint.variable.factor, joint.variable.offset, joint.min, joint.max)));
  }
  for (std::size_t l = 0; l < chain.links.size(); ++l) {
    const auto& body = robot.links[c][l];
    facts.push_back(fact(
        fmt::format("chain{}.link{}", c, l),
        fmt::format(
            "{} {} after joint {}{}", graspit::to_text(chain.links[l].kind), chain.links[l].file, chain.links[l].last_joint,
            body ? fmt::format(", {:.6g} g, {}, {} triangles", body->mass * 1000, body->material, body->mesh.triangles.size())
                 : " (missing)")));
  }
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
  for (std::size_t d = 0; d < limits.size(); ++d) {
    const graspit::Dof& dof = robot->model.dofs[d];
    const double unit = robot->dof_is_length[d] ? grasp::kMillimeter : grasp::kDegree;
    facts.push_back(
        fact(fmt::format("dof{}", d),
             fmt::format("type {}, {:.6g} .. {:.6g} {}, velocity {:.6g}, effort {:.6g}, Kp {:.6g}, Kd {:.6g}",
                         static_cast<char>(dof.kind), limits[d].min / unit, limits[d].max / unit,
                         robot->dof_is_length[d] ? "mm" : "degrees", dof.velocity, dof.max_effort, dof.kp, dof.kd)));
  }
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
    facts.push_back(fact(
        fmt::format("body{}", i),
        fmt::format("{} {} at {} mm{}", body.obstacle ? "obstacle" : "graspable", body.file,
                    three(grasp::pose_of(body.transform).p, 0.001),
                    world->bodies[i] ? fmt::format(", {:.6g} g, {}", world->bodies[i]->mass * 1000, world->bodies[i]->material)
                                     : " (missing)")));
  }
  for (std::size_t i = 0; i < world->model.robots.size(); ++i) {
    const graspit::WorldRobot& robot = world->model.robots[i];
    facts.push_back(
        fact(fmt::format("robot{}", i),
             fmt::format("{} at {} mm, {} numbers of DOFs{}", robot.file, three(grasp::pose_of(robot.transform).p, 0.001),
                         robot.dof_values.size(), world->robots[i] ? "" : " (missing)")));
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
     nullptr},
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
