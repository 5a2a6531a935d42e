// Tries positions while moving along the street, like osm2city's would_be_buildings. Our own addition: each move is the exact
// distance that clears the last obstacle (lib/town/geometry.hpp) instead of a fixed step.
#include "lib/town/row_placer.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace simbatch::town::detail {
namespace {
constexpr double kSlot = 8;                      // meters along a way for which one model is drawn
constexpr double kSmallestStep = 0.25;           // m: step where the exact distance is unknown
constexpr double kArcShare = 0.75;               // fraction of the distance used on an arc, which is straight only locally
constexpr double kArcStep = 2;                   // m: minimum step on an arc
constexpr double kSmallRing = 2500;              // m^2 that a ring must enclose for houses to be placed inside
constexpr double kMedian = 60;                   // m: maximum distance between two carriageways of one road
constexpr double kPassage = 3.4;                 // m: way into the block between closed fronts
constexpr double kWall = 2 * kRounding + 0.002;  // m between houses wall to wall
constexpr double kFarFromStreet = 6;             // m
constexpr double kAcrossPavement = 2.2;          // m
constexpr double kRowHouse = 8.5;                // m: widest house of a terrace

/// How much farther away than the others houses are at most (m): building lines are kept in towns.
double spread_of(Density density) {
  if (density == Density::scattered) return 5;
  return density == Density::loose ? 1.2 : 0;
}

Offset offset_of(const RoadKind& kind, Side drawn, const PlaceOptions& options, double clearance, Density density, bool eras) {
  Offset offset;
  offset.pavement = kind.width / 2 + (drawn == Side::left ? kind.left : kind.right);
  offset.to_front = options.fronts_by_street || options.front_distance.has_value();
  const double front = eras ? spacing_of(kind.name, density).front : kind.spacing.front;
  offset.preferred =
      offset.pavement + (options.fronts_by_street ? front : options.front_distance.value_or(options.street_distance));
  if (eras && options.fronts_by_street && is_street(kind.name)) offset.spread = spread_of(density);
  offset.minimum = kind.half() + clearance + 2 * kRounding;
  return offset;
}

/// The step from `middle` within a stretch when an obstacle requires `wanted` (m).
double step(const Stretch& stretch, double middle, double wanted) {
  const double left = std::max(stretch.start + stretch.length - middle, 0.0);
  if (stretch.turn > 0) return std::max({std::min(wanted * kArcShare, left + 0.01), std::min(wanted, kArcStep), kSmallestStep});
  // The distance is valid on this straight stretch only.
  return std::max(wanted > left ? left + 0.01 : wanted, kSmallestStep);
}
}  // namespace

double farthest(const Town& town, std::span<const HouseSize> sizes, const PlaceOptions& options, double beyond) {
  double far = 0;
  for (const RoadKind& kind : town.kinds) {
    if (!kind.houses) continue;
    for (const HouseSize& size : sizes)
      for (const Side side : {Side::left, Side::right})
        for (std::size_t d = 0; d < kDensities; ++d) {
          const Offset offset = offset_of(kind, side, options, town.clearance, static_cast<Density>(d), town.rules.eras);
          far = std::max(far, offset.to_middle(size.half_z) + offset.spread);
        }
  }
  return far + beyond;
}

RowPlacer::RowPlacer(Placer& placer) : placer_(placer), context_(placer.context) {
  for (std::size_t d = 0; d < kDensities; ++d)
    for (const RoadKind& kind : context_.town.kinds)
      for (const Side side : {Side::left, Side::right})
        offsets_[d].push_back(offset_of(kind, side, context_.options, context_.town.clearance, static_cast<Density>(d),
                                        context_.town.rules.eras));
  for (const Use& use : context_.town.uses)
    is_for_people_.push_back(is_for_people_.empty() || use.name == "retail" || use.name == "commercial");
  const std::vector<Offset>& loose = offsets_[static_cast<std::size_t>(Density::loose)];
  for (std::size_t k = 0; k < context_.town.kinds.size(); ++k)
    arc_offset_.push_back(std::max(loose[2 * k].preferred, loose[2 * k + 1].preferred));
}

double RowPlacer::street(std::span<const Streets::Part> parts, bool ring) {
  const Town& town = context_.town;
  std::optional<Side> only;
  if (town.roads[parts[0].road].is(TownRoad::roundabout)) {
    only = outside(town, parts, ring);
    if (!only) return 0;  // a straight piece of a roundabout: its island may be on either side
  } else if (ring && std::fabs(enclosed(town, parts)) < kSmallRing) {
    only = outside(town, parts, ring);
  }
  walk(town, parts, ring, arc_offset_, lines_);
  double meters = 0;
  for (const Side side : {Side::left, Side::right})
    if (!only || *only == side) meters += row(parts, ring, side);
  return meters;
}

