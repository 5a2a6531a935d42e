#pragma once
/// From the bodies of a world and what is known of their appearance to painted triangles. Internal to this room; needs no Embree.

#include "lib/sim/scene/appearance.hpp"
#include "lib/sim/scene/model_store.hpp"
#include "lib/sim/scene/painted_scene.hpp"
#include "lib/sim/simulation.hpp"

namespace simbatch::scene {

class SceneBuilder {
 public:
  /// @param appearance  must outlive the builder
  SceneBuilder(const sim::Simulation& simulation, const Appearance& appearance);

  /// All bodies and wheels that the world has now. Model files are read at the first call that needs them.
  PaintedScene build();
  Diagnostics& problems() { return models_.problems(); }

 private:
  void add_terrain(physics::BodyId body);
  void add_fixed(physics::BodyId body);
  void add_mover(physics::BodyId body);
  void add_wheels(physics::VehicleId vehicle);
  /// The shape of a part, with the material that is known of it.
  Figure part_figure(physics::BodyId body, std::size_t index, const physics::Part& part, const PartAppearance& known,
                     const geo::Pose& pose, std::vector<Paint>& paints) const;
  bool is_car(physics::BodyId body, const std::vector<physics::Part>& parts) const;
  void append(PaintedMesh& to, const Figure& figure, const std::vector<Paint>& paints, const geo::Pose& pose);
  std::uint32_t add_paint(const Paint& paint);

  const sim::Simulation& simulation_;
  const Appearance& appearance_;
  ModelStore models_;
  PaintedScene scene_;  // of the build() at hand
};

}  // namespace simbatch::scene
