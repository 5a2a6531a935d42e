// Fixed bodies: spatial hashing (Teschner et al., Optimized Spatial Hashing for Collision Detection of Deformable Objects, VMV
// 2003). Movable ones: the sorted list of sweep and prune (Baraff, Dynamic Simulation of Non-Penetrating Rigid Bodies, 1992),
// kept from step to step, on one axis.

#include "lib/sim/physics/near_bodies.hpp"

#include <bit>
#include <tuple>
#include <utility>

#include "lib/sim/physics/state.hpp"

namespace simbatch::physics::detail {

void NearBodies::add_fixed(Body& body, const Bounds& bounds) {
  fixed_.push_back({bounds, &body, 0, 0});
  built_ = false;
}

void NearBodies::add_movable(Body& body) {
  movable_.push_back({{}, 0, &body, static_cast<std::uint32_t>(movable_.size())});
  fresh_ = false;
}

void NearBodies::build() {
  built_ = true;
  // Columns are twice as wide as most bodies, so that such a body is in one to four of them.
  double sum = 0;
  for (const Fixed& f : fixed_)
    sum += std::min(std::max(f.bounds.high.x - f.bounds.low.x, f.bounds.high.z - f.bounds.low.z), 128.0);
  const double mean = fixed_.empty() ? 0 : sum / static_cast<double>(fixed_.size());
  columns_per_meter_ = 1 / std::max(2 * mean, 8.0);

  large_.clear();
  std::vector<std::tuple<int, int, std::uint32_t>> entries;
  for (std::uint32_t i = 0; i < fixed_.size(); ++i) {
    const Range r = range(fixed_[i].bounds);
    fixed_[i].x = r.x0;
    fixed_[i].z = r.z0;
    if (r.count() > kMaxColumns) {
      large_.push_back(i);
      continue;
    }
    for (int x = r.x0; x <= r.x1; ++x)
      for (int z = r.z0; z <= r.z1; ++z) entries.emplace_back(x, z, i);
  }
  std::sort(entries.begin(), entries.end());
  const std::size_t size = std::bit_ceil(2 * entries.size() + 2);
  shift_ = 64 - std::countr_zero(size);
  table_.assign(size, {});
  columns_.clear();
  for (std::size_t i = 0, end = 0; i < entries.size(); i = end) {
    const auto [x, z, first] = entries[i];
    Column c{x, z, static_cast<std::uint32_t>(i), 0};
    for (end = i; end < entries.size() && std::get<0>(entries[end]) == x && std::get<1>(entries[end]) == z; ++end)
      columns_.push_back(std::get<2>(entries[end]));
    c.end = static_cast<std::uint32_t>(end);
    std::size_t at = place(x, z);
    while (table_[at].begin != table_[at].end) at = (at + 1) & (size - 1);
    table_[at] = c;
  }
}

void NearBodies::refresh() {
  fresh_ = true;
  Vec3 low{1e300, 0, 1e300}, high{-1e300, 0, -1e300}, widest;
  for (Movable& m : movable_) {
    // The box in the tree, which is wider than that of the proxy.
    const auto* proxy = static_cast<const btDbvtProxy*>(m.body->object->getBroadphaseHandle());
    m.bounds = proxy == nullptr ? Bounds{{1e300, 0, 1e300}, {-1e300, 0, -1e300}}
                                : Bounds{from_bt(proxy->leaf->volume.Mins()), from_bt(proxy->leaf->volume.Maxs())};
    const Bounds& b = m.bounds;
    widest.x = std::max(widest.x, b.high.x - b.low.x);
    widest.z = std::max(widest.z, b.high.z - b.low.z);
    low.x = std::min(low.x, b.low.x);
    low.z = std::min(low.z, b.low.z);
    high.x = std::max(high.x, b.low.x);
    high.z = std::max(high.z, b.low.z);
  }
  // A change of axis costs a sort, so it must be worth it.
  const double spread_x = high.x - low.x, spread_z = high.z - low.z;
  if (along_z_ ? spread_x > 2 * spread_z : spread_z > 2 * spread_x) along_z_ = !along_z_;
  widest_ = along_z_ ? widest.z : widest.x;
  for (Movable& m : movable_) m.key = along_z_ ? m.bounds.low.z : m.bounds.low.x;
  sort();
}

// From step to step hardly any bodies change places: insertion sort, as long as that is cheap.
void NearBodies::sort() {
  const auto before = [](const Movable& a, const Movable& b) {
    return a.key < b.key || (a.key == b.key && a.number < b.number);
  };
  std::size_t moves = 0;
  for (std::size_t i = 1; i < movable_.size(); ++i) {
    if (!before(movable_[i], movable_[i - 1])) continue;
    const Movable m = movable_[i];
    std::size_t k = i;
    for (; k > 0 && before(m, movable_[k - 1]); --k, ++moves) movable_[k] = movable_[k - 1];
    movable_[k] = m;
    if (moves <= 4 * movable_.size()) continue;
    std::sort(movable_.begin(), movable_.end(), before);
    return;
  }
}

}  // namespace simbatch::physics::detail
