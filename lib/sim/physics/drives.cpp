// Drives as constraints of Bullet's solver: projected Gauss-Seidel over the impulses of drive_rows.hpp.

#include "lib/sim/physics/drives.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "lib/sim/physics/state.hpp"

namespace simbatch::physics {

using detail::bt;
using detail::DriveRows;
using detail::from_bt;
using detail::JointDrives;
using detail::Link;
using detail::LinkDrive;
using detail::require;

namespace {

using Twist = std::array<double, 6>;  // velocity or impulse of a point: linear, then angular

/// Adds to the columns of `out` the velocity at `arm` (from the center of mass) caused by a unit of each impulse there. The
/// body counts with 1 / `shares` of its mass.
void add_response(const btRigidBody& body, Vec3 arm, int shares, std::array<Twist, 6>& out) {
  if (body.getInvMass() == 0) return;
  for (std::size_t i = 0; i < 6; ++i) {
    Vec3 push, twist;
    const Vec3 unit{i % 3 == 0 ? 1.0 : 0.0, i % 3 == 1 ? 1.0 : 0.0, i % 3 == 2 ? 1.0 : 0.0};
    (i < 3 ? push : twist) = unit;
    twist += geo::cross(arm, push);
    const Vec3 spin = from_bt(body.getInvInertiaTensorWorld() * bt(twist));
    const Vec3 move = body.getInvMass() * push + geo::cross(spin, arm);
    const double column[6] = {move.x, move.y, move.z, spin.x, spin.y, spin.z};
    for (std::size_t k = 0; k < 6; ++k) out[i][k] += shares * column[k];
  }
}

/// Solves A x = b, A symmetric positive definite (Gaussian elimination without pivoting).
Twist solved(std::array<Twist, 6> a, Twist b) {
  for (std::size_t i = 0; i < 6; ++i)
    for (std::size_t k = i + 1; k < 6; ++k) {
      const double f = a[k][i] / a[i][i];
      for (std::size_t j = i; j < 6; ++j) a[k][j] -= f * a[i][j];
      b[k] -= f * b[i];
    }
  for (std::size_t i = 6; i-- > 0;) {
    for (std::size_t j = i + 1; j < 6; ++j) b[i] -= a[i][j] * b[j];
    b[i] /= a[i][i];
  }
  return b;
}

}  // namespace

void detail::check_load(const JointLoad& load) {
  for (const double x : {load.stiffness, load.damping, load.friction, load.rotor})
    require(std::isfinite(x) && x >= 0, "stiffness, damping, friction and rotor must not be negative");
  require(std::isfinite(load.rest), "a spring's rest must be finite");
}

void detail::check_motor(const JointMotor& motor) {
  for (const double x : {motor.stiffness, motor.damping.value_or(0)})
    require(std::isfinite(x) && x >= 0, "a motor's gains must not be negative");
  for (const double x : {motor.target, motor.speed, motor.force}) require(std::isfinite(x), "a motor's target must be finite");
  require(motor.max_force >= 0, "a motor's greatest force must not be negative");
}

void LinkDrive::getInfo1(btConstraintInfo1* info) {
  info->m_numConstraintRows = 0;
  info->nub = 0;
}

double LinkDrive::response() const {
  double sum = 0;
  const auto add = [&](const btRigidBody& body, Vec3 arm) {
    const Vec3 turn = turns ? axis : geo::cross(arm, axis);
    sum += geo::dot(turn, from_bt(body.getInvInertiaTensorWorld() * bt(turn)));
    if (!turns) sum += body.getInvMass();
  };
  add(m_rbA, arm_a);
  add(m_rbB, arm_b);
  return sum;
}

// Inertia of the motion about the axis if the two bodies can move in no other way. Each body's mass is divided among its driven
// links, so that the bounds of all links hold together (their kinetic energies add up to at most that of the bodies).
double LinkDrive::bound() const {
  std::array<Twist, 6> both{};
  add_response(m_rbA, arm_a, shares_a, both);
  add_response(m_rbB, arm_b, shares_b, both);
  const Twist unit = turns ? Twist{0, 0, 0, axis.x, axis.y, axis.z} : Twist{axis.x, axis.y, axis.z, 0, 0, 0};
  const Twist f = solved(both, unit);
  double inertia = 0;
  for (std::size_t i = 0; i < 6; ++i) inertia += unit[i] * f[i];
  return inertia;
}

void LinkDrive::buildJacobian() { rows.begin(position, rate, response(), bound(), dt); }

void LinkDrive::solveConstraintObsolete(btSolverBody& a, btSolverBody& b, btScalar) {
  const btVector3 n = bt(axis), at_a = bt(geo::cross(arm_a, axis)), at_b = bt(geo::cross(arm_b, axis));
  const auto along = [&](const btSolverBody& body, const btVector3& turn) {
    if (body.m_originalBody == nullptr) return 0.0;
    const btVector3 w = body.m_angularVelocity + body.m_externalTorqueImpulse + body.m_deltaAngularVelocity;
    if (turns) return n.dot(w);
    return n.dot(body.m_linearVelocity + body.m_externalForceImpulse + body.m_deltaLinearVelocity) + turn.dot(w);
  };
  const double impulse = rows.iterate(along(b, at_b) - along(a, at_a));
  if (impulse == 0) return;
  const auto push = [&](btSolverBody& body, const btRigidBody& rigid, const btVector3& turn, double by) {
    if (body.m_originalBody == nullptr) return;
    const btVector3 linear = turns ? btVector3(0, 0, 0) : n * body.internalGetInvMass();
    body.internalApplyImpulse(linear, rigid.getInvInertiaTensorWorld() * (turns ? n : turn), by);
  };
  push(b, m_rbB, at_b, impulse);
  push(a, m_rbA, at_a, -impulse);
}

JointDrives::JointDrives(btMultiBody& body, std::vector<Joint> driven)
    : btMultiBodyConstraint(&body, nullptr, driven.front().link, -1, static_cast<int>(3 * driven.size()), false,
                            MULTIBODY_CONSTRAINT_1DOF_JOINT_MOTOR),
      joints(std::move(driven)) {
  m_maxAppliedImpulse = 1e30;
}

void JointDrives::finalizeMultiDof() {
  updateJacobianSizes();
  // The impulses of the rows only: a Jacobian of each would take memory that grows with the square of the number of joints.
  m_data.resize(m_numRows);
  m_numDofsFinalized = m_jacSizeBoth;
}

int JointDrives::getIslandIdA() const {
  const btMultiBodyLinkCollider* base = m_bodyA->getBaseCollider();
  return base != nullptr ? base->getIslandTag() : -1;
}

JointDrives::Joint* JointDrives::find(int link) {
  for (Joint& joint : joints)
    if (joint.link == link) return &joint;
  return nullptr;
}

void JointDrives::start_step() {
  for (Joint& joint : joints) {
    joint.position = m_bodyA->getJointPos(joint.link);
    joint.rate = m_bodyA->getJointVel(joint.link);
  }
}

void JointDrives::createConstraintRows(btMultiBodyConstraintArray& out, btMultiBodyJacobianData& data,
                                       const btContactSolverInfo& info) {
  // Bullet computes the response to a unit impulse of each joint, which its rows share; we compute the rest of a row.
  const btVector3 none(0, 0, 0);
  const double huge = 1e30;
  std::vector<btMultiBodySolverConstraint> units(joints.size());
  std::vector<btScalar> jacobian(static_cast<std::size_t>(m_jacSizeA), 0);
  for (std::size_t j = 0; j < joints.size(); ++j) {
    btScalar& unit = jacobian[static_cast<std::size_t>(6 + m_bodyA->getLink(joints[j].link).m_dofOffset)];
    unit = 1;
    fillMultiBodyConstraint(units[j], data, jacobian.data(), nullptr, none, none, none, none, 0, info, -huge, huge);
    unit = 0;
  }
  const auto answer = [&](std::size_t joint, std::size_t to) {
    return data.m_deltaVelocitiesUnitImpulse[units[joint].m_jacAindex + 6 + m_bodyA->getLink(joints[to].link).m_dofOffset];
  };
  std::vector<double> responses(joints.size());
  for (std::size_t j = 0; j < joints.size(); ++j) responses[j] = answer(j, j);
  for (std::size_t j = 0; j < joints.size(); ++j) {
    Joint& joint = joints[j];
    const double response = responses[j];
    // Row sums bound the joints' response matrix (diagonal dominance), so their inverses bound the inertia.
    double sum = 0;
    for (std::size_t i = 0; i < joints.size(); ++i) sum += std::abs(answer(j, i)) * std::sqrt(response / responses[i]);
    joint.rows.begin(joint.position, joint.rate, response, 1 / sum, dt);
    const double now = m_bodyA->getJointVel(joint.link);  // with this step's forces
    for (std::size_t k = 0; k < 3; ++k) {
      const DriveRows::Row& row = joint.rows.rows()[k];
      const int number = static_cast<int>(3 * j + k);
      internalSetAppliedImpulse(number, 0);
      if (!row.used) continue;
      btMultiBodySolverConstraint& c = out.expandNonInitializing();
      c = units[j];
      c.m_orgConstraint = this;
      c.m_orgDofIndex = number;
      c.m_lowerLimit = -row.limit;
      c.m_upperLimit = row.limit;
      c.m_appliedImpulse = 0;
      const double soft = 1 + row.grip * response;
      c.m_cfm = row.rigid ? 0 : 1 / soft;
      c.m_jacDiagABInv = row.rigid ? 1 / response : row.grip / soft;
      c.m_rhs = row.rigid ? (row.goal - now) / response : (row.push - row.grip * (now - joint.rows.start_rate())) / soft;
    }
  }
}

void JointDrives::finish_step() {
  for (std::size_t j = 0; j < joints.size(); ++j)
    for (std::size_t k = 0; k < 3; ++k) joints[j].rows.rows()[k].impulse = getAppliedImpulse(static_cast<int>(3 * j + k));
}

namespace {

// Updates the geometry of a link's drive to the current poses.
void place(World::State& state, Link& link, LinkDrive& drive) {
  const detail::Body* a = link.settings.a == kNoBody ? nullptr : &state.body(link.settings.a);
  const detail::Body& b = state.body(link.settings.b);
  const Pose x_wb = detail::pose_of(b), x_wa = a != nullptr ? detail::pose_of(*a) : Pose{};
  drive.axis = x_wa.q * link.axis_a;
  // The two anchor points differ by the constraint error: both impulses act at that of b, so that they create no torque.
  drive.arm_b = x_wb.q * link.anchor_b;
  drive.arm_a = a != nullptr ? x_wb.p + drive.arm_b - x_wa.p : Vec3{};
}

}  // namespace

// Drives and the constraint rows of their joints oppose each other: the error at the end of an arm shrinks only by a factor of
// about 3/4 per iteration.
int World::State::iterations() const {
  constexpr int kDriven = 50;
  bool any = false;
  for (const auto& link : links) any = any || link->drive;
  for (const auto& a : articulations) any = any || a->drives;
  return any ? std::max(settings.solver_iterations, kDriven) : settings.solver_iterations;
}

void World::State::start_drives() {
  start_wrenches();
  bool any = false;
  for (auto& link : links) any = any || link->drive;
  if (any) {
    if (drives_counted != links.size()) count_drives();
    for (std::size_t i = 0; i < links.size(); ++i) {
      Link& link = *links[i];
      if (!link.drive) continue;
      place(*this, link, *link.drive);
      link.drive->position = owner->link_position(LinkId(static_cast<std::uint32_t>(i)));
      link.drive->rate = owner->link_velocity(LinkId(static_cast<std::uint32_t>(i)));
    }
  }
  for (auto& a : articulations)
    if (a->drives) a->drives->start_step();
}

void World::State::count_drives() {
  std::map<BodyId, int> count;
  for (const auto& link : links)
    if (link->drive) {
      ++count[link->settings.a];
      ++count[link->settings.b];
    }
  for (const auto& link : links)
    if (link->drive) {
      link->drive->shares_a = count[link->settings.a];
      link->drive->shares_b = count[link->settings.b];
    }
  drives_counted = links.size();
}

void World::State::finish_drives() {
  for (std::size_t i = 0; i < links.size(); ++i)
    if (links[i]->settings.kind == LinkKind::revolute)
      links[i]->turned = owner->link_position(LinkId(static_cast<std::uint32_t>(i)));
  for (auto& a : articulations)
    if (a->drives) a->drives->finish_step();
  finish_wrenches();
  for (const auto& a : articulations)
    for (const BodyId id : a->bodies) body(id).pushed = body(id).twisted = {};
}

}  // namespace simbatch::physics
