#include "lib/file_kind/file_kind.hpp"

#include <algorithm>
#include <filesystem>

#include "base/core/number.hpp"
#include "base/core/text.hpp"
#include "base/xml/xml.hpp"
#include "formats/cajunbot/cajunbot.hpp"
#include "formats/medusa/medusa.hpp"
#include "formats/osm/read.hpp"
#include "formats/rndf/rndf.hpp"
#include "lib/file_kind/codes.hpp"

namespace simbatch::file_kind {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLooked = std::size_t{1} << 16;  // bytes

// What is told by a first byte sequence.
struct Signature {
  std::string_view bytes;
  FileKind kind;
};
// What is told by an XML document's root.
struct Root {
  std::string_view element;
  std::string_view holds;  // somewhere behind it; empty: anything
  FileKind kind;
};

constexpr FileKind kScenario{"an AutoSim scenario", "run it: simrun FILE --steps N --trace run.json", Purpose::scenario};
constexpr FileKind kObjects{"a CajunBot object file", "run it: simrun FILE --rndf NETWORK --steps N --trace run.json",
                            Purpose::scenario};
constexpr FileKind kGraspWorld{"a GraspIt! world", "run it: simrun FILE --steps N --trace run.json", Purpose::scenario};
constexpr FileKind kNetwork{"an RNDF, a road network",
                            "run a CajunBot object file on it: simrun OBJECTS --rndf FILE; look at it: objconv check FILE",
                            Purpose::network};
constexpr FileKind kMdf{"an MDF, a list of checkpoints on a road network",
                        "nothing runs it; look at it: objconv check --rndf NETWORK FILE"};
constexpr FileKind kOsm{
    "an OpenStreetMap map",
    "a scenario names the folder that it lies in with a setup.xml: <Terrain><Map><Folder path=>; put houses "
    "into it: osmgen FILE -o OUTPUT --setup setup.xml --houses houses.xml"};
constexpr FileKind kMission{"a Medusa mission",
                            "a scenario's <Robot> sails it: <Mission file=>; look at it: pathparse validate FILE"};
constexpr FileKind kTrace{"a trace of simrun's", "repeat its run: simrun verify FILE; draw it: simrun plot FILE -o run.svg",
                          Purpose::trace};
constexpr FileKind kTraceTable{"a table of a trace", "the trace is the folder that it lies in: simrun plot FOLDER -o run.svg"};
constexpr FileKind kGeoJson{"GeoJSON", "simrun reads none; run what it was made from"};
constexpr FileKind kJson{"JSON, but no trace", "a trace starts with its \"schema\" or its \"header\""};
constexpr FileKind kGraspRobot{"a GraspIt! robot",
                               "a GraspIt! world names it and runs: simrun WORLD.wld; look at it: objconv check FILE"};
constexpr FileKind kGraspBody{"a GraspIt! body",
                              "a GraspIt! world names it and runs: simrun WORLD.wld; look at it: objconv check FILE"};
constexpr FileKind kMesh{"a mesh (Wavefront OBJ)", "a scenario names it: <Mesh><File path=>"};
constexpr FileKind kPicture{"a picture", "a scenario can take heights from it: <Terrain><HeightMap><File path=>"};
constexpr FileKind kPacked{"packed", "unpack it first"};
constexpr FileKind kSource{"source code",
                           "make a library of it: simrun compile FILE; then: simrun SCENARIO --program ROBOT=LIBRARY"};
constexpr FileKind kScript{"a program", "let it control a robot: simrun SCENARIO --controller ROBOT=COMMAND"};

constexpr Signature kSignatures[] = {
    {"SBREC001", {"a recording of simrun's", "print a step of it: simrun dump FILE --scenario SCENARIO", Purpose::recording}},
    {"\x7f"
     "ELF",
     {"a compiled program or library", "let it control a robot: simrun SCENARIO --program ROBOT=FILE"}},
    {"\x89PNG", kPicture},
    {"\xff\xd8\xff", kPicture},
    {"PK\x03\x04", kPacked},
    {"#!", kScript},
    {"#Inventor", kGraspBody},
    {"#VRML", kGraspBody},
    {"#GraspIt!", kGraspWorld},
};

constexpr Root kRoots[] = {
    {"World", {}, kScenario},
    {"object_file", {}, kObjects},
    {"world", {}, kGraspWorld},
    {"osm", {}, kOsm},
    {"osmChange", {}, kOsm},
    {"Setup",
     {},
     {"the setup of a map", "a scenario names the map's folder: <Terrain><Map><Folder path=>; look at it: objconv check FILE"}},
    {"houses",
     {},
     {"a list of houses", "for: osmgen MAP -o OUTPUT --setup setup.xml --houses FILE; look at it: objconv check FILE"}},
    {"Robot", {}, {"an AutoSim robot", "a scenario names it: <Objects><Robot name= file=>; look at it: objconv check FILE"}},
    {"robot", "<palm", kGraspRobot},
    {"robot", "<link", {"a URDF robot", "simrun reads AutoSim's and GraspIt!'s robots, no URDF"}},
    {"robot", {}, kGraspRobot},
    {"root", {}, kGraspBody},
    {"sdf",
     {},
     {"an SDF world or model",
      "simrun reads no SDF; run the object file that it was made from: simrun OBJECTS --rndf NETWORK"}},
};

std::string_view first_word(std::string_view& rest) {
  rest = trimmed(rest);
  const std::size_t end = std::min(rest.find_first_of(" \t"), rest.size());
  const std::string_view word = rest.substr(0, end);
  rest.remove_prefix(end);
  return word;
}

// The lines that are neither empty nor comments (by #), from the first on.
class Lines {
 public:
  explicit Lines(std::string_view text) : text_(text) {}
  bool next(std::string_view& line) {
    while (!text_.empty()) {
      const std::size_t end = std::min(text_.find('\n'), text_.size());
      line = trimmed(text_.substr(0, end));
      text_.remove_prefix(std::min(end + 1, text_.size()));
      if (!line.empty() && line.front() != '#') return true;
    }
    return false;
  }

