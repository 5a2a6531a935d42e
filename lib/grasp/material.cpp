// The table of static friction of GraspIt! 2.1.0 (docs/formats/graspit.md, "Friction").
#include "lib/grasp/material.hpp"

#include <cstddef>

namespace simbatch::grasp {
namespace {

constexpr std::string_view kNames[] = {"frictionless", "glass", "metal", "plastic", "wood", "rubber", "stone"};
// glass metal plastic wood rubber stone
constexpr double kStatic[6][6] = {{0.2, 0.2, 0.2, 0.3, 1.0, 0.3}, {0.2, 0.2, 0.2, 0.3, 1.0, 0.4},
                                  {0.2, 0.2, 0.3, 0.4, 1.0, 0.4}, {0.3, 0.3, 0.4, 0.4, 1.0, 0.6},
                                  {1.0, 1.0, 1.0, 1.0, 2.0, 1.5}, {0.3, 0.4, 0.4, 0.6, 1.5, 0.7}};

}  // namespace

std::optional<int> material_index(std::string_view name) {
  for (int i = 0; i < 7; ++i)
    if (kNames[i] == name) return i;
  return std::nullopt;
}

std::optional<Friction> pair_friction(std::string_view a, std::string_view b) {
  const auto i = material_index(a), j = material_index(b);
  if (!i || !j) return std::nullopt;
  if (*i == 0 || *j == 0) return Friction{};
  const double at_rest = kStatic[*i - 1][*j - 1];
  return Friction{at_rest, at_rest - 0.1};
}

}  // namespace simbatch::grasp
