// Robots: bodies, links, devices, controls, in the order of their files (thesis 5.4).

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "base/core/number.hpp"
#include "formats/autosim/build_data.hpp"
#include "lib/scenario/codes.hpp"
#include "lib/scenario/context.hpp"

namespace simbatch::scenario::detail {
namespace {

using geo::Pose;
using geo::Quat;
using geo::Vec3;

template <class... F>
struct Overloaded : F... {
  using F::operator()...;
};
template <class... F>
Overloaded(F...) -> Overloaded<F...>;

// A robot file, read once however many robots use it.
struct RobotFile {
  std::string path;
  autosim::Robot robot;
  bool broken = false;          // had errors: what misses something may only miss what was left out
  std::set<std::string> names;  // of a broken file: of all its blocks, whether they were left out or not
};

void collect_names(const autosim::BuildData& data, std::set<std::string>& names) {
  names.emplace(data.name());
  for (const autosim::BuildData& child : data.children) collect_names(child, names);
}

// One body, ready for the physics but for its place in the world.
struct BodyPlan {
  const autosim::Body* from;
  std::vector<physics::Part> parts;
  Pose pose;  // in the robot
  std::optional<Vec3> center_of_mass;
  std::optional<physics::Inertia> inertia;
};

std::string_view kind_of(const autosim::Body& body) {
  if (body.is_compound) return "Compound";
  switch (body.shape.kind) {
    case autosim::Shape::Kind::box: return "Box";
    case autosim::Shape::Kind::sphere: return "Sphere";
    case autosim::Shape::Kind::capsule: return "Capsule";
    case autosim::Shape::Kind::cylinder: return "Cylinder";
    case autosim::Shape::Kind::mesh: return "Mesh";
  }
  return "Body";
}

// Centre and tensor of geometries with masses of their own (parallel axes).
void combine(const autosim::Body& body, BodyPlan& plan) {
  std::vector<physics::MassProperties> all;
  double mass = 0;
  Vec3 center;
  for (std::size_t i = 0; i < plan.parts.size(); ++i) {
    if (!(body.geometries[i].mass > 0)) continue;
    all.push_back(physics::mass_properties({plan.parts[i]}, body.geometries[i].mass));
    mass += all.back().mass;
    center += all.back().mass * all.back().center;
  }
  if (all.empty()) return;
  center = (1 / mass) * center;
  physics::Inertia sum;
  for (const physics::MassProperties& part : all) {
    const Vec3 r = part.center - center;
    sum.xx += part.inertia.xx + part.mass * (r.y * r.y + r.z * r.z);
    sum.yy += part.inertia.yy + part.mass * (r.x * r.x + r.z * r.z);
    sum.zz += part.inertia.zz + part.mass * (r.x * r.x + r.y * r.y);
    sum.xy += part.inertia.xy - part.mass * r.x * r.y;
    sum.xz += part.inertia.xz - part.mass * r.x * r.z;
    sum.yz += part.inertia.yz - part.mass * r.y * r.z;
  }
  const double scale = body.mass / mass;
  for (double* value : {&sum.xx, &sum.yy, &sum.zz, &sum.xy, &sum.xz, &sum.yz}) *value *= scale;
  plan.center_of_mass = center;
  plan.inertia = sum;
}

class RobotBuilder {
 public:
  RobotBuilder(BuildContext& context, const autosim::RobotEntry& entry, const RobotFile& file)
      : c_(context), entry_(entry), file_(file), world_(context.simulation.world()) {}

