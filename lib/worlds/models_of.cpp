// The world's axes are x right, y up, z forward and count as left-handed; swapping y and z makes them right-handed with z up, and turns the
// sense of every rotation and of every triangle around (docs/conventions.md).

#include "lib/worlds/models_of.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <set>

#include "base/geo/frames.hpp"
#include "lib/robots/codes.hpp"
#include "lib/robots/to_autosim.hpp"
#include "lib/sim/simulation.hpp"
#include "lib/worlds/colors.hpp"
#include "lib/worlds/triangles.hpp"
#include "lib/worlds/wheels.hpp"

namespace simbatch::worlds {
namespace {

using geo::Pose;
using geo::Vec3;
using robots::Joint;
using robots::Model;
using robots::Part;

Pose up_pose(const Pose& pose) { return {geo::swap_up(pose.p), geo::swap_up(pose.q)}; }
Vec3 vec_of(const autosim::Vector3& v) { return {v.x, v.y, v.z}; }
Vec3 up_vec(const autosim::Vector3& v) { return geo::swap_up(vec_of(v)); }
/// R = Ry(y) Rx(x) Rz(z), degrees.
geo::Quat turned(const autosim::Vector3& d) {
  return geo::rotation({0, 1, 0}, geo::radians(d.y)) * geo::rotation({1, 0, 0}, geo::radians(d.x)) *
         geo::rotation({0, 0, 1}, geo::radians(d.z));
}

class Collector {
 public:
  Collector(const scenario::BuiltScenario& built, const scenario::ScenarioFiles& files, const grasp::ExportOptions& options,
            grasp::MeshFiles& meshes)
      : world_(built.simulation->world()), files_(files), options_(options), meshes_(meshes), colors_(built) {}

  robots::World collect() {
    out_.name = files_.world.name;
    out_.gravity = geo::swap_up(world_.settings().gravity);
    out_.step = world_.settings().dt;
    if (files_.is_world && files_.world.physics.origin)
      out_.geographic = {files_.world.physics.origin->latitude, files_.world.physics.origin->longitude};
    for (const scenario::ScenarioRobot& robot : files_.robots) add_robot(robot);
    for (std::size_t i = 0; i < world_.body_count(); ++i) {
      const auto id = static_cast<physics::BodyId>(i);
      if (!taken_.contains(id)) add_body(id);
    }
    return std::move(out_);
  }

 private:
  void add_robot(const scenario::ScenarioRobot& from) {
    Model model;
    model.name = from.name;
    model.file = from.file;
    model.place = from.robot.place.at;
    model.is_static = from.is_fixed;
    model.self_collision = has_self_collision(from.robot);
    bool placed = false;
    for (const autosim::Body& body : from.robot.bodies) {
      const physics::BodyId id = world_.find_body(from.name + "." + body.name);
      if (id == physics::kNoBody) continue;
      taken_.insert(id);
      const Pose X_RB{vec_of(body.position), turned(body.rotation)};
      if (!placed) model.pose = up_pose(world_.pose(id) * inverse(X_RB));
      placed = true;
      Part& part = model.parts.emplace_back();
      part.name = body.name;
      part.place = body.place.at;
      part.pose = up_pose(X_RB);
      part.inertial = inertial_of(id, body.mass);
      if (part.inertial) part.inertial->tensor = robots::nearest_physical(part.inertial->tensor);
      part.collisions = solids_of(id);
      for (robots::Solid& solid : part.collisions) {
        if (body.friction) solid.friction = body.friction;
        if (body.restitution) solid.restitution = body.restitution;
      }
    }
    if (!model.is_static) add_fixed(from, model);
    for (const autosim::Link& link : from.robot.links) add_joint(link, model);
    add_wheels(from.robot, std::max(-out_.gravity.z, 0.0), model);
    robots::drop_world_part(model);
    if (!model.parts.empty()) out_.models.push_back(std::move(model));
  }

