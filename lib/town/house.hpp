#pragma once
/// A placed house, and the sizes for its box.

#include <cstdint>
#include <tuple>

#include "lib/town/geometry.hpp"
#include "lib/town/plane.hpp"

namespace simbatch::town {

/// Reasons why a house cannot be placed.
enum class Reason : std::uint8_t {
  road,      ///< touches a road's corridor (its own or another's)
  path,      ///< touches a way for pedestrians or bicycles
  building,  ///< touches a mapped building
  house,     ///< touches an earlier house, or is closer to its neighbor than the requested gap
  water,     ///< touches water
  railway,
  land_use,  ///< the land use has no section in the house list
  median,    ///< between the carriageways of one road, inside a roundabout, or beyond another road
  bounds,    ///< outside the map's bounds
  barrier,   ///< another mapped object: a fort's wall, a pier, a tank
  // With Rules only:
  cut_off,    ///< something lies between it and its street
  unsettled,  ///< no sign of settlement
  ramp,       ///< along or close beside a street that is not on the ground
};
inline constexpr std::size_t kReasons = 13;
/// Reasons of the thesis' rules; those that follow occur with Rules only.
inline constexpr std::size_t kPlainReasons = 10;
/// "road corridor", "mapped building", ...: for summaries.
const char* to_text(Reason reason);

/// Rounding to millimeters, and to 10^-7 degrees in the output, moves a box by up to 8 mm.
inline constexpr double kRounding = 0.02;

/// 12 bytes.
struct House {
  Point center;
  std::uint16_t heading = 0;  ///< compass direction of the front, hundredths of a degree, 0..35999
  std::uint16_t model = 0;    ///< index into the models of the house list, all sections concatenated
  friend bool operator==(const House&, const House&) = default;
};

/// Half the sizes of a model, by House::model.
struct HouseSize {
  double half_x = 0, half_z = 0;
};

/// Unit vector of a compass direction given in hundredths of a degree: 0 = north (+z), 9000 = east (+x). The four main
/// directions are exact, so that boxes along a north-south street have exact sides.
Vec2 direction_of(std::uint16_t heading);
/// The nearest hundredth of a degree, 0..35999.
std::uint16_t heading_of(Vec2 direction);

/// The box of a house, `v` to its front.
inline Box box_of(const House& house, const HouseSize& size) {
  const Vec2 front = direction_of(house.heading);
  return {meters(house.center), {front.z, -front.x}, front, size.half_x, size.half_z};
}

/// An obstacle that blocks a box.
struct Hit {
  double clear_after = 0;  ///< m along the box's u: no position closer than that is free; 0: nothing blocks
  Reason reason = Reason::road;
  bool is_house = false;
  std::uint32_t number = 0xFFFFFFFF;  ///< of the obstacle; for a house, its number in HouseGrid
  Point house{};                      ///< its middle
  explicit operator bool() const { return clear_after > 0; }
  /// Keeps the hit with the larger distance. Ties (two segments that meet) are resolved independently of the order of tests and
  /// of the numbers of houses, which depend on the threads.
  void take(const Hit& other) {
    const auto rank = [](const Hit& hit) {
      return std::tuple(hit.reason, hit.is_house, hit.is_house ? 0 : hit.number, hit.house.x, hit.house.z);
    };
    if (other.clear_after > clear_after || (other.clear_after == clear_after && rank(other) < rank(*this))) *this = other;
  }
};

}  // namespace simbatch::town
