// A sensor's noise as added, signal-independent noise of its digital numbers (EMVA Standard 1288, release 4.0, section 2.2:
// without the shot noise of the signal, which a picture of unit-less brightness does not define).

#include "lib/sim/vision/pixel_noise.hpp"

#include <algorithm>

#include "base/core/number.hpp"

namespace simbatch::sim::vision {
namespace {

std::uint32_t noisy(std::uint32_t channel, double noise) {
  return static_cast<std::uint32_t>(std::clamp(static_cast<double>(channel) + 255 * noise, 0.0, 255.0) + 0.5);
}

}  // namespace

void add_noise(const PixelNoise& noise, std::span<std::uint32_t> pixels) {
  // A stream per picture: a camera that is looked at more rarely shows the same pictures.
  NoiseGenerator generator(noise.seed, noise.camera + "@" + number_text(noise.step), noise.sources);
  for (std::uint32_t& pixel : pixels) {
    const std::uint32_t red = noisy(pixel & 255, generator.next()), green = noisy(pixel >> 8 & 255, generator.next()),
                        blue = noisy(pixel >> 16 & 255, generator.next());
    pixel = (pixel & 0xff000000u) | blue << 16 | green << 8 | red;
  }
}

}  // namespace simbatch::sim::vision