/// One side of one street.
inline double RowPlacer::row(std::span<const Streets::Part> parts, bool ring, Side side) {
  const std::vector<Stretch>& line = lines_.of(side);
  if (line.empty()) return 0;
  stretch_ = first_stretch_ = line.data();
  last_stretch_ = &line.back();
  heading_stretch_ = nullptr;
  const double total = last_stretch_->start + last_stretch_->length;
  previous_.reset();
  first_.reset();
  ring_ = ring;
  run_ = 0;
  kind_ = context_.town.roads[parts[0].road].kind;
  set_density(Density::loose);
  is_street_ = is_street(context_.town.kinds[kind_].name);
  for (std::size_t d = 0; d < kDensities; ++d)
    gaps_[d] = spacing_of(context_.town.kinds[kind_].name, static_cast<Density>(d)).gap;
  space_ = context_.options.gaps_by_street ? context_.town.kinds[kind_].spacing.gap : context_.options.house_distance;
  set_gap(space_);
  double edge = 0;  // where the next house may begin
  while (edge < total) edge = attempt(edge, total, side);
  return total;
}

inline void RowPlacer::set_density(Density density) {
  density_ = density;
  beside_ = &offsets_[static_cast<std::size_t>(density)][std::size_t{2} * kind_];
}

/// The gap to the neighbor before. Closed fronts: neighbors are only kept apart by what rounding needs.
void RowPlacer::set_gap(double gap) {
  gap_ = gap;
  other_gap_ = context_.options.gaps_by_street ? std::min(placer_.gap(), gap_ + 2 * kRounding) : placer_.gap();
}

/// What houses here are like.
inline void RowPlacer::look_around(const Stretch& stretch, double edge, Side side) {
  const Town& town = context_.town;
  if (!town.rules.eras && !town.rules.row_houses && !town.rules.heights) return;
  const Neighborhoods::Character& here = placer_.character(at(stretch, edge - stretch.start, side).first);
  height_ = here.height;
  if (!town.rules.eras) return;
  set_density(here.density);
  if (context_.options.gaps_by_street) space_ = gaps_[static_cast<std::size_t>(density_)];
}

/// Houses wall to wall: terraces of one model, or the closed fronts of a core between two passages.
inline void RowPlacer::begin_run(std::uint64_t draw) {
  is_joined_ = run_ > 0 && previous_.has_value();
  const Rules& rules = context_.town.rules;
  if (rules.row_houses && context_.options.gaps_by_street && run_ == 0 && use_ == 0 && is_street_) {
    constexpr std::array<double, kDensities> kShares{0, 0.12, 0.55, 1};
    const std::uint64_t h = mixed(draw + 3);
    const Density density = placer_.character(ahead_).density;
    if (share_of(h) < kShares[static_cast<std::size_t>(density)]) {
      run_is_alike_ = density != Density::core;
      const auto model = run_is_alike_ ? placer_.model_like(use_, mixed(h), height_, kRowHouse) : std::optional(run_model_);
      if (model) {
        run_ = 4 + static_cast<int>(h % 5);
        run_model_ = *model;
      }
    }
  }
  set_gap(is_joined_ ? 0 : space_);
}

/// From the middle of a house that has been placed to where the next one may begin, less half its width (m).
inline double RowPlacer::step_after(double half_u) {
  const double between = context_.town.rules.second_rows ? std::max(space_, kPassage) : space_;
  const bool was_run = run_ > 0;
  if (was_run) --run_;
  const double gap = run_ > 0 ? kWall : was_run ? between : space_;
  return std::max(2 * half_u + gap, kSmallestStep);
}

inline std::uint16_t RowPlacer::model_for(std::uint64_t draw) const {
  const Town& town = context_.town;
  if (run_ > 0 && run_is_alike_ && use_ == 0) return run_model_;
  if (town.rules.heights && is_for_people_[use_])
    if (const auto model = placer_.model_like(use_, draw, height_)) return *model;
  return placer_.model_of(use_, draw);
}

/// For its garden, and for what must not be in front of its door.
inline void RowPlacer::remember(const Spot& spot, const House& house, Side side) {
  if (!context_.town.rules.has_drives() || context_.town.uses[use_].trees) return;  // a tree has no door
  const double front = spot.away - context_.sizes[house.model].half_z - context_.town.roads[spot.stretch.road].beyond;
  Plot plot{house, static_cast<float>(front - offset(spot.stretch, side).minimum),
            static_cast<float>(is_joined_ || run_ > 1 ? 0 : space_ / 2), use_ == 0};
  // Far from the street there is room for a house of another one in between.
  if (plot.setback > kFarFromStreet) placer_.reserve(plot, kAcrossPavement);
  if (!plot.is_reserved || context_.has_details) placer_.plots.push_back(plot);
}

