#include "lib/robots/to_autosim.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "base/geo/frames.hpp"
#include "base/geo/geo.hpp"
#include "lib/robots/codes.hpp"
#include "lib/robots/merge.hpp"
#include "lib/robots/shapes.hpp"

namespace simbatch::robots {
namespace {

using detail::up_vector;
using detail::vector_of;

constexpr const char* kWorldPart = "world";  // parent of joints that connect to the world
constexpr double kAssumedDensity = 1000;     // kg/m^3, of links without mass
constexpr double kAssumedMass = 1;           // kg, where a shape has no volume
constexpr double kLargestForce = 1e9;        // N or N m: means "no limit" in many files
constexpr double kGhostRadius = 0.001;       // m: size of a part without a shape that must have one

/// Joints as edges: whether they form a single tree that can be an articulation, and its root.
struct Tree {
  bool is_tree = false;
  std::size_t root = 0;
};

Tree tree_of(const Model& model) {
  std::vector<std::size_t> group(model.parts.size());
  for (std::size_t i = 0; i < group.size(); ++i) group[i] = i;
  const auto find = [&](std::size_t i) {
    while (group[i] != i) i = group[i] = group[group[i]];
    return i;
  };
  std::map<std::string, std::size_t> index;
  for (std::size_t i = 0; i < model.parts.size(); ++i) index.emplace(model.parts[i].name, i);
  std::size_t joined = 0;
  std::vector<bool> is_child(model.parts.size(), false);
  for (const Joint& joint : model.joints) {
    if (joint.kind == Joint::Kind::spherical) return {};
    const auto a = index.find(joint.parent), b = index.find(joint.child);
    if (a == index.end() || b == index.end()) return {};
    is_child[b->second] = true;
    const std::size_t ga = find(a->second), gb = find(b->second);
    if (ga == gb) return {};
    group[gb] = ga;
    ++joined;
  }
  if (joined + 1 != model.parts.size()) return {};
  for (std::size_t i = 0; i < is_child.size(); ++i)
    if (!is_child[i]) return {true, i};
  return {};
}

class RobotMaker {
 public:
  RobotMaker(Model model, const MeshFinder& find_mesh, Diagnostics& problems)
      : model_(std::move(model)), find_mesh_(find_mesh), problems_(problems) {}

  AutosimRobot make() {
    report_joints();
    const std::set<std::string> fixed = take_world_joints();
    for (const Part& part : model_.parts) names_.emplace(part.name, taken_.add(part.name));
    const Tree tree = tree_of(model_);
    const bool one_fixed = fixed.size() == 1 && tree.is_tree && fixed.contains(model_.parts[tree.root].name);
    const bool articulated = tree.is_tree && (fixed.empty() || one_fixed) &&
                             (model_.parts.size() > 1 || (fixed.empty() && is_ghost(model_.parts.front())));
    out_.robot.name = taken_of_robot_.add(model_.name);
    out_.robot.place.at = model_.place;
    if (articulated) {
      autosim::Articulation& articulation = out_.robot.articulation.emplace();
      articulation.place.at = model_.place;
      articulation.base = name_of(model_.parts[tree.root].name);
      articulation.fixed = one_fixed;
      articulation.self_collision = model_.self_collision;
    } else {
      for (const std::string& name : fixed) out_.fixed.push_back(name_of(name));
    }
    for (const Part& part : model_.parts) add_body(part, fixed.contains(part.name), articulated);
    for (const Joint& joint : model_.joints) add_link(joint);
    return std::move(out_);
  }

 private:
  void report(const Joint& joint, const Code& code, std::string message) {
    if (joint.file.empty()) return problems_.report(code, joint.place, std::move(message));
    problems_.report_in(joint.file, code, joint.place, std::move(message));
  }
  void report_joints() {
    for (Joint& joint : model_.joints) {
      if (joint.mimic)
        report(joint, code::kMimic,
               fmt::format("the joint {} should follow {}; it moves by itself, set its motor from a program",
                           quoted(joint.name), quoted(joint.mimic->joint)));
      if (joint.kind != Joint::Kind::floating && joint.kind != Joint::Kind::planar) continue;
      report(joint, code::kJoint,
             fmt::format("the joint {} is {}; simulated are fixed, revolute, continuous, prismatic and spherical ones",
                         quoted(joint.name), joint.kind == Joint::Kind::planar ? "planar" : "floating"));
      joint.kind = Joint::Kind::fixed;
    }
  }

  static bool is_ghost(const Part& part) { return part.collisions.empty(); }
  const std::string& name_of(const std::string& part) const { return names_.at(part); }

