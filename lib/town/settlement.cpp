// Our own method: a raster, because a house only needs to know whether there is any sign near it, not which.
#include "lib/town/settlement.hpp"

#include <algorithm>
#include <cmath>

#include "lib/town/box_sums.hpp"
#include "lib/town/cells.hpp"

namespace simbatch::town {
namespace {
constexpr std::int32_t kReach = 4;  // squares of 32 m on each side of the one whose density is computed

std::int32_t square_of(double m, double side) { return static_cast<std::int32_t>(std::floor(m / side)); }
std::size_t index(std::int32_t i) { return static_cast<std::size_t>(i); }
}  // namespace

void Settlement::add_disc(Vec2 middle, double radius) {
  radius = std::min(radius, 512.0);
  const auto page = [](double m) { return floor_div(square_of(m, kSquare), kSide); };
  const std::int32_t x1 = page(middle.x + radius), z1 = page(middle.z + radius);
  for (std::int32_t z = page(middle.z - radius); z <= z1; ++z)
    for (std::int32_t x = page(middle.x - radius); x <= x1; ++x) signs_[{z, x}].discs.push_back({middle, radius});
}

/// The page's part of it: row by row, through the middle of the squares.
void Settlement::draw_disc(const Key& key, const Disc& disc, Page& page) {
  const auto [middle, radius] = disc;
  const std::int32_t first_x = key.second * kSide, first_z = key.first * kSide;
  const std::int32_t z0 = std::max(square_of(middle.z - radius, kSquare), first_z),
                     z1 = std::min(square_of(middle.z + radius, kSquare), first_z + kSide - 1);
  for (std::int32_t z = z0; z <= z1; ++z) {
    const double dz = (z + 0.5) * kSquare - middle.z, left = radius * radius - dz * dz;
    if (left <= 0) continue;
    const double half = std::sqrt(left);
    const std::int32_t x0 = std::max(square_of(middle.x - half, kSquare) - first_x, 0),
                       x1 = std::min(square_of(middle.x + half, kSquare) - first_x, kSide - 1);
    if (x0 > x1) continue;
    page[index(z - first_z)] |= (~std::uint64_t{0} >> (kSide - 1 - (x1 - x0))) << x0;
  }
}

void Settlement::add_street(Vec2 a, Vec2 b) {
  each_street_part(a, b, [this](Vec2 p, std::uint32_t millimeters) {
    const std::int32_t x = square_of(p.x, 2 * kSquare), z = square_of(p.z, 2 * kSquare);
    const Key key{floor_div(z, kLengths), floor_div(x, kLengths)};
    if (last_lengths_ == nullptr || key != last_lengths_key_) {
      last_lengths_ = &lengths_[key];
      last_lengths_key_ = key;
    }
    std::uint32_t& sum = (*last_lengths_)[index((z - key.first * kLengths) * kLengths + x - key.second * kLengths)];
    sum = std::min<std::uint32_t>(sum + millimeters, 1'000'000);  // more than 1 km in 32 m: it is dense in any case
  });
}

void Settlement::build() {
  // A page without streets of its own may still be near those of its neighbors.
  for (const auto& entry : lengths_)
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
  std::array<const Lengths*, 9> pages{};
  for (std::int32_t dz = -1; dz <= 1; ++dz)
    for (std::int32_t dx = -1; dx <= 1; ++dx)
      if (const auto found = lengths_.find({key.first + dz, key.second + dx}); found != lengths_.end())
        pages[index((dz + 1) * 3 + dx + 1)] = &found->second;
  detail::box_sums<kLengths, kReach>([&](std::int32_t x, std::int32_t z) { return length_at(x, z, pages); },
                                     [&](std::int32_t x, std::int32_t z, std::uint64_t sum) {
                                       if (sum < kEnough) return;
                                       for (const std::int32_t row : {2 * z, 2 * z + 1})
                                         page[index(row)] |= std::uint64_t{3} << (2 * x);  // of 16 m
                                     });
}

/// @param pages  3 x 3 pages around the one in which (0, 0) is the first square
std::uint64_t Settlement::length_at(std::int32_t column, std::int32_t row, const std::array<const Lengths*, 9>& pages) const {
  const std::int32_t dx = floor_div(column, kLengths), dz = floor_div(row, kLengths);
  const Lengths* lengths = pages[index((dz + 1) * 3 + dx + 1)];
  return lengths == nullptr ? 0 : (*lengths)[index((row - dz * kLengths) * kLengths + column - dx * kLengths)];
}

bool Settlement::at(Vec2 place, Near& near) const {
  const auto is_within = [](double squares) { return squares >= 0 && squares < kSide; };
  double x = place.x / kSquare - near.first_x, z = place.z / kSquare - near.first_z;
  if (!is_within(x) || !is_within(z)) {
    const Key key{floor_div(square_of(place.z, kSquare), kSide), floor_div(square_of(place.x, kSquare), kSide)};
    const auto found = signs_.find(key);
    near = {1.0 * key.second * kSide, 1.0 * key.first * kSide, found == signs_.end() ? nullptr : &page_of(key, found->second)};
    x = place.x / kSquare - near.first_x;
    z = place.z / kSquare - near.first_z;
  }
  return near.page != nullptr && ((*near.page)[static_cast<std::size_t>(z)] >> static_cast<unsigned>(x) & 1) != 0;
}

}  // namespace simbatch::town