inline const Stretch& RowPlacer::find(double distance) {
  const Stretch* stretch = stretch_;
  while (stretch != first_stretch_ && stretch->start > distance) --stretch;
  while (stretch != last_stretch_ && stretch[1].start <= distance) ++stretch;
  stretch_ = stretch;
  return *stretch;
}

/// The land use of a house that begins at `edge`: sampled a few meters further.
inline std::uint16_t RowPlacer::use_ahead(const Stretch& stretch, double edge, Side side) {
  const auto [point, along] = at(stretch, std::min(edge + 4 - stretch.start, stretch.length), side);
  const Offset& of = offset(stretch, side);
  const double out = of.to_front ? of.preferred + 4 : of.preferred;
  ahead_ = point + outward(along, side) * out;
  ahead_answer_ = placer_.ground(ahead_);
  return placer_.use_of(ahead_answer_);
}

/// The house at a spot, rounded to what a file stores, and its box.
inline std::pair<House, Box> RowPlacer::house_at(const Spot& spot, std::uint16_t model, Side side) {
  House house;
  house.center = millimeters(spot.point + spot.out * spot.away);
  house.model = model;
  if (heading_stretch_ != stretch_ || spot.stretch.turn > 0) {
    heading_stretch_ = stretch_;
    heading_ = heading_of(spot.out * -1);
    front_ = direction_of(heading_);
  }
  house.heading = heading_;
  const Vec2 u = Vec2{-front_.z, front_.x} * (side == Side::left ? 1.0 : -1.0);  // along the street
  return {house, Box{meters(house.center), u, front_ * -1, context_.sizes[model].half_x, context_.sizes[model].half_z}};
}

/// Reasons against a position where the house touches nothing.
inline RowPlacer::Refusal RowPlacer::refusal(const Spot& spot, const Box& box, const AreaIndex::Answer& ground) {
  if (placer_.is_ramp(spot.point)) return {Reason::ramp, 4};
  if (const auto reason = placer_.blocked(box.center, ground)) return {*reason, *reason == Reason::median ? 4.0 : 2.0};
  if (in_median(spot.stretch, spot.point, spot.along, spot.out, spot.away)) return {Reason::median, 4};
  if (placer_.is_sea(box.center)) return {Reason::water, 4};
  if (!is_settled(box.center, ground)) return {Reason::unsettled, 4};
  const bool is_tree = context_.town.uses[placer_.use_of(ground)].trees;
  if (context_.town.rules.access && !is_tree && cut_off(spot, box)) return {Reason::cut_off, 1};
  return {};
}

/// Trees grow anywhere.
inline bool RowPlacer::is_settled(Vec2 place, const AreaIndex::Answer& ground) {
  return context_.town.uses[placer_.use_of(ground)].trees || placer_.is_settled(place, ground);
}

/// True if anything lies between the middle of the front and the lanes of the street.
inline bool RowPlacer::cut_off(const Spot& spot, const Box& box) const {
  const Vec2 front = box.center - box.v * (box.half_v + 0.01);
  // Extends slightly into the lanes: rails that cross the street at a slant also cut houses off; those along its middle do not.
  const RoadKind& street = context_.town.kinds[kind_];
  const double way = spot.away - box.half_v - 0.01 - std::clamp(street.width / 2 - 0.5, 0.0, 2.5);
  if (way <= 0) return false;
  if (context_.obstacles.cuts(front, front - box.v * way)) return true;
  const Box path{front - box.v * (way / 2), box.u, box.v, 0.1, way / 2};
  return static_cast<bool>(context_.houses.any(path, 0));
}

/// Most obstacles are found without rounding the position: the row's own houses, and the last obstacle. @return the step (m),
/// or 0
inline double RowPlacer::skip(const Spot& spot, std::uint16_t model, double middle, Hit& last) {
  const HouseSize& half = context_.sizes[model];
  const Box about{spot.point + spot.out * spot.away, spot.along, spot.out, half.half_x, half.half_z};
  if (const double by = step_past_neighbors(about); by > 0) {
    placer_.reject(Reason::house);
    last = {};
    return step(spot.stretch, middle, by + 1e-3);
  }
  if (last)
    if (const double by = placer_.clear_of(last, about, other_gap_); by > 0) return step(spot.stretch, middle, by);
  return 0;
}

