#pragma once
/// The painted scene as surfaces for ray casting, at the current poses. Internal to this room.

#include <memory>
#include <vector>

#include "lib/sim/scene/scene_builder.hpp"
#include "lib/sim/simulation.hpp"
#include "lib/sim/vision/moment.hpp"
#include "lib/sim/vision/surface.hpp"

namespace simbatch::sim::vision {

/// A body or wheel that moves.
struct Mover {
  std::unique_ptr<Surface> surface;         // own frame
  physics::BodyId body = physics::kNoBody;  // kNoBody: a wheel
  physics::VehicleId vehicle{};
  std::size_t wheel = 0;
  geo::Vec3 middle;  // of its bounding sphere, own frame
  double radius = 0;
  geo::Pose pose, inverse_pose;  // now
  geo::Vec3 center;              // of the sphere, current
};

class VisibleScene {
 public:
  VisibleScene(const Simulation& simulation, scene::Appearance appearance, std::shared_ptr<EmbreeDevice> device);

  VisibleScene(const VisibleScene&) = delete;  // the builder refers to the appearance
  VisibleScene& operator=(const VisibleScene&) = delete;

  /// Adds new bodies, and updates movers to their poses. @param then  of that moment; null: now
  void update(const Moment* then = nullptr);
  const Surface& fixed() const { return *fixed_; }
  const std::vector<Mover>& movers() const { return movers_; }
  const scene::Paint& paint(std::uint32_t tag) const { return paints_[tag]; }
  const scene::RoadMap& roads() const { return roads_; }
  const std::vector<scene::LightAppearance>& lights() const { return appearance_.lights; }
  const scene::Appearance& appearance() const { return appearance_; }
  /// y of the plain that continues beyond the terrain's edge, if there is one.
  const std::optional<double>& plain_y() const { return plain_y_; }
  /// The plain hides everything below it.
  bool plain_is_ground() const { return plain_is_ground_; }
  /// PaintedScene::water_y
  const std::optional<double>& water_y() const { return water_y_; }
  /// SceneBuilder::check_models()
  void check_models() { builder_.check_models(); }
  Diagnostics& problems() { return builder_.problems(); }

 private:
  void collect();

  const Simulation& simulation_;
  const scene::Appearance appearance_;
  std::shared_ptr<EmbreeDevice> device_;
  scene::SceneBuilder builder_;
  scene::RoadMap roads_;
  std::vector<std::unique_ptr<Surface>> shapes_;  // shapes of houses and trees, instanced in fixed_
  std::unique_ptr<Surface> fixed_;
  std::vector<Mover> movers_;
  std::vector<scene::Paint> paints_;
  std::optional<double> plain_y_, water_y_;
  bool plain_is_ground_ = false;
  std::size_t bodies_ = 0, vehicles_ = 0;
};

}  // namespace simbatch::sim::vision
