// Own: street networks as a measure of age and density (Southworth and Ben-Joseph, Streets and the shaping of towns and cities,
// 1997, has lengths of street an area by period); heights by density are usual numbers of stories.
#include "lib/town/neighborhoods.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "lib/town/cells.hpp"
#include "lib/town/hash.hpp"

namespace simbatch::town {
namespace {
constexpr std::int32_t kStreetsAround = 2;  // squares to each side whose streets count
constexpr std::int32_t kBeside = 1;         // squares to each side whose buildings count
constexpr std::int32_t kAlike = 4;          // squares along the side of a place of one `variation`
constexpr std::uint64_t kEstate = 120;      // dm: mean height of mapped buildings
constexpr std::uint32_t kFewest = 2;        // mapped buildings that make a usual height or roof

std::int32_t square_of(double m) { return static_cast<std::int32_t>(std::floor(m / Neighborhoods::kSquare)); }

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

void Neighborhoods::add_street(Vec2 a, Vec2 b) {
  each_street_part(a, b, [this](Vec2 p, std::uint32_t millimeters) {
    std::uint32_t& sum = square(square_of(p.x), square_of(p.z)).street;
    sum = std::min<std::uint32_t>(sum + millimeters, 10'000'000);
  });
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

Neighborhoods::Character Neighborhoods::look_around(std::int32_t column, std::int32_t row) const {
  std::uint64_t street = 0, height = 0;
  std::uint32_t heights = 0;
  std::array<std::uint32_t, 4> roofs{};
  Key last{INT32_MIN, 0};
  const Page* page = nullptr;
  for (std::int32_t z = row - kStreetsAround; z <= row + kStreetsAround; ++z)
    for (std::int32_t x = column - kStreetsAround; x <= column + kStreetsAround; ++x) {
      const Key key{floor_div(z, kSide), floor_div(x, kSide)};
      if (key != last) {
        const auto found = pages_.find(key);
        page = found == pages_.end() ? nullptr : &found->second;
        last = key;
      }
      if (page == nullptr) continue;
      const Square& at = (*page)[static_cast<std::size_t>((z - key.first * kSide) * kSide + x - key.second * kSide)];
      street += at.street;
      if (std::abs(x - column) > kBeside || std::abs(z - row) > kBeside) continue;
      height += at.height;
      heights += at.heights;
      for (std::size_t r = 1; r < roofs.size(); ++r) roofs[r] += at.roofs[r];
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

const Neighborhoods::Character& Neighborhoods::at(Vec2 place, Near& near) const {
  const std::int32_t column = square_of(place.x), row = square_of(place.z);
  // Streets come back to the same squares on both sides and in every pass.
  Near::Known& known =
      near.known_[static_cast<std::size_t>((row & (Near::kSide - 1)) * Near::kSide + (column & (Near::kSide - 1)))];
  if (known.column != column || known.row != row) known = {column, row, look_around(column, row)};
  return known.character;
}

}  // namespace simbatch::town
