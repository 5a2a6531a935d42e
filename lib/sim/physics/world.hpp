#pragma once
/// A world of rigid bodies, links, vehicles and terrain over Bullet (double precision). Units SI, world frame x east, y up,
/// z north. Broken preconditions (unknown ids, a mass <= 0, a shape that check_shape() refuses) throw std::invalid_argument:
/// code that builds a world from a file checks first.
///
/// Order: nothing enters Bullet before the first step (or ray, or contact query). Then everything that was added enters in
/// canonical order: terrain, static, kinematic, dynamic bodies, links, vehicles, articulations; within a kind by name, then
/// by order of adding. So a world file with its objects permuted gives the same run. What is added later enters at the next
/// step, sorted the same way.

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/core/hash.hpp"
#include "lib/sim/physics/articulation.hpp"
#include "lib/sim/physics/drive.hpp"
#include "lib/sim/physics/shapes.hpp"
#include "lib/sim/physics/vehicle.hpp"

namespace simbatch::physics {

enum class BodyId : std::uint32_t {};
enum class LinkId : std::uint32_t {};
enum class VehicleId : std::uint32_t {};
/// No body: the world itself.
inline constexpr BodyId kNoBody{0xFFFFFFFFu};
/// No robot.
inline constexpr int kNoGroup = -1;

struct WorldSettings {
  double dt = 1.0 / 240;       ///< s, of every step
  Vec3 gravity{0, -9.81, 0};   ///< m/s^2
  int solver_iterations = 10;  ///< Bullet's default; more for tall stacks and long chains
  /// 1: friction along the slipping only (Bullet's default; most accurate sliding). 2: a pyramid of two directions, which
  /// grips better, and drifts sideways by 3 mm per meter when sliding.
  int friction_directions = 1;
  double floor_depth = 1000;  ///< m under the lowest terrain (or y = 0) where a body counts as lost
};

enum class BodyKind {
  fixed,      ///< never moves (a house)
  kinematic,  ///< moved by set_pose, pushes others and is pushed by none (a platform, a door)
  dynamic,
  articulated,  ///< a link or the base of an articulation: not for add_body
};

struct BodySettings {
  std::string name;  ///< fully qualified; for order, messages and the state hash's order
  BodyKind kind = BodyKind::dynamic;
  std::vector<Part> parts;             ///< at least one
  Pose pose;                           ///< of the body's frame in the world
  double mass = 1;                     ///< kg, > 0; of dynamic bodies
  std::optional<Vec3> center_of_mass;  ///< in the body's frame; absent: of a solid of uniform density
  std::optional<Inertia> inertia;      ///< about the center of mass; absent: of that solid, moved to center_of_mass
  double friction = 0.5;               ///< Coulomb; a pair has the product of both, unless set_pair_friction is called
  double restitution = 0;              ///< a pair has the product of both
  double rolling_friction = 0, spinning_friction = 0;  ///< m; a pair has f1 * r2 + f2 * r1 (Bullet)
  double linear_damping = 0, angular_damping = 0;      ///< 1/s as a share of velocity lost: v *= (1 - d)^dt
  int material = 0;                                    ///< for set_pair_friction; 0 = none
  int group = kNoGroup;                                ///< robot: sensors ignore their own
  bool gravity = true;
  bool may_sleep = false;                  ///< may be frozen after 2 s of rest (Bullet's deactivation): faster, no longer exact
  Vec3 linear_velocity, angular_velocity;  ///< at the start; world axes
};

struct TerrainSettings {
  std::string name = "terrain";
  double friction = 1, restitution = 0;
  int material = 0;
};

enum class LinkKind { spherical, revolute, prismatic, fixed, generic };
/// One of a generic link's six motions.
struct LinkAxis {
  bool locked = true;
  std::optional<double> lower, upper;  ///< m or rad
  double stiffness = 0, damping = 0;   ///< N/m and N s/m, or N m/rad and N m s/rad; a spring to 0
};
/// Two bodies, or a body and the world, joined at their poses when the link is added. Linked bodies do not collide.
struct LinkSettings {
  std::string name;
  LinkKind kind = LinkKind::spherical;
  BodyId a = kNoBody;                  ///< parent; kNoBody: the world
  BodyId b = kNoBody;                  ///< child
  Vec3 position;                       ///< world, at the time of adding
  Vec3 axis{0, 1, 0};                  ///< world; revolute, prismatic, and the generic link's x
  std::optional<double> lower, upper;  ///< rad (within -pi..pi) or m, from b's present pose
  std::array<LinkAxis, 6> axes;        ///< generic: along x, y, z, about x, y, z; x = axis
  bool collide = false;                ///< let the two bodies collide all the same
  JointLoad load;                      ///< revolute, prismatic; position 0 is b's present pose
  bool motor = false;                  ///< revolute, prismatic: takes set_link_motor(JointMotor)
};

/// Force and torque, world axes.
struct Wrench {
  Vec3 force, torque;
};

/// What a ray hit.
struct RayHit {
  double fraction = 1;    ///< 0 at `from`, 1 at `to`
  Vec3 point, normal;     ///< world; the normal is of length 1 and points against the ray
  BodyId body = kNoBody;  ///< of a terrain as well: terrains are bodies
  int part = -1;          ///< of a compound body; of a mesh or terrain: -1
};
struct RayFilter {
  int ignore_group = kNoGroup;
  BodyId ignore_body = kNoBody;
};

/// One touching point of two bodies, after the last step.
struct Contact {
  BodyId a = kNoBody, b = kNoBody;  ///< a < b
  int part_a = -1, part_b = -1;
  Vec3 point;             ///< world, on b
  Vec3 normal;            ///< world, from b towards a
  double distance = 0;    ///< m, negative when they overlap
  double impulse = 0;     ///< N s, along the normal, of the last step; force = impulse / dt
  Vec3 friction_impulse;  ///< N s, on a
};

/// Two bodies that are inside each other.
struct Overlap {
  BodyId a = kNoBody, b = kNoBody;  ///< a < b; at least one of them dynamic, none a terrain
  double depth = 0;                 ///< m, > 0: how far one would have to move, as the contact solver sees it
};

/// A world that has left the range where numbers mean anything.
struct BlowUp {
  BodyId body;
  std::string name;
  std::uint64_t step = 0;
  bool not_finite = false;  ///< else: further under the lowest terrain than floor_depth
  Vec3 position;
};

class World {
 public:
  explicit World(const WorldSettings& settings = {});
  ~World();
  World(const World&) = delete;
  World& operator=(const World&) = delete;
  const WorldSettings& settings() const;