  void build() {
    auto node = std::make_unique<TreeNode>(entry_.name, make_type("Robot", {}), Source{c_.scenario_path, entry_.place.at});
    robot_node_ = c_.simulation.tree().register_child(std::move(node), c_.problems);
    if (robot_node_ == nullptr) return;
    group_ = c_.next_group++;
    for (const autosim::Body& body : file_.robot.bodies) plan(body);
    const auto pose = robot_pose();
    if (!pose) return;
    X_WR_ = *pose;
    for (const BodyPlan& body : plans_) add_body(body);
    for (const autosim::Link& link : file_.robot.links) add_link(link);
    for (const autosim::Device& device : file_.robot.devices) add_device(device);
    for (Drive& drive : drives_) attach(drive);
    for (const autosim::Control& control : entry_.controls) {
      // A device that stands in the file and was left out is the fault of what is wrong there.
      if (!file_.names.contains(control.device.substr(control.device.rfind('.') + 1)) ||
          c_.simulation.tree().find(entry_.name + "." + control.device) != nullptr)
        build_control(c_, entry_.name, control);
    }
    if (entry_.mission) add_mission(*entry_.mission);
  }

 private:
  struct Wheel {
    const autosim::Device* device;
    DeviceNode* node;
  };
  struct Drive {
    const autosim::Device* device;
    DeviceNode* node;
    PartRef part;
    std::vector<Wheel> wheels;
  };

  void plan(const autosim::Body& body) {
    BodyPlan plan{&body, {}, {vec(body.position), rotation_of(body.rotation)}, {}, {}};
    if (body.is_compound) {
      for (const autosim::Geometry& geometry : body.geometries)
        if (const auto shape = shape_of(c_, geometry.shape, file_.path, geometry.place.at, MeshUse::hull))
          plan.parts.push_back({*shape, {vec(geometry.position), rotation_of(geometry.rotation)}});
      if (plan.parts.size() != body.geometries.size()) return;
      combine(body, plan);
    } else {
      const auto shape = shape_of(c_, body.shape, file_.path, body.place.at, MeshUse::hull);
      if (!shape) return;
      plan.parts.push_back({*shape, {}});
    }
    if (body.center_of_mass) plan.center_of_mass = vec(*body.center_of_mass);
    if (body.inertia) plan.inertia = physics::Inertia{body.inertia->x, body.inertia->y, body.inertia->z, 0, 0, 0};
    // Thinner than paper or larger than countries: rounding is all that is left of the tensor.
    if (!plan.inertia && !physics::is_sound(physics::mass_properties(plan.parts, body.mass).inertia)) {
      c_.report(code::kShape, file_.path, body.place.at,
                "the inertia of " + quoted(body.name) + " cannot be computed from its size; give <Inertia> or another size");
      return;
    }
    plans_.push_back(std::move(plan));
  }

  // Without y, the robot is lifted until none of its parts and wheels is below the ground.
  std::optional<Pose> robot_pose() {
    const auto place = c_.place_of(entry_.pose, entry_.place.at);
    if (!place) return std::nullopt;
    Pose pose{{place->east, entry_.pose.y.value_or(0), place->north}, rotation_of(entry_.pose)};
    if (entry_.pose.y) return pose;
    double lift = -std::numeric_limits<double>::infinity();
    const auto consider = [&](Vec3 in_robot) {
      const Vec3 p = pose * in_robot;
      lift = std::max(lift, c_.ground(p.x, p.z, entry_.name, entry_.place.at) - p.y);
    };
    for (const BodyPlan& body : plans_)
      for (const physics::Part& part : body.parts) {
        const Pose X_RP = body.pose * part.pose;
        for (const Vec3 p : low_points(part.shape, pose.q * X_RP.q)) consider(X_RP * p);
      }
    for (const autosim::Device& device : file_.robot.devices)
      if (const auto* wheel = std::get_if<autosim::WheelDevice>(&device.kind))
        for (const BodyPlan& body : plans_)
          if (body.from->name == device.part)
            consider(body.pose * (vec(wheel->position) - Vec3{0, wheel->rest_length + wheel->radius, 0}));
    if (std::isfinite(lift)) pose.p.y = lift + entry_.pose.above;
    return pose;
  }

