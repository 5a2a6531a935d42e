#pragma once
/// Writing pictures, over stb_image_write.

#include <cstdint>
#include <string>
#include <vector>

namespace simbatch::image {

struct Image {
  int width = 0, height = 0;
  std::vector<std::uint8_t> rgb;  ///< 3 bytes per pixel, from the upper left, row by row
};

/// The bytes of a PNG file of this picture: 8 bits per channel, no alpha. The same picture gives the same bytes.
std::string to_png(const Image& image);

}  // namespace simbatch::image
