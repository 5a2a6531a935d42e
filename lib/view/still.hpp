#pragma once
/// A picture of a world as it begins, from where all of it that can move is seen.

#include "base/image/png.hpp"
#include "lib/view/rebuild.hpp"

namespace simbatch::view {

struct StillOptions {
  int width = 960, height = 720;  ///< pixels, 1..8192
  double azimuth = -55;           ///< degrees of the eye about the vertical, from +x (east) towards north
  double elevation = 25;          ///< degrees above the horizon
  int samples = 3;                ///< n x n rays per pixel, 1..8
};

/// Draws the current state with the renderer of all cameras (lib/sim/vision): ground, shadows, models. The picture is filled by
/// what can move; in a world in which nothing can, by what lies within 100 m of the origin.
image::Image still_of(BuiltView& view, const StillOptions& options);

}  // namespace simbatch::view
