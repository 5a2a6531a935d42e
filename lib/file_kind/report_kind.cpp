// Messages about files of the wrong kind, and the next step for each.

#include <algorithm>
#include <filesystem>

#include "base/core/shell_word.hpp"
#include "base/core/text.hpp"
#include "base/xml/xml.hpp"
#include "lib/file_kind/codes.hpp"
#include "lib/file_kind/file_kind.hpp"

namespace simbatch::file_kind {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kRun = "run it: simrun FILE --steps N --trace run.json";
constexpr std::string_view kRunObjects =
    "run it: simrun FILE --rndf NETWORK --steps N --trace run.json; convert it: objconv v1-to-v2, objconv v2-to-v1";
constexpr std::string_view kNamedByGraspWorld =
    "a GraspIt! world names it and runs: simrun WORLD.wld; look at it: objconv check FILE";

constexpr struct {
  Kind kind{};
  Description description;
} kDescriptions[] = {
    {Kind::autosim_world, {"an AutoSim scenario", kRun}},
    {Kind::autosim_robot,
     {"an AutoSim robot", "a scenario names it: <Objects><Robot name= file=>; look at it: objconv check FILE"}},
    {Kind::autosim_setup,
     {"the setup of a map", "a scenario names the map's folder: <Terrain><Map><Folder path=>; look at it: objconv check FILE"}},
    {Kind::autosim_houses,
     {"a list of houses", "for: osmgen MAP -o OUTPUT --setup setup.xml --houses FILE; look at it: objconv check FILE"}},
    {Kind::objects_v1, {"a CajunBot object file of version 1", kRunObjects}},
    {Kind::objects_v2, {"a CajunBot object file of version 2", kRunObjects}},
    {Kind::graspit_world, {"a GraspIt! world", kRun}},
    {Kind::graspit_world_xml, {"a GraspIt! world", kRun}},
    {Kind::graspit_robot, {"a GraspIt! robot", kNamedByGraspWorld}},
    {Kind::graspit_robot_xml, {"a GraspIt! robot", kNamedByGraspWorld}},
    {Kind::graspit_body, {"a GraspIt! body", kNamedByGraspWorld}},
    {Kind::graspit_body_xml, {"a GraspIt! body", kNamedByGraspWorld}},
    {Kind::rndf,
     {"an RNDF, a road network",
      "run a CajunBot object file on it: simrun OBJECTS --rndf FILE; look at it: objconv check FILE"}},
    {Kind::mdf,
     {"an MDF, a list of checkpoints on a road network",
      "simrun has no use for it; look at it: objconv check --rndf NETWORK FILE"}},
    {Kind::osm,
     {"an OpenStreetMap map",
      "begin with a scenario in it: simrun init FOLDER --map FILE, or with houses and a route as well: osmgen init FILE "
      "-o FOLDER"}},
    {Kind::mission,
     {"a Medusa mission", "a scenario's <Robot> sails it: <Mission file=>; look at it: pathparse validate FILE"}},
    {Kind::trace, {"a simrun trace", "repeat its run: simrun verify FILE; draw it: simrun plot FILE -o run.svg"}},
    {Kind::trace_table, {"a table of a trace", "the trace is the folder that contains it: simrun plot FOLDER -o run.svg"}},
    {Kind::wide_table, {"a wide table (CSV)", "its values are not read back; see what is in it: simrun info FILE"}},
    {Kind::mcap,
     {"an MCAP file", "if it is a trace, see what is in it: simrun info FILE; draw it: simrun plot FILE -o run.svg"}},
    {Kind::parquet,
     {"a Parquet table", "if it is a trace, see what is in it: simrun info FILE; draw it: simrun plot FILE -o run.svg"}},
    {Kind::arrays, {"an array file (NPZ or MAT)", "its values are not read back; see what is in it: simrun info FILE"}},
    {Kind::recording, {"a simrun recording", "print a step of it: simrun dump FILE --scenario SCENARIO"}},
    {Kind::geojson, {"GeoJSON", "simrun does not read GeoJSON; run the file that it was converted from"}},
    {Kind::json, {"JSON, but not a trace", "a trace starts with its \"schema\" or its \"header\""}},
    {Kind::urdf, {"a URDF robot", kRun}},
    {Kind::sdf, {"an SDF world or model", kRun}},
    {Kind::mjcf, {"an MJCF model (MuJoCo)", kRun}},
    {Kind::study,
     {"a study of a scenario", "run it: simrun study FILE -o FOLDER; look for what fails: simrun search FILE -o worst.xml"}},
    {Kind::mesh, {"a mesh (Wavefront OBJ)", "a scenario names it: <Mesh><File path=>"}},
    {Kind::stl, {"a mesh (STL)", "a scenario names it: <Mesh><File path=>"}},
    {Kind::gltf, {"a binary glTF scene", "scenes are not read back; see what is in it: simrun info FILE"}},
    {Kind::gpx, {"GPS tracks (GPX)", "tracks are not read back; see what is in them: simrun info FILE"}},
    {Kind::sumo_net,
     {"a SUMO network",
      "networks of SUMO are not read back; run it: sumo -n FILE -r ROUTES, or convert the map it was made from"}},
    {Kind::opendrive,
     {"an OpenDRIVE road network",
      "OpenDRIVE is not read back; convert the map it was made from, an OpenStreetMap file or an RNDF"}},
    {Kind::picture, {"a picture", "a scenario can take heights from it: <Terrain><HeightMap><File path=>"}},
    {Kind::packed, {"packed", "unpack it first"}},
    {Kind::library, {"a compiled program or library", "let it control a robot: simrun SCENARIO --program ROBOT=FILE"}},
    {Kind::source,
     {"source code", "make a library from it: simrun compile FILE; then: simrun SCENARIO --program ROBOT=LIBRARY"}},
    {Kind::script, {"a program", "let it control a robot: simrun SCENARIO --controller ROBOT=COMMAND"}},
};

// The next step, with the file's name in it.
std::string advice(std::string_view use, const std::string& file) {
  std::string text(use);
  if (file.empty() || file == "<stdin>") return text;
  const std::string name = printable(shell_word(file));
  constexpr std::string_view kPlace = "FILE";
  for (std::size_t at = 0; (at = text.find(kPlace, at)) != std::string::npos; at += name.size())
    text.replace(at, kPlace.size(), name);
  return text;
}

constexpr struct {
  Purpose purpose;
  std::string_view name;  // with its article
} kPurposes[] = {
    {Purpose::scenario, "a scenario"},
    {Purpose::network, "a road network (RNDF)"},
    {Purpose::trace, "a trace"},
    {Purpose::recording, "a recording"},
    {Purpose::objects, "a CajunBot object file"},
    {Purpose::objects_v1, "a CajunBot object file of version 1"},
    {Purpose::objects_v2, "a CajunBot object file of version 2"},
    {Purpose::mdf, "a mission of a road network (MDF)"},
    {Purpose::mission, "a Medusa mission"},
    {Purpose::map, "an OpenStreetMap map"},
    {Purpose::setup, "the setup of a map"},
    {Purpose::houses, "a list of houses"},
    {Purpose::study, "a study"},
};

std::string_view wanted_name(Purpose purpose) {
  return std::find_if(std::begin(kPurposes), std::end(kPurposes), [&](const auto& row) { return row.purpose == purpose; })
      ->name;
}

}  // namespace

