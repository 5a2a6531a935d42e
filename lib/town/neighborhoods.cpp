// Own: street networks as a measure of age and density (Southworth and Ben-Joseph, Streets and the shaping of towns and cities,
// 1997, has lengths of street an area by period); heights by density are usual numbers of stories.
#include "lib/town/neighborhoods.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "lib/town/box_sums.hpp"
#include "lib/town/cells.hpp"
#include "lib/town/hash.hpp"

namespace simbatch::town {
namespace {
constexpr std::int32_t kStreetsAround = 2;  // squares to each side whose streets count
constexpr std::int32_t kBeside = 1;         // squares to each side whose buildings count
constexpr std::int32_t kAlike = 4;          // squares along the side of a place of one `variation`
constexpr std::uint64_t kEstate = 120;      // dm: mean height of mapped buildings
constexpr std::uint32_t kFewest = 2;        // mapped buildings that make a usual height or roof

std::int32_t square_of(double m) { return town::square_of(m, Neighborhoods::kSquare); }

Density density_of(double street) {
  if (street < Neighborhoods::kLoose) return Density::scattered;
  if (street < Neighborhoods::kDense) return Density::loose;
  return street < Neighborhoods::kCore ? Density::dense : Density::core;
}

Roof usual_roof(Density density, std::uint64_t variation) {
  const std::uint64_t percent = variation / 7 % 100;
  if (density == Density::core || density == Density::dense) return percent < 20 ? Roof::flat : Roof::gabled;
  return percent < 30 ? Roof::hipped : percent < 38 ? Roof::flat : Roof::gabled;
}
}  // namespace

Neighborhoods::Square& Neighborhoods::square(std::int32_t column, std::int32_t row) {
  const Key key{floor_div(row, kSide), floor_div(column, kSide)};
  if (last_ == nullptr || key != last_key_) {
    last_ = &pages_[key];
    last_key_ = key;
  }
  return (*last_)[static_cast<std::size_t>((row - key.first * kSide) * kSide + column - key.second * kSide)];
}

void Neighborhoods::add_streets(const StreetLengths& streets) {
  static_assert(kSquare == 2 * StreetLengths::kSquare && 2 * kSide == StreetLengths::kSide);
  for (const auto& [key, lengths] : streets.pages()) {
    Page& page = pages_[key];
    for (std::size_t z = 0; z < kSide; ++z)
      for (std::size_t x = 0; x < kSide; ++x) {
        const std::uint32_t* const first = &lengths[2 * (z * StreetLengths::kSide + x)];
        page[z * kSide + x].street = first[0] + first[1] + first[StreetLengths::kSide] + first[StreetLengths::kSide + 1];
      }
  }
}

void Neighborhoods::add_building(const MappedLook& building) {
  constexpr std::uint16_t kMany = std::numeric_limits<std::uint16_t>::max();
  const Vec2 p = meters(building.at);
  Square& at = square(square_of(p.x), square_of(p.z));
  if (building.decimeters > 0 && at.heights < kMany) {
    at.height += building.decimeters;
    ++at.heights;
  }
  std::uint16_t& roofs = at.roofs[static_cast<std::size_t>(building.roof)];
  if (roofs < kMany) ++roofs;
}

/// The page and those around it; null where there is none.
Neighborhoods::Pages Neighborhoods::pages_around(const Key& key) const {
  Pages pages{};
  std::size_t n = 0;
  for (std::int32_t dz = -1; dz <= 1; ++dz)
    for (std::int32_t dx = -1; dx <= 1; ++dx, ++n)
      if (const auto found = pages_.find({key.first + dz, key.second + dx}); found != pages_.end()) pages[n] = &found->second;
  return pages;
}

/// A square by its column and row in the page in the middle; null outside all pages.
const Neighborhoods::Square* Neighborhoods::square_in(const Pages& pages, std::int32_t column, std::int32_t row) {
  const auto x = static_cast<std::uint32_t>(column + kSide), z = static_cast<std::uint32_t>(row + kSide);
  const Page* const page = pages[z / kSide * 3 + x / kSide];
  return page == nullptr ? nullptr : &(*page)[z % kSide * kSide + x % kSide];
}

std::uint32_t Neighborhoods::street_at(const Pages& pages, std::int32_t column, std::int32_t row) {
  const Square* const at = square_in(pages, column, row);
  return at == nullptr ? 0 : at->street;
}

/// @param street  mm in the squares around
Neighborhoods::Character Neighborhoods::character_of(const Key& key, const Pages& pages, std::int32_t x, std::int32_t z,
                                                     std::uint64_t street) {
  const std::int32_t column = key.second * kSide + x, row = key.first * kSide + z;
  std::uint64_t height = 0;
  std::uint32_t heights = 0;
  std::array<std::uint32_t, 4> roofs{};
  for (std::int32_t dz = -kBeside; dz <= kBeside; ++dz)
    for (std::int32_t dx = -kBeside; dx <= kBeside; ++dx) {
      const Square* const at = square_in(pages, x + dx, z + dz);
      if (at == nullptr) continue;
      height += at->height;
      heights += at->heights;
      for (std::size_t r = 1; r < roofs.size(); ++r) roofs[r] += at->roofs[r];
    }
  Character character;
  character.density = density_of(static_cast<double>(street) * 1e-3);
  character.variation = detail::hash(0, floor_div(column, kAlike), floor_div(row, kAlike));
  character.is_known = heights >= kFewest;
  // Large estates have few streets, and are not villages.
  if (character.is_known && character.density == Density::scattered && height >= kEstate * heights)
    character.density = Density::loose;
  constexpr std::array<double, kDensities> kHeights{6, 7, 9.5, 13};
  character.height = character.is_known ? static_cast<double>(height) * 0.1 / heights
                                        : kHeights[static_cast<std::size_t>(character.density)] *
                                              (0.85 + 0.003 * static_cast<double>(character.variation % 101));
  const auto most = std::max_element(roofs.begin() + 1, roofs.end());
  character.roof =
      *most >= kFewest ? static_cast<Roof>(most - roofs.begin()) : usual_roof(character.density, character.variation);
  return character;
}

void Neighborhoods::build() {
  for (const auto& entry : pages_) {
    Characters& characters = characters_[entry.first];
    const Pages pages = pages_around(entry.first);
    detail::box_sums<kSide, kStreetsAround>([&](std::int32_t x, std::int32_t z) { return street_at(pages, x, z); },
                                            [&](std::int32_t x, std::int32_t z, std::uint64_t street) {
                                              characters[static_cast<std::size_t>(z * kSide + x)] =
                                                  character_of(entry.first, pages, x, z, street);
                                            });
  }
}

const Neighborhoods::Character& Neighborhoods::at(Vec2 place, Near& near) const {
  const double x = place.x - near.low_x_, z = place.z - near.low_z_;
  if (x >= 0 && x < kSquare && z >= 0 && z < kSquare) return *near.last_;
  near.last_ = &find(place, near);
  return *near.last_;
}

const Neighborhoods::Character& Neighborhoods::find(Vec2 place, Near& near) const {
  const std::int32_t column = square_of(place.x), row = square_of(place.z);
  near.low_x_ = column * kSquare;
  near.low_z_ = row * kSquare;
  constexpr int kShift = std::countr_zero(static_cast<std::uint32_t>(kSide));
  if (const Key key{row >> kShift, column >> kShift}; near.key_ != key) enter_page(key, near);
  if (near.page_ == nullptr) return find_outside(column, row, near);
  constexpr std::int32_t kWithin = kSide - 1;
  return (*near.page_)[static_cast<std::size_t>((row & kWithin) * kSide + (column & kWithin))];
}

void Neighborhoods::enter_page(const Key& key, Near& near) const {
  const auto found = characters_.find(key);
  near.key_ = key;
  near.page_ = found == characters_.end() ? nullptr : &found->second;
}

const Neighborhoods::Character& Neighborhoods::find_outside(std::int32_t column, std::int32_t row, Near& near) const {
  if (near.column_ == column && near.row_ == row) return near.character_;
  const Pages pages = pages_around(near.key_);
  const std::int32_t x = column - near.key_.second * kSide, z = row - near.key_.first * kSide;
  std::uint64_t street = 0;
  for (std::int32_t dz = -kStreetsAround; dz <= kStreetsAround; ++dz)
    for (std::int32_t dx = -kStreetsAround; dx <= kStreetsAround; ++dx) street += street_at(pages, x + dx, z + dz);
  near.character_ = character_of(near.key_, pages, x, z, street);
  near.column_ = column;
  near.row_ = row;
  return near.character_;
}

}  // namespace simbatch::town
