// Own: trees 8 to 12 m apart, as guides for street trees have them (FLL, Empfehlungen fuer Baumpflanzungen); cars at the curb 5 m
// from crossings (StVO, section 12).
#include "lib/town/street_details.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace simbatch::town::detail {
namespace {
constexpr double kTouching = 0.05;      // m between things
constexpr double kTreeFromHouse = 1.6;  // m
constexpr double kCarFromHouse = 0.4;
constexpr double kCarLength = 5.6;    // m along the curb for each car
constexpr double kFromCrossing = 5;   // m
constexpr double kHalfLane = 3;       // m that stay free to both sides of the middle of a street with two directions
constexpr double kHalfOneWay = 2.4;   // m
constexpr double kGate = 1.5;         // m: half the opening of a garden's front
constexpr double kLeastGarden = 1.6;  // m before a house
constexpr double kSharpest = 0.9;     // rad: corners that are no curve (docs/map.md)

struct KindShare {
  std::string_view kind;
  double share;
};
/// Of the sides of streets that have a row of trees.
constexpr std::array<KindShare, 8> kTreeShares{{{"primary", 0.7},
                                                {"secondary", 0.7},
                                                {"tertiary", 0.5},
                                                {"residential", 0.4},
                                                {"living_street", 0.4},
                                                {"unclassified", 0.3},
                                                {"pedestrian", 0.4},
                                                {"road", 0.3}}};
/// Streets with parked cars.
constexpr std::array<std::string_view, 4> kParking{"residential", "living_street", "unclassified", "tertiary"};
/// Share of the places at the curb that are taken, and of gardens with a hedge or fence, by density.
constexpr std::array<double, kDensities> kParked{0.06, 0.25, 0.45, 0.55};
constexpr std::array<double, kDensities> kHedged{0.35, 0.6, 0.5, 0.2};

double tree_share(std::string_view kind) {
  const auto found = std::find_if(kTreeShares.begin(), kTreeShares.end(), [&](const KindShare& k) { return k.kind == kind; });
  return found == kTreeShares.end() ? 0 : found->share;
}

/// How far a curve through a line's points leaves a piece of it (m): simrun's streets are curves (docs/map.md).
double leave_of(double length, double before, double after) {
  const auto bend = [](double angle) { return angle < kSharpest ? std::sin(angle / 2) : 0; };
  return std::min(0.5, 4.0 / 27 * length * (bend(before) + bend(after)));
}

double angle_between(Vec2 a, Vec2 b) { return std::atan2(std::fabs(cross(a, b)), dot(a, b)); }
}  // namespace

double StreetDetails::farthest(const Town& town, double beyond, double farthest_house) {
  double half = 0, lanes = 0;
  for (const RoadKind& kind : town.kinds) half = std::max(half, kind.half());
  for (const TownRoad& road : town.roads) lanes = std::max(lanes, road.lanes / 2);
  return std::max({farthest_house + 6, half + beyond + 4, lanes + 4});
}

StreetDetails::StreetDetails(Placer& placer) : placer_(placer), context_(placer.context) {
  for (const RoadKind& kind : context_.town.kinds) arc_offset_.push_back(kind.half());
}

void StreetDetails::street(std::span<const Streets::Part> parts, bool ring, std::span<const Plot> plots) {
  const Rules& rules = context_.town.rules;
  if (rules.street_trees && use_of(Small::street_trees) != nullptr) trees(parts, ring);
  if (rules.gardens && use_of(Small::gardens) != nullptr)
    for (const Plot& plot : plots)
      if (plot.has_garden) garden(plot);
  if (rules.parked_cars && use_of(Small::parked_cars) != nullptr) cars(parts, ring);
}

template <class Use>
void StreetDetails::each_place(std::span<const Streets::Part> parts, bool ring, double spacing, Use use) {
  walk(context_.town, parts, ring, arc_offset_, lines_);
  for (const Side side : {Side::left, Side::right}) {
    double next = spacing / 2;
    std::int64_t number = 0;
    for (const Stretch& stretch : lines_.of(side)) {
      while (next < stretch.start + stretch.length) {
        if (stretch.turn == 0) {
          const auto [point, along] = at(stretch, next - stretch.start, side);
          use(Walk{stretch, side, point, along, outward(along, side), number});
        }
        next += spacing;
        ++number;
      }
    }
  }
}