  static void add_fixed(const scenario::ScenarioRobot& from, Model& model) {
    std::vector<std::string> fixed = from.fixed;
    const auto& articulation = from.robot.articulation;
    if (articulation && articulation->fixed)
      fixed.push_back(articulation->base.empty() ? from.robot.bodies.front().name : articulation->base);
    for (const std::string& name : fixed) {
      if (!part_index(model, name)) continue;
      Joint joint;
      joint.name = name + "_fixed";
      joint.place = model.place;
      joint.child = name;
      model.joints.push_back(std::move(joint));
    }
  }

  static void add_joint(const autosim::Link& from, Model& model) {
    if (!part_index(model, from.parent) || !part_index(model, from.child)) return;
    Joint joint;
    joint.name = from.name;
    joint.place = from.place.at;
    joint.parent = from.parent;
    joint.child = from.child;
    joint.position = up_vec(from.position);
    joint.kind = from.kind == autosim::Link::Kind::spherical   ? Joint::Kind::spherical
                 : from.kind == autosim::Link::Kind::prismatic ? Joint::Kind::prismatic
                                                               : Joint::Kind::revolute;
    const bool turns = joint.kind == Joint::Kind::revolute;
    const auto unit = [&](double value) { return turns ? geo::radians(value) : value; };
    if (joint.kind != Joint::Kind::spherical) joint.axis = geo::normalized((turns ? -1.0 : 1.0) * up_vec(from.axis));
    if (from.limits) {
      joint.lower = unit(from.limits->lower);
      joint.upper = unit(from.limits->upper);
    }
    if (from.spring) {
      joint.stiffness = from.spring->stiffness;
      joint.damping = from.spring->damping;
      joint.rest = unit(from.spring->rest);
    }
    joint.friction = from.friction.value_or(0);
    if (from.motor) {
      using Mode = autosim::LinkMotor::Mode;
      robots::Motor& motor = joint.motor.emplace();
      motor.mode = from.motor->mode == Mode::force      ? robots::Motor::Mode::force
                   : from.motor->mode == Mode::position ? robots::Motor::Mode::position
                                                        : robots::Motor::Mode::speed;
      motor.effort = from.motor->max_force;
      motor.velocity = from.motor->max_speed ? unit(*from.motor->max_speed) : 0;
      motor.stiffness = from.motor->stiffness.value_or(0);
      motor.damping = from.motor->damping;
      motor.target = motor.mode == robots::Motor::Mode::force ? from.motor->target : unit(from.motor->target);
      joint.rotor = from.motor->rotor.value_or(0);
    }
    model.joints.push_back(std::move(joint));
  }

  /// @param otherwise  mass of a body that does not move, for which the physics has none (kg)
  std::optional<robots::Inertial> inertial_of(physics::BodyId id, double otherwise) const {
    physics::MassProperties mass = world_.mass(id);
    if (!(mass.mass > 0) || !(mass.inertia.xx > 0) || (otherwise > 0 && mass.mass != otherwise)) {
      const std::vector<physics::Part> parts = world_.parts(id);
      if (parts.empty() || !(otherwise > 0)) return std::nullopt;
      mass = physics::mass_properties(parts, otherwise);
      if (!physics::is_sound(mass.inertia)) return std::nullopt;
    }
    const physics::Inertia& t = mass.inertia;
    return robots::Inertial{mass.mass, geo::swap_up(mass.center), {t.xx, t.zz, t.yy, t.xz + 0.0, t.xy + 0.0, t.yz + 0.0}};
  }

  std::vector<robots::Solid> solids_of(physics::BodyId id) {
    std::vector<robots::Solid> solids;
    const std::vector<physics::Part> parts = world_.parts(id);
    geo::TriangleMesh rest;  // of all parts that have no shape of their own
    for (std::size_t i = 0; i < parts.size(); ++i) {
      robots::Solid solid;
      solid.pose = up_pose(parts[i].pose);
      if (auto shape = plain_shape(parts[i].shape)) {
        solid.shape = *shape;
        solid.color = colors_.of(id, i);
        solids.push_back(std::move(solid));
      } else {
        append_triangles(world_, id, i, parts[i], rest);
      }
    }
    if (!rest.indices.empty()) {
      solids.push_back(mesh_solid(world_.name(id), rest));
      for (std::size_t i = 0; i < parts.size() && !solids.back().color; ++i)
        if (!plain_shape(parts[i].shape)) solids.back().color = colors_.of(id, i);
    }
    for (std::size_t i = 0; i < solids.size(); ++i) {
      solids[i].name = solids.size() == 1 ? "shape" : fmt::format("shape_{}", i + 1);
      set_contact(id, solids[i]);
    }
    return solids;
  }

