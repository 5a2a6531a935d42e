#pragma once
/// Models of bodies, wheels and houses: files of many formats, read through assimp in a process of its own. Internal to this room.

#include <cstdint>
#include <optional>
#include <vector>

#include "base/core/diagnostics.hpp"
#include "lib/sim/physics/shapes.hpp"
#include "lib/sim/vision/appearance.hpp"

namespace simbatch::sim::vision {

struct Model {
  physics::TriangleMesh mesh;       ///< y up, z forward, x right (m)
  std::vector<std::uint8_t> paint;  ///< one a triangle: index into colors
  std::vector<geo::Vec3> colors;    ///< linear red, green, blue; at most 256
};

/// Most bytes of a model file, triangles, and seconds of processor time for it.
inline constexpr std::size_t kMaxModelBytes = std::size_t{64} << 20, kMaxModelTriangles = 2'000'000;
inline constexpr unsigned kMaxModelSeconds = 20;

/// Reads LOD0/model.<type> of the folder (or the folder itself if it is a file). Nothing, with a warning at the place that names it, if
/// there is no such file, or if it cannot be read.
/// @param instead  what is drawn then, for the warning
///
/// assimp reads dozens of formats, and was not written for hostile files. So it runs in a child process with bounds on memory and time,
/// which hands back triangles through a pipe; whatever it does, this process goes on.
std::optional<Model> read_model(const ModelFile& file, std::string_view instead, Diagnostics& problems);
/// True if the file is there, whatever is in it.
bool is_there(const ModelFile& file);

/// Stretches a model so that its bounding box is one of `size` about the origin.
void fit_into_box(Model& model, geo::Vec3 size);

}  // namespace simbatch::sim::vision
