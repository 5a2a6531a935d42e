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

TEST_CASE("mat: values that are filled when they are written give the same bytes, one after the other") {
  const auto structure = [](bool later, int& calls) {
    mat::Value whole;
    whole.name = "run";
    for (const char* name : {"x", "sentence"}) {
      const bool text = name != std::string("x");
      mat::Value value;
      value.name = name;
      value.kind = text ? mat::Value::Kind::texts : mat::Value::Kind::numbers;
      const auto fill = [text, &calls](mat::Value& filled) {
        ++calls;
        CHECK((filled.numbers.empty() && filled.texts.empty()));
        if (text)
          filled.texts = {"a", "", "longer"};
        else
          filled.numbers = {1, -0.0, 3};
      };
      if (later)
        value.fill = fill;
      else
        fill(value);
      whole.fields.push_back(std::move(value));
    }
    return whole;
  };
  std::string bytes[2];
  int calls = 0;
  for (const bool later : {false, true}) {
    mat::Writer out([&bytes, later](std::string_view piece) { bytes[later ? 1 : 0] += piece; });
    const mat::Value value = structure(later, calls);
    CHECK(calls == 2);
    out.add(value, later ? 1 : 1000);
  }
  CHECK(calls == 4);
  CHECK(bytes[0] == bytes[1]);
}