  /// Fixed joints to the world become fixed parts; for other joints, a part represents the world.
  std::set<std::string> take_world_joints() {
    std::set<std::string> fixed;
    bool needs_world = false;
    std::vector<Joint> rest;
    for (Joint& joint : model_.joints) {
      if (joint.kind == Joint::Kind::fixed) {
        fixed.insert(joint.child);
        continue;
      }
      if (joint.parent.empty()) {
        joint.parent = kWorldPart;
        needs_world = true;
      }
      rest.push_back(std::move(joint));
    }
    model_.joints = std::move(rest);
    if (needs_world && !part_index(model_, kWorldPart)) {
      Part world;
      world.name = kWorldPart;
      world.place = model_.place;
      world.inertial = Inertial{1, {}, {1, 1, 1, 0, 0, 0}};
      model_.parts.insert(model_.parts.begin(), std::move(world));
    }
    if (needs_world) fixed.insert(kWorldPart);
    return fixed;
  }

  void add_body(const Part& part, bool is_fixed, bool articulated) {
    autosim::Body body;
    body.name = name_of(part.name);
    body.place.at = part.place;
    body.position = up_vector(part.pose.p);
    body.rotation = degrees_of(geo::swap_up(part.pose.q));
    body.is_compound = true;
    for (const Solid& solid : part.collisions) add_geometry(solid, body);
    if (body.geometries.empty() && !articulated) {
      autosim::Geometry ghost;
      ghost.name = taken_.add(part.name + "_point");
      ghost.shape.kind = autosim::Shape::Kind::sphere;
      ghost.shape.radius = kGhostRadius;
      if (part.inertial) ghost.position = up_vector(part.inertial->center);
      body.geometries.push_back(std::move(ghost));
      if (!is_fixed)
        problems_.report(code::kShape, part.place,
                         fmt::format("the link {} has no collision shape: it collides as a ball of 1 mm", quoted(part.name)));
    }
    set_mass(part, is_fixed, body);
    for (const Solid& solid : part.collisions) {
      if (solid.friction && !body.friction) body.friction = solid.friction;
      if (solid.restitution && !body.restitution) body.restitution = std::min(*solid.restitution, 1.0);
    }
    out_.robot.bodies.push_back(std::move(body));
  }

  void add_geometry(const Solid& solid, autosim::Body& body) {
    const auto placed = detail::placed(solid, find_mesh_, problems_);
    if (!placed) return;
    autosim::Geometry geometry;
    geometry.name = taken_.add(body.name + "_" + (solid.name.empty() ? "shape" : solid.name));
    geometry.place.at = solid.place;
    geometry.shape = placed->shape;
    geometry.position = vector_of(placed->position);
    geometry.rotation = degrees_of(placed->rotation);
    if (solid.color) geometry.color = rgb_of(*solid.color);
    body.geometries.push_back(std::move(geometry));
  }

  /// Masses of the geometries from their densities; false if a volume is unknown.
  bool set_densities(const Part& part, autosim::Body& body) {
    if (!part.by_density || body.geometries.size() != part.collisions.size() || body.geometries.empty()) return false;
    double sum = 0;
    std::vector<double> masses;
    for (const Solid& solid : part.collisions) {
      const auto volume = detail::volume_of(solid.shape);
      if (!volume && !(solid.mass > 0)) return false;
      masses.push_back(solid.mass > 0 ? solid.mass : (solid.density > 0 ? solid.density : kAssumedDensity) * *volume);
      sum += masses.back();
    }
    if (!std::isfinite(sum)) return false;
    for (std::size_t i = 0; i < masses.size(); ++i) body.geometries[i].mass = masses[i];
    body.mass = sum;
    return true;
  }

  void set_mass(const Part& part, bool is_fixed, autosim::Body& body) {
    // The sum of merged masses may be too large for a number.
    if (!part.inertial || !std::isfinite(part.inertial->mass) || !geo::is_finite(part.inertial->center)) {
      if (set_densities(part, body)) return;
      assume_mass(part, is_fixed, body);
      return;
    }
    body.mass = part.inertial->mass;
    body.center_of_mass = up_vector(part.inertial->center);
    const Tensor& t = part.inertial->tensor;
    if (is_physical(t)) {
      set_inertia(t, body);
      return;
    }
    if (!is_fixed)
      problems_.report(code::kInertia, part.place,
                       fmt::format("no solid has the moments and products of inertia of {}; {} is used", quoted(part.name),
                                   body.geometries.empty() ? "that of a ball of 10 cm" : "that of its shapes"));
    if (body.geometries.empty()) set_ball_inertia(body);
  }

