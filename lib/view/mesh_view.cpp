#include "lib/view/mesh_view.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <utility>

#include "base/geo/frames.hpp"
#include "lib/sim/vision/cameras.hpp"
#include "lib/sim/vision/embree_device.hpp"

namespace simbatch::view {
namespace {

using Color = std::array<float, 3>;

/// The triangles of a mesh by color, with y up; the exchange of axes is a reflection, so that each turns around.
std::map<Color, geo::TriangleMesh> by_color(const ColoredMesh& mesh) {
  std::vector<geo::Vec3> points;
  for (const auto& [x, y, z] : mesh.points) points.push_back(geo::swap_up(mesh.pose * geo::Vec3{x, y, z}));
  std::map<Color, geo::TriangleMesh> parts;
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    const auto [a, b, c] = mesh.triangles[t];
    parts[t < mesh.colors.size() ? mesh.colors[t] : Color{0.7F, 0.7F, 0.7F}].add(points[a], points[c], points[b]);
  }
  return parts;
}

/// A body of these parts; its lowest point lowers `lowest`.
void add_mesh(const ColoredMesh& mesh, std::size_t number, physics::World& world, scene::Appearance& look, double& lowest) {
  physics::BodySettings body;
  body.name = "mesh." + std::to_string(number);
  body.kind = physics::BodyKind::kinematic;
  std::vector<std::optional<Color>> colors;
  for (auto& [color, part] : by_color(mesh)) {
    if (!physics::check_shape(part).empty()) continue;
    for (const geo::Vec3& p : part.points) lowest = std::min(lowest, p.y);
    body.parts.push_back({std::move(part), {}});
    colors.emplace_back(color);
  }
  if (body.parts.empty()) return;
  const physics::BodyId id = world.add_body(std::move(body));
  look.colors[static_cast<std::uint32_t>(id)] = std::move(colors);
}

}  // namespace

std::optional<BuiltView> view_of_meshes(std::span<const ColoredMesh> meshes, Diagnostics& problems) {
  scenario::BuiltScenario built;
  built.simulation = std::make_unique<sim::Simulation>(sim::SimulationSettings{});
  sim::Simulation& simulation = *built.simulation;
  scene::Appearance look;
  double lowest = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < meshes.size(); ++i) add_mesh(meshes[i], i, simulation.world(), look, lowest);
  if (look.colors.empty()) return std::nullopt;
  simulation.world().add_plane(lowest);
  built.cameras = &simulation.add(std::make_unique<sim::vision::Cameras>(
      simulation, std::vector<sim::vision::ImagingCamera>{}, std::move(look), std::make_shared<sim::vision::EmbreeDevice>()));
  simulation.start();
  return view_of(std::move(built), problems);
}

}  // namespace simbatch::view
