// <Traffic>: objects of a CajunBot file on a road network.

#include <algorithm>
#include <array>

#include "base/core/number.hpp"
#include "formats/cajunbot/cajunbot.hpp"
#include "formats/rndf/rndf.hpp"
#include "lib/file_kind/file_kind.hpp"
#include "lib/scenario/codes.hpp"
#include "lib/scenario/site.hpp"
#include "lib/scenario/traffic_lanes.hpp"
#include "lib/sim/traffic/driven_vehicle.hpp"
#include "lib/sim/traffic/traffic_participant.hpp"
#include "lib/traffic/traffic.hpp"

namespace simbatch::scenario::detail {
namespace {

/// Files do not describe the suspension: the ray-cast vehicle's defaults.
constexpr double kRestLength = 0.1;

/// x right, y forward, z up become x right, y up, z forward. A vehicle's shape is kept within its size, above the wheels' axles;
/// what never moves by forces keeps the width (wheel: the height) that the file says.
physics::Part part_of(const cajunbot::Object& o, double height) {
  const double x = std::max(o.size.x, 0.01), y = std::max(o.size.y, 0.01), z = std::max(height, 0.01);
  const bool vehicle = o.type == cajunbot::Type::autonomous;
  switch (o.shape) {
    case cajunbot::Shape::sphere: return {physics::Sphere{(vehicle ? std::min({x, y, z}) : x) / 2}, {}};
    case cajunbot::Shape::cylinder: return {physics::Cylinder{(vehicle ? std::min(x, y) : x) / 2, z}, {}};
    case cajunbot::Shape::wheel:
      return {physics::Cylinder{(vehicle ? std::min(y, z) : z) / 2, x}, {{}, geo::rotation({0, 0, 1}, geo::radians(90))}};
    default: return {physics::Box{{x, z, y}}, {}};
  }
}

/// Of a box of the vehicle's size without its wheels, whatever its shape is: with the moments of a ball or a disk of that size
/// its springs would turn it faster than a step can follow.
physics::Inertia box_inertia(const cajunbot::Object& o, double height, double mass) {
  const double x = std::max(o.size.x, 0.01), y = std::max(o.size.y, 0.01), z = std::max(height, 0.01);
  return {mass / 12 * (y * y + z * z), mass / 12 * (x * x + y * y), mass / 12 * (x * x + z * z), 0, 0, 0};
}

/// Positive turns about x (right) raise the front, about y (forward) lower the right side.
geo::Quat attitude(const cajunbot::Object& o, double heading) {
  return geo::rotation({0, 1, 0}, heading) * geo::rotation({1, 0, 0}, -geo::radians(o.orientation_deg.x)) *
         geo::rotation({0, 0, 1}, -geo::radians(o.orientation_deg.y));
}

physics::VehicleSettings vehicle_of(const cajunbot::Object& o, const std::string& name, double lift) {
  physics::VehicleSettings vehicle;
  vehicle.name = name;
  const bool skid = o.wheel_type == 0;
  const double radius = std::max(o.wheel_radius, 0.05), side = std::max((o.size.x - o.wheel_width) / 2, 0.05),
               end = std::max(o.size.y / 2 - radius, 0.1);
  for (const auto& [wheel_name, x, z] : {std::tuple{"front_left", -side, end}, std::tuple{"front_right", side, end},
                                         std::tuple{"rear_left", -side, -end}, std::tuple{"rear_right", side, -end}}) {
    physics::WheelSettings wheel;
    wheel.name = name + "." + wheel_name;
    wheel.position = {x, radius + kRestLength - lift, z};
    wheel.radius = radius;
    wheel.width = o.wheel_width;
    wheel.rest_length = kRestLength;
    wheel.tire.friction = kTireFriction;
    wheel.powered = skid || z < 0;
    wheel.steered = !skid && z > 0;
    wheel.braked = true;
    vehicle.wheels.push_back(wheel);
  }
  return vehicle;
}

class Builder {
 public:
  Builder(const Site& site, const autosim::Traffic& entry) : site_(site), entry_(entry) {}
  /// Reads both files.
  Scene build();
  /// @param network  nullptr if there is none
  Scene build(const Input& objects, const Input* network);

 private:
  void object(const cajunbot::Object& o, const traffic::PlacedObject& placed, TreeNode& node, TrafficParticipant& participant);
  void mesh(const cajunbot::Object& o, physics::BodySettings body);
  void draw_lanes(const rndf::Rndf& network);
  double friction() const { return site_.default_friction(); }

