// SDFormat 1.9: axes of joints are in the joint's frame, which is the child's, moved to the joint's place.

#include "lib/robots/to_sdf.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numbers>
#include <set>

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
    case Shape::Kind::cylinder: return sdf::Cylinder{from.radius, from.length};
    case Shape::Kind::cone: return sdf::Cylinder{from.radius / std::numbers::sqrt3, from.length};
    case Shape::Kind::capsule: return sdf::Capsule{from.radius, from.length};
    case Shape::Kind::ellipsoid: return sdf::Ellipsoid{sdf_vector(from.size)};
    case Shape::Kind::mesh: return sdf::Mesh{from.file, sdf_vector(from.size)};
    case Shape::Kind::plane: return sdf::Plane{sdf_vector(from.size), from.drawn};
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

class SdfMaker {
 public:
  SdfMaker(const Model& model, Diagnostics& problems) : model_(model), problems_(problems) {}

  sdf::Model make() {
    sdf::Model& out = made_[0];
    out.name = model_.name == kReserved ? std::string("world_model") : SdfNames().add(model_.name);
    out.is_static = model_.is_static;
    out.self_collide = model_.self_collision;
    out.pose = detail::written_pose(model_.pose, model_.written);
    (void)names_[""].add(kReserved);
    add_scopes();
    for (const Part& part : model_.parts) add_part(part);
    for (const Joint& joint : model_.joints) joint_names_.emplace(joint.name, place_of(joint.name, "_joint"));
    for (const Joint& joint : model_.joints) add_joint(joint);
    for (const Part& part : model_.parts) add_link(part);
    for (const Frame& frame : model_.frames) add_frame(frame);
    report_losses();
    return assembled();
  }

 private:
  /// Where something is in the file: a model in the model, and its name there.
  struct Place {
    std::string scope;  ///< its path in the file: "arm::hand"; empty: the model itself
    std::string name;
    std::string path() const { return scope.empty() ? name : scope + "::" + name; }
  };

  /// The name in the innermost model of this file that it is in. @param ending  of a name that is in use
  Place place_of(const std::string& name, const char* ending = "") {
    Place place;
    std::string rest = name;
    if (!model_.scopes.empty()) {
      const std::size_t end = name.rfind("::");
      if (const auto scope = end == std::string::npos ? paths_.end() : paths_.find(name.substr(0, end));
          scope != paths_.end()) {
        place.scope = scope->second;
        rest = name.substr(end + 2);
      }
    }
    const std::string valid = sdf::valid_name(rest);
    place.name = names_[place.scope].add(taken_.contains({place.scope, valid}) ? valid + ending : valid);
    taken_.emplace(place.scope, place.name);
    if (place.name != rest)
      problems_.report(code::kLossName, model_.place,
                       fmt::format("{} of {} is written as {}: SDF has the name in use, or reserved", quoted(rest),
                                   quoted(model_.name), quoted(place.name)));
    return place;
  }

  sdf::Model& scope(const std::string& path) { return made_[indices_.at(path)]; }
  const Pose& frame_of(const std::string& path) const { return frames_.at(path); }

  /// A model without links, also in models in it, is nothing for readers.
  void add_scopes() {
    std::set<std::string> filled;
    for (const Part& part : model_.parts)
      for (std::size_t at = part.name.find("::"); at != std::string::npos; at = part.name.find("::", at + 2))
        filled.insert(part.name.substr(0, at));
    for (const Scope& scope : model_.scopes)
      if (filled.contains(scope.name)) add_scope(scope);
  }
  void add_scope(const Scope& from) {
    const Place place = place_of(from.name);
    sdf::Model to;
    to.name = place.name;
    to.pose = detail::written_pose(inverse(frame_of(place.scope)) * from.pose, from.written);
    paths_.emplace(from.name, place.path());
    frames_.emplace(place.path(), from.pose);
    around_.push_back(indices_.at(place.scope));
    indices_.emplace(place.path(), made_.size());
    made_.push_back(std::move(to));
  }
  /// Puts each model into the one around it, the innermost first.
  sdf::Model assembled() {
    for (std::size_t i = made_.size(); --i > 0;) {
      std::reverse(made_[i].models.begin(), made_[i].models.end());
      made_[around_[i]].models.push_back(std::move(made_[i]));
    }
    std::reverse(made_[0].models.begin(), made_[0].models.end());
    return std::move(made_[0]);
  }

