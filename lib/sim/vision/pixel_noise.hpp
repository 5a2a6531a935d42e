#pragma once
/// Noise of a camera's pixels. Internal to this room, but for its name.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "lib/sim/device/noise.hpp"

namespace simbatch::sim::vision {

/// What a camera adds to the pixels of a picture: a pure function of these members, however often and in whichever order pictures
/// are drawn.
struct PixelNoise {
  std::uint64_t seed = 0;          ///< of the run
  std::string camera;              ///< fully qualified name
  std::vector<NoiseSpec> sources;  ///< offset and range as shares of a channel's full value, 1
  std::int64_t step = 0;           ///< of the moment that the picture shows
};

/// Adds each source's value to each channel of each pixel, and rounds to the nearest of 0..255. Every channel draws its own number
/// from each source: red, green, blue of the first pixel, then of the next.
/// @param pixels  as ImageSource::render() gives them; alpha stays
void add_noise(const PixelNoise& noise, std::span<std::uint32_t> pixels);

}  // namespace simbatch::sim::vision
