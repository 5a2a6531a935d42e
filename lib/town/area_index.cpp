// Point in area by the even-odd rule (Shimrat, Algorithm 112, CACM 1962), for large areas in horizontal slabs of edges (slab
// decomposition, Preparata and Shamos, Computational Geometry, 1985, section 2.2). Only for areas with an edge in the point's cell
// of a uniform grid: of all others the cell knows whether they hold it.
#include "lib/town/area_index.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <tuple>

namespace simbatch::town {
namespace {
constexpr std::size_t kLarge = 32;       // minimum number of edges for which slabs are worthwhile
constexpr Vec2 kOnBorder{0.002, 0.002};  // m: more than doubles move what is on the border of two cells

/// Does the ray from (x, z) to +x cross the edge a-b? Half-open in z, so that corners count once.
bool crosses(Point a, Point b, double x, double z) {
  if ((a.z > z) == (b.z > z)) return false;
  const double across = (x - a.x) * (static_cast<double>(b.z) - a.z) - (z - a.z) * (static_cast<double>(b.x) - a.x);
  return b.z > a.z ? across < 0 : across > 0;
}
}  // namespace

double twice_area(std::span<const Point> ring) {
  if (ring.empty()) return 0;
  double sum = 0;
  const Point origin = ring[0];
  Point a = ring.back();
  for (const Point b : ring) {
    sum += (static_cast<double>(a.x) - origin.x) * (static_cast<double>(b.z) - origin.z) -
           (static_cast<double>(b.x) - origin.x) * (static_cast<double>(a.z) - origin.z);
    a = b;
  }
  return sum;
}

void AreaIndex::begin_area(Meaning meaning, std::int64_t id) {
  Area area;
  area.meaning = meaning;
  area.id = id;
  area.first_ring = static_cast<std::uint32_t>(ring_starts_.size());
  areas_.push_back(area);
}

void AreaIndex::add_ring(std::span<const Point> ring, bool adds) {
  if (ring.size() < 3) return;
  Area& area = areas_.back();
  ring_starts_.push_back(static_cast<std::uint32_t>(points_.size()));
  points_.insert(points_.end(), ring.begin(), ring.end());
  for (const Point p : ring) {
    area.low = {std::min(area.low.x, p.x), std::min(area.low.z, p.z)};
    area.high = {std::max(area.high.x, p.x), std::max(area.high.z, p.z)};
  }
  area.size += (adds ? 0.5e-6 : -0.5e-6) * std::fabs(twice_area(ring));
}

void AreaIndex::append(const AreaIndex& other) {
  const auto rings = static_cast<std::uint32_t>(ring_starts_.size()), points = static_cast<std::uint32_t>(points_.size());
  for (Area area : other.areas_) {
    area.first_ring += rings;
    areas_.push_back(area);
  }
  for (const std::uint32_t start : other.ring_starts_) ring_starts_.push_back(start + points);
  points_.insert(points_.end(), other.points_.begin(), other.points_.end());
}

std::span<const Point> AreaIndex::ring(std::uint32_t area, std::size_t n) const {
  const std::size_t r = areas_[area].first_ring + n;
  const std::size_t end = r + 1 < ring_starts_.size() ? ring_starts_[r + 1] : points_.size();
  return std::span(points_).subspan(ring_starts_[r], end - ring_starts_[r]);
}

void AreaIndex::make_slabs(Area& area, std::uint32_t index) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> all;
  for (std::size_t r = 0; r < ring_count(index); ++r) {
    const std::span<const Point> points = ring(index, r);
    const auto base = static_cast<std::uint32_t>(points.data() - points_.data());
    for (std::uint32_t i = 0; i < points.size(); ++i) all.emplace_back(base + i, base + (i + 1 == points.size() ? 0 : i + 1));
  }
  if (all.size() <= kLarge) return;
  const double height = static_cast<double>(area.high.z) - area.low.z;
  const auto slab_of = [&](std::int32_t z, std::uint32_t count) {
    const double s = (static_cast<double>(z) - area.low.z) / height * count;
    return std::min(count - 1, static_cast<std::uint32_t>(std::max(0.0, s)));
  };
  // Enough slabs to keep the lists short, fewer where long edges would be listed too often.
  auto count = static_cast<std::uint32_t>(all.size() / 2);
  for (; count > 1; count /= 2) {
    std::size_t listed = 0;
    for (const auto& [a, b] : all) {
      const std::uint32_t sa = slab_of(points_[a].z, count), sb = slab_of(points_[b].z, count);
      listed += 1 + (sa > sb ? sa - sb : sb - sa);
    }
    if (listed <= all.size() * 3) break;
  }
  Slabbed slabs;
  slabs.first = static_cast<std::uint32_t>(starts_.size());
  slabs.count = count;
  slabs.height = height / count;
  std::vector<std::uint32_t> counts(count + 1, 0);
  const auto each = [&](auto use) {
    for (const auto& edge : all) {
      std::uint32_t sa = slab_of(points_[edge.first].z, count), sb = slab_of(points_[edge.second].z, count);
      if (sa > sb) std::swap(sa, sb);
      for (std::uint32_t s = sa; s <= sb; ++s) use(s, edge);
    }
  };
  each([&](std::uint32_t s, const auto&) { ++counts[s]; });
  auto next = static_cast<std::uint32_t>(edges_.size());
  for (std::uint32_t s = 0; s <= count; ++s) {
    starts_.push_back(next);
    next += counts[s];
  }
  edges_.resize(next);
  std::vector<std::uint32_t> fill(starts_.end() - count - 1, starts_.end());
  each([&](std::uint32_t s, const auto& edge) { edges_[fill[s]++] = edge; });
  area.slabs = static_cast<std::uint32_t>(slabbed_.size());
  slabbed_.push_back(slabs);
}

