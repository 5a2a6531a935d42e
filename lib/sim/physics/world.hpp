#pragma once
/// A world of rigid bodies, links, vehicles and terrain over Bullet (double precision). Units SI, world frame x east, y up, z
/// north. Violated preconditions (unknown ids, a mass <= 0, a shape that check_shape() rejects) throw std::invalid_argument:
/// code that builds a world from a file must check first.
///
/// Order: nothing is inserted into Bullet before the first step (or ray, or contact query). Then everything is inserted in
/// canonical order: terrain, static, kinematic, dynamic bodies, links, vehicles, articulations; within a kind by name, then by
/// order of addition. So a world file with its objects permuted gives the same run. Later additions are inserted at the next
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
#include "lib/sim/physics/mesh_cache.hpp"
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
  /// 1: friction along the sliding direction only (Bullet's default; most accurate sliding). 2: a friction pyramid of two
  /// directions, which grips better but drifts sideways by 3 mm per meter when sliding.
  int friction_directions = 1;
  double floor_depth = 1000;               ///< m below the lowest terrain (or y = 0) at which a body counts as lost
  std::shared_ptr<MeshCache> meshes = {};  ///< cache for the engine's shapes of meshes; null: none are kept
};

enum class BodyKind {
  fixed,      ///< never moves (a house)
  kinematic,  ///< moved by set_pose, pushes others but cannot be pushed (a platform, a door)
  dynamic,
  articulated,  ///< a link or the base of an articulation: not for add_body
};

struct BodySettings {
  std::string name;  ///< fully qualified; for messages and the canonical order
  BodyKind kind = BodyKind::dynamic;
  std::vector<Part> parts;             ///< at least one
  Pose pose;                           ///< body frame in the world
  double mass = 1;                     ///< kg, > 0; of dynamic bodies
  std::optional<Vec3> center_of_mass;  ///< in the body frame; absent: that of a solid of uniform density
  /// about the center of mass; absent: that of the uniform solid, shifted to center_of_mass
  std::optional<Inertia> inertia;
  double friction = 0.5;   ///< Coulomb; a pair uses the product of both, unless set_pair_friction is called
  double restitution = 0;  ///< a pair uses the product of both
  double rolling_friction = 0, spinning_friction = 0;  ///< m; a pair uses f1 * r2 + f2 * r1 (Bullet)
  double linear_damping = 0, angular_damping = 0;      ///< 1/s as a share of velocity lost: v *= (1 - d)^dt
  int material = 0;                                    ///< for set_pair_friction; 0 = none
  int group = kNoGroup;                                ///< robot number; sensors ignore bodies of their own group
  bool gravity = true;
  bool may_sleep = false;                  ///< may be frozen after 2 s of rest (Bullet's deactivation): faster, no longer exact
  Vec3 linear_velocity, angular_velocity;  ///< initial; world axes
};

struct TerrainSettings {
  std::string name = "terrain";
  double friction = 1, restitution = 0;
  int material = 0;
};

enum class LinkKind { spherical, revolute, prismatic, fixed, generic };
/// One of the six degrees of freedom of a generic link.
struct LinkAxis {
  bool locked = true;
  std::optional<double> lower, upper;  ///< m or rad
  double stiffness = 0, damping = 0;   ///< N/m and N s/m, or N m/rad and N m s/rad; the spring's rest position is 0
};
/// Connects two bodies, or a body and the world, in their poses at the time when the link is added. Linked bodies do not
/// collide.
struct LinkSettings {
  std::string name;
  LinkKind kind = LinkKind::spherical;
  BodyId a = kNoBody;                  ///< parent; kNoBody: the world
  BodyId b = kNoBody;                  ///< child
  Vec3 position;                       ///< world, when the link is added
  Vec3 axis{0, 1, 0};                  ///< world; revolute, prismatic, and the generic link's x
  std::optional<double> lower, upper;  ///< rad (within -pi..pi) or m, relative to b's current pose
  std::array<LinkAxis, 6> axes;        ///< generic: along x, y, z, about x, y, z; x = axis
  bool collide = false;                ///< let the two bodies collide nevertheless
  JointLoad load;                      ///< revolute, prismatic; position 0 is b's current pose
  bool motor = false;                  ///< revolute, prismatic: allows set_link_motor(JointMotor)
};

/// Force and torque, world axes.
struct Wrench {
  Vec3 force, torque;
};

/// A ray's hit.
struct RayHit {
  double fraction = 1;    ///< 0 at `from`, 1 at `to`
  Vec3 point, normal;     ///< world; unit normal, opposing the ray
  BodyId body = kNoBody;  ///< terrains are bodies, too
  int part = -1;          ///< index in a compound body; -1 for a mesh or terrain
};
struct RayFilter {
  int ignore_group = kNoGroup;
  BodyId ignore_body = kNoBody;
};

struct FirstBelow;  // first_below.hpp

