#pragma once
/// Everything visible of a world, as models for MCAP files.

#include <vector>

#include "formats/trace/write.hpp"
#include "lib/view/rebuild.hpp"

namespace simbatch::view {

/// What never moves as one model in the frame of the world, each moving body as one in its own frame, and each wheel in the
/// frame of its body, where it is now.
std::vector<trace::SceneModel> scene_models(const BuiltView& view);

/// The sensors of several rays. Those of one layer at equal angles are fans.
std::vector<trace::ScanModel> scan_models(const BuiltView& view);

}  // namespace simbatch::view
