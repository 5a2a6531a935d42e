// Robots: bodies, links, devices, controls, in the order of their files (thesis 5.4).

#include "lib/scenario/robot.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>

#include "formats/autosim/build_data.hpp"
#include "lib/file_kind/file_kind.hpp"
#include "lib/scenario/codes.hpp"
#include "lib/scenario/import.hpp"
#include "lib/scenario/library.hpp"
#include "lib/scenario/map_signals.hpp"

namespace simbatch::scenario::detail {
namespace {

using geo::Pose;
using geo::Vec3;

void collect_names(const autosim::BuildData& data, std::set<std::string>& names) {
  names.emplace(data.name());
  for (const autosim::BuildData& child : data.children) collect_names(child, names);
}

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

// Start pose of a robot. Without y, it is raised until none of its parts and wheels is below the ground.
std::optional<Pose> robot_pose(const Site& site, const RobotParts& robot) {
  const autosim::RobotEntry& entry = robot.entry;
  const auto place = site.placed(entry.pose, entry.place.at);
  if (!place) return std::nullopt;
  Pose pose{{place->x, entry.pose.y.value_or(0), place->z}, rotation_of(*place)};
  if (entry.pose.y) return pose;
  double lift = -std::numeric_limits<double>::infinity();
  const auto consider = [&](Vec3 in_robot) {
    const Vec3 p = pose * in_robot;
    lift = std::max(lift, site.ground(p.x, p.z, entry.name, entry.place.at, place->over_ground) - p.y);
  };
  for (const BodyPlan& body : robot.plans)
    for (const physics::Part& part : body.parts) {
      const Pose X_RP = body.pose * part.pose;
      for (const Vec3 p : low_points(part.shape, pose.q * X_RP.q)) consider(X_RP * p);
    }
  for (const autosim::Device& device : robot.file.robot.devices)
    if (const auto* wheel = std::get_if<autosim::WheelDevice>(&device.kind))
      for (const BodyPlan& body : robot.plans)
        if (body.from->name == device.part)
          consider(body.pose * (vec(wheel->position) - Vec3{0, wheel->rest_length + wheel->radius, 0}));
  if (std::isfinite(lift)) pose.p.y = lift + entry.pose.above;
  return pose;
}

void add_body(const Site& site, RobotParts& robot, const BodyPlan& plan, const Pose& X_WR, int group, Scene& scene) {
  const autosim::Body& from = *plan.from;
  TreeNode* raw = add_body_node(site, robot, plan);
  if (raw == nullptr) return;
  physics::BodySettings body;
  body.name = raw->name();
  // A fixed body never moves, but has the group of its robot: its own sensors ignore it.
  body.kind = robot.is_fixed(from.name) ? physics::BodyKind::kinematic : physics::BodyKind::dynamic;
  body.parts = plan.parts;
  body.pose = X_WR * plan.pose;
  body.angular_velocity = angular_velocity_of(robot.entry.motion);
  body.linear_velocity = vec(robot.entry.motion.linear) + geo::cross(body.angular_velocity, body.pose.p - X_WR.p);
  body.mass = from.mass;
  body.center_of_mass = plan.center_of_mass;
  body.inertia = plan.inertia;
  body.friction = from.friction.value_or(site.default_friction());
  body.restitution = from.restitution.value_or(site.file.physics.restitution);
  body.group = group;
  finish_body(site, robot, plan, *raw, site.simulation.world().add_body(std::move(body)), group, scene);
}

// Parts fixed by the scenario must exist; an articulation is fixed by its base, and starts at rest.
void check_fixed(const Site& site, const RobotParts& robot) {
  const autosim::RobotEntry& entry = robot.entry;
  for (const std::string& name : entry.fixed)
    if (!robot.file.names.contains(name) && std::none_of(robot.file.robot.bodies.begin(), robot.file.robot.bodies.end(),
                                                         [&](const autosim::Body& body) { return body.name == name; }))
      site.files.report(code::kFixed, entry.place.at, quoted(entry.name) + " has no part " + quoted(name) + " to be fixed");
  if (!robot.file.robot.articulation) return;
  if (!entry.fixed.empty())
    site.files.report(code::kFixed, entry.place.at,
                      "the parts of " + quoted(entry.name) +
                          " are an articulation, which is fixed by its base: write <Fixed/>, without a part");
  if (entry.motion != autosim::StartMotion{})
    site.files.report(code::kFixed, entry.place.at,
                      quoted(entry.name) + " is an articulation, which starts at rest: leave out its velocity");
}

void build_robot(const Site& site, const autosim::RobotEntry& entry, const RobotFile& file, int group, MissionBoards& boards,
                 Scene& scene) {
  SimulationTree& tree = site.simulation.tree();
  TreeNode* node = tree.register_child(
      std::make_unique<TreeNode>(entry.name, make_type("Robot", {}), Source{site.files.scenario(), entry.place.at}),
      site.files.problems());
  if (node == nullptr) return;
  RobotParts robot{entry, file, node, plan_bodies(site, file)};
  const auto X_WR = robot_pose(site, robot);
  if (!X_WR) return;
  check_fixed(site, robot);
  if (file.robot.articulation) {
    add_articulation(site, robot, *X_WR, group, scene);
  } else {
    for (const BodyPlan& body : robot.plans) add_body(site, robot, body, *X_WR, group, scene);
    add_links(site, robot, *X_WR);
  }
  const RobotDevices devices = add_devices(site, robot, scene);
  add_vehicles(site, robot, devices, scene);
  for (const autosim::Control& control : entry.controls) {
    // A device that was left out because of an error is not reported again as missing.
    if (file.names.contains(control.device.substr(control.device.rfind('.') + 1)) &&
        tree.find(entry.name + "." + control.device) == nullptr)
      continue;
    const std::vector<TimedSetting> settings = settings_of(site, entry.name, control);
    scene.settings.insert(scene.settings.end(), settings.begin(), settings.end());
  }
  if (!entry.mission) return;
  if (const auto host = mission_host(site, robot, devices))
    if (auto mission = build_mission(site, entry, *host, boards, scene.plans)) scene.missions.push_back(std::move(mission));
}

std::optional<Input> open_robot_file(const Site& site, const autosim::RobotEntry& entry) {
  const std::string& library = site.options.library;
  const std::string file = entry.is_included ? library_file(library, entry.file) : std::string();
  if (file.empty()) return site.files.open(entry.file, entry.place.at);
  const std::vector<std::string> known = library_robots(library);
  if (std::binary_search(known.begin(), known.end(), entry.file))
    return site.files.open(std::filesystem::absolute(file).string(), entry.place.at);
  std::string list;
  for (const std::string& name : known) list += (list.empty() ? "" : ", ") + name;
  const std::string_view near = nearest(entry.file, std::vector<std::string_view>(known.begin(), known.end()));
  site.files.report(code::kLibrary, entry.place.at,
                    known.empty() ? "there is no library of robots to include " + quoted(entry.file) +
                                        " from; it comes with Simbatch's installation (share/simbatch/robots)"
                                  : "the library has no robot " + quoted(entry.file) +
                                        (near.empty() ? "," : ", did you mean " + quoted(near) + "?") + " expected one of " +
                                        list + ", or a path of a file, with its suffix");
  return std::nullopt;
}

}  // namespace

std::optional<RobotFile> read_robot_file(const Site& site, const autosim::RobotEntry& entry) {
  if (site.robots != nullptr)
    if (const auto made = site.robots->find(entry.name); made != site.robots->end())
      return RobotFile{site.files.scenario(), made->second, {}, false, {}};
  if (entry.file == autosim::kSignalsOfMap) return signals_of_map(site, entry);
  const auto input = open_robot_file(site, entry);
  if (!input) return std::nullopt;
  if (const file_kind::Kind kind = file_kind::kind_of(input->text()); is_imported(kind))
    return import_robot(site, *input, kind);
  const auto variant = site.options.robot_texts.find(entry.name);
  const std::string_view text = variant == site.options.robot_texts.end() ? input->text() : variant->second;
  auto parsed = autosim::read_robot(text, input->name());
  const bool broken = parsed.diagnostics.has_errors();
  site.files.append(std::move(parsed.diagnostics));
  if (!parsed.value) return std::nullopt;
  RobotFile file{input->name(), std::move(*parsed.value), {}, broken, {}};
  if (broken)
    if (const auto generic = autosim::read_build_data(text, input->name()); generic.value)
      collect_names(*generic.value, file.names);
  return file;
}

TreeNode* add_body_node(const Site& site, const RobotParts& robot, const BodyPlan& plan) {
  auto node = std::make_unique<TreeNode>(plan.from->name, make_type(std::string(kind_of(*plan.from)), BodyTable::pose_fields()),
                                         Source{robot.file.path, plan.from->place.at});
  return robot.node->register_child(std::move(node), site.files.problems());
}

void finish_body(const Site& site, RobotParts& robot, const BodyPlan& plan, TreeNode& node, physics::BodyId id, int group,
                 Scene& scene) {
  const autosim::Body& from = *plan.from;
  robot.parts.push_back({from.name, {&node, site.assembly.bodies->add(id, node), id, group}});
  scene.appearance.bodies[static_cast<std::uint32_t>(id)] =
      site.files.model_of(from.model.get(), robot.file.path, from.place.at);
  if (!plan.colors.empty()) scene.appearance.colors[static_cast<std::uint32_t>(id)] = plan.colors;

  const FluidSettings fluid = fluid_of(*from.fluid);
  if (robot.is_fixed(from.name)) return;
  if (fluid.has_drag() || site.file.physics.water) site.assembly.fluid->add(id, plan.parts, fluid);
}

bool RobotParts::is_fixed(const std::string& name) const {
  return entry.is_fixed || std::find(entry.fixed.begin(), entry.fixed.end(), name) != entry.fixed.end() ||
         std::find(file.fixed.begin(), file.fixed.end(), name) != file.fixed.end();
}

const PartRef* RobotParts::part(const std::string& name) const {
  for (const auto& named : parts)
    if (named.first == name) return &named.second;
  return nullptr;
}

Scene build_robots(const Site& site) {
  Scene scene;
  std::map<std::string, std::optional<RobotFile>>
      files;  // by name in the scenario, or by robot if it has a text of its own; nothing: unusable
  MissionBoards boards;
  int group = 0;  // of a robot's bodies: its sensors ignore them
  for (const autosim::RobotEntry& entry : site.file.robots) {
    const bool has_text =
        site.options.robot_texts.contains(entry.name) || (site.robots != nullptr && site.robots->contains(entry.name));
    const auto [file, fresh] =
        files.try_emplace((has_text ? entry.name + "=" : "") + (entry.is_included ? "<" : "") + entry.file);
    if (fresh) file->second = read_robot_file(site, entry);
    if (file->second)
      build_robot(site, entry.file == autosim::kSignalsOfMap ? signals_entry(entry) : entry, *file->second, group++, boards,
                  scene);
  }
  return scene;
}

}  // namespace simbatch::scenario::detail
