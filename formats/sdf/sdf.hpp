#pragma once
/// SDFormat 1.9, written only: worlds for Gazebo and compatible programs. Meters, kilograms, radians; z up, right-handed.
/// Source: the schema of SDFormat 1.9 and what libsdformat 12 accepts.

#include <array>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/geo/euler.hpp"

namespace simbatch::sdf {

using Vector = std::array<double, 3>;

using Pose = geo::EulerPose;

using Color = std::array<double, 4>;  ///< red, green, blue, alpha in [0, 1]
inline constexpr Color kGray{0.8, 0.8, 0.8, 1};

struct Box {
  Vector size{1, 1, 1};  ///< full lengths (m)
};
struct Cylinder {
  double radius = 0.5, length = 1;  ///< m; along z
};
struct Sphere {
  double radius = 0.5;  ///< m
};
struct Capsule {
  double radius = 0.5, length = 1;  ///< m; between the caps, along z
};
struct Ellipsoid {
  Vector radii{1, 1, 1};  ///< m
};
struct Plane {
  Vector normal{0, 0, 1};
  std::array<double, 2> size{100, 100};  ///< m: size of the part that is drawn
};
struct Mesh {
  std::string uri;
  Vector scale{1, 1, 1};
};
using Geometry = std::variant<Box, Cylinder, Sphere, Plane, Mesh, Capsule, Ellipsoid>;

struct Visual {
  std::string name;
  Pose pose;  ///< in the link
  Geometry geometry;
  std::optional<Color> color = kGray;  ///< none: what the program that draws it chooses
};
struct Collision {
  std::string name;
  Pose pose;  ///< in the link
  Geometry geometry;
  std::optional<double> friction;          ///< of both ODE directions
  std::optional<double> restitution = {};  ///< 0..1
};
struct Inertial {
  Pose pose;                                        ///< of the center of mass in the link
  double mass = 1;                                  ///< kg
  std::array<double, 6> inertia{1, 0, 0, 1, 0, 1};  ///< ixx ixy ixz iyy iyz izz, about the center of mass, kg m^2
};
struct Link {
  std::string name;
  Pose pose;                     ///< in the model, or in the frame that it is relative to
  std::string relative_to = {};  ///< a joint; empty: the model
  std::optional<Inertial> inertial;
  std::vector<Visual> visuals;
  std::vector<Collision> collisions;
};
/// The joint's position is multiplier * (that of the other one - reference) + offset. SDFormat 1.11; readers of earlier versions
/// pass over it.
struct Mimic {
  std::string joint;
  double multiplier = 1;             ///< any number; not 0 for a joint that moves
  double offset = 0, reference = 0;  ///< rad or m
};
struct Axis {
  Vector xyz{0, 0, 1};
  std::string expressed_in = {};           ///< a frame; empty: the joint's
  std::optional<double> lower, upper;      ///< rad (revolute) or m (prismatic)
  std::optional<double> effort;            ///< N m or N
  std::optional<double> velocity;          ///< rad/s or m/s
  std::optional<double> damping;           ///< N m s/rad or N s/m
  std::optional<double> friction;          ///< N m or N
  std::optional<double> spring_stiffness;  ///< N m/rad or N/m
  std::optional<double> spring_reference;  ///< rad or m: where the spring is at rest
  std::optional<Mimic> mimic = {};
};
struct Joint {
  std::string name;
  std::string type = "fixed";      ///< fixed, revolute, prismatic, continuous, ball, universal, revolute2
  std::string parent, child;       ///< links; `world` as the parent fixes to the world
  Pose pose;                       ///< in the child's frame, or in the one that it is relative to
  std::string relative_to = {};    ///< the parent; empty: the child
  Axis axis;                       ///< not of fixed and ball joints
  std::optional<Axis> axis2 = {};  ///< of universal and revolute2 joints
};
struct Frame {
  std::string name, attached_to;  ///< attached to a link
  Pose pose;                      ///< in the link, or in the frame that it is relative to
  std::string relative_to = {};   ///< "__model__"; empty: the link
};
/// A piece of XML of another name space, kept by readers of SDFormat and ignored by simulators.
struct Extension {
  std::string element;  ///< with its prefix: "graspit:body"
  std::vector<std::pair<std::string, std::string>> attributes;
};
struct Model {
  std::string name;
  bool is_static = false;
  Pose pose;  ///< in the world
  std::vector<Link> links;
  std::vector<Joint> joints;
  std::vector<Extension> extensions;
  bool self_collide = false;
  std::vector<Frame> frames = {};
  std::vector<Model> models = {};  ///< in this one
};
struct World {
  std::string name = "default";  ///< "world" is reserved
  Vector gravity{0, 0, -9.81};   ///< m/s^2
  std::vector<Model> models;
  std::vector<Extension> extensions;
  /// Prefix and address of the extensions' name space; empty: none.
  std::string extension_prefix, extension_address;
  std::optional<double> step;                       ///< s: of the physics
  std::optional<std::array<double, 2>> geographic;  ///< latitude, longitude of the origin (WGS84, degrees)
};

/// A name that readers accept: "_" in place of each "::", which separates scopes, and not __NAME__, which is reserved.
std::string valid_name(std::string name);
/// A world file with a sun. Deterministic; names must be unique among siblings (ensured by the caller).
std::string write_world(const World& world);
/// A file with a single model.
std::string write_model(const Model& model);

}  // namespace simbatch::sdf
