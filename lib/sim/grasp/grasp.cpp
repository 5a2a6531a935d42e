// GraspIt! worlds in a simulation: conversion of bodies and robots to the physics, and the controllers of the DOFs. Source of
// the control law F = Kp e - Kd v: GraspIt! user manual, chapter 4; its implicit form as a speed motor is derived in grasp.hpp.
#include "lib/sim/grasp/grasp.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "formats/graspit/robot_class.hpp"
#include "lib/grasp/material.hpp"
#include "lib/sim/device/body_table.hpp"
#include "lib/sim/grasp/range.hpp"

namespace simbatch::sim {
namespace {

using geo::Pose;
using geo::Vec3;
using physics::BodyId;

constexpr std::size_t kContacts = 16;

int material_of(const grasp::GraspBody* body) {
  return body == nullptr ? 0 : grasp::material_index(body->material).value_or(-1) + 1;
}

/// A DOF of a robot and the joints that follow it.
struct DofDrive {
  struct Follower {
    std::size_t link = 0;  // of the articulation
    double factor = 1;
  };
  std::vector<Follower> joints;
  double velocity = 0;    // of autograsp, per second
  double speed_gain = 0;  // Kp / Kd, 1/s
  double min = 0, max = 0;
  double set_point = 0;
  bool waits = true;  // for its joints: not breakaway
  double max_force_revolute = 0, max_force_prismatic = 0;
};

struct RobotDrive {
  physics::ArticulationId articulation{};
  std::vector<DofDrive> dofs;
  std::vector<bool> prismatic;  // by link of the articulation
  std::size_t values = 0;       // place in the tree's bank: set point and value of each DOF
};

class GraspParticipant final : public Participant {
 public:
  GraspParticipant(Simulation& simulation, GraspSettings settings) : simulation_(simulation), settings_(std::move(settings)) {}

  void add_pose(BodyId body, const TreeNode& node) { poses_.push_back({body, node.values_offset()}); }
  void add_robot(RobotDrive robot) { robots_.push_back(std::move(robot)); }
  void set_contacts(const TreeNode& node) { contacts_at_ = node.values_offset(); }

  void start(const Clock&) override { write(); }

  void before_step(const Clock& clock) override {
    physics::World& world = simulation_.world();
    for (RobotDrive& robot : robots_) {
      for (DofDrive& dof : robot.dofs) {
        if (settings_.autograsp && clock.time >= settings_.start && dof.velocity != 0) advance(world, robot, dof, clock.dt);
        const double fastest = 1 / (kSettle * clock.dt);
        for (const DofDrive::Follower& joint : dof.joints) {
          const double error = joint.factor * dof.set_point - world.joint_position(robot.articulation, joint.link);
          const double gain = dof.speed_gain > 0 ? std::min(dof.speed_gain, fastest) : fastest;
          world.set_joint_motor(robot.articulation, joint.link, gain * error,
                                robot.prismatic[joint.link] ? dof.max_force_prismatic : dof.max_force_revolute);
        }
      }
    }
  }

  void after_step(const Clock&) override { write(); }

  void hash_state(StateHash& hash) const override {
    for (const RobotDrive& robot : robots_)
      for (const DofDrive& dof : robot.dofs) hash.add(std::span<const double>(&dof.set_point, 1));
  }

 private:
  struct Shown {
    BodyId body;
    std::size_t offset;
  };

  static void advance(physics::World& world, const RobotDrive& robot, DofDrive& dof, double dt) {
    if (dof.waits) {
      for (const DofDrive::Follower& joint : dof.joints) {
        const double lag = dof.set_point - world.joint_position(robot.articulation, joint.link) / joint.factor;
        const double allowed = robot.prismatic[joint.link] ? kLag / 10 : kLag;
        if (lag * dof.velocity > 0 && std::abs(lag * joint.factor) > allowed) return;
      }
    }
    dof.set_point = std::clamp(dof.set_point + dof.velocity * dt, dof.min, dof.max);
  }