  // ---- Building
  BodyId add_body(BodySettings settings);
  /// A level plane without end, at a height (m). Solid from above only, as a grid of heights is.
  BodyId add_plane(double height, const TerrainSettings& settings = {});
  BodyId add_terrain(HeightGrid grid, const TerrainSettings& settings = {});
  BodyId add_terrain(TriangleMesh mesh, const TerrainSettings& settings = {});
  LinkId add_link(LinkSettings s);
  /// A vehicle on a dynamic body, which never sleeps from then on.
  VehicleId add_vehicle(BodyId chassis, VehicleSettings settings);
  /// Before the first step. Its base and links are bodies, found by their names.
  ArticulationId add_articulation(ArticulationSettings settings);
  /// Whether two bodies collide (they do, unless linked). Before the pair touches.
  void set_collision(BodyId a, BodyId b, bool collide);
  /// Friction of two materials (> 0) where they meet, in place of the product.
  void set_pair_friction(int material_a, int material_b, double friction);

  // ---- Running
  /// One step of dt: force sources, vehicles, then Bullet's step.
  void step();
  std::uint64_t step_count() const;
  double time() const;  ///< step_count * dt
  /// Called at the start of every step, in the order of adding: drag, buoyancy, propellers, springs.
  void add_force_source(std::function<void(World&)> source);

  // ---- Bodies
  std::size_t body_count() const;
  BodyId find_body(std::string_view name) const;  ///< kNoBody if there is none
  const std::string& name(BodyId body) const;
  BodyKind kind(BodyId body) const;
  int group(BodyId body) const;
  const MassProperties& mass(BodyId body) const;
  Pose pose(BodyId body) const;            ///< of the body's frame
  Vec3 center_of_mass(BodyId body) const;  ///< world
  /// Of the body's frame origin / of its center of mass / of any point fixed to it (world). A body at rest reads 0: the
  /// velocity is the one that moved the body in the last step, without the g * dt that Bullet's vehicles leave in it.
  Vec3 linear_velocity(BodyId body) const;
  Vec3 center_velocity(BodyId body) const;
  Vec3 point_velocity(BodyId body, Vec3 point) const;
  Vec3 angular_velocity(BodyId body) const;  ///< rad/s, world axes
  /// Dynamic: a jump, velocities stay. Kinematic: its pose at the end of the next step; bodies on it feel the
  /// velocity. Fixed: std::invalid_argument.
  void set_pose(BodyId body, const Pose& pose);
  void set_velocity(BodyId body, Vec3 linear_of_center, Vec3 angular);
  /// For the coming step only; world axes; N at the center of mass, N at a world point, N m.
  void apply_force(BodyId body, Vec3 force);
  void apply_force_at(BodyId body, Vec3 force, Vec3 point);
  void apply_torque(BodyId body, Vec3 torque);
  /// What acts on a dynamic body in the coming step so far, gravity included: N, and N m about the center of mass; world axes.
  Vec3 applied_force(BodyId body) const;
  Vec3 applied_torque(BodyId body) const;
  /// At once; N s at a world point, N m s.
  void apply_impulse_at(BodyId body, Vec3 impulse, Vec3 point);
  void apply_torque_impulse(BodyId body, Vec3 impulse);

