// SDFormat 1.9: axes of joints are in the joint's frame, which is the child's, moved to the joint's place.

#include "lib/robots/to_sdf.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "lib/robots/codes.hpp"
#include "lib/robots/shapes.hpp"
#include "lib/robots/to_autosim.hpp"

namespace simbatch::robots {
namespace {

constexpr const char* kReserved = "world";

sdf::Vector sdf_vector(Vec3 v) { return {v.x + 0.0, v.y + 0.0, v.z + 0.0}; }

sdf::Geometry sdf_geometry(const Shape& from) {
  switch (from.kind) {
    case Shape::Kind::sphere: return sdf::Sphere{from.radius};
    case Shape::Kind::cylinder:
    case Shape::Kind::cone: return sdf::Cylinder{from.radius, from.length};
    case Shape::Kind::capsule: return sdf::Capsule{from.radius, from.length};
    case Shape::Kind::ellipsoid: return sdf::Ellipsoid{sdf_vector(from.size)};
    case Shape::Kind::mesh: return sdf::Mesh{from.file, sdf_vector(from.size)};
    case Shape::Kind::plane: return sdf::Plane{sdf_vector(from.size), {1000, 1000}};
    case Shape::Kind::box: break;
  }
  return sdf::Box{sdf_vector(from.size)};
}

/// Names that are in use in one scope of a file.
class SdfNames {
 public:
  std::string add(const std::string& name) { return used_.add(sdf::valid_name(name)); }

 private:
  UsedNames used_;
};

sdf::Link sdf_link(const Part& part, SdfNames& names) {
  sdf::Link link;
  link.name = names.add(part.name);
  link.pose = detail::written_pose(part.pose);
  if (part.inertial) {
    const Tensor& t = part.inertial->tensor;
    link.inertial =
        sdf::Inertial{{sdf_vector(part.inertial->center), {}}, part.inertial->mass, {t.xx, t.xy, t.xz, t.yy, t.yz, t.zz}};
  }
  SdfNames collisions, visuals;
  for (const Solid& solid : part.collisions) {
    sdf::Collision& to = link.collisions.emplace_back();
    to.name = collisions.add(solid.name.empty() ? "shape" : solid.name);
    to.pose = detail::written_pose(solid.pose);
    to.geometry = sdf_geometry(solid.shape);
    to.friction = solid.friction;
    to.restitution = solid.restitution;
  }
  for (const Solid& solid : part.visuals.empty() ? part.collisions : part.visuals) {
    sdf::Visual& to = link.visuals.emplace_back();
    to.name = visuals.add(solid.name.empty() ? "shape" : solid.name);
    to.pose = detail::written_pose(solid.pose);
    to.geometry = sdf_geometry(solid.shape);
    if (solid.color) to.color = {(*solid.color)[0], (*solid.color)[1], (*solid.color)[2]};
  }
  return link;
}

}  // namespace

sdf::Model to_sdf(const Model& model, Diagnostics& problems) {
  sdf::Model out;
  out.name = model.name == kReserved ? std::string("world_model") : SdfNames().add(model.name);
  out.is_static = model.is_static;
  out.self_collide = model.self_collision;
  out.pose = detail::written_pose(model.pose);
  SdfNames names;
  (void)names.add(kReserved);
  std::map<std::string, std::string> link_names;
  std::map<std::string, Pose> poses;
  for (const Part& part : model.parts) {
    out.links.push_back(sdf_link(part, names));
    link_names.emplace(part.name, out.links.back().name);
    poses.emplace(part.name, part.pose);
  }
  bool has_rotor = false, has_servo = false;
  for (const Joint& from : model.joints) {
    const auto child = poses.find(from.child);
    if (child == poses.end()) continue;
    sdf::Joint joint;
    joint.name = names.add(from.name);
    joint.parent = from.parent.empty() ? std::string(kReserved) : link_names.at(from.parent);
    joint.child = link_names.at(from.child);
    joint.type = from.kind == Joint::Kind::fixed       ? "fixed"
                 : from.kind == Joint::Kind::spherical ? "ball"
                 : from.kind == Joint::Kind::prismatic ? "prismatic"
                                                       : "revolute";
    if (from.kind != Joint::Kind::fixed) joint.pose.xyz = sdf_vector(inverse(child->second) * from.position);
    if (joint.type == "revolute" || joint.type == "prismatic") {
      joint.axis = sdf_vector(inverse(child->second.q) * from.axis);
      if (from.lower && from.upper) joint.limits = {*from.lower, *from.upper};
      joint.effort = from.motor ? from.motor->effort : 0;
      if (from.motor && from.motor->velocity > 0) joint.velocity = from.motor->velocity;
      if (from.damping > 0) joint.damping = from.damping;
      if (from.friction > 0) joint.friction = from.friction;
      if (from.stiffness > 0) {
        joint.spring_stiffness = from.stiffness;
        joint.spring_reference = from.rest;
      }
      has_rotor |= from.rotor > 0;
      if (from.motor) has_servo |= from.motor->mode != Motor::Mode::force;
    }
    out.joints.push_back(std::move(joint));
  }
  const auto lose = [&](bool has, const char* what) {
    if (has)
      problems.report(code::kLossMotor, model.place,
                      fmt::format("SDF has no {}: those of {} are lost", what, quoted(model.name)));
  };
  lose(has_rotor, "inertia of rotors");
  lose(has_servo, "gains and targets of motors");
  return out;
}

sdf::World to_sdf(const World& world, Diagnostics& problems) {
  sdf::World out;
  SdfNames names;
  (void)names.add(kReserved);
  out.name = world.name.empty() || world.name == kReserved ? std::string("world_of_models") : names.add(world.name);
  out.gravity = sdf_vector(world.gravity);
  out.step = world.step;
  out.geographic = world.geographic;
  SdfNames models;
  (void)models.add(kReserved);
  for (const Model& model : world.models) {
    out.models.push_back(to_sdf(model, problems));
    out.models.back().name = models.add(model.name);
  }
  return out;
}

}  // namespace simbatch::robots