  void add_body(const BodyPlan& plan) {
    const autosim::Body& from = *plan.from;
    auto node = std::make_unique<TreeNode>(from.name, make_type(std::string(kind_of(from)), BodyTable::pose_fields()),
                                           Source{file_.path, from.place.at});
    TreeNode* raw = robot_node_->register_child(std::move(node), c_.problems);
    if (raw == nullptr) return;
    physics::BodySettings body;
    body.name = raw->name();
    body.kind = physics::BodyKind::dynamic;
    body.parts = plan.parts;
    body.pose = X_WR_ * plan.pose;
    body.mass = from.mass;
    body.center_of_mass = plan.center_of_mass;
    body.inertia = plan.inertia;
    body.friction = from.friction.value_or(c_.default_friction());
    body.restitution = from.restitution.value_or(c_.world_file.physics.restitution);
    body.group = group_;
    const physics::BodyId id = world_.add_body(std::move(body));
    parts_.push_back({from.name, {raw, c_.bodies.add(id, *raw), id, group_}});
    c_.looks.bodies[static_cast<std::uint32_t>(id)] = c_.model_of(from.model, file_.path, from.place.at);

    const FluidSettings fluid = fluid_of(from.fluid);
    if (fluid.has_drag() || c_.world_file.physics.water) c_.fluid.add(id, plan.parts, fluid);
  }

  static FluidSettings fluid_of(const autosim::Fluid& from) {
    FluidSettings fluid;
    fluid.linear_drag = vec(from.linear_drag);
    fluid.quadratic_drag = vec(from.quadratic_drag);
    fluid.angular_linear_drag = vec(from.angular_linear_drag);
    fluid.angular_quadratic_drag = vec(from.angular_quadratic_drag);
    fluid.volume = from.volume;
    if (from.center_of_buoyancy) fluid.center_of_buoyancy = vec(*from.center_of_buoyancy);
    return fluid;
  }

  const PartRef* part(const std::string& name) const {
    for (const auto& entry : parts_)
      if (entry.first == name) return &entry.second;
    return nullptr;
  }

  void add_link(const autosim::Link& from) {
    const PartRef* a = part(from.parent);
    const PartRef* b = part(from.child);
    if (a == nullptr || b == nullptr) return;  // reported where the body is
    physics::LinkSettings link;
    std::string kind = "SphericalLink";
    link.kind = physics::LinkKind::spherical;
    if (from.kind == autosim::Link::Kind::revolute) {
      link.kind = physics::LinkKind::revolute;
      kind = "RevoluteLink";
    } else if (from.kind == autosim::Link::Kind::prismatic) {
      link.kind = physics::LinkKind::prismatic;
      kind = "PrismaticLink";
    }
    auto node =
        std::make_unique<TreeNode>(from.name, make_type(kind, LinkTable::fields(link.kind)), Source{file_.path, from.place.at});
    TreeNode* raw = robot_node_->register_child(std::move(node), c_.problems);
    if (raw == nullptr) return;
    link.name = raw->name();
    link.a = a->body;
    link.b = b->body;
    link.position = X_WR_ * vec(from.position);
    link.axis = X_WR_.q * vec(from.axis);
    if (from.limits) {
      const bool turns = link.kind == physics::LinkKind::revolute;
      link.lower = turns ? geo::radians(from.limits->lower) : from.limits->lower;
      link.upper = turns ? geo::radians(from.limits->upper) : from.limits->upper;
    }
    c_.links.add(world_.add_link(std::move(link)),
                 raw->type().kind == "RevoluteLink"    ? physics::LinkKind::revolute
                 : raw->type().kind == "PrismaticLink" ? physics::LinkKind::prismatic
                                                       : physics::LinkKind::spherical,
                 *raw);
  }

