#pragma once
/// Decodes pictures by stb_image, for height maps.

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

/// Decodes; colors become gray by stb's weights (77, 150, 29) / 256, 16-bit values lose their low byte, alpha is dropped.
/// @param max_pixels  larger pictures are rejected before memory is allocated @param why  receives the reason on failure
std::optional<GrayPicture> read_picture(std::string_view bytes, std::int64_t max_pixels, std::string& why);

}  // namespace simbatch::image
