// Units allowed in expectations: the SI units of the tree's fields, and common alternatives.

#include <iterator>
#include <numbers>

#include "lib/expect/expectation.hpp"

namespace simbatch::expect {
namespace {

constexpr UnitRow kUnits[] = {
    {"m", "m", 1},
    {"mm", "m", 1e-3},
    {"cm", "m", 1e-2},
    {"km", "m", 1e3},
    {"s", "s", 1},
    {"ms", "s", 1e-3},
    {"min", "s", 60},
    {"h", "s", 3600},
    {"rad", "rad", 1},
    {"deg", "rad", std::numbers::pi / 180},
    {"m/s", "m/s", 1},
    {"km/h", "m/s", 1 / 3.6},
    {"rad/s", "rad/s", 1},
    {"deg/s", "rad/s", std::numbers::pi / 180},
    {"rpm", "rad/s", std::numbers::pi / 30},
    {"m/s^2", "m/s^2", 1},
    {"kg", "kg", 1},
    {"g", "kg", 1e-3},
    {"N", "N", 1},
    {"kN", "N", 1e3},
    {"Nm", "N m", 1},
    {"V", "V", 1},
    {"Hz", "Hz", 1},
    {"%", "1", 1e-2},
};

}  // namespace

const UnitRow* find_unit(std::string_view name) {
  for (const UnitRow& unit : kUnits)
    if (unit.name == name) return &unit;
  return nullptr;
}

std::string known_units() {
  std::string text;
  for (const UnitRow& unit : kUnits) text += (text.empty() ? "" : ", ") + std::string(unit.name);
  return text;
}

}  // namespace simbatch::expect
