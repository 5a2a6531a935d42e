// Frames: a joint's origin is the child's frame in the parent's at position 0 (XML specification of ROS' package urdf).

#include "lib/robots/from_urdf.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "base/geo/euler.hpp"

namespace simbatch::robots {
namespace {

Vec3 vec_from_urdf(const urdf::Vector& v) { return {v[0], v[1], v[2]}; }
Pose pose_from_urdf(const urdf::Pose& pose) { return {vec_from_urdf(pose.xyz), geo::from_roll_pitch_yaw(pose.rpy)}; }

Shape shape_from_urdf(const urdf::Geometry& geometry) {
  Shape shape;
  if (const auto* box = std::get_if<urdf::Box>(&geometry)) {
    shape.size = vec_from_urdf(box->size);
  } else if (const auto* cylinder = std::get_if<urdf::Cylinder>(&geometry)) {
    shape = {Shape::Kind::cylinder, {}, cylinder->radius, cylinder->length, {}};
  } else if (const auto* capsule = std::get_if<urdf::Capsule>(&geometry)) {
    shape = {Shape::Kind::capsule, {}, capsule->radius, capsule->length, {}};
  } else if (const auto* sphere = std::get_if<urdf::Sphere>(&geometry)) {
    shape = {Shape::Kind::sphere, {}, sphere->radius, 0, {}};
  } else if (const auto* plane = std::get_if<urdf::Plane>(&geometry)) {
    shape = {Shape::Kind::plane, vec_from_urdf(plane->normal), 0, 0, {}};
  } else {
    const auto& mesh = std::get<urdf::Mesh>(geometry);
    shape = {Shape::Kind::mesh, vec_from_urdf(mesh.scale), 0, 0, mesh.file};
  }
  return shape;
}

std::vector<Solid> solids_from_urdf(const std::vector<urdf::Shape>& shapes, const urdf::Contact& contact) {
  std::vector<Solid> solids;
  for (const urdf::Shape& from : shapes) {
    Solid& solid = solids.emplace_back();
    solid.name = from.name;
    solid.place = from.place.at;
    solid.pose = pose_from_urdf(from.origin);
    solid.written = from.origin;
    solid.shape = shape_from_urdf(from.geometry);
    solid.color = from.color;
    solid.friction = contact.friction;
    solid.restitution = contact.restitution;
  }
  return solids;
}

void set_inertial(const urdf::Link& link, Part& part) {
  if (!link.inertial || !(link.inertial->mass > 0)) return;
  const auto& i = link.inertial->inertia;
  part.written_inertial = WrittenInertial{link.inertial->origin, {i[0], i[3], i[5], i[1], i[2], i[4]}};
  part.inertial = moved({link.inertial->mass, {}, part.written_inertial->tensor}, pose_from_urdf(link.inertial->origin));
}

class UrdfConverter {
 public:
  explicit UrdfConverter(const urdf::Robot& robot) : robot_(robot) {}

  Model convert() {
    model_.name = robot_.name;
    model_.is_explicit = true;
    for (const urdf::Joint& joint : robot_.joints) {
      children_[joint.parent].push_back(&joint);
      has_parent_[joint.child] = true;
    }
    for (const urdf::Link& link : robot_.links) links_[link.name] = &link;
    for (const urdf::Link& link : robot_.links)
      if (!has_parent_[link.name]) place(link);
    return std::move(model_);
  }