 private:
  std::string_view text_;
};

// A version, and a section further on.
bool is_mission(std::string_view text) {
  Lines lines(text);
  std::string_view line;
  if (!lines.next(line) || !parse_integer<int>(line)) return false;
  while (lines.next(line)) {
    const std::string_view word = first_word(line), next = first_word(line);
    if (!parse_double(next)) continue;
    if (word == "FORMATION") return true;
    for (const medusa::Kind kind :
         {medusa::Kind::point, medusa::Kind::line, medusa::Kind::arc, medusa::Kind::depth, medusa::Kind::alt})
      if (word == medusa::keyword(kind)) return true;
  }
  return false;
}

bool names_a_body(std::string_view line) { return line.ends_with(".iv") || line.ends_with(".wrl") || line.ends_with(".xml"); }

// What a keyword and the file in the line after it tell.
const FileKind* grasp_kind(std::string_view text) {
  Lines lines(text);
  std::string_view first, second;
  if (!lines.next(first) || !lines.next(second)) return nullptr;
  if (first == "Robot" && second.ends_with(".cfg")) return &kGraspWorld;
  if (first.find_first_of(" \t<{") != std::string_view::npos || !names_a_body(second)) return nullptr;
  return first == "Obstacle" || first == "GraspableBody" ? &kGraspWorld : &kGraspRobot;
}

bool is_mesh(std::string_view text) {
  Lines lines(text);
  for (std::string_view line; lines.next(line);) {
    const std::string_view word = first_word(line);
    if (word == "v") return static_cast<bool>(parse_double(first_word(line)));
    if (word != "mtllib" && word != "o" && word != "g" && word != "s" && word != "usemtl") return false;
  }
  return false;
}

bool has_line(std::string_view text, std::string_view start) {
  return text.starts_with(start) || text.find("\n" + std::string(start)) != std::string_view::npos;
}

const FileKind* json_kind(std::string_view text) {
  if (text.find("\"simbatch-trace-") != std::string_view::npos) return &kTrace;
  if (text.find("\"FeatureCollection\"") != std::string_view::npos) return &kGeoJson;
  return &kJson;
}

const FileKind* xml_kind(std::string_view text) {
  const std::string_view element = xml::root_name(text);
  for (const Root& root : kRoots)
    if (element == root.element && (root.holds.empty() || text.find(root.holds) != std::string_view::npos)) return &root.kind;
  return nullptr;
}

const FileKind* text_kind(std::string_view text) {
  if (is_mission(text)) return &kMission;  // before object files: both begin with a number
  if (cajunbot::detect_version(text)) return &kObjects;
  if (rndf::looks_like_mdf(text)) return &kMdf;
  if (rndf::looks_like_rndf(text)) return &kNetwork;
  if (text.starts_with("step,time,")) return &kTraceTable;
  if (const FileKind* kind = grasp_kind(text)) return kind;
  if (is_mesh(text)) return &kMesh;
  if (has_line(text, "#include")) return &kSource;
  if (has_line(text, "import ") || has_line(text, "from simbatch")) return &kScript;
  return nullptr;
}

bool is_plain(std::string_view name) {
  return std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("_./+-").find(c) != std::string_view::npos;
  });
}