  const Site& site_;
  const autosim::Traffic& entry_;
  Scene scene_;
  std::string file_;  // of the objects, as it was opened
};

void Builder::mesh(const cajunbot::Object& o, physics::BodySettings body) {
  const auto vertices = site_.files.open(o.vertices->name, entry_.place.at),
             indices = site_.files.open(o.indices->name, entry_.place.at);
  if (!vertices || !indices) return;
  auto points = cajunbot::read_vertices(vertices->text(), vertices->name());
  auto triangles = cajunbot::read_indices(indices->text(), indices->name(), points.value ? points.value->size() : 0);
  const bool good = points.ok() && triangles.ok();
  site_.files.append(std::move(points.diagnostics));
  site_.files.append(std::move(triangles.diagnostics));
  if (!good) return;
  physics::TriangleMesh shape;
  for (const cajunbot::Vector& v : *points.value) shape.points.push_back({v.x, v.z, v.y});
  // Exchanging axes is a reflection: the winding of each triangle is reversed.
  for (const auto& t : *triangles.value) shape.indices.insert(shape.indices.end(), {t[0], t[2], t[1]});
  if (const std::string fault = physics::check_shape(shape); !fault.empty()) {
    site_.files.report(code::kShape, entry_.place.at, "mesh " + quoted(o.vertices->name) + ": " + fault);
    return;
  }
  body.parts.push_back({std::move(shape), {}});
  site_.simulation.world().add_body(std::move(body));
}

void Builder::object(const cajunbot::Object& o, const traffic::PlacedObject& placed, TreeNode& node,
                     TrafficParticipant& participant) {
  traffic::PlacedObject at = placed;
  const double ground =
      site_.ground(at.position.x, at.position.z, entry_.name, file_ == site_.files.scenario() ? o.place.at : entry_.place.at);
  at.position.y += ground;
  physics::BodySettings body;
  const std::string local = "object_" + std::to_string(placed.index + 1);
  body.name = entry_.name + "." + local;
  body.friction = friction();
  body.kind = physics::BodyKind::fixed;
  const geo::Quat q = attitude(o, at.heading);
  if (o.type == cajunbot::Type::mesh) {
    body.pose = {{at.position.x, at.position.y, at.position.z}, q};
    mesh(o, std::move(body));
    return;
  }
  const bool vehicle = o.type == cajunbot::Type::autonomous;
  const double clearance = vehicle ? std::min(o.wheel_radius, o.size.z / 2) : 0;
  const double height = std::max(o.size.z - clearance, 0.01), lift = clearance + height / 2;
  body.parts.push_back(part_of(o, height));
  body.pose = {{at.position.x, at.position.y + lift, at.position.z}, q};
  if (o.type == cajunbot::Type::fixed) {
    site_.simulation.world().add_body(std::move(body));
    return;
  }
  const Source source{file_, o.place.at};
  TreeNode* shown = node.register_child(make_traffic_node(local, source, vehicle), site_.files.problems());
  if (shown == nullptr) return;
  if (vehicle) {
    body.kind = physics::BodyKind::dynamic;
    body.mass = traffic::vehicle_mass(o);
    if (o.shape != cajunbot::Shape::box) body.inertia = box_inertia(o, height, body.mass);
    const std::string name = body.name;
    const DrivenSettings settings{o.wheel_type == 0, o.throttle_rate, o.lever_rate, body.mass};
    const physics::BodyId id = site_.simulation.world().add_body(std::move(body));
    std::optional<DrivenVehicle> drive;
    std::optional<Driver> driver;
    if (o.wheel_radius > 0) {
      autosim::RobotEntry& robot = scene_.vehicles.emplace_back();
      robot.name = name;
      robot.place = entry_.place;
      const physics::VehicleSettings wheels = vehicle_of(o, name, lift);
      drive.emplace(site_.simulation, site_.simulation.world().add_vehicle(id, wheels), *shown, source, settings,
                    site_.files.problems());
      const bool commanded = std::any_of(entry_.controls.begin(), entry_.controls.end(), [&](const autosim::Control& control) {
        return control.device.starts_with(local + ".");
      });
      const geo::Vec3 front_right = wheels.wheels[1].position;
      if (!at.targets.empty() && !commanded)
        driver.emplace(at.position, at.initial_pause, at.targets, WheelPlaces{front_right.x, front_right.z});
    }
    participant.add_dynamic(id, *shown, lift, std::move(drive), std::move(driver));
    return;
  }
  body.kind = physics::BodyKind::kinematic;
  body.pose = {{at.position.x, at.position.y + lift, at.position.z}, geo::rotation({0, 1, 0}, at.heading)};
  participant.add_mover(site_.simulation.world().add_body(std::move(body)), *shown, placed.motion(), lift);
}

/// A map draws its own streets. The lanes are only seen: objects and sensors are on the ground.
void Builder::draw_lanes(const rndf::Rndf& network) {
  constexpr double kLift = 0.02, kUnevenLift = 0.08;  // m
  if (site_.file.terrain.kind == autosim::Terrain::Kind::map || site_.file.terrain.kind == autosim::Terrain::Kind::none) return;
  const bool is_plane = site_.file.terrain.kind == autosim::Terrain::Kind::plane;
  physics::World& world = site_.simulation.world();
  const auto ground_at = [&](double x, double z) { return world.terrain_height(x, z); };
  const std::optional<double> level = is_plane ? ground_at(0, 0) : std::nullopt;
  const geo::LatLon origin = site_.simulation.settings().origin.value_or(geo::LatLon{});
  scene_.appearance = level ? lane_appearance(network, origin, *level + kLift, {}, entry_.name + ".lanes")
                            : lane_appearance(network, origin, kUnevenLift, ground_at, entry_.name + ".lanes");
}

Scene Builder::build() {
  const auto objects = site_.files.open(entry_.objects, entry_.place.at),
             network = site_.files.open(entry_.rndf, entry_.place.at);
  if (!objects || !network) return {};
  return build(*objects, &*network);
}

/// True if the object starts at or drives to a waypoint.
bool needs_network(const cajunbot::Object& o) {
  return !o.start.is_disabled() ||
         std::any_of(o.goals.begin(), o.goals.end(), [](const cajunbot::Goal& g) { return g.open || !g.to.is_disabled(); });
}

// The format of sensor files belongs to the vehicle software and is not documented.
void report_sensors(const cajunbot::ObjectFile& file, Diagnostics& problems) {
  std::size_t count = 0;
  const cajunbot::Object* first = nullptr;
  for (const cajunbot::Object& o : file.objects) {
    count += o.sensors.size();
    if (first == nullptr && !o.sensors.empty()) first = &o;
  }
  if (first == nullptr) return;
  problems.report(code::kSensorFiles, first->place.at,
                  (count == 1 ? "1 sensor file is" : number_text(count) + " sensor files are") + " not read, as " +
                      quoted(first->sensors.front().conf) +
                      ": autonomous objects have a drive but no sensors here; the sensors of robots see them");
}

Scene Builder::build(const Input& objects, const Input* network_input) {
  file_ = objects.name();
  if (network_input != nullptr && file_kind::report_other_kind(network_input->text(), network_input->name(),
                                                               file_kind::Purpose::network, site_.files.problems()))
    return {};
  auto network = network_input != nullptr
                     ? rndf::read_rndf(network_input->text(), network_input->name(),
                                       {.planar = entry_.planar || site_.options.planar,
                                        .plane_origin = site_.assembly.given_origin.value_or(geo::LatLon{})})
                     : Parsed<rndf::Rndf>{rndf::Rndf{}, {}};
  if (network.value && network_input != nullptr) rndf::check(*network.value, network.diagnostics);
  const auto version = cajunbot::guess_version(objects.text());
  auto file = version == cajunbot::Version::v1 ? cajunbot::read_v1(objects.text(), objects.name())
                                               : cajunbot::read_v2(objects.text(), objects.name());
  bool good = network.ok() && file.ok();
  site_.files.append(std::move(network.diagnostics));
  if (good && network_input == nullptr) {
    const auto first = std::find_if(file.value->objects.begin(), file.value->objects.end(), needs_network);
    good = first == file.value->objects.end();
    if (!good)
      file.diagnostics.report(code::kNetwork, first->place.at,
                              "waypoints refer to a road network: name its RNDF with --rndf FILE");
  }
  std::optional<traffic::PlacedObjects> resolved;
  if (good) {
    cajunbot::check(*file.value, version, file.diagnostics);
    // The world's origin on the earth, if the scenario gives one; else the first network's first waypoint.
    if (!site_.simulation.settings().origin)
      if (const auto first = traffic::first_place(*network.value)) site_.simulation.set_origin(*first);
    resolved = traffic::resolve_objects(*file.value, rndf::Index(*network.value),
                                        site_.simulation.settings().origin.value_or(geo::LatLon{}), file.diagnostics);
  }
  if (resolved) report_sensors(*file.value, file.diagnostics);
  site_.files.append(std::move(file.diagnostics));
  if (!resolved) return {};
  static const auto type = make_type("Traffic", {});
  TreeNode* node = site_.simulation.tree().register_child(
      std::make_unique<TreeNode>(entry_.name, type, Source{site_.files.scenario(), entry_.place.at}), site_.files.problems());
  if (node == nullptr) return {};
  auto participant = std::make_unique<TrafficParticipant>(site_.simulation);
  for (const traffic::PlacedObject& placed : resolved->objects)
    object(file.value->objects[placed.index], placed, *node, *participant);
  scene_.participants.push_back(std::move(participant));
  if (network.value) {
    draw_lanes(*network.value);
    scene_.network_lines =
        network_lines(*network.value, site_.simulation.settings().origin.value_or(geo::LatLon{}), entry_.name);
  }
  for (const autosim::Control& control : entry_.controls) {
    const std::vector<TimedSetting> settings = settings_of(site_, entry_.name, control);
    scene_.settings.insert(scene_.settings.end(), settings.begin(), settings.end());
  }
  return std::move(scene_);
}

}  // namespace

Scene build_traffic(const Site& site) {
  Scene scene;
  for (const autosim::Traffic& entry : site.file.traffic) scene.append(Builder(site, entry).build());
  return scene;
}

Scene build_objects(const Site& site, const Input& objects) {
  const autosim::Traffic entry;
  std::optional<Input> network;
  if (!site.options.rndf.empty() && !(network = site.files.open_named(site.options.rndf))) return {};
  return Builder(site, entry).build(objects, network ? &*network : nullptr);
}

autosim::World world_of_objects() {
  autosim::World world;
  world.name = "objects";
  world.terrain.kind = autosim::Terrain::Kind::plane;
  world.terrain.name = "ground";
  return world;
}

}  // namespace simbatch::scenario::detail
