// Convex pieces of meshes, and the change of frame. Pieces are the connected components of the triangles (union-find with path
// halving, Tarjan and van Leeuwen 1984); each becomes the hull of its points.
#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

#include "lib/sim/grasp/grasp.hpp"

namespace simbatch::sim {

// The swap of y and z is a reflection, which reverses axes of rotation.
geo::Vec3 from_graspit(geo::Vec3 v) { return {v.x, v.z, v.y}; }
geo::Quat from_graspit(geo::Quat q) { return {q.w, -q.x, -q.z, -q.y}; }
geo::Pose from_graspit(const geo::Pose& pose) { return {from_graspit(pose.p), from_graspit(pose.q)}; }

namespace {

struct Pieces {
  explicit Pieces(std::size_t n) : parent(n) { std::iota(parent.begin(), parent.end(), 0U); }
  std::uint32_t find(std::uint32_t i) {
    while (parent[i] != i) i = parent[i] = parent[parent[i]];
    return i;
  }
  void join(std::uint32_t a, std::uint32_t b) { parent[find(b)] = find(a); }
  std::vector<std::uint32_t> parent;
};

}  // namespace

std::vector<physics::Part> hulls_of(const grasp::GraspBody& body, const geo::Pose& inside) {
  const auto& points = body.mesh.points;
  // Coincident points are merged.
  std::vector<std::uint32_t> order(points.size()), name(points.size());
  std::iota(order.begin(), order.end(), 0U);
  std::sort(order.begin(), order.end(),
            [&](std::uint32_t a, std::uint32_t b) { return points[a] != points[b] ? points[a] < points[b] : a < b; });
  for (std::size_t i = 0; i < order.size(); ++i)
    name[order[i]] = i > 0 && points[order[i]] == points[order[i - 1]] ? name[order[i - 1]] : order[i];
  Pieces pieces(points.size());
  for (const auto& t : body.mesh.triangles) {
    pieces.join(name[t[0]], name[t[1]]);
    pieces.join(name[t[0]], name[t[2]]);
  }
  std::map<std::uint32_t, std::vector<std::uint32_t>> members;  // piece -> its points, each once, in file order
  std::vector<char> used(points.size(), 0);
  for (const auto& t : body.mesh.triangles)
    for (const std::uint32_t corner : t)
      if (!std::exchange(used[name[corner]], char{1})) members[pieces.find(name[corner])].push_back(name[corner]);
  std::vector<physics::Part> parts;
  const auto add = [&](const std::vector<std::uint32_t>& indexes) {
    physics::ConvexHull hull;
    for (const std::uint32_t i : indexes)
      hull.points.push_back(from_graspit(geo::Vec3{points[i][0], points[i][1], points[i][2]}));
    physics::Shape shape = std::move(hull);
    if (physics::check_shape(shape).empty()) parts.push_back({std::move(shape), inside});
  };
  if (members.size() <= kMaxHulls)
    for (const auto& piece : members) add(piece.second);
  if (!parts.empty()) return parts;
  std::vector<std::uint32_t> all;
  for (const auto& piece : members) all.insert(all.end(), piece.second.begin(), piece.second.end());
  add(all);
  return parts;
}

}  // namespace simbatch::sim
