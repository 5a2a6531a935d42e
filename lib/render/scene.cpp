// Normals of smooth surfaces: at each corner the area-weighted mean over the faces that meet there at less than the crease
// angle (Gouraud 1971, with a crease as in the VRML 2 specification).
#include <algorithm>
#include <cmath>
#include <numeric>

#include "lib/render/render.hpp"

namespace simbatch::render {

using geo::Vec3;

void Scene::add(std::span<const std::array<double, 3>> points, std::span<const std::array<std::uint32_t, 3>> triangles,
                std::span<const Color> colors, const geo::Pose& pose) {
  // Corners in one place belong together, whatever their indexes are.
  std::vector<std::uint32_t> corners(3 * triangles.size());
  std::iota(corners.begin(), corners.end(), 0U);
  const auto at = [&](std::uint32_t corner) -> const std::array<double, 3>& {
    return points[triangles[corner / 3][corner % 3]];
  };
  std::sort(corners.begin(), corners.end(),
            [&](std::uint32_t a, std::uint32_t b) { return at(a) != at(b) ? at(a) < at(b) : a < b; });
  std::vector<Vec3> normals(triangles.size());  // length: twice the area
  const auto vec = [](const std::array<double, 3>& p) { return Vec3{p[0], p[1], p[2]}; };
  for (std::size_t t = 0; t < triangles.size(); ++t) {
    const Vec3 a = vec(points[triangles[t][0]]);
    normals[t] = geo::cross(vec(points[triangles[t][1]]) - a, vec(points[triangles[t][2]]) - a);
  }
  std::vector<Vec3> smooth(corners.size());
  constexpr double kCrease = 0.766;  // cos 40 degrees
  for (std::size_t first = 0; first < corners.size();) {
    std::size_t last = first + 1;
    while (last < corners.size() && at(corners[last]) == at(corners[first])) ++last;
    for (std::size_t i = first; i < last; ++i) {
      const Vec3 own = geo::normalized(normals[corners[i] / 3]);
      Vec3 sum = normals[corners[i] / 3];
      for (std::size_t k = first; k < last && last - first <= 256; ++k)
        if (k != i && geo::dot(own, geo::normalized(normals[corners[k] / 3])) > kCrease) sum += normals[corners[k] / 3];
      smooth[corners[i]] = geo::normalized(sum);
    }
    first = last;
  }
  for (std::size_t t = 0; t < triangles.size(); ++t) {
    Face face;
    for (std::size_t k = 0; k < 3; ++k) {
      face.p[k] = pose * vec(points[triangles[t][k]]);
      face.n[k] = pose.q * smooth[3 * t + k];
    }
    face.color = colors[t];
    faces_.push_back(face);
  }
}

}  // namespace simbatch::render
