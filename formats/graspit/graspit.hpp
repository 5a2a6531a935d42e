#pragma once
/// GraspIt! bodies, robots and worlds: the text files of version 2.1 (keyword header of .iv/.wrl, .cfg, .wld) and the XML files
/// of later versions. See docs/formats/graspit.md. Millimeters, grams and the files' own angles throughout; frames are
/// right-handed, z up.

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/core/boxed.hpp"
#include "base/core/diagnostics.hpp"

namespace simbatch::graspit {

using Vector3 = std::array<double, 3>;
using Matrix3 = std::array<double, 9>;

/// How strictly to read a text file.
enum class Reading {
  forgiving,  ///< the intended meaning, with a warning at everything that GraspIt! ignores or misreads
  loader,     ///< exactly as interpreted by GraspIt! 2.1.0
};

/// One line of a transform. Lines compose left to right, each in the frame reached so far.
struct TransformStep {
  enum class Kind {
    translation,  ///< `t x y z`, mm
    degrees,      ///< `r angle x|y|z`
    radians,      ///< `rr angle x|y|z`
    matrix,       ///< `R` and nine numbers: **rows are axes**, row 1 is the image of x
    full,         ///< `T (w x y z)[x y z]`, translation and unit quaternion
  } kind = Kind::translation;
  Vector3 position{};                            ///< translation, full: mm
  double angle = 0;                              ///< degrees or radians, as the kind says
  char axis = 'x';                               ///< x, y or z
  Boxed<Matrix3> rows = {};                      ///< matrix: as in the file; set for that kind
  std::array<double, 4> quaternion{1, 0, 0, 0};  ///< full: w x y z
  friend bool operator==(const TransformStep&, const TransformStep&) = default;
};
using Transform = std::vector<TransformStep>;

/// The materials that GraspIt! knows, in its order.
inline constexpr std::string_view kMaterials[] = {"frictionless", "glass", "metal", "plastic", "wood", "rubber", "stone"};

/// Properties in a body file other than its geometry. Absent: GraspIt!'s default applies (wood, 300 g, computed).
struct Body {
  std::optional<std::string> material;
  std::optional<double> mass;                 ///< g, > 0
  std::optional<Vector3> cog;                 ///< mm, in the body's frame
  std::optional<Matrix3> inertia;             ///< per unit mass, mm^2, about the center of gravity, row by row
  std::optional<double> youngs;               ///< soft contact; said to be MPa; > 0
  std::optional<std::string> flock_of_birds;  ///< tracker number, as written

