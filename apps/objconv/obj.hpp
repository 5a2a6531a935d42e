#pragma once
/// Conversions of convert to and from Wavefront OBJ, other than those of GraspIt! bodies.

#include <optional>
#include <string>

#include "apps/objconv/world.hpp"

namespace simbatch::objconv {

/// The OBJ file of a world (as it begins), or the GLB file of an OBJ mesh.
/// @param target  suffix of the output, with its dot
/// @return nothing if the conversion is neither; empty after an error. @throws IoError
std::optional<std::string> obj_conversion(const std::string& path, const std::string& target, const WorldOptions& options,
                                          Diagnostics& problems);

}  // namespace simbatch::objconv