  void add_part(const Part& part) {
    poses_.emplace(part.name, &part);
    places_.emplace(part.name, place_of(part.name));
  }
  /// How a part is called in a scope.
  std::string name_in(const std::string& scope, const std::string& part) const {
    if (part.empty()) return kReserved;
    const std::string path = places_.at(part).path();
    return scope.empty() ? path : path.substr(scope.size() + 2);
  }
  bool is_below(const std::string& scope, const std::string& part) const {
    return part.empty() || scope.empty() || places_.at(part).path().starts_with(scope + "::");
  }

  void add_link(const Part& part) {
    const Place& place = places_.at(part.name);
    sdf::Link link;
    link.name = place.name;
    if (const auto joint = leading_.find(part.name); joint != leading_.end())
      link.relative_to = joint->second;
    else
      link.pose = detail::written_pose(inverse(frame_of(place.scope)) * part.pose, part.written);
    set_inertial(part, link);
    SdfNames collisions, visuals;
    for (const Solid& solid : part.collisions) {
      sdf::Collision& to = link.collisions.emplace_back();
      to.name = collisions.add(solid.name.empty() ? "shape" : solid.name);
      to.pose = detail::written_pose(solid.pose, solid.written);
      to.geometry = geometry_of(solid);
      to.friction = solid.friction;
      to.restitution = solid.restitution;
    }
    for (const Solid& solid : part.visuals.empty() && !model_.is_explicit ? part.collisions : part.visuals) {
      sdf::Visual& to = link.visuals.emplace_back();
      to.name = visuals.add(solid.name.empty() ? "shape" : solid.name);
      to.pose = detail::written_pose(solid.pose, solid.written);
      to.geometry = geometry_of(solid);
      if (solid.color || model_.is_explicit) to.color = solid.color;
    }
    scope(place.scope).links.push_back(std::move(link));
  }

  sdf::Geometry geometry_of(const Solid& solid) {
    if (solid.shape.kind == Shape::Kind::cone && reported_.insert(solid.place).second)
      problems_.report(code::kShape, solid.place,
                       fmt::format("the cone {} becomes a cylinder of its volume and length", quoted(solid.name)));
    return sdf_geometry(solid.shape);
  }

  void set_inertial(const Part& part, sdf::Link& link) {
    if (!part.inertial && !model_.is_static) {
      constexpr double kMass = 1e-3, kMoment = 4e-8;  // kg, kg m^2: a ball of 1 cm
      link.inertial = sdf::Inertial{{}, kMass, {kMoment, 0, 0, kMoment, 0, kMoment}};
      problems_.report(code::kLossMass, part.place,
                       fmt::format("the link {} has no mass, which SDF cannot say: it gets 1 g", quoted(part.name)));
    }
    // A link of SDF without an inertial has that of the schema.
    if (!part.inertial || (model_.is_explicit && !part.written_inertial && !part.by_density)) return;
    WrittenInertial written = detail::written_inertial(part);
    const Tensor physical = nearest_physical(written.tensor);
    if (!is_physical(written.tensor) && !(physical == written.tensor)) {
      written.tensor = physical;
      problems_.report(code::kLossInertia, part.place,
                       fmt::format("no solid has the moments of inertia of {}: the largest is more than the sum of the others, "
                                   "which is written in its place",
                                   quoted(part.name)));
    }
    const Tensor& t = written.tensor;
    link.inertial = sdf::Inertial{written.origin, part.inertial->mass, {t.xx, t.xy, t.xz, t.yy, t.yz, t.zz}};
  }

