// Point in area by the even-odd rule (Shimrat, Algorithm 112, CACM 1962), for large areas in horizontal slabs of edges (slab
// decomposition, Preparata and Shamos, Computational Geometry, 1985, section 2.2).
#include "lib/town/area_index.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace simbatch::town {
namespace {
constexpr std::size_t kLarge = 32;  // minimum number of edges for which slabs are worthwhile
constexpr double kAround = 80'000;  // mm: half size of the box cached by a Near
constexpr Vec2 kRoundingOfPlace{0.001, 0.001};

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

void AreaIndex::make_node(std::uint32_t node, std::uint32_t first, std::uint32_t count) {
  Point low{INT32_MAX, INT32_MAX}, high{INT32_MIN, INT32_MIN};
  for (std::uint32_t i = first; i < first + count; ++i) {
    const Area& area = areas_[order_[i]];
    low = {std::min(low.x, area.low.x), std::min(low.z, area.low.z)};
    high = {std::max(high.x, area.high.x), std::max(high.z, area.high.z)};
  }
  nodes_[node].low = low;
  nodes_[node].high = high;
  if (count <= 4) {
    nodes_[node].first = first;
    nodes_[node].count = count;
    return;
  }
  const bool along_x = static_cast<double>(high.x) - low.x > static_cast<double>(high.z) - low.z;
  const auto middle = [&](std::uint32_t area) {
    return along_x ? static_cast<std::int64_t>(areas_[area].low.x) + areas_[area].high.x
                   : static_cast<std::int64_t>(areas_[area].low.z) + areas_[area].high.z;
  };
  const std::uint32_t half = count / 2;
  std::nth_element(order_.begin() + first, order_.begin() + first + half, order_.begin() + first + count,
                   [&](std::uint32_t a, std::uint32_t b) {
                     const std::int64_t ma = middle(a), mb = middle(b);
                     return ma != mb ? ma < mb : a < b;
                   });
  const auto child = static_cast<std::uint32_t>(nodes_.size());
  nodes_.resize(nodes_.size() + 2);
  nodes_[node].first = child;
  nodes_[node].count = 0;
  make_node(child, first, half);
  make_node(child + 1, first + half, count - half);
}

void AreaIndex::build() {
  order_.clear();
  for (std::uint32_t i = 0; i < areas_.size(); ++i) {
    if (ring_count(i) == 0) continue;
    order_.push_back(i);
    make_slabs(areas_[i], i);
  }
  nodes_.clear();
  if (order_.empty()) return;
  nodes_.resize(1);
  make_node(0, 0, static_cast<std::uint32_t>(order_.size()));
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

template <class Use>
void AreaIndex::each_touching(Point low, Point high, Use use) const {
  if (nodes_.empty()) return;
  std::uint32_t stack[64];
  int depth = 0;
  stack[depth++] = 0;
  while (depth > 0) {
    const Node& node = nodes_[stack[--depth]];
    if (high.x < node.low.x || low.x > node.high.x || high.z < node.low.z || low.z > node.high.z) continue;
    if (node.count == 0) {
      stack[depth++] = node.first;
      stack[depth++] = node.first + 1;
      continue;
    }
    for (std::uint32_t i = node.first; i < node.first + node.count; ++i) {
      const Area& area = areas_[order_[i]];
      if (high.x < area.low.x || low.x > area.high.x || high.z < area.low.z || low.z > area.high.z) continue;
      use(order_[i]);
    }
  }
}

void AreaIndex::consider(std::uint32_t candidate, Vec2 place, Answer& answer) const {
  const Area& area = areas_[candidate];
  if (area.meaning.blocks) {
    if (answer.blocking == kNone && contains(candidate, place)) answer.blocking = candidate;
    return;
  }
  if (answer.area != kNone) {
    const Area& best = areas_[answer.area];
    if (area.size > best.size || (area.size == best.size && area.id > best.id)) return;
  }
  if (contains(candidate, place)) answer.area = candidate;
}

AreaIndex::Answer AreaIndex::at(Vec2 place) const {
  Answer answer;
  const Point low = millimeters(place - kRoundingOfPlace), high = millimeters(place + kRoundingOfPlace);
  each_touching(low, high, [&](std::uint32_t area) { consider(area, place, answer); });
  return answer;
}

/// Conservative: edges are tested by their boxes, and large areas are assumed to cross.
bool AreaIndex::has_edge_in(std::uint32_t index, Point low, Point high) const {
  if (areas_[index].slabs != kNone) return true;
  for (std::size_t r = 0; r < ring_count(index); ++r) {
    const std::span<const Point> points = ring(index, r);
    Point a = points.back();
    for (const Point b : points) {
      if (std::max(a.x, b.x) >= low.x && std::min(a.x, b.x) <= high.x && std::max(a.z, b.z) >= low.z &&
          std::min(a.z, b.z) <= high.z)
        return true;
      a = b;
    }
  }
  return false;
}

void AreaIndex::look_around(Vec2 place, Near& near) const {
  const auto bound = [](double mm) { return static_cast<std::int32_t>(std::clamp<double>(mm, INT32_MIN, INT32_MAX)); };
  const double x = place.x * 1000, z = place.z * 1000;
  near.low_ = {bound(x - kAround), bound(z - kAround)};
  near.high_ = {bound(x + kAround), bound(z + kAround)};
  near.areas_.clear();
  near.alike_ = true;
  near.answer_ = kNone;
  each_touching(near.low_, near.high_, [&](std::uint32_t area) {
    const bool edge = has_edge_in(area, near.low_, near.high_);
    if (!edge && !contains(area, place)) return;  // then it contains no nearby point either
    near.areas_.push_back(area);
    near.alike_ = near.alike_ && !edge && !areas_[area].meaning.blocks;
  });
  // The first non-blocking area that contains the point is then the smallest.
  std::sort(near.areas_.begin(), near.areas_.end(), [this](std::uint32_t left, std::uint32_t right) {
    const auto rank = [](const Area& area) { return std::tuple(!area.meaning.blocks, area.size, area.id); };
    return rank(areas_[left]) < rank(areas_[right]);
  });
  if (near.alike_ && !near.areas_.empty()) near.answer_ = near.areas_[0];
}

AreaIndex::Answer AreaIndex::at(Vec2 place, Near& near) const {
  Answer answer;
  if (nodes_.empty()) return answer;
  const double x = place.x * 1000, z = place.z * 1000;
  if (!(x > near.low_.x && x < near.high_.x && z > near.low_.z && z < near.high_.z)) look_around(place, near);
  if (near.alike_) return {near.answer_, kNone};
  for (const std::uint32_t area : near.areas_) {
    consider(area, place, answer);
    if (answer.area != kNone) break;
  }
  return answer;
}

}  // namespace simbatch::town
