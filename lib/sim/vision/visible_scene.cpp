#include "lib/sim/vision/visible_scene.hpp"

#include <utility>

namespace simbatch::sim::vision {

using namespace scene;

namespace {

std::unique_ptr<Surface> surface_of(const PaintedMesh& mesh, const std::shared_ptr<EmbreeDevice>& device) {
  auto surface = std::make_unique<Surface>(device);
  surface->add_triangles(mesh.points, mesh.indices, mesh.paints);
  surface->commit();
  return surface;
}

void add_fixed(std::vector<FixedFigure> figures, Surface& to) {
  std::size_t points = 0, copied = 0;
  for (const FixedFigure& figure : figures) {
    points += figure.shared ? figure.shared->points.size() : figure.mesh.points.size();
    copied += figure.mesh.paints.size();
  }
  to.reserve(points, copied);
  for (FixedFigure& figure : figures) {
    if (figure.shared) {
      std::vector<Surface::TagRun> tags;
      for (const PaintStretch& stretch : figure.stretches) tags.push_back({stretch.first_triangle, stretch.paint});
      to.add_mesh(std::move(figure.shared), tags);
    } else {
      to.add_triangles(figure.mesh.points, figure.mesh.indices, figure.mesh.paints);
    }
    figure.mesh = {};  // what is large is not kept twice
  }
}

}  // namespace

VisibleScene::VisibleScene(const Simulation& simulation, Appearance appearance, std::shared_ptr<EmbreeDevice> device)
    : simulation_(simulation),
      appearance_(std::move(appearance)),
      device_(std::move(device)),
      builder_(simulation, appearance_),
      roads_(appearance_.roads) {}

void VisibleScene::update(const Moment* then) {
  const physics::World& world = simulation_.world();
  if (!fixed_ || bodies_ != world.body_count() || vehicles_ != world.vehicle_count()) collect();
  for (Mover& mover : movers_) {
    const bool is_body = mover.body != physics::kNoBody;
    const geo::Pose* past = then == nullptr ? nullptr
                            : is_body       ? then->body(mover.body)
                                            : then->wheel(mover.vehicle, mover.wheel);
    if (past != nullptr)
      mover.pose = *past;
    else
      mover.pose = is_body ? world.pose(mover.body) : world.wheel(mover.vehicle, mover.wheel).pose;
    mover.inverse_pose = inverse(mover.pose);
    mover.center = mover.pose * mover.middle;
  }
}

void VisibleScene::collect() {
  const physics::World& world = simulation_.world();
  bodies_ = world.body_count();
  vehicles_ = world.vehicle_count();
  PaintedScene scene = builder_.build(SceneBuilder::Terrains::shared);
  fixed_ = std::make_unique<Surface>(device_);
  shapes_.clear();
  for (const SharedShape& shape : scene.shapes) shapes_.push_back(surface_of(shape.mesh, device_));
  for (const Instance& instance : scene.instances)
    fixed_->add_instance(*shapes_[instance.shape], instance.pose, instance.first_paint);
  add_fixed(std::exchange(scene.fixed, {}), *fixed_);
  scene.instances = {};
  scene.shapes = {};
  fixed_->commit();
  movers_.clear();
  for (const MovingFigure& from : scene.movers) {
    Mover mover;
    mover.surface = surface_of(from.mesh, device_);
    if (mover.surface->empty()) continue;  // only triangles without area
    mover.body = from.body;
    mover.vehicle = from.vehicle;
    mover.wheel = from.wheel;
    mover.middle = from.middle;
    mover.radius = from.radius;
    movers_.push_back(std::move(mover));
  }
  paints_ = std::move(scene.paints);
  plain_y_ = scene.plain_y;
  plain_is_ground_ = scene.plain_is_ground;
  water_y_ = scene.water_y;
}

}  // namespace simbatch::sim::vision
