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
constexpr double kGaps = 32;     // m along a stretch that are wanted or not together
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
    for (const Stretch& stretch : line_) {
      const RoadKind& kind = town.kinds[town.roads[stretch.road].kind];
      const double beyond = town.roads[stretch.road].beyond;
      const Vec2 out = outward(stretch.along, side);
      row({stretch, side, out, kind.half() + beyond + town.clearance + 2 * kRounding, kind.width / 2 + beyond, 0, {}});
    }
  }
}

void BackRowPlacer::row(Row row) {
  const double end = row.stretch.length - 1;
  double d = 1;
  for (std::int64_t gap = 0; d < end; ++gap) {
    const double to = std::min(kGaps * static_cast<double>(gap + 1), end);
    if (const auto draw = wanted(row, gap, (d + to) / 2)) {
      row.heading = heading_of(row.out * -1);
      row.front = direction_of(row.heading);
      while (d < to) d += attempt(row, row.stretch.origin + row.stretch.along * d, *draw);
    }
    d = std::max(d, to);
  }
}

/// Where people live, and nothing else is.
bool BackRowPlacer::is_garden(Vec2 place, const AreaIndex::Answer& ground) {
  return placer_.use_of(ground) == 0 && placer_.is_settled(place, ground);
}

/// Whether a house is wanted in a gap, by the density and the ground at its middle, and a hash. @return a draw for it
inline std::optional<std::uint64_t> BackRowPlacer::wanted(const Row& row, std::int64_t gap, double middle) {
  const Town& town = context_.town;
  const Density density = placer_.character(row.stretch.origin + row.stretch.along * middle).density;
  const double share = kShares[static_cast<std::size_t>(density)];
  if (share == 0) return std::nullopt;
  const Vec2 behind = row.stretch.origin + row.stretch.along * middle + row.out * (row.edge + kNearest);
  const AreaIndex::Answer ground = placer_.ground(behind);
  if (ground.blocking != AreaIndex::kNone || !is_garden(behind, ground)) return std::nullopt;
  const std::uint64_t h = hash(town.roads[row.stretch.road].id, row.side == Side::left ? 33 : 34,
                               gap + static_cast<std::int64_t>(row.stretch.way_start) * 1024);
  return share_of(h) < share ? std::optional(mixed(h)) : std::nullopt;
}

/// Where a drive fits between what is there. @return the step to the next place to try (m)
inline double BackRowPlacer::attempt(const Row& row, Vec2 point, std::uint64_t draw) {
  if (placer_.is_ramp(point)) return kNextTry;
  // As far as beyond the first row.
  const double half = kNearest / 2;
  const Box drive{point + row.out * (row.edge + half), row.stretch.along, row.out, Placer::kDrive / 2, half};
  if (const Hit hit = placer_.touched(drive, 2 * kRounding)) return std::max(hit.clear_after, 0.5);
  return place_behind(row, point, draw) ? Placer::kDrive + kApart : kStep;
}

/// At the first free distance from the street.
inline bool BackRowPlacer::place_behind(const Row& row, Vec2 point, std::uint64_t draw) {
  House house;
  // Not higher than the first row.
  house.model = placer_.model_of(0, draw);
  if (context_.town.rules.heights)
    house.model = placer_.model_like(0, draw, 0.8 * placer_.character(point).height).value_or(house.model);
  const HouseSize& half = context_.sizes[house.model];
  house.heading = row.heading;
  double free = kNearest;  // so much of the drive is (m)
  for (std::size_t k = 0; k < kRows;) {
    const double deep = kNearest + kDeeper * static_cast<double>(k);
    house.center = millimeters(point + row.out * (row.edge + deep + half.half_z));
    // Moved away from the street until it touches nothing.
    const Box box{meters(house.center), row.front * -1, {row.front.z, -row.front.x}, half.half_z, half.half_x};
    // What was in the way at the last place along the street often still is.
    Hit& last = in_the_way_[k];
    double by = last ? placer_.clear_of(last, box, kApart) : 0;
    if (by == 0) {
      last = placer_.touched(box, kApart);
      by = last.clear_after;
    }
    if (by > 0) {
      k += std::max<std::size_t>(1, static_cast<std::size_t>(std::ceil((by - kRounding) / kDeeper)));
      continue;
    }
    if (deep > free) {
      const double longer = (deep - free) / 2;
      const Box drive{point + row.out * (row.edge + free + longer), row.stretch.along, row.out, Placer::kDrive / 2,
                      longer - 2 * kRounding};
      if (placer_.any_touched(drive, 2 * kRounding)) return false;
      free = deep;
    }
    if (is_good(row, point, box)) {
      placer_.set(house, 0);
      const Vec2 from = point + row.out * row.lanes, to = point + row.out * (row.edge + deep);
      placer_.reserve(from, to, heading_of(to - from));
      return true;
    }
    ++k;
  }
  return false;
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
