#pragma once
/// Everything visible of a world, as models for MCAP files.

#include <vector>

#include "formats/trace/write.hpp"
#include "lib/view/rebuild.hpp"

namespace simbatch::view {

/// What never moves as one model in the frame of the world; each moving body and each wheel as one in its own.
std::vector<trace::SceneModel> scene_models(const BuiltView& view);

/// The frames of these, row by row of the view's motion: bodies in the world, wheels in their bodies; and those of fixed bodies
/// with sensors.
std::vector<trace::FrameMotion> frame_motions(const BuiltView& view);

/// The sensors of several rays. Those of one layer at equal angles are fans.
std::vector<trace::ScanModel> scan_models(const BuiltView& view);

}  // namespace simbatch::view
