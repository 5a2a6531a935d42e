// Frames of URDF: a link's frame is its joint's, so everything given in the part's frame has to be moved (XML specification of
// ROS' package urdf). urdfdom supports neither capsules nor ball joints.

#include "lib/robots/to_urdf.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <set>

#include "base/geo/euler.hpp"
#include "lib/robots/codes.hpp"
#include "lib/robots/shapes.hpp"

namespace simbatch::robots {
namespace {

constexpr double kSpeed = 1e3;       // rad/s or m/s: for a joint without a speed limit
constexpr double kBallShare = 1e-3;  // share of the mass of the link after a ball joint
constexpr const char* kWorld = "world";

urdf::Vector array_of(Vec3 v) { return {v.x + 0.0, v.y + 0.0, v.z + 0.0}; }

/// @param to  what a shape that URDF does not have becomes; empty: nothing, or the same
std::vector<urdf::Shape> urdf_shapes(const Solid& solid, const Pose& X_LP, std::string& to) {
  std::vector<urdf::Shape> all;
  const auto add = [&](urdf::Geometry geometry, const Pose& in_solid) {
    urdf::Shape& shape = all.emplace_back();
    shape.name = solid.name;
    shape.place.at = solid.place;
    shape.origin = detail::written_pose(X_LP * solid.pose * in_solid, solid.written);
    shape.geometry = std::move(geometry);
    shape.color = solid.color;
  };
  const Shape& from = solid.shape;
  const double side = std::cbrt(4.0 / 3 * std::numbers::pi);  // of a cube of the volume of a ball of radius 1
  switch (from.kind) {
    case Shape::Kind::box: add(urdf::Box{array_of(from.size)}, {}); break;
    case Shape::Kind::sphere: add(urdf::Sphere{from.radius}, {}); break;
    case Shape::Kind::cylinder: add(urdf::Cylinder{from.radius, from.length}, {}); break;
    case Shape::Kind::cone:
      add(urdf::Cylinder{from.radius / std::numbers::sqrt3, from.length}, {});
      to = "a cylinder of its volume and length";
      break;
    case Shape::Kind::ellipsoid:
      add(urdf::Box{array_of(side * from.size)}, {});
      to = "a box of its volume and proportions";
      break;
    case Shape::Kind::mesh: add(urdf::Mesh{from.file, array_of(from.size)}, {}); break;
    case Shape::Kind::capsule:
      add(urdf::Cylinder{from.radius, from.length}, {});
      for (const double end : {-0.5, 0.5}) add(urdf::Sphere{from.radius}, {{0, 0, end * from.length}, {}});
      break;
    case Shape::Kind::plane: to = "nothing: URDF has no planes"; break;
  }
  for (std::size_t i = 1; i < all.size(); ++i)
    if (!solid.name.empty()) all[i].name += fmt::format("_{}", i + 1);
  return all;
}

class UrdfMaker {
 public:
  UrdfMaker(Model model, Diagnostics& problems) : model_(std::move(model)), problems_(problems) {}

  urdf::Robot make() {
    out_.name = model_.name;
    for (std::size_t i = 0; i < model_.parts.size(); ++i) index_.emplace(model_.parts[i].name, i);
    frames_.resize(model_.parts.size());
    for (std::size_t i = 0; i < frames_.size(); ++i) frames_[i] = model_.parts[i].pose;
    order_joints();
    for (const Part& part : model_.parts) names_.insert(part.name);
    add_links();
    for (const Joint& joint : joints_) add_joint(joint);
    report_losses();
    return std::move(out_);
  }

