// The ground's triangles around the point are kept with the distances from their sides, so that most calls need three products
// per triangle instead of a walk through Bullet's tree. Wherever rounding, a border or another body might matter, a ray is
// cast, so that the answer is always that of the ray.
// Our own method.

#include "lib/sim/physics/first_below.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "lib/sim/physics/state.hpp"

namespace simbatch::physics {

using detail::Body;
using detail::bt;
using detail::from_bt;

namespace {

constexpr double kReach = 4;     // m; half the side of the cached region
constexpr double kClear = 1e-3;  // m: heights further apart than this are compared without a ray
constexpr double kMaxSlope = 4;  // of triangles that can be told from above
constexpr double kFar = 1e12;    // m

bool passes(const Body& b, const RayFilter& filter) {
  return detail::body_id(b.object) != filter.ignore_body &&
         (b.settings.group == kNoGroup || b.settings.group != filter.ignore_group);
}

/// Bullet's ray test also hits just outside an edge, by up to 1e-4 of the triangle's height over that edge.
double margin_of(double longest) { return kClear + 1e-3 * longest; }

/// Around a triangle, along its longest side as seen from above.
FirstBelow::Box box_around(const Vec3 (&p)[3]) {
  FirstBelow::Box box;
  double longest = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    const double x = p[(i + 1) % 3].x - p[i].x, z = p[(i + 1) % 3].z - p[i].z, length = std::hypot(x, z);
    if (!(length > longest)) continue;
    longest = length;
    box.nx = z / length;
    box.nz = -x / length;
  }
  const double margin = margin_of(longest);
  const auto range = [&](auto&& place) -> FirstBelow::Box::Range {
    const auto [low, high] = std::minmax({place(p[0]), place(p[1]), place(p[2])});
    return {low - margin, high + margin};
  };
  box.across = range([&](Vec3 q) { return q.x * box.nx + q.z * box.nz; });
  box.along = range([&](Vec3 q) { return q.x * box.nz - q.z * box.nx; });
  box.up = range([](Vec3 q) { return q.y; });
  return box;
}

FirstBelow::Box box_around(const btVector3& low, const btVector3& high) {
  return {1, 0, {low.x() - kClear, high.x() + kClear}, {-high.z() - kClear, -low.z() + kClear}, {low.y(), high.y()}};
}

/// A triangle as it is seen from above; empty if it is too steep or too narrow for that.
std::optional<FirstBelow::Triangle> seen_from_above(const Vec3 (&p)[3]) {
  const Vec3 n = geo::cross(p[1] - p[0], p[2] - p[0]);
  double longest = 0, shortest = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < 3; ++i) {
    const double length = std::hypot(p[(i + 1) % 3].x - p[i].x, p[(i + 1) % 3].z - p[i].z);
    longest = std::max(longest, length);
    shortest = std::min(shortest, length);
  }
  if (!(std::hypot(n.x, n.z) <= kMaxSlope * std::abs(n.y)) || n.y == 0 || !(shortest > kClear)) return std::nullopt;
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
  t.margin = margin_of(longest);
  t.low = std::min({p[0].y, p[1].y, p[2].y}) - t.margin;
  t.high = std::max({p[0].y, p[1].y, p[2].y}) + t.margin;
  return t;
}

/// True if the point is farther than `far` from the triangle, beside one of its sides.
bool is_beside(const FirstBelow::Triangle& t, double x, double z, double far) {
  return std::any_of(t.sides.begin(), t.sides.end(),
                     [&](const FirstBelow::Triangle::Side& side) { return side.nx * x + side.nz * z - side.d < -far; });
}

/// Fills a FirstBelow with the ground's triangles; for steep or narrow ones, only with their boxes.
struct FacesInReach final : btTriangleCallback {
  FirstBelow& out;
  explicit FacesInReach(FirstBelow& o) : out(o) {}
  void processTriangle(btVector3* corners, int, int) override {
    const Vec3 p[3] = {from_bt(corners[0]), from_bt(corners[1]), from_bt(corners[2])};
    if (const auto t = seen_from_above(p))
      out.triangles.push_back(*t);
    else
      out.steep.push_back(box_around(p));
  }
};

/// Collects another body's triangles that are near.
struct CoversInReach final : btTriangleCallback {
  FirstBelow& out;
  btTransform pose;
  CoversInReach(FirstBelow& o, const btTransform& x) : out(o), pose(x) {}
  void processTriangle(btVector3* corners, int, int) override {
    constexpr double kCorner = 1.4143 * kReach;
    const Vec3 p[3] = {from_bt(pose * corners[0]), from_bt(pose * corners[1]), from_bt(pose * corners[2])};
    if (const auto t = seen_from_above(p)) {
      if (!is_beside(*t, out.x, out.z, t->margin + kCorner)) out.covers.push_back(*t);
      return;
    }
    const FirstBelow::Box box = box_around(p);
    const double u = out.x * box.nx + out.z * box.nz, v = out.x * box.nz - out.z * box.nx;
    const bool is_near = box.across.low - kCorner < u && u < box.across.high + kCorner && box.along.low - kCorner < v &&
                         v < box.along.high + kCorner;
    if (is_near) out.others.push_back(box);
  }
};