  void write() {
    physics::World& world = simulation_.world();
    const std::span<double> bank = simulation_.tree().bank();
    for (const Shown& shown : poses_) {
      BodyTable::write_pose(bank.subspan(shown.offset, 7), world.pose(shown.body));
    }
    for (const RobotDrive& robot : robots_) {
      std::size_t at = robot.values;
      for (const DofDrive& dof : robot.dofs) {
        bank[at++] = dof.set_point;
        double value = 0;
        if (!dof.joints.empty()) value = world.joint_position(robot.articulation, dof.joints[0].link) / dof.joints[0].factor;
        bank[at++] = value;
      }
    }
    world.contacts(found_);
    std::erase_if(found_, [](const physics::Contact& contact) { return !(contact.impulse > 0); });
    // The strongest contacts, in the world's order.
    std::stable_sort(found_.begin(), found_.end(), [](const auto& a, const auto& b) { return a.impulse > b.impulse; });
    std::span<double> out = bank.subspan(contacts_at_, 1 + 9 * kContacts);
    std::fill(out.begin(), out.end(), 0.0);
    out[0] = static_cast<double>(found_.size());
    for (std::size_t i = 0; i < std::min(found_.size(), kContacts); ++i) {
      const physics::Contact& c = found_[i];
      const double numbers[] = {static_cast<double>(static_cast<std::uint32_t>(c.a)),
                                static_cast<double>(static_cast<std::uint32_t>(c.b)),
                                c.point.x,
                                c.point.y,
                                c.point.z,
                                c.normal.x,
                                c.normal.y,
                                c.normal.z,
                                c.impulse / world.settings().dt};
      std::copy(std::begin(numbers), std::end(numbers), out.begin() + static_cast<std::ptrdiff_t>(1 + 9 * i));
    }
  }

  Simulation& simulation_;
  GraspSettings settings_;
  std::vector<Shown> poses_;
  std::vector<RobotDrive> robots_;
  std::vector<physics::Contact> found_;
  std::size_t contacts_at_ = 0;
};

class Builder {
 public:
  Builder(Simulation& simulation, const grasp::GraspWorld& world, const GraspSettings& settings, Diagnostics& problems)
      : simulation_(simulation),
        world_(world),
        settings_(settings),
        problems_(problems),
        participant_(std::make_unique<GraspParticipant>(simulation, settings)) {}

  void build() {
    for (int a = 1; a <= 7; ++a)
      for (int b = a; b <= 7; ++b)
        simulation_.world().set_pair_friction(a, b, std::max(friction_of(a, b), 1e-6));  // 0 is not allowed there
    if (!settings_.prefix.empty())
      parent_ = simulation_.tree().register_child(std::make_unique<TreeNode>(settings_.prefix, make_type("GraspWorld", {})),
                                                  problems_);
    if (parent_ == nullptr) return;
    for (std::size_t i = 0; i < world_.bodies.size(); ++i) body(i);
    for (std::size_t i = 0; i < world_.robots.size(); ++i) robot(i);
    std::vector<Field> fields{{"count", "1", "", FieldType::integer}};
    for (std::size_t i = 0; i < kContacts; ++i) {
      const std::string n = std::to_string(i);
      fields.push_back({"a" + n, "1", "", FieldType::integer});
      fields.push_back({"b" + n, "1", "", FieldType::integer});
      for (const char* axis : {"x", "y", "z"}) fields.push_back({axis + n, "m", "W"});
      for (const char* axis : {"nx", "ny", "nz"}) fields.push_back({axis + n, "1", "W"});
      fields.push_back({"force" + n, "N", ""});
    }
    if (const TreeNode* node = parent_->register_child(
            std::make_unique<TreeNode>("contacts", make_type("Contacts", std::move(fields))), problems_))
      participant_->set_contacts(*node);
    simulation_.add(std::move(participant_));
  }

 private:
  static double friction_of(int a, int b) {
    static constexpr std::string_view kNames[] = {"frictionless", "glass", "metal", "plastic", "wood", "rubber", "stone"};
    return grasp::pair_friction(kNames[a - 1], kNames[b - 1])->at_rest;
  }

  // Names of the tree have no dots.
  std::string unique(const std::string& file) {
    const std::size_t slash = file.rfind('/');
    std::string name = file.substr(slash == std::string::npos ? 0 : slash + 1);
    name = name.substr(0, name.rfind('.'));
    for (char& c : name)
      if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '_' && c != '-') c = '_';
    if (name.empty()) name = "body";
    std::string result = name;
    // Numbers of a name are assigned in order: those below the last one are in use.
    for (int& i = numbers_[name]; !names_.insert(result).second;) result = name + "_" + std::to_string(++i + 1);
    return result;
  }

