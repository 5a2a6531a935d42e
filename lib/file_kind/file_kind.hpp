#pragma once
/// Recognizes the kinds of files that Simbatch's programs read, and generates the messages about files of the wrong kind.
///
/// The kind of a file is determined once, by kind_of(); objconv also uses the name. All later decisions use the Kind.
/// A new kind is a value of Kind, a line in the table of kind_of.cpp that recognizes it (signature, root element or
/// heuristic), and a line in the table of report_kind.cpp that describes it.

#include <optional>
#include <string>
#include <string_view>

#include "base/core/diagnostics.hpp"

namespace simbatch::file_kind {

enum class Kind {
  unknown,
  autosim_world,
  autosim_robot,
  autosim_setup,
  autosim_houses,
  objects_v1,
  objects_v2,
  graspit_world,
  graspit_world_xml,
  graspit_robot,
  graspit_robot_xml,
  graspit_body,  ///< also any Inventor or VRML file
  graspit_body_xml,
  rndf,
  mdf,
  osm,
  mission,
  trace,        ///< JSON
  trace_table,  ///< CSV of one device
  wide_table,   ///< CSV of all
  mcap,         ///< not only traces
  parquet,      ///< not only traces
  arrays,       ///< NPZ or MAT
  recording,
  geojson,
  json,
  urdf,
  sdf,
  mesh,  ///< Wavefront OBJ
  stl,   ///< text or binary
  gltf,  ///< binary
  gpx,
  picture,
  packed,
  library,
  source,
  script,
  mjcf,
  study,
  sumo_net,
  opendrive,
};

/// The kind of a file by its content. Examines at most the first 64 KiB and does not validate the file.
Kind kind_of(std::string_view text);
/// The same, where the file name's suffix also determines the kind: .cfg, .wld, .iv, .wrl, .mdf, .rndf; of a file whose content tells
/// nothing .osm, .pbf, .urdf, .sdf, and of an empty one .obj. A root element of AutoSim or the start of an object file takes
/// precedence over the suffix.
Kind kind_of(std::string_view file_name, std::string_view text);

/// CajunBot object files of either version.
constexpr bool is_objects(Kind kind) { return kind == Kind::objects_v1 || kind == Kind::objects_v2; }
/// GraspIt! worlds, as text or XML.
constexpr bool is_grasp_world(Kind kind) { return kind == Kind::graspit_world || kind == Kind::graspit_world_xml; }
/// True if the text begins like XML, in any encoding.
bool is_xml(std::string_view text);

/// Kinds of files that a program expects.
enum class Purpose {
  scenario,
  network,
  trace,
  recording,
  objects,  ///< CajunBot object files of either version
  objects_v1,
  objects_v2,
  mdf,
  mission,
  map,  ///< OpenStreetMap, packed too
  setup,
  houses,
  study,
};

/// Wording of messages about a kind.
struct Description {
  std::string_view name;  ///< with its article, as "an RNDF, a road network"
  std::string_view use;   ///< what to do with it; FILE is replaced by its name
};
/// @pre kind is not Kind::unknown
const Description& describe(Kind kind);
/// Its use, with the name of the file.
std::string next_step(Kind kind, const std::string& file);
/// True if a file of this kind is accepted.
bool serves(Kind kind, Purpose purpose);

/// An error, and a note with the next step, if a file is known to be of a kind other than expected.
/// @param kind  of the text, by kind_of()
/// @param file  as the user named it
/// @return false: nothing reported; leave further diagnostics to its reader
bool report_other_kind(Kind kind, std::string_view text, const std::string& file, Purpose wanted, Diagnostics& problems);
/// The same for a text whose kind has not been determined yet.
bool report_other_kind(std::string_view text, const std::string& file, Purpose wanted, Diagnostics& problems);
/// The same after a reader has found errors: if the text is known to be of a kind other than expected, replaces `problems` by
/// that one error, since the reader's errors follow from it. Without errors nothing changes.
/// @return whether the problems were replaced
bool explain_errors(std::string_view text, const std::string& file, Purpose wanted, Diagnostics& problems);
/// An error for a scenario that is of no known kind and not XML.
void report_unknown_kind(std::string_view text, const std::string& file, Diagnostics& problems);
/// An error if this is a folder that contains a trace or a scenario. @return false if it is neither
bool report_folder(const std::string& folder, Diagnostics& problems);

}  // namespace simbatch::file_kind