template <class Use>
void AreaIndex::each_edge(std::uint32_t index, Use use) const {
  for (std::size_t r = 0; r < ring_count(index); ++r) {
    const std::span<const Point> points = ring(index, r);
    Point a = points.back();
    for (const Point b : points) {
      use(a, b);
      a = b;
    }
  }
}

void AreaIndex::choose_cells() {
  Vec2 low{HUGE_VAL, HUGE_VAL}, high{-HUGE_VAL, -HUGE_VAL};
  std::vector<Vec2> sizes;  // of edges and areas (m)
  const auto add = [&](Point a, Point b) {
    const Vec2 by = meters(a) - meters(b);
    sizes.push_back({std::fabs(by.x), std::fabs(by.z)});
  };
  for (std::uint32_t i = 0; i < areas_.size(); ++i) {
    if (ring_count(i) == 0) continue;
    add(areas_[i].low, areas_[i].high);
    each_edge(i, add);
    const Vec2 a = meters(areas_[i].low), b = meters(areas_[i].high);
    low = {std::min(low.x, a.x), std::min(low.z, a.z)};
    high = {std::max(high.x, b.x), std::max(high.z, b.z)};
  }
  // As for obstacles: neither the table of pages nor the lists may outgrow the map.
  const auto objects = static_cast<double>(sizes.size());
  const auto too_fine = [&](double cell) {
    double covered = 0;
    for (const Vec2 size : sizes) covered += (size.x / cell + 2) * (size.z / cell + 2);
    return static_cast<double>(Cells::pages_for(high.x - low.x, cell)) * Cells::pages_for(high.z - low.z, cell) >
               std::max(65536.0, objects) ||
           covered > 1e6 + 16 * objects;
  };
  double cell = 32;
  while (too_fine(cell)) cell *= 2;
  // Places outside belong to the cells at the edge, which are to be outside of all areas.
  const Vec2 margin{cell, cell};
  cells_ = Cells(low - margin, high - low + margin * 2, cell);
}

