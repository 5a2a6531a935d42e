#pragma once
/// The World file, which is Simbatch's scenario file (docs/scenario.md). The thesis names its four sections (C.2); their
/// contents are defined here in the thesis' style. Positions and headings stay in file units, see common.hpp.

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/core/diagnostics.hpp"
#include "formats/autosim/build_data.hpp"
#include "formats/autosim/common.hpp"

namespace simbatch::autosim {

/// A place on the earth (WGS84, degrees).
struct Geographic {
  double latitude = 0, longitude = 0;
  friend bool operator==(const Geographic&, const Geographic&) = default;
};

/// `<Water name=>` in Physics: still or flowing water below a level.
struct Water {
  std::string name;
  SourcePlace place;
  double level = 0;       ///< y of the surface (m)
  double density = 1025;  ///< kg/m^3, > 0
  Vector3 current;        ///< velocity of the water in the world frame (m/s)
  friend bool operator==(const Water&, const Water&) = default;
};

/// `<Surface name=>` in Physics: friction of one kind of ground. Known names: kSurfaceNames.
struct Surface {
  std::string name;
  SourcePlace place;
  double friction = 1;  ///< coefficient, >= 0
  friend bool operator==(const Surface&, const Surface&) = default;
};
inline constexpr std::string_view kSurfaceNames[] = {"terrain", "road",  "pavement", "building", "park",    "forest",
                                                     "sand",    "pitch", "square",   "parking",  "railway", "water"};

/// The section Physics. `<Engine name=>` contains the members before `surfaces`.
struct Physics {
  std::string name = "physics";
  SourcePlace place;
  double step = 1.0 / 240;                ///< integration step (s), in (0, 1]
  Vector3 gravity{0, -9.81, 0};           ///< m/s^2
  double friction = 1;                    ///< default; the values of the two touching bodies are multiplied
  double restitution = 0;                 ///< default, 0..1; also multiplied
  std::uint64_t seed = 1;                 ///< of all random streams
  std::optional<Geographic> origin;       ///< of the world frame; absent: that of the map's setup, if there is a map
  std::optional<std::string> start_time;  ///< UTC at time 0, "2008-02-27T12:00:00Z" (seen by GPS sensors)
  std::vector<Surface> surfaces;
  std::optional<Water> water;
  friend bool operator==(const Physics&, const Physics&) = default;
};

/// The section Terrain: one block, or none (then bodies fall).
struct Terrain {
  enum class Kind {
    none,
    plane,       ///< `<Plane name=>`: flat at `height`, infinite
    height_map,  ///< `<HeightMap name=>`: a picture or a text grid, centered on the world's origin
    map,         ///< `<Map name=>`: a folder with setup.xml, height map and street map (thesis C.2, C.5)
  };
  Kind kind = Kind::none;
  std::string name;
  SourcePlace place;
  double height = 0;                ///< plane: its y (m)
  std::string path;                 ///< map: the folder; height_map: the file. Relative to the World file's folder
  std::string height_map;           ///< map: file in the folder; empty: heightmap.png, .bmp, .jpg or .txt if there is one
  std::string street_map;           ///< map: file in the folder; empty: map.osm if there is one
  double height_data_per_area = 8;  ///< height_map: meters between two values, > 0 (as in the setup file)
  double height_division = 10;      ///< height_map: picture value / this = meters, > 0; text grids are in meters already
  std::optional<double> friction;   ///< >= 0; absent: surface "terrain", else Physics' friction
  friend bool operator==(const Terrain&, const Terrain&) = default;
};

/// A place along a road of the map.
struct RoadPosition {
  std::string road;          ///< its name, or the id of a way; not empty
  std::optional<double> at;  ///< m along it, negative from its end; absent: its middle
  int lane = 1;              ///< from the center line outward: 1, 2, ... on its right, -1, -2, ... on its left; 0: on it
  friend bool operator==(const RoadPosition&, const RoadPosition&) = default;
};
inline constexpr int kMaxLane = 20;  ///< in each direction

/// A waypoint of a road network.
struct WaypointPosition {
  std::array<std::int32_t, 3> waypoint{};  ///< segment, lane, point: 1.2.3
  std::string rndf = {};  ///< the network, relative to the World file's folder; empty: that of the first `<Traffic>`
  bool planar = false;    ///< its coordinates are meters on a plane
  friend bool operator==(const WaypointPosition&, const WaypointPosition&) = default;
};

/// A start pose. Orientation R = Ry(heading) * Rx(tilt x) * Rz(tilt z); heading clockwise from north, degrees.
struct Pose {
  std::optional<Geographic> geographic;  ///< instead of x and z
  Boxed<RoadPosition> road = {};         ///< instead of x and z; `heading` is then relative to the road's direction
  std::string house = {};  ///< instead of x and z: name, address or id; `heading` is relative to the traffic's there
  Boxed<WaypointPosition> waypoint = {};  ///< instead of x and z; `heading` is then relative to the lane's direction
  double x = 0, z = 0;                    ///< m
  std::optional<double> y;                ///< m; absent: on the ground there, `above` m over it
  double above = 0;                       ///< m, only when y is absent
  double heading = 0;                     ///< degrees
  double tilt_x = 0;                      ///< degrees; positive lowers the front (+z)
  double tilt_z = 0;                      ///< degrees; positive raises the right side (+x)
  SourcePlace place = {};                 ///< of Position
  friend bool operator==(const Pose&, const Pose&) = default;
};

/// `<Control time= device= .../>`: a setting that holds from `time` on, until the device is set again. Absent inputs keep their
/// last value (initially 0).
struct Control {
  SourcePlace place;
  double time = 0;                     ///< s, >= 0
  std::string device;                  ///< "chassis.drive", below the robot
  std::optional<double> acceleration;  ///< -1..1, DriveActuator
  std::optional<double> steering;      ///< -1..1, positive to the right
  std::optional<double> brake;         ///< 0..1
  std::optional<double> value;         ///< one-valued actuators: Propeller -1..1, lights' intensity 0..1
  friend bool operator==(const Control&, const Control&) = default;
};

/// `<UserProgram path=>`: a program that controls the robot (docs/programs.md).
struct UserProgram {
  SourcePlace place;
  std::string path;                    ///< relative to the World file's folder
  std::vector<std::string> arguments;  ///< `<Argument value=/>`
  friend bool operator==(const UserProgram&, const UserProgram&) = default;
};

/// `<Mission file= vehicle= law= lookahead= part= speed= cooperate= navigation=/>`: the robot follows a mission's path
/// (docs/path.md).
struct Mission {
  SourcePlace place;
  std::string file;              ///< Medusa mission, relative to the World file's folder
  int vehicle = -1;              ///< selects its sections and its position in the FORMATION; -1: the sections for all
  std::string law = "lapierre";  ///< one of kMissionLaws
  double lookahead = 3;          ///< m, > 0, of law los
  std::string part;              ///< body whose position and thrusters are used; empty: the first of the robot
  double speed = 0.5;            ///< m/s, > 0, towards a POINT that leaves the speed to the vehicle
  bool cooperate = true;         ///< keep pace with the other robots of the same file's FORMATION
  bool by_sensors = false;       ///< navigation: "sensors", by the part's GPSSensor and CompassSensor; else "perfect"
  friend bool operator==(const Mission&, const Mission&) = default;
};
inline constexpr std::string_view kNavigations[] = {"perfect", "sensors"};
inline constexpr std::string_view kMissionLaws[] = {"lapierre", "aguiar", "samson", "los"};

/// `<Velocity x= y= z=/>` and `<AngularVelocity x= y= z=/>`: initial velocity of a movable object.
struct StartMotion {
  Vector3 linear;   ///< of its own origin in the world frame (m/s)
  Vector3 angular;  ///< about the world's axes (degrees/s); a positive turn about y is to the right
  friend bool operator==(const StartMotion&, const StartMotion&) = default;
};

/// The `file` of a robot that is the traffic signals of the map: it needs no Position.
inline constexpr std::string_view kSignalsOfMap = "map:signals";

/// `<Robot name= file=>` in Objects, or with `<Include robot=/>` in place of `file`.
struct RobotEntry {
  std::string name;  ///< first part of the names of its devices; replaces the name in the robot file
  SourcePlace place;
  std::string file;               ///< robot file, relative to the World file's folder; of an Include: its `robot`
  Pose pose;                      ///< of the robot file's origin; y absent: lifted until its lowest point is on the ground
  std::vector<Control> controls;  ///< in file order
  std::vector<UserProgram> programs;
  std::optional<Mission> mission = std::nullopt;
  StartMotion motion = {};              ///< of the whole robot, as one body about its origin
  bool is_fixed = false;                ///< `<Fixed/>`: no part ever moves
  std::vector<std::string> fixed = {};  ///< `<Fixed part=/>`: parts that never move; in file order
  bool is_included = false;             ///< `<Include robot=/>`: a robot of the library, or a file
  friend bool operator==(const RobotEntry&, const RobotEntry&) = default;
};

/// `<Box name=>`, `<Sphere name=>`, `<Capsule name=>`, `<Cylinder name=>`, `<Mesh name=>` in Objects: a static body, or with a
/// Mass a loose one. Its Position is the center of its underside (thesis C.7) or, for a mesh, the mesh's own origin.
struct StaticObject {
  std::string name;
  SourcePlace place;
  Shape shape;
  Pose pose;
  std::optional<double> friction;     ///< >= 0
  std::optional<double> restitution;  ///< 0..1
  Boxed<Model> model;
  std::optional<double> mass = std::nullopt;  ///< kg, > 0: it moves
  StartMotion motion = {};                    ///< only with a mass
  friend bool operator==(const StaticObject&, const StaticObject&) = default;
};

/// Default name of `<Traffic>`.
inline constexpr std::string_view kTrafficName = "traffic";

/// `<Traffic name= objects= rndf= planar=/>` in Objects: the objects of a CajunBot file on a road network (docs/formats/cajunbot.md).
struct Traffic {
  std::string name = std::string(kTrafficName);
  SourcePlace place;
  std::string objects;                 ///< object file of either version, relative to the World file's folder
  std::string rndf;                    ///< its road network
  std::vector<Control> controls = {};  ///< of autonomous objects, in file order
  bool planar = false;                 ///< the network's coordinates are meters on a plane
  friend bool operator==(const Traffic&, const Traffic&) = default;
};

/// `<GraspWorld name= file= root=>` in Objects: a GraspIt! world with its bodies and robots, its origin at the world's.
struct GraspWorld {
  std::string name;  ///< first part of the names of its bodies and robots
  SourcePlace place;
  std::string file;  ///< .wld or XML, relative to the World file's folder
  std::string root;  ///< root folder of the GraspIt! world's files, relative to the World file's folder; empty: searched for
  friend bool operator==(const GraspWorld&, const GraspWorld&) = default;
};

/// `<Expect name= that=>` in Expectations: what must hold during a run (docs/expectations.md). This room does not read the text.
struct Expect {
  std::string name;
  SourcePlace place;
  std::string that;             ///< not empty
  TextPlaces that_places = {};  ///< of its bytes in the World file
  friend bool operator==(const Expect&, const Expect&) = default;
};

/// The section Expectations.
struct Expectations {
  SourcePlace place;
  std::optional<double> duration;  ///< s, > 0: duration of a run in which all of them can be decided
  std::vector<Expect> expects;     ///< in file order, names unique
  friend bool operator==(const Expectations&, const Expectations&) = default;
};

struct World {
  std::string name;
  SourcePlace place;
  std::vector<BuildData> graphics;  ///< the contents of Graphics, kept verbatim
  Physics physics;
  Terrain terrain;
  std::vector<RobotEntry> robots;       ///< in file order
  std::vector<StaticObject> statics;    ///< in file order
  std::vector<Traffic> traffic = {};    ///< in file order
  std::vector<GraspWorld> grasps = {};  ///< in file order
  Expectations expectations = {};
  friend bool operator==(const World&, const World&) = default;
};

/// Reads a World file. Reports every problem with its position; broken blocks are left out of the value (if a robot has a name
/// and a file, only its broken Controls and Mission, so that its file can be checked as well). Checks what can be checked
/// without other files: names unique among all objects and without '.', ranges, mutually exclusive elements. Other files are
/// not opened. A file of more than kMaxRecords named blocks is one error, and is not read.
Parsed<World> read_world(std::string_view text, const std::string& file_name);

/// The canonical text. read_world(write_world(w)) == w. Defaults are left out.
std::string write_world(const World& world);

}  // namespace simbatch::autosim
