#pragma once
/// Loads and motors of links and of articulations' joints, over Bullet. Internal to this room.

#include <memory>
#include <vector>

#include <BulletDynamics/ConstraintSolver/btTypedConstraint.h>
#include <BulletDynamics/Featherstone/btMultiBody.h>
#include <BulletDynamics/Featherstone/btMultiBodyConstraint.h>

#include "lib/sim/physics/drive_rows.hpp"
#include "lib/sim/physics/shapes.hpp"

namespace simbatch::physics::detail {

/// These throw for invalid numbers.
void check_load(const JointLoad& load);
void check_motor(const JointMotor& motor);

/// Drives one link between two rigid bodies. Bullet's rows have a single compliance, with which its solver does not converge
/// for weak springs. So this class solves its own rows, using the hook of Bullet's older constraints.
class LinkDrive final : public btTypedConstraint {
 public:
  DriveRows rows;
  Vec3 axis;          // world
  Vec3 arm_a, arm_b;  // from the centers of mass to the link's anchor, world
  bool turns = true;
  double position = 0, rate = 0;   // at the start of the step
  int shares_a = 1, shares_b = 1;  // number of driven links attached to each body
  double dt = 1;

  LinkDrive(btRigidBody& a, btRigidBody& b) : btTypedConstraint(FIXED_CONSTRAINT_TYPE, a, b) {}
  void getInfo1(btConstraintInfo1* info) override;
  void getInfo2(btConstraintInfo2*) override {}
  void buildJacobian() override;
  void solveConstraintObsolete(btSolverBody& a, btSolverBody& b, btScalar) override;
  void setParam(int, btScalar, int) override {}
  btScalar getParam(int, int) const override { return 0; }

 private:
  /// Change of rate per unit impulse, and a lower bound of the inertia that moves.
  double response() const;
  double bound() const;
};

/// Drives the joints of an articulation.
class JointDrives final : public btMultiBodyConstraint {
 public:
  struct Joint {
    int link = 0;
    DriveRows rows;
    double position = 0, rate = 0;  // at the start of the step
  };
  std::vector<Joint> joints;
  double dt = 1;

  JointDrives(btMultiBody& body, std::vector<Joint> driven);
  Joint* find(int link);
  void start_step();
  void finalizeMultiDof() override;
  int getIslandIdA() const override;
  int getIslandIdB() const override { return -1; }
  void createConstraintRows(btMultiBodyConstraintArray& out, btMultiBodyJacobianData& data,
                            const btContactSolverInfo& info) override;
  void debugDraw(btIDebugDraw*) override {}
  /// Reads the impulses of the last step from Bullet's rows.
  void finish_step();
};

}  // namespace simbatch::physics::detail