/// One contact point of two bodies, after the last step.
struct Contact {
  BodyId a = kNoBody, b = kNoBody;  ///< a < b
  int part_a = -1, part_b = -1;
  Vec3 point;             ///< world, on b
  Vec3 normal;            ///< world, from b toward a
  double distance = 0;    ///< m, negative when they overlap
  double impulse = 0;     ///< N s, along the normal, of the last step; force = impulse / dt
  Vec3 friction_impulse;  ///< N s, on a
};

/// Two overlapping bodies.
struct Overlap {
  BodyId a = kNoBody, b = kNoBody;  ///< a < b; at least one of them dynamic, none a terrain
  double depth = 0;                 ///< m, > 0: penetration depth, as used by the contact solver
};

/// A body state that is not finite or out of range.
struct BlowUp {
  BodyId body;
  std::string name;
  std::uint64_t step = 0;
  bool not_finite = false;  ///< else: further below the lowest terrain than floor_depth
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
  /// A level, infinite plane at a height (m). Solid from above only, like a height grid.
  BodyId add_plane(double height, const TerrainSettings& settings = {});
  BodyId add_terrain(HeightGrid grid, const TerrainSettings& settings = {});
  BodyId add_terrain(TriangleMesh mesh, const TerrainSettings& settings = {});
  LinkId add_link(LinkSettings s);
  /// Adds a vehicle to a dynamic body, which never sleeps from then on.
  VehicleId add_vehicle(BodyId chassis, VehicleSettings settings);
  /// Must precede the first step. The base and links become bodies, to be found by name.
  ArticulationId add_articulation(ArticulationSettings settings);
  /// Whether two bodies collide (default: yes, unless linked). Must be set before they touch.
  void set_collision(BodyId a, BodyId b, bool collide);
  /// Friction between two materials (> 0), instead of the product.
  void set_pair_friction(int material_a, int material_b, double friction);

  // ---- Running
  /// One step of dt: force sources, vehicles, then Bullet's step.
  void step();
  std::uint64_t step_count() const;
  double time() const;  ///< step_count * dt
  /// Called at the start of every step, in order of addition: drag, buoyancy, propellers, springs.
  void add_force_source(std::function<void(World&)> source);

  // ---- Bodies
  std::size_t body_count() const;
  BodyId find_body(std::string_view name) const;  ///< kNoBody if there is none
  const std::string& name(BodyId body) const;
  BodyKind kind(BodyId body) const;
  int group(BodyId body) const;
  double friction(BodyId body) const;     ///< as it was added, like the next
  double restitution(BodyId body) const;  ///< 0..1
  const MassProperties& mass(BodyId body) const;
  Pose pose(BodyId body) const;            ///< of the body's frame
  Vec3 center_of_mass(BodyId body) const;  ///< world
  /// Velocity of the origin of the body frame / of its center of mass / of any point fixed to it (world). Exactly 0 for a body
  /// at rest: it is the velocity that moved the body in the last step, without the g * dt that Bullet's vehicles leave in it.
  Vec3 linear_velocity(BodyId body) const;
  Vec3 center_velocity(BodyId body) const;
  Vec3 point_velocity(BodyId body, Vec3 point) const;
  Vec3 angular_velocity(BodyId body) const;  ///< rad/s, world axes
  /// Dynamic: teleports, velocities are kept. Kinematic: the pose at the end of the next step; bodies on it are moved by the
  /// resulting velocity. Fixed: std::invalid_argument.
  void set_pose(BodyId body, const Pose& pose);
  void set_velocity(BodyId body, Vec3 linear_of_center, Vec3 angular);
  /// For the coming step only; world axes; N at the center of mass, N at a world point, N m.
  void apply_force(BodyId body, Vec3 force);
  void apply_force_at(BodyId body, Vec3 force, Vec3 point);
  void apply_torque(BodyId body, Vec3 torque);
  /// Sum of the forces and torques on a dynamic body for the coming step so far, including gravity: N, and N m about the center
  /// of mass; world axes.
  Vec3 applied_force(BodyId body) const;
  Vec3 applied_torque(BodyId body) const;
  /// Immediate; N s at a world point, N m s.
  void apply_impulse_at(BodyId body, Vec3 impulse, Vec3 point);
  void apply_torque_impulse(BodyId body, Vec3 impulse);

  // ---- Links
  /// Angle (rad, including full turns) or displacement (m) of b relative to a since the link was added; revolute and prismatic.
  double link_position(LinkId id) const;
  double link_velocity(LinkId id) const;
  /// Sets the motor from the next step on. @pre LinkSettings::motor
  void set_link_motor(LinkId id, const JointMotor& motor);
  /// Mean over the last step, N m or N: of the motor; of spring, damper, friction and rotor together.
  double link_motor_force(LinkId id) const;
  double link_load_force(LinkId id) const;
  /// Drives a revolute or prismatic link to `speed` (rad/s, m/s) with at most `max_force` (N m, N); max_force 0 = off.
  void set_link_motor(LinkId id, double speed, double max_force);
  /// A torque or force between the two bodies along the link's axis, for the coming step only.
  void apply_link_force(LinkId id, double force);
  /// Force and torque transmitted by the link to b at its anchor (N, N m), mean over the last step, including motor and load.
  /// @pre watch_link, before that step
  Wrench link_wrench(LinkId id) const;
  void watch_link(LinkId id);

