#pragma once
/// What a World holds. Internal to this room.

#include <btBulletDynamicsCommon.h>

#include <map>
#include <unordered_map>

#include "lib/sim/physics/bullet_shapes.hpp"
#include "lib/sim/physics/grid.hpp"
#include "lib/sim/physics/rays.hpp"
#include "lib/sim/physics/wheels.hpp"
#include "lib/sim/physics/world.hpp"

namespace simbatch::physics {

namespace detail {

/// A part for rays: its shape, its pose in the frame P, and Bullet's mesh if it is one.
struct RayPart {
  RayShape shape;
  Pose x_pp;  // of the part in P
  const btBvhTriangleMeshShape* mesh = nullptr;
};

/// A body. Bullet's frame P sits in the centre of mass along the principal axes; ours, B, is where the file says.
struct Body {
  BodySettings settings;      // parts moved out into `parts`
  MassProperties mass;
  Pose x_bp, x_pb;            // P in B, and back
  bool same_frame = true;     // P is B: nothing to compute
  OwnedShape shape;
  std::unique_ptr<Grid> grid;             // a height-grid terrain
  std::unique_ptr<GridShape> grid_shape;
  std::vector<RayPart> parts;
  std::unique_ptr<btRigidBody> bt;
  std::vector<Vec3> facets;               // normals of a mesh terrain's triangles
  bool in_world = false;
  bool terrain = false;
  bool has_target = false;    // kinematic: where it shall be after the next step
  Pose target;                // of P
  Vec3 linear, angular;       // kinematic: velocity of the coming or last step, at P
};

struct Link {
  LinkSettings settings;
  std::unique_ptr<btTypedConstraint> bt;
  bool in_world = false;
  Vec3 anchor_a, anchor_b, axis_a;  // link's place in P of a and b (world: as it is), axis in P of a
  Quat relative;                    // b in a when added
};

/// Bullet's world without what costs and does nothing here, and with our materials.
std::unique_ptr<btDiscreteDynamicsWorld> make_step_world(World::State& state);

}  // namespace detail

struct World::State {
  explicit State(const WorldSettings& s);
  ~State();

  WorldSettings settings;
  std::uint64_t steps = 0;
  std::vector<std::unique_ptr<detail::Body>> bodies;
  std::vector<std::unique_ptr<detail::Link>> links;
  std::vector<std::unique_ptr<detail::Vehicle>> vehicles;
  std::unordered_map<std::string, BodyId> by_name;  // looked up, never iterated
  std::map<std::pair<int, int>, double> pair_friction;
  std::vector<std::function<void(World&)>> sources;

  // In canonical order, once flushed.
  std::vector<std::uint32_t> movable;        // kinematic and dynamic bodies
  std::vector<std::uint32_t> kinematic;
  std::vector<std::uint32_t> grids;          // height-grid terrains
  std::vector<std::uint32_t> vehicle_order;
  std::size_t flushed_bodies = 0, flushed_links = 0, flushed_vehicles = 0;
  double lowest = 0;                         // of all terrains
  bool has_terrain = false;

  std::unique_ptr<btDefaultCollisionConfiguration> configuration;
  std::unique_ptr<btCollisionDispatcher> dispatcher;
  std::unique_ptr<btDbvtBroadphase> broadphase;
  std::unique_ptr<btSequentialImpulseConstraintSolver> solver;
  std::unique_ptr<btDiscreteDynamicsWorld> world;
  std::unique_ptr<btRigidBody> anchor;       // the world, as a link's other end

  detail::Body& body(BodyId id);
  const detail::Body& body(BodyId id) const;
  detail::Body& movable_body(BodyId id);     // throws for fixed ones
  detail::Link& link(LinkId id);
  detail::Vehicle& vehicle(VehicleId id);
  /// Puts into Bullet what was added since, in canonical order.
  void flush() {
    if (flushed_bodies != bodies.size() || flushed_links != links.size() || flushed_vehicles != vehicles.size())
      flush_now();
  }
  void flush_now();
  void enter(std::uint32_t index);
  BodyId add(std::unique_ptr<detail::Body> body);
  void apply_materials();
  void smooth_terrain();
  void move_kinematic();
};

namespace detail {

inline Pose pose_of(const btRigidBody& b) { return from_bt(b.getCenterOfMassTransform()); }
[[noreturn]] void refuse(const std::string& what);
inline void require(bool condition, const char* what) {
  if (!condition) refuse(what);
}
inline BodyId body_id(const btCollisionObject* object) { return BodyId(static_cast<std::uint32_t>(object->getUserIndex())); }

/// The nearest part of a body on a segment, before `t_hit`. World frame.
bool enter_body(const Body& body, Vec3 from, Vec3 d, double& t_hit, Vec3& normal, int& part);

}  // namespace detail
}  // namespace simbatch::physics
