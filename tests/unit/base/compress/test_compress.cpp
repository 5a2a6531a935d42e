#include <doctest/doctest.h>

#include <zlib.h>
#include <string>

#include "base/compress/compress.hpp"

using namespace simbatch;

namespace {

/// zlib's own inflate. @param window  as in inflateInit2
std::string inflated(std::string_view bytes, int window, std::size_t size) {
  z_stream stream{};
  REQUIRE(inflateInit2(&stream, window) == Z_OK);
  std::string out(size + 1, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  CHECK(inflate(&stream, Z_FINISH) == Z_STREAM_END);
  CHECK(stream.avail_in == 0);
  out.resize(stream.total_out);
  inflateEnd(&stream);
  return out;
}

std::string sample(std::size_t size) {
  std::string text;
  std::uint32_t state = 1;
  while (text.size() < size) text += static_cast<char>('a' + ((state = state * 1664525 + 1013904223) >> 28));
  return text;
}

}  // namespace

TEST_CASE("compress: deflated texts inflate, with and without the wrapper, at all levels") {
  for (const std::size_t size : {std::size_t{0}, std::size_t{1}, std::size_t{65536}, std::size_t{300001}})
    for (const int level : {1, 6, 9}) {
      const std::string text = sample(size);
      CHECK(inflated(deflated(text, Wrapper::none, level), -MAX_WBITS, size) == text);
      CHECK(inflated(deflated(text, Wrapper::zlib, level), MAX_WBITS, size) == text);
    }
}

TEST_CASE("compress: CRC-32 is that of ISO 3309") {
  CHECK(crc32_of("") == 0);
  CHECK(crc32_of("123456789") == 0xCBF43926);  // the check value of the usual catalogs of CRCs
}

TEST_CASE("compress: Zstandard frames unpack to the size that they have, and to no other") {
  for (const std::size_t size : {std::size_t{0}, std::size_t{1}, std::size_t{131072}, std::size_t{500000}}) {
    const std::string text = sample(size), packed = zstd_packed(text, 1);
    CHECK(zstd_unpacked(packed, size) == text);
    CHECK_FALSE(zstd_unpacked(packed, size + 1));
    if (size > 0) CHECK_FALSE(zstd_unpacked(packed, size - 1));
    CHECK_FALSE(zstd_unpacked(packed + "x", size));
    CHECK_FALSE(zstd_unpacked(packed, std::size_t{1} << 62));  // and does not allocate that
  }
}

TEST_CASE("compress: one packer makes the same frames as one for each text") {
  for (const int level : {1, 3, 9}) {
    ZstdPacker packer(level);
    for (const std::size_t size : {std::size_t{500000}, std::size_t{0}, std::size_t{10}, std::size_t{131072}, std::size_t{10}})
      CHECK(packer.pack(sample(size)) == zstd_packed(sample(size), level));
  }
}

TEST_CASE("compress: cut or changed Zstandard frames are refused") {
  const std::string text = sample(2000), packed = zstd_packed(text, 3);
  for (std::size_t n = 0; n < packed.size(); ++n) CHECK_FALSE(zstd_unpacked(packed.substr(0, n), text.size()));
  for (std::size_t n = 0; n < packed.size(); ++n) {
    std::string bad = packed;
    bad[n] = static_cast<char>(bad[n] ^ 0x40);
    const auto result = zstd_unpacked(bad, text.size());  // some changes are not noticed: frames have no checksum here
    if (result) CHECK(result->size() == text.size());
  }
}
