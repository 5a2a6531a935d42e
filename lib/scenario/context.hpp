#pragma once
/// What the functions that build parts of a scenario share.

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/core/input.hpp"
#include "base/geo/geo.hpp"
#include "base/geo/pose.hpp"
#include "formats/autosim/robot.hpp"
#include "formats/autosim/world.hpp"
#include "lib/scenario/build.hpp"
#include "lib/sim/device/body_table.hpp"
#include "lib/sim/device/device_set.hpp"
#include "lib/sim/device/link_table.hpp"
#include "lib/sim/fluid/fluid.hpp"
#include "lib/sim/mission/follower.hpp"
#include "lib/sim/program/scheduler.hpp"
#include "lib/sim/program/timeline.hpp"
#include "lib/sim/vision/cameras.hpp"
#include "lib/sim/vision/laser_scanner.hpp"

namespace simbatch::scenario::detail {

using namespace sim;  // what this room assembles

/// Conversions at the boundary: file units and words to SI and ours.
geo::Vec3 vec(const autosim::Vector3& v);
/// R = Ry(y) * Rx(x) * Rz(z), degrees.
geo::Quat rotation_of(const autosim::Vector3& degrees);
/// R = Ry(heading) * Rx(tilt x) * Rz(tilt z).
geo::Quat rotation_of(const autosim::Pose& pose);
std::vector<NoiseSpec> noise_of(const std::vector<autosim::Noise>& noise);
/// "2008-02-27T12:00:00Z" to seconds since 1970; nothing if it is not of this form.
std::optional<std::int64_t> unix_time(std::string_view utc);

struct BuildContext {
  const autosim::World& world_file;
  std::string scenario_path;  ///< as given
  std::string folder;         ///< of the scenario; "" for the working folder
  const BuildOptions& options;
  Simulation& simulation;
  BodyTable& bodies;
  LinkTable& links;
  DeviceSet& devices;
  FluidForces& fluid;
  std::vector<TimedSetting> settings;  ///< of all robots, for the Timeline
  Diagnostics& problems;
  std::vector<FileDigest>& inputs;
  bool unreadable = false;
  int next_group = 0;  ///< of the next robot

  /// Opens a file named in the scenario (relative to its folder), notes its digest; reports at `at` and returns nothing if
  /// it cannot be read or lies outside the root.
  std::optional<Input> open(const std::string& name, Position at) { return open(name, scenario_path, at); }
  /// The same for a file named in another file (`from`, as it was opened), relative to that one's folder.
  std::optional<Input> open(const std::string& name, const std::string& from, Position at);
  /// Where a model is that a file (`from`) names, read when the first picture is drawn. Notes the digests of its files now: what a
  /// program sees may depend on them.
  vision::ModelFile model_of(const std::optional<autosim::Model>& model, const std::string& from, Position at);
  /// Opens a file that the user named, wherever it lies.
  std::optional<Input> open_named(const std::string& path);
  void report(const Code& code, Position at, std::string message);  ///< in the scenario file
  void report(const Code& code, const std::string& file, Position at, std::string message);

  /// x and z of a start pose (from latitude and longitude too); nothing after an error.
  std::optional<geo::EastNorth> place_of(const autosim::Pose& pose, Position at);
  /// Height of the ground, 0 with a warning (once) where there is none.
  double ground(double x, double z, std::string_view what, Position at);
  double default_friction() const { return world_file.physics.friction; }
  double surface_friction(std::string_view surface) const;
  bool warned_about_ground = false;
  std::vector<std::unique_ptr<MissionFollower>> missions = {};  ///< of all robots
  std::vector<std::unique_ptr<Participant>> participants = {};  ///< of <Traffic>
  std::vector<autosim::RobotEntry> vehicles = {};               ///< autonomous objects of <Traffic>, as robots for programs
  std::shared_ptr<vision::EmbreeDevice> vision_device = std::make_shared<vision::EmbreeDevice>();
  std::unique_ptr<vision::LaserScanners> scanners = {};  ///< once there is one
  vision::Appearance looks = {};
  std::set<std::pair<std::string, std::string>> models = {};  ///< whose digests are noted, by folder and type
  std::vector<vision::ImagingCamera> cameras = {};
  std::map<std::string, std::shared_ptr<MissionBoard>> boards = {};  ///< one for each mission file
  std::unique_ptr<ProgramScheduler> programs = nullptr;              ///< of all robots
};

/// A GraspIt! world as a simulation of its own.
BuildResult build_grasp_world(const std::string& path, const Input& input, const BuildOptions& options);

/// An error for a program that was chosen for a robot of a GraspIt! world, with what can be done. @param world  its file
void refuse_grasp(const std::string& robot, const std::string& world, Diagnostics& problems);

/// The GraspIt! worlds of a scenario.
void build_grasps(BuildContext& context);

void build_terrain(BuildContext& context);
void build_statics(BuildContext& context);
void build_robots(BuildContext& context);
void build_traffic(BuildContext& context);
/// A CajunBot object file as a scenario of its own, called as <Traffic> without a name would be.
void build_objects(BuildContext& context, const Input& objects);
/// True for a text that build_objects() is for.
bool is_object_file(std::string_view text, const BuildOptions& options);
/// What stands around objects that no World file describes: flat ground.
autosim::World world_of_objects();

/// Hands a Control of the robot or traffic `owner` to the Timeline; reports a device or an input that it does not have.
void build_control(BuildContext& context, const std::string& owner, const autosim::Control& control);
/// The programs of all robots, in their order. After the robots.
void build_programs(BuildContext& context);

/// The part of a robot that sails a mission, and what it can do.
struct MissionHost {
  TreeNode* robot = nullptr;
  PartRef part;
  FluidSettings fluid;
  std::vector<Thruster> thrusters;
  DeviceNode* drive = nullptr;                                      ///< with wheels; nullptr: none
  double wheelbase = 0, steering_angle = 0, full_acceleration = 0;  ///< of the drive; m, rad, m/s^2
};
/// Reads the entry's mission, places it in the world, adds its follower to context.missions. @pre entry.mission
void build_mission(BuildContext& context, const autosim::RobotEntry& entry, const MissionHost& host);

/// How a mesh collides.
enum class MeshUse {
  surface,  ///< its triangles: what never moves
  hull,     ///< its convex hull: parts of robots
};
/// The physics' shape of a file's; reports at `at` in `file`. Meshes are Wavefront OBJ files beside `file`.
std::optional<physics::Shape> shape_of(BuildContext& context, const autosim::Shape& shape, const std::string& file, Position at,
                                       MeshUse use);
/// Least and greatest y of a shape turned by q about its frame's origin.
struct Span {
  double low = 0, high = 0;
};
Span height_span(const physics::Shape& shape, const geo::Quat& q);
/// Points whose hull holds the shape's underside: corners of a box, hull or mesh; of round shapes the lowest point when
/// turned by q.
std::vector<geo::Vec3> low_points(const physics::Shape& shape, const geo::Quat& q);

}  // namespace simbatch::scenario::detail
