// Our own, greedy: where roads end at a node, the pair of ends with the smallest bend is joined to a street, then the
// next pair, up to 45 degrees; ties by id. Streets are then walked from end to end. ("Continuity" of strokes in cartographic
// generalization: Thomson and Richardson, The "good continuation" principle of perceptual organization applied to road
// networks, 1999.)
#include "lib/town/streets.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <utility>

namespace simbatch::town {
namespace {
constexpr double kLargestBend = std::numbers::pi / 4;

Vec2 unit(Vec2 v) {
  const double l = length(v);
  return l > 0 ? v * (1 / l) : Vec2{0, 1};
}

/// Calls `use` with each point of a street in order, with joints only once.
template <class Use>
void each_point(const Town& town, std::span<const Streets::Part> street, Use use) {
  bool first_part = true;
  for (const Streets::Part part : street) {
    const TownRoad& road = town.roads[part.road];
    for (std::uint32_t k = first_part ? 0 : 1; k < road.count; ++k)
      use(meters(town.points[road.first + (part.backwards ? road.count - 1 - k : k)]));
    first_part = false;
  }
}
/// Calls use(stretch, part) for the straight stretches of a street in order; Stretch::start is 0.
template <class Use>
void each_straight(const Town& town, std::span<const Streets::Part> street, Use use) {
  for (const Streets::Part part : street) {
    const TownRoad& road = town.roads[part.road];
    double whole = 0;
    if (part.backwards)
      for (std::uint32_t k = 0; k + 1 < road.count; ++k)
        whole += length(meters(town.points[road.first + k + 1]) - meters(town.points[road.first + k]));
    double way_at = part.backwards ? whole : 0;
    const double rate = part.backwards ? -1 : 1;
    const auto at = [&](std::uint32_t k) {
      return meters(town.points[road.first + (part.backwards ? road.count - 1 - k : k)]);
    };
    Vec2 b = at(0);
    for (std::uint32_t k = 1; k < road.count; ++k) {
      const Vec2 a = std::exchange(b, at(k));
      const double l = length(b - a);
      use(Stretch{0, l, a, (b - a) * (1 / l), 0, way_at, rate, part.road, part.backwards}, part);
      way_at += rate * l;
    }
  }
}
constexpr std::uint32_t kNone = 0xFFFFFFFF;
constexpr std::size_t kMaxEnds = 64;  // ends at one node: with more, it is not treated as a crossing

/// The roads that get houses, by id; the pieces of a split way by their order.
std::vector<std::uint32_t> roads_by_id(const Town& town) {
  std::vector<std::uint32_t> order;
  for (std::uint32_t r = 0; r < town.roads.size(); ++r)
    if (town.roads[r].is(TownRoad::along)) order.push_back(r);
  const auto by_id = [&](std::uint32_t a, std::uint32_t b) {
    return town.roads[a].id != town.roads[b].id ? town.roads[a].id < town.roads[b].id : a < b;
  };
  // Most maps have them in that order.
  if (!std::is_sorted(order.begin(), order.end(), by_id)) std::sort(order.begin(), order.end(), by_id);
  return order;
}

/// An end of a road at a node.
struct End {
  std::uint32_t node = 0, road = 0;
  std::uint32_t rank = 0;  // 2 * the road's place in the order of ids, + 1: its last point
  bool last() const { return rank % 2 != 0; }
  std::uint32_t number() const { return road * 2 + rank % 2; }
};

/// The ends of roads by node. @param order  of the roads
std::vector<End> ends_of(const Town& town, std::span<const std::uint32_t> order) {
  std::vector<End> ends;
  ends.reserve(2 * order.size());
  for (const std::uint32_t r : order) {
    const auto rank = static_cast<std::uint32_t>(ends.size());
    ends.push_back({town.roads[r].first_node, r, rank});
    ends.push_back({town.roads[r].last_node, r, rank + 1});
  }
  std::sort(ends.begin(), ends.end(),
            [](const End& a, const End& b) { return a.node != b.node ? a.node < b.node : a.rank < b.rank; });
  return ends;
}

/// Direction away from the end, into the road.
Vec2 away(const Town& town, const End& end) {
  const TownRoad& road = town.roads[end.road];
  const std::uint32_t a = end.last() ? road.first + road.count - 1 : road.first;
  return unit(meters(town.points[end.last() ? a - 1 : a + 1]) - meters(town.points[a]));
}

/// Joins the ends at nodes, the straightest pairs first.
class EndJoiner {
 public:
  /// @param next  by End::number(): the end that continues it
  EndJoiner(const Town& town, std::vector<std::uint32_t>& next) : town_(town), next_(next) {}

