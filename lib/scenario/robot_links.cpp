// Links of robots: constraints between bodies, or the joints of an articulation.

#include <cmath>

#include "base/core/number.hpp"
#include "lib/scenario/codes.hpp"
#include "lib/scenario/robot.hpp"

namespace simbatch::scenario::detail {
namespace {

using geo::Pose;
using geo::Vec3;

physics::LinkKind kind_of(const autosim::Link& link) {
  return link.kind == autosim::Link::Kind::revolute    ? physics::LinkKind::revolute
         : link.kind == autosim::Link::Kind::prismatic ? physics::LinkKind::prismatic
                                                       : physics::LinkKind::spherical;
}

/// Degrees to rad for a revolute link; meters unchanged.
double in_si(const autosim::Link& link, double value) {
  return link.kind == autosim::Link::Kind::revolute ? geo::radians(value) : value;
}

physics::JointLoad load_of(const autosim::Link& link) {
  physics::JointLoad load;
  if (link.spring) {
    load.stiffness = link.spring->stiffness;
    load.damping = link.spring->damping;
    load.rest = in_si(link, link.spring->rest);
  }
  load.friction = link.friction.value_or(0);
  if (link.motor) load.rotor = link.motor->rotor.value_or(0);
  return load;
}

std::optional<LinkMotorSettings> motor_of(const autosim::Link& link) {
  if (!link.motor) return std::nullopt;
  const autosim::LinkMotor& from = *link.motor;
  LinkMotorSettings motor;
  motor.mode = from.mode == autosim::LinkMotor::Mode::position ? MotorMode::position
               : from.mode == autosim::LinkMotor::Mode::speed  ? MotorMode::speed
                                                               : MotorMode::force;
  motor.target = motor.mode == MotorMode::force ? from.target : in_si(link, from.target);
  motor.stiffness = from.stiffness.value_or(0);
  motor.damping = from.damping;
  motor.max_force = from.max_force;
  if (from.max_speed) motor.max_speed = in_si(link, *from.max_speed);
  if (link.limits) {
    motor.lower = in_si(link, link.limits->lower);
    motor.upper = in_si(link, link.limits->upper);
  }
  motor.noise = noise_of(from.noise);
  return motor;
}

/// A link's node, and its connection to the joint.
void add_link_node(const Site& site, RobotParts& robot, const autosim::Link& from, const JointRef& joint, DeviceNode& node,
                   const std::optional<LinkMotorSettings>& motor) {
  const physics::LinkKind kind = kind_of(from);
  site.assembly.links->add(joint, kind, node, motor ? &*motor : nullptr);
  if (kind != physics::LinkKind::spherical) robot.links.push_back({from.name, joint, kind, &node});
}

DeviceNode* make_link_node(const Site& site, const RobotParts& robot, const autosim::Link& from,
                           const std::optional<LinkMotorSettings>& motor) {
  const physics::LinkKind kind = kind_of(from);
  const char* type = kind == physics::LinkKind::revolute    ? "RevoluteLink"
                     : kind == physics::LinkKind::prismatic ? "PrismaticLink"
                                                            : "SphericalLink";
  auto node = LinkTable::make_node(from.name, type, kind, Source{robot.file.path, from.place.at}, motor ? &*motor : nullptr);
  DeviceNode* raw = node.get();
  return robot.node->register_child(std::move(node), site.files.problems()) == nullptr ? nullptr : raw;
}

void add_link(const Site& site, RobotParts& robot, const autosim::Link& from, const Pose& X_WR) {
  const PartRef* a = robot.part(from.parent);
  const PartRef* b = robot.part(from.child);
  if (a == nullptr || b == nullptr) return;  // reported where the body is
  if (robot.is_fixed(from.parent) && robot.is_fixed(from.child)) {
    site.files.report(code::kFixed, robot.entry.place.at,
                      "the link " + quoted(from.name) + " of " + quoted(robot.entry.name) + " joins two fixed parts, " +
                          quoted(from.parent) + " and " + quoted(from.child) + "; fix one of them");
    return;
  }
  const auto motor = motor_of(from);
  DeviceNode* node = make_link_node(site, robot, from, motor);
  if (node == nullptr) return;
  physics::LinkSettings link;
  link.kind = kind_of(from);
  link.name = node->name();
  link.a = a->body;
  link.b = b->body;
  link.position = X_WR * vec(from.position);
  link.axis = X_WR.q * vec(from.axis);
  if (from.limits) {
    link.lower = in_si(from, from.limits->lower);
    link.upper = in_si(from, from.limits->upper);
  }
  link.load = load_of(from);
  link.motor = motor.has_value();
  add_link_node(site, robot, from, {site.simulation.world().add_link(std::move(link)), {}, 0, false}, *node, motor);
}

/// Builds an articulation from bodies and links, from the base outward.
class ArticulationBuilder {
 public:
  ArticulationBuilder(const Site& site, RobotParts& robot, const Pose& X_WR, int group, Scene& scene)
      : site_(site), robot_(robot), X_WR_(X_WR), group_(group), scene_(scene) {}

