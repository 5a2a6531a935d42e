#pragma once
/// Articulated bodies: trees of links on joints in reduced coordinates (Featherstone's algorithm, Bullet's multibody). Unlike
/// chains of LinkSettings, the joints cannot drift apart. For arms, hands and other robots with many joints.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "lib/sim/physics/drive.hpp"
#include "lib/sim/physics/shapes.hpp"

namespace simbatch::physics {

enum class ArticulationId : std::uint32_t {};

/// Of one articulation. The memory of the solver grows with the square of the links on motors: 1000 take 150 MB.
inline constexpr std::size_t kMaxArticulatedLinks = 1000;

enum class JointKind { revolute, prismatic, fixed };

/// Shape and mass of a link (or of the base). As in URDF, the link frame is the joint frame. Everything here is given in the
/// body frame, which World::pose() returns; it coincides with the link frame unless ArticulatedLink::body_frame differs.
struct LinkBody {
  std::string name;                    ///< fully qualified: it is a body of the world like any other
  std::vector<Part> parts;             ///< in the body frame; if empty, mass, center and inertia must be given
  double mass = 1;                     ///< kg, > 0 (ignored for a fixed base)
  std::optional<Vec3> center_of_mass;  ///< in the body frame; absent: that of a uniform solid
  std::optional<Inertia> inertia;      ///< about the center of mass; absent: that of the uniform solid
  double friction = 0.5, restitution = 0;
  int material = 0;
};

struct ArticulatedLink {
  LinkBody body;
  int parent = -1;  ///< an earlier link, or -1: the base
  JointKind joint = JointKind::revolute;
  Pose frame;                          ///< link frame in the parent's link frame, at joint position 0
  Vec3 axis{0, 0, 1};                  ///< in the link frame: axis of rotation or direction of travel
  Pose body_frame;                     ///< body frame in the link frame
  std::optional<double> lower, upper;  ///< rad or m
  /// N m or N: dry friction in the joint; ignored with `load` or `motor`, which use load.friction
  double friction = 0;
  JointLoad load;
  bool motor = false;   ///< allows set_joint_motor(JointMotor)
  double position = 0;  ///< rad or m, initial
};

struct ArticulationSettings {
  std::string name;
  LinkBody base;
  Pose pose;  ///< base frame in the world
  bool fixed_base = true;
  std::vector<ArticulatedLink> links;  ///< parents before children; at most kMaxArticulatedLinks
  bool self_collision = true;          ///< between links that are not adjacent
  int group = -1;                      ///< robot number; sensors ignore bodies of their own group
};

}  // namespace simbatch::physics