  void add_joint(const Joint& from) {
    if (from.kind == Joint::Kind::floating) return;  // parts that no joint connects are free
    if (from.kind == Joint::Kind::planar) {
      problems_.report(code::kLossJoint, from.place,
                       fmt::format("the planar joint {} is left out, so that {} is free: SDF has none", quoted(from.name),
                                   quoted(from.child)));
      return;
    }
    const auto child = poses_.find(from.child);
    if (child == poses_.end() || (!from.parent.empty() && !poses_.contains(from.parent))) return;
    const Place& place = joint_names_.at(from.name);
    if (!is_below(place.scope, from.parent) || !is_below(place.scope, from.child)) return;
    sdf::Joint joint;
    joint.name = place.name;
    joint.parent = name_in(place.scope, from.parent);
    joint.child = name_in(place.scope, from.child);
    joint.type = type_of(from);
    const Pose X_MJ = place_joint(from, *child->second, joint);
    if (has_axis(from)) {
      set_axis(from, from.written ? from.written->axis : Vec3{}, X_MJ.q, from, joint.axis);
      if (from.first) set_axis(*from.first, from.written ? from.written->first : Vec3{}, X_MJ.q, from, joint.axis2.emplace());
      if (from.first) std::swap(joint.axis, *joint.axis2);
    }
    scope(place.scope).joints.push_back(std::move(joint));
  }
  static bool has_axis(const Joint& joint) {
    return joint.kind == Joint::Kind::revolute || joint.kind == Joint::Kind::prismatic || joint.kind == Joint::Kind::universal;
  }
  static std::string type_of(const Joint& joint) {
    switch (joint.kind) {
      case Joint::Kind::revolute: return !limits_of(joint) && joint.type == "continuous" ? "continuous" : "revolute";
      case Joint::Kind::prismatic: return "prismatic";
      case Joint::Kind::spherical: return "ball";
      case Joint::Kind::universal: return joint.type == "revolute2" ? "revolute2" : "universal";
      default: return "fixed";
    }
  }

  /// Sets the joint's pose. A child whose frame is the joint's is placed by it, as in URDF. @return the joint in the model
  Pose place_joint(const Joint& from, const Part& child, sdf::Joint& to) {
    if (from.written) {
      const Pose origin = detail::pose_of(from.written->origin);
      const Pose X_MJ = (from.written->in_parent && !from.parent.empty() ? poses_.at(from.parent)->pose : child.pose) * origin;
      const bool is_there = from.kind == Joint::Kind::fixed || detail::is_close(X_MJ.p, from.position);
      if (from.written->in_parent && !from.parent.empty() && is_there && detail::is_close(X_MJ, child.pose) &&
          places_.at(child.name).scope == joint_names_.at(from.name).scope && leading_.emplace(child.name, to.name).second) {
        to.pose = from.written->origin;
        to.relative_to = to.parent;
        return child.pose;
      }
      if (!from.written->in_parent && is_there) {
        to.pose = from.written->origin;
        return X_MJ;
      }
    }
    if (from.kind != Joint::Kind::fixed) to.pose.xyz = sdf_vector(inverse(child.pose) * from.position);
    return child.pose;
  }

  void set_axis(const Motion& from, Vec3 written, const geo::Quat& q, const Joint& joint, sdf::Axis& to) {
    const std::string& scope = joint_names_.at(joint.name).scope;
    const geo::Quat q_S = frame_of(scope).q;
    if (joint.written && joint.written->axis_in_model && detail::is_close(geo::normalized(q_S * written), from.axis)) {
      to.expressed_in = "__model__";
      to.xyz = sdf_vector(written);
    } else {
      to.xyz = sdf_vector(detail::written_axis(from.axis, q, written));
    }
    to.lower = from.lower;
    to.upper = from.upper;
    if (model_.is_explicit) {
      to.effort = from.effort;
      to.velocity = from.velocity;
    } else {
      to.effort = from.motor ? from.motor->effort : 0;
      if (from.motor && from.motor->velocity > 0) to.velocity = from.motor->velocity;
    }
    if (from.damping > 0) to.damping = from.damping;
    if (from.friction > 0) to.friction = from.friction;
    if (from.stiffness > 0) {
      to.spring_stiffness = from.stiffness;
      to.spring_reference = from.rest;
    }
    if (from.mimic) set_mimic(*from.mimic, joint, to);
    has_rotor_ |= from.rotor > 0;
    if (from.motor) has_servo_ |= from.motor->mode != Motor::Mode::force;
  }

