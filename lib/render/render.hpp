#pragma once
/// Pictures of triangle meshes, drawn in software: a z-buffer, one shadow map, no library and no graphics card. The same input
/// gives the same pixels. Right-handed frames, z up.

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/geo/pose.hpp"
#include "base/image/png.hpp"

namespace simbatch::render {

using Color = std::array<float, 3>;  ///< red, green, blue as shown on a screen, in [0, 1]

/// A scene: triangles with normals, ready to be drawn.
class Scene {
 public:
  /// Adds a mesh at a pose. Faces that meet at less than 40 degrees look like one smooth surface.
  /// @param points     in the mesh's frame
  /// @param triangles  indexes into points
  /// @param colors     one per triangle
  void add(std::span<const std::array<double, 3>> points, std::span<const std::array<std::uint32_t, 3>> triangles,
           std::span<const Color> colors, const geo::Pose& pose);
  bool empty() const { return faces_.empty(); }

  struct Face {
    geo::Vec3 p[3], n[3];
    Color color{};
  };
  const std::vector<Face>& faces() const { return faces_; }

 private:
  std::vector<Face> faces_;
};

struct Options {
  int width = 960, height = 720;  ///< pixels
  double azimuth = -55;           ///< degrees of the camera about z, from +x towards +y
  double elevation = 25;          ///< degrees above the horizon
  bool ground = true;             ///< a floor under the lowest point, which receives the shadow
};

/// Draws the scene as large as it fits. A scene without faces yields only the background. Cost: proportional to the number of
/// faces and, at nine samples per pixel, to the area that they cover.
image::Image draw(const Scene& scene, const Options& options);

}  // namespace simbatch::render