  /// @param ends  of one node
  void join(std::span<const End> ends) {
    find_pairs(ends);
    std::sort(pairs_.begin(), pairs_.end(), [](const Pair& p, const Pair& q) {
      if (p.bend != q.bend) return p.bend < q.bend;
      return p.a != q.a ? p.a < q.a : p.b < q.b;
    });
    for (const Pair& pair : pairs_) {
      const std::uint32_t a = ends[pair.a].number(), b = ends[pair.b].number();
      if (next_[a] != kNone || next_[b] != kNone) continue;
      next_[a] = b;
      next_[b] = a;
    }
  }

 private:
  struct Pair {
    double bend = 0;
    std::size_t a = 0, b = 0;
  };

  void find_pairs(std::span<const End> ends) {
    pairs_.clear();
    directions_.clear();
    for (const End& end : ends) directions_.push_back(away(town_, end));
    for (std::size_t a = 0; a < ends.size(); ++a)
      for (std::size_t b = a + 1; b < ends.size(); ++b) {
        const TownRoad &ra = town_.roads[ends[a].road], &rb = town_.roads[ends[b].road];
        if (ra.kind != rb.kind || (ra.name != rb.name && ends.size() > 2)) continue;
        if (ra.is(TownRoad::roundabout) != rb.is(TownRoad::roundabout)) continue;
        const double bend = std::acos(std::clamp(-dot(directions_[a], directions_[b]), -1.0, 1.0));
        // A roundabout is closed regardless of the bend.
        if (bend <= kLargestBend || ra.is(TownRoad::roundabout) || ends[a].road == ends[b].road) pairs_.push_back({bend, a, b});
      }
  }

