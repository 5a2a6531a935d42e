#pragma once
/// Shared by the steps that build a scenario: the inputs, the world under construction, and their results. Internal to this
/// room; build.hpp describes the sequence of the steps.

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/core/input.hpp"
#include "base/geo/geo.hpp"
#include "base/geo/height_grid.hpp"
#include "base/geo/pose.hpp"
#include "formats/autosim/robot.hpp"
#include "formats/autosim/world.hpp"
#include "lib/roads/buildings.hpp"
#include "lib/roads/furniture.hpp"
#include "lib/roads/road_lines.hpp"
#include "lib/scenario/build.hpp"
#include "lib/scenario/files.hpp"
#include "lib/sim/device/body_table.hpp"
#include "lib/sim/device/device_set.hpp"
#include "lib/sim/device/link_table.hpp"
#include "lib/sim/device/robot_sensors.hpp"
#include "lib/sim/device/sampling.hpp"
#include "lib/sim/expect/expectations.hpp"
#include "lib/sim/fluid/fluid.hpp"
#include "lib/sim/mission/follower.hpp"
#include "lib/sim/program/scheduler.hpp"
#include "lib/sim/program/timeline.hpp"
#include "lib/sim/vision/cameras.hpp"
#include "lib/sim/vision/laser_scanner.hpp"
#include "lib/sim/vision/range_images.hpp"
#include "lib/traffic/network.hpp"

namespace simbatch::scenario::detail {

using namespace sim;  // what this room assembles

/// Conversions at the boundary: file units and keywords to SI and our enumerations.
geo::Vec3 vec(const autosim::Vector3& v);
/// R = Ry(y) * Rx(x) * Rz(z), degrees.
geo::Quat rotation_of(const autosim::Vector3& degrees);
/// R = Ry(heading) * Rx(tilt x) * Rz(tilt z).
geo::Quat rotation_of(const autosim::Pose& pose);
/// Degrees/s to rad/s.
geo::Vec3 angular_velocity_of(const autosim::StartMotion& motion);
std::vector<NoiseSpec> noise_of(const std::vector<autosim::Noise>& noise);
/// "2008-02-27T12:00:00Z" to seconds since 1970; nothing if it is not of this form.
std::optional<std::int64_t> unix_time(std::string_view utc);

/// The world under construction: the simulation, and the participants that every step may add bodies and devices to.
struct Assembly {
  Assembly(Simulation& of, const autosim::World& file);

  Simulation& simulation;
  std::unique_ptr<BodyTable> bodies;
  std::unique_ptr<LinkTable> links;
  std::unique_ptr<DeviceSet> devices;
  std::unique_ptr<RobotSensors> sensors;
  std::unique_ptr<SensorSampling> sampling;
  std::unique_ptr<FluidForces> fluid;
  std::unique_ptr<vision::LaserScanners> scanners;    ///< null until there is one
  std::unique_ptr<vision::RangeImages> range_images;  ///< likewise
  std::shared_ptr<vision::EmbreeDevice> vision_device = std::make_shared<vision::EmbreeDevice>();
  models::ModelReader meshes{};                                ///< of collision shapes: one limit of time for all of them
  std::shared_ptr<const std::vector<roads::Road>> roads;       ///< of the map; null: there is no map
  std::shared_ptr<const std::vector<roads::Prism>> prisms;     ///< its buildings; likewise
  std::shared_ptr<const std::vector<roads::HouseBox>> houses;  ///< its generated houses; likewise
  std::optional<geo::LatLon> given_origin;  ///< of the world: that of the scenario or its map; none: a network's first waypoint
  std::map<std::string, std::shared_ptr<const traffic::Network>>
      networks;  ///< that positions refer to, by file; null: unusable
  /// The map's ground, to which heights of roads refer, if roads lie over each other; else null.
  std::shared_ptr<const geo::HeightGrid> ground_under_roads;
  std::shared_ptr<const std::vector<roads::Furniture>> furniture;  ///< of the map; null: there is no map
  double road_lift = 0;                                            ///< of lanes over that, m
  bool is_ground_reported = false;  ///< reported: something is placed where there is no ground, or the ground is missing
};

/// A start pose with x, z and heading.
struct Placement : autosim::Pose {
  /// Of the lanes over the map's ground (m), by a road where roads lie over each other.
  std::optional<double> over_ground = {};
};

/// Results of the steps: participants, settings and appearances, in the order of the scenario.
struct Scene {
  std::vector<TimedSetting> settings;                      ///< of all <Control> elements, for the Timeline
  std::vector<std::unique_ptr<MissionFollower>> missions;  ///< of robots
  std::vector<PlannedPath> plans;                          ///< of the missions
  std::vector<NetworkLine> network_lines;                  ///< of road networks
  std::vector<std::unique_ptr<Participant>> participants;  ///< of <Traffic>
  std::vector<autosim::RobotEntry> vehicles;               ///< autonomous objects of <Traffic>, as robots for programs
  scene::Appearance appearance;
  std::vector<vision::ImagingCamera> cameras;

  void append(Scene&& more);
};

/// Arguments of a step. The inputs are constant; files collects problems and digests; assembly grows.
struct Site {
  const autosim::World& file;
  const BuildOptions& options;
  Files& files;
  Assembly& assembly;
  Simulation& simulation;                                         ///< assembly's
  const std::map<std::string, autosim::Robot>* robots = nullptr;  ///< by entry: in place of their files

