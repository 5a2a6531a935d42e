#include <doctest/doctest.h>

#include <string>

#include "base/image/picture.hpp"
#include "base/image/png.hpp"

using namespace simbatch::image;

namespace {

std::string segment(char marker, const std::string& content) {
  const std::size_t size = content.size() + 2;
  return std::string("\xff") + marker + static_cast<char>(size >> 8) + static_cast<char>(size & 255) + content;
}

/// A table with that many symbols of 8 bits, in `rows` rows of 100.
std::string huffman_table(int rows) {
  std::string counts(16, '\0');
  for (int i = 0; i < rows; ++i) counts[static_cast<std::size_t>(7 + i)] = 100;
  return std::string(1, '\0') + counts + std::string(static_cast<std::size_t>(100 * rows), 'x');
}

std::string why_not(const std::string& bytes) {
  std::string why;
  CHECK_FALSE(read_picture(bytes, 1'000'000, why));
  return why;
}

}  // namespace

TEST_CASE("picture: a PNG that is written is read back, in gray") {
  Image image{2, 1, {255, 255, 255, 0, 0, 0}};
  std::string why;
  const auto picture = read_picture(to_png(image), 100, why);
  REQUIRE_MESSAGE(picture, why);
  CHECK(picture->values == std::vector<std::uint8_t>{255, 0});
  CHECK_FALSE(read_picture(to_png(image), 1, why));
}

TEST_CASE("picture: a JPEG with a Huffman table of more than 256 symbols is refused before stb reads it") {
  const std::string start = "\xff\xd8", kWhy = "a Huffman table has more than 256 symbols";
  const std::string good = segment('\xc4', huffman_table(2)), bad = segment('\xc4', huffman_table(3));
  CHECK(why_not(start + bad) == kWhy);
  CHECK(why_not(start + segment('\xe0', "JFIF") + good + bad) == kWhy);
  CHECK(why_not(start + segment('\xc4', huffman_table(1) + huffman_table(3))) == kWhy);
  CHECK(why_not(start + segment('\xda', "scan") + "data\xff" + std::string(1, '\0') + "\xff\xd0" + "data\xff" + bad) == kWhy);
  CHECK(why_not(start + bad.substr(0, 30)) == kWhy);
  CHECK(why_not(start + good) != kWhy);
  CHECK(why_not(start + segment('\xe1', bad) + good) != kWhy);  // in a segment that is skipped
}
