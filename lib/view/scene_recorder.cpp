#include "lib/view/scene_recorder.hpp"

#include <utility>

#include "lib/sim/scene/scene_builder.hpp"
#include "lib/sim/vision/cameras.hpp"
#include "lib/view/rebuild.hpp"

namespace simbatch::view {

void SceneRecorder::look() {
  scene::SceneBuilder builder(*built_.simulation, built_.cameras->renderer().appearance());
  scene_ = builder.build();
  problems_.append(std::move(builder.problems()));
  cameras_ = cameras_of(built_);
  recorder_.emplace(*built_.simulation, scene_);
}

void SceneRecorder::record(std::int64_t step) {
  if (!recorder_) look();
  recorder_->record(step);
}

std::string SceneRecorder::glb(Diagnostics& problems) {
  if (!recorder_) look();
  problems.append(std::exchange(problems_, {}));
  return world_glb(world_asset(scene_, *built_.simulation, cameras_, &recorder_->motion()), problems);
}

}  // namespace simbatch::view
