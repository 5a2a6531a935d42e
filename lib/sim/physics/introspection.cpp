// Shapes of bodies, read back: Bullet keeps the points of hulls and meshes, so no second copy is needed.

#include <BulletCollision/CollisionShapes/btConvexHullShape.h>

#include "lib/sim/physics/state.hpp"

namespace simbatch::physics {
namespace {

using detail::from_bt;

/// Three points a triangle, in order.
TriangleMesh mesh_of(const TriangleMesh& from) {
  TriangleMesh mesh;
  mesh.points.reserve(from.indices.size());
  mesh.indices.reserve(from.indices.size());
  for (const std::uint32_t i : from.indices) {
    mesh.indices.push_back(static_cast<std::uint32_t>(mesh.points.size()));
    mesh.points.push_back(from.points[i]);
  }
  return mesh;
}

ConvexHull hull_of(const btConvexHullShape& shape) {
  ConvexHull hull;
  for (int i = 0; i < shape.getNumPoints(); ++i) hull.points.push_back(from_bt(shape.getUnscaledPoints()[i]));
  return hull;
}

}  // namespace

bool World::is_terrain(BodyId body) const { return state_->body(body).terrain; }

std::vector<Part> World::parts(BodyId body) const {
  const detail::Body& b = state_->body(body);
  std::vector<Part> parts;
  for (std::size_t i = 0; i < b.parts.size(); ++i) {
    const detail::RayPart& from = b.parts[i];
    Part& part = parts.emplace_back(Part{Shape{}, b.x_bp * from.x_pp});
    if (from.mesh)
      part.shape = mesh_of(detail::mesh_under(*from.mesh));
    else if (std::holds_alternative<detail::HullPlanes>(from.shape))
      part.shape = hull_of(static_cast<const btConvexHullShape&>(*b.shape.shapes[i]));
    else if (const auto* box = std::get_if<Box>(&from.shape))
      part.shape = *box;
    else if (const auto* sphere = std::get_if<Sphere>(&from.shape))
      part.shape = *sphere;
    else if (const auto* capsule = std::get_if<Capsule>(&from.shape))
      part.shape = *capsule;
    else if (const auto* cylinder = std::get_if<Cylinder>(&from.shape))
      part.shape = *cylinder;
    else if (const auto* cone = std::get_if<Cone>(&from.shape))
      part.shape = *cone;
  }
  return parts;
}

const TriangleMesh& World::hull_surface(BodyId body, std::size_t part) const {
  return std::get<detail::HullPlanes>(state_->body(body).parts.at(part).shape).surface;
}

std::shared_ptr<const TriangleMesh> World::mesh(BodyId body, std::size_t part) const {
  const detail::Body& b = state_->body(body);
  detail::require(b.parts.at(part).mesh != nullptr, "that part is not a mesh");
  return {b.shape.shapes[part], &detail::mesh_under(*b.parts[part].mesh)};
}

const HeightGrid* World::terrain_grid(BodyId body) const {
  const detail::Body& b = state_->body(body);
  return b.grid && !b.grid->is_plane() ? &b.grid->heights() : nullptr;
}

std::optional<double> World::terrain_plane(BodyId body) const {
  const detail::Body& b = state_->body(body);
  return b.grid && b.grid->is_plane() ? std::optional(b.grid->lowest()) : std::nullopt;
}

std::size_t World::vehicle_count() const { return state_->vehicles.size(); }

}  // namespace simbatch::physics