  // ---- Links
  /// Angle (rad, whole turns included) or displacement (m) of b against a since the link was added; revolute and prismatic.
  double link_position(LinkId id) const;
  double link_velocity(LinkId id) const;
  /// What the motor does from the next step on. @pre LinkSettings::motor
  void set_link_motor(LinkId id, const JointMotor& motor);
  /// Mean of the last step, N m or N: of the motor; of spring, damper, friction and rotor together.
  double link_motor_force(LinkId id) const;
  double link_load_force(LinkId id) const;
  /// Drives a revolute or prismatic link to `speed` (rad/s, m/s) with at most `max_force` (N m, N); max_force 0 = off.
  void set_link_motor(LinkId id, double speed, double max_force);
  /// A torque or force between the two bodies along the link's axis, for the coming step only.
  void apply_link_force(LinkId id, double force);
  /// What goes through the link: N and N m that act on b at the link's place, mean of the last step, with the motor's and the load's.
  /// @pre watch_link, before that step
  Wrench link_wrench(LinkId id) const;
  void watch_link(LinkId id);

  // ---- Vehicles
  const VehicleSettings& vehicle(VehicleId vehicle) const;
  BodyId chassis(VehicleId vehicle) const;
  void set_controls(VehicleId vehicle, const VehicleControls& controls);
  /// One wheel by itself; its flags do not count.
  void set_wheel_controls(VehicleId vehicle, std::size_t wheel, const VehicleControls& controls);
  WheelState wheel(VehicleId vehicle, std::size_t wheel) const;
  DriveTrainReadings drive_train(VehicleId vehicle) const;

  // ---- Articulations; joints count as the links do
  const ArticulationSettings& articulation(ArticulationId id) const;
  BodyId articulation_base(ArticulationId id) const;
  BodyId articulation_link(ArticulationId id, std::size_t link) const;
  double joint_position(ArticulationId id, std::size_t link) const;  ///< rad or m
  double joint_velocity(ArticulationId id, std::size_t link) const;
  void set_joint_state(ArticulationId id, std::size_t link, double position, double velocity);
  /// N m or N, for the coming step only.
  void apply_joint_force(ArticulationId id, std::size_t link, double force);
  /// As the links' are. @pre ArticulatedLink::motor
  void set_joint_motor(ArticulationId id, std::size_t link, const JointMotor& motor);
  double joint_motor_force(ArticulationId id, std::size_t link) const;
  double joint_load_force(ArticulationId id, std::size_t link) const;
  /// What goes through the joint: acts on the link at the joint's place. @pre watch_joint, before that step
  Wrench joint_wrench(ArticulationId id, std::size_t link) const;
  void watch_joint(ArticulationId id, std::size_t link);
  /// Of joints without load and motor: drives a joint to `speed` with at most `max_force`; speed 0 and max_force as friction is how it starts.
  void set_joint_motor(ArticulationId id, std::size_t link, double speed, double max_force);

  // ---- Contents, for other views of the world (lib/sim/vision)
  bool is_terrain(BodyId body) const;
  /// The shapes of a body, in its frame; copies, made by each call. Empty for a terrain that is a grid of heights.
  std::vector<Part> parts(BodyId body) const;
  /// The faces of one of its parts that is a hull, as rays see it (the points of ConvexHull are rounded to 1/10000 of its size there).
  const TriangleMesh& hull_surface(BodyId body, std::size_t part) const;
  /// The heights of a terrain that is a grid; nullptr for everything else.
  const HeightGrid* terrain_grid(BodyId body) const;
  /// The height of a terrain that is a plane without end (m); empty for everything else.
  std::optional<double> terrain_plane(BodyId body) const;
  std::size_t vehicle_count() const;

  // ---- Queries
  /// The first thing that the line from `from` to `to` enters. A body that contains `from` is not hit. Exact for boxes,
  /// spheres, terrain and meshes.
  std::optional<RayHit> ray_cast(Vec3 from, Vec3 to, const RayFilter& filter = {});
  /// Touching points after the last step, sorted by (a, b), then as found.
  void contacts(std::vector<Contact>& out);
  /// Pairs that overlap by more than `least_depth` (m) where they are now, but for linked ones; sorted by (a, b). Leaves no
  /// trace in later steps.
  std::vector<Overlap> overlaps(double least_depth);
  /// Surface of the terrains under (x, z); empty where there is none.
  std::optional<double> terrain_height(double x, double z);

  // ---- Comparison of runs
  /// The first body (in canonical order) that is not finite or lost under the floor.
  std::optional<BlowUp> find_blow_up() const;
  /// Poses and velocities of all bodies that can move and all wheels, in canonical order.
  void hash_state(StateHash& hash) const;
  std::uint64_t state_hash() const;
  /// Version and build of the engine, and every setting that can change a result, as one line of text.
  std::string engine() const;

  struct State;  ///< internal to this room

 private:
  std::unique_ptr<State> state_;
};

}  // namespace simbatch::physics