  void body(std::size_t i) {
    const grasp::GraspBody* from = world_.bodies[i].get();
    if (from == nullptr || from->mesh.triangles.empty()) return;
    const graspit::WorldBody& entry = world_.model.bodies[i];
    physics::BodySettings body;
    const std::string name = unique(entry.inline_body ? from->name : entry.file);
    body.name = settings_.prefix.empty() ? name : settings_.prefix + "." + name;
    body.pose = from_graspit(grasp::pose_of(entry.transform));
    body.material = material_of(from);
    if (entry.obstacle) {
      body.kind = physics::BodyKind::fixed;
      physics::TriangleMesh mesh;
      for (const auto& p : from->mesh.points) mesh.points.push_back(from_graspit(Vec3{p[0], p[1], p[2]}));
      // The change of frame is a reflection: reversing the winding makes the triangles face outward again.
      for (const auto& t : from->mesh.triangles) mesh.indices.insert(mesh.indices.end(), {t[0], t[2], t[1]});
      body.parts.push_back({std::move(mesh), {}});
      (void)simulation_.world().add_body(std::move(body));
      return;
    }
    body.parts = hulls_of(*from, {});
    if (body.parts.empty()) return;
    body.mass = from->mass;
    body.center_of_mass = from_graspit(from->cog);
    body.inertia = sound_inertia(*from);
    if (!body.inertia && !physics::is_sound(physics::mass_properties(body.parts, body.mass).inertia))
      body.inertia = ball(body.mass);  // flat as paper: the sum of rounding
    const BodyId id = simulation_.world().add_body(std::move(body));
    static const auto kType = make_type("GraspableBody", BodyTable::pose_fields());
    const Source source{settings_.file, entry.place.at};
    if (const TreeNode* node = parent_->register_child(std::make_unique<TreeNode>(name, kType, source), problems_))
      participant_->add_pose(id, *node);
  }

  // Of a ball of 10 mm radius.
  static physics::Inertia ball(double mass) {
    const double moment = 0.4 * mass * 1e-4;
    return {moment, moment, moment, 0, 0, 0};
  }

  physics::LinkBody link_body(const std::string& name, const grasp::GraspBody* from, const Pose& inside) {
    physics::LinkBody body;
    body.name = name;
    body.material = material_of(from);
    if (from != nullptr) {
      const Pose x = from_graspit(inside);
      body.parts = hulls_of(*from, x);
      body.mass = from->mass;
      body.center_of_mass = x * from_graspit(from->cog);
      if (const auto tensor = sound_inertia(*from))
        body.inertia = turned(*tensor, x.q);
      else if (!body.parts.empty() && !physics::is_sound(physics::mass_properties(body.parts, body.mass).inertia))
        body.inertia = ball(body.mass);
    }
    if (body.parts.empty()) {
      // A frame between two joints of a link, or a link without a shape: a small ball of its own.
      body.mass = from != nullptr ? from->mass : 0.005;
      body.center_of_mass = body.center_of_mass.value_or(Vec3{});
      body.inertia = body.inertia.value_or(ball(body.mass));
    }
    return body;
  }

  static physics::Inertia turned(const physics::Inertia& i, const geo::Quat& q) {
    // R I R^T by its action on the axes.
    const auto apply = [&](Vec3 v) {
      const Vec3 u = geo::inverse(q) * v;
      return q * Vec3{i.xx * u.x + i.xy * u.y + i.xz * u.z, i.xy * u.x + i.yy * u.y + i.yz * u.z,
                      i.xz * u.x + i.yz * u.y + i.zz * u.z};
    };
    const Vec3 x = apply({1, 0, 0}), y = apply({0, 1, 0}), z = apply({0, 0, 1});
    return {x.x, y.y, z.z, x.y, x.z, y.z};
  }

