#pragma once
/// Everything visible of a world, as models for MCAP files.

#include <string>
#include <vector>

#include "formats/trace/write.hpp"
#include "lib/view/rebuild.hpp"

namespace simbatch::view {

/// What never moves as one model in the frame of the world; each moving body and each wheel as one in its own.
std::vector<trace::SceneModel> scene_models(const BuiltView& view);

/// The frames of these, row by row of the view's motion: bodies in the world, wheels in their bodies; and those of fixed bodies
/// with sensors.
std::vector<trace::FrameMotion> frame_motions(const BuiltView& view);

/// The paths of missions, and the lanes and zones of road networks, just over the ground or the water.
std::vector<trace::PathModel> path_models(const BuiltView& view);
/// The same as a GeoJSON document, each with a name and a kind (mission, lane or zone); empty if the scenario is nowhere on the
/// earth, or has no paths.
std::string paths_geojson(const scenario::BuiltScenario& built);

/// Size and field of view of all cameras.
std::vector<trace::CameraModel> camera_models(const scenario::BuiltScenario& built);

/// The sensors of several rays. Those of one layer at equal angles are fans.
std::vector<trace::ScanModel> scan_models(const BuiltView& view);

}  // namespace simbatch::view
