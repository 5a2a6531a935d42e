// Own. Houses behind others have a drive of their own ("flag lots"); none is farther from the street than a fire engine's hoses
// reach without a road of its own: 50 m (Musterbauordnung, section 5).
#include "lib/town/back_rows.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "lib/town/row_placer.hpp"

namespace simbatch::town::detail {
namespace {
constexpr double kNearest = 14;  // m from where nothing may be placed to a front: beyond a first row
constexpr double kDeepest = 45;  // m: to the most distant front
constexpr double kDeeper = 3;    // m: step away from the street
constexpr double kStep = 2;      // m: step along it
constexpr double kNextTry = 8;   // m: where nothing is wanted
constexpr double kApart = 4;     // m to all other houses
constexpr double kGaps = 32;     // m along a way that are wanted or not together
constexpr std::size_t kRows = static_cast<std::size_t>((kDeepest - kNearest) / kDeeper) + 1;
/// Share of the gaps that have a house behind them, by density.
constexpr std::array<double, kDensities> kShares{0, 0.5, 0.8, 1};

}  // namespace

double farthest_back(const Town& town, std::span<const HouseSize> sizes, double beyond) {
  double edge = 0, deepest = 0;
  for (const RoadKind& kind : town.kinds)
    if (kind.houses) edge = std::max(edge, kind.half());
  for (const HouseSize& size : sizes) deepest = std::max(deepest, size.half_z);
  return edge + beyond + town.clearance + 2 * kRounding + kDeepest + deepest;
}

BackRowPlacer::BackRowPlacer(Placer& placer) : placer_(placer), context_(placer.context), in_the_way_(kRows) {}

void BackRowPlacer::section(std::span<const Streets::Part> parts) {
  const Town& town = context_.town;
  const TownRoad& first = town.roads[parts[0].road];
  if (town.uses[0].models == 0 || first.is(TownRoad::roundabout) || !is_street(town.kinds[first.kind].name)) return;
  walk_straight(town, parts, line_);
  for (const Side side : {Side::left, Side::right}) {
    // What is remembered must not depend on the streets that this thread has had.
    std::fill(in_the_way_.begin(), in_the_way_.end(), Hit{});
    gap_ = {};
    for (const Stretch& stretch : line_) row(stretch, side);
  }
}

/// Gap by gap: few are wanted.
inline void BackRowPlacer::row(const Stretch& stretch, Side side) {
  const double end = stretch.length - 1;
  for (double d = 1; d < end;) {
    const auto number = static_cast<std::int64_t>((stretch.way_start + stretch.way_rate * d) / kGaps);
    const double border = kGaps * static_cast<double>(stretch.backwards ? number : number + 1);
    const double to = std::min(std::max((border - stretch.way_start) * stretch.way_rate, d + 1), end);
    if (gap_.road != stretch.road || gap_.number != number) decide(stretch, side, number, (d + to) / 2);
    if (gap_.is_wanted) d = fill(stretch, side, d, to);
    d = std::max(d, to);
  }
}

/// Puts houses beyond a gap, or a part of it. @return where the next house may be
double BackRowPlacer::fill(const Stretch& stretch, Side side, double from, double to) {
  const Row row = row_of(stretch, side);
  double d = from;
  while (d < to) d += attempt(row, stretch.origin + stretch.along * d);
  return d;
}

BackRowPlacer::Row BackRowPlacer::row_of(const Stretch& stretch, Side side) const {
  const Town& town = context_.town;
  const RoadKind& kind = town.kinds[town.roads[stretch.road].kind];
  const double beyond = town.roads[stretch.road].beyond;
  const Vec2 out = outward(stretch.along, side);
  const std::uint16_t heading = heading_of(out * -1);
  return {stretch,
          out,
          direction_of(heading),
          heading,
          kind.half() + beyond + town.clearance + 2 * kRounding,
          kind.width / 2 + beyond};
}

/// Where people live, and nothing else is.
bool BackRowPlacer::is_garden(Vec2 place, const AreaIndex::Answer& ground) {
  return placer_.use_of(ground) == 0 && placer_.is_settled(place, ground);
}

inline bool BackRowPlacer::is_garden_behind(const Stretch& stretch, Side side, double d) {
  const TownRoad& road = context_.town.roads[stretch.road];
  const double edge = context_.town.kinds[road.kind].half() + road.beyond + context_.town.clearance;
  const Vec2 behind = stretch.origin + stretch.along * d + outward(stretch.along, side) * (edge + kNearest);
  const AreaIndex::Answer ground = placer_.ground(behind);
  return ground.blocking == AreaIndex::kNone && is_garden(behind, ground);
}

/// Whether houses are wanted in a gap: by the density and the ground there, and a hash.
inline void BackRowPlacer::decide(const Stretch& stretch, Side side, std::int64_t number, double d) {
  const Density density = placer_.character(stretch.origin + stretch.along * d).density;
  if (gap_.road != stretch.road) of_road_ = hash(context_.town.roads[stretch.road].id, side == Side::left ? 35 : 36);
  const std::uint64_t h = mixed(of_road_ ^ static_cast<std::uint64_t>(number));
  const bool is_wanted = share_of(h) < kShares[static_cast<std::size_t>(density)] && is_garden_behind(stretch, side, d);
  gap_ = {stretch.road, number, is_wanted, h};
}

/// Where a drive fits between what is there. @return the step to the next place to try (m)
inline double BackRowPlacer::attempt(const Row& row, Vec2 point) {
  if (placer_.is_ramp(point)) return kNextTry;
  // As far as beyond the first row.
  const double half = kNearest / 2;
  const Box drive{point + row.out * (row.edge + half), row.stretch.along, row.out, Placer::kDrive / 2, half};
  if (const Hit hit = placer_.first_touched(drive, 2 * kRounding)) return std::max(hit.clear_after, 0.5);
  return place_behind(row, point);
}

/// At the first free distance from the street. @return the step to the next place to try (m)
inline double BackRowPlacer::place_behind(const Row& row, Vec2 point) {
  House house;
  const std::uint64_t draw = mixed(gap_.hash);
  // Not higher than the first row.
  house.model = placer_.model_of(0, draw);
  if (context_.town.rules.heights)
    house.model = placer_.model_like(0, draw, 0.8 * placer_.character(point).height).value_or(house.model);
  const HouseSize& half = context_.sizes[house.model];
  house.heading = row.heading;
  double free = kNearest;  // so much of the drive is (m)
  double step = HUGE_VAL;
  for (std::size_t k = 0; k < kRows;) {
    const double deep = kNearest + kDeeper * static_cast<double>(k);
    house.center = millimeters(point + row.out * (row.edge + deep + half.half_z));
    // Moved away from the street until it touches nothing.
    const Box box{meters(house.center), row.front * -1, {row.front.z, -row.front.x}, half.half_z, half.half_x};
    // What was in the way at the last place along the street often still is.
    Hit& last = in_the_way_[k];
    double by = last ? placer_.clear_of(last, box, kApart) : 0;
    if (by == 0) {
      last = placer_.first_touched(box, kApart);
      by = last.clear_after;
    }
    if (by > 0) {
      const Box moved{box.center, row.stretch.along, row.out, half.half_x, half.half_z};
      step = std::min(step, placer_.clear_of(last, moved, kApart));
      k += std::max<std::size_t>(1, static_cast<std::size_t>(std::ceil((by - kRounding) / kDeeper)));
      continue;
    }
    if (deep > free) {
      const double longer = (deep - free) / 2;
      const Box drive{point + row.out * (row.edge + free + longer), row.stretch.along, row.out, Placer::kDrive / 2,
                      longer - 2 * kRounding};
      if (const Hit hit = placer_.first_touched(drive, 2 * kRounding)) return std::max(std::min(step, hit.clear_after), kStep);
      free = deep;
    }
    if (is_good(row, point, box)) {
      placer_.set(house, 0);
      const Vec2 from = point + row.out * row.lanes, to = point + row.out * (row.edge + deep);
      placer_.reserve(from, to, heading_of(to - from));
      return Placer::kDrive + kApart;
    }
    step = kStep;
    ++k;
  }
  return std::max(step, kStep);
}

/// Whether a place where the house touches nothing is one for a house.
inline bool BackRowPlacer::is_good(const Row& row, Vec2 point, const Box& box) {
  const AreaIndex::Answer ground = placer_.ground(box.center);
  if (!placer_.is_open(box, ground) || !is_garden(box.center, ground)) return false;
  const Vec2 back = box.center + row.out * box.half_u;
  return context_.obstacles.first_crossing(point + row.out * 0.01, back) == Cells::kNone &&
         !context_.obstacles.cuts(point + row.out * row.lanes, box.center);
}

}  // namespace simbatch::town::detail
