#include "base/image/picture.hpp"

#include <algorithm>
#include <limits>
#include <memory>

// Without SIMD, so that a JPEG decodes to the same bytes on every processor.
#define STBI_NO_SIMD
#define STBI_NO_STDIO
#define STBI_NO_THREAD_LOCALS
#define STBI_ONLY_PNG
#define STBI_ONLY_JPEG
#define STBI_ONLY_BMP
#define STB_IMAGE_STATIC
#define STB_IMAGE_IMPLEMENTATION
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wall"
#pragma GCC diagnostic ignored "-Wextra"
#pragma GCC diagnostic ignored "-Wpedantic"
#pragma GCC diagnostic ignored "-Wold-style-cast"
#pragma GCC diagnostic ignored "-Wshadow"
#pragma GCC diagnostic ignored "-Wcast-align"
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wimplicit-fallthrough"
#include <stb/stb_image.h>
#pragma GCC diagnostic pop

namespace simbatch::image {

namespace {

/// False if a chunk of a PNG claims more bytes than exist: stb allocates memory for it before checking.
bool png_chunks_fit(std::string_view bytes) {
  for (std::size_t at = 8; at + 8 <= bytes.size();) {
    std::uint64_t length = 0;
    for (std::size_t i = 0; i < 4; ++i) length = length << 8 | static_cast<unsigned char>(bytes[at + i]);
    if (length > bytes.size() - at - 8) return false;
    if (bytes.substr(at + 4, 4) == "IEND") break;
    at += 12 + static_cast<std::size_t>(length);
  }
  return true;
}

/// False if a Huffman table of a JPEG has more than 256 symbols: stb 2.27 writes past the end of its own. Walks the segments
/// (ITU-T T.81, annex B); in the coded data of a scan the next marker is the first FF that is followed neither by 00 nor by a
/// restart marker.
bool jpeg_tables_fit(std::string_view bytes) {
  const auto byte = [&](std::size_t i) -> unsigned { return i < bytes.size() ? static_cast<unsigned char>(bytes[i]) : 0; };
  constexpr std::size_t kCounts = 16;
  for (std::size_t at = 2; at + 4 <= bytes.size();) {
    const unsigned marker = byte(at + 1);
    if (byte(at) != 0xFF || marker == 0xFF || marker == 0 || (marker >= 0xD0 && marker <= 0xD8)) {
      ++at;  // coded data, padding, or a marker without a segment
      continue;
    }
    const std::size_t end = at + 2 + byte(at + 2) * 256 + byte(at + 3);
    if (marker == 0xC4)
      for (std::size_t table = at + 4; table < end && table < bytes.size();) {
        unsigned symbols = 0;
        for (std::size_t i = 1; i <= kCounts; ++i) symbols += byte(table + i);
        if (symbols > 256) return false;
        table += 1 + kCounts + symbols;
      }
    at = std::max(end, at + 2);
  }
  return true;
}

}  // namespace

bool looks_like_picture(std::string_view bytes) {
  return bytes.starts_with("\x89PNG") || bytes.starts_with("\xff\xd8\xff") || bytes.starts_with("BM");
}

std::optional<GrayPicture> read_picture(std::string_view bytes, std::int64_t max_pixels, std::string& why) {
  if (bytes.size() > static_cast<std::size_t>(std::numeric_limits<int>::max())) {
    why = "more than 2 GiB";
    return std::nullopt;
  }
  const auto* data = reinterpret_cast<const stbi_uc*>(bytes.data());
  const int size = static_cast<int>(bytes.size());
  if (bytes.starts_with("\x89PNG") && !png_chunks_fit(bytes)) {
    why = "a chunk is longer than the file";
    return std::nullopt;
  }
  if (bytes.starts_with("\xff\xd8") && !jpeg_tables_fit(bytes)) {
    why = "a Huffman table has more than 256 symbols";
    return std::nullopt;
  }
  int width = 0, height = 0, channels = 0;
  if (stbi_info_from_memory(data, size, &width, &height, &channels) == 0) {
    why = stbi_failure_reason();
    return std::nullopt;
  }
  // A picture packs at most about 1000 pixels per byte (deflate's limit, 8 pixels per bit): a small file that claims more is
  // rejected.
  const std::int64_t pixels = std::int64_t{width} * height;
  if (width < 1 || height < 1 || pixels > max_pixels || pixels / 8300 > std::int64_t{size}) {
    why = "its head claims " + std::to_string(width) + " x " + std::to_string(height) + " values";
    return std::nullopt;
  }
  const std::unique_ptr<stbi_uc, void (*)(void*)> pixel(stbi_load_from_memory(data, size, &width, &height, &channels, 1),
                                                        stbi_image_free);
  if (pixel == nullptr) {
    why = stbi_failure_reason();
    return std::nullopt;
  }
  GrayPicture picture{width, height, {}};
  picture.values.assign(pixel.get(), pixel.get() + pixels);
  return picture;
}

}  // namespace simbatch::image
