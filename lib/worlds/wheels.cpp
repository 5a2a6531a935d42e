// A wheel of AutoSim has no mass of its own: the part weighs what the vehicle does. Here the wheels' masses are taken out of the part:
// m c = m' c' + sum m_i c_i, and the same of the tensors, with the parallel axes (Steiner 1840).

#include "lib/worlds/wheels.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <numbers>
#include <optional>
#include <utility>
#include <vector>

#include "base/geo/frames.hpp"
#include "lib/robots/solids.hpp"
#include "lib/robots/to_autosim.hpp"
#include "lib/scenario/drive_limits.hpp"
#include "lib/vehicle/steering.hpp"
#include "lib/worlds/colors.hpp"

namespace simbatch::worlds {
namespace {

using geo::Pose;
using geo::Vec3;
using robots::Inertial;
using robots::Joint;
using robots::Model;
using robots::Part;

constexpr double kShare = 0.015;         // of a part's mass, for a wheel without Inertia: 21 kg of 1400 kg
constexpr double kKnuckleShare = 0.1;    // of its wheel's mass
constexpr double kKnuckleSize = 0.5;     // radius of its ball over that of the wheel
constexpr double kMost = 0.5;            // share of a part's mass for all of its wheels
constexpr double kSteeringEffort = 1e9;  // N m: a drive steers whatever it takes; as for joints without a limit elsewhere
const geo::Quat kAxleAlongX = geo::rotation({0, 1, 0}, std::numbers::pi / 2);

struct Wheel {
  const autosim::Device* device = nullptr;
  const autosim::WheelDevice* from = nullptr;
  const autosim::DriveActuator* drive = nullptr;
  Vec3 hard_point;                    // in the part, AutoSim's axes
  double mass = 0, knuckle_mass = 0;  // kg
};

const autosim::DriveActuator* drive_of(const autosim::Robot& robot, const std::string& part, const std::string& name) {
  for (const autosim::Device& device : robot.devices)
    if (device.part == part && device.name == name) return std::get_if<autosim::DriveActuator>(&device.kind);
  return nullptr;
}

/// In the order of the file, by the index of their part in the model.
std::map<std::size_t, std::vector<Wheel>> wheels_of(const autosim::Robot& robot, const Model& model) {
  std::map<std::size_t, std::vector<Wheel>> all;
  for (const autosim::Device& device : robot.devices) {
    const auto* from = std::get_if<autosim::WheelDevice>(&device.kind);
    const auto part = robots::part_index(model, device.part);
    if (from != nullptr && part)
      all[*part].push_back({&device,
                            from,
                            drive_of(robot, device.part, from->drive_actuator),
                            {from->position.x, from->position.y, from->position.z}});
  }
  return all;
}

/// @param whole  mass of the part with its wheels
void set_masses(double whole, std::vector<Wheel>& wheels) {
  double sum = 0;
  for (Wheel& wheel : wheels) {
    const double radius = wheel.from->radius;
    wheel.mass = wheel.from->inertia > 0 ? 2 * wheel.from->inertia / (radius * radius) : kShare * whole;
    wheel.knuckle_mass = wheel.from->steering ? kKnuckleShare * wheel.mass : 0;
    sum += wheel.mass + wheel.knuckle_mass;
  }
  const double factor = sum > kMost * whole ? kMost * whole / sum : 1;
  for (Wheel& wheel : wheels) {
    wheel.mass *= factor;
    wheel.knuckle_mass *= factor;
  }
}

/// How far the springs give under the part if all give alike, as they do under a center of mass in their middle (m).
double sag_of(double whole, double gravity, const std::vector<Wheel>& wheels) {
  double stiffness = 0;
  for (const Wheel& wheel : wheels)
    stiffness += wheel.from->suspension ? wheel.from->suspension->stiffness : wheel.from->ks * whole;
  return stiffness > 0 ? whole * gravity / stiffness : 0;
}

std::optional<double> friction_of(const autosim::WheelDevice& from) {
  if (!from.tyre) return from.friction;
  return from.tyre->model == autosim::Tyre::Model::linear ? std::nullopt : std::optional(from.tyre->friction);
}

/// Takes bodies out of a whole. @param out  in the frame of the whole
Inertial without(const Inertial& whole, const std::vector<Inertial>& out) {
  Inertial rest = whole;
  Vec3 moment = whole.mass * whole.center;
  for (const Inertial& one : out) {
    rest.mass -= one.mass;
    moment = moment - one.mass * one.center;
  }
  rest.center = (1 / rest.mass) * moment;
  const auto add = [&](const robots::Tensor& t, double sign) {
    rest.tensor = rest.tensor + robots::Tensor{sign * t.xx, sign * t.yy, sign * t.zz, sign * t.xy, sign * t.xz, sign * t.yz};
  };
  for (const Inertial& one : out) add(one.tensor + robots::of_point(one.mass, one.center - whole.center), -1);
  add(robots::of_point(rest.mass, rest.center - whole.center), -1);
  rest.tensor = robots::nearest_physical(rest.tensor);
  // Wheels too far out for the part's tensor: its shape is kept.
  if (!robots::is_physical(rest.tensor)) rest.tensor = robots::detail::scaled(whole, rest.mass / whole.mass).tensor;
  return rest;
}

/// What the wheels of a part have in common.
struct Axles {
  std::size_t part = 0;  // its index in the model
  Pose X_MP;
  double sag = 0;  // m
  bool has_mass = false;
  vehicle::SteeringGeometry geometry;
};

vehicle::SteeringGeometry geometry_of(const std::vector<Wheel>& wheels) {
  std::vector<Vec3> positions;
  const auto steered = std::make_unique<bool[]>(wheels.size());
  for (std::size_t i = 0; i < wheels.size(); ++i) {
    positions.push_back(wheels[i].hard_point);
    steered[i] = wheels[i].from->steering;
  }
  return vehicle::steering_geometry(positions, {steered.get(), wheels.size()});
}

/// The larger angle of a wheel at full steering to either side (rad).
double steering_of(const Wheel& wheel, const vehicle::SteeringGeometry& geometry) {
  const double middle = wheel.drive ? scenario::full_steering(*wheel.drive) : 0;
  const double ackermann = wheel.drive && wheel.drive->steering ? wheel.drive->steering->ackermann : 1;
  double most = 0;
  for (const double side : {-middle, middle})
    most = std::max(most, std::abs(vehicle::wheel_angle(geometry, wheel.hard_point, side, ackermann)));
  return most;
}

class WheelMaker {
 public:
  explicit WheelMaker(Model& model) : model_(model) {
    for (const Part& part : model.parts) (void)names_.add(part.name);
    for (const Joint& joint : model.joints) (void)names_.add(joint.name);
  }

