#pragma once
/// Articulated bodies: trees of links on joints in reduced coordinates (Featherstone's algorithm, Bullet's multibody). Joints
/// cannot come apart, which chains of LinkSettings can; for arms, hands and other robots of many joints.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "lib/sim/physics/drive.hpp"
#include "lib/sim/physics/shapes.hpp"

namespace simbatch::physics {

enum class ArticulationId : std::uint32_t {};

enum class JointKind { revolute, prismatic, fixed };

/// What a link (or the base) is made of. As in URDF a link's frame is its joint's; the body's own frame, in which everything here
/// is given and which World::pose() shows, is the same unless ArticulatedLink::body_frame says otherwise.
struct LinkBody {
  std::string name;                    ///< fully qualified: it is a body of the world like others
  std::vector<Part> parts;             ///< in the body's frame; may be empty: then mass, center and inertia must be given
  double mass = 1;                     ///< kg, > 0 (of a fixed base: does not count)
  std::optional<Vec3> center_of_mass;  ///< in the body's frame; absent: of a uniform solid
  std::optional<Inertia> inertia;      ///< about the center of mass; absent: of that solid
  double friction = 0.5, restitution = 0;
  int material = 0;
};

struct ArticulatedLink {
  LinkBody body;
  int parent = -1;  ///< an earlier link, or -1: the base
  JointKind joint = JointKind::revolute;
  Pose frame;                          ///< of the link's frame in its parent's, at joint position 0
  Vec3 axis{0, 0, 1};                  ///< in the link's frame: turns about it, or moves along it
  Pose body_frame;                     ///< of the body's frame in the link's
  std::optional<double> lower, upper;  ///< rad or m
  double friction = 0;                 ///< N m or N: dry friction in the joint; of one with `load` or `motor`: load.friction
  JointLoad load;
  bool motor = false;   ///< takes set_joint_motor(JointMotor)
  double position = 0;  ///< rad or m, at the start
};

struct ArticulationSettings {
  std::string name;
  LinkBody base;
  Pose pose;  ///< of the base's frame in the world
  bool fixed_base = true;
  std::vector<ArticulatedLink> links;  ///< parents before children
  bool self_collision = true;          ///< of links that are not neighbors
  int group = -1;                      ///< robot: sensors ignore their own
};

}  // namespace simbatch::physics