/// One part of another fixed body: a house, or a mesh as large as a town, of which only nearby triangles matter.
void add_cover(FirstBelow& memory, const Body& b, std::size_t part, const detail::NearBodies::Bounds& reach) {
  const btTransform pose = b.object->getWorldTransform() * bt(b.parts[part].x_pp);
  btVector3 low, high;
  if (b.parts[part].mesh == nullptr) {
    b.shape.shapes[part]->getAabb(pose, low, high);
    memory.others.push_back(box_around(low, high));
    return;
  }
  const btVector3 middle = bt(0.5 * (reach.low + reach.high)), half = bt(0.5 * (reach.high - reach.low));
  const btTransform back = pose.inverse();
  const btVector3 local = back * middle, extent = half.dot3(back.getBasis()[0].absolute(), back.getBasis()[1].absolute(),
                                                            back.getBasis()[2].absolute());
  CoversInReach collect(memory, pose);
  b.parts[part].mesh->processAllTriangles(&collect, local - extent, local + extent);
}

/// Calls use(part) for the parts that may be in reach.
template <class Use>
void visit_parts(const Body& b, const detail::NearBodies::Bounds& reach, Use use) {
  const btDbvt* tree =
      b.shape.root->isCompound() ? static_cast<const btCompoundShape*>(b.shape.root)->getDynamicAabbTree() : nullptr;
  if (tree == nullptr || tree->m_root == nullptr || !(b.object->getWorldTransform().getBasis() == btMatrix3x3::getIdentity())) {
    for (std::size_t i = 0; i < b.parts.size(); ++i) use(i);
    return;
  }
  struct Collect final : btDbvt::ICollide {
    Use& use;
    explicit Collect(Use& u) : use(u) {}
    void Process(const btDbvtNode* leaf) override { use(static_cast<std::size_t>(leaf->dataAsInt)); }
  } collect(use);
  const btVector3 origin = b.object->getWorldTransform().getOrigin();
  const auto box = btDbvtVolume::FromMM(bt(reach.low) - origin, bt(reach.high) - origin);
  const_cast<btDbvt*>(tree)->collideTV(tree->m_root, box, collect);
}

enum class Place { inside, outside, unclear };
Place place_in(const FirstBelow::Triangle& t, double x, double z) {
  double least = std::numeric_limits<double>::infinity();
  for (const auto& side : t.sides) least = std::min(least, side.nx * x + side.nz * z - side.d);
  return least > t.margin ? Place::inside : least < -t.margin ? Place::outside : Place::unclear;
}

double height_at(const FirstBelow::Triangle& t, double x, double z) {
  return t.corner.y + t.slope_x * (x - t.corner.x) + t.slope_z * (z - t.corner.z);
}

/// Height of the ground below the point by the remembered triangles; infinite if there is none, NaN if it is unclear.
double remembered_height(FirstBelow& memory, Vec3 from) {
  if (memory.unclear) return std::numeric_limits<double>::quiet_NaN();
  bool unclear = false;
  for (FirstBelow::Triangle& t : memory.triangles) {
    const Place place = place_in(t, from.x, from.z);
    if (place == Place::outside) continue;
    const double y = height_at(t, from.x, from.z);
    if (y > from.y + kClear || y < from.y - memory.depth - kClear) continue;
    if (place == Place::unclear || y > from.y - kClear || y < from.y - memory.depth + kClear) {
      unclear = true;
      continue;
    }
    memory.clear_radius = 0;                 // that was in the first triangle
    std::swap(t, memory.triangles.front());  // tested first next time
    return y;
  }
  for (const FirstBelow::Box& b : memory.steep) unclear = unclear || b.is_over(from.x, from.z);
  return unclear ? std::numeric_limits<double>::quiet_NaN() : std::numeric_limits<double>::infinity();
}

