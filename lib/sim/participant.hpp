#pragma once
/// How something takes part in a simulation: devices, timed controls, user programs, traffic, missions, grasping hands.
///
/// One step from t to t + dt is
///     control(t) of all      programs and followers decide, and set actuators
///     before_step(t) of all  actuators act: forces, wheel controls, poses of kinematic bodies
///     the physics' step
///     after_step(t + dt) of all   sensors measure; values go into the tree
/// each in the order in which the participants were added. start(0) comes once before the first step.
///
/// To plug in something new:
///  1. derive a class from Participant; make its bodies in its constructor, through Simulation::world();
///  2. for values that traces, recordings and the printed tree should show, register a TreeNode (with a NodeType that names
///     fields and units) below the robot it belongs to, or below the root, and write its numbers in start() and
///     after_step(), through SimulationTree::bank() at TreeNode::values_offset(). Nothing else is needed: the recorder, the
///     bit stream, `--devices` and the state hash take every node;
///  3. to move a robot, find its actuators in the tree by name (lib/sim/device/device_node.hpp) and call set() in control();
///  4. hand it to Simulation::add(), before the first step.
///  5. to describe it in a scenario file, give formats/autosim an element and lib/scenario a function (see build.hpp).
///
/// Rules: no allocation and no search by name in a step; randomness only from a RandomStream keyed by (seed, node's name);
/// time only from the clock; no order that depends on addresses or hashes.

#include <cstdint>

#include "base/core/hash.hpp"

namespace simbatch::sim {

/// Simulated time. `time` is step * dt, never a sum.
struct Clock {
  std::int64_t step = 0;  ///< steps done
  double time = 0;        ///< s
  double dt = 0;          ///< s
};

class Participant {
 public:
  Participant() = default;
  Participant(const Participant&) = delete;
  Participant& operator=(const Participant&) = delete;
  virtual ~Participant();

  /// Once, before the first step, at time 0: first values for the tree.
  virtual void start(const Clock&) {}
  virtual void control(const Clock&) {}
  virtual void before_step(const Clock&) {}
  /// The clock already shows t + dt.
  virtual void after_step(const Clock&) {}
  /// Adds the state that is neither in the tree nor in the physics, but affects later steps.
  virtual void hash_state(StateHash&) const {}
};

}  // namespace simbatch::sim