const Description& describe(Kind kind) {
  return std::find_if(std::begin(kDescriptions), std::end(kDescriptions), [&](const auto& row) { return row.kind == kind; })
      ->description;
}

std::string next_step(Kind kind, const std::string& file) { return advice(describe(kind).use, file); }

bool serves(Kind kind, Purpose purpose) {
  switch (purpose) {
    case Purpose::scenario:
      return kind == Kind::autosim_world || is_objects(kind) || is_grasp_world(kind) || kind == Kind::urdf ||
             kind == Kind::sdf || kind == Kind::mjcf;
    case Purpose::network: return kind == Kind::rndf;
    case Purpose::trace: return kind == Kind::trace || kind == Kind::mcap || kind == Kind::parquet;
    case Purpose::recording: return kind == Kind::recording;
    case Purpose::objects: return is_objects(kind);
    case Purpose::objects_v1: return kind == Kind::objects_v1;
    case Purpose::objects_v2: return kind == Kind::objects_v2;
    case Purpose::mdf: return kind == Kind::mdf;
    case Purpose::mission: return kind == Kind::mission;
    case Purpose::map: return kind == Kind::osm || kind == Kind::packed;
    case Purpose::setup: return kind == Kind::autosim_setup;
    case Purpose::houses: return kind == Kind::autosim_houses;
    case Purpose::study: return kind == Kind::study;
  }
  return false;
}

void report_unknown_kind(std::string_view text, const std::string& file, Diagnostics& problems) {
  const bool empty = text.find_first_not_of(" \t\r\n") == std::string_view::npos;
  Diagnostics own(file);
  own.report(code::kKind, {1, 1},
             empty ? "the file is empty, not a scenario" : "the file is not XML, nor of any other known kind");
  own.note(
      code::kKind, {1, 1},
      "a scenario is XML whose root is <World>; an object file begins with <object_file> or with the number of its objects");
  problems.append(std::move(own));
}

bool report_folder(const std::string& folder, Diagnostics& problems) {
  std::error_code error;
  if (!fs::is_directory(folder, error)) return false;
  Diagnostics own(folder);
  if (fs::exists(fs::path(folder) / "trace.json", error)) {
    own.report(code::kKind, {}, "the folder is " + std::string(describe(Kind::trace).name) + ", not a scenario");
    own.note(code::kKind, {}, next_step(Kind::trace, folder));
  } else if (const fs::path inside = fs::path(folder) / "scenario.xml"; fs::exists(inside, error)) {
    own.report(code::kKind, {}, "this is a folder, not a scenario");
    own.note(code::kKind, {}, advice("run the one in it: simrun FILE --steps N", inside.generic_string()));
  } else {
    return false;
  }
  problems.append(std::move(own));
  return true;
}

bool report_other_kind(Kind kind, std::string_view text, const std::string& file, Purpose wanted, Diagnostics& problems) {
  if (kind == Kind::unknown || serves(kind, wanted)) return false;
  Diagnostics own(file);
  Position at{1, 1};
  if (const std::string_view root = is_xml(text) ? xml::root_name(text) : std::string_view(); !root.empty())
    at = position_at(text, static_cast<std::size_t>(root.data() - text.data()) - 1);
  own.report(code::kKind, at, "the file is " + std::string(describe(kind).name) + ", not " + std::string(wanted_name(wanted)));
  own.note(code::kKind, at, next_step(kind, file));
  problems.append(std::move(own));
  return true;
}

bool report_other_kind(std::string_view text, const std::string& file, Purpose wanted, Diagnostics& problems) {
  return report_other_kind(kind_of(text), text, file, wanted, problems);
}

bool explain_errors(std::string_view text, const std::string& file, Purpose wanted, Diagnostics& problems) {
  Diagnostics other;
  if (!problems.has_errors() || !report_other_kind(text, file, wanted, other)) return false;
  problems = std::move(other);
  return true;
}

}  // namespace simbatch::file_kind
