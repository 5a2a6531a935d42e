// Recognizes files: by their first bytes (as file(1) does), by an XML document's root element, or by the first lines of a text.

#include <algorithm>

#include "base/core/number.hpp"
#include "base/core/text.hpp"
#include "base/xml/xml.hpp"
#include "formats/cajunbot/cajunbot.hpp"
#include "formats/medusa/medusa.hpp"
#include "formats/osm/read.hpp"
#include "formats/rndf/rndf.hpp"
#include "formats/stl/stl.hpp"
#include "lib/file_kind/file_kind.hpp"

namespace simbatch::file_kind {
namespace {

constexpr std::size_t kLooked = std::size_t{1} << 16;  // bytes

struct Signature {
  std::string_view bytes;  // at the start of the file
  Kind kind;
};
constexpr Signature kSignatures[] = {
    {"SBREC00", Kind::recording},  // and the digit of its version
    {"\x7f"
     "ELF",
     Kind::library},
    {"\x89PNG", Kind::picture},
    {"\xff\xd8\xff", Kind::picture},
    {"\x89MCAP0\r\n", Kind::mcap},
    {"PAR1", Kind::parquet},
    {"MATLAB 5.0 MAT-file", Kind::arrays},
    {"glTF", Kind::gltf},
    {"PK\x03\x04", Kind::packed},
    {"#!", Kind::script},
    {"#Inventor", Kind::graspit_body},
    {"#VRML", Kind::graspit_body},
    {"#GraspIt!", Kind::graspit_world},
};

struct Root {
  std::string_view element;
  std::string_view contains;  // somewhere after it; empty: anything
  Kind kind;
};
constexpr Root kRoots[] = {
    {"World", {}, Kind::autosim_world},
    {"Robot", {}, Kind::autosim_robot},
    {"Setup", {}, Kind::autosim_setup},
    {"houses", {}, Kind::autosim_houses},
    {"object_file", {}, Kind::objects_v2},
    {"world", {}, Kind::graspit_world_xml},
    {"robot", "<palm", Kind::graspit_robot_xml},
    {"robot", "<chain", Kind::graspit_robot_xml},
    {"robot", "<link", Kind::urdf},
    {"robot", "xacro", Kind::urdf},
    {"robot", "name=", Kind::urdf},
    {"mujoco", {}, Kind::mjcf},
    {"root", "<geometryFile", Kind::graspit_body_xml},
    {"osm", {}, Kind::osm},
    {"osmChange", {}, Kind::osm},
    {"sdf", {}, Kind::sdf},
    {"Study", {}, Kind::study},
    {"gpx", {}, Kind::gpx},
    {"net", "<edge", Kind::sumo_net},
    {"net", "<location", Kind::sumo_net},
    {"OpenDRIVE", {}, Kind::opendrive},
};

struct Suffix {
  std::string_view suffix;  // in lower case
  Kind kind;
};
constexpr Suffix kSuffixes[] = {
    {".mdf", Kind::mdf},           {".rndf", Kind::rndf},       {".cfg", Kind::graspit_robot},
    {".wld", Kind::graspit_world}, {".iv", Kind::graspit_body}, {".wrl", Kind::graspit_body},
};
/// Where the content tells nothing, so that the reader reports what is wrong with it, and where.
constexpr Suffix kSuffixesOfUnknown[] = {
    {".osm", Kind::osm},
    {".pbf", Kind::osm},
    {".urdf", Kind::urdf},
    {".sdf", Kind::sdf},
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

// "29S", the band and zone of a reference.
bool is_zone(std::string_view word) {
  return word.size() >= 2 && word.size() <= 3 && parse_integer<int>(word.substr(0, word.size() - 1)) && word.back() >= 'A' &&
         word.back() <= 'Z';
}

// A version number, followed somewhere by a reference with its zone or a section.
bool is_mission(std::string_view text) {
  Lines lines(text);
  std::string_view line;
  if (!lines.next(line) || !parse_integer<int>(line)) return false;
  if (Lines rest = lines; rest.next(line)) {
    const bool numbers = parse_double(first_word(line)) && parse_double(first_word(line));
    if (numbers && is_zone(first_word(line))) return true;
  }
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

// By a keyword and the file in the line after it.
Kind grasp_kind(std::string_view text) {
  Lines lines(text);
  std::string_view first, second;
  if (!lines.next(first) || !lines.next(second)) return Kind::unknown;
  if (first == "Robot" && second.ends_with(".cfg")) return Kind::graspit_world;
  if (first.find_first_of(" \t<{") != std::string_view::npos || !names_a_body(second)) return Kind::unknown;
  return first == "Obstacle" || first == "GraspableBody" ? Kind::graspit_world : Kind::graspit_robot;
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

// A ZIP archive whose first member is an array.
bool is_npz(std::string_view text) {
  constexpr std::size_t kNameLength = 26, kName = 30;  // places in the header of a member (PKWARE APPNOTE 4.3.7)
  if (!text.starts_with("PK\x03\x04") || text.size() < kName) return false;
  const auto length = static_cast<unsigned char>(text[kNameLength]);
  return text.substr(kName, length).ends_with(".npy");
}

Kind json_kind(std::string_view text) {
  if (text.find("\"simbatch-trace-") != std::string_view::npos) return Kind::trace;
  if (text.find("\"FeatureCollection\"") != std::string_view::npos) return Kind::geojson;
  return Kind::json;
}

Kind xml_kind(std::string_view text) {
  const std::string_view element = xml::root_name(text);
  for (const Root& root : kRoots)
    if (element == root.element && (root.contains.empty() || text.find(root.contains) != std::string_view::npos))
      return root.kind;
  return Kind::unknown;
}

Kind text_kind(std::string_view text) {
  if (is_mission(text)) return Kind::mission;  // before object files, which also begin with a number
  if (const auto version = cajunbot::detect_version(text))
    return *version == cajunbot::Version::v1 ? Kind::objects_v1 : Kind::objects_v2;
  if (rndf::looks_like_mdf(text)) return Kind::mdf;
  if (rndf::looks_like_rndf(text)) return Kind::rndf;
  if (text.starts_with("step,time,")) return Kind::trace_table;
  if (text.starts_with("step,time [s],")) return Kind::wide_table;
  if (const Kind kind = grasp_kind(text); kind != Kind::unknown) return kind;
  if (is_mesh(text)) return Kind::mesh;
  if (stl::form_of(text) == stl::Form::text) return Kind::stl;
  if (has_line(text, "#include")) return Kind::source;
  if (has_line(text, "import ") || has_line(text, "from simbatch")) return Kind::script;
  return Kind::unknown;
}

}  // namespace

Kind kind_of(std::string_view text) {
  const bool binary_stl = stl::form_of(text) == stl::Form::binary;
  text = text.substr(0, kLooked);
  if (is_npz(text)) return Kind::arrays;
  for (const Signature& signature : kSignatures)
    if (text.starts_with(signature.bytes)) return signature.kind;
  if (text.starts_with("BM") && text.substr(0, 10).ends_with(std::string_view("\0\0\0\0", 4)))
    return Kind::picture;  // reserved
  const osm::FileType type = osm::type_of_bytes(text);
  if (type.compression != osm::Compression::none) return Kind::packed;
  if (type.format == osm::Format::pbf) return Kind::osm;
  if (binary_stl) return Kind::stl;
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  const std::size_t begin = text.find_first_not_of(" \t\r\n");
  if (begin == std::string_view::npos) return Kind::unknown;
  return text[begin] == '<' ? xml_kind(text) : text[begin] == '{' ? json_kind(text) : text_kind(text);
}

Kind kind_of(std::string_view file_name, std::string_view text) {
  const Kind kind = kind_of(text);
  const std::string name = lower_ascii(file_name);
  const bool decided = is_objects(kind) || kind == Kind::autosim_world || kind == Kind::autosim_robot ||
                       kind == Kind::autosim_setup || kind == Kind::autosim_houses;
  if (decided) return kind;
  for (const Suffix& suffix : kSuffixes)
    if (name.ends_with(suffix.suffix)) return suffix.kind;
  if (kind != Kind::unknown && kind != Kind::json) return kind;
  for (const Suffix& suffix : kSuffixesOfUnknown)
    if (name.ends_with(suffix.suffix)) return suffix.kind;
  if (name.ends_with(".obj") && trimmed(text).empty()) return Kind::objects_v1;  // no objects
  return kind;
}

bool is_xml(std::string_view text) {
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  if (text.starts_with("\xfe\xff") || text.starts_with("\xff\xfe")) return true;  // UTF-16: reported by its reader
  const std::size_t begin = text.find_first_not_of(" \t\r\n");
  return begin != std::string_view::npos && text[begin] == '<';
}

}  // namespace simbatch::file_kind