/// Places it if it touches nothing, and is where things may be. @param from_houses  distance to keep from houses (m)
bool StreetDetails::put(House house, Small kind, double from_houses) {
  const Town& town = context_.town;
  const Box box = context_.houses.box_of(house);
  Hit hit;
  context_.houses.test(box, kTouching, hit);
  context_.houses.test(box, from_houses, hit, town.first_small);
  // Cars are tested against streets by is_clear_of_lanes().
  if (kind != Small::parked_cars) context_.obstacles.test(box, hit);
  if (hit) {
    placer_.reject(hit.reason);
    return false;
  }
  const AreaIndex::Answer ground = placer_.ground(box.center);
  // A garden is where its house may be.
  if (kind == Small::gardens && placer_.use_of(ground) != 0) return false;
  if (!placer_.is_open(box, ground)) return false;
  placer_.set(house, town.small_uses[static_cast<std::size_t>(kind)]);
  return true;
}

/// Rows of one species, on one side of a street or both.
void StreetDetails::trees(std::span<const Streets::Part> parts, bool ring) {
  const Town& town = context_.town;
  const TownRoad& first = town.roads[parts[0].road];
  const double share = tree_share(town.kinds[first.kind].name);
  if (share == 0 || first.is(TownRoad::roundabout)) return;
  const std::uint64_t draw = hash(first.id, 65, 0);
  const std::array<bool, 2> has_trees{share_of(mixed(draw + 1)) < share, share_of(mixed(draw + 2)) < share};
  if (!has_trees[0] && !has_trees[1]) return;
  const std::uint16_t model = placer_.model_of(town.small_uses[static_cast<std::size_t>(Small::street_trees)], mixed(draw + 3));
  each_place(parts, ring, 8 + 4 * share_of(draw), [&](const Walk& walk) {
    if (has_trees[walk.side == Side::left ? 0 : 1]) tree(walk, model);
  });
}

void StreetDetails::tree(const Walk& walk, std::uint16_t model) {
  const Town& town = context_.town;
  const TownRoad& road = town.roads[walk.stretch.road];
  const std::uint64_t h = hash(road.id, walk.side == Side::left ? 67 : 68, walk.number);
  if (h % 12 == 0) return;  // one has died
  const HouseSize& half = context_.sizes[model];
  const double away =
      town.kinds[road.kind].half() + road.beyond + town.clearance + 2 * kRounding + std::max(half.half_x, half.half_z) + 0.02;
  const Vec2 place = walk.point + walk.along * (1.2 * (share_of(mixed(h)) - 0.5)) + walk.out * away;
  if (!placer_.is_settled(place, placer_.ground(place)) || placer_.is_ramp(walk.point)) return;
  House house;
  house.center = millimeters(place);
  house.model = model;
  house.heading = heading_of(walk.out * -1);
  put(house, Small::street_trees, kTreeFromHouse);
}

/// A hedge or fence along the street with a gate in the middle, and a tree at its back.
void StreetDetails::garden(const Plot& plot) {
  const std::uint64_t draw = hash(plot.house.center.x, plot.house.center.z, 69);
  const Vec2 middle = meters(plot.house.center), front = direction_of(plot.house.heading), right{front.z, -front.x};
  const Neighborhoods::Character& here = placer_.character(middle);
  // Three of four gardens are as the neighborhood's usual ones.
  const std::uint64_t taste = draw % 4 == 0 ? draw >> 8 : here.variation;
  if (plot.setback >= kLeastGarden && share_of(mixed(draw + 1)) < kHedged[static_cast<std::size_t>(here.density)])
    hedges(plot, taste % 10 < 6 ? "hedge" : "fence", draw);
  if (share_of(mixed(draw + 2)) >= 0.35) return;
  const auto tree = longest("tree", 2);
  if (!tree) return;
  const HouseSize& half = context_.sizes[plot.house.model];
  House house;
  house.center = millimeters(middle - front * (half.half_z + 2.5 + 3 * share_of(mixed(draw + 3))) +
                             right * ((share_of(mixed(draw + 4)) - 0.5) * 2 * half.half_x));
  house.model = *tree;
  house.heading = plot.house.heading;
  put(house, Small::gardens, kTreeFromHouse);
}

