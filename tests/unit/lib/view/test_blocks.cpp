// Numbers as bytes and back: the decoders here are those of web/src/data.ts.

#include "lib/view/blocks.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

using namespace simbatch;

namespace {

std::int64_t next(const std::string& bytes, std::size_t& at) {
  std::uint64_t bits = 0;
  unsigned shift = 0;
  for (;; shift += 7) {
    const auto byte = static_cast<unsigned char>(bytes.at(at++));
    bits |= static_cast<std::uint64_t>(byte & 0x7F) << shift;
    if (byte < 0x80) break;
  }
  return static_cast<std::int64_t>(bits >> 1) ^ -static_cast<std::int64_t>(bits & 1);
}

std::vector<float> floats_of(const std::string& bytes, std::size_t rows) {
  std::vector<std::uint32_t> bits(rows);
  for (std::size_t i = 0; i < rows; ++i) {
    std::uint32_t z = 0;
    for (std::size_t plane = 0; plane < 4; ++plane) z = z << 8 | static_cast<unsigned char>(bytes.at(1 + plane * rows + i));
    bits[i] = (z >> 1) ^ (0u - (z & 1u));
  }
  for (int k = 0; k < bytes.at(0); ++k)
    for (std::size_t i = 1; i < rows; ++i) bits[i] += bits[i - 1];
  std::vector<float> values;
  for (const std::uint32_t each : bits) values.push_back(std::bit_cast<float>(each));
  return values;
}

}  // namespace

TEST_CASE("blocks: integers of any size come back") {
  std::string bytes;
  const std::vector<std::int64_t> values = {0, -1, 1, 63, -64, 64, 300, -70000, 4'000'000'000'000'000};
  for (const std::int64_t v : values) view::append_integer(bytes, v);
  CHECK(bytes.substr(0, 3) == std::string("\0\1\2", 3));
  std::size_t at = 0;
  for (const std::int64_t v : values) CHECK(next(bytes, at) == v);
  CHECK(at == bytes.size());
}

TEST_CASE("blocks: what moves evenly is zeros") {
  std::string bytes;
  view::append_second_differences(bytes, std::vector<std::int64_t>{100, 103, 106, 109, 111});
  std::size_t at = 0;
  std::int64_t last = 0, slope = 0;
  std::vector<std::int64_t> back;
  while (at < bytes.size()) {
    slope += next(bytes, at);
    back.push_back(last += slope);
  }
  CHECK(back == std::vector<std::int64_t>{100, 103, 106, 109, 111});
  CHECK(bytes.substr(4, 2) == std::string(2, '\0'));
}

TEST_CASE("blocks: floats are exact, of whatever order their differences are") {
  std::vector<double> steady, noisy, still(50, 9.81);
  for (int i = 0; i < 200; ++i) {
    steady.push_back(100 + 0.0625 * i);
    noisy.push_back(std::sin(i * i) * std::pow(10, i % 7 - 3));
  }
  noisy.push_back(-0.0);
  for (const auto& values : {steady, noisy, still}) {
    std::string bytes;
    view::append_float_planes(bytes, values);
    CHECK(bytes.size() == 1 + 4 * values.size());
    const std::vector<float> back = floats_of(bytes, values.size());
    for (std::size_t i = 0; i < values.size(); ++i)
      CHECK(std::bit_cast<std::uint32_t>(back[i]) == std::bit_cast<std::uint32_t>(static_cast<float>(values[i])));
  }
  std::string of_steady, of_still;
  view::append_float_planes(of_steady, steady);
  view::append_float_planes(of_still, still);
  CHECK(of_steady[0] == 2);
  CHECK(of_still[0] == 1);
}

TEST_CASE("blocks: base64 is the standard's, what is not finite is 0") {
  CHECK(view::base64("") == "");
  CHECK(view::base64("f") == "Zg==");
  CHECK(view::base64("fo") == "Zm8=");
  CHECK(view::base64("foo") == "Zm9v");
  CHECK(view::base64("foobar") == "Zm9vYmFy");
  CHECK(view::quantized(1.2345, 1e-3) == 1235);
  CHECK(view::quantized(std::numeric_limits<double>::quiet_NaN(), 1) == 0);
  CHECK(view::quantized(1e300, 1e-3) == 0);
}

TEST_CASE("blocks: texts come back, by places, whatever is in them") {
  const std::vector<std::string> texts = {"", "$GPRMC,1.25*41",     "$GPRMC,1.26*42", "$GPRMC,1.26*42", "x\ny\x01", "",
                                          "", std::string("\0z", 2)};
  std::string bytes;
  view::append_texts(bytes, texts);
  std::size_t at = 0;
  std::vector<std::string> back;
  std::vector<std::size_t> fresh;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const std::int64_t size = next(bytes, at) - 1;
    back.push_back(size < 0 ? std::string() : std::string(static_cast<std::size_t>(size), '?'));
    if (size >= 0) fresh.push_back(i);
  }
  for (std::size_t place = 0; place < 14; ++place)
    for (const std::size_t i : fresh)
      if (place < back[i].size()) back[i][place] = bytes[at++];
  for (std::size_t i = 1; i < back.size(); ++i)
    if (std::find(fresh.begin(), fresh.end(), i) == fresh.end()) back[i] = back[i - 1];
  CHECK(at == bytes.size());
  CHECK(back == texts);
  CHECK(bytes.find(std::string("$$x\0GG", 6)) !=
        std::string::npos);  // the first places, then the second ones, of those that are there and new
  std::string none;
  view::append_texts(none, {});
  CHECK(none.empty());
}
