#include <doctest/doctest.h>

#include <string>

#include "base/compress/compress.hpp"
#include "base/compress/stream.hpp"
#include "tests/support/support.hpp"

using namespace simbatch;

namespace {

std::string packed(Container container, std::string_view text, std::size_t piece = 1000, bool flushes = false) {
  std::string out;
  Packer packer(container, [&out](std::string_view bytes) { out += bytes; });
  for (std::size_t at = 0; at < text.size(); at += piece) {
    packer.write(text.substr(at, piece));
    if (flushes) packer.flush();
  }
  packer.finish();
  return out;
}

std::string lines(std::size_t count) {
  std::string text;
  for (std::size_t i = 0; i < count; ++i) text += "line " + std::to_string(i * i % 9973) + "\n";
  return text;
}

constexpr std::size_t kMost = std::size_t{1} << 30;

}  // namespace

TEST_CASE("compressed streams: there and back, in pieces of any size") {
  for (const Container container : {Container::gzip, Container::zstd})
    for (const std::size_t count : {0u, 1u, 100u, 50000u}) {
      const std::string text = lines(count);
      for (const std::size_t piece : {std::size_t{7}, std::size_t{100000}, text.size() + 1}) {
        if (piece == 7 && count > 100) continue;
        const std::string bytes = packed(container, text, piece);
        CHECK(container_of(bytes) == container);
        const auto back = unpacked(bytes, kMost);
        REQUIRE(back);
        CHECK(back->whole);
        CHECK(back->bytes == text);
        CHECK(bytes == packed(container, text, piece));
        const auto twice = unpacked(bytes + bytes, kMost);  // members one after the other
        REQUIRE(twice);
        CHECK(twice->bytes == text + text);
      }
    }
}

TEST_CASE("compressed streams: what was flushed can be read of a cut file") {
  const std::string text = lines(20000);
  for (const Container container : {Container::gzip, Container::zstd}) {
    const std::string bytes = packed(container, text, 10000, true);
    const auto half = unpacked(std::string_view(bytes).substr(0, bytes.size() / 2), kMost);
    REQUIRE(half);
    CHECK(!half->whole);
    CHECK(half->bytes.size() > text.size() / 6);
    CHECK(text.starts_with(half->bytes));
  }
}

TEST_CASE("compressed streams: bombs and damage are refused") {
  const std::string zeros(10'000'000, '\0');
  for (const Container container : {Container::gzip, Container::zstd}) {
    const std::string bytes = packed(container, zeros);
    CHECK(!unpacked(bytes, 9'999'999));
    CHECK(unpacked(bytes, 10'000'000));
    const std::string small = packed(container, lines(200));
    for (std::uint64_t seed = 0; seed < 1000; ++seed)
      if (const auto back = unpacked(test::mutated(small, seed), 1'000'000)) CHECK(back->bytes.size() <= 1'000'000);
  }
  CHECK(!container_of("{"));
  CHECK(!unpacked("{}", kMost));
}

TEST_CASE("compressed streams: suffixes") {
  CHECK(container_named("a.json.gz") == Container::gzip);
  CHECK(container_named("a.json.zst") == Container::zstd);
  CHECK(!container_named("a.json"));
  CHECK(without_container("a.json.gz") == "a.json");
  CHECK(without_container("a.json.zst") == "a.json");
  CHECK(without_container("a.json") == "a.json");
}

TEST_CASE("inflated: the beginning of a text, or all of it") {
  std::string text;
  for (int i = 0; i < 30000; ++i) text += std::to_string(i);
  for (const bool zlib : {false, true}) {
    const std::string packed = deflated(text, zlib ? Wrapper::zlib : Wrapper::none, 6);
    CHECK(inflated(packed, zlib, text.size() + 10) == text);
    CHECK(inflated(packed, zlib, 100) == text.substr(0, 100));
    CHECK(inflated(packed, zlib, 0) == "");
    CHECK(!inflated(std::string_view(packed).substr(0, packed.size() / 2), zlib, text.size()));
    CHECK(!inflated("not deflated, but text", zlib, 100));
  }
}
