// A joint's place, axis and range refer to qpos0, the pose of the file: ranges and rest positions are relative to `ref` ("XML
// reference", body/joint). The joints of a body act in sequence, each on all that follow.

#include "lib/robots/from_mjcf.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <set>

#include "lib/robots/codes.hpp"

namespace simbatch::robots {
namespace {

constexpr double kCrossShare = 1e-3, kCrossMass = 1e-3,
                 kCrossRadius = 0.01;  // of parts between joints: share of the body's mass; kg; m

bool has_joints(const mjcf::Body& body) {
  return !body.joints.empty() || std::any_of(body.bodies.begin(), body.bodies.end(), has_joints);
}
bool has_several(const mjcf::Body& body) {
  return body.joints.size() > 1 || std::any_of(body.bodies.begin(), body.bodies.end(), has_several);
}

/// Smallest and largest corner of a mesh's points.
std::pair<Vec3, Vec3> corners_of(const mjcf::Mesh& mesh) {
  Vec3 low = mesh.points.front(), high = low;
  for (const Vec3 p : mesh.points) {
    low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
    high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
  }
  return {low, high};
}

class MjcfConverter {
 public:
  MjcfConverter(const mjcf::Model& model, const MeshMeasure& measure, Diagnostics& problems)
      : from_(model), measure_(measure), problems_(problems) {
    for (const mjcf::Actuator& actuator : model.actuators) {
      if (actuators_.try_emplace(actuator.joint, &actuator).second) continue;
      report(code::kMotor, actuator.place,
             fmt::format("the joint {} has a motor already; that of {} is left out", quoted(actuator.joint),
                         quoted(actuator.name)));
    }
  }

  World convert() {
    world_.name = from_.name;
    world_.gravity = from_.gravity;
    world_.step = from_.step;
    for (const mjcf::Geom& geom : from_.world.geoms) add_fixture(geom);
    for (const mjcf::Body& body : from_.world.bodies) add_model(body);
    set_total_mass();
    return std::move(world_);
  }

 private:
  /// Reports once per position: replicas have the position of the element that they are made from.
  void report(const Code& code, const mjcf::Place& place, std::string message) {
    if (!reported_.emplace(place.file, place.at).second) return;
    problems_.report_in(place.file, code, place.at, std::move(message));
  }

  void add_fixture(const mjcf::Geom& geom) {
    if (!geom.collides) return;
    Model model;
    model.name = geom.name.empty() ? "geom" : geom.name;
    model.place = geom.place.at;
    model.file = geom.place.file;
    model.is_static = true;
    Part part;
    part.name = model.name;
    part.place = geom.place.at;
    if (auto solid = solid_of(geom)) part.collisions.push_back(std::move(*solid));
    model.parts.push_back(std::move(part));
    world_.models.push_back(std::move(model));
  }

  void add_model(const mjcf::Body& body) {
    Model model;
    model.name = body.name.empty() ? "body" : body.name;
    model.place = body.place.at;
    model.file = body.place.file;
    model.pose = body.pose;
    model.is_static = !has_joints(body);
    model.self_collision = !has_several(body);
    names_ = {};
    counted_ = 0;
    model_ = &model;
    add_body(body, "", {}, true);
    world_.models.push_back(std::move(model));
  }

  std::string unique(const std::string& name, const std::string& otherwise) {
    std::string made = name.empty() ? otherwise : name;
    if (made.empty()) made = fmt::format("body_{}", ++counted_);
    while (!names_.insert(made).second) made = fmt::format("{}_{}", name.empty() ? "body" : name, ++counted_);
    return made;
  }

  /// @param parent  name of the part that it is attached to; empty: the world
  /// @return mass, center and tensor of the body with all its descendants, in the model
  std::optional<Inertial> add_body(const mjcf::Body& body, const std::string& parent, const Pose& X_MB, bool is_root) {
    Part part;
    part.name = unique(body.name, "");
    part.place = body.place.at;
    part.pose = X_MB;
    part.inertial = detail::inertial_of(body, from_, measure_);
    for (const mjcf::Geom& geom : body.geoms)
      if (auto solid = solid_of(geom)) (geom.collides ? part.collisions : part.visuals).push_back(std::move(*solid));
    const std::string name = part.name;
    const double mass = part.inertial ? part.inertial->mass : 0;
    std::optional<Inertial> whole;
    if (part.inertial) whole = moved(*part.inertial, X_MB);
    model_->parts.push_back(std::move(part));
    if (body.joints.empty() && !(is_root && model_->is_static)) fix(body, parent, name);
    const std::size_t first = model_->joints.size();
    add_joints(body, parent, name, mass, X_MB);
    for (const mjcf::Body& inner : body.bodies)
      if (const auto more = add_body(inner, name, X_MB * inner.pose, false)) whole = whole ? combined(*whole, *more) : more;
    for (std::size_t i = 0; i < body.joints.size(); ++i)
      if (body.joints[i].spring_damper) set_spring(body.joints[i], whole, model_->joints[first + i]);
    return whole;
  }