  void build() {
    if (is_too_large() || !find_base() || !check_links()) return;
    const BodyPlan& base = *order_.front().plan;
    settings_.name = robot_.node->name();
    settings_.pose = X_WR_ * base.pose;
    settings_.fixed_base = from_.fixed || robot_.entry.is_fixed;
    settings_.group = group_;
    settings_.self_collision = from_.self_collision;
    if (!add_body(base, settings_.base)) return;
    // Breadth first, links in the order of the file: parents come before their children.
    for (std::size_t i = 0; i < order_.size(); ++i)
      for (const autosim::Link& link : robot_.file.robot.links)
        if (!extend(i, link)) return;
    if (order_.size() != robot_.plans.size()) {
      for (const BodyPlan& plan : robot_.plans)
        if (!is_reached(plan.from->name))
          report(plan.from->place.at, "no chain of links joins " + quoted(plan.from->name) + " with the base " +
                                          quoted(base.from->name) + " of the articulation");
      return;
    }
    finish();
  }

 private:
  struct Placed {
    const BodyPlan* plan;
    const autosim::Link* link;  // towards the base; null: the base
    Pose frame;                 // of the joint, in the robot
    TreeNode* node = nullptr;
  };

  void report(Position at, std::string message) {
    site_.files.report(code::kArticulation, robot_.file.path, at, std::move(message));
  }

  const BodyPlan* plan_of(const std::string& name) const {
    for (const BodyPlan& plan : robot_.plans)
      if (plan.from->name == name) return &plan;
    return nullptr;
  }
  bool is_reached(const std::string& name) const {
    for (const Placed& placed : order_)
      if (placed.plan->from->name == name) return true;
    return false;
  }

  bool is_too_large() {
    constexpr std::size_t kMost = physics::kMaxArticulatedLinks + 1;  // with the base
    if (robot_.plans.size() <= kMost) return false;
    report(robot_.plans[kMost].from->place.at,
           "an articulation has at most " + number_text(kMost) + " bodies, found " + number_text(robot_.plans.size()));
    return true;
  }

  bool find_base() {
    if (robot_.plans.empty()) return false;  // reported where they are
    const BodyPlan* base = from_.base.empty() ? &robot_.plans.front() : plan_of(from_.base);
    if (base == nullptr) return false;
    order_.push_back({base, nullptr, base->pose});
    return true;
  }

  bool check_links() {
    bool good = true;
    for (const autosim::Link& link : robot_.file.robot.links) {
      if (plan_of(link.parent) == nullptr || plan_of(link.child) == nullptr) good = false;  // reported where the body is
      if (link.kind != autosim::Link::Kind::spherical) continue;
      report(link.place.at, "an articulation has revolute and prismatic links only, " + quoted(link.name) + " is spherical");
      good = false;
    }
    for (const BodyPlan& plan : robot_.plans)
      if (fluid_of(*plan.from->fluid).has_added_mass()) {
        report(plan.from->place.at, "a body of an articulation cannot have an AddedMass or AddedInertia, " +
                                        quoted(plan.from->name) + " has: leave them out, or leave out <Articulation>");
        good = false;
      }
    for (const autosim::Device& device : robot_.file.robot.devices)
      if (std::holds_alternative<autosim::DriveActuator>(device.kind)) {
        report(device.place.at,
               "a DriveActuator's vehicle cannot be part of an articulation: leave out <Articulation>, or give " +
                   quoted(device.name) + " a robot of its own");
        good = false;
      }
    return good;
  }

