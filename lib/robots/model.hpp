#pragma once
/// Common form of URDF, SDF and MJCF robots and worlds: the converters of this room produce it, and to_autosim.hpp turns it
/// into AutoSim's robots and worlds, to_urdf.hpp and to_sdf.hpp into files again. SI units; right-handed frames, z up. Poses are
/// those at joint position 0. Members called `written` are numbers of a file from which others were computed: they are written
/// again where they still describe the same, so that a number comes back as it was.

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "base/core/position.hpp"
#include "base/geo/euler.hpp"
#include "base/geo/pose.hpp"

namespace simbatch::robots {

using geo::Pose;
using geo::Vec3;

struct Shape {
  enum class Kind { box, sphere, cylinder, capsule, cone, ellipsoid, mesh, plane };
  Kind kind = Kind::box;
  Vec3 size{1, 1, 1};                       ///< box: full lengths (m); ellipsoid: radii (m); mesh: factors; plane: its normal
  double radius = 0;                        ///< sphere, cylinder, capsule, cone (m)
  double length = 0;                        ///< cylinder, cone: whole; capsule: between the caps (m); along z
  std::string file;                         ///< mesh: as the file names it
  std::array<double, 2> drawn{1000, 1000};  ///< plane: size of what is seen of it (m)
};

/// A shape at its place in a part's frame.
struct Solid {
  std::string name;
  Position place;
  Pose pose;
  Shape shape;
  double mass = 0;                             ///< kg; 0: not given
  double density = 0;                          ///< kg/m^3; 0: not given
  std::optional<std::array<double, 4>> color;  ///< red, green, blue, alpha
  std::optional<double> friction = {};         ///< >= 0
  std::optional<double> restitution = {};      ///< 0..1
  std::string file = {};                       ///< the file that names the mesh, if not the one being converted
  std::optional<geo::EulerPose> written = {};  ///< `pose`
};

/// A symmetric tensor about the center of mass (kg m^2); xy etc. are elements of the matrix (-sum m x y).
struct Tensor {
  double xx = 0, yy = 0, zz = 0, xy = 0, xz = 0, yz = 0;
  friend bool operator==(const Tensor&, const Tensor&) = default;
};
/// q T q^-1: the tensor of a frame turned by q, in the frame that q is given in.
Tensor rotated(const Tensor& tensor, const geo::Quat& q);
/// The tensor of a point mass at r from the center: what a parallel axis adds (Steiner 1840).
Tensor of_point(double mass, Vec3 r);
Tensor operator+(const Tensor& a, const Tensor& b);
/// Whether the principal moments are positive and none exceeds the sum of the others, with a tolerance of 1e-6 of the largest.
bool is_physical(const Tensor& tensor);
/// With the largest principal moment lowered to the sum of the others; the same where that is not larger, or where a moment is
/// not positive.
Tensor nearest_physical(const Tensor& tensor);
/// With the principal moments that are less raised to this one; the same where none is.
Tensor with_least_moment(const Tensor& tensor, double least);

struct Inertial {
  double mass = 0;  ///< kg, >= 0
  Vec3 center;      ///< of mass, in the part's frame
  Tensor tensor;    ///< in the part's axes
};
/// Two bodies merged into one; all in the same frame.
Inertial combined(const Inertial& a, const Inertial& b);
/// The same body in a frame F, given X_FP, the pose of its own frame P in F.
Inertial moved(const Inertial& inertial, const Pose& X_FP);

/// An inertial as a file has it: the tensor is in the axes of `origin`, which are in the part's frame.
struct WrittenInertial {
  geo::EulerPose origin;
  Tensor tensor;
};

struct Part {
  std::string name;
  Position place;
  Pose pose;                         ///< in the model
  std::optional<Inertial> inertial;  ///< absent: none given, or a mass of 0
  bool by_density = false;           ///< no inertial, but densities or masses of all collisions
  std::vector<Solid> collisions, visuals;
  std::optional<geo::EulerPose> written = {};            ///< `pose`
  std::optional<WrittenInertial> written_inertial = {};  ///< `inertial`
};

inline constexpr double kUnlimited = 1e9;  ///< N m or N: the effort of a motor without a limit

struct Motor {
  enum class Mode { force, position, speed };
  Mode mode = Mode::force;
  double effort = 0;     ///< N m or N, > 0
  double velocity = 0;   ///< rad/s or m/s; 0: not limited
  double stiffness = 0;  ///< of position: N m/rad or N/m, > 0
  std::optional<double> damping = {};
  double target = 0;  ///< rad, m, rad/s, ...
};

/// The joint's position is multiplier * (that of the other one - reference) + offset.
struct Mimic {
  std::string joint;
  double multiplier = 1, offset = 0, reference = 0;
};

/// A joint's frame as a file has it, and the axis in it (or in the model).
struct WrittenJoint {
  bool in_parent = true;  ///< else in the child
  geo::EulerPose origin;
  Vec3 axis{0, 0, 1};   ///< of any length but 0
  Vec3 first{0, 0, 1};  ///< that of Joint::first
  bool axis_in_model = false;
};

/// What a joint does about or along one axis.
struct Motion {
  Vec3 axis{0, 0, 1};                  ///< in the model, of length 1
  std::optional<double> lower, upper;  ///< rad or m; one alone limits that end
  double damping = 0, friction = 0;    ///< N m s/rad, N m or N s/m, N
  double stiffness = 0, rest = 0;      ///< of a spring: N m/rad or N/m; rad or m
  double rotor = 0;                    ///< kg m^2 or kg
  std::optional<Motor> motor;
  std::optional<double> effort = {}, velocity = {};  ///< limits that a file gives; without one, those of the motor count
  std::optional<Mimic> mimic = {};                   ///< not simulated
};

struct Joint : Motion {
  /// A universal joint turns about `first`, then about its own axis. Floating and planar joints are not simulated.
  enum class Kind { fixed, revolute, prismatic, spherical, universal, floating, planar };
  Kind kind = Kind::fixed;
  std::string name;
  Position place;
  std::string file = {};      ///< the file it was read from, if not the one being converted
  std::string parent, child;  ///< parts; an empty parent is the world
  Vec3 position;              ///< in the model (m)
  std::optional<Motion> first = {};
  std::string type = {};  ///< as the file calls it: "continuous", "revolute2"
  std::optional<WrittenJoint> written = {};
};
/// Both limits of a joint, if it has one: where only one end is limited, the other one is out of reach (1e4 m, 1e3 rad).
std::optional<std::array<double, 2>> limits_of(const Joint& joint);

/// A frame that a file names: a place for users and sensors, attached to a part. Only SDF has them.
struct Frame {
  std::string name, part;
  Pose pose;                                   ///< in the model
  bool is_in_part = false;                     ///< `written` is relative to the part, else to the model around it
  std::optional<geo::EulerPose> written = {};  ///< `pose`
};
/// A model in another one, or its frame: its parts and joints are called NAME::PART. Only SDF has them.
struct Scope {
  std::string name;                            ///< with those around it: "arm::hand"
  Pose pose;                                   ///< in the model
  std::optional<geo::EulerPose> written = {};  ///< in the scope around it
};

/// A robot, or an object, loose or fixed. Joints may form rings only if has_tree() is false.
struct Model {
  std::string name;
  Position place;
  std::string file = {};  ///< the file it was read from, if not the world's own
  Pose pose;              ///< in the world
  bool is_static = false;
  bool self_collision = false;
  /// Of a URDF or SDF file: what is seen are the visuals alone, and limits are those of the joints alone; else a part without
  /// visuals looks like its collision shapes, and a joint has the limits of its motor.
  bool is_explicit = false;
  std::vector<Part> parts;
  std::vector<Joint> joints;
  std::vector<Frame> frames;
  std::vector<Scope> scopes;                   ///< each after the one around it; without any, "::" in a name means nothing
  std::optional<geo::EulerPose> written = {};  ///< `pose`
};

struct World {
  std::string name;
  Vec3 gravity{0, 0, -9.81};                        ///< m/s^2
  std::optional<double> step;                       ///< s
  std::optional<std::array<double, 2>> geographic;  ///< latitude, longitude of the origin (WGS84, degrees)
  std::vector<Model> models;
  bool has_frames = false;  ///< the file names frames outside of its models
};
/// Splits a model into separate models where no joint connects its parts: the first keeps the name, the others append the name
/// of their first part.
std::vector<Model> split(const Model& model);
/// With two revolute joints in place of each universal one, and a tiny part between them.
Model without_universals(Model model);
/// Drops the fixed part "world" if it has no shape: writers add it as the parent of joints to the world.
void drop_world_part(Model& model);

/// Index of a part, or nothing.
std::optional<std::size_t> part_index(const Model& model, const std::string& name);

}  // namespace simbatch::robots