  void fix(const mjcf::Body& body, const std::string& parent, const std::string& child) {
    Joint joint;
    joint.name = unique(child + "_fixed", "");
    joint.place = body.place.at;
    joint.parent = parent;
    joint.child = child;
    model_->joints.push_back(std::move(joint));
  }

  void add_joints(const mjcf::Body& body, std::string parent, const std::string& child, double mass, const Pose& X_MB) {
    for (std::size_t i = 0; i < body.joints.size(); ++i) {
      const mjcf::Joint& from = body.joints[i];
      if (from.kind == mjcf::Joint::Kind::free) continue;
      Joint joint;
      joint.name = unique(from.name, child + "_joint");
      joint.place = from.place.at;
      joint.parent = parent;
      joint.child = i + 1 == body.joints.size() ? child : unique(fmt::format("{}_{}", child, i + 1), "");
      joint.position = X_MB * from.position;
      joint.kind = from.kind == mjcf::Joint::Kind::ball    ? Joint::Kind::spherical
                   : from.kind == mjcf::Joint::Kind::slide ? Joint::Kind::prismatic
                                                           : Joint::Kind::revolute;
      if (joint.kind != Joint::Kind::spherical) set_motion(from, X_MB, joint);
      if (joint.child != child) add_cross(joint, mass);
      parent = joint.child;
      model_->joints.push_back(std::move(joint));
    }
  }

  void add_cross(const Joint& joint, double mass) {
    Part cross;
    cross.name = joint.child;
    cross.place = joint.place;
    cross.pose.p = joint.position;
    const double own = mass > 0 ? kCrossShare * mass : kCrossMass;
    const double moment = 0.4 * own * kCrossRadius * kCrossRadius;
    cross.inertial = Inertial{own, {}, {moment, moment, moment, 0, 0, 0}};
    model_->parts.push_back(std::move(cross));
  }

  void set_motion(const mjcf::Joint& from, const Pose& X_MB, Joint& joint) {
    joint.axis = geo::normalized(X_MB.q * from.axis);
    if (from.range) {
      joint.lower = (*from.range)[0] - from.reference;
      joint.upper = (*from.range)[1] - from.reference;
    }
    joint.damping = from.damping;
    joint.friction = from.friction;
    joint.stiffness = from.stiffness;
    joint.rest = from.spring_reference - from.reference;
    joint.rotor = from.armature;
    if (const auto found = actuators_.find(from.name); found != actuators_.end() && !from.name.empty()) {
      joint.motor = motor_of(*found->second, from);
      if (joint.motor && !is_finite(*joint.motor)) {
        joint.motor.reset();
        report(code::kMotor, found->second->place,
               fmt::format("the gains of {} times its gear are too large for a number; it is left out",
                           quoted(found->second->joint)));
      }
    }
    if (!joint.motor && joint.rotor > 0) joint.motor = Motor{Motor::Mode::force, kUnlimited, 0, 0, {}, 0};
  }

  static bool is_finite(const Motor& motor) {
    return std::isfinite(motor.effort) && std::isfinite(motor.stiffness) && std::isfinite(motor.damping.value_or(0)) &&
           std::isfinite(motor.target);
  }

  static std::optional<Motor> motor_of(const mjcf::Actuator& from, const mjcf::Joint& joint) {
    using Kind = mjcf::Actuator::Kind;
    const auto largest = [](const std::array<double, 2>& range) { return std::max(std::abs(range[0]), std::abs(range[1])); };
    const double gear = std::abs(from.gear);
    if (gear == 0 || from.gain == 0) return std::nullopt;
    Motor motor;
    motor.effort = kUnlimited;
    if (from.force_range) motor.effort = std::min(motor.effort, gear * largest(*from.force_range));
    if (joint.largest_force) motor.effort = std::min(motor.effort, *joint.largest_force);
    double control = 0;  // MuJoCo starts with 0, clamped to the range
    if (from.control_range) control = std::clamp(control, (*from.control_range)[0], (*from.control_range)[1]);
    if (from.kind == Kind::motor) {
      if (from.control_range) motor.effort = std::min(motor.effort, gear * std::abs(from.gain) * largest(*from.control_range));
      motor.target = from.gear * from.gain * control;
    } else if (from.kind == Kind::position) {
      motor.mode = Motor::Mode::position;
      motor.stiffness = from.gain * gear * gear;
      if (from.damping) motor.damping = *from.damping * gear * gear;
      motor.target = control / from.gear - joint.reference;
    } else {
      motor.mode = Motor::Mode::speed;
      motor.damping = from.gain * gear * gear;
      motor.target = control / from.gear;
    }
    return motor.effort > 0 ? std::optional(motor) : std::nullopt;
  }