 private:
  /// Sorts joints from the root outward and reverses those that point towards it; those that would close a ring are lost.
  /// Frames are set to the places of the joints.
  void order_joints() {
    std::vector<bool> is_child(model_.parts.size(), false);
    std::multimap<std::string, const Joint*> at;  // by either end
    for (const Joint& joint : model_.joints) {
      at.emplace(joint.parent, &joint);
      if (!joint.parent.empty()) at.emplace(joint.child, &joint);
      if (const auto child = index_.find(joint.child); child != index_.end()) is_child[child->second] = true;
    }
    const bool on_world = at.contains("");
    std::vector<std::string> open;
    if (on_world)
      open.emplace_back();
    else
      open.push_back(model_.parts[first_root(is_child)].name);
    std::set<std::string> reached(open.begin(), open.end());
    std::set<const Joint*> used;
    // First in the direction of the joints, then against it.
    for (const bool against : {false, true})
      for (std::size_t i = 0; i < open.size(); ++i) {
        const std::string here = open[i];
        const auto [begin, end] = at.equal_range(here);
        for (auto entry = begin; entry != end; ++entry)
          if ((against || entry->second->parent == here) && used.insert(entry->second).second)
            follow(*entry->second, here, reached, open);
      }
    for (const Part& part : model_.parts)
      if (!reached.contains(part.name)) {
        problems_.report(code::kTree, part.place,
                         fmt::format("no joint leads to the link {} of {}: URDF robots are one tree; SDF holds several models",
                                     quoted(part.name), quoted(model_.name)));
        return;
      }
  }
  /// Takes a joint from an end that was reached to the other one.
  void follow(const Joint& joint, const std::string& here, std::set<std::string>& reached, std::vector<std::string>& open) {
    Joint outward = joint;
    if (joint.parent != here) {
      // From the other side the same motion is the opposite turn or travel.
      std::swap(outward.parent, outward.child);
      outward.axis = -outward.axis;
    }
    if (!index_.contains(outward.child) || !reached.insert(outward.child).second) {
      problems_.report(
          code::kLossJoint, joint.place,
          fmt::format("the joint {} is left out: URDF has no rings, and one joint leads to each link", quoted(joint.name)));
      return;
    }
    open.push_back(outward.child);
    const std::string name = outward.name;
    for (int i = 2; !joint_names_.insert(outward.name).second; ++i) outward.name = fmt::format("{}_{}", name, i);
    Vec3& at = frames_[index_.at(outward.child)].p;
    if (outward.kind != Joint::Kind::fixed && !detail::is_close(at, outward.position)) at = outward.position;
    joints_.push_back(std::move(outward));
  }
  static std::size_t first_root(const std::vector<bool>& is_child) {
    const auto found = std::find(is_child.begin(), is_child.end(), false);
    return found == is_child.end() ? 0 : static_cast<std::size_t>(found - is_child.begin());
  }

  void add_links() {
    const bool needs_world =
        std::any_of(joints_.begin(), joints_.end(), [](const Joint& joint) { return joint.parent.empty(); });
    if (needs_world) out_.links.push_back({unique(kWorld), {}, {}, {}, {}, {}});
    if (needs_world) world_ = out_.links.back().name;
    for (std::size_t i = 0; i < model_.parts.size(); ++i) {
      const Part& part = model_.parts[i];
      urdf::Link link;
      link.name = part.name;
      link.place.at = part.place;
      const Pose X_LP = frames_[i] == part.pose ? Pose{} : inverse(frames_[i]) * part.pose;
      if (part.inertial) link.inertial = inertial_of(part, X_LP);
      for (const Solid& solid : part.collisions) {
        std::vector<urdf::Shape> shapes = shapes_of(solid, X_LP);
        link.collisions.insert(link.collisions.end(), shapes.begin(), shapes.end());
        if (!link.contact.friction) link.contact.friction = solid.friction;
        if (!link.contact.restitution) link.contact.restitution = solid.restitution;
      }
      for (const Solid& solid : part.visuals.empty() && !model_.is_explicit ? part.collisions : part.visuals) {
        std::vector<urdf::Shape> shapes = shapes_of(solid, X_LP);
        link.visuals.insert(link.visuals.end(), shapes.begin(), shapes.end());
      }
      out_.links.push_back(std::move(link));
    }
  }

