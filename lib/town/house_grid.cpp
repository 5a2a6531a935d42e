// A uniform grid of buckets, one list per cell (Ericson, Real-Time Collision Detection, 2005, section 7.1), appended to without
// locks: an entry is complete before the head of its list points to it.
#include "lib/town/house_grid.hpp"

#include <emmintrin.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <stdexcept>

namespace simbatch::town {
namespace {
constexpr double kUsual = 8;  // m: half the diagonal of a house; each query extends that much beyond its box

/// A box of the plane, against the middles of houses; x and z at once. Modulo 2^32 mm, so that one comparison tells both sides:
/// houses half the world away can only pass, for the exact test.
class Surroundings {
 public:
  Surroundings(Vec2 center, Vec2 reach) {
    const auto whole = [](Vec2 a) { return _mm_cvttpd_epi32(_mm_mul_pd(_mm_set_pd(a.z, a.x), _mm_set1_pd(1000))); };
    const __m128i own = _mm_add_epi32(whole(reach), _mm_set1_epi32(2));
    // Numbers without a sign compare like those with one that are 2^31 lower.
    const __m128i lower = _mm_set1_epi32(INT32_MIN);
    low_ = _mm_sub_epi32(_mm_sub_epi32(whole(center), own), lower);
    twice_ = _mm_add_epi32(_mm_add_epi32(own, own), lower);
  }
  /// @param middle  x and z (mm)  @param reach  how much farther away the house is seen, twice (mm)
  bool is_beyond(const std::int32_t* middle, const std::uint32_t* reach) const {
    const __m128i far = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(reach));
    const __m128i at = _mm_add_epi32(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(middle)), far);
    const __m128i beyond = _mm_cmpgt_epi32(_mm_sub_epi32(at, low_), _mm_add_epi32(_mm_add_epi32(far, far), twice_));
    return _mm_cvtsi128_si64(beyond) != 0;
  }

 private:
  __m128i low_, twice_;
};
}  // namespace

HouseGrid::HouseGrid(Cells cells, const std::vector<HouseSize>& sizes) : cells_(std::move(cells)), blocks_(kBlocks) {
  for (const HouseSize& size : sizes) {
    const double reach = std::hypot(size.half_x, size.half_z);
    sizes_.push_back({size, reach});
    const std::uint32_t millimeters = static_cast<std::uint32_t>(std::ceil(reach * 1000)) + 2;
    reaches_.push_back({millimeters, millimeters});
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

void HouseGrid::grow_tables() {
  heads_.resize(cells_.count(), Cells::kNone);
  in_use_.resize(cells_.count() / Cells::kPageCells, 0);
}

void HouseGrid::freeze() {
  grow_tables();
  frozen_ = true;
}

inline std::uint32_t HouseGrid::take_place(Inserter& inserter) {
  if (inserter.next_ == inserter.end_) take_handful(inserter);
  return inserter.next_++;
}

void HouseGrid::take_handful(Inserter& inserter) {
  const std::lock_guard lock(mutex_);
  inserter.next_ = used_;
  inserter.end_ = used_ += kHandful;
  const std::uint32_t block = inserter.next_ / kBlock;
  if (block >= kBlocks) throw std::length_error("over 500 million houses");
  if (!blocks_[block]) blocks_[block] = std::unique_ptr<Entry[]>(new Entry[kBlock]);
}

void HouseGrid::add(const House& house, Inserter& inserter) {
  const double reach = sizes_[house.model].reach - kUsual;
  const Vec2 middle = meters(house.center);
  if (reach > 0) return add_large(house, cells_.range(middle, {reach, reach}), inserter);
  const Cells::Range cell = cells_.range(middle);
  add_to(cell.x0, cell.z0, house, inserter);
}

void HouseGrid::add_large(const House& house, const Cells::Range& r, Inserter& inserter) {
  for (std::int32_t z = r.z0; z <= r.z1; ++z)
    for (std::int32_t x = r.x0; x <= r.x1; ++x) add_to(x, z, house, inserter);
}

inline void HouseGrid::add_to(std::int32_t x, std::int32_t z, const House& house, Inserter& inserter) {
  std::uint32_t cell = cells_.at(x, z);
  if (cell == Cells::kNone) cell = add_cell(x, z);
  const std::uint32_t number = take_place(inserter);
  const std::atomic_ref head(heads_[cell]);
  Entry& made = blocks_[number / kBlock][number % kBlock];
  made = {house.center.x, house.center.z, house.heading, house.model, head.load(std::memory_order_relaxed)};
  while (!head.compare_exchange_weak(made.next, number, std::memory_order_release, std::memory_order_relaxed)) {
  }
  // Not only by the thread that began the list: another one must find its own house at once.
  const std::atomic_ref page(in_use_[cell / Cells::kPageCells]);
  if (const std::uint64_t bit = std::uint64_t{1} << cell % Cells::kPageCells; (page.load(std::memory_order_relaxed) & bit) == 0)
    page.fetch_or(bit, std::memory_order_release);
}

std::uint32_t HouseGrid::add_cell(std::int32_t x, std::int32_t z) {
  if (frozen_) throw std::logic_error("town: a house outside the cells that are in use");
  const std::uint32_t cell = cells_.need(x, z);
  grow_tables();
  return cell;
}

double HouseGrid::clear_of(const Entry& e, const Box& box, double gap) const {
  return distance_to_clear_box(box, town::box_of({{e.x, e.z}, e.heading, e.model}, sizes_[e.model].half), gap, gap);
}

template <class Use>
void HouseGrid::each_touching(const Box& box, double gap, std::size_t below, Use use) const {
  const Vec2 own = box.reach(gap);
  const Cells::Range r = cells_.range(box.center, own + Vec2{kUsual, kUsual});
  const Surroundings around(box.center, own);
  const auto list = [&](std::uint32_t n) {
    while (n != Cells::kNone) {
      const Entry& e = entry(n);
      const std::uint32_t number = n;
      n = e.next;
      // Rejects distant houses first, without computing a sine.
      if (around.is_beyond(&e.x, reaches_[e.model].data()) || e.model >= below) continue;
      const double clear = clear_of(e, box, gap);
      if (clear > 0 && !use(Hit{clear, Reason::house, true, number, {e.x, e.z}})) return false;
    }
    return true;
  };
  // Most cells are empty: of each page only the bits of those in range that are not.
  Cells::each_page(r, [&](std::int32_t column, std::int32_t row, std::uint64_t bits) {
    const std::uint32_t first = cells_.page_at(column, row);
    if (first >= heads_.size()) return true;
    bits &= std::atomic_ref(const_cast<std::uint64_t&>(in_use_[first / Cells::kPageCells])).load(std::memory_order_acquire);
    for (; bits != 0; bits &= bits - 1) {
      const auto& head = heads_[first + static_cast<std::uint32_t>(std::countr_zero(bits))];
      if (!list(std::atomic_ref(const_cast<std::uint32_t&>(head)).load(std::memory_order_acquire))) return false;
    }
    return true;
  });
}

void HouseGrid::test(const Box& box, double gap, Hit& hit, std::size_t below) const {
  each_touching(box, gap, below, [&hit](const Hit& met) {
    hit.take(met);
    return true;
  });
}

Hit HouseGrid::any(const Box& box, double gap) const {
  Hit hit;
  each_touching(box, gap, SIZE_MAX, [&hit](const Hit& met) {
    hit = met;
    return false;
  });
  return hit;
}

double HouseGrid::clear_of(std::uint32_t house, const Box& box, double gap) const { return clear_of(entry(house), box, gap); }

}  // namespace simbatch::town