void fill(World::State& s, FirstBelow& memory, const Body& ground, Vec3 at) {
  memory.filled = true;
  memory.x = at.x;
  memory.z = at.z;
  memory.version = s.near_bodies.version();
  memory.clear_radius = 0;
  memory.triangles.clear();
  memory.steep.clear();
  memory.covers.clear();
  memory.others.clear();
  const btTransform& pose = ground.object->getWorldTransform();
  const bool is_mesh = ground.parts.size() == 1 && ground.parts[0].mesh != nullptr && ground.parts[0].x_pp == Pose{};
  memory.unclear = !is_mesh || ground.settings.kind != BodyKind::fixed || !(pose == btTransform::getIdentity());
  if (memory.unclear) return;
  const Vec3 low{at.x - kReach, -kFar, at.z - kReach}, high{at.x + kReach, kFar, at.z + kReach};
  FacesInReach collect(memory);
  ground.parts[0].mesh->processAllTriangles(&collect, bt(low), bt(high));
  s.near_bodies.visit_fixed({low, high}, [&](const Body& b, const detail::NearBodies::Bounds& bounds) {
    if (&b == &ground || !passes(b, memory.filter)) return;
    const detail::NearBodies::Bounds reach{{low.x, bounds.low.y, low.z}, {high.x, bounds.high.y, high.z}};
    visit_parts(b, reach, [&](std::size_t part) { add_cover(memory, b, part, reach); });
  });
}

/// Distance (m) of the point from the triangle's or the box's outline seen from above, or less; negative over it.
double distance_beside(const FirstBelow::Triangle& t, double x, double z) {
  double most = -std::numeric_limits<double>::infinity();
  for (const auto& side : t.sides) most = std::max(most, side.d - side.nx * x - side.nz * z);
  return most - t.margin;
}
double distance_beside(const FirstBelow::Box& b, double x, double z) {
  const double u = x * b.nx + z * b.nz, v = x * b.nz - z * b.nx;
  return std::max({b.across.low - u, u - b.across.high, b.along.low - v, v - b.along.high});
}

/// Remembers the disc around a point that is over the first triangle with nothing fixed in between.
void remember_clear(const World::State& s, FirstBelow& memory, Vec3 from) {
  memory.clear_x = from.x;
  memory.clear_z = from.z;
  memory.clear_radius = 0;
  if (!s.grids.empty()) return;
  const FirstBelow::Triangle& on = memory.triangles.front();
  double radius = std::min(kReach - std::abs(from.x - memory.x), kReach - std::abs(from.z - memory.z));
  for (const auto& side : on.sides) radius = std::min(radius, side.nx * from.x + side.nz * from.z - side.d - on.margin);
  for (const FirstBelow::Triangle& t : memory.covers) radius = std::min(radius, distance_beside(t, from.x, from.z));
  for (const FirstBelow::Box& b : memory.others) radius = std::min(radius, distance_beside(b, from.x, from.z));
  memory.clear_radius = radius - kClear;
}

bool is_covered_by_movable(World::State& s, const FirstBelow& memory, Vec3 from, double height) {
  bool covered = false;
  s.near_bodies.visit_movable({{from.x, height, from.z}, from},
                              [&](const Body& b) { covered = covered || passes(b, memory.filter); });
  return covered;
}

/// True if the point is in the remembered disc, at a height that leaves no doubt, and nothing movable is in between.
bool is_in_clear_disc(World::State& s, const FirstBelow& memory, Vec3 from) {
  const double dx = from.x - memory.clear_x, dz = from.z - memory.clear_z;
  if (!(memory.clear_radius > 0 && dx * dx + dz * dz < memory.clear_radius * memory.clear_radius)) return false;
  const double y = height_at(memory.triangles.front(), from.x, from.z);
  return y <= from.y - kClear && y >= from.y - memory.depth + kClear && !is_covered_by_movable(s, memory, from, y);
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
  for (const FirstBelow::Triangle& t : memory.covers)
    if (t.low <= from.y && t.high >= height && !is_beside(t, from.x, from.z, t.margin)) return true;
  for (const FirstBelow::Box& b : memory.others)
    if (b.up.low <= from.y && b.up.high >= height && b.is_over(from.x, from.z)) return true;
  return is_covered_by_movable(s, memory, from, height);
}

}  // namespace

bool World::is_first_below(FirstBelow& memory, Vec3 from) {
  State& s = *state_;
  s.flush();
  const bool stays = memory.filled && memory.version == s.near_bodies.version() && std::abs(from.x - memory.x) < kReach &&
                     std::abs(from.z - memory.z) < kReach;
  if (stays && is_in_clear_disc(s, memory, from)) return true;
  if (!stays && geo::is_finite(from)) fill(s, memory, s.body(memory.ground), from);
  const double height = geo::is_finite(from) ? remembered_height(memory, from) : std::numeric_limits<double>::quiet_NaN();
  if (std::isinf(height)) return false;
  if (!std::isnan(height) && !may_be_covered(s, memory, from, height)) {
    remember_clear(s, memory, from);
    return true;
  }
  ++memory.rays;
  const auto hit = ray_cast(from, {from.x, from.y - memory.depth, from.z}, memory.filter);
  return hit && hit->body == memory.ground;
}

}  // namespace simbatch::physics
