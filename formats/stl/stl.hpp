#pragma once
/// STL: the triangles of a mesh, binary or text (docs/formats/stl.md).

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/core/diagnostics.hpp"

namespace simbatch::stl {

struct Mesh {
  std::vector<std::array<double, 3>> points;            ///< corners, each position once; in the file's unit and axes
  std::vector<std::array<std::uint32_t, 3>> triangles;  ///< from 0, in the order of the file
  friend bool operator==(const Mesh&, const Mesh&) = default;
};

enum class Form : std::uint8_t { none, text, binary };
/// What a file looks like. Binary: its size is that which its number of triangles (at least one) implies, or up to 49 bytes more.
/// Text: else, if its first line begins with `solid`, in any case, and the next with `facet` or `endsolid`.
Form form_of(std::string_view bytes);

/// Reads a binary file (80 bytes, a count, 50 bytes per triangle) or a text that begins with `solid`. Normals and attributes are
/// skipped. A binary file may begin with "solid" as well: its size decides. Bytes after the last triangle are ignored. Corners
/// with equal coordinates become one point.
Parsed<Mesh> read_stl(std::string_view bytes, const std::string& file_name);

}  // namespace simbatch::stl
