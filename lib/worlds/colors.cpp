#include "lib/worlds/colors.hpp"

#include <algorithm>

#include "base/core/number.hpp"
#include "lib/sim/scene/flat_look.hpp"
#include "lib/sim/scene/palette.hpp"
#include "lib/sim/scene/scene_builder.hpp"
#include "lib/sim/simulation.hpp"
#include "lib/sim/vision/cameras.hpp"

namespace simbatch::worlds {
namespace {

Color color_of(scene::Rgb linear) {
  const auto share = [](float value) { return static_cast<double>(scene::screen_byte(value)) / 255; };
  return {share(linear.r), share(linear.g), share(linear.b), 1};
}

/// Calls `add(paint, corners)` for each triangle. @param first_paint  of the instance, else 0
template <class Add>
void for_each_triangle(const scene::PaintedMesh& mesh, std::uint32_t first_paint, const geo::Pose& pose, Add add) {
  for (std::size_t t = 0; t < mesh.paints.size(); ++t) {
    const auto corner = [&](std::size_t k) { return pose * mesh.points[mesh.indices[3 * t + k]]; };
    add(first_paint + mesh.paints[t], {corner(0), corner(1), corner(2)});
  }
}

}  // namespace

BodyColors::BodyColors(const scenario::BuiltScenario& built) {
  scene::Appearance appearance = built.cameras->renderer().appearance();
  given_ = appearance.colors;
  appearance.drawn.clear();
  appearance.bodies.clear();
  for (auto& [body, parts] : appearance.parts)
    for (scene::PartAppearance& part : parts) part.model = {};
  const physics::World& world = built.simulation->world();
  const auto is_of_map = [&](physics::BodyId body) {
    return body != physics::kNoBody && (world.is_terrain(body) || appearance.parts.contains(static_cast<std::uint32_t>(body)));
  };
  const scene::PaintedScene painted = scene::SceneBuilder(*built.simulation, appearance).build();
  using Corners = geo::Vec3[3];
  for (const scene::FixedFigure& figure : painted.fixed)
    if (is_of_map(figure.body))
      for_each_triangle(figure.mesh, 0, {},
                        [&](std::uint32_t paint, const Corners& corners) { add(figure.body, painted.paints[paint], corners); });
  for (const scene::Instance& instance : painted.instances)
    if (is_of_map(instance.body))
      for_each_triangle(
          painted.shapes[instance.shape].mesh, instance.first_paint, instance.pose,
          [&](std::uint32_t paint, const Corners& corners) { add(instance.body, painted.paints[paint], corners); });
}

void BodyColors::add(physics::BodyId body, const scene::Paint& paint, const geo::Vec3 (&corners)[3]) {
  const geo::Vec3 turn = geo::cross(corners[1] - corners[0], corners[2] - corners[0]);
  const double twice = geo::length(turn);
  if (!(twice > 0)) return;
  const geo::Vec3 middle = (1.0 / 3) * (corners[0] + corners[1] + corners[2]);
  areas_[static_cast<std::uint32_t>(body)][color_of(scene::flat_look(paint, middle, (1 / twice) * turn).color)] += twice / 2;
}

std::optional<Color> BodyColors::of(physics::BodyId body, std::size_t part) const {
  const auto id = static_cast<std::uint32_t>(body);
  if (const auto given = given_.find(id); given != given_.end() && part < given->second.size() && given->second[part]) {
    const std::array<float, 3>& color = *given->second[part];
    return Color{in_255ths(color[0]), in_255ths(color[1]), in_255ths(color[2]), 1};
  }
  const auto areas = areas_.find(id);
  if (areas == areas_.end()) return std::nullopt;
  return std::max_element(areas->second.begin(), areas->second.end(),
                          [](const auto& a, const auto& b) { return a.second < b.second; })
      ->first;
}

Color BodyColors::ground() {
  scene::Paint paint;
  paint.material = scene::Material::ground;
  return color_of(scene::flat_look(paint, {}, {0, 1, 0}).color);
}

Color BodyColors::tire() { return color_of(scene::wheel_paint(0).color); }

}  // namespace simbatch::worlds
