#pragma once
/// Recognizes the kinds of files that Simbatch's programs meet, and words the messages about files of the wrong kind.
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
  trace,
  trace_table,
  recording,
  geojson,
  json,
  urdf,
  sdf,
  mesh,
  picture,
  packed,
  library,
  source,
  script,
};

/// The kind of a file by its content. Looks at the first 64 KiB at most. Whether the file is sound is for its reader to say.
Kind kind_of(std::string_view text);
/// The same where the user has said by the name's suffix what the file is: .cfg, .wld, .iv, .wrl, .mdf, .rndf, .sdf, and .obj
/// for an empty file. The suffix does not outweigh a root element of AutoSim or the start of an object file.
Kind kind_of(std::string_view file_name, std::string_view text);

/// CajunBot object files of either version.
constexpr bool is_objects(Kind kind) { return kind == Kind::objects_v1 || kind == Kind::objects_v2; }
/// GraspIt! worlds, as text or XML.
constexpr bool is_grasp_world(Kind kind) { return kind == Kind::graspit_world || kind == Kind::graspit_world_xml; }
/// True if the text begins as XML does, in whatever encoding.
bool is_xml(std::string_view text);

/// What a program expects a file to be.
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
};

/// How messages speak of a kind.
struct Description {
  std::string_view name;  ///< with its article, as "an RNDF, a road network"
  std::string_view use;   ///< what to do with it; FILE is replaced by its name
};
/// @pre kind is not Kind::unknown
const Description& describe(Kind kind);
/// True where a file of this kind is right.
bool serves(Kind kind, Purpose purpose);

/// An error, and a note with the next step, if a file is known to be of another kind than is wanted.
/// @param kind  of the text, by kind_of()
/// @param file  as the user named it
/// @return false: nothing speaks against it, its reader shall say what is wrong
bool report_other_kind(Kind kind, std::string_view text, const std::string& file, Purpose wanted, Diagnostics& problems);
/// The same for a text whose kind has not been asked yet.
bool report_other_kind(std::string_view text, const std::string& file, Purpose wanted, Diagnostics& problems);
/// The same after a reader has found errors: if the text is known to be of another kind than is wanted, that is the only
/// problem left in `problems`, for the reader's own are consequences. Without errors nothing changes.
/// @return whether the problems were replaced
bool explain_errors(std::string_view text, const std::string& file, Purpose wanted, Diagnostics& problems);
/// An error for what is given as a scenario, is of no known kind and is not XML.
void report_unknown_kind(std::string_view text, const std::string& file, Diagnostics& problems);
/// An error if this is a folder that contains a trace or a scenario. @return false: it is not
bool report_folder(const std::string& folder, Diagnostics& problems);

}  // namespace simbatch::file_kind
