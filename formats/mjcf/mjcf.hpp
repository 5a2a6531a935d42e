#pragma once
/// MJCF, MuJoCo's models, fully resolved: files included, classes of defaults applied, frames, replicas, attached models
/// expanded. Meters, kilograms, seconds, radians; z up, right-handed. Source: MuJoCo's XML reference and chapter "Modeling"
/// (3.3).

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/core/diagnostics.hpp"
#include "base/geo/pose.hpp"

namespace simbatch::mjcf {

/// Where an element was read. The file may be an included one.
struct Place {
  std::string file;
  Position at;
};

struct Mesh {
  std::string name;
  Place place;
  std::string file;               ///< prefixed with the compiler's folder; empty: no file
  geo::Vec3 scale{1, 1, 1};       ///< not 0
  std::vector<geo::Vec3> points;  ///< of `vertex`, already scaled; at most kMaxPoints
  bool is_round = false;          ///< builtin sphere or supersphere: an ellipsoid with the radii of `scale`
};

struct Geom {
  enum class Kind { plane, sphere, capsule, ellipsoid, cylinder, box, mesh };
  Kind kind = Kind::sphere;
  std::string name;
  Place place;
  geo::Pose pose;        ///< in the body
  geo::Vec3 size;        ///< sphere: radius; capsule, cylinder: radius, half length; ellipsoid: radii; box: half lengths (m)
  std::size_t mesh = 0;  ///< index into Model::meshes
  std::optional<double> mass;  ///< kg, >= 0
  double density = 1000;       ///< kg/m^3, >= 0, without a mass
  double friction = 1;         ///< sliding friction, >= 0
  bool collides = true;        ///< contype or conaffinity is not 0
  int group = 0;
  std::optional<std::array<double, 4>> color;  ///< its own rgba, 0..1
};

struct Joint {
  enum class Kind { hinge, slide, ball, free };
  Kind kind = Kind::hinge;
  std::string name;
  Place place;
  geo::Vec3 position;                                  ///< in the body
  geo::Vec3 axis{0, 0, 1};                             ///< in the body, of length 1
  std::optional<std::array<double, 2>> range;          ///< of hinge and slide: rad or m, lower < upper
  double reference = 0;                                ///< its value in the pose of the file
  double spring_reference = 0;                         ///< its value where the spring is at rest
  double stiffness = 0, damping = 0;                   ///< N m/rad, N m s/rad or N/m, N s/m, >= 0
  double friction = 0;                                 ///< N m or N, >= 0
  double armature = 0;                                 ///< kg m^2 or kg, >= 0
  std::optional<std::array<double, 2>> spring_damper;  ///< time constant (s), damping ratio: instead of stiffness and damping
  std::optional<double> largest_force;                 ///< N m or N: limit for all its actuators together
  std::string own_name;                                ///< without the prefixes and suffixes of attached models and replicas
  std::size_t scope = 0;                               ///< the model that it comes from: 0 the file's own, else attached
};

struct Inertial {
  geo::Pose pose;                   ///< of the center of mass and its axes in the body
  double mass = 0;                  ///< kg, >= 0
  std::array<double, 6> inertia{};  ///< xx yy zz xy xz yz, in those axes (kg m^2)
};

struct Body {
  std::string name;  ///< may be empty
  Place place;
  geo::Pose pose;  ///< in its parent
  bool is_mocap = false;
  std::optional<Inertial> inertial;
  std::vector<Joint> joints;
  std::vector<Geom> geoms;
  std::vector<Body> bodies;
};

/// What drives a hinge or a slide.
struct Actuator {
  enum class Kind { motor, position, velocity };
  Kind kind = Kind::motor;
  std::string name;
  Place place;
  std::string joint;
  double gear = 1;                    ///< N m or N at the joint per N m or N of the actuator; may be negative
  double gain = 1;                    ///< N m or N per unit of control, before the gear; for position and velocity, kp and kv
  std::optional<double> damping = 0;  ///< kv of position; absent: critical
  std::optional<std::array<double, 2>> control_range, force_range;  ///< of the control, in its unit; N m or N before the gear
};

struct Settings {
  bool from_geoms = false;          ///< inertials of the file do not count
  bool only_inertials = false;      ///< geoms have no mass
  double least_mass = 0;            ///< boundmass (kg)
  double least_inertia = 0;         ///< boundinertia (kg m^2)
  bool balances_inertia = false;    ///< balanceinertia: impossible tensors become spherical ones
  double total_mass = -1;           ///< settotalmass (kg); not positive: masses are not scaled
  std::array<int, 2> groups{0, 5};  ///< inertiagrouprange: groups of the geoms that have mass
};

struct Model {
  std::string name;
  Settings settings;
  geo::Vec3 gravity{0, 0, -9.81};  ///< m/s^2
  double step = 0.002;             ///< s, > 0
  Body world;                      ///< the bodies of the model are in it
  std::vector<Mesh> meshes;
  std::vector<Actuator> actuators;
};

/// A file that another one includes or attaches.
struct Included {
  std::string path;  ///< for diagnostics, and for what it names in turn
  std::string text;
};
/// Finds a file. Reports why it cannot be found, and returns nothing. @param from  the file that names it, at `at`
using Loader = std::function<std::optional<Included>(const std::string& name, const std::string& from, Position at)>;

/// Maximum total number of bodies, joints, geoms and iterations of replicas.
inline constexpr std::size_t kMaxElements = 100'000;
/// Maximum number of points of a mesh that is given in the file itself.
inline constexpr std::size_t kMaxPoints = 100'000;

/// Reads a model with the files that it includes. Every problem is reported with its position. What is not read is reported
/// once for each kind: as a warning if it would change the simulation (tendons, sensors, equalities), as a note if it only
/// tunes the solver or affects the appearance. Meshes are not opened. Too many elements (mjcf-many) are one error.
/// @param load  called once for each file that is included or attached; null: they are left out, with a warning
Parsed<Model> read_mjcf(std::string_view text, const std::string& file_name, const Loader& load);

}  // namespace simbatch::mjcf