  // Only in XML
  std::string geometry_file;  ///< relative to the XML file; empty for a header
  std::string geometry_type;  ///< Inventor (or empty), off, ply
  SourcePlace geometry_place;
  std::optional<Vector3> scaling;  ///< factors of x, y, z
  Transform geometry_offset;       ///< of the geometry in the body, after the scaling; empty: none
  Transform transform;
  std::optional<double> normal_compliance, shear_compliance;  ///< as in the file; kept, not used
  friend bool operator==(const Body&, const Body&) = default;
};

/// Kind of a DOF: rigid, breakaway or compliant.
enum class DofKind : char { rigid = 'r', breakaway = 'b', compliant = 'c' };

struct Dof {
  DofKind kind = DofKind::rigid;
  double velocity = 0;                     ///< of the autograsp motion; the sign is the closing direction
  double max_effort = 0;                   ///< 1e-6 N mm (torque) or 1e-6 N (force)
  double kp = 0, kd = 0;                   ///< PD controller
  double dragger_scale = 0;                ///< of the user interface
  std::optional<double> breakaway_torque;  ///< N m, kind breakaway only
  std::optional<double> default_value;     ///< degrees; XML only
  friend bool operator==(const Dof&, const Dof&) = default;
};

/// A joint's variable: factor * DOF + offset.
struct Equation {
  std::uint32_t dof = 0;  ///< from 0
  double factor = 1;
  double offset = 0;  ///< degrees or mm; added in the D-H transform only: limits do not include it
  friend bool operator==(const Equation&, const Equation&) = default;
};

/// A joint: standard Denavit-Hartenberg, Rz(theta) Tz(d) Tx(a) Rx(alpha).
struct Joint {
  bool prismatic = false;  ///< then d is driven, else theta
  Equation variable;
  double theta = 0, d = 0;                 ///< degrees, mm; the driven one is 0 here
  double a = 0, alpha = 0;                 ///< mm, degrees
  double min = 0, max = 0;                 ///< degrees or mm, of factor * DOF
  std::optional<double> viscous, coulomb;  ///< friction
  std::optional<double> stiffness;         ///< spring: N mm or N
  std::optional<double> rest;              ///< of the spring: degrees or mm
  friend bool operator==(const Joint&, const Joint&) = default;
};

enum class LinkKind { revolute, prismatic, universal, ball, fixed };
std::string_view to_text(LinkKind kind);
/// Joints that a link of this kind adds to the chain: 1, 1, 2, 3, 0.
std::uint32_t joints_of(LinkKind kind);

struct Link {
  LinkKind kind = LinkKind::revolute;
  std::string file;             ///< in `iv/` beside the robot's file
  std::int64_t last_joint = 0;  ///< the link's frame is that after this joint of the chain; -1: the chain's base
  std::vector<std::pair<std::string, std::string>> attributes;  ///< further ones of the XML, as written
  SourcePlace place = {};                                       ///< position of the file's name
  friend bool operator==(const Link&, const Link&) = default;
};

struct Chain {
  Transform base;  ///< of the chain's first joint in the palm's frame
  std::vector<Joint> joints;
  std::vector<Link> links;
  friend bool operator==(const Chain&, const Chain&) = default;
};

struct Approach {
  Vector3 point{}, direction{0, 0, 1};
  friend bool operator==(const Approach&, const Approach&) = default;
};

struct FlockOfBirds {
  std::string number;  ///< as written; empty: missing
  Transform transform;
  friend bool operator==(const FlockOfBirds&, const FlockOfBirds&) = default;
};

struct Tendon {
  struct Point {
    std::int64_t chain = -1, link = -1;  ///< -1 -1: the palm
    Vector3 position{};                  ///< mm, in the link's frame
    friend bool operator==(const Point&, const Point&) = default;
  };
  std::string name;
  std::vector<Point> points;
  friend bool operator==(const Tendon&, const Tendon&) = default;
};

struct TendonWrapper {
  std::int64_t chain = -1, link = -1;
  Vector3 position{}, orientation{0, 0, 1};
  double radius = 0;  ///< mm
  friend bool operator==(const TendonWrapper&, const TendonWrapper&) = default;
};

struct Robot {
  std::string class_name;  ///< Robot, Hand, Barrett, ...
  std::string palm;        ///< body file in `iv/`
  SourcePlace palm_place;
  std::vector<Dof> dofs;
  std::vector<Chain> chains;
  std::optional<Approach> approach;
  std::string eigen_grasps, virtual_contacts, cyber_glove;  ///< files, relative to the robot's file; empty: none
  std::optional<FlockOfBirds> flock_of_birds;
  std::vector<Tendon> tendons;
  std::vector<TendonWrapper> wrappers;
  friend bool operator==(const Robot&, const Robot&) = default;
};

struct WorldBody {
  bool obstacle = false;    ///< Obstacle (static), else GraspableBody
  std::string file;         ///< relative to the root of GraspIt!'s files
  Boxed<Body> inline_body;  ///< instead of a file; XML only
  std::string material;     ///< of an Obstacle; read and never applied by GraspIt!
  Transform transform;
  SourcePlace place = {};  ///< of the file's name
  friend bool operator==(const WorldBody&, const WorldBody&) = default;
};

struct WorldRobot {
  std::string file;
  /// As in the file: radians or mm; for a breakaway DOF followed by its joints' flags and values, so that splitting the
  /// list needs the robot (grasp::split_dof_values).
  std::vector<double> dof_values;
  Transform transform;
  SourcePlace place = {};  ///< of the file's name
  friend bool operator==(const WorldRobot&, const WorldRobot&) = default;
};

struct Connection {
  std::uint32_t parent_robot = 0, parent_chain = 0, child_robot = 0;  ///< from 0
  std::string mount;                                                  ///< body file, or empty
  Transform transform;  ///< of the child's base in the frame of the last link of the parent's chain
  SourcePlace place = {}, mount_place = {};
  friend bool operator==(const Connection&, const Connection&) = default;
};

struct Camera {
  Vector3 position{};                             ///< mm
  std::array<double, 4> orientation{0, 0, 0, 1};  ///< **x y z w**, unlike a Transform's
  std::optional<double> focal_distance;           ///< mm; absent in the older `Camera` block (100 is used)
  friend bool operator==(const Camera&, const Camera&) = default;
};

struct World {
  std::string head = "GraspIt! version 2.0 beta";  ///< first line, without its '#'
  std::vector<WorldBody> bodies;
  std::vector<WorldRobot> robots;
  std::vector<Connection> connections;
  std::optional<Camera> camera;
  friend bool operator==(const World&, const World&) = default;
};

/// The keyword header of a body file: lines that begin with '#' anywhere in it. Geometry is ignored. Forgiving: also reports
/// misspelled and switched-off keywords, the positional dialect, and impossible inertias.
Parsed<Body> read_body_header(std::string_view text, Reading reading, std::string_view file_name);

/// Puts the values of `body` that are given into a geometry file's header; all other bytes stay. An existing keyword line is
/// rewritten in place, a missing one is added below the last keyword line (or below the head).
/// @return the new text, with the line ends of the old
std::string set_body_header(std::string_view text, const Body& body);

/// Robots and worlds of too many records (graspit-many) are one error, and are not read.
Parsed<Robot> read_cfg(std::string_view text, Reading reading, std::string_view file_name);
std::string write_cfg(const Robot& robot);

Parsed<World> read_wld(std::string_view text, Reading reading, std::string_view file_name);
std::string write_wld(const World& world);

// The later XML.
enum class XmlKind { body, robot, world, other };
/// The kind of object in an XML file of GraspIt!, from its root element.
XmlKind xml_kind(std::string_view text);
Parsed<Body> read_body_xml(std::string_view text, std::string_view file_name);
Parsed<Robot> read_robot_xml(std::string_view text, std::string_view file_name);
Parsed<World> read_world_xml(std::string_view text, std::string_view file_name);
std::string write_body_xml(const Body& body);
/// Puts the values of `body` that are given into the XML of a body; all other bytes stay. An existing element gets the new text,
/// a missing one is added before the first, with its indentation. Only what set_body_header() takes, but no tracker.
Parsed<std::string> set_body_xml(std::string_view text, const Body& body, std::string_view file_name);
std::string write_robot_xml(const Robot& robot);
std::string write_world_xml(const World& world);

}  // namespace simbatch::graspit
