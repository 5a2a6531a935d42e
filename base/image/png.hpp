#pragma once
/// Writing pictures, over stb_image_write.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace simbatch::image {

struct Image {
  int width = 0, height = 0;
  std::vector<std::uint8_t> rgb;  ///< 3 bytes per pixel, from the upper left, row by row
};

/// A picture from pixels as renderers deliver them: red in the lowest byte, then green and blue; the highest byte is
/// ignored.
/// @param pixels  width * height, from the upper left, row by row
Image image_of(int width, int height, std::span<const std::uint32_t> pixels);

/// The bytes of a PNG file of this picture: 8 bits per channel, no alpha. The same picture gives the same bytes.
std::string to_png(const Image& image);

}  // namespace simbatch::image