 private:
  void place(const urdf::Link& root) {
    model_.place = root.place.at;
    struct Open {
      const urdf::Link* link;
      Pose X_ML;
      std::optional<urdf::Pose> written;
    };
    std::vector<Open> open{{&root, Pose{}, urdf::Pose{}}};
    // Links in the order in which the joints lead to them, the root first.
    for (std::size_t i = 0; i < open.size(); ++i) {
      const auto [link, X_ML, written] = open[i];
      Part& part = model_.parts.emplace_back();
      part.name = link->name;
      part.place = link->place.at;
      part.pose = X_ML;
      part.written = written;
      set_inertial(*link, part);
      part.collisions = solids_from_urdf(link->collisions, link->contact);
      part.visuals = solids_from_urdf(link->visuals, link->contact);
      for (const urdf::Joint* joint : children_[link->name]) {
        const Pose X_MJ = X_ML * pose_from_urdf(joint->origin);
        add_joint(*joint, X_MJ);
        open.push_back({links_.at(joint->child), X_MJ, X_ML == Pose{} ? std::optional(joint->origin) : std::nullopt});
      }
    }
    if (root.name == "world" || has_massless_base()) fix(root);
  }

  /// Whether the first part and all parts on fixed joints to it have no mass: it cannot be moved.
  bool has_massless_base() const {
    std::set<std::string> base{model_.parts.front().name};
    // Parts come after those that joints lead to them from.
    for (const Joint& joint : model_.joints)
      if (joint.kind == Joint::Kind::fixed && base.contains(joint.parent)) base.insert(joint.child);
    return std::none_of(model_.parts.begin(), model_.parts.end(),
                        [&](const Part& part) { return part.inertial && base.contains(part.name); });
  }

  void fix(const urdf::Link& root) {
    Joint joint;
    joint.name = "fixed_to_world";
    joint.place = root.place.at;
    joint.child = root.name;
    model_.joints.insert(model_.joints.begin(), joint);
  }

  void add_joint(const urdf::Joint& from, const Pose& X_MJ) {
    Joint joint;
    joint.name = from.name;
    joint.place = from.place.at;
    joint.parent = from.parent;
    joint.child = from.child;
    joint.position = X_MJ.p;
    joint.written = WrittenJoint{true, from.origin, vec_from_urdf(from.axis), {}, false};
    if (from.type == "revolute" || from.type == "continuous") {
      joint.kind = Joint::Kind::revolute;
    } else if (from.type == "prismatic") {
      joint.kind = Joint::Kind::prismatic;
    } else if (from.type == "spherical") {
      joint.kind = Joint::Kind::spherical;
    } else if (from.type == "floating") {
      joint.kind = Joint::Kind::floating;
    } else if (from.type == "planar") {
      joint.kind = Joint::Kind::planar;
    }
    if (from.type == "continuous") joint.type = from.type;
    if (joint.kind == Joint::Kind::revolute || joint.kind == Joint::Kind::prismatic) set_motion(from, X_MJ, joint);
    model_.joints.push_back(std::move(joint));
  }

  void set_motion(const urdf::Joint& from, const Pose& X_MJ, Joint& joint) {
    joint.axis = geo::normalized(X_MJ.q * vec_from_urdf(from.axis));
    joint.damping = std::max(0.0, from.damping.value_or(0));
    joint.friction = std::max(0.0, from.friction.value_or(0));
    if (from.limit) {
      if (from.type != "continuous" && from.limit->lower <= from.limit->upper) {
        joint.lower = from.limit->lower;
        joint.upper = from.limit->upper;
      }
      joint.effort = from.limit->effort;
      joint.velocity = from.limit->velocity;
    }
    if (const double effort = std::min(joint.effort.value_or(kUnlimited), kUnlimited); effort > 0) {
      Motor& motor = joint.motor.emplace();
      motor.effort = effort;
      motor.velocity = std::max(0.0, joint.velocity.value_or(0));
    }
    if (from.mimic) joint.mimic = Mimic{from.mimic->joint, from.mimic->multiplier, from.mimic->offset, 0};
  }

  const urdf::Robot& robot_;
  Model model_;
  std::map<std::string, std::vector<const urdf::Joint*>> children_;
  std::map<std::string, bool> has_parent_;
  std::map<std::string, const urdf::Link*> links_;
};

}  // namespace

Model from_urdf(const urdf::Robot& robot) { return UrdfConverter(robot).convert(); }

}  // namespace simbatch::robots
