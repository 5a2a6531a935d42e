#include "lib/sim/scene/bounds.hpp"

#include <algorithm>
#include <type_traits>
#include <variant>

namespace simbatch::scene {

using geo::Vec3;

std::pair<Vec3, Vec3> bounds_of(std::span<const Vec3> points) {
  Vec3 low = points[0], high = points[0];
  for (const Vec3& p : points) {
    low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
    high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
  }
  return {low, high};
}

std::pair<Vec3, Vec3> bounds_of(const physics::Shape& shape) {
  return std::visit(
      [](const auto& s) -> std::pair<Vec3, Vec3> {
        using S = std::decay_t<decltype(s)>;
        Vec3 half;
        if constexpr (std::is_same_v<S, physics::Box>) {
          half = 0.5 * s.size;
        } else if constexpr (std::is_same_v<S, physics::Sphere>) {
          half = {s.radius, s.radius, s.radius};
        } else if constexpr (std::is_same_v<S, physics::Capsule>) {
          half = {s.radius, s.length / 2 + s.radius, s.radius};
        } else if constexpr (std::is_same_v<S, physics::ConvexHull> || std::is_same_v<S, physics::TriangleMesh>) {
          return bounds_of(std::span<const Vec3>(s.points));
        } else {
          half = {s.radius, s.length / 2, s.radius};
        }
        return {-half, half};
      },
      shape);
}

}  // namespace simbatch::scene