// The next step, with the file's name in it.
std::string advice(std::string_view use, const std::string& file) {
  std::string text(use);
  if (file.empty() || file == "<stdin>") return text;
  const std::string name = is_plain(file) ? file : simbatch::quoted(file);
  constexpr std::string_view kPlace = "FILE";
  for (std::size_t at = 0; (at = text.find(kPlace, at)) != std::string::npos; at += name.size())
    text.replace(at, kPlace.size(), name);
  return text;
}

std::string_view wanted_name(Purpose purpose) {
  return purpose == Purpose::scenario  ? "scenario"
         : purpose == Purpose::network ? "road network (RNDF)"
         : purpose == Purpose::trace   ? "trace"
                                       : "recording";
}

}  // namespace

const FileKind* kind_of(std::string_view text) {
  text = text.substr(0, kLooked);
  for (const Signature& signature : kSignatures)
    if (text.starts_with(signature.bytes)) return &signature.kind;
  if (text.starts_with("BM") && text.substr(0, 10).ends_with(std::string_view("\0\0\0\0", 4))) return &kPicture;  // reserved
  const osm::FileType type = osm::type_of_bytes(text);
  if (type.compression != osm::Compression::none) return &kPacked;
  if (type.format == osm::Format::pbf) return &kOsm;
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  const std::size_t begin = text.find_first_not_of(" \t\r\n");
  if (begin == std::string_view::npos) return nullptr;
  return text[begin] == '<' ? xml_kind(text) : text[begin] == '{' ? json_kind(text) : text_kind(text);
}

void report_unknown_kind(std::string_view text, const std::string& file, Diagnostics& problems) {
  const bool empty = text.find_first_not_of(" \t\r\n") == std::string_view::npos;
  Diagnostics own(file);
  own.report(code::kKind, {1, 1},
             empty ? "the file is empty, and no scenario" : "the file is no XML, and of no other kind that is known");
  own.note(
      code::kKind, {1, 1},
      "a scenario is XML whose root is <World>; an object file begins with <object_file> or with the number of its objects");
  problems.append(std::move(own));
}

bool is_grasp_world(std::string_view text) {
  const FileKind* kind = kind_of(text);
  return kind != nullptr && kind->name == kGraspWorld.name;
}

bool is_xml(std::string_view text) {
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  if (text.starts_with("\xfe\xff") || text.starts_with("\xff\xfe")) return true;  // in UTF-16: its reader knows
  const std::size_t begin = text.find_first_not_of(" \t\r\n");
  return begin != std::string_view::npos && text[begin] == '<';
}

bool report_folder(const std::string& folder, Diagnostics& problems) {
  std::error_code error;
  if (!fs::is_directory(folder, error)) return false;
  Diagnostics own(folder);
  if (fs::exists(fs::path(folder) / "trace.json", error)) {
    own.report(code::kKind, {}, "the folder is " + std::string(kTrace.name) + ", and no scenario");
    own.note(code::kKind, {}, advice(kTrace.use, folder));
  } else if (const fs::path inside = fs::path(folder) / "scenario.xml"; fs::exists(inside, error)) {
    own.report(code::kKind, {}, "this is a folder, and no scenario");
    own.note(code::kKind, {}, advice("run the one in it: simrun FILE --steps N", inside.generic_string()));
  } else {
    return false;
  }
  problems.append(std::move(own));
  return true;
}

bool report_other_kind(std::string_view text, const std::string& file, Purpose wanted, Diagnostics& problems) {
  const FileKind* kind = kind_of(text);
  if (kind == nullptr || kind->purpose == wanted) return false;
  Diagnostics own(file);
  Position at{1, 1};
  if (const std::string_view root = xml::root_name(text.substr(0, kLooked));
      !root.empty() && xml_kind(text.substr(0, kLooked)) == kind)
    at = position_at(text, static_cast<std::size_t>(root.data() - text.data()) - 1);
  own.report(code::kKind, at, "the file is " + std::string(kind->name) + ", and no " + std::string(wanted_name(wanted)));
  own.note(code::kKind, at, advice(kind->use, file));
  problems.append(std::move(own));
  return true;
}

}  // namespace simbatch::file_kind