  void add(std::size_t part, double gravity, std::vector<Wheel> wheels) {
    const std::optional<Inertial> whole = model_.parts[part].inertial;
    if (whole) set_masses(whole->mass, wheels);
    const Axles axles{part, model_.parts[part].pose, whole ? sag_of(whole->mass, gravity, wheels) : 0, whole.has_value(),
                      geometry_of(wheels)};
    out_.clear();
    for (const Wheel& wheel : wheels) {
      const double powered = static_cast<double>(std::count_if(
          wheels.begin(), wheels.end(), [&](const Wheel& w) { return w.from->powered && w.drive == wheel.drive; }));
      add(wheel, axles,
          wheel.drive && wheel.from->powered ? scenario::full_force(*wheel.drive, wheel.from->radius, powered) : 0);
    }
    if (whole) model_.parts[part].inertial = without(*whole, out_);
  }

 private:
  /// @param force  the greatest of the drive (N)
  void add(const Wheel& wheel, const Axles& axles, double force) {
    const autosim::WheelDevice& from = *wheel.from;
    const Vec3 center =
        geo::swap_up(wheel.hard_point - Vec3{0, std::max(from.rest_length - axles.sag, 0.0), 0});  // in the part, z up
    std::string parent = model_.parts[axles.part].name;
    const std::string name = names_.add(wheel.device->name);
    if (from.steering) {
      robots::Shape ball;
      ball.kind = robots::Shape::Kind::sphere;
      ball.radius = kKnuckleSize * from.radius;
      const std::string knuckle = add_part(wheel, axles, names_.add(name + "_knuckle"), center, ball, wheel.knuckle_mass).name;
      Joint& joint = add_joint(wheel, axles, names_.add(name + "_steering"), center, {0, 0, 1});
      joint.parent = std::exchange(parent, knuckle);
      joint.child = knuckle;
      joint.upper = steering_of(wheel, axles.geometry);
      joint.lower = -*joint.upper;
      joint.motor = robots::Motor{.effort = kSteeringEffort};
    }
    robots::Shape disk;
    disk.kind = robots::Shape::Kind::cylinder;
    disk.radius = from.radius;
    disk.length = from.width;
    Part& part = add_part(wheel, axles, name, center, disk, wheel.mass);
    robots::Solid& solid = part.collisions.emplace_back();
    solid.name = "shape";
    solid.place = part.place;
    solid.pose.q = kAxleAlongX;
    solid.shape = disk;
    solid.color = BodyColors::tire();
    solid.friction = friction_of(from);
    Joint& joint = add_joint(wheel, axles, names_.add(name + "_axle"), center, {-1, 0, 0});
    joint.parent = parent;
    joint.child = name;
    joint.type = "continuous";
    if (force > 0) joint.motor = robots::Motor{.effort = force * from.radius};
  }

  /// With the mass of a shape whose axis is the axle's.
  Part& add_part(const Wheel& wheel, const Axles& axles, const std::string& name, Vec3 center, const robots::Shape& shape,
                 double mass) {
    Part& part = model_.parts.emplace_back();
    part.name = name;
    part.place = wheel.device->place.at;
    part.pose = axles.X_MP * Pose{center, {}};
    if (!axles.has_mass) return part;
    const Inertial unit = *robots::detail::solid_of(shape);
    Inertial inertial = robots::detail::scaled(unit, mass / unit.mass);
    std::swap(inertial.tensor.xx, inertial.tensor.zz);  // its axis is x
    part.inertial = inertial;
    out_.push_back(robots::moved(*part.inertial, {center, {}}));
    return part;
  }
  Joint& add_joint(const Wheel& wheel, const Axles& axles, const std::string& name, Vec3 center, Vec3 axis) {
    Joint& joint = model_.joints.emplace_back();
    joint.kind = Joint::Kind::revolute;
    joint.name = name;
    joint.place = wheel.device->place.at;
    joint.position = axles.X_MP * center;
    joint.axis = axles.X_MP.q * axis;
    return joint;
  }

  Model& model_;
  robots::UsedNames names_;
  std::vector<Inertial> out_;  // of what was added to a part, in its frame
};

}  // namespace

bool has_self_collision(const autosim::Robot& robot) {
  return robot.articulation ? robot.articulation->self_collision : robot.bodies.size() > 1;
}

void add_wheels(const autosim::Robot& robot, double gravity, robots::Model& model) {
  const auto all = wheels_of(robot, model);
  if (all.empty()) return;
  model.self_collision = false;  // a knuckle is between a steered wheel and the part around it
  WheelMaker maker(model);
  for (const auto& [part, wheels] : all) maker.add(part, gravity, wheels);
}

}  // namespace simbatch::worlds
