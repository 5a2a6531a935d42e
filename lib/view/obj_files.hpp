#pragma once
/// Wavefront OBJ files of worlds, and glTF scenes of OBJ meshes: docs/formats/obj.md.

#include <optional>
#include <string>
#include <string_view>

#include "base/core/diagnostics.hpp"
#include "formats/gltf/gltf.hpp"

namespace simbatch::view {

/// A scene as an OBJ file in its own frame (m, right-handed, y up): an object per node with a mesh, in depth-first order, with
/// names of materials and colors of vertices, so that no material file is needed. Animations and cameras are left out.
/// Coordinates are rounded to 1 um. The same bytes for the same asset.
/// @pre the nodes form trees
std::string obj_of(const gltf::Asset& asset);

/// The mesh of an OBJ file as a scene with one gray node: points and triangles unchanged, since both formats are right-handed
/// with y up in most programs.
/// @param name  of the node
/// @return empty if the file has errors, which are reported (formats/obj)
std::optional<gltf::Asset> asset_of_obj(std::string_view text, const std::string& file, const std::string& name,
                                        Diagnostics& problems);

}  // namespace simbatch::view
