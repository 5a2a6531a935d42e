// Nearest piece by branch and bound in a tree of boxes, split at the median of the longer side (Ericson, Real-Time Collision
// Detection, 2005, 6.2). If the nearest point is the common corner of two pieces, the piece whose line is farther from the
// query point counts: only then is the sign independent of the order in which they are visited.
#include "lib/town/coast.hpp"

#include <algorithm>
#include <utility>

namespace simbatch::town {
namespace {
constexpr std::uint32_t kLeaf = 8;
constexpr double kSame = 1e-6;  // m: distances that differ by less count as those of the same corner

double to_box(Vec2 p, Vec2 low, Vec2 high) {
  const Vec2 off{std::max({low.x - p.x, 0.0, p.x - high.x}), std::max({low.z - p.z, 0.0, p.z - high.z})};
  return length(off);
}

double distance_to(const CoastPiece& piece, Vec2 place) {
  const Vec2 a = meters(piece.from), d = meters(piece.to) - a;
  return length(place - a - d * std::clamp(dot(place - a, d) / dot(d, d), 0.0, 1.0));
}
}  // namespace

Coast::Coast(std::vector<CoastPiece> pieces) : pieces_(std::move(pieces)) {
  pieces_.erase(std::remove_if(pieces_.begin(), pieces_.end(), [](const CoastPiece& piece) { return piece.from == piece.to; }),
                pieces_.end());
  if (pieces_.empty()) return;
  nodes_.emplace_back();
  make_node(0, 0, static_cast<std::uint32_t>(pieces_.size()));
}

void Coast::make_node(std::uint32_t node, std::uint32_t first, std::uint32_t count) {
  Vec2 low{HUGE_VAL, HUGE_VAL}, high{-HUGE_VAL, -HUGE_VAL};
  for (std::uint32_t i = first; i < first + count; ++i)
    for (const Point point : {pieces_[i].from, pieces_[i].to}) {
      const Vec2 p = meters(point);
      low = {std::min(low.x, p.x), std::min(low.z, p.z)};
      high = {std::max(high.x, p.x), std::max(high.z, p.z)};
    }
  if (count <= kLeaf) {
    nodes_[node] = {low, high, first, count};
    return;
  }
  const bool by_x = high.x - low.x > high.z - low.z;
  const std::uint32_t half = count / 2;
  const auto begin = pieces_.begin() + first;
  std::nth_element(begin, begin + half, begin + count, [by_x](const CoastPiece& a, const CoastPiece& b) {
    const std::int64_t xa = std::int64_t{a.from.x} + a.to.x, xb = std::int64_t{b.from.x} + b.to.x;
    const std::int64_t za = std::int64_t{a.from.z} + a.to.z, zb = std::int64_t{b.from.z} + b.to.z;
    return by_x ? xa < xb : za < zb;
  });
  const auto children = static_cast<std::uint32_t>(nodes_.size());
  nodes_.resize(nodes_.size() + 2);
  nodes_[node] = {low, high, children, 0};
  make_node(children, first, half);
  make_node(children + 1, first + half, count - half);
}

void Coast::search(std::uint32_t node, Vec2 place, Found& found) const {
  const Node& of = nodes_[node];
  if (of.count == 0) {
    std::uint32_t one = of.first, two = of.first + 1;
    double d1 = to_box(place, nodes_[one].low, nodes_[one].high), d2 = to_box(place, nodes_[two].low, nodes_[two].high);
    if (d2 < d1) {
      std::swap(one, two);
      std::swap(d1, d2);
    }
    if (d1 <= found.distance + kSame) search(one, place, found);
    if (d2 <= found.distance + kSame) search(two, place, found);
    return;
  }
  for (std::uint32_t i = of.first; i < of.first + of.count; ++i) {
    const Vec2 a = meters(pieces_[i].from), d = meters(pieces_[i].to) - a;
    const double l = length(d), distance = distance_to(pieces_[i], place), across = cross(d, place - a) / l;
    const bool nearer = distance < found.distance - kSame;
    const bool same = !nearer && distance <= found.distance + kSame && std::fabs(across) > std::fabs(found.across);
    if (nearer || same) found = {std::min(distance, found.distance), across, i};
  }
}

bool Coast::is_sea(Vec2 place, Near& near) const {
  if (nodes_.empty()) return false;
  Found found;
  found.distance = distance_to(pieces_[near.piece], place) + 2 * kSame;
  search(0, place, found);
  near.piece = found.piece;
  return found.across < 0;
}

}  // namespace simbatch::town
