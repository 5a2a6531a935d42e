// A uniform grid of buckets, one list per cell (Ericson, Real-Time Collision Detection, 2005, section 7.1), appended to without
// locks: an entry is complete before the head of its list points to it.
#include "lib/town/house_grid.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdlib>
#include <stdexcept>

namespace simbatch::town {
namespace {
constexpr double kUsual = 8;  // m: half the diagonal of a house; each query extends that much beyond its box
}  // namespace

HouseGrid::HouseGrid(Cells cells, const std::vector<HouseSize>& sizes) : cells_(std::move(cells)), blocks_(kBlocks) {
  for (const HouseSize& size : sizes) {
    const double reach = std::hypot(size.half_x, size.half_z);
    sizes_.push_back({size, reach, static_cast<std::int64_t>(std::ceil(reach * 1000)) + 2});
  }
}

void HouseGrid::need(Vec2 low, Vec2 high, double reach) {
  const Cells::Range r = cells_.range((low + high) * 0.5, (high - low) * 0.5 + Vec2{reach, reach});
  // Any cell of each page suffices.
  for (std::int32_t z = r.z0;; z = std::min(z + Cells::kPage, r.z1)) {
    for (std::int32_t x = r.x0;; x = std::min(x + Cells::kPage, r.x1)) {
      cells_.need(x, z);
      if (x == r.x1) break;
    }
    if (z == r.z1) break;
  }
}

void HouseGrid::freeze() {
  heads_.resize(cells_.count(), Cells::kNone);
  frozen_ = true;
}

std::uint32_t HouseGrid::take_place(Inserter& inserter) {
  if (inserter.next_ == inserter.end_) {
    const std::lock_guard lock(mutex_);
    inserter.next_ = used_;
    inserter.end_ = used_ += kHandful;
    const std::uint32_t block = inserter.next_ / kBlock;
    if (block >= kBlocks) throw std::length_error("over 500 million houses");
    if (!blocks_[block]) blocks_[block] = std::unique_ptr<Entry[]>(new Entry[kBlock]);
  }
  return inserter.next_++;
}

void HouseGrid::add(const House& house, Inserter& inserter) {
  const double reach = std::max(0.0, sizes_[house.model].reach - kUsual);
  const Cells::Range r = cells_.range(meters(house.center), {reach, reach});
  for (std::int32_t z = r.z0; z <= r.z1; ++z)
    for (std::int32_t x = r.x0; x <= r.x1; ++x) {
      std::uint32_t cell = cells_.at(x, z);
      if (cell == Cells::kNone) {
        if (frozen_) throw std::logic_error("town: a house outside the cells that are in use");
        cell = cells_.need(x, z);
        heads_.resize(cells_.count(), Cells::kNone);
      }
      const std::uint32_t number = take_place(inserter);
      const std::atomic_ref head(heads_[cell]);
      Entry& made = blocks_[number / kBlock][number % kBlock];
      made = {house.center.x, house.center.z, house.heading, house.model, head.load(std::memory_order_relaxed)};
      while (!head.compare_exchange_weak(made.next, number, std::memory_order_release, std::memory_order_relaxed)) {
      }
    }
}

double HouseGrid::clear_of(const Entry& e, const Box& grown) const {
  return distance_to_clear_box(grown, town::box_of({{e.x, e.z}, e.heading, e.model}, sizes_[e.model].half));
}

void HouseGrid::test(const Box& box, double gap, Hit& hit, std::size_t below) const {
  Box grown = box;
  grown.half_u += gap;
  grown.half_v += gap;
  const Vec2 own = grown.reach();
  const Cells::Range r = cells_.range(box.center, own + Vec2{kUsual, kUsual});
  const auto center_x = static_cast<std::int64_t>(box.center.x * 1000),
             center_z = static_cast<std::int64_t>(box.center.z * 1000);
  const auto own_x = static_cast<std::int64_t>(own.x * 1000) + 2, own_z = static_cast<std::int64_t>(own.z * 1000) + 2;
  for (std::int32_t z = r.z0; z <= r.z1; ++z)
    for (std::int32_t x = r.x0; x <= r.x1; ++x) {
      const std::uint32_t cell = cells_.at(x, z);
      if (cell >= heads_.size()) continue;
      std::uint32_t n = std::atomic_ref(const_cast<std::uint32_t&>(heads_[cell])).load(std::memory_order_acquire);
      while (n != Cells::kNone) {
        const Entry& e = entry(n);
        const std::uint32_t number = n;
        n = e.next;
        if (e.model >= below) continue;
        // Rejects distant houses first, without computing a sine.
        const std::int64_t reach = sizes_[e.model].reach_mm, dx = std::abs(e.x - center_x), dz = std::abs(e.z - center_z);
        if (static_cast<int>(dx > own_x + reach) | static_cast<int>(dz > own_z + reach)) continue;
        const double clear = clear_of(e, grown);
        if (clear > 0) hit.take({clear, Reason::house, true, number, {e.x, e.z}});
      }
    }
}

double HouseGrid::clear_of(std::uint32_t house, const Box& box, double gap) const {
  Box grown = box;
  grown.half_u += gap;
  grown.half_v += gap;
  return clear_of(entry(house), grown);
}

}  // namespace simbatch::town
