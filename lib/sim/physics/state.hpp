#pragma once
/// The state of a World. Internal to this room.

#include <BulletDynamics/Featherstone/btMultiBody.h>
#include <BulletDynamics/Featherstone/btMultiBodyDynamicsWorld.h>
#include <BulletDynamics/Featherstone/btMultiBodyJointLimitConstraint.h>
#include <BulletDynamics/Featherstone/btMultiBodyJointMotor.h>
#include <BulletDynamics/Featherstone/btMultiBodyLinkCollider.h>
#include <btBulletDynamicsCommon.h>

#include <deque>
#include <map>
#include <unordered_map>

#include "lib/sim/physics/bullet_shapes.hpp"
#include "lib/sim/physics/drives.hpp"
#include "lib/sim/physics/fast_bodies.hpp"
#include "lib/sim/physics/free_spin.hpp"
#include "lib/sim/physics/grid.hpp"
#include "lib/sim/physics/impacts.hpp"
#include "lib/sim/physics/matrix.hpp"
#include "lib/sim/physics/near_bodies.hpp"
#include "lib/sim/physics/rays.hpp"
#include "lib/sim/physics/wheels.hpp"
#include "lib/sim/physics/world.hpp"

namespace simbatch::physics {

namespace detail {

/// A part for ray casts: its shape, its pose in the frame P, and Bullet's mesh if it is a mesh.
struct RayPart {
  RayShape shape;
  Pose x_pp;  // of the part in P
  const btBvhTriangleMeshShape* mesh = nullptr;
};

struct Body;

/// The contacts of a part of a body with a terrain, as of the last step.
struct FaceMemory {
  const Body* ground = nullptr;
  Body* body = nullptr;
  int part = 0;   // of the body's shape
  int next = -1;  // of the same body in `face_memories`, -1: the last
  int count = 0;
  btVector3 places[4];      // in the body
  double impulses[4] = {};  // N s, along the normal
};

/// The friction between two moving bodies, as of the last step.
struct FrictionMemory {
  const btPersistentManifold* manifold = nullptr;
  int count = 0;
  btVector3 places[4];    // in the first body
  btVector3 impulses[4];  // N s, on the first body
};

/// A body. Bullet's frame P is at the center of mass, along the principal axes; our frame B is that of the file.
struct Body {
  BodySettings settings;  // except for the parts, which are moved into `parts`
  MassProperties mass;
  Principal axes;          // of its inertia
  Pose x_bp, x_pb;         // P in B, and B in P
  bool same_frame = true;  // P is B: no conversion needed
  OwnedShape shape;
  std::unique_ptr<Grid> grid;  // a height-grid terrain
  std::unique_ptr<GridShape> grid_shape;
  std::vector<RayPart> parts;
  btCollisionObject* object = nullptr;                // bt, or collider
  std::unique_ptr<btRigidBody> bt;                    // all kinds but articulated
  std::unique_ptr<btMultiBodyLinkCollider> collider;  // articulated
  btMultiBody* multi = nullptr;
  int joint = -1;                    // index of the link in `multi`, -1: the base
  Vec3 pushed, twisted;              // articulated: N, N m at its center, for the coming step
  std::vector<InnerSphere> spheres;  // of dynamic bodies
  int first_memory = -1;             // of its contacts, in `face_memories`; -1: none
  bool in_world = false;
  bool terrain = false;
  bool moved = true;        // pose or velocity was set from outside; for its wheels
  bool has_target = false;  // kinematic: it moves to `target` in the next step
  Pose target;              // of P
  Vec3 linear, angular;     // kinematic: velocity of the coming or last step, at P
};

struct Link {
  LinkSettings settings;
  std::unique_ptr<btTypedConstraint> bt;
  std::unique_ptr<LinkDrive> drive;           // of links with a load or a motor
  std::unique_ptr<btJointFeedback> feedback;  // of watched links
  Quat child_at_start;                        // of watched links: b's rotation at the start of the step
  double turned = 0;                          // revolute: position after the last step, rad
  bool in_world = false;
  Vec3 anchor_a, anchor_b, axis_a;  // link's anchor in P of a and b (in world coordinates for the world), axis in P of a
  Quat relative;                    // b in a when added
};

struct Articulation {
  ArticulationSettings settings;
  std::unique_ptr<btMultiBody> bt;
  std::vector<BodyId> bodies;                                            // base, then links
  std::vector<std::unique_ptr<btMultiBodyJointMotor>> motors;            // none for fixed and for driven joints
  std::unique_ptr<JointDrives> drives;                                   // of joints with a load or a motor
  std::vector<std::unique_ptr<btMultiBodyJointLimitConstraint>> limits;  // none where there is no limit
  bool in_world = false;
};

/// A joint whose wrench is computed.
struct WatchedJoint {
  ArticulationId articulation;
  std::size_t link;
  std::vector<BodyId> bodies;  // its link and all descendants
  Vec3 linear, angular;        // their linear and angular momentum about the origin at the start of the step
  Pose at_start;               // of the link's body
  Wrench wrench;               // of the last step
};

/// Velocity of a link's center of mass and its angular velocity, world axes.
struct Motion {
  Vec3 linear, angular;
};
/// Whether faces of other bodies rest on it with all their corners: true for terrain, and for bodies that nothing can move.
inline bool is_ground(const Body& b) { return b.terrain || (b.bt && b.bt->isStaticOrKinematicObject()); }
/// Normal of a terrain's triangle, upward (grid) or by its winding (mesh); empty for other bodies and degenerate triangles.
std::optional<Vec3> facet_normal(const Body& ground, int index);
/// The normal of a triangle, on the side of the body that touches it at `p`.
Vec3 turned_to(Vec3 facet, const Body& ground, const btCollisionObject& body, const btManifoldPoint& p, bool ground_first);
inline constexpr double kLevel = 0.9;  ///< cosine of the angle between normals of one level ground
Motion motion_of(const Body& body);
Motion link_motion(const Body& link);
void push_link(Body& link, const btVector3& force, const btVector3& torque);

/// A Bullet world without the phases that have no effect here, and with our materials.
/// @param articulated  create a multibody world (whose solver is slower for worlds without articulations)
std::unique_ptr<btDiscreteDynamicsWorld> make_step_world(World::State& state, bool articulated);

}  // namespace detail

struct World::State {
  explicit State(const WorldSettings& s);
  ~State();

