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

/// Reads a binary file (80 bytes, a count, 50 bytes per triangle) or a text that begins with `solid`. Normals and attributes are
/// skipped. A binary file may begin with "solid" as well: its size decides. Bytes after the last triangle are ignored. Corners
/// with equal coordinates become one point.
Parsed<Mesh> read_stl(std::string_view bytes, const std::string& file_name);

}  // namespace simbatch::stl
