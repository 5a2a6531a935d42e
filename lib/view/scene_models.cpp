#include "lib/view/scene_models.hpp"

#include <string>
#include <utility>

#include "lib/view/gltf_world.hpp"
#include "lib/view/motion.hpp"

namespace simbatch::view {
namespace {

/// Pose of a wheel in its chassis.
geo::Pose wheel_pose(const physics::World& world, const scene::MovingFigure& mover) {
  const physics::WheelState wheel = world.wheel(mover.vehicle, mover.wheel);
  const geo::Vec3 at = world.vehicle(mover.vehicle).wheels[mover.wheel].position;
  return {at - geo::Vec3{0, wheel.suspension_length, 0},
          geo::rotation({0, 1, 0}, wheel.steering) * geo::rotation({1, 0, 0}, wheel.rotation)};
}

}  // namespace

std::vector<trace::SceneModel> scene_models(const BuiltView& view) {
  const sim::Simulation& simulation = *view.built.simulation;
  const physics::World& world = simulation.world();
  std::vector<trace::SceneModel> models;
  const auto add = [&models](std::string id, std::string frame, const gltf::Asset& asset, const geo::Pose& pose) {
    std::string glb = gltf::write_glb(asset);
    if (glb.empty() || asset.meshes.empty()) return;
    models.push_back({std::move(id),
                      std::move(frame),
                      std::move(glb),
                      {pose.p.x, pose.p.y, pose.p.z},
                      {pose.q.w, pose.q.x, pose.q.y, pose.q.z}});
  };
  add("world", "world", fixed_asset(view.scene, simulation), {});
  for (const scene::MovingFigure& mover : view.scene.movers) {
    const std::string name = mover_name(simulation, mover);
    const gltf::Asset asset = figure_asset(view.scene, simulation, mover);
    if (mover.body != physics::kNoBody)
      add(name, name, asset, {});
    else
      add(name, std::string(world.name(world.chassis(mover.vehicle))), asset, wheel_pose(world, mover));
  }
  return models;
}

}  // namespace simbatch::view