  void add_device(const autosim::Device& device) {
    const PartRef* on = part(device.part);
    if (on == nullptr) return;  // reported where the body is
    const std::vector<NoiseSpec> noise = noise_of(device.noise);
    const DeviceCommon common{device.name, {file_.path, device.place.at}, noise};
    DeviceSet& set = c_.devices;
    const auto warn_noise = [&] {
      if (!noise.empty())
        c_.report(code::kNoiseUnused, file_.path, device.noise.front().place.at,
                  "the noise of " + quoted(device.name) + " has no value to be added to");
    };
    std::visit(
        Overloaded{
            [&](const autosim::DriveActuator& d) {
              const double angle = d.steering_angle ? geo::radians(*d.steering_angle) : kDefaultSteeringAngle;
              if (DeviceNode* node = set.add_drive(*on, common, {d.motor_force, d.brake_force, angle}, c_.problems))
                drives_.push_back({&device, node, *on, {}});
            },
            [&](const autosim::WheelDevice& d) {
              warn_noise();
              DeviceNode* node = set.add_wheel_node(*on, common, c_.problems);
              wheels_.push_back({d.drive_actuator, device.part, {&device, node}});
            },
            [&](const autosim::Propeller& d) {
              if (DeviceNode* node = set.add_propeller(*on, common, propeller(d), c_.problems))
                propellers_.push_back({device.part, {node, propeller(d)}});
            },
            [&](const autosim::Camera& d) {
              warn_noise();
              if (const DeviceNode* node = set.add_camera(*on, common, camera(d), c_.problems))
                c_.cameras.push_back({node, geo::radians(d.field_of_view), d.width, d.height});
            },
            [&](const autosim::GyroscopeSensor& d) { set.add_gyroscope(*on, common, vec(d.axis), d.alpha, c_.problems); },
            [&](const autosim::VelocimeterSensor& d) { set.add_velocimeter(*on, common, vec(d.axis), c_.problems); },
            [&](const autosim::PSDSensor& d) {
              set.add_psd(*on, common, {vec(d.position), vec(d.direction), d.range}, c_.problems);
            },
            [&](const autosim::LaserScanner& d) { add_scanner(*on, common, d); },
            [&](const autosim::GPSSensor& d) {
              if (c_.simulation.settings().origin)
                set.add_gps(*on, common, vec(d.position), c_.problems);
              else
                c_.report(code::kOrigin, file_.path, device.place.at,
                          "the GPSSensor " + quoted(device.name) + " needs <Origin> in the scenario's Physics");
            },
            [&](const autosim::CompassSensor& d) { set.add_compass(*on, common, vec(d.axis), c_.problems); },
            [&](const autosim::InclinometerSensor& d) { set.add_inclinometer(*on, common, vec(d.axis), c_.problems); },
            [&](const autosim::TimeDevice&) { set.add_time(*on, common, c_.problems); },
            [&](const autosim::LightDevice& d) {
              if (const DeviceNode* node = set.add_light(*on, common, "LightDevice", d.intensity, c_.problems))
                c_.looks.lights.push_back({node, on->node, vec(d.position), {}, 0, vec(d.color)});
            },
            [&](const autosim::HeadLightDevice& d) {
              if (const DeviceNode* node = set.add_light(*on, common, "HeadLightDevice", d.intensity, c_.problems))
                c_.looks.lights.push_back({node, on->node, vec(d.position), geo::normalized(vec(d.direction)),
                                           std::cos(geo::radians(d.angle) / 2), vec(d.color)});
            },
        },
        device.kind);
  }

  static PropellerSettings propeller(const autosim::Propeller& from) {
    PropellerSettings p;
    p.position = vec(from.position);
    p.direction = vec(from.direction);
    p.max_voltage = from.max_voltage;
    p.dead_zone = from.dead_zone;
    p.pole = from.pole;
    p.alpha = from.alpha.value_or(0);
    if (from.motor)
      p.motor =
          PropellerSettings::Motor{from.motor->resistance, from.motor->torque_constant,    from.motor->back_emf_constant,
                                   from.motor->inertia,    from.motor->torque_coefficient, from.motor->thrust_coefficient};
    return p;
  }

  static CameraSettings camera(const autosim::Camera& from) {
    CameraSettings settings;
    settings.position = vec(from.position);
    Vec3 forward{0, 0, 1};
    if (from.direction)
      forward = vec(*from.direction);
    else if (from.type == autosim::Camera::Type::third_person && length(settings.position) > 0)
      forward = -settings.position;  // towards the part's middle
    settings.orientation = aimed(forward, vec(from.up));
    return settings;
  }

