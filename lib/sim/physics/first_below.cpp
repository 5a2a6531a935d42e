// The ground's triangles around the point are kept with the distances from their sides, so that most calls need three products a
// triangle in place of a walk through Bullet's tree. Wherever rounding, a border or another body could decide, a ray does: so the
// answer is always that of the ray.

#include "lib/sim/physics/first_below.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "lib/sim/physics/state.hpp"

namespace simbatch::physics {

using detail::Body;
using detail::bt;
using detail::from_bt;

namespace {

constexpr double kReach = 4;     // m to each side: what is remembered
constexpr double kClear = 1e-3;  // m: heights further apart than this are told apart without a ray
constexpr double kMaxSlope = 4;  // of triangles that can be told from above

bool passes(const Body& b, const RayFilter& filter) {
  return detail::body_id(b.object) != filter.ignore_body &&
         (b.settings.group == kNoGroup || b.settings.group != filter.ignore_group);
}

/// Fills a FirstBelow with triangles; of those that are too steep or too narrow only with their boxes.
struct FacesInReach final : btTriangleCallback {
  FirstBelow& out;
  explicit FacesInReach(FirstBelow& o) : out(o) {}
  void processTriangle(btVector3* corners, int, int) override {
    const Vec3 p[3] = {from_bt(corners[0]), from_bt(corners[1]), from_bt(corners[2])};
    const Vec3 n = geo::cross(p[1] - p[0], p[2] - p[0]);
    double longest = 0, shortest = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < 3; ++i) {
      const double length = std::hypot(p[(i + 1) % 3].x - p[i].x, p[(i + 1) % 3].z - p[i].z);
      longest = std::max(longest, length);
      shortest = std::min(shortest, length);
    }
    // Bullet's ray takes what is beside a side by less than a ten-thousandth of the triangle's height over it for a hit.
    const double margin = kClear + 1e-3 * longest;
    if (!(std::hypot(n.x, n.z) <= kMaxSlope * std::abs(n.y)) || n.y == 0 || !(shortest > kClear)) {
      FirstBelow::Box box{p[0], p[0]};
      for (const Vec3& corner : p) {
        box.low = {std::min(box.low.x, corner.x - margin), 0, std::min(box.low.z, corner.z - margin)};
        box.high = {std::max(box.high.x, corner.x + margin), 0, std::max(box.high.z, corner.z + margin)};
      }
      out.steep.push_back(box);
      return;
    }
    FirstBelow::Triangle t;
    t.corner = p[0];
    t.slope_x = -n.x / n.y;
    t.slope_z = -n.z / n.y;
    for (std::size_t i = 0; i < 3; ++i) {
      const Vec3 a = p[i], b = p[(i + 1) % 3], c = p[(i + 2) % 3];
      const double length = std::hypot(b.x - a.x, b.z - a.z);
      FirstBelow::Triangle::Side& side = t.sides[i];
      side = {(b.z - a.z) / length, (a.x - b.x) / length, 0};
      side.d = side.nx * a.x + side.nz * a.z;
      if (side.nx * c.x + side.nz * c.z < side.d) side = {-side.nx, -side.nz, -side.d};
    }
    t.margin = margin;
    out.triangles.push_back(t);
  }
};

enum class Place { inside, outside, unclear };
Place place_in(const FirstBelow::Triangle& t, double x, double z) {
  double least = std::numeric_limits<double>::infinity();
  for (const auto& side : t.sides) least = std::min(least, side.nx * x + side.nz * z - side.d);
  return least > t.margin ? Place::inside : least < -t.margin ? Place::outside : Place::unclear;
}

/// Height of the ground below the point by the remembered triangles; infinite if there is none, NaN if it is unclear.
double remembered_height(FirstBelow& memory, Vec3 from) {
  if (memory.unclear) return std::numeric_limits<double>::quiet_NaN();
  bool unclear = false;
  for (FirstBelow::Triangle& t : memory.triangles) {
    const Place place = place_in(t, from.x, from.z);
    if (place == Place::outside) continue;
    const double y = t.corner.y + t.slope_x * (from.x - t.corner.x) + t.slope_z * (from.z - t.corner.z);
    if (y > from.y + kClear || y < from.y - memory.depth - kClear) continue;
    if (place == Place::unclear || y > from.y - kClear || y < from.y - memory.depth + kClear) {
      unclear = true;
      continue;
    }
    std::swap(t, memory.triangles.front());  // the first to look at next time
    return y;
  }
  for (const FirstBelow::Box& b : memory.steep)
    unclear = unclear || (b.low.x <= from.x && from.x <= b.high.x && b.low.z <= from.z && from.z <= b.high.z);
  return unclear ? std::numeric_limits<double>::quiet_NaN() : std::numeric_limits<double>::infinity();
}

void fill(World::State& s, FirstBelow& memory, const Body& ground, Vec3 at) {
  memory.filled = true;
  memory.x = at.x;
  memory.z = at.z;
  memory.version = s.near_bodies.version();
  memory.triangles.clear();
  memory.steep.clear();
  memory.others.clear();
  const btTransform& pose = ground.object->getWorldTransform();
  const bool is_mesh = ground.parts.size() == 1 && ground.parts[0].mesh != nullptr && ground.parts[0].x_pp == Pose{};
  memory.unclear = !is_mesh || ground.settings.kind != BodyKind::fixed || !(pose == btTransform::getIdentity());
  if (memory.unclear) return;
  constexpr double kFar = 1e12;
  const Vec3 low{at.x - kReach, -kFar, at.z - kReach}, high{at.x + kReach, kFar, at.z + kReach};
  FacesInReach collect(memory);
  ground.parts[0].mesh->processAllTriangles(&collect, bt(low), bt(high));
  s.near_bodies.visit_fixed({low, high}, [&](const Body& b, const detail::NearBodies::Bounds& bounds) {
    if (&b != &ground && passes(b, memory.filter)) memory.others.push_back({bounds.low, bounds.high});
  });
}

/// True if something else might be met above `height`.
bool may_be_covered(World::State& s, const FirstBelow& memory, Vec3 from, double height) {
  for (const std::uint32_t i : s.grids) {
    if (BodyId(i) == memory.filter.ignore_body) continue;
    const auto y = s.bodies[i]->grid->height(from.x, from.z);
    if (y && *y > height - kClear && *y < from.y + kClear) return true;
    // At its border the ray decides.
    if (!y && s.bodies[i]->grid->height(memory.x, memory.z)) return true;
  }
  for (const FirstBelow::Box& b : memory.others)
    if (b.low.x <= from.x && b.high.x >= from.x && b.low.z <= from.z && b.high.z >= from.z && b.low.y <= from.y &&
        b.high.y >= height)
      return true;
  bool covered = false;
  s.near_bodies.visit_movable({{from.x, height, from.z}, from},
                              [&](const Body& b) { covered = covered || passes(b, memory.filter); });
  return covered;
}

}  // namespace

bool World::is_first_below(FirstBelow& memory, Vec3 from) {
  State& s = *state_;
  s.flush();
  const bool stays = memory.filled && memory.version == s.near_bodies.version() && std::abs(from.x - memory.x) < kReach &&
                     std::abs(from.z - memory.z) < kReach;
  if (!stays && geo::is_finite(from)) fill(s, memory, s.body(memory.ground), from);
  const double height = geo::is_finite(from) ? remembered_height(memory, from) : std::numeric_limits<double>::quiet_NaN();
  if (std::isinf(height)) return false;
  if (!std::isnan(height) && !may_be_covered(s, memory, from, height)) return true;
  const auto hit = ray_cast(from, {from.x, from.y - memory.depth, from.z}, memory.filter);
  return hit && hit->body == memory.ground;
}

}  // namespace simbatch::physics
