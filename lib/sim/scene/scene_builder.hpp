#pragma once
/// Converts the bodies of a world and their appearance to painted triangles.

#include <map>
#include <tuple>

#include "lib/sim/scene/appearance.hpp"
#include "lib/sim/scene/model_store.hpp"
#include "lib/sim/scene/painted_scene.hpp"
#include "lib/sim/simulation.hpp"

namespace simbatch::scene {

class SceneBuilder {
 public:
  /// @param appearance  must outlive the builder
  SceneBuilder(const sim::Simulation& simulation, const Appearance& appearance);

  /// Terrains that are meshes are copied, three points a triangle, or refer to the world's; those that are grids become a mesh
  /// that is the figure's, or one that others may keep (FixedFigure::shared).
  enum class Terrains { copied, shared };
  /// All current bodies and wheels of the world. Model files are read on first use.
  PaintedScene build(Terrains terrains = Terrains::copied);
  /// Reads the same model files as build() to report their problems, without making triangles.
  void check_models();
  Diagnostics& problems() { return models_.problems(); }

 private:
  /// Key of a shared shape: a figure or a model's file, and the box that it fills.
  using ShapeKey = std::tuple<Material, std::string, std::string, double, double, double>;
  struct KnownShape {
    std::uint32_t shape = 0;
    std::uint32_t first_paint = 0;  ///< for a model: all its instances look the same
    double eaves = 0;               ///< of a house, m over its base; of a car, the belt, m over its middle
  };

  void add_terrain(physics::BodyId body);
  void add_drawn(const DrawnSurface& surface);
  /// Adds a paint for each stretch of a mesh with that many triangles.
  std::vector<PaintStretch> stretch_paints(const std::vector<TerrainStretch>& stretches, std::size_t triangles);
  void add_fixed(physics::BodyId body);
  void add_mover(physics::BodyId body);
  void add_wheels(physics::VehicleId vehicle);
  /// Adds a box-shaped part as a house, tree or model; false if it is none of these.
  bool add_instance(physics::BodyId body, std::size_t index, const physics::Part& part, const PartAppearance& look,
                    const geo::Pose& pose);
  std::uint32_t add_shape(const Figure& figure);
  /// Adds the shape of a part, with its material.
  Figure part_figure(physics::BodyId body, std::size_t index, const physics::Part& part, const PartAppearance& known,
                     const geo::Pose& pose, std::vector<Paint>& paints) const;
  bool is_car(physics::BodyId body, const std::vector<physics::Part>& parts) const;
  void append(PaintedMesh& to, const Figure& figure, const std::vector<Paint>& paints, const geo::Pose& pose);
  std::uint32_t add_paint(const Paint& paint);

  const sim::Simulation& simulation_;
  const Appearance& appearance_;
  ModelStore models_;
  PaintedScene scene_;                     // of the current build()
  Terrains terrains_ = Terrains::copied;   // in it
  std::map<ShapeKey, KnownShape> shapes_;  // of it
  bool has_opened_ground_ = false;         // the same: a mesh in place of a grid
  double lowest_mesh_ = 0;                 // m, of all terrains that are meshes
};

}  // namespace simbatch::scene