  // Turns +z to the direction, then rolls about it until +y is as near to the up vector as can be.
  static Quat aimed(Vec3 forward, Vec3 up_vector) {
    const Quat aim = geo::rotation_between({0, 0, 1}, forward);
    const Vec3 up = inverse(aim) * up_vector;
    return geo::normalized(aim * geo::rotation({0, 0, 1}, std::atan2(-up.x, up.y)));
  }

  void add_scanner(const PartRef& on, const DeviceCommon& common, const autosim::LaserScanner& from) {
    vision::LaserScannerSettings s;
    s.pose = {vec(from.position), aimed(vec(from.direction), vec(from.up))};
    s.azimuth_min = geo::radians(from.horizontal.min);
    s.azimuth_max = geo::radians(from.horizontal.max);
    s.columns = from.horizontal.count;
    s.elevation_min = geo::radians(from.vertical.min);
    s.elevation_max = geo::radians(from.vertical.max);
    s.layers = from.vertical.count;
    s.range_min = from.range_min;
    s.range_max = from.range_max;
    s.rate = from.rate.value_or(0);
    if (!c_.scanners) c_.scanners = std::make_unique<vision::LaserScanners>(c_.simulation, c_.bodies, c_.vision_device);
    if (c_.scanners->rays() + s.rays() > vision::kMaxAllRays) {
      c_.report(code::kScannerRays, common.source.file, common.source.at,
                "with " + quoted(on.node->name() + "." + common.name) + " the scanners have more than " +
                    number_text(static_cast<std::int64_t>(vision::kMaxAllRays)) + " rays together");
      return;
    }
    const double dt = c_.simulation.settings().physics.dt;
    if (s.rate * dt > 1 + 1e-9)
      c_.report(code::kScannerRate, common.source.file, common.source.at,
                number_text(s.rate) + " scans a second of " + quoted(common.name) + " with steps of " + number_text(dt) +
                    " s: it scans once a step");
    c_.scanners->add_scanner(on, common, s, c_.problems);
  }

  void attach(Drive& drive) {
    physics::VehicleSettings vehicle;
    vehicle.name = drive.node->name();
    std::vector<DeviceNode*> nodes;
    for (const auto& wheel : wheels_) {
      if (wheel.drive != drive.device->name || wheel.part != drive.device->part) continue;
      const auto& from = std::get<autosim::WheelDevice>(wheel.wheel.device->kind);
      physics::WheelSettings settings;
      settings.name = wheel.wheel.device->name;
      settings.position = vec(from.position);
      settings.radius = from.radius;
      settings.width = from.width;
      settings.rest_length = from.rest_length;
      settings.stiffness = from.ks;
      settings.damping = from.kd;
      if (from.friction) settings.friction_slip = *from.friction;
      if (from.max_suspension_force) settings.max_force = *from.max_suspension_force;
      settings.powered = from.powered;
      settings.steered = from.steering;
      settings.braked = from.brakes;
      vehicle.wheels.push_back(std::move(settings));
      nodes.push_back(wheel.wheel.node);
    }
    if (vehicle.wheels.empty()) {
      if (!file_.broken)
        c_.report(code::kNoWheels, file_.path, drive.device->place.at,
                  "the DriveActuator " + quoted(drive.device->name) + " has no WheelDevice and moves nothing");
      return;
    }
    const double dt = c_.simulation.settings().physics.dt;
    for (const physics::StabilityWarning& warning : physics::check_stability(vehicle, world_.mass(drive.part.body), dt))
      c_.report(
          code::kStep, file_.path, drive.device->place.at,
          "a step of " + number_text(dt) + " s is too large for the springs of " + quoted(drive.node->name()) + " (" +
              warning.what + ")" +
              (std::isfinite(warning.largest_dt) ? ": at most " + number_text(std::floor(warning.largest_dt * 1e5) / 1e5) + " s"
                                                 : std::string("; so is any other")));
    const physics::VehicleId id = world_.add_vehicle(drive.part.body, std::move(vehicle));
    c_.devices.attach_wheels(*drive.node, id, nodes);
    for (std::size_t i = 0, next = 0; i < wheels_.size(); ++i) {
      if (wheels_[i].drive != drive.device->name || wheels_[i].part != drive.device->part) continue;
      const autosim::Device& wheel = *wheels_[i].wheel.device;
      c_.looks.wheels[{static_cast<std::uint32_t>(id), next++}] =
          c_.model_of(std::get<autosim::WheelDevice>(wheel.kind).model, file_.path, wheel.place.at);
    }
  }