  static urdf::Inertial inertial_of(const Part& part, const Pose& X_LP) {
    const WrittenInertial written = detail::written_inertial(part);
    const Tensor& t = written.tensor;
    return {detail::written_pose(X_LP * detail::pose_of(written.origin), written.origin),
            part.inertial->mass,
            {t.xx, t.xy, t.xz, t.yy, t.yz, t.zz}};
  }
  std::vector<urdf::Shape> shapes_of(const Solid& solid, const Pose& X_LP) {
    std::string to;
    std::vector<urdf::Shape> shapes = urdf_shapes(solid, X_LP, to);
    if (!to.empty() && reported_.insert(solid.place).second)
      problems_.report(code::kShape, solid.place, fmt::format("the shape {} becomes {}", quoted(solid.name), to));
    return shapes;
  }

  /// Where a link is in its parent, by the numbers of the file if it has the same frames.
  urdf::Pose origin_of(const Joint& from, std::size_t child) const {
    const Pose X_MP = from.parent.empty() ? Pose{} : frames_[index_.at(from.parent)];
    const Pose X_PC = inverse(X_MP) * frames_[child];
    if (from.written && from.written->in_parent) {
      const urdf::Pose written = detail::written_pose(X_PC, from.written->origin);
      if (written == from.written->origin) return written;
    }
    return detail::written_pose(X_PC, X_MP == Pose{} ? model_.parts[child].written : std::nullopt);
  }

  void add_joint(const Joint& from) {
    const std::size_t child = index_.at(from.child);
    if (from.kind == Joint::Kind::spherical) {
      add_ball(from, origin_of(from, child));
      return;
    }
    urdf::Joint joint;
    joint.name = from.name;
    joint.parent = from.parent.empty() ? world_ : from.parent;
    joint.child = from.child;
    joint.origin = origin_of(from, child);
    if (from.kind == Joint::Kind::floating || from.kind == Joint::Kind::planar)
      joint.type = from.kind == Joint::Kind::planar ? "planar" : "floating";
    else if (from.kind != Joint::Kind::fixed)
      set_motion(from, frames_[child].q, joint);
    out_.joints.push_back(std::move(joint));
  }

  void set_motion(const Joint& from, const geo::Quat& q, urdf::Joint& joint) {
    const auto limits = limits_of(from);
    joint.type = from.kind == Joint::Kind::prismatic ? "prismatic" : limits ? "revolute" : "continuous";
    joint.axis = array_of(detail::written_axis(from.axis, q, from.written ? from.written->axis : Vec3{}));
    if (joint.type != "continuous" || !is_unlimited(from)) set_limit(from, limits, joint.limit.emplace());
    if (from.mimic) set_mimic(from, joint);
    if (from.damping > 0) joint.damping = from.damping;
    if (from.friction > 0) joint.friction = from.friction;
    has_spring_ |= from.stiffness > 0;
    has_rotor_ |= from.rotor > 0;
    if (from.motor) has_servo_ |= from.motor->mode != Motor::Mode::force;
  }

  /// Whether a joint without a <limit> says the same.
  static bool is_unlimited(const Joint& from) {
    return !from.effort && !from.velocity && from.motor && from.motor->effort >= kUnlimited && from.motor->velocity <= 0;
  }

  static void set_limit(const Joint& from, const std::optional<std::array<double, 2>>& limits, urdf::Limit& limit) {
    if (limits) {
      limit.lower = (*limits)[0];
      limit.upper = (*limits)[1];
    } else if (from.kind == Joint::Kind::prismatic) {
      limit.lower = -1e4;
      limit.upper = 1e4;
    }
    limit.effort = from.effort ? *from.effort : from.motor ? from.motor->effort : 0;
    limit.velocity = from.velocity ? *from.velocity : from.motor && from.motor->velocity > 0 ? from.motor->velocity : kSpeed;
  }

