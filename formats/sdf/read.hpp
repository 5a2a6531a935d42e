#pragma once
/// SDFormat 1.4 to 1.12 as written: poses with the frames that they are relative to, includes not followed; lib/robots resolves
/// them. Meters, kilograms, seconds, radians (degrees are converted); z up, right-handed.
/// Source: SDFormat specification 1.12 (world, model, link, joint, geometry, pose frame semantics).

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/core/boxed.hpp"
#include "base/core/diagnostics.hpp"
#include "base/geo/euler.hpp"
#include "base/geo/pose.hpp"

namespace simbatch::sdf::file {

/// <pose relative_to=>: absent, it is all 0.
struct Placement {
  geo::Pose pose;
  std::string relative_to;  ///< empty: the default that the specification defines for the element
  Position place;
  bool given = false;
  std::optional<geo::EulerPose> written = geo::EulerPose{};  ///< the same; nothing if it was given as a quaternion
};

struct Shape {
  enum class Kind { none, box, sphere, cylinder, capsule, ellipsoid, cone, plane, mesh };
  Kind kind = Kind::none;   ///< none: <empty>, or one that is left out
  geo::Vec3 size{1, 1, 1};  ///< box: full lengths; ellipsoid: radii; plane: normal; mesh: scale
  double radius = 0, length = 0;
  std::string uri = {};               ///< of a mesh
  std::array<double, 2> drawn{1, 1};  ///< plane: size of the part that is drawn (m)
};
/// <collision> or <visual>.
struct Solid {
  std::string name;
  Position place;
  Placement pose;
  Shape shape;
  std::optional<std::array<double, 4>> color;            ///< of a visual: diffuse, else ambient
  std::optional<double> friction, restitution, density;  ///< of a collision: ODE's mu; bounce; kg/m^3
};

struct Inertial {
  Placement pose;                                   ///< of the center of mass
  double mass = 1;                                  ///< kg, > 0
  std::array<double, 6> inertia{1, 0, 0, 1, 0, 1};  ///< ixx ixy ixz iyy iyz izz, kg m^2
  bool automatic = false;                           ///< auto="true": computed from the densities of the shapes
  std::optional<double> density;                    ///< kg/m^3, of shapes without one
};
struct Link {
  std::string name;
  Position place;
  Placement pose;
  Boxed<Inertial> inertial;
  std::vector<Solid> collisions, visuals;
};

/// The joint's position is multiplier * (that of `joint` - reference) + offset.
struct Mimic {
  std::string joint;
  double multiplier = 1, offset = 0, reference = 0;
};
struct Axis {
  geo::Vec3 xyz{0, 0, 1};
  std::string expressed_in;            ///< a frame; empty: the joint's
  bool in_model = false;               ///< use_parent_model_frame of SDF 1.6 and before
  std::optional<double> lower, upper;  ///< rad or m; absent or 1e15 and more: none
  std::optional<double> effort;        ///< N m or N; absent or negative: no limit
  std::optional<double> velocity;
  double damping = 0, friction = 0, stiffness = 0, rest = 0;
  Boxed<Mimic> mimic = {};
};
struct Joint {
  std::string name, type;
  Position place;
  Placement pose;  ///< relative to the child, unless it says otherwise
  std::string parent, child;
  std::vector<Axis> axes;  ///< none, <axis>, or <axis> and <axis2>
};
inline constexpr std::string_view kJointTypes[] = {"fixed",     "revolute",  "continuous", "prismatic", "ball",
                                                   "universal", "revolute2", "screw",      "gearbox"};

struct Frame {
  std::string name, attached_to;
  Position place;
  Placement pose;
};
struct Include {
  std::string uri, name, placement_frame;
  Position place;
  Placement pose;
  std::optional<bool> is_static;
  bool is_merged = false;  ///< what is in the model becomes part of the one around it
};

struct Model {
  std::string name, canonical_link, placement_frame;
  Position place;
  Placement pose;
  bool is_static = false, self_collide = false;
  std::vector<Link> links;
  std::vector<Joint> joints;
  std::vector<Frame> frames;
  std::vector<Model> models;
  std::vector<Include> includes;
};
struct World {
  std::string name;
  Position place;
  geo::Vec3 gravity{0, 0, -9.8};
  std::optional<double> step;                       ///< s, > 0
  std::optional<std::array<double, 2>> geographic;  ///< latitude, longitude of the origin (WGS84, degrees)
  std::vector<Model> models;
  std::vector<Joint> joints;
  std::vector<Frame> frames;
  std::vector<Include> includes;
};

/// <sdf>: a world, or a model alone.
struct File {
  int version = 0;  ///< 100 times major, and minor: 109 is 1.9
  std::optional<World> world;
  std::optional<Model> model;
};

/// Maximum nesting depth of models.
inline constexpr int kMaxNesting = 32;

/// Reads a file. Every problem is reported with its position. What is not read is reported once for each kind of element: with
/// a warning if it would change the simulation (plugins, sensors, wind), with a note if it only affects the appearance.
/// Too many records (sdf-many) are one error.
Parsed<File> read_sdf(std::string_view text, const std::string& file_name);

}  // namespace simbatch::sdf::file