  /// Stiffness and damping that give a joint its time constant with the inertia it carries: k = I / (t^2 d^2), c = 2 I / t.
  void set_spring(const mjcf::Joint& from, const std::optional<Inertial>& carried, Joint& joint) {
    double inertia = from.armature;
    if (carried) {
      const Vec3 a = joint.axis;
      const Tensor t = carried->tensor + of_point(carried->mass, carried->center - joint.position);
      inertia += joint.kind == Joint::Kind::prismatic
                     ? carried->mass
                     : a.x * (t.xx * a.x + t.xy * a.y + t.xz * a.z) + a.y * (t.xy * a.x + t.yy * a.y + t.yz * a.z) +
                           a.z * (t.xz * a.x + t.yz * a.y + t.zz * a.z);
    }
    const auto [time, ratio] = *from.spring_damper;
    joint.stiffness = inertia / (time * time * ratio * ratio);
    joint.damping = 2 * inertia / time;
    if (std::isfinite(joint.stiffness) && std::isfinite(joint.damping)) return;
    joint.stiffness = joint.damping = 0;
    report(code::kJoint, from.place,
           fmt::format("the joint {} has a springdamper that is too stiff for a number", quoted(from.name)));
  }

  std::optional<Solid> solid_of(const mjcf::Geom& geom) {
    using Kind = mjcf::Geom::Kind;
    Solid solid;
    solid.name = geom.name;
    solid.place = geom.place.at;
    solid.file = geom.place.file;
    solid.pose = geom.pose;
    solid.color = geom.color;
    solid.friction = geom.friction;
    Shape& shape = solid.shape;
    switch (geom.kind) {
      case Kind::plane: shape = {Shape::Kind::plane, {0, 0, 1}, 0, 0, {}}; break;
      case Kind::sphere: shape = {Shape::Kind::sphere, {}, geom.size.x, 0, {}}; break;
      case Kind::capsule: shape = {Shape::Kind::capsule, {}, geom.size.x, 2 * geom.size.y, {}}; break;
      case Kind::cylinder: shape = {Shape::Kind::cylinder, {}, geom.size.x, 2 * geom.size.y, {}}; break;
      case Kind::ellipsoid: set_ellipsoid(geom.size, geom, shape); break;
      case Kind::box: shape = {Shape::Kind::box, 2.0 * geom.size, 0, 0, {}}; break;
      case Kind::mesh: return set_mesh(geom, solid) ? std::optional(std::move(solid)) : std::nullopt;
    }
    return solid;
  }

  /// A sphere, or a box of the volume and proportions of an ellipsoid.
  void set_ellipsoid(Vec3 radii, const mjcf::Geom& geom, Shape& shape) {
    if (radii.x == radii.y && radii.y == radii.z) {
      shape = {Shape::Kind::sphere, {}, radii.x, 0, {}};
      return;
    }
    shape = {Shape::Kind::box, std::cbrt(4.0 / 3 * std::numbers::pi) * radii, 0, 0, {}};
    if (geom.collides)
      report(code::kShape, geom.place,
             fmt::format("the ellipsoid{} becomes a box of its volume and proportions",
                         geom.name.empty() ? "" : " " + quoted(geom.name)));
  }

  /// False, after a report, for a mesh without a shape.
  bool set_mesh(const mjcf::Geom& geom, Solid& solid) {
    const mjcf::Mesh& mesh = from_.meshes[geom.mesh];
    if (!mesh.file.empty()) {
      solid.shape = {Shape::Kind::mesh, mesh.scale, 0, 0, mesh.file};
      solid.place = mesh.place.at;
      solid.file = mesh.place.file;
    } else if (mesh.is_round) {
      set_ellipsoid({std::abs(mesh.scale.x), std::abs(mesh.scale.y), std::abs(mesh.scale.z)}, geom, solid.shape);
    } else if (!mesh.points.empty()) {
      const auto [low, high] = corners_of(mesh);
      if (!(high.x > low.x && high.y > low.y && high.z > low.z)) return false;
      solid.shape = {Shape::Kind::box, high - low, 0, 0, {}};
      solid.pose = geom.pose * Pose{0.5 * (low + high), {}};
      if (geom.collides)
        report(code::kShape, geom.place,
               fmt::format("the points of the mesh {} become the box around them", quoted(mesh.name)));
    } else {
      if (geom.collides)
        report(code::kMesh, geom.place,
               fmt::format("the mesh {} has neither a file nor points; it is left out", quoted(mesh.name)));
      return false;
    }
    return true;
  }

  void set_total_mass() {
    double sum = 0;
    for (const Model& model : world_.models)
      for (const Part& part : model.parts) sum += part.inertial ? part.inertial->mass : 0;
    if (!(from_.settings.total_mass > 0) || !(sum > 0)) return;
    const double f = from_.settings.total_mass / sum;
    for (Model& model : world_.models)
      for (Part& part : model.parts)
        if (part.inertial) part.inertial = detail::scaled(*part.inertial, f);
  }

  const mjcf::Model& from_;
  const MeshMeasure& measure_;
  Diagnostics& problems_;
  World world_;
  Model* model_ = nullptr;  // that is being made
  std::set<std::string> names_;
  std::size_t counted_ = 0;
  std::map<std::string, const mjcf::Actuator*> actuators_;
  std::set<std::pair<std::string, Position>> reported_;
};

}  // namespace

World from_mjcf(const mjcf::Model& model, const MeshMeasure& measure, Diagnostics& problems) {
  return MjcfConverter(model, measure, problems).convert();
}

}  // namespace simbatch::robots
