// File headers, and the search for included files. The walk over the scene is in scene_reader.cpp.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/core/input.hpp"
#include "base/core/line_ends.hpp"
#include "base/core/text.hpp"
#include "formats/inventor/codes.hpp"
#include "formats/inventor/inventor.hpp"
#include "formats/inventor/scene_reader.hpp"

namespace simbatch::inventor {
namespace {

std::optional<Dialect> dialect_of(std::string_view line) {
  // The toolkit compares the beginning only; "ascii" and "utf8" are followed by anything.
  static constexpr std::pair<std::string_view, Dialect> kHeads[] = {{"#Inventor V2.1 ascii", Dialect::inventor_2_1},
                                                                    {"#Inventor V2.0 ascii", Dialect::inventor_2_0},
                                                                    {"#Inventor V1.0 ascii", Dialect::inventor_1_0},
                                                                    {"#VRML V1.0 ascii", Dialect::vrml_1_0},
                                                                    {"#VRML V2.0 utf8", Dialect::vrml_2_0}};
  for (const auto& [head, dialect] : kHeads)
    if (line.starts_with(head)) return dialect;
  return std::nullopt;
}

Dialect read_head(std::string_view text, Diagnostics& diagnostics) {
  LineReader lines(text);
  Line line;
  if (!lines.next(line)) {
    diagnostics.report(code::kHead, {1, 1}, "the file is empty");
    return Dialect::inventor_2_1;
  }
  if (const auto dialect = dialect_of(line.text)) return *dialect;
  if (line.text.starts_with("#Inventor") && line.text.find("binary") != std::string_view::npos) {
    diagnostics.report(code::kHead, {1, 1}, "binary Inventor files are not read; the toolkit's ivcat writes them as text");
    return Dialect::inventor_2_1;
  }
  const std::string found = quoted(line.text);
  while (line.number < 200 && lines.next(line)) {
    if (const auto dialect = dialect_of(line.text)) {
      diagnostics.report(code::kHead, {1, 1},
                         fmt::format("the header {} is in line {}, it must be in the first", quoted(line.text), line.number));
      return *dialect;
    }
  }
  diagnostics.report(code::kHead, {1, 1}, fmt::format("expected a header like \"#Inventor V2.1 ascii\", found {}", found));
  return Dialect::inventor_2_1;
}

bool has_suffix(std::string_view name, std::string_view suffix) {
  return name.size() >= suffix.size() && equal_ignoring_case(name.substr(name.size() - suffix.size()), suffix);
}

}  // namespace

std::string_view to_text(Dialect dialect) {
  switch (dialect) {
    case Dialect::inventor_1_0: return "Inventor V1.0";
    case Dialect::inventor_2_0: return "Inventor V2.0";
    case Dialect::inventor_2_1: return "Inventor V2.1";
    case Dialect::vrml_1_0: return "VRML V1.0";
    case Dialect::vrml_2_0: return "VRML V2.0";
  }
  return "";
}

std::optional<Box> bounding_box(const Mesh& mesh) {
  if (mesh.triangles.empty()) return std::nullopt;
  Box box{mesh.points[mesh.triangles[0][0]], mesh.points[mesh.triangles[0][0]]};
  for (const Triangle& triangle : mesh.triangles)
    for (const std::uint32_t corner : triangle)
      for (std::size_t i = 0; i < 3; ++i) {
        box.min[i] = std::min(box.min[i], mesh.points[corner][i]);
        box.max[i] = std::max(box.max[i], mesh.points[corner][i]);
      }
  return box;
}

Parsed<Scene> read_inventor(std::string_view text, const ReadOptions& options, std::string_view file_name) {
  Parsed<Scene> result;
  result.diagnostics = Diagnostics(std::string(file_name));
  const std::optional<std::string> copy = with_line_feeds(text);
  text = without_byte_order_mark(copy ? *copy : text);
  Scene scene;
  scene.dialect = read_head(text, result.diagnostics);
  if (scene.dialect >= Dialect::vrml_1_0 && has_suffix(file_name, ".iv"))
    result.diagnostics.report(code::kVrmlInIv, {1, 1}, fmt::format("a file named .iv contains {}", to_text(scene.dialect)));
  detail::SceneReader reader(options, scene, result.diagnostics);
  detail::State state;
  if (text.starts_with("#Inventor") && text.substr(0, 40).find("binary") != std::string_view::npos) text = {};
  reader.walk_file(text, file_name, state);
  reader.finish();
  result.value = std::move(scene);
  return result;
}

Referenced resolve_beside(std::string_view from, std::string_view name, bool contents) {
  namespace fs = std::filesystem;
  Referenced result;
  const fs::path relative{name};
  const bool climbs = std::any_of(relative.begin(), relative.end(), [](const fs::path& part) { return part == ".."; });
  if (relative.is_absolute() || climbs || name.find('\0') != std::string_view::npos ||
      name.find(':') != std::string_view::npos) {
    result.state = Referenced::State::outside;
    return result;
  }
  const fs::path full = (fs::path(from).parent_path() / relative).lexically_normal();
  result.name = full.string();
  std::error_code error;
  if (fs::is_regular_file(full, error)) {
    result.state = Referenced::State::found;
    try {
      if (contents) result.text = std::string(Input::open(result.name, std::size_t{1} << 30).text());
    } catch (const IoError&) {
      result.state = Referenced::State::missing;
    }
    return result;
  }
  std::vector<std::string> others;
  const fs::path folder = full.has_parent_path() ? full.parent_path() : fs::path(".");
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end && others.size() < 100; entry.increment(error))
    if (equal_ignoring_case(entry->path().filename().string(), full.filename().string()))
      others.push_back(entry->path().filename().string());
  if (!others.empty()) {
    result.state = Referenced::State::other_case;
    result.nearest = *std::min_element(others.begin(), others.end());
  }
  return result;
}

}  // namespace simbatch::inventor
