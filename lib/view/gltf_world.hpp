#pragma once
/// A world, optionally with a run in it, as a glTF scene: docs/formats/gltf.md.

#include "base/core/diagnostics.hpp"
#include "formats/gltf/gltf.hpp"
#include "lib/view/motion.hpp"

namespace simbatch::view {

/// A camera of a robot.
struct WorldCamera {
  std::string name;          ///< full, in the tree
  physics::BodyId body{};    ///< that carries it
  geo::Pose pose;            ///< in the body; +z looks forward
  double field_of_view = 1;  ///< vertical, rad
  double aspect = 4.0 / 3;   ///< width / height
};

/// Nodes have the names of the tree; wheels and cameras are children of their bodies, instances are children of the fixed body
/// that they belong to. z is mirrored, since our frame is left-handed as axes (ADR 2) and glTF's is not.
/// @param dt      s; times of the animation are steps * dt
/// @param motion  nullptr: no animation, the current poses; else what moves is where it is in the first row
gltf::Asset world_asset(const scene::PaintedScene& scene, const sim::Simulation& simulation,
                        const std::vector<WorldCamera>& cameras, const Motion* motion);

/// What never moves: fixed bodies and instances.
gltf::Asset fixed_asset(const scene::PaintedScene& scene, const sim::Simulation& simulation);
/// A moving body or wheel in its own frame.
gltf::Asset figure_asset(const scene::PaintedScene& scene, const sim::Simulation& simulation,
                         const scene::MovingFigure& figure);

/// The GLB file of world_asset(); empty after reporting view-too-large.
std::string world_glb(const gltf::Asset& asset, Diagnostics& problems, std::uint64_t max_bytes = gltf::kMaxBytes);

}  // namespace simbatch::view