  /// Other programs assume a friction of 1 and no restitution, as a scenario does.
  void set_contact(physics::BodyId id, robots::Solid& solid) const {
    if (world_.friction(id) != 1) solid.friction = world_.friction(id);
    if (world_.restitution(id) != 0) solid.restitution = world_.restitution(id);
  }

  robots::Solid mesh_solid(const std::string& name, const geo::TriangleMesh& mesh) {
    robots::Solid solid;
    std::string file = mesh_names_.add(name);
    std::replace_if(
        file.begin(), file.end(), [](char c) { return c == '/' || c == '\\'; }, '_');
    file = options_.mesh_folder + "/" + file + "." + options_.mesh_format;
    meshes_[file] = mesh_file(mesh, options_.mesh_format, name);
    solid.shape.kind = robots::Shape::Kind::mesh;
    solid.shape.file = file;
    return solid;
  }

  void add_ground(physics::BodyId id, const geo::TriangleMesh& mesh, Part& part) {
    robots::Solid& solid = part.collisions.emplace_back(mesh_solid(world_.name(id), mesh));
    solid.color = colors_.of(id, 0);
    set_contact(id, solid);
  }

  /// A body that belongs to no robot.
  void add_body(physics::BodyId id) {
    Model model;
    model.name = world_.name(id);
    const physics::BodyKind kind = world_.kind(id);
    model.is_static = kind != physics::BodyKind::dynamic;
    if (kind == physics::BodyKind::articulated) {
      lost_.insert("articulated bodies of GraspIt! worlds");
      return;
    }
    if (kind == physics::BodyKind::kinematic) lost_.insert("motion of objects that the simulation moves");
    Part part;
    part.name = "body";
    if (const auto height = world_.terrain_plane(id)) {
      model.pose.p.z = *height;
      robots::Solid& solid = part.collisions.emplace_back();
      solid.name = "ground";
      solid.shape.kind = robots::Shape::Kind::plane;
      solid.shape.size = {0, 0, 1};
      solid.color = BodyColors::ground();
      set_contact(id, solid);
    } else if (const geo::HeightGrid* grid = world_.terrain_grid(id)) {
      const geo::TriangleMesh mesh = triangles_of(*grid);
      if (mesh.indices.empty())
        lost_.insert("ground of more than 4 million triangles");
      else
        add_ground(id, mesh, part);
    } else {
      model.pose = up_pose(world_.pose(id));
      part.collisions = solids_of(id);
      if (!model.is_static) part.inertial = inertial_of(id, 0);
    }
    if (part.collisions.empty()) return;
    model.parts.push_back(std::move(part));
    out_.models.push_back(std::move(model));
  }

 public:
  const std::set<std::string>& lost() const { return lost_; }

 private:
  const physics::World& world_;
  const scenario::ScenarioFiles& files_;
  const grasp::ExportOptions& options_;
  grasp::MeshFiles& meshes_;
  BodyColors colors_;
  robots::World out_;
  std::set<physics::BodyId> taken_;
  robots::UsedNames mesh_names_;
  std::set<std::string> lost_;
};

}  // namespace

robots::World models_of(const scenario::BuiltScenario& built, const scenario::ScenarioFiles& files,
                        const grasp::ExportOptions& options, grasp::MeshFiles& meshes, Diagnostics& problems) {
  Collector collector(built, files, options, meshes);
  robots::World world = collector.collect();
  for (const std::string& what : collector.lost())
    problems.report(robots::code::kLossScenario, {}, fmt::format("the {} are lost", what));
  return world;
}

}  // namespace simbatch::worlds
