// Source: Wavefront Advanced Visualizer Manual, appendix B1 (Object Files), sections "Vertex data" and "Elements".

#include "base/core/number.hpp"
#include "base/core/text.hpp"
#include "formats/obj/codes.hpp"
#include "formats/obj/obj.hpp"

namespace simbatch::obj {
namespace {

void read_vertex(const std::vector<Token>& tokens, Mesh& mesh, Diagnostics& diagnostics) {
  std::array<double, 3> point{};
  // v x y z [w] [r g b]: values after the coordinates are ignored.
  if (tokens.size() < 4 || tokens.size() > 8)
    diagnostics.report(code::kVertex, tokens[0].at, "a point needs three numbers, found " + number_text(tokens.size() - 1));
  for (std::size_t i = 0; i < 3 && i + 1 < tokens.size(); ++i) {
    std::string_view text = tokens[i + 1].text;
    if (text.starts_with('+') && !text.starts_with("+-"))
      text.remove_prefix(1);  // strtod, which most writers rely on, reads it
    const Number<double> number = parse_double(text);
    if (!number) diagnostics.report(code::kVertex, tokens[i + 1].at, quoted(tokens[i + 1].text) + " is not a number");
    point[i] = number.value;
  }
  mesh.points.push_back(point);  // invalid ones too, so that later indices remain correct
}

void read_face(const std::vector<Token>& tokens, Mesh& mesh, Diagnostics& diagnostics) {
  if (tokens.size() < 4) {
    diagnostics.report(code::kFace, tokens[0].at, "a face needs three corners, found " + number_text(tokens.size() - 1));
    return;
  }
  std::vector<std::uint32_t> corners;
  for (std::size_t i = 1; i < tokens.size(); ++i) {
    const std::string_view text = tokens[i].text.substr(0, tokens[i].text.find('/'));
    const Number<std::int64_t> number = parse_integer<std::int64_t>(text);
    const auto count = static_cast<std::int64_t>(mesh.points.size());
    const std::int64_t index = number.value > 0 ? number.value - 1 : count + number.value;
    if (!number || number.value == 0 || index < 0 || index >= count) {
      diagnostics.report(code::kFace, tokens[i].at,
                         quoted(tokens[i].text) + " is none of the " + number_text(count) + " points so far");
      return;
    }
    corners.push_back(static_cast<std::uint32_t>(index));
  }
  for (std::size_t i = 1; i + 1 < corners.size(); ++i) mesh.triangles.push_back({corners[0], corners[i], corners[i + 1]});
}

}  // namespace

Parsed<Mesh> read_obj(std::string_view text, const std::string& file_name) {
  Parsed<Mesh> result{Mesh{}, Diagnostics(file_name)};
  Mesh& mesh = *result.value;
  LineReader lines(text);
  Line line;
  while (lines.next(line)) {
    const std::string_view start = trimmed(line.text.substr(0, 8));
    if (!start.starts_with("v ") && !start.starts_with("v\t") && !start.starts_with("f ") && !start.starts_with("f\t") &&
        start != "v" && start != "f")
      continue;
    const std::vector<Token> tokens = split_tokens(line.text.substr(0, line.text.find('#')), line.number);
    if (tokens.empty()) continue;
    if (tokens[0].text == "v")
      read_vertex(tokens, mesh, result.diagnostics);
    else if (tokens[0].text == "f")
      read_face(tokens, mesh, result.diagnostics);
  }
  if (mesh.triangles.empty() && !result.diagnostics.has_errors())
    result.diagnostics.report(code::kEmpty, {1, 1}, "no f line: the file has no triangle");
  return result;
}

}  // namespace simbatch::obj
