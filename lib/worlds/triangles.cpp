#include "lib/worlds/triangles.hpp"

#include <cmath>
#include <numbers>

#include "base/geo/frames.hpp"
#include "lib/grasp/export.hpp"

namespace simbatch::worlds {
namespace {

using geo::Vec3;

constexpr int kConeSides = 32;
constexpr std::size_t kMostCells = 2'000'000;

/// Adds triangles of the world's axes, with z up and the other way around.
void append_swapped(const geo::TriangleMesh& from, const geo::Pose& X_BP, geo::TriangleMesh& to) {
  const auto first = static_cast<std::uint32_t>(to.points.size());
  for (const Vec3 p : from.points) to.points.push_back(geo::swap_up(X_BP * p));
  for (std::size_t i = 0; i + 2 < from.indices.size(); i += 3)
    to.indices.insert(to.indices.end(), {first + from.indices[i], first + from.indices[i + 2], first + from.indices[i + 1]});
}

geo::TriangleMesh cone_mesh(const physics::Cone& cone) {
  geo::TriangleMesh mesh;
  const Vec3 tip{0, cone.length / 2, 0}, base{0, -cone.length / 2, 0};
  const auto rim = [&](int i) {
    const double angle = 2 * std::numbers::pi * i / kConeSides;
    return base + cone.radius * Vec3{std::cos(angle), 0, std::sin(angle)};
  };
  // cross(b - a, c - a), by components, points outward.
  for (int i = 0; i < kConeSides; ++i) {
    mesh.add(tip, rim(i + 1), rim(i));
    mesh.add(base, rim(i), rim(i + 1));
  }
  return mesh;
}

}  // namespace

std::optional<robots::Shape> plain_shape(const physics::Shape& shape) {
  using Kind = robots::Shape::Kind;
  robots::Shape to;
  if (const auto* box = std::get_if<physics::Box>(&shape)) {
    to.size = geo::swap_up(box->size);
  } else if (const auto* sphere = std::get_if<physics::Sphere>(&shape)) {
    to.kind = Kind::sphere;
    to.radius = sphere->radius;
  } else if (const auto* cylinder = std::get_if<physics::Cylinder>(&shape)) {
    to.kind = Kind::cylinder;
    to.radius = cylinder->radius;
    to.length = cylinder->length;
  } else if (const auto* capsule = std::get_if<physics::Capsule>(&shape)) {
    to.kind = Kind::capsule;
    to.radius = capsule->radius;
    to.length = capsule->length;
  } else {
    return std::nullopt;
  }
  return to;
}

void append_triangles(const physics::World& world, physics::BodyId body, std::size_t index, const physics::Part& part,
                      geo::TriangleMesh& to) {
  if (const auto* mesh = std::get_if<physics::TriangleMesh>(&part.shape))
    append_swapped(*mesh, part.pose, to);
  else if (const auto* cone = std::get_if<physics::Cone>(&part.shape))
    append_swapped(cone_mesh(*cone), part.pose, to);
  else
    append_swapped(world.hull_surface(body, index), part.pose, to);
}

geo::TriangleMesh triangles_of(const geo::HeightGrid& grid) {
  geo::TriangleMesh mesh;
  const auto nx = static_cast<std::size_t>(grid.nx), nz = static_cast<std::size_t>(grid.nz);
  if (nx < 2 || nz < 2 || (nx - 1) * (nz - 1) > kMostCells) return mesh;
  for (std::size_t j = 0; j < nz; ++j)
    for (std::size_t i = 0; i < nx; ++i)
      mesh.points.push_back({grid.x0 + static_cast<double>(i) * grid.spacing, grid.z0 + static_cast<double>(j) * grid.spacing,
                             grid.heights[j * nx + i]});
  for (std::size_t j = 0; j + 1 < nz; ++j)
    for (std::size_t i = 0; i + 1 < nx; ++i) {
      const auto at = [&](std::size_t di, std::size_t dj) { return static_cast<std::uint32_t>((j + dj) * nx + i + di); };
      mesh.indices.insert(mesh.indices.end(), {at(0, 0), at(1, 0), at(0, 1), at(1, 0), at(1, 1), at(0, 1)});
    }
  return mesh;
}

std::string mesh_file(const geo::TriangleMesh& mesh, const std::string& format, const std::string& name) {
  inventor::Mesh to;
  for (const Vec3 p : mesh.points) to.points.push_back({p.x, p.y, p.z});
  for (std::size_t i = 0; i + 2 < mesh.indices.size(); i += 3)
    to.triangles.push_back({mesh.indices[i], mesh.indices[i + 1], mesh.indices[i + 2]});
  return format == "obj" ? grasp::write_obj(to, 1, name) : grasp::write_stl(to, 1);
}

}  // namespace simbatch::worlds
