// Source: Wavefront Advanced Visualizer Manual, appendix B1 (Object Files), sections "Vertex data" and "Elements".

#include <algorithm>

#include "base/core/number.hpp"
#include "base/core/text.hpp"
#include "formats/obj/codes.hpp"
#include "formats/obj/obj.hpp"

namespace simbatch::obj {
namespace {

std::size_t count_of(WordReader words) {
  std::size_t count = 0;
  for (Token word; words.next(word);) ++count;
  return count;
}

void read_vertex(Position at, WordReader words, Mesh& mesh, Diagnostics& diagnostics) {
  std::array<double, 3> point{};
  // v x y z [w] [r g b]: values after the coordinates are ignored.
  const std::size_t count = count_of(words);
  if (count < 3 || count > 7) diagnostics.report(code::kVertex, at, "a point needs three numbers, found " + number_text(count));
  Token word;
  for (std::size_t i = 0; i < 3 && words.next(word); ++i) {
    std::string_view text = word.text;
    if (text.starts_with('+') && !text.starts_with("+-"))
      text.remove_prefix(1);  // strtod, which most writers rely on, reads it
    const Number<double> number = parse_double(text);
    if (!number) diagnostics.report(code::kVertex, word.at, quoted(word.text) + " is not a number");
    point[i] = number.value;
  }
  mesh.points.push_back(point);  // invalid ones too, so that later indices remain correct
}

void read_face(Position at, WordReader words, Mesh& mesh, Diagnostics& diagnostics) {
  const std::size_t corners = count_of(words), before = mesh.triangles.size();
  if (corners < 3) {
    diagnostics.report(code::kFace, at, "a face needs three corners, found " + number_text(corners));
    return;
  }
  std::uint32_t first = 0, last = 0;
  Token word;
  for (std::size_t i = 0; words.next(word); ++i) {
    const std::string_view text = word.text.substr(0, word.text.find('/'));
    const Number<std::int64_t> number = parse_integer<std::int64_t>(text);
    const auto count = static_cast<std::int64_t>(mesh.points.size());
    const std::int64_t index = number.value > 0 ? number.value - 1 : count + number.value;
    if (!number || number.value == 0 || index < 0 || index >= count) {
      diagnostics.report(code::kFace, word.at, quoted(word.text) + " is none of the " + number_text(count) + " points so far");
      mesh.triangles.resize(before);
      return;
    }
    const auto corner = static_cast<std::uint32_t>(index);
    if (i == 0) first = corner;
    if (i >= 2) mesh.triangles.push_back({first, last, corner});
    last = corner;
  }
}

/// Whether it is a line of points or triangles.
bool is_read(std::string_view line) {
  const std::string_view start = trimmed(line.substr(0, 8));
  return start.starts_with("v ") || start.starts_with("v\t") || start.starts_with("f ") || start.starts_with("f\t") ||
         start == "v" || start == "f";
}

/// Room for points and triangles at once: lists that double take twice as much. Polygons are as many triangles as they have
/// corners, less two.
void make_room(std::string_view text, Mesh& mesh) {
  std::size_t points = 0, triangles = 0;
  LineReader lines(text);
  for (Line line; lines.next(line);) {
    if (!is_read(line.text)) continue;
    if (trimmed(line.text.substr(0, 8)).front() == 'v')
      ++points;
    else
      triangles += std::max<std::size_t>(count_of(WordReader(line.text, 0)), 3) - 3;
  }
  mesh.points.reserve(points);
  mesh.triangles.reserve(triangles);
}

}  // namespace

Parsed<Mesh> read_obj(std::string_view text, const std::string& file_name) {
  Parsed<Mesh> result{Mesh{}, Diagnostics(file_name)};
  Mesh& mesh = *result.value;
  make_room(text, mesh);
  LineReader lines(text);
  Line line;
  while (lines.next(line)) {
    if (!is_read(line.text)) continue;
    WordReader words(line.text.substr(0, line.text.find('#')), line.number);
    Token first;
    if (!words.next(first)) continue;
    if (first.text == "v")
      read_vertex(first.at, words, mesh, result.diagnostics);
    else if (first.text == "f")
      read_face(first.at, words, mesh, result.diagnostics);
  }
  if (mesh.triangles.empty() && !result.diagnostics.has_errors())
    result.diagnostics.report(code::kEmpty, {1, 1}, "no f line: the file has no triangle");
  return result;
}

}  // namespace simbatch::obj
