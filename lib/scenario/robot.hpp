#pragma once
/// Builds a robot, in the order of its file (thesis 5.4): bodies, links, devices, drives, controls, mission. Internal to this
/// room.

#include <array>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "lib/scenario/site.hpp"

namespace simbatch::scenario::detail {

/// A robot file, read once however many robots use it.
struct RobotFile {
  std::string path;
  autosim::Robot robot;
  std::vector<std::string> fixed = {};  ///< parts that never move, of a robot in another format
  bool broken = false;                  ///< had errors: missing elements may only have been left out
  std::set<std::string> names;          ///< of a broken file: names of all its blocks, including those that were left out
};

/// The robot of an entry, from its file or Site::robots. Reports what is wrong; nothing if there is nothing to use.
std::optional<RobotFile> read_robot_file(const Site& site, const autosim::RobotEntry& entry);

/// One body, ready for the physics except for its pose in the world.
struct BodyPlan {
  const autosim::Body* from = nullptr;
  std::vector<physics::Part> parts;
  /// By part: its own color, if it has one; empty without any.
  std::vector<std::optional<std::array<float, 3>>> colors = {};
  geo::Pose pose = {};  ///< in the robot
  std::optional<geo::Vec3> center_of_mass;
  std::optional<physics::Inertia> inertia;
};

/// Shapes and masses of all bodies of a file; reports those that cannot be built and leaves them out.
std::vector<BodyPlan> plan_bodies(const Site& site, const RobotFile& file);
FluidSettings fluid_of(const autosim::Fluid& from);

/// A link that sensors can refer to.
struct LinkEntry {
  std::string name;
  JointRef joint;
  physics::LinkKind kind = physics::LinkKind::revolute;
  DeviceNode* node = nullptr;
};

/// A robot whose bodies and links are in the world.
struct RobotParts {
  const autosim::RobotEntry& entry;
  const RobotFile& file;
  TreeNode* node = nullptr;
  std::vector<BodyPlan> plans;
  std::vector<std::pair<std::string, PartRef>> parts = {};  ///< by name in the file
  std::vector<LinkEntry> links = {};                        ///< revolute and prismatic ones, in the order of the file

  /// Null: there is none.
  const PartRef* part(const std::string& name) const;
  /// Whether the scenario fixes this part.
  bool is_fixed(const std::string& name) const;
};

/// A wheel's device and the node that shows it.
struct WheelEntry {
  std::string drive;  ///< the DriveActuator's name
  std::string part;
  const autosim::Device* device = nullptr;
  DeviceNode* node = nullptr;
};
struct DriveEntry {
  const autosim::Device* device = nullptr;
  DeviceNode* node = nullptr;
  PartRef part;

  bool owns(const WheelEntry& wheel) const { return wheel.drive == device->name && wheel.part == device->part; }
};
/// Devices that later steps connect to the physics.
struct RobotDevices {
  std::vector<DriveEntry> drives;
  std::vector<WheelEntry> wheels;
  std::vector<std::pair<std::string, Thruster>> propellers;  ///< with the part that carries it
};

/// The node of a body below its robot; null when its name is taken (reported).
TreeNode* add_body_node(const Site& site, const RobotParts& robot, const BodyPlan& plan);
/// Properties of a body besides the physics: its entry among the parts, its appearance, buoyancy and drag.
void finish_body(const Site& site, RobotParts& robot, const BodyPlan& plan, TreeNode& node, physics::BodyId id, int group,
                 Scene& scene);
/// Creates links between bodies of the world, with their motors. @param X_WR  the robot's pose
void add_links(const Site& site, RobotParts& robot, const geo::Pose& X_WR);
/// All bodies and links of a robot with <Articulation>. Reports links that do not form a tree.
void add_articulation(const Site& site, RobotParts& robot, const geo::Pose& X_WR, int group, Scene& scene);

/// Warns of a drive whose motor has no powered wheel, and of wheels that do not reach level ground. @param wheels  the drive's
void check_wheels(const Site& site, const RobotParts& robot, const DriveEntry& drive,
                  const std::vector<const WheelEntry*>& wheels);
/// An encoder, inertial unit, bumper, force and torque sensor or radar. @pre device.kind is one of these
void add_robot_sensor(const Site& site, const RobotParts& robot, const PartRef& on, const DeviceCommon& common,
                      const autosim::Device& device);
/// Sets rate and latency of a sensor; reports invalid ones.
void add_sampling(const Site& site, const PartRef& on, const autosim::Device& device);
/// Turns +z to the direction, then rolls about it until +y is as close to the up vector as possible.
geo::Quat aimed(geo::Vec3 forward, geo::Vec3 up_vector);

/// Adds the devices of a robot to its parts. @param scene  gets cameras and lights
RobotDevices add_devices(const Site& site, const RobotParts& robot, Scene& scene);
/// Creates a vehicle for each drive with wheels. @param scene  gets the models of the wheels
void add_vehicles(const Site& site, const RobotParts& robot, const RobotDevices& devices, Scene& scene);
/// The part that executes the robot's mission: the one named by the mission, with that part's propellers, or else its drive.
/// Nothing after an error. @pre robot.entry.mission
std::optional<MissionHost> mission_host(const Site& site, const RobotParts& robot, const RobotDevices& devices);

}  // namespace simbatch::scenario::detail
