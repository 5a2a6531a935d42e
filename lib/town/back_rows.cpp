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

BackRowPlacer::BackRowPlacer(Placer& placer)
    : placer_(placer), context_(placer.context), in_the_way_(static_cast<std::size_t>((kDeepest - kNearest) / kDeeper) + 1) {}

void BackRowPlacer::row(std::span<const Streets::Part> parts, Side side) {
  const Town& town = context_.town;
  const TownRoad& first = town.roads[parts[0].road];
  if (first.is(TownRoad::roundabout) || !is_street(town.kinds[first.kind].name)) return;
  walk_straight(town, parts, line_);
  // What is remembered must not depend on the streets that this thread has had.
  std::fill(in_the_way_.begin(), in_the_way_.end(), Hit{});
  for (const Stretch& stretch : line_) {
    const Vec2 out = outward(stretch.along, side);
    const RoadKind& kind = town.kinds[town.roads[stretch.road].kind];
    const double beyond = town.roads[stretch.road].beyond;
    const double edge = kind.half() + beyond + town.clearance + 2 * kRounding;
    for (double d = 1; d < stretch.length - 1;)
      d += attempt({stretch, at(stretch, d, side).first, stretch.along, out, edge, kind.width / 2 + beyond}, side);
  }
}

/// Where people live, and nothing else is.
bool BackRowPlacer::is_garden(Vec2 place, const AreaIndex::Answer& ground) {
  return placer_.use_of(ground) == 0 && placer_.is_settled(place, ground);
}

/// By the density of the place and a hash.
inline bool BackRowPlacer::is_wanted(const Spot& spot, Side side) {
  const Town& town = context_.town;
  const Density density = placer_.character(spot.point).density;
  const auto slot = static_cast<std::int64_t>(std::floor(dot(spot.point - spot.stretch.origin, spot.along) / kGaps));
  const std::uint64_t h = hash(town.roads[spot.stretch.road].id, side == Side::left ? 33 : 34,
                               slot + static_cast<std::int64_t>(spot.stretch.way_start) * 1024);
  if (share_of(h) >= kShares[static_cast<std::size_t>(density)]) return false;
  const Vec2 probe = spot.point + spot.out * (spot.edge + kNearest);
  const AreaIndex::Answer ground = placer_.ground(probe);
  return ground.blocking == AreaIndex::kNone && is_garden(probe, ground);
}

/// Where a drive fits between what is there. @return the step to the next place to try (m)
inline double BackRowPlacer::attempt(const Spot& spot, Side side) {
  if (!is_wanted(spot, side) || placer_.is_ramp(spot.point)) return kNextTry;
  // As far as beyond the first row, a little wider than the drive.
  const double half = kNearest / 2;
  const Box drive{spot.point + spot.out * (spot.edge + half), spot.along, spot.out, Placer::kDrive / 2, half};
  if (const Hit hit = placer_.touched(drive, 2 * kRounding)) return std::max(hit.clear_after, 0.5);
  const Neighborhoods::Character& here = placer_.character(spot.point);
  const std::uint64_t draw =
      hash(context_.town.roads[spot.stretch.road].id, std::lrint(spot.point.x), std::lrint(spot.point.z));
  return place_behind(spot, draw, here.height) ? Placer::kDrive + kApart : kStep;
}

/// At the first free distance from the street.
inline bool BackRowPlacer::place_behind(const Spot& spot, std::uint64_t draw, double height) {
  const Town& town = context_.town;
  if (town.uses[0].models == 0) return false;
  std::uint16_t model = placer_.model_of(0, draw);
  // Not higher than the first row.
  if (town.rules.heights) model = placer_.model_like(0, draw, 0.8 * height).value_or(model);
  const HouseSize& half = context_.sizes[model];
  House house;
  house.model = model;
  house.heading = heading_of(spot.out * -1);
  const Vec2 front = direction_of(house.heading), u{-front.z, front.x};
  for (std::size_t row = 0; row < in_the_way_.size(); ++row) {
    const double deep = kNearest + kDeeper * static_cast<double>(row);
    house.center = millimeters(spot.point + spot.out * (spot.edge + deep + half.half_z));
    const Box box{meters(house.center), u, front * -1, half.half_x, half.half_z};
    // What was in the way at the last place along the street, or one row closer to it, often still is.
    const auto is_touched = [&](const Hit& hit) { return hit && placer_.clear_of(hit, box, kApart) > 0; };
    Hit& last = in_the_way_[row];
    if (is_touched(last)) continue;
    last = row > 0 && is_touched(in_the_way_[row - 1]) ? in_the_way_[row - 1] : placer_.any_touched(box, kApart);
    if (last) continue;
    const Box drive{spot.point + spot.out * (spot.edge + deep / 2), spot.along, spot.out, Placer::kDrive / 2,
                    deep / 2 - 2 * kRounding};
    if (placer_.any_touched(drive, 2 * kRounding)) return false;
    if (!is_good(spot, box)) continue;
    placer_.set(house, 0);
    const Vec2 from = spot.point + spot.out * spot.lanes, to = spot.point + spot.out * (spot.edge + deep);
    placer_.reserve(from, to, heading_of(to - from));
    return true;
  }
  return false;
}

/// Whether a place where the house touches nothing is one for a house.
inline bool BackRowPlacer::is_good(const Spot& spot, const Box& box) {
  const AreaIndex::Answer ground = placer_.ground(box.center);
  if (!placer_.is_open(box, ground) || !is_garden(box.center, ground)) return false;
  const Vec2 back = box.center + spot.out * box.half_v;
  return context_.obstacles.first_crossing(spot.point + spot.out * 0.01, back) == Cells::kNone &&
         !context_.obstacles.cuts(spot.point + spot.out * spot.lanes, box.center);
}

}  // namespace simbatch::town::detail
