#pragma once
/// The color of a triangle in one word: for formats that know materials but no procedures.

#include <string_view>

#include "lib/sim/scene/paint.hpp"

namespace simbatch::scene {

struct FlatLook {
  std::string_view name;  ///< "wall", "roof", "grass", ...
  Rgb color;              ///< linear
  float roughness = 0.9f, metallic = 0;
};
/// What surface_color() shows from far away.
/// @param middle, normal  of a triangle, in the frame that surface_color() wants
FlatLook flat_look(const Paint& paint, Vec3 middle, Vec3 normal);

}  // namespace simbatch::scene