  WorldSettings settings;
  std::uint64_t steps = 0;
  std::vector<std::unique_ptr<detail::Body>> bodies;
  std::vector<std::unique_ptr<detail::Link>> links;
  std::vector<std::unique_ptr<detail::Vehicle>> vehicles;
  std::vector<std::unique_ptr<detail::Articulation>> articulations;
  std::unordered_map<std::string, BodyId> by_name;  // looked up, never iterated
  std::map<std::pair<int, int>, double> pair_friction;
  std::vector<std::function<void(World&)>> sources;

  // In canonical order after a flush.
  std::vector<std::uint32_t> terrains;  // in order of adding
  std::vector<std::uint32_t> movable;   // kinematic and dynamic bodies
  std::vector<std::uint32_t> kinematic;
  std::vector<std::uint32_t> grids;  // height-grid terrains
  std::vector<std::uint32_t> vehicle_order, articulation_order;
  std::deque<detail::WheelSet> wheel_sets;  // by their first vehicle
  std::size_t flushed_bodies = 0, flushed_links = 0, flushed_vehicles = 0, flushed_articulations = 0;
  detail::Impacts impacts;
  detail::FreeSpins spins;
  detail::FastBodies fast;
  detail::NearBodies near_bodies;
  std::vector<detail::Body*> near;  // scratch memory of the wheels, reused
  double lowest = 0;                // of all terrains
  bool has_terrain = false;

