#pragma once
/// Pictures, over stb_image. Height maps are read with it.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace simbatch::image {

/// Gray values, row by row from the top.
struct GrayPicture {
  int width = 0, height = 0;
  std::vector<std::uint8_t> values;
};

/// True if the bytes begin like a PNG, JPEG or BMP file.
bool looks_like_picture(std::string_view bytes);

/// Decodes; colors become gray by stb's weights (77, 150, 29) / 256, 16-bit values lose their low byte, alpha is left out.
/// @param max_pixels  more than this are refused before memory is taken
/// @param why  receives the reason if there is no picture
std::optional<GrayPicture> read_picture(std::string_view bytes, std::int64_t max_pixels, std::string& why);

}  // namespace simbatch::image
