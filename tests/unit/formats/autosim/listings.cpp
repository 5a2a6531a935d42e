#include "tests/unit/formats/autosim/listings.hpp"

#include "tests/support/support.hpp"

namespace simbatch::autosim::test {
namespace {

/// `<Positionx="0"y="0"/>` -> `<Position x="0" y="0"/>`
std::string spaced(const std::string& tag) {
  if (tag.starts_with("</") || tag.find('=') == std::string::npos) return tag;
  const std::size_t equals = tag.find('=');
  std::size_t name_end = std::string::npos;
  for (const std::string_view first : {"version", "width", "value", "range", "name", "path", "file", "lat", "x"})
    if (equals > first.size() && std::string_view(tag).substr(equals - first.size(), first.size()) == first) {
      name_end = equals - first.size();
      break;
    }
  std::string out;
  bool is_quoted = false;
  for (std::size_t i = 0; i < tag.size(); ++i) {
    if (i == name_end) out += ' ';
    out += tag[i];
    if (tag[i] != '"') continue;
    is_quoted = !is_quoted;
    if (!is_quoted && i + 1 < tag.size() && tag[i + 1] != '/' && tag[i + 1] != '>' && tag[i + 1] != '?') out += ' ';
  }
  return out;
}

}  // namespace

std::string repaired(std::string_view text) {
  std::string out;
  std::size_t at = 0;
  while ((at = text.find('<', at)) != std::string_view::npos) {
    const std::size_t inside = text.find_first_not_of(" \n", at + 1);
    if (inside == std::string_view::npos) break;
    if (text.substr(inside).starts_with("!--")) {
      at = text.find("-->", inside);
      continue;
    }
    const std::size_t end = text.find('>', at);
    if (end == std::string_view::npos) break;
    std::string tag;
    for (const char c : text.substr(at, end + 1 - at))
      if (c != ' ' && c != '\n' && c != '\r') tag += c;
    if (!tag.starts_with("<?")) out += spaced(tag) + "\n";
    at = end + 1;
  }
  return out;
}

std::optional<std::string> listing(std::string_view after, std::string_view begin, std::string_view end) {
  const auto file = simbatch::test::shared_file("reference/autosim-physics-for-a-3d-driving-simulator.txt");
  if (!file) return std::nullopt;
  const std::string text = simbatch::test::read_text(*file);
  const std::size_t from = text.find(begin, text.find(after));
  if (from == std::string::npos) return std::nullopt;
  const std::size_t to = text.find(end, from);
  if (to == std::string::npos) return std::nullopt;
  return repaired(std::string_view(text).substr(from, to + end.size() - from));
}

std::optional<std::string> robot_listing() { return listing("Listing C.1: Exam", "<?xml", "< / Robot>"); }
std::optional<std::string> small_robot_listing() { return listing("1 2 3 4 5 6", "<? xml", "</ Robot>"); }
std::optional<std::string> full_robot_listing() {
  const auto parts = listing("Listing C.2: Parts", "<Parts>", "< / P a r t s >");
  const auto devices = listing("Listing C.3: Devices", "<Devices>", "< / Devices>");
  if (!parts || !devices) return std::nullopt;
  return "<Robot name=\"impreza\">\n" + *parts + *devices + "</Robot>\n";
}
std::optional<std::string> setup_listing() {
  auto text = listing("Listing C.4: OsmSetup", "<?xml", "< / Te r ra in Di me n si on s >");
  if (text) *text += "</TerrainSetup>\n</Setup>\n";
  return text;
}
std::optional<std::string> houses_listing() {
  auto text = listing("Listing C.9: File", "<?xml", "< / f o r e s t >");
  if (text) *text += "</houses>\n";
  return text;
}

}  // namespace simbatch::autosim::test
