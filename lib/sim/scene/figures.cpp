#include "lib/sim/scene/figures.hpp"

#include <algorithm>

#include "lib/sim/scene/tessellate.hpp"

namespace simbatch::scene {
namespace {

using geo::Vec3;
using physics::TriangleMesh;

/// Faces of a body between two rectangles, at y0 (half sizes and offset along z) and y1.
TriangleMesh frustum(double y0, Vec3 half0, double z0, double y1, Vec3 half1, double z1) {
  TriangleMesh mesh = triangles_of(physics::Shape(physics::Box{{2, 2, 2}}));
  for (Vec3& p : mesh.points) {
    const bool top = p.y > 0;
    const Vec3 half = top ? half1 : half0;
    p = {p.x * half.x, top ? y1 : y0, p.z * half.z + (top ? z1 : z0)};
  }
  return mesh;
}

}  // namespace

void Figure::add_mesh(const TriangleMesh& other, std::uint8_t with) {
  const auto first = static_cast<std::uint32_t>(mesh.points.size());
  mesh.points.insert(mesh.points.end(), other.points.begin(), other.points.end());
  for (const std::uint32_t i : other.indices) mesh.indices.push_back(first + i);
  paint.insert(paint.end(), other.indices.size() / 3, with);
}

Figure house_figure(Vec3 size, double& eaves_height) {
  Figure figure;
  eaves_height = 0;
  const Vec3 h = 0.5 * size;
  // Large and flat ones have flat roofs; others a gable along the longer side, a third of the height or as steep as 40 degrees.
  const double shorter = std::min(size.x, size.z);
  if (shorter > 13 || size.y > 9.5) {
    figure.add_mesh(triangles_of(physics::Shape(physics::Box{size})), 0);
    return figure;
  }
  const double eaves = h.y - std::min(0.4 * size.y, 0.42 * shorter);
  eaves_height = eaves + h.y;
  figure.add_mesh(frustum(-h.y, {h.x * 0.94, 0, h.z * 0.94}, 0, eaves, {h.x * 0.94, 0, h.z * 0.94}, 0), 0);
  const bool along_x = size.x >= size.z;
  TriangleMesh roof;  // a prism: two slopes, two gables, and its underside
  const auto at = [&](double along, double across, double y) {
    roof.points.push_back(along_x ? Vec3{along * h.x, y, across * h.z} : Vec3{across * h.x, y, along * h.z});
  };
  at(-1, -1, eaves);
  at(1, -1, eaves);
  at(1, 1, eaves);
  at(-1, 1, eaves);
  at(-1, 0, h.y);
  at(1, 0, h.y);
  roof.indices = {0, 5, 1, 0, 4, 5, 2, 4, 3, 2, 5, 4, 0, 3, 4, 1, 5, 2, 0, 1, 2, 0, 2, 3};
  if (!along_x)
    for (std::size_t i = 0; i + 2 < roof.indices.size(); i += 3) std::swap(roof.indices[i + 1], roof.indices[i + 2]);
  figure.add_mesh(roof, 0);
  return figure;
}

Figure tree_figure(Vec3 size) {
  Figure figure;
  if (size.y < 0.6 * std::max(size.x, size.z)) {
    figure.add_mesh(triangles_of(physics::Shape(physics::Box{size})), 0);
    return figure;
  }
  // The box is the collision shape, often the trunk alone: a crown may be wider.
  const double h = size.y / 2, box = std::min(size.x, size.z) / 2, r = std::max(box, 0.2 * size.y);
  TriangleMesh trunk = triangles_of(physics::Shape(physics::Cylinder{std::min(r * 0.14, 0.3), size.y * 0.45}), 8);
  for (Vec3& p : trunk.points) p.y += -h + size.y * 0.225;
  figure.add_mesh(trunk, 1);
  // A crown of three balls, squeezed into the box.
  for (const Vec3 at : {Vec3{0, 0.30, 0}, Vec3{0.28, 0.05, 0.22}, Vec3{-0.3, 0.02, -0.18}}) {
    const double part = at.x == 0 ? 0.7 : 0.62;
    TriangleMesh ball = triangles_of(physics::Shape(physics::Sphere{1}), 12);
    for (Vec3& p : ball.points)
      p = {at.x * r + p.x * r * part, at.y * h + h * 0.12 + p.y * h * 0.58 * part / 0.7, at.z * r + p.z * r * part};
    figure.add_mesh(ball, 0);
  }
  return figure;
}

Figure car_figure(Vec3 size, double& belt) {
  Figure figure;
  const Vec3 h = 0.5 * size;
  belt = h.y * 0.12;
  figure.add_mesh(frustum(-h.y * 0.75, {h.x, 0, h.z * 0.985}, 0, belt, {h.x * 0.97, 0, h.z}, 0), 0);
  figure.add_mesh(frustum(belt, {h.x * 0.93, 0, h.z * 0.56}, -h.z * 0.12, h.y, {h.x * 0.72, 0, h.z * 0.34}, -h.z * 0.16), 0);
  return figure;
}

Figure parked_car_figure(Vec3 size, double& belt) {
  Figure figure = car_figure(size, belt);
  const double radius = std::min(kParkedWheel, size.y / 3), width = std::min(0.22, size.x / 4);
  for (const double side : {-1.0, 1.0})
    for (const double end : {-1.0, 1.0}) {
      TriangleMesh wheel = triangles_of(physics::Shape(physics::Cylinder{radius, width}), 12);
      // The cylinder's axis is y; a wheel's is x.
      for (Vec3& p : wheel.points)
        p = {side * (size.x - width) / 2 + p.y, radius - size.y / 2 - p.x, end * size.z * 0.31 + p.z};
      figure.add_mesh(wheel, 1);
    }
  return figure;
}

}  // namespace simbatch::scene