  const Town& town_;
  std::vector<std::uint32_t>& next_;
  // Of the current node; kept, so that not every node takes memory of its own.
  std::vector<Pair> pairs_;
  std::vector<Vec2> directions_;
};
}  // namespace

Streets::Streets(const Town& town) {
  const std::vector<std::uint32_t> order = roads_by_id(town);
  std::vector<std::uint32_t> next(town.roads.size() * 2, kNone);
  {
    const std::vector<End> ends = ends_of(town, order);
    EndJoiner joiner(town, next);
    for (std::size_t i = 0; i < ends.size();) {
      std::size_t j = i + 1;
      while (j < ends.size() && ends[j].node == ends[i].node) ++j;
      if (j - i >= 2 && j - i <= kMaxEnds) joiner.join(std::span(ends).subspan(i, j - i));
      i = j;
    }
  }
  // Walk from the road with the lowest id of each chain: roads in order of their ids meet that one first.
  std::vector<bool> done(town.roads.size(), false);
  starts_.push_back(0);
  for (const std::uint32_t lowest : order) {
    if (done[lowest]) continue;
    rings_.push_back(add_chain(lowest, next, done));
    starts_.push_back(static_cast<std::uint32_t>(parts_.size()));
  }
}

bool Streets::add_chain(std::uint32_t lowest, std::span<const std::uint32_t> next, std::vector<bool>& done) {
  // Back to the beginning, then forward.
  std::vector<Part> behind;
  std::uint32_t end = lowest * 2;  // the end where the chain is entered
  done[lowest] = true;
  while (next[end] != kNone) {
    const std::uint32_t other = next[end];
    const std::uint32_t road = other / 2;
    if (road == lowest) {
      // A ring begins at its lowest road; roads found backward are also reached forward.
      parts_.push_back({lowest, false});
      parts_.insert(parts_.end(), behind.rbegin(), behind.rend());
      return true;
    }
    if (done[road]) break;
    done[road] = true;
    behind.push_back({road, other % 2 == 0});  // left by `other`: walked towards it
    end = other ^ 1;
  }
  parts_.insert(parts_.end(), behind.rbegin(), behind.rend());
  parts_.push_back({lowest, false});
  end = lowest * 2 + 1;
  while (next[end] != kNone) {
    const std::uint32_t other = next[end];
    const std::uint32_t road = other / 2;
    if (done[road]) break;
    done[road] = true;
    parts_.push_back({road, other % 2 == 1});
    end = other ^ 1;
  }
  return false;
}

void walk_straight(const Town& town, std::span<const Streets::Part> street, std::vector<Stretch>& line) {
  line.clear();
  each_straight(town, street, [&](const Stretch& stretch, Streets::Part) { line.push_back(stretch); });
}

void walk(const Town& town, std::span<const Streets::Part> street, bool ring, std::span<const double> offset,
          SideLines& lines) {
  lines.left.clear();
  lines.right.clear();
  const auto add = [](std::vector<Stretch>& line, const Stretch& stretch) {
    const double start = line.empty() ? 0 : line.back().start + line.back().length;
    line.push_back(stretch);
    line.back().start = start;
  };
  const auto arc = [&](Vec2 corner, Vec2 from, Vec2 to, Streets::Part part, double way_at) {
    const double c = dot(from, to), bend = cross(from, to);  // bend > 0: to the left
    if (c > 0 && std::fabs(bend) < 0.017 * c) return;        // the usual case, without an arc tangent
    const double angle = std::fabs(std::atan2(bend, c));
    if (angle < 0.017 || angle > 2.6) return;  // nearly straight, or back on itself
    const double radius = offset[town.roads[part.road].kind];
    add(bend > 0 ? lines.right : lines.left, {0, angle * radius, corner, from, angle, way_at, 0, part.road, part.backwards});
  };
  Vec2 before;  // direction of the last stretch
  each_straight(town, street, [&](const Stretch& stretch, Streets::Part part) {
    if (!lines.left.empty()) arc(stretch.origin, before, stretch.along, part, stretch.way_start);
    add(lines.left, stretch);
    add(lines.right, stretch);
    before = stretch.along;
  });
  if (ring && lines.left.size() > 1) {
    // The seam is a bend like any other.
    const Stretch first = lines.left.front();
    arc(first.origin, before, first.along, street[0], first.way_start);
  }
}

std::pair<Vec2, Vec2> at_arc(const Stretch& stretch, double distance, Side side) {
  const double angle = stretch.turn * (distance / stretch.length) * (side == Side::left ? -1 : 1);
  const double c = std::cos(angle), s = std::sin(angle);
  return {stretch.origin, {stretch.along.x * c - stretch.along.z * s, stretch.along.x * s + stretch.along.z * c}};
}

double enclosed(const Town& town, std::span<const Streets::Part> street) {
  double twice = 0;
  Vec2 origin, last;
  bool first = true;
  each_point(town, street, [&](Vec2 p) {
    if (first) origin = p;
    if (!first) twice += cross(last - origin, p - origin);
    first = false;
    last = p;
  });
  return twice / 2;
}

std::optional<Side> outside(const Town& town, std::span<const Streets::Part> street, bool ring) {
  if (ring) return enclosed(town, street) > 0 ? Side::right : Side::left;
  double bends = 0;
  Vec2 before, last;
  int n = 0;
  each_point(town, street, [&](Vec2 p) {
    if (n >= 2) bends += std::atan2(cross(last - before, p - last), dot(last - before, p - last));
    before = last;
    last = p;
    ++n;
  });
  if (std::fabs(bends) < 0.2) return std::nullopt;
  return bends > 0 ? Side::right : Side::left;
}

}  // namespace simbatch::town
