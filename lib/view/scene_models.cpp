#include "lib/view/scene_models.hpp"

#include <array>
#include <iterator>
#include <string>
#include <utility>

#include "lib/sim/vision/cameras.hpp"
#include "lib/view/gltf_world.hpp"
#include "lib/view/motion.hpp"

namespace simbatch::view {
namespace {

std::array<double, 7> numbers_of(const geo::Pose& pose) {
  return {pose.p.x, pose.p.y, pose.p.z, pose.q.w, pose.q.x, pose.q.y, pose.q.z};
}

/// A body in the world, row by row; one row, if its motion is not known.
trace::FrameMotion body_frame(const BuiltView& view, std::size_t mover, const std::string& name) {
  trace::FrameMotion frame{name, "world", {}};
  if (mover < view.motion.bodies.size())
    for (const geo::Pose& pose : view.motion.bodies[mover]) frame.poses.push_back(numbers_of(pose));
  if (frame.poses.empty())
    frame.poses.push_back(numbers_of(view.built.simulation->world().pose(view.scene.movers[mover].body)));
  return frame;
}

/// A wheel in its chassis, likewise.
trace::FrameMotion wheel_frame(const BuiltView& view, std::size_t mover, const std::string& name) {
  const physics::World& world = view.built.simulation->world();
  const scene::MovingFigure& figure = view.scene.movers[mover];
  const geo::Vec3 at = world.vehicle(figure.vehicle).wheels[figure.wheel].position;
  trace::FrameMotion frame{name, world.name(world.chassis(figure.vehicle)), {}};
  const auto add = [&](double length, double steering, double rotation) {
    frame.poses.push_back(
        numbers_of({at - geo::Vec3{0, length, 0}, geo::rotation({0, 1, 0}, steering) * geo::rotation({1, 0, 0}, rotation)}));
  };
  if (mover < view.motion.wheels.size())
    for (const WheelSample& wheel : view.motion.wheels[mover]) add(wheel.length, wheel.steering, wheel.rotation);
  if (frame.poses.empty()) {
    const physics::WheelState wheel = world.wheel(figure.vehicle, figure.wheel);
    add(wheel.suspension_length, wheel.steering, wheel.rotation);
  }
  return frame;
}

}  // namespace

std::vector<trace::SceneModel> scene_models(const BuiltView& view) {
  const sim::Simulation& simulation = *view.built.simulation;
  std::vector<trace::SceneModel> models;
  const auto add = [&models](const std::string& name, const gltf::Asset& asset) {
    std::string glb = gltf::write_glb(asset);
    if (!glb.empty() && !asset.meshes.empty()) models.push_back({name, name, std::move(glb)});
  };
  add("world", fixed_asset(view.scene, simulation));
  for (const scene::MovingFigure& mover : view.scene.movers)
    add(mover_name(simulation, mover), figure_asset(view.scene, simulation, mover));
  return models;
}

std::vector<trace::FrameMotion> frame_motions(const BuiltView& view) {
  const sim::Simulation& simulation = *view.built.simulation;
  const physics::World& world = simulation.world();
  std::vector<trace::FrameMotion> frames, wheels;
  for (std::size_t i = 0; i < view.scene.movers.size(); ++i) {
    const scene::MovingFigure& mover = view.scene.movers[i];
    const std::string name = mover_name(simulation, mover);
    if (mover.body != physics::kNoBody)
      frames.push_back(body_frame(view, i, name));
    else
      wheels.push_back(wheel_frame(view, i, name));
  }
  frames.insert(frames.end(), std::make_move_iterator(wheels.begin()), std::make_move_iterator(wheels.end()));
  for (const scene::RayAppearance& rays : view.built.cameras->renderer().appearance().rays)
    if (const physics::BodyId body = world.find_body(rays.part->name());
        body != physics::kNoBody && world.kind(body) == physics::BodyKind::fixed)
      frames.push_back({rays.part->name(), "world", {numbers_of(world.pose(body))}});
  return frames;
}

}  // namespace simbatch::view
