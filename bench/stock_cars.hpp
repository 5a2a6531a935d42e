#pragma once
/// Cars as Bullet's manual has them (btDiscreteDynamicsWorld, btRaycastVehicle, btDefaultVehicleRaycaster), over the world of the
/// vehicle benchmarks: what our loop is compared with, by benchmarks and by tests.

#include <BulletCollision/CollisionShapes/btHeightfieldTerrainShape.h>
#include <btBulletDynamicsCommon.h>

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "bench/vehicle_world.hpp"

namespace simbatch::bench {

/// What the terrain is in Bullet: a triangle mesh (which PAL made) or Bullet's own height field.
enum class StockGround { mesh, field };

class StockCars {
 public:
  /// @param dt  s, of a step
  StockCars(const VehicleWorld& w, double dt, StockGround ground) : dt_(dt) {
    world_.setGravity(btVector3(0, -9.81, 0));
    world_.setForceUpdateAllAabbs(false);  // which makes it faster
    if (ground == StockGround::field)
      add_field(w.ground);
    else
      add_mesh(w.ground);
    for (const auto& house : w.houses) add(box(house), 0, bt(house.pose), house.friction);
    rays_ = std::make_unique<btDefaultVehicleRaycaster>(&world_);
    for (const auto& car : w.cars) add_car(car, w.wheels);
  }
  ~StockCars() {
    for (auto& v : vehicles_) world_.removeAction(v.get());
    for (auto& b : bodies_) world_.removeRigidBody(b.get());
  }
  StockCars(const StockCars&) = delete;
  StockCars& operator=(const StockCars&) = delete;

  std::size_t size() const { return vehicles_.size(); }
  /// Rear wheels drive, front wheels steer, all brake.
  void control(std::size_t car, const physics::VehicleControls& c) {
    for (int wheel = 0; wheel < 4; ++wheel) {
      vehicles_[car]->applyEngineForce(wheel >= 2 ? c.engine_force : 0, wheel);
      vehicles_[car]->setBrake(c.brake_force * dt_, wheel);  // Bullet's brake is an impulse per step
      vehicles_[car]->setSteeringValue(wheel < 2 ? c.steering : 0, wheel);
    }
  }
  void step() { world_.stepSimulation(dt_, 0); }
  physics::Vec3 position(std::size_t car) const {
    const btVector3& p = vehicles_[car]->getRigidBody()->getCenterOfMassPosition();
    return {p.x(), p.y(), p.z()};
  }
  physics::Vec3 velocity(std::size_t car) const {
    const btVector3& v = vehicles_[car]->getRigidBody()->getLinearVelocity();
    return {v.x(), v.y(), v.z()};
  }
  void set_velocity(std::size_t car, physics::Vec3 v) {
    vehicles_[car]->getRigidBody()->setLinearVelocity(btVector3(v.x, v.y, v.z));
  }

 private:
  static btTransform bt(const physics::Pose& x) {
    return btTransform(btQuaternion(x.q.x, x.q.y, x.q.z, x.q.w), btVector3(x.p.x, x.p.y, x.p.z));
  }
  static std::unique_ptr<btBoxShape> box(const physics::BodySettings& b) {
    const physics::Vec3 s = std::get<physics::Box>(b.parts[0].shape).size;
    return std::make_unique<btBoxShape>(btVector3(s.x / 2, s.y / 2, s.z / 2));
  }
  btRigidBody* add(std::unique_ptr<btCollisionShape> shape, double mass, const btTransform& x, double friction) {
    btVector3 inertia(0, 0, 0);
    if (mass > 0) shape->calculateLocalInertia(mass, inertia);
    btRigidBody::btRigidBodyConstructionInfo info(mass, nullptr, shape.get(), inertia);
    info.m_startWorldTransform = x;
    info.m_friction = friction;
    bodies_.push_back(std::make_unique<btRigidBody>(info));
    shapes_.push_back(std::move(shape));
    world_.addRigidBody(bodies_.back().get());
    return bodies_.back().get();
  }
  void add_field(const physics::HeightGrid& g) {
    heights_ = g.heights;
    const auto [low, high] = std::minmax_element(heights_.begin(), heights_.end());
    auto shape =
        std::make_unique<btHeightfieldTerrainShape>(g.nx, g.nz, heights_.data(), 1.0, *low, *high, 1, PHY_DOUBLE, false);
    shape->setLocalScaling(btVector3(g.spacing, 1, g.spacing));
    btTransform at = btTransform::getIdentity();
    at.setOrigin(btVector3(0, (*low + *high) / 2, 0));
    add(std::move(shape), 0, at, 1);
  }
  void add_mesh(const physics::HeightGrid& g) {
    const auto corner = [&](int x, int z) {
      return btVector3(g.x0 + g.spacing * x, g.heights[static_cast<std::size_t>(z * g.nx + x)], g.z0 + g.spacing * z);
    };
    mesh_ = std::make_unique<btTriangleMesh>(true, false);
    for (int z = 0; z + 1 < g.nz; ++z)
      for (int x = 0; x + 1 < g.nx; ++x) {
        mesh_->addTriangle(corner(x, z), corner(x, z + 1), corner(x + 1, z));
        mesh_->addTriangle(corner(x + 1, z), corner(x, z + 1), corner(x + 1, z + 1));
      }
    add(std::make_unique<btBvhTriangleMeshShape>(mesh_.get(), true), 0, btTransform::getIdentity(), 1);
  }
  void add_car(const physics::BodySettings& car, const physics::VehicleSettings& wheels) {
    btRigidBody* body = add(box(car), car.mass, bt(car.pose), car.friction);
    body->setActivationState(DISABLE_DEACTIVATION);
    btRaycastVehicle::btVehicleTuning tuning;
    auto v = std::make_unique<btRaycastVehicle>(tuning, body, rays_.get());
    v->setCoordinateSystem(0, 1, 2);
    for (const auto& wheel : wheels.wheels) {
      tuning.m_suspensionStiffness = wheel.stiffness;
      tuning.m_suspensionCompression = tuning.m_suspensionDamping = wheel.damping;
      tuning.m_frictionSlip = 1000;
      tuning.m_maxSuspensionForce = 1e30;
      v->addWheel(btVector3(wheel.position.x, wheel.position.y, wheel.position.z), btVector3(0, -1, 0), btVector3(-1, 0, 0),
                  wheel.rest_length, wheel.radius, tuning, wheel.steered)
          .m_rollInfluence = wheel.roll_influence;
    }
    world_.addAction(v.get());
    vehicles_.push_back(std::move(v));
  }

  btDefaultCollisionConfiguration configuration_;
  btCollisionDispatcher dispatcher_{&configuration_};
  btDbvtBroadphase broadphase_;
  btSequentialImpulseConstraintSolver solver_;
  btDiscreteDynamicsWorld world_{&dispatcher_, &broadphase_, &solver_, &configuration_};
  std::vector<double> heights_;
  std::unique_ptr<btTriangleMesh> mesh_;
  std::vector<std::unique_ptr<btCollisionShape>> shapes_;
  std::vector<std::unique_ptr<btRigidBody>> bodies_;
  std::unique_ptr<btDefaultVehicleRaycaster> rays_;
  std::vector<std::unique_ptr<btRaycastVehicle>> vehicles_;
  double dt_;
};

}  // namespace simbatch::bench
