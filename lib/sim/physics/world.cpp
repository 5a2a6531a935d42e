#include "lib/sim/physics/world.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include <BulletCollision/CollisionDispatch/btSimulationIslandManager.h>

#include "lib/sim/physics/contact_solver.hpp"
#include "lib/sim/physics/matrix.hpp"
#include "lib/sim/physics/state.hpp"

namespace simbatch::physics {

using detail::Body;
using detail::bt;

namespace detail {

void refuse(const std::string& what) { throw std::invalid_argument("physics: " + what); }

void check_parts(std::vector<Part>& parts, const std::string& name) {
  for (Part& part : parts) {
    if (const std::string bad = check_shape(part.shape); !bad.empty()) refuse(name + ": " + bad);
    require(geo::is_finite(part.pose.p), "a part's position is not finite");
    part.pose.q = geo::normalized(part.pose.q);
  }
}

MassProperties solid_mass(const std::vector<Part>& parts, double mass, const std::optional<Vec3>& center,
                          const std::optional<Inertia>& inertia) {
  require(std::isfinite(mass) && mass > 0, "a mass must be positive");
  for (const Part& part : parts)
    require(!std::holds_alternative<TriangleMesh>(part.shape), "a triangle mesh can only be fixed or kinematic");
  MassProperties m = mass_properties(parts, mass);
  if (center) m.center = *center;
  if (inertia) m.inertia = *inertia;
  require(geo::is_finite(m.center), "a center of mass is not finite");
  const Vec3 moments = principal(m.inertia).moments;
  require(geo::is_finite(moments) && moments.x > 0 && moments.y > 0 && moments.z > 0,
          "a tensor of inertia must be positive definite");
  return m;
}

}  // namespace detail

using detail::refuse;
using detail::require;

namespace {
constexpr int kPooled = 256;  // contact manifolds, and collision algorithms
}

World::State::State(const WorldSettings& s) : settings(s) {
  require(std::isfinite(s.dt) && s.dt > 0, "dt must be positive");
  require(geo::is_finite(s.gravity), "gravity must be finite");
  require(s.solver_iterations > 0, "solver_iterations must be positive");
  require(s.friction_directions == 1 || s.friction_directions == 2, "friction_directions must be 1 or 2");
  // Bullet fills its pools with zeros, 7 MB by default, which takes as long as two hundred steps of a car. What does not fit is
  // allocated one by one.
  btDefaultCollisionConstructionInfo pools;
  pools.m_defaultMaxPersistentManifoldPoolSize = pools.m_defaultMaxCollisionAlgorithmPoolSize = kPooled;
  configuration = std::make_unique<btDefaultCollisionConfiguration>(pools);
  dispatcher = std::make_unique<btCollisionDispatcher>(configuration.get());
  dispatcher->setNearCallback(detail::GridShape::near_callback);
  broadphase = std::make_unique<btDbvtBroadphase>();
  btRigidBody::btRigidBodyConstructionInfo fixed(0, nullptr, nullptr);
  anchor = std::make_unique<btRigidBody>(fixed);
}

void World::State::make_world() {
  if (articulations.empty())
    solver = std::make_unique<detail::ContactSolver<btSequentialImpulseConstraintSolver>>();
  else
    solver = std::make_unique<detail::ContactSolver<btMultiBodyConstraintSolver>>();
  world = detail::make_step_world(*this, !articulations.empty());
  multi_world = dynamic_cast<btMultiBodyDynamicsWorld*>(world.get());
  world->setGravity(bt(settings.gravity));
  // Every setting that can change a result is set here, even if it equals Bullet's default.
  world->setForceUpdateAllAabbs(false);  // only what moves: 2.4 times faster with one car and 500 boxes
  world->setSynchronizeAllMotionStates(false);
  world->setLatencyMotionStateInterpolation(false);
  world->setApplySpeculativeContactRestitution(false);
  world->getDispatchInfo().m_useContinuous = false;
  world->getDispatchInfo().m_deterministicOverlappingPairs = false;  // the order follows that of insertion
  world->getDispatchInfo().m_allowedCcdPenetration = 0;
  world->getSimulationIslandManager()->setSplitIslands(true);
  broadphase->m_deferedcollide = false;
  broadphase->m_prediction = 0;
  solver->setRandSeed(0);
  fill_solver_settings(world->getSolverInfo());
}

void World::State::fill_solver_settings(btContactSolverInfo& info) const {
  // The single friction direction of Bullet's multibody solver is a fixed one, not that of sliding: perpendicular to it there
  // would be no friction.
  const bool pyramid = settings.friction_directions == 2 || !articulations.empty();
  info.m_solverMode =
      SOLVER_USE_WARMSTARTING | (pyramid ? SOLVER_USE_2_FRICTION_DIRECTIONS : SOLVER_ENABLE_FRICTION_DIRECTION_CACHING);
  info.m_numIterations = iterations();
  info.m_erp = 0.2;
  info.m_erp2 = 0.2;
  info.m_globalCfm = 0;
  info.m_frictionERP = 0.2;
  info.m_frictionCFM = 0;
  info.m_sor = 1;
  info.m_damping = 1;
  info.m_tau = 0.6;
  info.m_linearSlop = 0;
  info.m_warmstartingFactor = 1;
  info.m_splitImpulse = 1;
  info.m_splitImpulsePenetrationThreshold = -0.04;
  info.m_splitImpulseTurnErp = 0.1;
  info.m_maxErrorReduction = 20;
  info.m_restitutionVelocityThreshold = 0.2;
  info.m_leastSquaresResidualThreshold = 0;
  info.m_minimumSolverBatchSize = 128;
  info.m_maxGyroscopicForce = 100;
  info.m_singleAxisRollingFrictionThreshold = 1e30;
  info.m_numNonContactInnerIterations = 1;
}

World::State::~State() {
  for (auto& link : links) {
    if (link->in_world) world->removeConstraint(link->bt.get());
    if (link->in_world && link->drive) world->removeConstraint(link->drive.get());
  }
  // Fixed bodies are in the broadphase only (see insert_body()), so Bullet's world does not remove them.
  for (auto& b : bodies)
    if (b->in_world && b->settings.kind == BodyKind::fixed)
      broadphase->destroyProxy(b->object->getBroadphaseHandle(), dispatcher.get());
  for (auto& a : articulations) {
    if (!a->in_world) continue;
    if (a->drives) multi_world->removeMultiBodyConstraint(a->drives.get());
    for (auto& c : a->motors)
      if (c) multi_world->removeMultiBodyConstraint(c.get());
    for (auto& c : a->limits)
      if (c) multi_world->removeMultiBodyConstraint(c.get());
    multi_world->removeMultiBody(a->bt.get());
  }
  vehicles.clear();
  world.reset();
}

World::World(const WorldSettings& settings) : state_(std::make_unique<State>(settings)) { state_->owner = this; }
World::~World() = default;
const WorldSettings& World::settings() const { return state_->settings; }

Body& World::State::body(BodyId id) {
  require(static_cast<std::size_t>(id) < bodies.size(), "no such body");
  return *bodies[static_cast<std::size_t>(id)];
}
const Body& World::State::body(BodyId id) const { return const_cast<State*>(this)->body(id); }
Body& World::State::movable_body(BodyId id) {
  Body& b = body(id);
  require(b.settings.kind != BodyKind::fixed, "a fixed body cannot be moved");
  require(!b.multi, "an articulation's link moves by its joint");
  return b;
}

BodyId World::State::register_body(std::unique_ptr<Body> b) {
  const BodyId id{static_cast<std::uint32_t>(bodies.size())};
  require(bodies.size() < 0x7FFFFFFF, "too many bodies");
  if (!b->settings.name.empty() && !by_name.emplace(b->settings.name, id).second)
    refuse("two bodies named " + b->settings.name);
  b->object->setUserIndex(static_cast<int>(id));
  // The parts are kept in `shape` and `parts`; points of meshes and hulls would be stored twice.
  b->settings.parts.clear();
  b->settings.parts.shrink_to_fit();
  bodies.push_back(std::move(b));
  return id;
}

void World::State::build_shape(Body& b) {
  const bool moves = b.settings.kind == BodyKind::dynamic || b.settings.kind == BodyKind::articulated;
  b.axes = detail::principal(b.mass.inertia);
  b.x_bp = moves ? Pose{b.mass.center, b.axes.rotation} : Pose{};
  b.x_pb = inverse(b.x_bp);
  b.same_frame = b.x_bp == Pose{};
  if (b.settings.parts.empty()) return;
  b.shape = detail::make_shape(b.settings.parts, b.x_pb, settings.meshes ? &settings.meshes->shapes() : nullptr);
  for (std::size_t i = 0; i < b.settings.parts.size(); ++i) {
    const Part& from = b.settings.parts[i];
    detail::RayPart part{detail::ray_shape(from.shape), b.x_pb * from.pose, nullptr};
    if (std::holds_alternative<detail::MeshRay>(part.shape))
      part.mesh = static_cast<const btBvhTriangleMeshShape*>(b.shape.shapes[i].get());
    b.parts.push_back(std::move(part));
  }
}

BodyId World::State::add_rigid_body(std::unique_ptr<Body> b) {
  const BodySettings& s = b->settings;
  require(geo::is_finite(s.pose.p), "a position is not finite");
  const bool dynamic = s.kind == BodyKind::dynamic;
  build_shape(*b);
  btCollisionShape* shape = b->grid ? b->grid_shape.get() : b->shape.root;
  btRigidBody::btRigidBodyConstructionInfo info(dynamic ? s.mass : 0, nullptr, shape,
                                                dynamic ? bt(b->axes.moments) : btVector3(0, 0, 0));
  info.m_startWorldTransform = bt(s.pose * b->x_bp);
  info.m_friction = s.friction;
  info.m_restitution = s.restitution;
  info.m_rollingFriction = s.rolling_friction;
  info.m_spinningFriction = s.spinning_friction;
  info.m_linearDamping = s.linear_damping;
  info.m_angularDamping = s.angular_damping;
  info.m_linearSleepingThreshold = 0.02;  // Bullet's 0.8 m/s would freeze a creeping robot
  info.m_angularSleepingThreshold = 0.02;
  info.m_additionalDamping = false;
  b->bt = std::make_unique<btRigidBody>(info);
  b->object = b->bt.get();
  b->bt->setFlags(dynamic && !s.gravity ? BT_DISABLE_WORLD_GRAVITY : 0);  // gyroscopic torques: free_spin.hpp
  b->bt->setContactProcessingThreshold(BT_LARGE_FLOAT);
  b->bt->setDeactivationTime(0);
  if (s.kind == BodyKind::kinematic)
    b->bt->setCollisionFlags(b->bt->getCollisionFlags() | btCollisionObject::CF_KINEMATIC_OBJECT);
  if (s.kind != BodyKind::fixed && !s.may_sleep) b->bt->setActivationState(DISABLE_DEACTIVATION);
  if (dynamic) {
    b->spheres = detail::inner_spheres(b->parts);
    b->bt->setAngularVelocity(bt(s.angular_velocity));
    b->bt->setLinearVelocity(bt(s.linear_velocity + geo::cross(s.angular_velocity, s.pose.q * b->mass.center)));
  }
  return register_body(std::move(b));
}

BodyId World::add_body(BodySettings settings) {
  require(!settings.parts.empty(), "a body without parts");
  require(settings.kind != BodyKind::articulated, "links of an articulation come with it");
  detail::check_parts(settings.parts, settings.name);
  settings.pose.q = geo::normalized(settings.pose.q);
  auto b = std::make_unique<Body>();
  if (settings.kind == BodyKind::dynamic) {
    b->mass = detail::solid_mass(settings.parts, settings.mass, settings.center_of_mass, settings.inertia);
  }
  b->settings = std::move(settings);
  return state_->add_rigid_body(std::move(b));
}

namespace {

std::unique_ptr<Body> make_terrain_body(const TerrainSettings& settings) {
  auto b = std::make_unique<Body>();
  b->settings.name = settings.name;
  b->settings.kind = BodyKind::fixed;
  b->settings.friction = settings.friction;
  b->settings.restitution = settings.restitution;
  b->settings.material = settings.material;
  b->terrain = true;
  return b;
}

}  // namespace

BodyId World::State::add_terrain_body(std::unique_ptr<Body> b, double lowest_point) {
  lowest = has_terrain ? std::min(lowest, lowest_point) : lowest_point;
  has_terrain = true;
  terrains.push_back(static_cast<std::uint32_t>(bodies.size()));
  return add_rigid_body(std::move(b));
}

BodyId World::add_terrain(HeightGrid grid, const TerrainSettings& settings) {
  require(grid.nx >= 2 && grid.nz >= 2, "a terrain needs at least 2 x 2 heights");
  require(std::isfinite(grid.spacing) && grid.spacing > 0, "a terrain's spacing must be positive");
  require(std::isfinite(grid.x0) && std::isfinite(grid.z0), "a terrain's origin is not finite");
  require(grid.nx <= 32768 && grid.nz <= 32768, "a terrain may have at most 32768 x 32768 heights");
  require(grid.heights.size() == static_cast<std::size_t>(grid.nx) * static_cast<std::size_t>(grid.nz),
          "a terrain needs nx * nz heights");
  for (const double h : grid.heights) require(std::isfinite(h), "a terrain's height is not finite");
  return state_->add_grid_body(std::make_unique<detail::Grid>(std::move(grid)), settings);
}

BodyId World::add_plane(double height, const TerrainSettings& settings) {
  require(std::isfinite(height), "a plane's height is not finite");
  return state_->add_grid_body(std::make_unique<detail::Grid>(height), settings);
}

BodyId World::State::add_grid_body(std::unique_ptr<detail::Grid> grid, const TerrainSettings& terrain) {
  auto b = make_terrain_body(terrain);
  b->grid = std::move(grid);
  b->grid_shape = std::make_unique<detail::GridShape>(*b->grid);
  const double low = b->grid->lowest();
  return add_terrain_body(std::move(b), low);
}

BodyId World::add_terrain(TriangleMesh mesh, const TerrainSettings& settings) {
  if (const std::string bad = check_shape(mesh); !bad.empty()) refuse(settings.name + ": " + bad);
  double low = mesh.points[mesh.indices[0]].y;
  for (const std::uint32_t i : mesh.indices) low = std::min(low, mesh.points[i].y);
  auto b = make_terrain_body(settings);
  b->settings.parts.push_back({std::move(mesh), {}});
  return state_->add_terrain_body(std::move(b), low);
}

void World::State::insert_body(std::uint32_t index) {
  Body& b = *bodies[index];
  b.in_world = true;
  if (b.settings.kind != BodyKind::fixed) near_bodies.add_movable(b);
  if (b.settings.kind == BodyKind::articulated) {
    movable.push_back(index);  // inserted with its articulation
    return;
  }
  if (b.settings.kind == BodyKind::fixed) {
    // Into the broadphase, but not into the world's list of objects: Bullet traverses that list several times per step, which
    // fixed bodies do not need. So houses only make the tree deeper.
    btVector3 low, high;
    b.bt->getCollisionShape()->getAabb(b.bt->getWorldTransform(), low, high);
    const btVector3 margin(gContactBreakingThreshold, gContactBreakingThreshold, gContactBreakingThreshold);
    b.bt->setBroadphaseHandle(broadphase->createProxy(
        low - margin, high + margin, b.bt->getCollisionShape()->getShapeType(), b.bt.get(), btBroadphaseProxy::StaticFilter,
        btBroadphaseProxy::AllFilter ^ btBroadphaseProxy::StaticFilter, dispatcher.get()));
    if (b.grid)
      grids.push_back(index);
    else
      near_bodies.add_fixed(b, {detail::from_bt(low - margin), detail::from_bt(high + margin)});
    return;
  }
  movable.push_back(index);
  if (b.settings.kind == BodyKind::kinematic) {
    kinematic.push_back(index);
    world->addRigidBody(b.bt.get(), btBroadphaseProxy::KinematicFilter,
                        btBroadphaseProxy::AllFilter ^ (btBroadphaseProxy::StaticFilter | btBroadphaseProxy::KinematicFilter));
  } else {
    world->addRigidBody(b.bt.get(), btBroadphaseProxy::DefaultFilter, btBroadphaseProxy::AllFilter);
  }
}

void World::State::flush_now() {
  const auto fresh = [](std::size_t first, std::size_t end, auto&& key) {
    std::vector<std::uint32_t> order;
    for (std::size_t i = first; i < end; ++i) order.push_back(static_cast<std::uint32_t>(i));
    std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return key(a) < key(b); });
    return order;
  };
  using Key = std::pair<int, std::string_view>;
  if (!world) make_world();
  for (const std::uint32_t i : fresh(flushed_bodies, bodies.size(), [&](std::uint32_t k) {
         const Body& b = *bodies[k];
         return Key{b.terrain ? -1 : static_cast<int>(b.settings.kind), b.settings.name};
       }))
    insert_body(i);
  for (const std::uint32_t i : fresh(flushed_links, links.size(), [&](std::uint32_t k) {
         return Key{0, links[k]->settings.name};
       })) {
    world->addConstraint(links[i]->bt.get(), !links[i]->settings.collide);
    if (links[i]->drive) world->addConstraint(links[i]->drive.get(), false);
    world->getSolverInfo().m_numIterations = iterations();
    links[i]->in_world = true;
  }
  for (const std::uint32_t i : fresh(flushed_vehicles, vehicles.size(), [&](std::uint32_t k) {
         return Key{0, vehicles[k]->settings.name};
       }))
    insert_vehicle(i);
  for (const std::uint32_t i : fresh(flushed_articulations, articulations.size(), [&](std::uint32_t k) {
         return Key{0, articulations[k]->settings.name};
       })) {
    insert_articulation(*articulations[i]);
    articulation_order.push_back(i);
  }
  near_bodies.boxes_changed();
  flushed_articulations = articulations.size();
  flushed_bodies = bodies.size();
  flushed_links = links.size();
  flushed_vehicles = vehicles.size();
}

void World::set_collision(BodyId a, BodyId b, bool collide) {
  btCollisionObject *x = state_->body(a).object, *y = state_->body(b).object;
  x->setIgnoreCollisionCheck(y, !collide);
  y->setIgnoreCollisionCheck(x, !collide);
}

void World::set_pair_friction(int a, int b, double friction) {
  require(a > 0 && b > 0, "materials count from 1");
  require(std::isfinite(friction) && friction >= 0, "friction must not be negative");
  state_->pair_friction[std::minmax(a, b)] = friction;
}

void World::add_force_source(std::function<void(World&)> source) { state_->sources.push_back(std::move(source)); }

}  // namespace simbatch::physics
