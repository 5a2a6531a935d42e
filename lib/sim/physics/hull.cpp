// Bullet's btConvexHullComputer (divide and conquer after Preparata and Hong 1977, in exact integer arithmetic on points
// rounded to 1/10000 of their extent); its faces are cut into fans of triangles and turned outward by the sign of the enclosed
// volume.

#include "lib/sim/physics/hull.hpp"

#include <LinearMath/btConvexHullComputer.h>

namespace simbatch::physics::detail {

TriangleMesh hull_triangles(std::span<const Vec3> points) {
  TriangleMesh mesh;
  if (points.size() < 4) return mesh;
  btConvexHullComputer computer;
  computer.compute(&points[0].x, sizeof(Vec3), static_cast<int>(points.size()), 0, 0);
  for (int i = 0; i < computer.vertices.size(); ++i) {
    const btVector3& v = computer.vertices[i];
    mesh.points.push_back({v.x(), v.y(), v.z()});
  }
  for (int f = 0; f < computer.faces.size(); ++f) {
    // The orientation of a face depends on the input; the sign of the volume decides it below.
    const btConvexHullComputer::Edge* first = &computer.edges[computer.faces[f]];
    const auto root = static_cast<std::uint32_t>(first->getSourceVertex());
    for (const auto* e = first->getNextEdgeOfFace(); e->getTargetVertex() != first->getSourceVertex();
         e = e->getNextEdgeOfFace()) {
      mesh.indices.push_back(root);
      mesh.indices.push_back(static_cast<std::uint32_t>(e->getSourceVertex()));
      mesh.indices.push_back(static_cast<std::uint32_t>(e->getTargetVertex()));
    }
  }
  double volume = 0;
  const Vec3 base = mesh.points.empty() ? Vec3{} : mesh.points[0];
  for (std::size_t i = 0; i + 2 < mesh.indices.size(); i += 3)
    volume += geo::dot(mesh.points[mesh.indices[i]] - base,
                       geo::cross(mesh.points[mesh.indices[i + 1]] - base, mesh.points[mesh.indices[i + 2]] - base));
  if (volume < 0)
    for (std::size_t i = 0; i + 2 < mesh.indices.size(); i += 3) std::swap(mesh.indices[i + 1], mesh.indices[i + 2]);
  if (volume == 0) mesh.indices.clear();
  return mesh;
}

}  // namespace simbatch::physics::detail
