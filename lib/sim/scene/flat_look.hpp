#pragma once
/// A single color per paint, for formats without procedural textures.

#include <string_view>

#include "lib/sim/scene/paint.hpp"

namespace simbatch::scene {

struct FlatLook {
  std::string_view name;  ///< "wall", "roof", "grass", ...
  Rgb color;              ///< linear
  float roughness = 0.9f, metallic = 0;
};
/// Approximates surface_color() seen from far away. @param middle, normal  of a triangle, in the frame of surface_color()
FlatLook flat_look(const Paint& paint, Vec3 middle, Vec3 normal);

}  // namespace simbatch::scene
