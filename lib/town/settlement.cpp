// Our own method: a raster, because a house only needs to know whether there is any sign near it, not which.
#include "lib/town/settlement.hpp"

#include <algorithm>
#include <cmath>

#include "lib/town/box_sums.hpp"

namespace simbatch::town {
namespace {
constexpr std::int32_t kReach = 4;  // squares of StreetLengths on each side of the one whose density is computed

std::size_t index(std::int32_t i) { return static_cast<std::size_t>(i); }
}  // namespace

inline Settlement::Key Settlement::key_of(Vec2 place) {
  return {square_of(place.z, kSquare * kSide), square_of(place.x, kSquare * kSide)};
}

inline Settlement::Signs& Settlement::signs_of(const Key& key) {
  if (last_ == nullptr || key != last_key_) {
    last_ = &signs_[key];
    last_key_ = key;
  }
  return *last_;
}

void Settlement::add_disc(Vec2 middle, double radius) {
  radius = std::min(radius, 512.0);
  const auto [z0, x0] = key_of(middle - Vec2{radius, radius});
  const auto [z1, x1] = key_of(middle + Vec2{radius, radius});
  for (std::int32_t z = z0; z <= z1; ++z)
    for (std::int32_t x = x0; x <= x1; ++x) signs_of({z, x}).discs.push_back({middle, radius});
}

/// The page's part of it: row by row, through the middle of the squares.
void Settlement::draw_disc(const Key& key, const Disc& disc, Page& page) {
  const auto [middle, radius] = disc;
  const std::int32_t first_x = key.second * kSide, first_z = key.first * kSide;
  const auto squares = [x = middle.x, first_x](double half) {
    const std::int32_t x0 = std::max(square_of(x - half, kSquare) - first_x, 0),
                       x1 = std::min(square_of(x + half, kSquare) - first_x, kSide - 1);
    return x0 > x1 ? 0 : (~std::uint64_t{0} >> (kSide - 1 - (x1 - x0))) << x0;
  };
  const std::int32_t z0 = std::max(square_of(middle.z - radius, kSquare), first_z),
                     z1 = std::min(square_of(middle.z + radius, kSquare), first_z + kSide - 1);
  const std::uint64_t widest = squares(radius);
  for (std::int32_t z = z0; z <= z1; ++z) {
    std::uint64_t& row = page[index(z - first_z)];
    if ((widest & ~row) == 0) continue;  // many a building is among others
    const double dz = (z + 0.5) * kSquare - middle.z, left = radius * radius - dz * dz;
    if (left > 0) row |= squares(std::sqrt(left));
  }
}

void Settlement::build() {
  // A page without streets of its own may still be near those of its neighbors.
  for (const auto& entry : streets_.pages())
    for (std::int32_t dz = -1; dz <= 1; ++dz)
      for (std::int32_t dx = -1; dx <= 1; ++dx) signs_[{entry.first.first + dz, entry.first.second + dx}];
}

const Settlement::Page& Settlement::page_of(const Key& key, const Signs& signs) const {
  std::call_once(signs.drawn, [&] {
    for (const Disc& disc : signs.discs) draw_disc(key, disc, signs.page);
    draw_streets(key, signs.page);
  });
  return signs.page;
}

/// Marks where streets are dense.
void Settlement::draw_streets(const Key& key, Page& page) const {
  constexpr auto kEnough = static_cast<std::uint64_t>(kDense * 1000);
  const StreetLengths::Around around(streets_, key);
  detail::box_sums<StreetLengths::kSide, kReach>([&](std::int32_t x, std::int32_t z) { return around.at(x, z); },
                                                 [&](std::int32_t x, std::int32_t z, std::uint64_t sum) {
                                                   if (sum < kEnough) return;
                                                   for (const std::int32_t row : {2 * z, 2 * z + 1})
                                                     page[index(row)] |= std::uint64_t{3} << (2 * x);  // of 16 m
                                                 });
}

bool Settlement::at(Vec2 place, Near& near) const {
  const auto is_within = [](double squares) { return squares >= 0 && squares < kSide; };
  double x = place.x / kSquare - near.first_x, z = place.z / kSquare - near.first_z;
  if (!is_within(x) || !is_within(z)) {
    const Key key = key_of(place);
    const auto found = signs_.find(key);
    near = {1.0 * key.second * kSide, 1.0 * key.first * kSide, found == signs_.end() ? nullptr : &page_of(key, found->second)};
    x = place.x / kSquare - near.first_x;
    z = place.z / kSquare - near.first_z;
  }
  return near.page != nullptr && ((*near.page)[static_cast<std::size_t>(z)] >> static_cast<unsigned>(x) & 1) != 0;
}

}  // namespace simbatch::town
