#include "lib/town/row_placer.hpp"

#include <algorithm>
#include <cmath>

namespace simbatch::town::detail {
namespace {
constexpr double kSlot = 8;             // metres along a way that share one draw of a model
constexpr double kSmallestStep = 0.25;  // m; where the way on is not known exactly
constexpr double kArcShare = 0.75;      // of the way on, which on an arc is straight only at first
constexpr double kArcStep = 2;          // m on an arc that are gone in any case
constexpr double kSmallRing = 2500;     // m^2 that a ring must enclose for houses to stand inside
constexpr double kMedian = 60;          // m across which two carriageways are one road

Offset offset_of(const RoadKind& kind, Side drawn, const PlaceOptions& options) {
  Offset offset;
  offset.pavement = kind.width / 2 + (drawn == Side::left ? kind.left : kind.right);
  offset.to_front = options.front_distance.has_value();
  offset.wanted = offset.pavement + options.front_distance.value_or(options.street_distance);
  offset.least = kind.half() + options.clearance + 2 * kRounding;
  return offset;
}

Vec2 outward(Vec2 along, Side side) { return side == Side::left ? Vec2{-along.z, along.x} : Vec2{along.z, -along.x}; }

/// How far to go on, when an obstacle says `on`, from `middle` within a stretch.
double step(const Stretch& stretch, double middle, double on) {
  const double left = std::max(stretch.start + stretch.length - middle, 0.0);
  if (stretch.turn > 0) return std::max({std::min(on * kArcShare, left + 0.01), std::min(on, kArcStep), kSmallestStep});
  // The distance holds on this straight stretch only.
  return std::max(on > left ? left + 0.01 : on, kSmallestStep);
}
}  // namespace

double farthest(const Town& town, std::span<const HouseSize> sizes, const PlaceOptions& options) {
  double far = 0;
  for (const RoadKind& kind : town.kinds) {
    if (!kind.houses) continue;
    for (const HouseSize& size : sizes)
      for (const Side side : {Side::left, Side::right})
        far = std::max(far, offset_of(kind, side, options).to_middle(size.half_z));
  }
  return far;
}

RowPlacer::RowPlacer(Hands& hands) : hands_(hands), ground_(hands.ground) {
  for (const RoadKind& kind : ground_.town.kinds) {
    const Offset left = offset_of(kind, Side::left, ground_.options), right = offset_of(kind, Side::right, ground_.options);
    offsets_.push_back(left);
    offsets_.push_back(right);
    arc_offset_.push_back(std::max(left.wanted, right.wanted));
  }
}

double RowPlacer::street(std::span<const Streets::Part> parts, bool ring) {
  const Town& town = ground_.town;
  std::optional<Side> only;
  if (town.roads[parts[0].road].is(TownRoad::roundabout)) {
    only = outside(town, parts, ring);
    if (!only) return 0;  // a straight scrap of a roundabout: nobody knows where its island is
  } else if (ring && std::fabs(enclosed(town, parts)) < kSmallRing) {
    only = outside(town, parts, ring);
  }
  double metres = 0;
  for (const Side side : {Side::left, Side::right})
    if (!only || *only == side) metres += row(parts, ring, side);
  return metres;
}

/// One side of one street.
double RowPlacer::row(std::span<const Streets::Part> parts, bool ring, Side side) {
  walk(ground_.town, parts, ring, side, arc_offset_, line_);
  if (line_.empty()) return 0;
  const double total = line_.back().start + line_.back().length;
  stretch_ = 0;
  heading_stretch_ = SIZE_MAX;
  previous_.reset();
  first_.reset();
  ring_ = ring;
  double edge = 0;  // where the next house may begin
  while (edge < total) edge = attempt(edge, total, side);
  return total;
}

std::size_t RowPlacer::find(double distance) {
  while (stretch_ > 0 && line_[stretch_].start > distance) --stretch_;
  while (stretch_ + 1 < line_.size() && line_[stretch_ + 1].start <= distance) ++stretch_;
  return stretch_;
}

/// Draws a model for a house that begins at `edge` and sets it at the first place that is free.
/// @return where the next may begin
double RowPlacer::attempt(double edge, double total, Side side) {
  const Town& town = ground_.town;
  const PlaceOptions& options = ground_.options;
  // The land use a few metres on, where the house will stand.
  const Stretch& begin = line_[find(edge)];
  const Side drawn_side_here = drawn(begin, side);
  {
    const auto [point, along] = at(begin, std::min(edge + 4 - begin.start, begin.length), side);
    const Offset& of = offset(begin, side);
    const double out = of.to_front ? of.wanted + 4 : of.wanted;
    use_ = use_of(town.areas.at(point + outward(along, side) * out, near_));
  }
  if (town.uses[use_].models == 0) {
    ++hands_.nothing[use_];
    hands_.reject(Reason::land_use);
    return edge + 4;
  }
  const double way_at = begin.way_start + begin.way_rate * (edge - begin.start);
  const std::uint64_t draw = hash(town.roads[begin.road].id, drawn_side_here == Side::left ? 1 : 2,
                                  static_cast<std::int64_t>(std::floor(way_at / kSlot)));
  std::uint16_t model = hands_.model_of(use_, draw);
  int redraws = 0;
  Hit last;  // what was in the way, if the step did not clear it
  while (true) {
    const double half_u = ground_.sizes[model].half_x, half_v = ground_.sizes[model].half_z;
    const double middle = edge + half_u;
    if (middle + half_u + (ring_ && first_ ? options.house_distance : 0) > total) return total;
    const Stretch& stretch = line_[find(middle)];
    const auto [point, along] = at(stretch, middle - stretch.start, side);
    const Vec2 out = outward(along, side);
    const double away = offset(stretch, side).to_middle(half_v);
    // Most of what is in the way is seen without the rounding of a real place: the row's own houses, and what was in the way
    // a moment ago.
    const Box about{point + out * away, along, out, half_u, half_v};
    if (const double on = neighbours(about); on > 0) {
      hands_.reject(Reason::house);
      last = {};
      edge += step(stretch, middle, on + 1e-3);
      continue;
    }
    if (last) {
      if (const double on = hands_.clear_of(last, about); on > 0) {
        edge += step(stretch, middle, on);
        continue;
      }
    }
    House house;
    house.centre = millimetres(point + out * away);
    house.model = model;
    if (heading_stretch_ != stretch_ || stretch.turn > 0) {
      heading_stretch_ = stretch_;
      heading_ = heading_of(out * -1);
      front_ = direction_of(heading_);
    }
    house.heading = heading_;
    const Vec2 u = Vec2{-front_.z, front_.x} * (side == Side::left ? 1.0 : -1.0);  // along the street
    const Box box{metres(house.centre), u, front_ * -1, half_u, half_v};

    last = hands_.touched(box);
    double on = last.clear_after;
    Reason reason = last.reason;
    if (on > 0) {
      on += 1e-3;
    } else if (options.clip_to_bounds && !hands_.in_bounds(box)) {
      reason = Reason::bounds;
      on = 4;
    } else {
      const AreaIndex::Answer answer = town.areas.at(box.centre, near_);
      const std::uint16_t use = use_of(answer);
      if (answer.blocking != AreaIndex::kNone) {
        reason = static_cast<Reason>(town.areas.meaning(answer.blocking).reason);
        on = 2;
      } else if (use != use_) {
        // Over the border of the land use: what belongs there, if anything.
        if (town.uses[use].models == 0 || ++redraws > 2) {
          if (town.uses[use].models == 0) ++hands_.nothing[use];
          hands_.reject(Reason::land_use);
          return edge + 2;
        }
        use_ = use;
        model = hands_.model_of(use_, draw);
        continue;
      } else if (ground_.islands.at(box.centre, near_islands_).blocking != AreaIndex::kNone ||
                 in_median(stretch, point, along, out, away)) {
        reason = Reason::median;
        on = 4;
      }
    }
    if (on == 0) {
      hands_.set(house, use_);
      previous_ = box;
      if (!first_) first_ = box;
      return edge + std::max(2 * half_u + options.house_distance, kSmallestStep);
    }
    hands_.reject(reason);
    const double by = step(stretch, middle, on);
    if (by >= on) last = {};
    edge += by;
  }
}

/// Neighbours of the row stand farther apart than houses of different rows need to: how far to go on to get away from them.
double RowPlacer::neighbours(const Box& box) const {
  if (ground_.options.house_distance <= ground_.options.clearance) return 0;
  Box wide = box;
  wide.half_u += ground_.options.house_distance - kRounding;
  double on = previous_ ? distance_to_clear_box(wide, *previous_) : 0;
  if (ring_ && first_) on = std::max(on, distance_to_clear_box(wide, *first_));
  return on;
}

/// Does the road's other carriageway lie on that side, before anything else?
bool RowPlacer::in_median(const Stretch& stretch, Vec2 point, Vec2 along, Vec2 out, double away) const {
  const Town& town = ground_.town;
  const TownRoad& road = town.roads[stretch.road];
  if (!road.is(TownRoad::oneway) || road.is(TownRoad::roundabout)) {
    // A house far off its street may not stand behind another one.
    if (away < 30) return false;
    return ground_.obstacles.first_crossing(point + out * 0.01, point + out * away) != Cells::kNone;
  }
  const std::uint32_t number = ground_.obstacles.first_crossing(point + out * 0.01, point + out * std::max(kMedian, away));
  if (number == Cells::kNone) return false;
  const ObstacleGrid::Obstacle& obstacle = ground_.obstacles.obstacle(number);
  const Vec2 a = metres(town.points[obstacle.first]), b = metres(town.points[obstacle.first + 1]);
  auto other = std::upper_bound(town.roads.begin(), town.roads.end(), obstacle.first,
                                [](std::uint32_t first, const TownRoad& r) { return first < r.first; });
  if (other == town.roads.begin()) return false;
  --other;
  const double beyond = dot(a - point, out);
  if (std::min(std::fabs(beyond), std::fabs(dot(b - point, out))) < away && away >= 30) return true;
  if (!other->is(TownRoad::oneway) || other->is(TownRoad::roundabout) || other->kind != road.kind || other->name != road.name)
    return false;
  const Vec2 theirs = other->is(TownRoad::reversed) ? a - b : b - a;
  const Vec2 ours = stretch.backwards != road.is(TownRoad::reversed) ? along * -1 : along;
  return dot(theirs, ours) < -0.8 * length(theirs);
}

}  // namespace simbatch::town::detail
