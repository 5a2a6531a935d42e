#pragma once
/// Wavefront OBJ: the triangles of a mesh (docs/formats/obj.md).

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/core/diagnostics.hpp"

namespace simbatch::obj {

struct Mesh {
  std::vector<std::array<double, 3>> points;            ///< `v` lines, in the file's unit and axes
  std::vector<std::array<std::uint32_t, 3>> triangles;  ///< from 0; polygons are fans about their first corner
  friend bool operator==(const Mesh&, const Mesh&) = default;
};

/// Reads the `v` and `f` lines; everything else (normals, textures, groups, materials, lines, points) is skipped. Indices may
/// be negative (counted from the last point) and may carry /texture/normal. Every broken line is an error. A file without a
/// triangle is an error.
Parsed<Mesh> read_obj(std::string_view text, const std::string& file_name);

}  // namespace simbatch::obj
