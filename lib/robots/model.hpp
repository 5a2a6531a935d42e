#pragma once
/// Common form of URDF, SDF and MJCF robots and worlds: the converters of this room produce it, and to_autosim.hpp turns it
/// into AutoSim's robots and worlds. SI units; right-handed frames, z up. Poses are those at joint position 0.

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "base/core/position.hpp"
#include "base/geo/pose.hpp"

namespace simbatch::robots {

using geo::Pose;
using geo::Vec3;

struct Shape {
  enum class Kind { box, sphere, cylinder, capsule, cone, ellipsoid, mesh, plane };
  Kind kind = Kind::box;
  Vec3 size{1, 1, 1};  ///< box: full lengths (m); ellipsoid: radii (m); mesh: factors; plane: its normal
  double radius = 0;   ///< sphere, cylinder, capsule, cone (m)
  double length = 0;   ///< cylinder, cone: whole; capsule: between the caps (m); along z
  std::string file;    ///< mesh: as the file names it
};

/// A shape at its place in a part's frame.
struct Solid {
  std::string name;
  Position place;
  Pose pose;
  Shape shape;
  double mass = 0;                            ///< kg; 0: not given
  double density = 0;                         ///< kg/m^3; 0: not given
  std::optional<std::array<float, 4>> color;  ///< red, green, blue, alpha
  std::optional<double> friction = {};        ///< >= 0
  std::optional<double> restitution = {};     ///< 0..1
  std::string file = {};                      ///< the file that names the mesh, if not the one being converted
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

struct Part {
  std::string name;
  Position place;
  Pose pose;                         ///< in the model
  std::optional<Inertial> inertial;  ///< absent: none given, or a mass of 0
  bool by_density = false;           ///< no inertial, but densities or masses of all collisions
  std::vector<Solid> collisions, visuals;
};

struct Motor {
  enum class Mode { force, position, speed };
  Mode mode = Mode::force;
  double effort = 0;     ///< N m or N, > 0
  double velocity = 0;   ///< rad/s or m/s; 0: not limited
  double stiffness = 0;  ///< of position: N m/rad or N/m, > 0
  std::optional<double> damping = {};
  double target = 0;  ///< rad, m, rad/s, ...
};

struct Joint {
  enum class Kind { fixed, revolute, prismatic, spherical };
  Kind kind = Kind::fixed;
  std::string name;
  Position place;
  std::string parent, child;           ///< parts; an empty parent is the world
  Vec3 position;                       ///< in the model (m)
  Vec3 axis{0, 0, 1};                  ///< in the model, of length 1
  std::optional<double> lower, upper;  ///< rad or m
  double damping = 0, friction = 0;    ///< N m s/rad, N m or N s/m, N
  double stiffness = 0, rest = 0;      ///< of a spring: N m/rad or N/m; rad or m
  double rotor = 0;                    ///< kg m^2 or kg
  std::optional<Motor> motor;
};

/// A robot, or an object, loose or fixed. Joints may form rings only if has_tree() is false.
struct Model {
  std::string name;
  Position place;
  std::string file = {};  ///< the file it was read from, if not the world's own
  Pose pose;              ///< in the world
  bool is_static = false;
  bool self_collision = false;
  std::vector<Part> parts;
  std::vector<Joint> joints;
};

struct World {
  std::string name;
  Vec3 gravity{0, 0, -9.81};                        ///< m/s^2
  std::optional<double> step;                       ///< s
  std::optional<std::array<double, 2>> geographic;  ///< latitude, longitude of the origin (WGS84, degrees)
  std::vector<Model> models;
};
/// Splits a model into separate models where no joint connects its parts: the first keeps the name, the others append the name
/// of their first part.
std::vector<Model> split(const Model& model);
/// The opposite: all parts and joints in the first model's frame, with unique names. @pre there is a model
Model joined(const std::vector<Model>& models, const std::string& name);
/// Replaces the last joint by two, with a tiny part between them: about `first` at its parent, then about its own axis.
/// @pre model.joints is not empty
void insert_cross(Model& model, Vec3 first);

/// Index of a part, or nothing.
std::optional<std::size_t> part_index(const Model& model, const std::string& name);

}  // namespace simbatch::robots
