// Bullet's btRaycastVehicle with the same interface, for comparison only.

#include <algorithm>

#include "lib/sim/physics/state.hpp"

namespace simbatch::physics::detail {

void Vehicle::create_stock(btDynamicsWorld& world) {
  if (settings.rays != WheelRays::stock) return;
  const Pose& x_pb = chassis->x_pb;
  const Vec3 down = x_pb.q * Vec3{0, -1, 0}, axle = x_pb.q * Vec3{-1, 0, 0};
  btRaycastVehicle::btVehicleTuning tuning;
  stock_rays = std::make_unique<btDefaultVehicleRaycaster>(&world);
  stock = std::make_unique<btRaycastVehicle>(tuning, chassis->bt.get(), stock_rays.get());
  stock->setCoordinateSystem(0, 1, 2);
  for (const WheelSettings& w : settings.wheels) {
    tuning.m_suspensionStiffness = w.stiffness;
    tuning.m_suspensionCompression = tuning.m_suspensionDamping = w.damping;
    tuning.m_frictionSlip = std::min(w.tire.friction, 1000.0);
    tuning.m_maxSuspensionForce = std::min(w.max_force, 1e30);
    btWheelInfo& info = stock->addWheel(bt(x_pb * w.position), bt(down), bt(axle), w.rest_length, w.radius, tuning, w.steered);
    info.m_rollInfluence = w.roll_influence;
  }
}

void Vehicle::update_stock(double dt) {
  for (std::size_t i = 0; i < wheels.size(); ++i) {
    const VehicleControls& c = wheels[i].controls;
    const int k = static_cast<int>(i);
    stock->applyEngineForce(c.brake_force > 0 ? 0 : c.engine_force, k);
    stock->setBrake(c.brake_force * dt, k);  // Bullet's brake is an impulse per step
    stock->setSteeringValue(c.steering, k);
  }
  stock->updateVehicle(dt);
  for (std::size_t i = 0; i < wheels.size(); ++i) {
    const btWheelInfo& info = stock->getWheelInfo(static_cast<int>(i));
    Wheel& w = wheels[i];
    w.in_contact = info.m_raycastInfo.m_isInContact;
    w.length = info.m_raycastInfo.m_suspensionLength;
    w.force = std::min(info.m_wheelsSuspensionForce, settings.wheels[i].max_force);
    w.spin = (info.m_rotation - w.rotation) / dt;
    w.rotation = info.m_rotation;
    w.point = from_bt(info.m_raycastInfo.m_contactPointWS);
    w.normal = from_bt(info.m_raycastInfo.m_contactNormalWS);
    w.hard_point_w = from_bt(info.m_raycastInfo.m_hardPointWS);
  }
}

}  // namespace simbatch::physics::detail
