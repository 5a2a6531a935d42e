#pragma once
/// GraspIt! worlds in a simulation: bodies with their masses and materials, robots as articulated bodies, hands that close.
///
/// Frames: GraspIt! has z up and is right-handed, the world W has y up and, seen as axes, is left-handed: (x, y, z) of GraspIt!
/// is (x, z, y) of W. Poses in traces are W's, meters.
///
/// Shapes: an obstacle collides by its triangles. A graspable body and a link collide by convex hulls, one per connected
/// component of its mesh (beyond kMaxHulls, one hull of everything): hollows of a single piece, as of a mug, are filled.
///
/// Friction: of each pair of materials, at rest (Bullet knows one coefficient; sliding friction is not 0.1 less).
///
/// Robots: the base is fixed at its pose in the world file, every D-H joint is one joint of a Featherstone multibody. A DOF's
/// controller F = Kp e - Kd v, with at most maxEffort, is solved implicitly: it is a motor with the target speed (Kp / Kd) e
/// (bounded so that the error is not closed in less than kSettle steps). Every joint of a DOF has its own motor, for its share
/// of the DOF's set point.
///
/// Autograsp, of hands (graspit::is_hand): arms hold their DOF values. Each DOF's set point moves at its default velocity to
/// its limit. A rigid or compliant DOF waits while one of its joints lags by more than kLag; the joints of a breakaway DOF do
/// not wait for each other. The fingers thus close until they touch, and then press.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "lib/grasp/load.hpp"
#include "lib/sim/simulation.hpp"

namespace simbatch::sim {

inline constexpr std::size_t kMaxHulls = 64;
inline constexpr double kLag = 0.08;  ///< rad or m * 10
inline constexpr double kSettle = 8;  ///< steps

struct GraspSettings {
  std::string file;       ///< the world's, for messages
  std::string prefix;     ///< prefix of names in the tree, without the dot: "", or e.g. "grasp"
  bool autograsp = true;  ///< close the hands; otherwise they keep the file's DOF values
  double start = 0.5;     ///< s: when autograsp begins, so that bodies come to rest before that
};

/// Poses and shapes from GraspIt!'s frame to W.
geo::Vec3 from_graspit(geo::Vec3 v);
geo::Quat from_graspit(geo::Quat q);
geo::Pose from_graspit(const geo::Pose& pose);

/// Convex hulls of a body's mesh, in W's axes; `inside` is the body's pose in the frame of the parts (W's axes).
std::vector<physics::Part> hulls_of(const grasp::GraspBody& body, const geo::Pose& inside);

/// Adds all bodies and robots, their nodes in the tree, and the participant that drives the robots and writes the nodes.
/// Nodes: each graspable body `NAME` (pose, W); each robot `NAME` with `NAME.dofs` (set points and values), its links
/// `NAME.chainC_linkL` (poses); `contacts` (number, then up to 16: bodies by index, point, normal, force).
void add_grasp_world(Simulation& simulation, const grasp::GraspWorld& world, const GraspSettings& settings,
                     Diagnostics& problems);

}  // namespace simbatch::sim