  std::unique_ptr<btDefaultCollisionConfiguration> configuration;
  std::unique_ptr<btCollisionDispatcher> dispatcher;
  std::unique_ptr<btDbvtBroadphase> broadphase;
  std::unique_ptr<btSequentialImpulseConstraintSolver> solver;
  std::unique_ptr<btDiscreteDynamicsWorld> world;   // created at the first flush, when its contents are known
  btMultiBodyDynamicsWorld* multi_world = nullptr;  // the same, if it is a multibody world
  std::unique_ptr<btRigidBody> anchor;              // the world, as a link's other end

  detail::Body& body(BodyId id);
  const detail::Body& body(BodyId id) const;
  detail::Body& movable_body(BodyId id);  // throws for fixed ones
  detail::Link& link(LinkId id);
  detail::Vehicle& vehicle(VehicleId id);
  /// Inserts everything added since the last flush into Bullet, in canonical order.
  void flush() {
    if (flushed_bodies != bodies.size() || flushed_links != links.size() || flushed_vehicles != vehicles.size() ||
        flushed_articulations != articulations.size() || !world)
      flush_now();
  }
  void flush_now();
  void insert_vehicle(std::uint32_t index);
  void update_vehicles();
  void make_world();
  void fill_solver_settings(btContactSolverInfo& info) const;
  void insert_body(std::uint32_t index);
  BodyId add_rigid_body(std::unique_ptr<detail::Body> body);  // creates its rigid body
  BodyId add_grid_body(std::unique_ptr<detail::Grid> grid, const TerrainSettings& terrain);
  BodyId add_terrain_body(std::unique_ptr<detail::Body> body, double lowest_point);
  BodyId register_body(std::unique_ptr<detail::Body> body);  // adds it to the list
  void build_shape(detail::Body& body);                      // frames, shape, parts, from settings and mass
  detail::Articulation& articulation(ArticulationId id);
  void insert_articulation(detail::Articulation& articulation);
  void apply_pair_friction();
  void smooth_terrain();
  void complete_faces(btPersistentManifold& manifold, const detail::Body& ground, bool ground_first);
  // Of two bodies that move:
  static void complete_boxes(btPersistentManifold& manifold);
  void remember_frictions();
  void direct_friction(btPersistentManifold& manifold, const btRigidBody& a, const btRigidBody& b) const;
  bool directs_friction() const { return articulations.empty() && settings.friction_directions == 1; }
  std::vector<detail::FrictionMemory> friction_memories;  // of the last step, by their manifolds' addresses: only looked up
  void remember_faces();
  std::vector<detail::FaceMemory> face_memories;  // of the last step
  void hash_articulations(StateHash& hash) const;
  void move_kinematic();
  std::vector<detail::WatchedJoint> watched_joints;
  std::vector<Contact> wrench_contacts;
  void start_wrenches();  // at the start of a step, and at its end
  void finish_wrenches();
  void take_outer_forces(detail::WatchedJoint& watched, Vec3& force, Vec3& torque);
  void start_drives();   // at the start of a step: joint positions and rates
  void finish_drives();  // at its end: impulses, whole turns
  void count_drives();   // of each body
  int iterations() const;
  std::size_t drives_counted = 0;
  World* owner = nullptr;
};

namespace detail {

inline Pose pose_of(const Body& b) { return from_bt(b.object->getWorldTransform()); }
[[noreturn]] void refuse(const std::string& what);
inline void require(bool condition, const char* what) {
  if (!condition) refuse(what);
}
inline BodyId body_id(const btCollisionObject* object) { return BodyId(static_cast<std::uint32_t>(object->getUserIndex())); }

/// Throws for invalid parts; normalizes rotations.
void check_parts(std::vector<Part>& parts, const std::string& name);
MassProperties solid_mass(const std::vector<Part>& parts, double mass, const std::optional<Vec3>& center,
                          const std::optional<Inertia>& inertia);

/// The nearest part of a body on a segment, before `t_hit`. World frame.
bool ray_enter_body(const Body& body, Vec3 from, Vec3 d, double& t_hit, Vec3& normal, int& part);

}  // namespace detail
}  // namespace simbatch::physics
