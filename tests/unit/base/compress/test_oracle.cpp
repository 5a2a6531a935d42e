// What is packed, against a DEFLATE decoder, CRC and Adler sums written from their standards.

#include <doctest/doctest.h>

#include <string>

#include "base/compress/compress.hpp"
#include "base/core/random.hpp"
#include "tests/support/inflate.hpp"
#include "tests/support/support.hpp"

using namespace simbatch;

namespace {

/// Random bytes: few different ones, or repetitions of earlier pieces, so that blocks of every kind occur.
std::string random_bytes(std::uint64_t seed) {
  RandomStream random(seed, "bytes");
  const std::size_t size = random.below(seed % 4 == 0 ? 8 : 20000);
  const std::uint64_t letters = 1 + random.below(256);
  const double repeats = random.uniform() * random.uniform() * 0.05;
  std::string out;
  while (out.size() < size) {
    if (!out.empty() && random.uniform() < repeats) {
      const std::size_t from = random.below(out.size()), most = 1 + random.below(400);
      for (std::size_t i = 0; i < most; ++i) out += out[from + i];
    } else {
      out += static_cast<char>(random.below(letters));
    }
  }
  return out;
}

/// CRC-32 by its polynomial, bit by bit.
std::uint32_t slow_crc32(std::string_view bytes) {
  std::uint32_t crc = 0xFFFFFFFF;
  for (const char c : bytes) {
    crc ^= static_cast<unsigned char>(c);
    for (int i = 0; i < 8; ++i) crc = crc >> 1 ^ ((crc & 1) != 0 ? 0xEDB88320U : 0U);
  }
  return ~crc;
}

}  // namespace

TEST_CASE("compress: the decoder of the tests reads the examples that others publish, and nothing else") {
  // "a" in a block of fixed codes; an empty stored block; zlib's head before "" and before "abc".
  CHECK(test::inflated_plain(std::string("\x4B\x04\x00", 3)) == "a");
  CHECK(test::inflated_plain(std::string("\x01\x00\x00\xFF\xFF", 5)) == "");
  CHECK(test::inflated_zlib(std::string("\x78\x9C\x03\x00\x00\x00\x00\x01", 8)) == "");
  CHECK(test::inflated_zlib(std::string("\x78\x9C\x4B\x4C\x4A\x06\x00\x02\x4D\x01\x27", 11)) == "abc");
  CHECK(test::adler32_of("Wikipedia") == 0x11E60398);
  CHECK_FALSE(test::inflated_plain(std::string("\x4B\x04\x00\x00", 4)));                     // a byte too many
  CHECK_FALSE(test::inflated_plain(std::string("\x4B\x04", 2)));                             // one too few
  CHECK_FALSE(test::inflated_plain(std::string("\x01\x01\x00\xFF\xFF\x61", 6)));             // the length's complement is wrong
  CHECK_FALSE(test::inflated_plain("\x07"));                                                 // the fourth kind of block
  CHECK_FALSE(test::inflated_zlib(std::string("\x78\x9C\x4B\x04\x00\x00\x62\x00\x63", 9)));  // the sum of "b"
  CHECK_FALSE(test::inflated_zlib(std::string("\x78\x9D\x03\x00\x00\x00\x00\x01", 8)));      // the head's check bits
}

TEST_CASE("compress: random texts come back from the standard's decoder at every level") {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const std::string text = random_bytes(seed);
    const int level = 1 + static_cast<int>(seed % 9);
    CAPTURE(seed);
    CHECK(test::inflated_plain(deflated(text, Wrapper::none, level)) == text);
    const std::string wrapped = deflated(text, Wrapper::zlib, level);
    CHECK(test::inflated_zlib(wrapped) == text);
    CHECK(deflated(text, Wrapper::zlib, level) == wrapped);  // the same bytes again
    CHECK(crc32_of(text) == slow_crc32(text));
  }
}

TEST_CASE("compress: a text of one byte repeated shrinks, random bytes hardly grow") {
  const std::string same(100000, 'x');
  CHECK(deflated(same, Wrapper::none, 6).size() < 200);
  RandomStream random(5, "noise");
  std::string noise;
  while (noise.size() < 100000) noise += static_cast<char>(random.below(256));
  // Stored blocks: five bytes for each of at most 65,535.
  CHECK(deflated(noise, Wrapper::none, 6).size() <= noise.size() + 5 * 8);
  CHECK(test::inflated_plain(deflated(noise, Wrapper::none, 6)) == noise);
}

TEST_CASE("compress: Zstandard returns random texts at every level, and a frame has the magic number of RFC 8878") {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const std::string text = random_bytes(seed), packed = zstd_packed(text, 1 + static_cast<int>(seed % 19));
    CAPTURE(seed);
    CHECK(packed.substr(0, 4) == "\x28\xB5\x2F\xFD");
    CHECK(zstd_unpacked(packed, text.size()) == text);
    CHECK_FALSE(zstd_unpacked(packed + packed, 2 * text.size()));  // one frame, not two
  }
}

TEST_CASE("compress: hostile frames of Zstandard never give another size than the stated one") {
  const std::string text = random_bytes(3), packed = zstd_packed(text, 3);
  std::size_t refused = 0;
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    const auto result = zstd_unpacked(test::mutated(packed, seed), text.size());
    if (result)
      CHECK(result->size() == text.size());
    else
      ++refused;
  }
  CHECK(refused > 250);
}
