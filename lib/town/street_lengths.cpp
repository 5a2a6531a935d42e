// Own: pieces are short enough to count where their middles are.
#include "lib/town/street_lengths.hpp"

#include <algorithm>
#include <bit>

namespace simbatch::town {
namespace {
constexpr double kPart = 16, kLongest = 2000;  // m
constexpr std::uint32_t kMost = 10'000'000;    // mm in a square
constexpr int kShift = std::countr_zero(static_cast<std::uint32_t>(StreetLengths::kSide));
}  // namespace

inline std::uint32_t& StreetLengths::at(std::int32_t column, std::int32_t row) {
  const Key key{row >> kShift, column >> kShift};
  if (last_ == nullptr || key != last_key_) {
    last_ = &pages_[key];
    last_key_ = key;
  }
  constexpr std::int32_t kWithin = kSide - 1;
  return (*last_)[static_cast<std::size_t>((row & kWithin) * kSide + (column & kWithin))];
}

void StreetLengths::add(Vec2 a, Vec2 b) {
  const Vec2 whole = b - a;
  const double meters = length(whole);
  if (!(meters < kLongest)) return;
  // Equal parts, 16 m to 32 m long if it is not shorter.
  const int parts = std::max(1, static_cast<int>(meters / kPart));
  const auto millimeters = static_cast<std::uint32_t>(meters * 1000 / parts);
  for (int part = 0; part < parts; ++part) {
    const Vec2 middle = a + whole * ((part + 0.5) / parts);
    std::uint32_t& sum = at(square_of(middle.x, kSquare), square_of(middle.z, kSquare));
    sum = std::min(sum + millimeters, kMost);
  }
}

StreetLengths::Around::Around(const StreetLengths& streets, const Key& middle) {
  std::size_t n = 0;
  for (std::int32_t dz = -1; dz <= 1; ++dz)
    for (std::int32_t dx = -1; dx <= 1; ++dx, ++n)
      if (const auto found = streets.pages_.find({middle.first + dz, middle.second + dx}); found != streets.pages_.end())
        pages_[n] = &found->second;
}

}  // namespace simbatch::town
