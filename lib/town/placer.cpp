#include "lib/town/placer.hpp"

#include <algorithm>
#include <utility>

namespace simbatch::town::detail {

Placer::Placer(const PlacingContext& shared)
    : context(shared),
      placed(shared.town.uses.size(), 0),
      nothing(shared.town.uses.size(), 0),
      gap_(shared.town.clearance + kRounding) {
  if (shared.options.clip_to_bounds) plane_ = shared.town.plane;
}

void Placer::set(const House& house, std::uint16_t use) {
  context.houses.add(house, inserter_);
  houses.push_back(house);
  ++placed[use];
}

bool Placer::is_ramp(Vec2 street) const {
  if (!context.town.has_ramps) return false;
  constexpr double kOnCurve = 0.6;  // m: simrun's streets are curves, at most 0.5 m from the line (docs/map.md)
  const Box here{street, {1, 0}, {0, 1}, 0, 0};
  bool found = false;
  context.obstacles.each_near(here, [&](std::uint32_t number) {
    if (found || context.obstacles.reason(number) != Reason::ramp) return;
    const std::uint32_t first = context.obstacles.obstacle(number).first;
    found = near_segment(here, here.local(context.town.points[first]), here.local(context.town.points[first + 1]), kOnCurve);
  });
  return found;
}

std::optional<std::uint16_t> Placer::model_like(std::uint16_t use, std::uint64_t draw, double height, double widest) const {
  constexpr double kAlike = 2;                // m of difference that quarter a model's weight
  constexpr std::uint32_t kComparable = 256;  // a section of more is drawn from by weight alone
  const Use& of = context.town.uses[use];
  if (of.models > kComparable) return model_of(use, draw);
  const auto weight = [&](std::uint32_t m) {
    const autosim::HouseModel& model = *context.town.models[of.first_model + m];
    const double off = (model.box_size.y - height) / kAlike;
    const double unlike = 1 + off * off;
    return model.box_size.x <= widest ? model.weight / (unlike * unlike) : 0.0;
  };
  double sum = 0;
  for (std::uint32_t m = 0; m < of.models; ++m) sum += weight(m);
  if (!(sum > 0)) return std::nullopt;
  double left = share_of(draw) * sum;
  std::uint32_t chosen = 0;
  for (std::uint32_t m = 0; m < of.models; ++m) {
    if (weight(m) > 0) chosen = m;
    left -= weight(m);
    if (left < 0) break;
  }
  return static_cast<std::uint16_t>(of.first_model + chosen);
}

void Placer::reserve(Vec2 from, Vec2 to, std::uint16_t heading) {
  const double strip_length = std::min(length(to - from), 0.5 * kReserved);
  if (!(strip_length > 0.5)) return;
  House strip;
  strip.center = millimeters((from + to) * 0.5);
  strip.heading = heading;
  strip.model = static_cast<std::uint16_t>(context.town.models.size() + static_cast<std::size_t>(2 * strip_length) - 1);
  context.houses.add(strip, inserter_);
}

void Placer::reserve(Plot& plot, double farther) {
  if (std::exchange(plot.is_reserved, true)) return;
  const Vec2 front = direction_of(plot.house.heading);
  const Vec2 door = meters(plot.house.center) + front * context.sizes[plot.house.model].half_z;
  reserve(door, door + front * (plot.setback + farther), plot.house.heading);
}

std::optional<Reason> Placer::blocked(Vec2 place, const AreaIndex::Answer& ground) const {
  const auto reason_of = [](const AreaIndex& areas, std::uint32_t area) {
    return static_cast<Reason>(areas.meaning(area).reason);
  };
  if (ground.blocking != AreaIndex::kNone) return reason_of(context.town.areas, ground.blocking);
  const std::uint32_t island = context.islands.at(place).blocking;
  if (island != AreaIndex::kNone) return reason_of(context.islands, island);
  return std::nullopt;
}

bool Placer::is_settled(Vec2 place, const AreaIndex::Answer& ground) {
  const Town& town = context.town;
  if (!town.rules.settlement || (ground.area != AreaIndex::kNone && town.uses[use_of(ground)].settled)) return true;
  return town.settlement.at(place, near_signs_);
}

bool Placer::in_bounds(const Box& box) {
  if (!plane_ || context.town.bounds.empty()) return true;
  std::array<osm::LatLon, 4> corners;
  std::size_t n = 0;
  for (const double a : {-1.0, 1.0})
    for (const double b : {-1.0, 1.0})
      corners[n++] = plane_->to_geographic(millimeters(box.center + box.u * (a * box.half_u) + box.v * (b * box.half_v)));
  return std::any_of(context.town.bounds.begin(), context.town.bounds.end(), [&](const auto& bounds) {
    return std::all_of(corners.begin(), corners.end(), [&](osm::LatLon p) {
      return p.lat_e7 >= bounds.first.lat_e7 && p.lat_e7 <= bounds.second.lat_e7 && p.lon_e7 >= bounds.first.lon_e7 &&
             p.lon_e7 <= bounds.second.lon_e7;
    });
  });
}

}  // namespace simbatch::town::detail