  void set_mimic(const Joint& from, urdf::Joint& joint) {
    const Mimic& mimic = *from.mimic;
    if (leaders_.empty())
      for (const Joint& one : joints_)
        if (one.kind == Joint::Kind::revolute || one.kind == Joint::Kind::prismatic) leaders_.insert(one.name);
    if (leaders_.contains(mimic.joint))
      joint.mimic = urdf::Mimic{mimic.joint, mimic.multiplier, mimic.offset - mimic.multiplier * mimic.reference};
    else
      problems_.report(code::kLossJoint, from.place,
                       fmt::format("the joint {} cannot follow {} in URDF", quoted(from.name), quoted(mimic.joint)));
  }

  /// Three continuous joints about x, y and z, with small links between them.
  void add_ball(const Joint& from, const urdf::Pose& origin) {
    constexpr Vec3 kAxes[] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const Part& behind = model_.parts[index_.at(from.child)];
    const double mass = kBallShare * (behind.inertial ? behind.inertial->mass : 1);
    std::string parent = from.parent.empty() ? world_ : from.parent;
    for (int i = 0; i < 3; ++i) {
      urdf::Joint joint;
      joint.name = unique(fmt::format("{}_{}", from.name, "xyz"[i]));
      joint.type = "continuous";
      joint.parent = parent;
      if (i == 0) joint.origin = origin;
      joint.axis = array_of(kAxes[i]);
      joint.limit = urdf::Limit{0, 0, 0, kSpeed};
      joint.child = i < 2 ? unique(fmt::format("{}_part_{}", from.name, "xy"[i])) : from.child;
      if (i < 2) {
        const double moment = 0.4 * mass * 1e-4;  // of a ball of 1 cm
        urdf::Link link;
        link.name = joint.child;
        link.inertial = urdf::Inertial{{}, mass, {moment, 0, 0, moment, 0, moment}};
        out_.links.push_back(std::move(link));
      }
      parent = joint.child;
      out_.joints.push_back(std::move(joint));
    }
    problems_.report(code::kLossJoint, from.place,
                     fmt::format("the ball joint {} becomes three joints about x, y and z", quoted(from.name)));
  }

  std::string unique(const std::string& name) {
    std::string made = name;
    for (int i = 2; !names_.insert(made).second; ++i) made = fmt::format("{}_{}", name, i);
    return made;
  }

  void report_losses() {
    const auto lose = [&](bool has, const Code& code, const char* what) {
      if (has)
        problems_.report(code, model_.place, fmt::format("URDF has no {}: those of {} are lost", what, quoted(model_.name)));
    };
    lose(has_spring_, code::kLossJoint, "springs of joints");
    lose(has_rotor_, code::kLossMotor, "inertia of rotors");
    lose(has_servo_, code::kLossMotor, "gains and targets of motors");
    lose(!model_.frames.empty(), code::kLossFrame, "frames beside those of links");
  }

  const Model model_;
  Diagnostics& problems_;
  urdf::Robot out_;
  std::string world_;
  std::map<std::string, std::size_t> index_;
  std::vector<Pose> frames_;   // of the links, in the model
  std::vector<Joint> joints_;  // from the root outward
  std::set<std::string> names_, joint_names_;
  std::set<std::string> leaders_;  // joints that others can follow
  std::set<Position> reported_;    // of shapes
  bool has_spring_ = false, has_rotor_ = false, has_servo_ = false;
};

}  // namespace

urdf::Robot to_urdf(const Model& model, Diagnostics& problems) {
  for (const Joint& joint : model.joints)
    if (joint.kind == Joint::Kind::universal)
      problems.report(code::kLossJoint, joint.place,
                      fmt::format("the joint {} about two axes becomes two joints", quoted(joint.name)));
  return UrdfMaker(without_universals(model), problems).make();
}

}  // namespace simbatch::robots
