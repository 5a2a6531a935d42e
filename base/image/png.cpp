// PNG (ISO/IEC 15948) by stb_image_write.
#include "base/image/png.hpp"

#define STB_IMAGE_WRITE_IMPLEMENTATION
#define STB_IMAGE_WRITE_STATIC
#define STBI_WRITE_NO_STDIO
#include <stb/stb_image_write.h>

namespace simbatch::image {

Image image_of(int width, int height, std::span<const std::uint32_t> pixels) {
  Image image{width, height, {}};
  image.rgb.reserve(3 * pixels.size());
  for (const std::uint32_t pixel : pixels)
    for (const int shift : {0, 8, 16}) image.rgb.push_back(static_cast<std::uint8_t>(pixel >> shift));
  return image;
}

std::string to_png(const Image& image) {
  std::string out;
  const auto append = [](void* to, void* data, int size) {
    static_cast<std::string*>(to)->append(static_cast<const char*>(data), static_cast<std::size_t>(size));
  };
  stbi_write_png_to_func(append, &out, image.width, image.height, 3, image.rgb.data(), image.width * 3);
  return out;
}

}  // namespace simbatch::image