  /// The start pose with x, z and heading, however it is given; nothing after an error.
  std::optional<Placement> placed(const autosim::Pose& pose, Position at) const;
  /// Height of the ground in m; 0 with a warning, once for each scenario, where there is none. With Placement::over_ground that
  /// of the lanes, where the surface on top is a bridge over them or the ground over a tunnel.
  double ground(double x, double z, std::string_view what, Position at, std::optional<double> over_ground = {}) const;
  double default_friction() const { return file.physics.friction; }
  /// The scenario's <Surface> of this name, or the default.
  double surface_friction(std::string_view surface) const;
};

// The steps, in the order in which build_scenario() runs them.

/// The ground, and the town of a map.
Scene build_terrain(const Site& site);
/// Sets the world's origin on the earth by the road networks that positions refer to, if it is not known by then.
void set_origin_of_networks(const Site& site);
/// Fixed and loose bodies.
Scene build_statics(const Site& site);
/// Robots with links, devices, controls and missions.
Scene build_robots(const Site& site);
/// The <Traffic> of a scenario.
Scene build_traffic(const Site& site);
/// The lines of networks that only positions refer to.
Scene build_networks(const Site& site);
/// A CajunBot object file as a scenario of its own, with the default name of <Traffic>.
Scene build_objects(const Site& site, const Input& objects);
/// The GraspIt! worlds of a scenario.
void build_grasps(const Site& site);
/// The programs of all robots and vehicles, in their order; null if there are none. @param vehicles  Scene::vehicles
std::unique_ptr<ProgramScheduler> build_programs(const Site& site, const std::vector<autosim::RobotEntry>& vehicles);

/// The scenario's expectations, bound to what was built. After an error only their syntax is checked: names may be missing.
std::unique_ptr<Expectations> build_expectations(const Site& site);

/// A GraspIt! world as a simulation of its own.
BuildResult build_grasp_world(const std::string& path, const Input& input, const BuildOptions& options);
/// An error for a program that was chosen for a robot of a GraspIt! world, with what can be done. @param world  its file
void refuse_grasp(const std::string& robot, const std::string& world, Diagnostics& problems);
/// The World file for an object file: flat ground.
autosim::World world_of_objects();
/// The World file for a map folder, beside its setup.xml.
autosim::World world_of_map();

/// `before`, then the first names, with commas; empty if there is none.
std::string list_of(const std::vector<std::string>& names, std::string_view before);
/// Warns of overlaps before the first step: robots and loose objects in each other, in fixed objects, in the ground. Call when
/// the world is complete.
void check_overlaps(const Site& site);
/// Warns of dynamic bodies that nothing carries, of those whose names begin with `prefix`, where their nodes come from: of the first
/// few, and of the number of the rest. Call when the world is complete. @param file  for bodies without a node
void check_support(Simulation& simulation, const std::string& prefix, const std::string& file, Diagnostics& problems);
/// Warns of bodies that start so fast that they move further than their own size in a step.
void check_speeds(const Site& site);
/// The settings of a Control of the robot or traffic `owner`; reports a device or an input that it does not have.
std::vector<TimedSetting> settings_of(const Site& site, const std::string& owner, const autosim::Control& control);

/// The part of a robot that executes a mission, and its actuators and sensors.
struct MissionHost {
  TreeNode* robot = nullptr;
  PartRef part;
  FluidSettings fluid;
  std::vector<Thruster> thrusters;
  std::optional<NavigationSensors> sensors = {};                    ///< of the part; absent: not both
  DeviceNode* drive = nullptr;                                      ///< with wheels; nullptr: none
  double wheelbase = 0, steering_angle = 0, full_acceleration = 0;  ///< of the drive; m, rad, m/s^2
};
/// By mission file: the shared board of the vehicles in a formation.
using MissionBoards = std::map<std::string, std::shared_ptr<MissionBoard>>;
/// Reads the entry's mission and places it in the world; null after an error. @pre entry.mission
/// @param plans  gets the path
std::unique_ptr<MissionFollower> build_mission(const Site& site, const autosim::RobotEntry& entry, const MissionHost& host,
                                               MissionBoards& boards, std::vector<PlannedPath>& plans);

/// Collision geometry of a mesh.
enum class MeshUse {
  surface,  ///< its triangles: for fixed bodies
  hull,     ///< its convex hull: parts of robots
};
/// Converts a file's shape to a physics shape; reports at `at` in `file`. Meshes are Wavefront OBJ files beside `file`.
std::optional<physics::Shape> shape_of(const Site& site, const autosim::Shape& shape, const std::string& file, Position at,
                                       MeshUse use);
/// The same as one or several shapes: a mesh with <Hulls> becomes that many convex ones. Empty after an error.
std::vector<physics::Shape> shapes_of(const Site& site, const autosim::Shape& shape, const std::string& file, Position at,
                                      MeshUse use);
/// Lowest and highest y of a shape turned by q about its frame's origin.
struct Span {
  double low = 0, high = 0;
};
Span height_span(const physics::Shape& shape, const geo::Quat& q);
/// Points whose convex hull contains the shape's underside: corners of a box, hull or mesh; for round shapes the lowest point
/// when turned by q.
std::vector<geo::Vec3> low_points(const physics::Shape& shape, const geo::Quat& q);

}  // namespace simbatch::scenario::detail
