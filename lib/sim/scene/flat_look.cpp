// The mean color of each procedural texture (paint.cpp), without detail.

#include "lib/sim/scene/flat_look.hpp"

#include <cmath>

namespace simbatch::scene {

FlatLook flat_look(const Paint& paint, Vec3 middle, Vec3 normal) {
  const auto y = static_cast<float>(middle.y);
  switch (paint.material) {
    case Material::ground: return {"grass", screen_color(116, 138, 72)};
    case Material::road: return {"asphalt", screen_color(92, 93, 97)};
    case Material::junction: return {"junction", screen_color(90, 91, 95)};
    case Material::pavement: return {"pavement", screen_color(172, 166, 154)};
    case Material::kerb: return {"kerb", screen_color(206, 202, 194)};
    case Material::building:
    case Material::house:
      if (normal.y > 0.3) return {"roof", paint.second};
      return {"wall", paint.color};
    case Material::tree: return {"leaves", paint.color};
    case Material::vehicle:
      if (y > paint.base && normal.y < 0.85) return {"glass", paint.second, 0.1f, 0.2f};
      if (normal.y < -0.5) return {"underbody", screen_color(38, 38, 40)};
      return {"sheet_metal", paint.color, 0.35f, 0.3f};
    case Material::wheel:
      if (std::abs(normal.x) > 0.5) return {"rim", paint.second, 0.4f, 0.6f};
      return {"tire", paint.color};
    case Material::plain: break;
  }
  return {"plain", paint.color, 0.7f};
}

}  // namespace simbatch::scene