  void set_mimic(const Mimic& from, const Joint& joint, sdf::Axis& to) {
    const auto leader = joint_names_.find(from.joint);
    const std::string& scope = joint_names_.at(joint.name).scope;
    const std::string path = leader == joint_names_.end() ? "" : leader->second.path();
    if (path.empty() || (!scope.empty() && !path.starts_with(scope + "::"))) {
      problems_.report(
          code::kLossJoint, joint.place,
          fmt::format("the joint {} cannot follow {}, which is not in its model", quoted(joint.name), quoted(from.joint)));
      return;
    }
    to.mimic = sdf::Mimic{scope.empty() ? path : path.substr(scope.size() + 2), from.multiplier, from.offset, from.reference};
  }

  void add_frame(const Frame& from) {
    const auto part = poses_.find(from.part);
    if (part == poses_.end()) return;
    const Place place = place_of(from.name);
    if (!is_below(place.scope, from.part)) return;
    sdf::Frame frame;
    frame.name = place.name;
    frame.attached_to = name_in(place.scope, from.part);
    if (!from.is_in_part) frame.relative_to = "__model__";
    const Pose X_MB = from.is_in_part ? part->second->pose : frame_of(place.scope);
    frame.pose = detail::written_pose(inverse(X_MB) * from.pose, from.written);
    scope(place.scope).frames.push_back(std::move(frame));
  }

  void report_losses() {
    const auto lose = [&](bool has, const char* what) {
      if (has)
        problems_.report(code::kLossMotor, model_.place,
                         fmt::format("SDF has no {}: those of {} are lost", what, quoted(model_.name)));
    };
    lose(has_rotor_, "inertia of rotors");
    lose(has_servo_, "gains and targets of motors");
  }

  const Model& model_;
  Diagnostics& problems_;
  std::vector<sdf::Model> made_{sdf::Model{}};           // of scopes, the model itself first
  std::vector<std::size_t> around_{0};                   // by index: the one around it
  std::map<std::string, std::size_t> indices_{{"", 0}};  // of scopes, by path
  std::map<std::string, SdfNames> names_;                // in use, by scope
  std::set<std::pair<std::string, std::string>> taken_;  // names, with their scopes
  std::map<std::string, std::string> paths_;             // of scopes, by their names in the model
  std::map<std::string, Pose> frames_{{"", Pose{}}};     // of scopes in the model, by path
  std::map<std::string, Place> places_, joint_names_;    // of parts and joints, by their names in the model
  std::map<std::string, const Part*> poses_;
  std::map<std::string, std::string> leading_;  // joints that place a part, by part
  std::set<Position> reported_;
  bool has_rotor_ = false, has_servo_ = false;
};

}  // namespace

sdf::Model to_sdf(const Model& model, Diagnostics& problems) { return SdfMaker(model, problems).make(); }

sdf::World to_sdf(const World& world, Diagnostics& problems) {
  sdf::World out;
  SdfNames names;
  (void)names.add(kReserved);
  out.name = world.name.empty() || world.name == kReserved ? std::string("world_of_models") : names.add(world.name);
  out.gravity = sdf_vector(world.gravity);
  out.step = world.step;
  out.geographic = world.geographic;
  if (world.has_frames) problems.report(code::kLossFrame, {}, "the frames of the world, outside of its models, are lost");
  SdfNames models;
  (void)models.add(kReserved);
  for (const Model& model : world.models) {
    out.models.push_back(to_sdf(model, problems));
    out.models.back().name = models.add(model.name);
  }
  return out;
}

}  // namespace simbatch::robots
