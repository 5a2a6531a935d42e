#include "lib/town/placer.hpp"

#include <algorithm>

namespace simbatch::town::detail {

std::uint64_t mixed(std::uint64_t x) {
  x += 0x9E3779B97F4A7C15;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EB;
  return x ^ (x >> 31);
}

std::uint64_t hash(std::int64_t id, std::int64_t a, std::int64_t b) {
  return mixed(mixed(mixed(static_cast<std::uint64_t>(id)) ^ static_cast<std::uint64_t>(a)) ^ static_cast<std::uint64_t>(b));
}

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

bool Placer::in_bounds(const Box& box) {
  if (context.town.bounds.empty()) return true;
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