  void set_inertia(const Tensor& t, autosim::Body& body) {
    body.inertia = autosim::Vector3{t.xx, t.zz, t.yy};
    body.inertia_products = {t.xz + 0.0, t.xy + 0.0, t.yz + 0.0};
  }
  void set_ball_inertia(autosim::Body& body) {
    const double moment = 0.4 * body.mass * 0.1 * 0.1;
    body.inertia = autosim::Vector3{moment, moment, moment};
    if (!body.center_of_mass) body.center_of_mass = autosim::Vector3{};
  }

  void assume_mass(const Part& part, bool is_fixed, autosim::Body& body) {
    double mass = 0;
    for (const Solid& solid : part.collisions)
      if (const auto volume = detail::volume_of(solid.shape)) mass += kAssumedDensity * *volume;
    const bool by_volume = mass > 0 && std::isfinite(mass);
    body.mass = by_volume ? mass : kAssumedMass;
    if (body.geometries.empty()) set_ball_inertia(body);
    if (!is_fixed)
      problems_.report(code::kMass, part.place,
                       fmt::format("the link {} has no mass; {:.6g} kg {} assumed", quoted(part.name), body.mass,
                                   by_volume ? "by the volume of its shapes, as of water, are" : "are"));
  }

  void add_link(const Joint& joint) {
    autosim::Link link;
    link.name = taken_.add(joint.name);
    link.place.at = joint.place;
    link.parent = name_of(joint.parent);
    link.child = name_of(joint.child);
    link.position = up_vector(joint.position);
    if (joint.kind == Joint::Kind::spherical) {
      out_.robot.links.push_back(std::move(link));
      return;
    }
    const bool turns = joint.kind == Joint::Kind::revolute;
    link.kind = turns ? autosim::Link::Kind::revolute : autosim::Link::Kind::prismatic;
    // Swapping two axes reverses the sense of rotations.
    link.axis = up_vector((turns ? -1.0 : 1.0) * joint.axis);
    const auto unit = [&](double value) { return turns ? geo::degrees(value) : value; };
    if (const auto limits = limits_of(joint)) {
      const auto [lower, upper] = *limits;
      link.limits = autosim::Limits{unit(lower), unit(upper)};
      if (lower > 1e-9 || upper < -1e-9)
        problems_.report(
            code::kStart, joint.place,
            fmt::format("the joint {} starts at 0, outside of its limits {:.6g} and {:.6g}: it is pushed into them",
                        quoted(joint.name), lower, upper));
    }
    if (joint.damping > 0 || joint.stiffness > 0)
      link.spring = autosim::LinkSpring{joint.stiffness, joint.damping, joint.stiffness > 0 ? unit(joint.rest) : 0};
    if (joint.friction > 0) link.friction = joint.friction;
    if (joint.motor) link.motor = motor_of(*joint.motor, joint, turns);
    out_.robot.links.push_back(std::move(link));
  }

  static std::array<float, 3> rgb_of(const std::array<double, 4>& color) {
    return {static_cast<float>(color[0]), static_cast<float>(color[1]), static_cast<float>(color[2])};
  }

  static autosim::LinkMotor motor_of(const Motor& from, const Joint& joint, bool turns) {
    autosim::LinkMotor motor;
    const auto unit = [&](double value) { return turns ? geo::degrees(value) : value; };
    motor.mode = from.mode == Motor::Mode::force      ? autosim::LinkMotor::Mode::force
                 : from.mode == Motor::Mode::position ? autosim::LinkMotor::Mode::position
                                                      : autosim::LinkMotor::Mode::speed;
    motor.target = from.mode == Motor::Mode::force ? from.target : unit(from.target);
    if (from.mode == Motor::Mode::position) motor.stiffness = from.stiffness;
    if (from.mode != Motor::Mode::force) motor.damping = from.damping;
    motor.max_force = std::min(from.effort, kLargestForce);
    if (from.velocity > 0 && from.velocity < kLargestForce) motor.max_speed = unit(from.velocity);
    if (joint.rotor > 0) motor.rotor = joint.rotor;
    return motor;
  }

  Model model_;
  const MeshFinder& find_mesh_;
  Diagnostics& problems_;
  AutosimRobot out_;
  UsedNames taken_, taken_of_robot_;
  std::map<std::string, std::string> names_;  // names of parts: in the file, and made valid
};

}  // namespace

AutosimRobot to_autosim(const Model& model, const MeshFinder& find_mesh, Diagnostics& problems) {
  return RobotMaker(merge_fixed(without_universals(model), problems), find_mesh, problems).make();
}

}  // namespace simbatch::robots