  /// Adds the body at the other end of `link`, if one end is body i and the link is not the one that led there.
  bool extend(std::size_t i, const autosim::Link& link) {
    const std::string& here = order_[i].plan->from->name;
    if ((link.parent != here && link.child != here) || &link == order_[i].link) return true;
    const bool outward = link.parent == here;
    const BodyPlan& next = *plan_of(outward ? link.child : link.parent);
    for (const Placed& placed : order_)
      if (placed.link == &link) return true;
    if (is_reached(next.from->name)) {
      report(link.place.at, "the links form a ring that " + quoted(link.name) +
                                " closes; an articulation is a tree: leave out <Articulation>, or this link");
      return false;
    }
    physics::ArticulatedLink joint;
    const Pose frame{vec(link.position), {}};
    const Pose parent_frame = i == 0 ? order_[0].plan->pose : order_[i].frame;
    joint.parent = static_cast<int>(i) - 1;
    joint.frame = inverse(parent_frame) * frame;
    joint.body_frame = inverse(frame) * next.pose;
    joint.joint = link.kind == autosim::Link::Kind::revolute ? physics::JointKind::revolute : physics::JointKind::prismatic;
    joint.axis = outward ? vec(link.axis) : -vec(link.axis);  // positions are those of the file's child relative to its parent
    if (link.limits) {
      joint.lower = in_si(link, link.limits->lower);
      joint.upper = in_si(link, link.limits->upper);
    }
    joint.load = load_of(link);
    joint.motor = link.motor.has_value();
    if (!add_body(next, joint.body)) return false;
    settings_.links.push_back(std::move(joint));
    order_.push_back({&next, &link, frame});
    order_.back().node = node_;
    return true;
  }

  bool add_body(const BodyPlan& plan, physics::LinkBody& to) {
    node_ = add_body_node(site_, robot_, plan);
    if (node_ == nullptr) return false;
    const autosim::Body& from = *plan.from;
    to.name = node_->name();
    to.parts = plan.parts;
    to.mass = from.mass;
    to.center_of_mass = plan.center_of_mass;
    to.inertia = plan.inertia;
    to.friction = from.friction.value_or(site_.default_friction());
    to.restitution = from.restitution.value_or(site_.file.physics.restitution);
    if (order_.size() == 1 && order_[0].node == nullptr) order_[0].node = node_;
    return true;
  }

  void finish() {
    physics::World& world = site_.simulation.world();
    const physics::ArticulationId id = world.add_articulation(std::move(settings_));
    // Parts in the order of the file, as for other robots.
    for (const BodyPlan& plan : robot_.plans)
      for (std::size_t i = 0; i < order_.size(); ++i)
        if (order_[i].plan == &plan)
          finish_body(site_, robot_, plan, *order_[i].node,
                      i == 0 ? world.articulation_base(id) : world.articulation_link(id, i - 1), group_, scene_);
    for (const autosim::Link& link : robot_.file.robot.links)
      for (std::size_t i = 1; i < order_.size(); ++i)
        if (order_[i].link == &link) {
          const auto motor = motor_of(link);
          if (DeviceNode* node = make_link_node(site_, robot_, link, motor))
            add_link_node(site_, robot_, link, {{}, id, i - 1, order_[i].plan->from->name != link.child}, *node, motor);
        }
  }

  const Site& site_;
  RobotParts& robot_;
  const Pose& X_WR_;
  int group_;
  Scene& scene_;
  const autosim::Articulation& from_ = *robot_.file.robot.articulation;
  physics::ArticulationSettings settings_;
  std::vector<Placed> order_;
  TreeNode* node_ = nullptr;  // of the body that add_body added last
};

}  // namespace

void add_links(const Site& site, RobotParts& robot, const Pose& X_WR) {
  for (const autosim::Link& link : robot.file.robot.links) add_link(site, robot, link, X_WR);
}

void add_articulation(const Site& site, RobotParts& robot, const Pose& X_WR, int group, Scene& scene) {
  ArticulationBuilder(site, robot, X_WR, group, scene).build();
}

}  // namespace simbatch::scenario::detail