  void robot(std::size_t r) {
    const grasp::GraspRobot* from = world_.robots[r].get();
    if (from == nullptr) return;
    const std::string name = unique(from->file);
    const std::string full = settings_.prefix.empty() ? name : settings_.prefix + "." + name;
    TreeNode* node = parent_->register_child(std::make_unique<TreeNode>(name, make_type("GraspRobot", {})), problems_);
    if (node == nullptr) return;
    const std::vector<double>& dofs = world_.dofs[r];
    const auto limits = grasp::dof_limits(from->chains);
    RobotDrive drive;
    drive.dofs.resize(dofs.size());
    std::vector<Field> fields;
    for (std::size_t d = 0; d < dofs.size(); ++d) {
      const graspit::Dof& dof = from->model.dofs[d];
      DofDrive& to = drive.dofs[d];
      const bool length = from->dof_is_length[d];
      to.velocity = graspit::is_hand(from->model.class_name) ? dof.velocity * (length ? 0.001 : 1) : 0;
      to.speed_gain = dof.kd > 0 ? std::clamp(dof.kp / dof.kd, -1e6, 1e6) : 0;
      to.min = std::isfinite(limits[d].min) ? std::min(limits[d].min, limits[d].max) : -1e9;
      to.max = std::isfinite(limits[d].max) ? std::max(limits[d].min, limits[d].max) : 1e9;
      to.set_point = std::clamp(dofs[d], to.min, to.max);
      to.waits = dof.kind != graspit::DofKind::breakaway;
      to.max_force_revolute = std::abs(dof.max_effort) * 1e-9;
      to.max_force_prismatic = std::abs(dof.max_effort) * 1e-6;
      fields.push_back({"set" + std::to_string(d), length ? "m" : "rad", ""});
      fields.push_back({"dof" + std::to_string(d), length ? "m" : "rad", ""});
    }
    physics::ArticulationSettings body;
    body.name = full;
    body.pose = from_graspit(grasp::pose_of(world_.model.robots[r].transform));
    body.base = link_body(full + ".palm", from->palm.get(), {});
    body.group = static_cast<int>(r) + 1000;
    body.self_collision = false;  // links of GraspIt! robots overlap at their joints
    for (std::size_t c = 0; c < from->chains.chains.size(); ++c) chain(*from, c, full, body, drive);
    const TreeNode* values =
        node->register_child(std::make_unique<TreeNode>("dofs", make_type("Dofs", std::move(fields))), problems_);
    if (values == nullptr) return;
    drive.values = values->values_offset();
    std::vector<std::string> shown;
    for (const auto& link : body.links)
      if (!link.body.parts.empty()) shown.push_back(link.body.name);
    drive.articulation = simulation_.world().add_articulation(std::move(body));
    static const auto kType = make_type("GraspLink", BodyTable::pose_fields());
    for (const std::string& link : shown)
      if (const TreeNode* child =
              node->register_child(std::make_unique<TreeNode>(link.substr(full.size() + 1), kType), problems_))
        participant_->add_pose(simulation_.world().find_body(link), *child);
    participant_->add_robot(std::move(drive));
  }

  void chain(const grasp::GraspRobot& from, std::size_t c, const std::string& full, physics::ArticulationSettings& body,
             RobotDrive& drive) {
    const grasp::Chain& chain = from.chains.chains[c];
    int parent = -1;
    Pose tail = chain.base;
    for (std::size_t j = 0; j < chain.joints.size(); ++j) {
      const grasp::Joint& joint = chain.joints[j];
      const grasp::JointParts parts = grasp::joint_parts(joint);
      std::size_t l = 0;
      while (l < chain.links.size() && chain.links[l] != static_cast<std::int64_t>(j)) ++l;
      const bool is_link = l < chain.links.size();
      physics::ArticulatedLink link;
      const std::string name =
          full + ".chain" + std::to_string(c) + (is_link ? "_link" + std::to_string(l) : "_joint" + std::to_string(j));
      link.body = link_body(name, is_link ? from.links[c][l].get() : nullptr, parts.after);
      link.parent = parent;
      link.frame = from_graspit(tail * parts.before);
      link.joint = joint.factor == 0 ? physics::JointKind::fixed
                   : joint.prismatic ? physics::JointKind::prismatic
                                     : physics::JointKind::revolute;
      // z of GraspIt! is y of W; the reflection reverses rotations.
      link.axis = joint.prismatic ? Vec3{0, 1, 0} : Vec3{0, -1, 0};
      link.lower = std::min(joint.min, joint.max);
      link.upper = std::max(joint.min, joint.max);
      if (joint.factor != 0)
        link.position = std::clamp(joint.factor * drive.dofs[joint.dof].set_point, *link.lower, *link.upper);
      if (joint.factor != 0) drive.dofs[joint.dof].joints.push_back({body.links.size(), joint.factor});
      drive.prismatic.push_back(joint.prismatic);
      if (joint.factor == 0) link.lower.reset(), link.upper.reset();
      parent = static_cast<int>(body.links.size());
      body.links.push_back(std::move(link));
      tail = parts.after;
    }
  }

  Simulation& simulation_;
  const grasp::GraspWorld& world_;
  const GraspSettings& settings_;
  Diagnostics& problems_;
  std::unique_ptr<GraspParticipant> participant_;
  TreeNode* parent_ = &simulation_.tree();
  std::set<std::string> names_;
  std::map<std::string, int> numbers_;
};

}  // namespace

void add_grasp_world(Simulation& simulation, const grasp::GraspWorld& world, const GraspSettings& settings,
                     Diagnostics& problems) {
  if (check_range(world, settings.file, problems)) Builder(simulation, world, settings, problems).build();
}

}  // namespace simbatch::sim