/// The longest model of a type that has room (m).
std::optional<std::uint16_t> StreetDetails::longest(std::string_view type, double room) const {
  const Use& use = *use_of(Small::gardens);
  std::optional<std::uint16_t> best;
  for (std::uint32_t m = use.first_model; m < use.first_model + std::min<std::uint32_t>(use.models, 64); ++m) {
    const autosim::HouseModel& model = *context_.town.models[m];
    if (model.type == type && model.box_size.x <= room && (!best || model.box_size.x > context_.town.models[*best]->box_size.x))
      best = static_cast<std::uint16_t>(m);
  }
  return best;
}

void StreetDetails::hedges(const Plot& plot, std::string_view type, std::uint64_t draw) {
  const Vec2 middle = meters(plot.house.center), front = direction_of(plot.house.heading), right{front.z, -front.x};
  const HouseSize& half = context_.sizes[plot.house.model];
  const double beside = std::min<double>(plot.beside, 2.5) - kTouching, end = half.half_x + beside;
  const double line = half.half_z + plot.setback - 2 * kTouching;  // the outer edge
  House house;
  house.heading = plot.house.heading;
  for (const double sign : {-1.0, 1.0})
    for (double from = kGate; from < end;) {
      const auto model = longest(type, end - from);
      if (!model) break;
      const HouseSize& size = context_.sizes[*model];
      house.model = *model;
      house.center = millimeters(middle + front * (line - size.half_z) + right * (sign * (from + size.half_x)));
      put(house, Small::gardens, kTouching);
      from += 2 * size.half_x + 2 * kTouching;
    }
  // Along one side, from the front line back: the neighbor has it on his other side.
  if (beside < 1 || draw % 5 < 2) return;
  const auto model = longest(type, plot.setback + 2 * half.half_z - 1);
  if (!model) return;
  const HouseSize& size = context_.sizes[*model];
  house.model = *model;
  house.heading = heading_of(right);
  house.center = millimeters(middle + front * (line - 3 * size.half_z - 0.2 - size.half_x) + right * (end - size.half_z));
  put(house, Small::gardens, kTouching);
}

void StreetDetails::cars(std::span<const Streets::Part> parts, bool ring) {
  const Town& town = context_.town;
  const TownRoad& first = town.roads[parts[0].road];
  const std::string& kind = town.kinds[first.kind].name;
  if (std::find(kParking.begin(), kParking.end(), kind) == kParking.end() || first.is(TownRoad::roundabout)) return;
  own_.clear();
  for (const Streets::Part part : parts) own_.push_back(part.road);
  std::sort(own_.begin(), own_.end(),
            [&](std::uint32_t a, std::uint32_t b) { return town.roads[a].first < town.roads[b].first; });
  each_place(parts, ring, kCarLength, [&](const Walk& walk) { car(walk); });
}

/// By how much the street's line may be elsewhere (m).
double StreetDetails::margin_at(const Walk& walk) {
  const Stretch& stretch = walk.stretch;
  const std::vector<Stretch>& line = lines_.of(walk.side);
  // The straight pieces before and after: with arcs in between.
  const auto here = static_cast<std::size_t>(&stretch - line.data());
  const auto bend = [&](std::ptrdiff_t by) {
    for (std::size_t k = here + static_cast<std::size_t>(by); k < line.size(); k += static_cast<std::size_t>(by))
      if (line[k].turn == 0) return angle_between(stretch.along, line[k].along);
    return stretch.turn == 0 ? bend_beyond(stretch, by > 0) : 0.0;
  };
  return leave_of(stretch.length, bend(-1), bend(1));
}

