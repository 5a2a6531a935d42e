#pragma once
/// Colors of bodies, one for each shape. Internal to this room.

#include <array>
#include <map>
#include <optional>

#include "lib/scenario/build.hpp"
#include "lib/sim/scene/appearance.hpp"
#include "lib/sim/scene/painted_scene.hpp"

namespace simbatch::worlds {

/// Red, green, blue as on a screen, and alpha: 0..1.
using Color = std::array<double, 4>;

class BodyColors {
 public:
  explicit BodyColors(const scenario::BuiltScenario& built);

  /// Of a part of a body: its own color where a file gives it one. Ground, roads and buildings of a map have the color that covers
  /// most of their surface in pictures, without models of houses and trees.
  std::optional<Color> of(physics::BodyId body, std::size_t part) const;
  /// Of level ground.
  static Color ground();
  /// Of tires.
  static Color tire();

 private:
  void add(physics::BodyId body, const scene::Paint& paint, const geo::Vec3 (&corners)[3]);

  std::map<std::uint32_t, std::vector<std::optional<std::array<float, 3>>>> given_;
  std::map<std::uint32_t, std::map<Color, double>> areas_;  // m^2, by body
};

}  // namespace simbatch::worlds
