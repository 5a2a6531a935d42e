#pragma once
/// Models of bodies, wheels and houses: files of many formats, read through assimp in a process of its own. Internal to this room.

#include <cstdint>
#include <optional>
#include <vector>

#include "lib/base/diagnostics.hpp"
#include "lib/sim/physics/shapes.hpp"
#include "lib/sim/vision/looks.hpp"

namespace simbatch::sim::vision {

struct Model {
  physics::TriangleMesh mesh;       ///< y up, z forward, x right (m)
  std::vector<std::uint8_t> paint;  ///< one a triangle: index into colours
  std::vector<geo::Vec3> colours;   ///< linear red, green, blue; at most 256
};

/// Most bytes of a model file, triangles, and seconds of processor time for it.
inline constexpr std::size_t kMaxModelBytes = std::size_t{64} << 20, kMaxModelTriangles = 2'000'000;
inline constexpr unsigned kMaxModelSeconds = 20;
/// Most triangles of all models of a scene together, each counted as often as it stands there; what would pass it is drawn as its shape.
inline constexpr std::size_t kMaxPlacedTriangles = 20'000'000;

/// Reads LOD0/model.<type> of the folder (or the folder itself if it is a file). Nothing, silently, if there is no such file: the thing is
/// then drawn as its shape. Nothing, with a warning at the place that names it, if it cannot be read.
///
/// assimp reads dozens of formats, and was not written for hostile files. So it runs in a child process with bounds on memory and time,
/// which hands back triangles through a pipe; whatever it does, this process goes on.
std::optional<Model> read_model(const ModelFile& file, Diagnostics& problems);

/// Stretches a model so that its bounding box is one of `size` about the origin.
void fit_into_box(Model& model, geo::Vec3 size);

}  // namespace simbatch::sim::vision
