#pragma once
/// Bodies by their bounding boxes, for frequent queries of small regions: wheels and short rays. Internal to this room.
///
/// Fixed bodies are in a hash table of square columns; movable ones in a list sorted along the axis with the widest spread,
/// with their boxes from the broadphase. Bullet's own query visits 100 nodes of its trees in a town of 500 houses, mostly with
/// mispredicted branches: an eighth of the time of a step of 100 cars with their sensors.

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "base/geo/cell_key.hpp"
#include "lib/sim/physics/shapes.hpp"

namespace simbatch::physics::detail {

struct Body;

class NearBodies {
 public:
  /// An axis-aligned box in the world.
  struct Bounds {
    Vec3 low, high;
  };

  /// Height grids are not included: callers that look for ground query them first.
  void add_fixed(Body& body, const Bounds& bounds);
  void add_movable(Body& body);
  /// Call when the broadphase has new boxes for the movable bodies.
  void boxes_changed() { fresh_ = false; }

  /// Calls use(Body&) once for every body whose box overlaps `where`: fixed bodies, then movable ones.
  template <class Use>
  void visit(const Bounds& where, Use&& use) {
    visit_fixed(where, [&](Body& body, const Bounds&) { use(body); });
    visit_movable(where, use);
  }
  /// The same for the fixed ones alone, as use(Body&, its box), and for the movable ones.
  template <class Use>
  void visit_fixed(const Bounds& where, Use&& use);
  template <class Use>
  void visit_movable(const Bounds& where, Use&& use);
  /// Changes whenever the set of fixed bodies changes.
  std::uint64_t version() const { return fixed_.size(); }

 private:
  struct Fixed {
    Bounds bounds;
    Body* body = nullptr;
    int x = 0, z = 0;  // its first column
  };
  struct Movable {
    Bounds bounds;
    double key = 0;  // its low end along the axis
    Body* body = nullptr;
    std::uint32_t number = 0;  // in order of adding
  };
  struct Column {
    int x = 0, z = 0;
    std::uint32_t begin = 0, end = 0;  // of columns_; empty: free place in the table
  };
  struct Range {
    int x0, z0, x1, z1;
    double count() const { return (1.0 + x1 - x0) * (1.0 + z1 - z0); }
  };

  static bool meets(const Bounds& a, const Bounds& b) {
    return a.low.x <= b.high.x && a.high.x >= b.low.x && a.low.z <= b.high.z && a.high.z >= b.low.z && a.low.y <= b.high.y &&
           a.high.y >= b.low.y;
  }
  // NaN becomes the lowest column.
  int column(double at) const {
    const double c = at * columns_per_meter_;
    if (!(c > -kFarthest)) return static_cast<int>(-kFarthest);
    const int whole = static_cast<int>(std::min(c, kFarthest));
    return whole - (whole > c ? 1 : 0);
  }
  Range range(const Bounds& b) const { return {column(b.low.x), column(b.low.z), column(b.high.x), column(b.high.z)}; }
  std::size_t place(int x, int z) const { return geo::cell_key(x, z) * 0x9E3779B97F4A7C15 >> shift_; }
  const Column* find(int x, int z) const;
  void build();
  void refresh();
  void sort();

  static constexpr double kFarthest = 1e9;
  // Bodies over more columns than this are in a list that every visit scans.
  static constexpr double kMaxColumns = 64;

  std::vector<Fixed> fixed_;
  bool built_ = false;
  double columns_per_meter_ = 1;
  std::vector<std::uint32_t> large_, columns_;  // numbers of fixed_
  std::vector<Column> table_;                   // a power of 2; open addressing, linear probing
  int shift_ = 63;

  std::vector<Movable> movable_;
  bool fresh_ = false, along_z_ = false;
  double widest_ = 0;  // m, of movable bodies along the axis
};

// ---------------------------------------------------------------------------------------------------------------------

inline const NearBodies::Column* NearBodies::find(int x, int z) const {
  for (std::size_t i = place(x, z);; i = (i + 1) & (table_.size() - 1)) {
    const Column& c = table_[i];
    if (c.begin == c.end) return nullptr;
    if (c.x == x && c.z == z) return &c;
  }
}

template <class Use>
void NearBodies::visit_fixed(const Bounds& where, Use&& use) {
  if (fixed_.empty()) return;
  if (!built_) build();
  const Range r = range(where);
  if (r.count() > kMaxColumns) {
    for (const Fixed& f : fixed_)
      if (meets(f.bounds, where)) use(*f.body, f.bounds);
    return;
  }
  for (const std::uint32_t i : large_)
    if (meets(fixed_[i].bounds, where)) use(*fixed_[i].body, fixed_[i].bounds);
  for (int x = r.x0; x <= r.x1; ++x)
    for (int z = r.z0; z <= r.z1; ++z) {
      const Column* const c = find(x, z);
      if (c == nullptr) continue;
      for (std::uint32_t k = c->begin; k < c->end; ++k) {
        const Fixed& f = fixed_[columns_[k]];
        // Report it only in the first of the columns that it shares with `where`.
        if (std::max(f.x, r.x0) == x && std::max(f.z, r.z0) == z && meets(f.bounds, where)) use(*f.body, f.bounds);
      }
    }
}

template <class Use>
void NearBodies::visit_movable(const Bounds& where, Use&& use) {
  if (!fresh_) refresh();
  const double low = (along_z_ ? where.low.z : where.low.x) - widest_, high = along_z_ ? where.high.z : where.high.x;
  const auto first = std::partition_point(movable_.begin(), movable_.end(), [low](const Movable& m) { return m.key < low; });
  for (auto m = first; m != movable_.end() && m->key <= high; ++m)
    if (meets(m->bounds, where)) use(*m->body);
}

}  // namespace simbatch::physics::detail