void AreaIndex::fill_cells() {
  std::vector<std::uint32_t> order;
  for (std::uint32_t i = 0; i < areas_.size(); ++i)
    if (ring_count(i) != 0) order.push_back(i);
  // The first area of a list that does not block and holds a place is then the smallest.
  std::sort(order.begin(), order.end(), [this](std::uint32_t a, std::uint32_t b) {
    const auto rank = [this](std::uint32_t n) {
      return std::tuple(!areas_[n].meaning.blocks, areas_[n].size, areas_[n].id, n);
    };
    return rank(a) < rank(b);
  });
  const auto range_of = [this](Point a, Point b) {
    const Vec2 p = meters(a), q = meters(b);
    return cells_.range((p + q) * 0.5, Vec2{std::fabs(q.x - p.x) * 0.5, std::fabs(q.z - p.z) * 0.5} + kOnBorder);
  };
  std::vector<std::pair<std::uint32_t, std::uint32_t>> entries;  // cell, and what is listed there
  std::vector<std::uint8_t> has_edge;  // of the cells of an area's box; not bits, which take longer to find
  for (const std::uint32_t area : order) {
    const Cells::Range all = range_of(areas_[area].low, areas_[area].high);
    const std::uint32_t listed = areas_[area].meaning.blocks ? area | kBlocks : area;
    const auto width = static_cast<std::size_t>(all.x1 - all.x0 + 1);
    const auto number = [&](std::int32_t x, std::int32_t z) {
      return static_cast<std::size_t>(z - all.z0) * width + static_cast<std::size_t>(x - all.x0);
    };
    has_edge.assign(width * static_cast<std::size_t>(all.z1 - all.z0 + 1), 0);
    each_edge(area, [&](Point a, Point b) {
      const Cells::Range r = range_of(a, b);
      for (std::int32_t z = r.z0; z <= r.z1; ++z)
        for (std::int32_t x = r.x0; x <= r.x1; ++x) has_edge[number(x, z)] = 1;
    });
    for (std::int32_t z = all.z0; z <= all.z1; ++z) {
      std::optional<bool> inside;  // of the cell before, if it has no edge: then it is that of its neighbor as well
      for (std::int32_t x = all.x0; x <= all.x1; ++x) {
        const bool edge = has_edge[number(x, z)] != 0;
        if (edge)
          inside.reset();
        else if (!inside)
          inside = contains(area, cells_.middle(x, z));
        if (edge || *inside) entries.emplace_back(cells_.need(x, z), edge ? listed : listed | kWhole);
      }
    }
  }
  in_cells_.assign(cells_.count() + 1, 0);
  for (const auto& [cell, listed] : entries) ++in_cells_[cell];
  std::uint32_t sum = 0;
  for (std::uint32_t& start : in_cells_) start = sum += start;
  listed_.resize(sum);
  for (std::size_t i = entries.size(); i-- > 0;) listed_[--in_cells_[entries[i].first]] = entries[i].second;
  for (std::size_t cell = 0; cell + 1 < in_cells_.size(); ++cell) {
    const std::uint32_t start = in_cells_[cell], end = in_cells_[cell + 1];
    if (start == end)
      in_cells_[cell] = kNone;
    else if ((listed_[start] & (kWhole | kBlocks)) == kWhole)
      in_cells_[cell] = listed_[start];
    else
      listed_[end - 1] |= kLast;
  }
  in_cells_.pop_back();
}

void AreaIndex::build() {
  bool any = false;
  for (std::uint32_t i = 0; i < areas_.size(); ++i) {
    if (ring_count(i) == 0) continue;
    make_slabs(areas_[i], i);
    any = true;
  }
  if (!any) return;
  choose_cells();
  fill_cells();
}

AreaIndex::Answer AreaIndex::look(std::uint32_t start, Vec2 place) const {
  Answer answer;
  for (const std::uint32_t* next = &listed_[start]; answer.area == kNone; ++next) {
    const std::uint32_t listed = *next, area = listed & ~(kWhole | kBlocks | kLast);
    std::uint32_t& found = (listed & kBlocks) != 0 ? answer.blocking : answer.area;
    if (found == kNone && ((listed & kWhole) != 0 || contains(area, place))) found = area;
    if ((listed & kLast) != 0) break;
  }
  return answer;
}

bool AreaIndex::contains(std::uint32_t index, Vec2 place) const {
  const Area& area = areas_[index];
  const double x = place.x * 1000, z = place.z * 1000;
  if (x < area.low.x || x > area.high.x || z < area.low.z || z > area.high.z) return false;
  bool inside = false;
  if (area.slabs != kNone) {
    const Slabbed& slabs = slabbed_[area.slabs];
    const double s = (z - area.low.z) / (static_cast<double>(area.high.z) - area.low.z) * slabs.count;
    const std::uint32_t slab = std::min(slabs.count - 1, static_cast<std::uint32_t>(std::max(0.0, s)));
    for (std::uint32_t e = starts_[slabs.first + slab]; e < starts_[slabs.first + slab + 1]; ++e)
      if (crosses(points_[edges_[e].first], points_[edges_[e].second], x, z)) inside = !inside;
    return inside;
  }
  const std::size_t end = ring_end(index);
  for (std::size_t r = area.first_ring; r < end; ++r) {
    const Point* const last = points_.data() + (r + 1 < ring_starts_.size() ? ring_starts_[r + 1] : points_.size());
    Point a = last[-1];
    for (const Point* b = points_.data() + ring_starts_[r]; b < last; ++b) {
      if (crosses(a, *b, x, z)) inside = !inside;
      a = *b;
    }
  }
  return inside;
}

}  // namespace simbatch::town