/// The bend where a street ends, if its curve goes on: into the only other road's end there.
double StreetDetails::bend_beyond(const Stretch& stretch, bool at_end) const {
  const Vec2 begin = stretch.origin, end = stretch.origin + stretch.along * stretch.length;
  const Vec2 here = at_end ? end : begin, own = at_end ? begin : end;
  constexpr double kSame = 0.01;  // m
  int pieces = 0;
  Vec2 other;
  context_.obstacles.each_near({here, {1, 0}, {0, 1}, 0, 0}, [&](std::uint32_t number) {
    const ObstacleGrid::Obstacle& obstacle = context_.obstacles.obstacle(number);
    if (obstacle.count != 2 || context_.obstacles.reason(number) != Reason::road) return;
    Vec2 a = meters(context_.town.points[obstacle.first]), b = meters(context_.town.points[obstacle.first + 1]);
    if (length(b - here) < kSame) std::swap(a, b);
    if (length(a - here) >= kSame) return;
    ++pieces;
    if (length(b - own) >= kSame) other = b - here;
  });
  return pieces == 2 ? angle_between(here - own, other) : 0;
}

void StreetDetails::car(const Walk& walk) {
  const Town& town = context_.town;
  const TownRoad& road = town.roads[walk.stretch.road];
  const std::uint64_t h = hash(road.id, walk.side == Side::left ? 71 : 72, walk.number);
  const Density density = placer_.character(walk.point).density;
  if (share_of(h) >= kParked[static_cast<std::size_t>(density)]) return;
  const std::uint16_t use = town.small_uses[static_cast<std::size_t>(Small::parked_cars)];
  const std::uint16_t model = placer_.model_of(use, mixed(h + 1));
  const HouseSize& half = context_.sizes[model];
  const double lanes = road.lanes / 2;
  const bool one_way = road.is(TownRoad::oneway);
  const double inner = margin_at(walk) + std::max(one_way ? kHalfOneWay : kHalfLane, lanes);
  const Vec2 place = walk.point + walk.out * (inner + half.half_x + 2 * kRounding);
  if (!placer_.is_settled(place, placer_.ground(place)) || placer_.is_ramp(walk.point)) return;
  House house;
  house.center = millimeters(place);
  house.model = model;
  // On the right, in the direction of driving; on the left, against it, unless the street is a one-way street.
  const bool drawn = !walk.stretch.backwards;
  const bool forward = one_way ? drawn != road.is(TownRoad::reversed) : walk.side == Side::right;
  house.heading = heading_of(forward ? walk.along : walk.along * -1);
  const Box box = context_.houses.box_of(house);
  if (is_clear_of_lanes(box, inner)) put(house, Small::parked_cars, kCarFromHouse);
}

/// From the middle of its own street the car keeps a distance, from others a crossing's.
bool StreetDetails::is_clear_of_lanes(const Box& box, double from_middle) const {
  const Town& town = context_.town;
  Box about = box;  // v of a house's box is to its front
  about.half_v += kFromCrossing;
  bool clear = true;
  context_.obstacles.each_near(about, [&](std::uint32_t number) {
    if (!clear) return;
    const ObstacleGrid::Obstacle& obstacle = context_.obstacles.obstacle(number);
    auto own = std::upper_bound(own_.begin(), own_.end(), obstacle.first,
                                [&](std::uint32_t first, std::uint32_t road) { return first < town.roads[road].first; });
    const TownRoad* road = own != own_.begin() ? &town.roads[*std::prev(own)] : nullptr;
    if (road != nullptr && obstacle.first < road->first + road->count && obstacle.count <= 2) {
      const Vec2 a = meters(town.points[obstacle.first]);
      const Vec2 b = obstacle.count == 2 ? meters(town.points[obstacle.first + 1]) : a;
      const double least = road->is(TownRoad::oneway) ? kHalfOneWay : kHalfLane;
      clear = !near_segment(box, box.local(a), box.local(b), std::max({from_middle, road->lanes / 2, least}));
    } else {
      const Reason reason = context_.obstacles.reason(number);
      clear = context_.obstacles.clear_of(number, reason == Reason::road ? about : box) == 0;
    }
  });
  return clear;
}

}  // namespace simbatch::town::detail