/// A number of the stretch of the way in which a house begins.
inline std::uint64_t RowPlacer::draw_at(const Stretch& begin, double edge, Side side) const {
  const double way_at = begin.way_start + begin.way_rate * (edge - begin.start);
  return hash(context_.town.roads[begin.road].id, drawn(begin, side) == Side::left ? 1 : 2,
              static_cast<std::int64_t>(std::floor(way_at / kSlot)));
}

/// Draws a model for a house that begins at `edge` and places it at the first free position. @return where the next house may
/// begin
inline double RowPlacer::attempt(double edge, double total, Side side) {
  const Town& town = context_.town;
  const Stretch& begin = find(edge);
  look_around(begin, edge, side);
  use_ = use_ahead(begin, edge, side);
  if (town.uses[use_].models == 0) {
    ++placer_.nothing[use_];
    placer_.reject(Reason::land_use);
    return edge + 4;
  }
  if (!is_settled(ahead_, ahead_answer_)) {
    placer_.reject(Reason::unsettled);
    run_ = 0;
    return edge + 8;
  }
  const std::uint64_t draw = draw_at(begin, edge, side);
  begin_run(draw);
  const double farther = offset(begin, side).spread * share_of(mixed(draw + 5));
  std::uint16_t model = model_for(draw);
  int redraws = 0;
  Hit last;  // the obstacle, if the step did not clear it
  while (true) {
    const double half_u = context_.sizes[model].half_x, half_v = context_.sizes[model].half_z;
    const double middle = edge + half_u;
    if (middle + half_u + (ring_ && first_ ? gap_ : 0) > total) return total;
    const Stretch& stretch = find(middle);
    const auto place = at(stretch, middle - stretch.start, side);
    const Vec2 point{place.first.x, place.first.z}, along{place.second.x, place.second.z}, out = outward(along, side);
    const Spot spot{stretch, point, along, out,
                    offset(stretch, side).to_middle(half_v) + farther + town.roads[stretch.road].beyond};
    if (const double by = skip(spot, model, middle, last); by > 0) {
      edge += by;
      continue;
    }
    const auto [house, box] = house_at(spot, model, side);
    placer_.touch(box, other_gap_, last = {});
    Refusal refused;
    if (last.clear_after > 0) {
      refused = {last.reason, last.clear_after + 1e-3};
    } else if (!placer_.in_bounds(box)) {
      refused = {Reason::bounds, 4};
    } else {
      const AreaIndex::Answer ground = placer_.ground(box.center);
      const std::uint16_t use = placer_.use_of(ground);
      if (ground.blocking == AreaIndex::kNone && use != use_) {
        // Past the border of the land use: use the models of the next one, if any.
        if (town.uses[use].models == 0 || ++redraws > 2) {
          if (town.uses[use].models == 0) ++placer_.nothing[use];
          placer_.reject(Reason::land_use);
          return edge + 2;
        }
        use_ = use;
        model = model_for(draw);
        continue;
      }
      refused = refusal(spot, box, ground);
    }
    if (refused.step == 0) {
      placer_.set(house, use_);
      remember(spot, house, side);
      previous_ = box;
      if (!first_) first_ = box;
      return edge + step_after(half_u);
    }
    placer_.reject(refused.reason);
    const double by = step(stretch, middle, refused.step);
    if (by >= refused.step) last = {};
    edge += by;
  }
}

/// Neighbors within a row keep a larger gap than houses of different rows: the step that restores it.
inline double RowPlacer::step_past_neighbors(const Box& box) const {
  if (gap_ <= context_.town.clearance) return 0;
  const double wider = gap_ - kRounding;
  double step = previous_ ? distance_to_clear_box(box, *previous_, wider) : 0;
  if (ring_ && first_) step = std::max(step, distance_to_clear_box(box, *first_, wider));
  return step;
}

/// True if the road's other carriageway is the nearest object on that side.
inline bool RowPlacer::in_median(const Stretch& stretch, Vec2 point, Vec2 along, Vec2 out, double away) const {
  const Town& town = context_.town;
  const TownRoad& road = town.roads[stretch.road];
  if (!road.is(TownRoad::oneway) || road.is(TownRoad::roundabout)) {
    // A house far off its street must not be on the far side of another one.
    if (away < 30) return false;
    return context_.obstacles.first_crossing(point + out * 0.01, point + out * away) != Cells::kNone;
  }
  const std::uint32_t number = context_.obstacles.first_crossing(point + out * 0.01, point + out * std::max(kMedian, away));
  if (number == Cells::kNone) return false;
  const ObstacleGrid::Obstacle& obstacle = context_.obstacles.obstacle(number);
  const Vec2 a = meters(town.points[obstacle.first]), b = meters(town.points[obstacle.first + 1]);
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
