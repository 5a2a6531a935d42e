#include <doctest/doctest.h>

#include <set>

#include "base/mat/mat.hpp"

using namespace simbatch;

TEST_CASE("mat: names become identifiers of MATLAB") {
  CHECK(mat::identifier("gyro0") == "gyro0");
  CHECK(mat::identifier("r\xC3\xA4"
                        "der.a/b") == "r__der_a_b");
  CHECK(mat::identifier("0") == "x0");
  CHECK(mat::identifier("_a") == "x_a");
  CHECK(mat::identifier("") == "x");
  CHECK(mat::identifier(std::string(80, 'n')) == std::string(63, 'n'));
}

TEST_CASE("mat: a file is its head and one compressed element for each variable") {
  std::vector<std::string> parts;
  mat::Writer out([&parts](std::string_view bytes) { parts.emplace_back(bytes); });
  mat::Value value;
  value.name = "x";
  value.kind = mat::Value::Kind::numbers;
  value.numbers = {1, 2, 3};
  out.add(value);
  REQUIRE(parts.size() == 3);
  CHECK(parts[0].size() == 128);
  CHECK(parts[1].substr(0, 4) == std::string("\x0F\x00\x00\x00", 4));
  CHECK(static_cast<unsigned char>(parts[1][4]) == parts[2].size());
}