  // What carries out a mission: the part that it names, with that part's propellers, or else its drive.
  void add_mission(const autosim::Mission& mission) {
    if (file_.broken || parts_.empty()) return;  // reported where they are
    const std::string& name = mission.part.empty() ? parts_.front().first : mission.part;
    const PartRef* on = part(name);
    if (on == nullptr) {
      c_.report(code::kMissionPart, mission.place.at,
                "robot " + quoted(entry_.name) + " has no part " + quoted(name) + " to sail a mission with");
      return;
    }
    MissionHost host{robot_node_, *on, {}, {}, nullptr, 0, 0, 0};
    for (const BodyPlan& plan : plans_)
      if (plan.from->name == name) host.fluid = fluid_of(plan.from->fluid);
    for (const auto& [carrier, thruster] : propellers_)
      if (carrier == name) host.thrusters.push_back(thruster);
    for (const Drive& drive : drives_) {
      if (drive.device->part != name) continue;
      const auto& settings = std::get<autosim::DriveActuator>(drive.device->kind);
      double front = 0, rear = 0, steered = 0, others = 0, powered = 0;
      for (const WheelEntry& wheel : wheels_) {
        if (wheel.drive != drive.device->name || wheel.part != name) continue;
        const auto& from = std::get<autosim::WheelDevice>(wheel.wheel.device->kind);
        (from.steering ? front : rear) += from.position.z;
        (from.steering ? steered : others) += 1;
        powered += from.powered ? 1 : 0;
      }
      if (steered == 0 || others == 0 || powered == 0 || settings.motor_force <= 0) continue;
      host.drive = drive.node;
      host.wheelbase = std::abs(front / steered - rear / others);
      host.steering_angle = settings.steering_angle ? geo::radians(*settings.steering_angle) : kDefaultSteeringAngle;
      host.full_acceleration = settings.motor_force * powered / world_.mass(on->body).mass;
    }
    build_mission(c_, entry_, host);
  }

  struct WheelEntry {
    std::string drive, part;
    Wheel wheel;
  };

  BuildContext& c_;
  const autosim::RobotEntry& entry_;
  const RobotFile& file_;
  physics::World& world_;
  TreeNode* robot_node_ = nullptr;
  int group_ = 0;
  Pose X_WR_;
  std::vector<BodyPlan> plans_;
  std::vector<std::pair<std::string, PartRef>> parts_;
  std::vector<Drive> drives_;
  std::vector<std::pair<std::string, Thruster>> propellers_;  // with the part that carries it
  std::vector<WheelEntry> wheels_;
};

}  // namespace

void build_robots(BuildContext& context) {
  std::map<std::string, std::optional<RobotFile>> files;
  for (const autosim::RobotEntry& entry : context.world_file.robots) {
    auto found = files.find(entry.file);
    if (found == files.end()) {
      found = files.emplace(entry.file, std::nullopt).first;
      if (const auto input = context.open(entry.file, entry.place.at)) {
        auto parsed = autosim::read_robot(input->text(), input->name());
        const bool broken = parsed.diagnostics.has_errors();
        context.problems.append(std::move(parsed.diagnostics));
        if (parsed.value) {
          found->second = RobotFile{input->name(), std::move(*parsed.value), broken, {}};
          if (broken)
            if (const auto generic = autosim::read_build_data(input->text(), input->name()); generic.value)
              collect_names(*generic.value, found->second->names);
        }
      }
    }
    if (found->second) RobotBuilder(context, entry, *found->second).build();
  }
}

}  // namespace simbatch::scenario::detail
