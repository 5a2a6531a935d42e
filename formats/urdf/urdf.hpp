#pragma once
/// URDF: robots of ROS and compatible programs. Meters, kilograms, radians; right-handed frames, z up (docs/formats/urdf.md).
/// Source: the XML specification of the ROS package urdf, what check_urdf of urdfdom 3.0 accepts, and the extensions of
/// Bullet's reader (capsules, `<contact>`).

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/core/boxed.hpp"
#include "base/core/diagnostics.hpp"
#include "base/geo/euler.hpp"

namespace simbatch::urdf {

using Vector = std::array<double, 3>;

using Pose = geo::EulerPose;

struct Inertial {
  Pose origin;                      ///< of the center of mass in the link's frame
  double mass = 0;                  ///< kg
  std::array<double, 6> inertia{};  ///< ixx ixy ixz iyy iyz izz, about the center of mass, kg m^2
  friend bool operator==(const Inertial&, const Inertial&) = default;
};

struct Box {
  Vector size{1, 1, 1};  ///< full lengths (m), > 0
  friend bool operator==(const Box&, const Box&) = default;
};
struct Cylinder {
  double radius = 0.5, length = 1;  ///< m, > 0; along z
  friend bool operator==(const Cylinder&, const Cylinder&) = default;
};
/// An extension of Bullet and others, not in ROS' specification. `length` is that between the caps.
struct Capsule {
  double radius = 0.5, length = 1;  ///< m, > 0; along z
  friend bool operator==(const Capsule&, const Capsule&) = default;
};
struct Sphere {
  double radius = 0.5;  ///< m, > 0
  friend bool operator==(const Sphere&, const Sphere&) = default;
};
struct Mesh {
  std::string file;       ///< as written: a path beside the file, package://, model:// or file://
  Vector scale{1, 1, 1};  ///< not 0
  friend bool operator==(const Mesh&, const Mesh&) = default;
};
/// An extension of Bullet: everything on one side of a plane through the origin.
struct Plane {
  Vector normal{0, 0, 1};  ///< not 0
  friend bool operator==(const Plane&, const Plane&) = default;
};
using Geometry = std::variant<Box, Cylinder, Capsule, Sphere, Mesh, Plane>;

using Color = std::array<double, 4>;  ///< red, green, blue, alpha in [0, 1]

/// `<visual>` or `<collision>`: a shape at its place in a link's frame.
struct Shape {
  std::string name;  ///< may be empty
  SourcePlace place;
  Pose origin;
  Geometry geometry;
  std::optional<Color> color;  ///< of a visual: of its own material, or of the robot's material that it names
  std::string material = {};   ///< its name; empty: named after the color
  friend bool operator==(const Shape&, const Shape&) = default;
};

/// `<contact>` of a link, as Bullet reads it.
struct Contact {
  std::optional<double> friction, restitution;  ///< >= 0
  friend bool operator==(const Contact&, const Contact&) = default;
};

struct Link {
  std::string name;
  SourcePlace place;
  Boxed<Inertial> inertial;
  std::vector<Shape> visuals, collisions;
  Contact contact;
  friend bool operator==(const Link&, const Link&) = default;
};

struct Limit {
  double lower = 0, upper = 0;             ///< rad (revolute) or m (prismatic)
  std::optional<double> effort, velocity;  ///< N m or N, rad/s or m/s; absent: no limit
  friend bool operator==(const Limit&, const Limit&) = default;
};
/// The joint's position is multiplier * that of `joint` + offset (rad or m).
struct Mimic {
  std::string joint;
  double multiplier = 1, offset = 0;
  friend bool operator==(const Mimic&, const Mimic&) = default;
};
struct Joint {
  std::string name;
  SourcePlace place;
  std::string type = "fixed";  ///< one of kJointTypes
  std::string parent, child;
  Pose origin;           ///< of the joint (and the child at 0) in the parent's frame
  Vector axis{0, 0, 1};  ///< of length 1, in the joint's frame
  Boxed<Limit> limit;
  Boxed<Mimic> mimic;
  std::optional<double> damping;   ///< N m s/rad or N s/m
  std::optional<double> friction;  ///< N m or N
  friend bool operator==(const Joint&, const Joint&) = default;
};
/// `spherical` is Bullet's.
inline constexpr std::string_view kJointTypes[] = {"fixed",    "revolute", "prismatic", "continuous",
                                                   "floating", "planar",   "spherical"};

struct Robot {
  std::string name;
  std::vector<Link> links;
  std::vector<Joint> joints;
  friend bool operator==(const Robot&, const Robot&) = default;
};

/// Reads a robot. Every problem is reported with its position; a broken link or joint is left out of the value. Checks that
/// names are unique, that referenced links and joints exist, and that the joints form one tree. What is not read (Gazebo's and
/// other extensions, transmissions, sensors) gets one warning for each kind of element. Meshes are not opened. A
/// file of more than kMaxRecords links, joints, shapes and materials is one error, and is not read.
Parsed<Robot> read_urdf(std::string_view text, const std::string& file_name);

/// Deterministic. @pre names are unique and the joints form a tree
std::string write_urdf(const Robot& robot);

}  // namespace simbatch::urdf
