#include <doctest/doctest.h>

#include <cstdint>
#include <vector>

#include "base/npz/npz.hpp"

using namespace simbatch;

namespace {
std::uint64_t little(const std::string& bytes, std::size_t at, std::size_t size) {
  std::uint64_t value = 0;
  for (std::size_t i = size; i-- > 0;) value = value << 8 | static_cast<unsigned char>(bytes.at(at + i));
  return value;
}
}  // namespace

TEST_CASE("npz: the directory at the end leads to every array") {
  std::string bytes;
  npz::Writer out([&bytes](std::string_view part) { bytes += part; });
  out.add("numbers", std::vector<double>{1.5, -0.0});
  const std::size_t second = bytes.size();
  out.add("steps", std::vector<std::int64_t>{1, 2, 3});
  out.add("texts", std::vector<std::string_view>{"a", "", "\xE2\x82\xAC\xF0\x9F\x9A\x97"});
  out.add_text("text", "");
  out.finish();
  const std::size_t end = bytes.size() - 22;
  CHECK(bytes.substr(end, 4) == "PK\x05\x06");
  CHECK(little(bytes, end + 10, 2) == 4);
  const std::uint64_t directory = little(bytes, end + 16, 4), size = little(bytes, end + 12, 4);
  CHECK(directory + size == end);
  CHECK(bytes.substr(directory, 4) == "PK\x01\x02");
  CHECK(little(bytes, directory + 42, 4) == 0);
  CHECK(bytes.substr(directory + 46, 11) == "numbers.npy");
  const std::uint64_t next = directory + 46 + 11;
  CHECK(little(bytes, next + 42, 4) == second);
  CHECK(bytes.substr(second, 4) == "PK\x03\x04");
  CHECK(little(bytes, second + 12, 2) == 0x21);  // 1 January 1980
}
