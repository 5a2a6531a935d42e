// Our own discretization of Archimedes' law; drag as in Fossen (fluid.hpp). Outline: a body is divided into cells of equal
// size, of which those inside a shape are used and scaled to the body's volume. A cell at the surface is submerged by the
// fraction of its height. For a fully submerged body one force at the center of volume suffices.

#include "lib/sim/fluid/fluid.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <type_traits>

namespace simbatch::sim {
namespace {

using geo::Quat;
using geo::Vec3;

constexpr int kCells = 8;  // along each edge of a part's box

struct Extent {
  Vec3 half;  // half edges of the box about the shape
  double volume = 0;
};

Extent extent(const physics::Shape& shape) {
  using std::numbers::pi;
  return std::visit(
      [](const auto& s) -> Extent {
        using S = std::decay_t<decltype(s)>;
        if constexpr (std::is_same_v<S, physics::Box>) {
          return {0.5 * s.size, s.size.x * s.size.y * s.size.z};
        } else if constexpr (std::is_same_v<S, physics::Sphere>) {
          return {{s.radius, s.radius, s.radius}, 4.0 / 3 * pi * s.radius * s.radius * s.radius};
        } else if constexpr (std::is_same_v<S, physics::Capsule>) {
          return {{s.radius, s.radius + s.length / 2, s.radius}, pi * s.radius * s.radius * (s.length + 4.0 / 3 * s.radius)};
        } else if constexpr (std::is_same_v<S, physics::Cylinder>) {
          return {{s.radius, s.length / 2, s.radius}, pi * s.radius * s.radius * s.length};
        } else if constexpr (std::is_same_v<S, physics::Cone>) {
          return {{s.radius, s.length / 2, s.radius}, pi * s.radius * s.radius * s.length / 3};
        } else {
          // Hulls and meshes are approximated by the bounding box of their points.
          Vec3 low, high;
          bool first = true;
          for (const Vec3 p : s.points) {
            low = first ? p : Vec3{std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
            high = first ? p : Vec3{std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
            first = false;
          }
          const Vec3 half{std::max(std::abs(low.x), std::abs(high.x)), std::max(std::abs(low.y), std::abs(high.y)),
                          std::max(std::abs(low.z), std::abs(high.z))};
          return {half, (high.x - low.x) * (high.y - low.y) * (high.z - low.z)};
        }
      },
      shape);
}

bool inside(const physics::Shape& shape, Vec3 p) {
  return std::visit(
      [p](const auto& s) {
        using S = std::decay_t<decltype(s)>;
        const double r2 = p.x * p.x + p.z * p.z;
        if constexpr (std::is_same_v<S, physics::Sphere>) {
          return dot(p, p) <= s.radius * s.radius;
        } else if constexpr (std::is_same_v<S, physics::Capsule>) {
          const double over = std::max(0.0, std::abs(p.y) - s.length / 2);
          return r2 + over * over <= s.radius * s.radius;
        } else if constexpr (std::is_same_v<S, physics::Cylinder>) {
          return r2 <= s.radius * s.radius;
        } else if constexpr (std::is_same_v<S, physics::Cone>) {
          const double r = s.radius * (0.5 - p.y / s.length);
          return r2 <= r * r;
        } else {
          return true;
        }
      },
      shape);
}

Vec3 product(const physics::Inertia& m, Vec3 v) {
  return {m.xx * v.x + m.xy * v.y + m.xz * v.z, m.xy * v.x + m.yy * v.y + m.yz * v.z, m.xz * v.x + m.yz * v.y + m.zz * v.z};
}

/// x of m x = b, by Cramer's rule; m is positive definite.
Vec3 solved(const physics::Inertia& m, Vec3 b) {
  const Vec3 x{m.xx, m.xy, m.xz}, y{m.xy, m.yy, m.yz}, z{m.xz, m.yz, m.zz};
  const double determinant = dot(x, cross(y, z));
  return (1 / determinant) * Vec3{dot(b, cross(y, z)), dot(x, cross(b, z)), dot(x, cross(y, b))};
}

// -(linear v + quadratic |v| v), axis by axis.
Vec3 drag(Vec3 linear, Vec3 quadratic, Vec3 v) {
  return {-(linear.x + quadratic.x * std::abs(v.x)) * v.x, -(linear.y + quadratic.y * std::abs(v.y)) * v.y,
          -(linear.z + quadratic.z * std::abs(v.z)) * v.z};
}

}  // namespace

bool FluidSettings::has_drag() const {
  const Vec3 zero;
  return !(linear_drag == zero && quadratic_drag == zero && angular_linear_drag == zero && angular_quadratic_drag == zero);
}

bool FluidSettings::has_added_mass() const { return !(added_mass == Vec3{} && added_inertia == Vec3{}); }

void FluidForces::add(physics::BodyId body, const std::vector<physics::Part>& parts, const FluidSettings& settings) {
  Entry entry{body, settings, {}, {}, {}, 0, 0, {}};
  double reach = 0;
  for (const physics::Part& part : parts) {
    const Extent size = extent(part.shape);
    const std::size_t first = entry.cells.size();
    for (int i = 0; i < kCells * kCells * kCells; ++i) {
      const auto place = [](int k, double half) { return half * ((2 * k + 1) / static_cast<double>(kCells) - 1); };
      const Vec3 p{place(i % kCells, size.half.x), place(i / kCells % kCells, size.half.y),
                   place(i / (kCells * kCells), size.half.z)};
      if (inside(part.shape, p)) entry.cells.push_back({part.pose * p, 0, entry.forms.size()});
    }
    const auto n = static_cast<double>(entry.cells.size() - first);
    for (std::size_t i = first; i < entry.cells.size(); ++i) entry.cells[i].volume = size.volume / n;
    entry.forms.push_back({(1.0 / kCells) * size.half, part.pose.q});
    reach = std::max(reach, length(size.half) / kCells);
  }
  entry.heights.resize(entry.forms.size());
  for (const Cell& cell : entry.cells) {
    entry.volume += cell.volume;
    entry.center += cell.volume * cell.at;
  }
  if (entry.volume > 0) entry.center = (1 / entry.volume) * entry.center;
  if (settings.center_of_buoyancy) {
    const Vec3 shift = *settings.center_of_buoyancy - entry.center;
    for (Cell& cell : entry.cells) cell.at += shift;
    entry.center = *settings.center_of_buoyancy;
  }
  if (settings.volume && entry.volume > 0) {
    for (Cell& cell : entry.cells) cell.volume *= *settings.volume / entry.volume;
    entry.volume = *settings.volume;
  }
  for (const Cell& cell : entry.cells) entry.radius = std::max(entry.radius, length(cell.at) + reach);
  entries_.push_back(std::move(entry));
}

// In body axes, with u the velocity relative to the water, w the angular velocity, a the acceleration of the center of mass:
//   (m + A) a  = F + A (w x u) - w x (A u)
//   (I + B) w' = T - w x (I w) - w x (B w) - u x (A u)
// The body's own equations are m a = F + X and I w' = T + Y - w x (I w), which give X and Y.
// A and B count in full when a body is at its floating depth or fully submerged.
void FluidForces::add_mass(const Entry& entry, double submerged) {
  physics::World& world = simulation_.world();
  const physics::MassProperties& mass = world.mass(entry.body);
  const Quat to_world = world.pose(entry.body).q, to_body = inverse(to_world);
  const double floating = std::min(entry.volume, mass.mass / water_->density);
  const double share = std::min(1.0, submerged / floating);
  const Vec3 added = share * entry.settings.added_mass, added_inertia = share * entry.settings.added_inertia;
  const auto times = [](Vec3 diagonal, Vec3 v) { return Vec3{diagonal.x * v.x, diagonal.y * v.y, diagonal.z * v.z}; };
  const Vec3 u = to_body * (world.center_velocity(entry.body) - water_->current),
             w = to_body * world.angular_velocity(entry.body);
  const Vec3 force = to_body * world.applied_force(entry.body), torque = to_body * world.applied_torque(entry.body);

  const Vec3 pushed = force + times(added, cross(w, u)) - cross(w, times(added, u));
  const Vec3 a{pushed.x / (mass.mass + added.x), pushed.y / (mass.mass + added.y), pushed.z / (mass.mass + added.z)};
  world.apply_force(entry.body, to_world * (mass.mass * a - force));

  physics::Inertia both = mass.inertia;
  both.xx += added_inertia.x;
  both.yy += added_inertia.y;
  both.zz += added_inertia.z;
  const Vec3 gyroscopic = cross(w, product(mass.inertia, w));
  const Vec3 turned = torque - gyroscopic - cross(w, times(added_inertia, w)) - cross(u, times(added, u));
  const Vec3 turning = product(mass.inertia, solved(both, turned));
  world.apply_torque(entry.body, to_world * (turning + gyroscopic - torque));
}

std::optional<double> FluidForces::level_at(Vec3 place) const {
  if (!water_) return std::nullopt;
  return level_at_ ? level_at_(place) : water_->level;
}

void FluidForces::before_step(const Clock&) {
  physics::World& world = simulation_.world();
  for (Entry& entry : entries_) {
    const geo::Pose pose = world.pose(entry.body);
    const Vec3 center = world.center_of_mass(entry.body);
    const std::optional<double> level = level_at(center);
    if (entry.settings.has_drag()) {
      const Quat to_body = inverse(pose.q);
      Vec3 velocity = world.center_velocity(entry.body);
      if (level && center.y < *level) velocity -= water_->current;
      const FluidSettings& s = entry.settings;
      world.apply_force(entry.body, pose.q * drag(s.linear_drag, s.quadratic_drag, to_body * velocity));
      world.apply_torque(entry.body, pose.q * drag(s.angular_linear_drag, s.angular_quadratic_drag,
                                                   to_body * world.angular_velocity(entry.body)));
    }
    if (!level || pose.p.y - entry.radius > *level) continue;
    const bool is_heavier = entry.settings.has_added_mass() && entry.volume > 0;
    const Vec3 lift = (-water_->density) * world.settings().gravity;
    if (pose.p.y + entry.radius < *level) {
      world.apply_force_at(entry.body, entry.volume * lift, pose * entry.center);
      if (is_heavier) add_mass(entry, entry.volume);
      continue;
    }
    for (std::size_t i = 0; i < entry.forms.size(); ++i) {
      // Half the height of a rotated cell: the sum of the vertical components of its half edges.
      const Vec3 up = inverse(pose.q * entry.forms[i].turn) * Vec3{0, 1, 0};
      const Vec3 half = entry.forms[i].half;
      entry.heights[i] = std::abs(up.x) * half.x + std::abs(up.y) * half.y + std::abs(up.z) * half.z;
    }
    double volume = 0;
    Vec3 moment;
    for (const Cell& cell : entry.cells) {
      const Vec3 at = pose * cell.at;
      const double share = std::clamp((*level - at.y) / (2 * entry.heights[cell.part]) + 0.5, 0.0, 1.0);
      volume += share * cell.volume;
      moment += (share * cell.volume) * at;
    }
    if (volume > 0) world.apply_force_at(entry.body, volume * lift, (1 / volume) * moment);
    if (is_heavier && volume > 0) add_mass(entry, volume);
  }
}

}  // namespace simbatch::sim
