#pragma once
/// CajunBot object files, versions 1 (text) and 2 (XML): one model, two readers, two writers.
///
/// Source: the CajunBot wiki page "Object files" (sections "Version 2", "Version 1 / Sample", "Version 1 / Format");
/// docs/formats/cajunbot.md lists its contradictions and our readings.

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/core/boxed.hpp"
#include "base/core/diagnostics.hpp"

namespace simbatch::cajunbot {

/// Version 1 calls these dyn_sim (0), dyn_no_sim (1), static (2) and MESH (no number given; 3 and more are read).
enum class Type : std::uint8_t { autonomous, dynamic, fixed, mesh };
std::string_view to_text(Type type);  ///< version 2's words: autonomous, dynamic, static, mesh

/// Version 1's numbers 0..4; version 2's words, without mesh.
enum class Shape : std::uint8_t { box, sphere, cylinder, wheel, mesh };
std::string_view to_text(Shape shape);

/// Version 1's numbers 0..3. Version 2 has none: autonomous implies sensor, dynamic implies waypoint.
enum class Controller : std::uint8_t { sensor, manual, script, waypoint };
std::string_view to_text(Controller controller);

/// A waypoint of a road network, in RNDF notation: segment.lane.waypoint; in a zone lane 0 is the perimeter, lane k spot k. 0 0
/// 0 means "none: offsets count from the world's origin" (version 1, Format). All >= 0.
struct Waypoint {
  std::int32_t segment = 0, lane = 0, point = 0;
  bool is_disabled() const { return segment == 0 && lane == 0 && point == 0; }
  friend bool operator==(const Waypoint&, const Waypoint&) = default;
  friend auto operator<=>(const Waypoint&, const Waypoint&) = default;
};
/// "1.2.3"
std::string to_text(const Waypoint& waypoint);

/// x right, y forward, z up. Meters for places and sizes, degrees for orientations (the units of version 2's text).
struct Vector {
  double x = 0, y = 0, z = 0;
  friend bool operator==(const Vector&, const Vector&) = default;
};

/// Drive to a waypoint.
struct Goal {
  double speed = 0;        ///< m/s
  double pause = 0;        ///< s, >= 0, after arriving
  Waypoint to;             ///< if open, only segment and lane count
  bool open = false;       ///< version 2's goal without a waypoint: all the rest of that lane (see expand rules in lib/traffic)
  SourcePlace place = {};  ///< of its element; unknown in version 1, where an object is often one line
  friend bool operator==(const Goal&, const Goal&) = default;
  /// Where to report its problems, in an object at `object`.
  Position at(const SourcePlace& object) const { return place.at.line > 0 ? place.at : object.at; }
};

/// Drive a distance in a direction (version 1, controller script).
struct ScriptLeg {
  double speed = 0;      ///< m/s
  double pause = 0;      ///< s, >= 0, after arriving
  double distance = 0;   ///< m
  double angle_deg = 0;  ///< degrees, "global": not relative to the heading so far
  friend bool operator==(const ScriptLeg&, const ScriptLeg&) = default;
};

struct Sensor {
  std::string conf;         ///< configuration file, below $CBCONF/$CBBOTNAME
  std::string description;  ///< version 2 only
  std::int32_t type = 0;    ///< version 1 only; meaning unknown
  friend bool operator==(const Sensor&, const Sensor&) = default;
};

/// A file of a mesh object. `full`: the name is a complete path; otherwise it is searched for in the working folder.
/// Version 1 does not say which; its reader takes absolute paths as full.
struct MeshFile {
  std::string name;
  bool full = false;
  friend bool operator==(const MeshFile&, const MeshFile&) = default;
};

/// "/a/b", "\\a" or "C:/a".
bool is_absolute_path(std::string_view name);

/// One object. Fields not used by a type keep their defaults.
struct Object {
  Type type = Type::fixed;
  Shape shape = Shape::box;
  Controller controller = Controller::sensor;  ///< autonomous, dynamic
  std::int32_t mesh_type = 3;                  ///< mesh: version 1's type number, >= 3
  std::int32_t wheel_type = 0;                 ///< autonomous: 0 skid, 1 conventional
  Waypoint start;                              ///< for meshes version 1 only
  std::optional<std::int32_t> id;              ///< version 1 only, not for meshes
  std::optional<std::string> name;             ///< version 2 only
  Vector position;                             ///< offset (m)
  Vector size;                                 ///< m, >= 0
  Vector orientation_deg;                      ///< offset (degrees)
  double wheel_radius = 0, wheel_width = 0;    ///< autonomous: m, >= 0
  double throttle_rate = 0, lever_rate = 0;    ///< autonomous: full strokes per second (unit not documented)
  std::vector<Sensor> sensors;                 ///< autonomous
  double initial_pause = 0;                    ///< dynamic, version 2 only: s, >= 0
  std::vector<Goal> goals;                     ///< controller waypoint; version 1 also allows them on autonomous objects
  std::vector<ScriptLeg> script;               ///< controller script, version 1 only
  Rare<MeshFile> vertices, indices;            ///< mesh
  SourcePlace place;
  friend bool operator==(const Object&, const Object&) = default;
};

/// The controller that version 2 implies for a type.
Controller implied_controller(Type type);

struct ObjectFile {
  std::optional<std::string> name;  ///< version 2 only
  bool name_implied = false;        ///< the name was made for a version 1 file, which has none (written and read with extras)
  std::vector<Object> objects;
  friend bool operator==(const ObjectFile&, const ObjectFile&) = default;
};

struct ReadOptions {
  /// Version 1: exactly the Format section (no implied controller, no mesh type other than 3, an exact count).
  bool strict = false;
};

/// Reads version 1. Both layouts (with and without the controller line of dynamic objects) are tried and the whole file
/// decides; O(size). Comments that begin with `//!` carry version 2 facts (see write_v1).
/// A wrong count is only a warning when the objects end cleanly at the end of the file. Too many objects are one error.
Parsed<ObjectFile> read_v1(std::string_view text, std::string file, const ReadOptions& options = {});

/// Reads version 2. Unknown elements and attributes are warnings.
Parsed<ObjectFile> read_v2(std::string_view text, std::string file);

enum class Version { v1 = 1, v2 = 2 };
/// The version of a text, by its first non-blank byte ('<' is version 2).
Version guess_version(std::string_view text);
/// The version of a text that looks like an object file: XML whose root is object_file, or a single count on the first line
/// other than comments. Nothing for other texts.
std::optional<Version> detect_version(std::string_view text);

/// Receives parts of an output in order.
using Sink = std::function<void(std::string_view)>;

struct WriteV1Options {
  /// Version-2-only facts (names, initial pause, descriptions, path kinds, open goals) as `//!` lines that our reader
  /// understands. Off: names as plain comments, the rest is not written.
  bool extras = false;
};
/// Writes version 1 in the style of the sample: one value per line, triples on one line, a comment after each, explicit
/// controllers. Open goals are not legs (see extras). Absent ids become 1, 2, ... .
/// @pre v1_fault() is empty for every object; std::invalid_argument otherwise
void write_v1(const ObjectFile& file, const WriteV1Options& options, const Sink& sink);
std::string write_v1(const ObjectFile& file, const WriteV1Options& options = {});
/// The reason why an object cannot be written as version 1 text (a file name that cannot be read back, a number that is not
/// finite), or empty.
std::string v1_fault(const Object& object);

struct WriteV2Options {
  /// Version-1-only facts as elements of the namespace kExtrasNamespace. Off: not written.
  bool extras = false;
};
inline constexpr std::string_view kExtrasNamespace = "urn:simbatch:cajunbot:version-1";
/// Writes canonical version 2. Shape mesh is written as box (see extras).
/// @pre numbers are finite
void write_v2(const ObjectFile& file, const WriteV2Options& options, const Sink& sink);
std::string write_v2(const ObjectFile& file, const WriteV2Options& options = {});

/// True if the object has properties that version 2 cannot represent (apart from the id, which every version 1 object has).
bool has_v1_facts(const Object& object);

/// Reports well-formed but implausible values: duplicate ids, shape mesh, half-disabled waypoints, zero sizes, speeds that
/// never arrive, controllers without effect, no autonomous object.
void check(const ObjectFile& file, Version version, Diagnostics& diagnostics);

/// A mesh of a mesh object, from its two files. Our own text format, because the reference has none (docs/formats/cajunbot.md):
/// one vertex (x y z, meters) or one triangle (three vertex numbers from 0) per line, comments after `//` or `#`.
struct Mesh {
  std::vector<Vector> vertices;
  std::vector<std::array<std::uint32_t, 3>> triangles;
  friend bool operator==(const Mesh&, const Mesh&) = default;
};
Parsed<std::vector<Vector>> read_vertices(std::string_view text, std::string file);
/// @param vertex_count  numbers must be below this
Parsed<std::vector<std::array<std::uint32_t, 3>>> read_indices(std::string_view text, std::string file,
                                                               std::size_t vertex_count);
std::string write_vertices(const std::vector<Vector>& vertices);
std::string write_indices(const std::vector<std::array<std::uint32_t, 3>>& triangles);

}  // namespace simbatch::cajunbot