  // ---- Vehicles
  const VehicleSettings& vehicle(VehicleId vehicle) const;
  BodyId chassis(VehicleId vehicle) const;
  void set_controls(VehicleId vehicle, const VehicleControls& controls);
  /// Sets a single wheel, regardless of its `powered`, `steered` and `braked` flags.
  void set_wheel_controls(VehicleId vehicle, std::size_t wheel, const VehicleControls& controls);
  WheelState wheel(VehicleId vehicle, std::size_t wheel) const;
  DriveTrainReadings drive_train(VehicleId vehicle) const;

  // ---- Articulations; joints are indexed like their links
  const ArticulationSettings& articulation(ArticulationId id) const;
  BodyId articulation_base(ArticulationId id) const;
  BodyId articulation_link(ArticulationId id, std::size_t link) const;
  double joint_position(ArticulationId id, std::size_t link) const;  ///< rad or m
  double joint_velocity(ArticulationId id, std::size_t link) const;
  void set_joint_state(ArticulationId id, std::size_t link, double position, double velocity);
  /// N m or N, for the coming step only.
  void apply_joint_force(ArticulationId id, std::size_t link, double force);
  /// Like set_link_motor(). @pre ArticulatedLink::motor
  void set_joint_motor(ArticulationId id, std::size_t link, const JointMotor& motor);
  double joint_motor_force(ArticulationId id, std::size_t link) const;
  double joint_load_force(ArticulationId id, std::size_t link) const;
  /// Force and torque transmitted by the joint to its link, at the joint frame's origin. @pre watch_joint, before that step
  Wrench joint_wrench(ArticulationId id, std::size_t link) const;
  void watch_joint(ArticulationId id, std::size_t link);
  /// For joints without load and motor: drives the joint to `speed` with at most `max_force`. Initially speed is 0 and
  /// max_force the joint's friction.
  void set_joint_motor(ArticulationId id, std::size_t link, double speed, double max_force);

  // ---- Contents, for other views of the world (lib/sim/vision)
  bool is_terrain(BodyId body) const;
  /// The shapes of a body, in its frame; each call makes copies. Empty for a height grid terrain.
  std::vector<Part> parts(BodyId body) const;
  /// The faces of a part that is a hull, as used for rays (with points rounded to 1/10000 of its size).
  const TriangleMesh& hull_surface(BodyId body, std::size_t part) const;
  /// A part that is a mesh as the engine keeps it, in the part's frame, with points that triangles share; it outlives the world.
  std::shared_ptr<const TriangleMesh> mesh(BodyId body, std::size_t part) const;
  /// The heights of a height grid terrain; nullptr for everything else.
  const HeightGrid* terrain_grid(BodyId body) const;
  /// The height of an infinite plane terrain (m); empty for everything else.
  std::optional<double> terrain_plane(BodyId body) const;
  std::size_t vehicle_count() const;

  // ---- Queries
  /// The first body that the segment from `from` to `to` enters. A body that contains `from` is not hit. Exact for boxes,
  /// spheres, terrain and meshes.
  std::optional<RayHit> ray_cast(Vec3 from, Vec3 to, const RayFilter& filter = {});
  /// Whether a ray from `from` down to memory.depth below it, with memory.filter, hits memory.ground first; fast if the point
  /// is close to that of the previous call (first_below.hpp).
  bool is_first_below(FirstBelow& memory, Vec3 from);
  /// Contact points after the last step, sorted by (a, b), then in the order of detection.
  void contacts(std::vector<Contact>& out);
  /// The same for selected pairs (a < b) only; the contacts of others are not copied.
  void contacts(const std::function<bool(BodyId a, BodyId b)>& wanted, std::vector<Contact>& out);
  /// Pairs that overlap by more than `least_depth` (m) in their current poses, except linked ones; sorted by (a, b). Does not
  /// affect later steps.
  std::vector<Overlap> overlaps(double least_depth);
  /// Height of the terrain surface at (x, z); empty where there is none.
  std::optional<double> terrain_height(double x, double z);

  // ---- Comparison of runs
  /// The first body (in canonical order) that is not finite or has fallen below floor_depth.
  std::optional<BlowUp> find_blow_up() const;
  /// Hashes poses and velocities of all movable bodies and all wheels, in canonical order.
  void hash_state(StateHash& hash) const;
  std::uint64_t state_hash() const;
  /// Version and build of the engine and every setting that can change a result, in one line.
  std::string engine() const;

  struct State;  ///< internal to this room

 private:
  std::unique_ptr<State> state_;
};

}  // namespace simbatch::physics
