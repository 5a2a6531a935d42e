#pragma once
/// GraspIt!'s materials: friction of pairs, and the default material.

#include <optional>
#include <string_view>

namespace simbatch::grasp {

inline constexpr std::string_view kDefaultMaterial = "wood";
inline constexpr double kDefaultMass = 0.3;  ///< kg

/// Coefficients of a pair. Symmetric.
struct Friction {
  double at_rest = 0;  ///< static
  double sliding = 0;  ///< kinetic: 0.1 less, except with frictionless, where both are 0
};
/// GraspIt!'s own table (measured: the loader's text and user settings of version 2.1.0, the same in later ones).
/// @return nothing for a name that is not one of frictionless, glass, metal, plastic, wood, rubber, stone
std::optional<Friction> pair_friction(std::string_view a, std::string_view b);
/// Index from 0 in the order above; nothing for another name.
std::optional<int> material_index(std::string_view name);

}  // namespace simbatch::grasp
