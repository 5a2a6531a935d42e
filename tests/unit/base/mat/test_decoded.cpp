// MAT-files read back as "MAT-File Format", chapter 1, describes level 5.

#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <cctype>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "base/core/random.hpp"
#include "base/mat/mat.hpp"
#include "tests/support/inflate.hpp"
#include "tests/support/support.hpp"

using namespace simbatch;
using mat::Value;

namespace {

std::uint64_t little(std::string_view bytes, std::size_t at, std::size_t size) {
  std::uint64_t value = 0;
  REQUIRE(at + size <= bytes.size());
  for (std::size_t i = 0; i < size; ++i) value |= std::uint64_t{static_cast<unsigned char>(bytes[at + i])} << (8 * i);
  return value;
}

struct Element {
  std::uint64_t type = 0;
  std::string_view data;
};

/// Takes the first element from `bytes`: a tag of 8 bytes, or a small one, whose data are in the tag.
Element take(std::string_view& bytes) {
  const std::uint64_t first = little(bytes, 0, 4);
  if (first >> 16 != 0) {
    const Element element{first & 0xFFFF, bytes.substr(4, first >> 16)};
    REQUIRE(element.data.size() <= 4);
    bytes.remove_prefix(8);
    return element;
  }
  const std::uint64_t size = little(bytes, 4, 4), padded = (size + 7) / 8 * 8;
  REQUIRE(8 + padded <= bytes.size());
  const Element element{first, bytes.substr(8, size)};
  for (std::size_t i = size; i < padded; ++i) CHECK(bytes[8 + i] == '\0');
  bytes.remove_prefix(8 + padded);
  return element;
}

/// A code unit of UTF-16 as UTF-8.
void append_utf8(std::string& out, unsigned unit) {
  if (unit < 0x80) {
    out += static_cast<char>(unit);
  } else if (unit < 0x800) {
    out += static_cast<char>(0xC0 | unit >> 6);
    out += static_cast<char>(0x80 | (unit & 63));
  } else {
    out += static_cast<char>(0xE0 | unit >> 12);
    out += static_cast<char>(0x80 | (unit >> 6 & 63));
    out += static_cast<char>(0x80 | (unit & 63));
  }
}

Value array_of(std::string_view& bytes) {
  const Element matrix = take(bytes);
  REQUIRE(matrix.type == 14);
  std::string_view rest = matrix.data;
  const Element flags = take(rest), dimensions = take(rest), name = take(rest);
  CHECK(flags.type == 6);
  REQUIRE(flags.data.size() == 8);
  CHECK(dimensions.type == 5);
  REQUIRE(dimensions.data.size() == 8);
  CHECK(name.type == 1);
  const std::uint64_t kind = little(flags.data, 0, 1);
  const std::size_t rows = little(dimensions.data, 0, 4), columns = little(dimensions.data, 4, 4);
  Value value;
  value.name = name.data;
  if (kind == 6) {
    value.kind = Value::Kind::numbers;
    const Element data = take(rest);
    CHECK(data.type == 9);
    CHECK(columns == 1);
    REQUIRE(data.data.size() == 8 * rows);
    for (std::size_t i = 0; i < rows; ++i) value.numbers.push_back(std::bit_cast<double>(little(data.data, 8 * i, 8)));
  } else if (kind == 4) {
    value.kind = Value::Kind::texts;
    const Element data = take(rest);
    REQUIRE((data.type == 4 || data.type == 16));  // UTF-16; UTF-8 only of ASCII, so that both have units of one size
    const std::size_t unit = data.type == 4 ? 2 : 1;
    REQUIRE(data.data.size() == unit * rows * columns);
    if (unit == 1)
      CHECK(std::all_of(data.data.begin(), data.data.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80; }));
    value.texts.resize(rows);
    for (std::size_t row = 0; row < rows; ++row)
      for (std::size_t column = 0; column < columns; ++column)
        append_utf8(value.texts[row], static_cast<unsigned>(little(data.data, unit * (column * rows + row), unit)));
  } else {
    REQUIRE(kind == 2);
    const Element length = take(rest), names = take(rest);
    CHECK(length.type == 5);
    const std::uint64_t width = little(length.data, 0, 4);
    REQUIRE(names.data.size() % width == 0);
    for (std::size_t at = 0; at < names.data.size(); at += width) {
      Value& field = value.fields.emplace_back(array_of(rest));
      CHECK(field.name.empty());
      const std::string_view padded = names.data.substr(at, width);
      REQUIRE(padded.find('\0') != std::string_view::npos);
      field.name = padded.substr(0, padded.find('\0'));
    }
  }
  CHECK(rest.empty());
  return value;
}

std::vector<Value> values_of(std::string_view file) {
  REQUIRE(file.size() >= 128);
  CHECK(little(file, 124, 2) == 0x0100);
  CHECK(file.substr(126, 2) == "IM");
  file.remove_prefix(128);
  std::vector<Value> values;
  while (!file.empty()) {
    REQUIRE(little(file, 0, 4) == 15);
    const std::uint64_t size = little(file, 4, 4);
    REQUIRE(8 + size <= file.size());
    const auto plain = test::inflated_zlib(file.substr(8, size));
    REQUIRE(plain);
    std::string_view rest = *plain;
    values.push_back(array_of(rest));
    CHECK(rest.empty());
    file.remove_prefix(8 + size);
  }
  return values;
}

void check_same(const Value& a, const Value& b) {
  CHECK(a.name == b.name);
  REQUIRE(a.kind == b.kind);
  REQUIRE(a.numbers.size() == b.numbers.size());
  for (std::size_t i = 0; i < a.numbers.size(); ++i)
    CHECK(std::bit_cast<std::uint64_t>(a.numbers[i]) == std::bit_cast<std::uint64_t>(b.numbers[i]));
  CHECK(a.texts == b.texts);
  REQUIRE(a.fields.size() == b.fields.size());
  for (std::size_t i = 0; i < a.fields.size(); ++i) check_same(a.fields[i], b.fields[i]);
}

Value numbers(std::string name, std::vector<double> values) {
  Value value;
  value.name = std::move(name);
  value.kind = Value::Kind::numbers;
  value.numbers = std::move(values);
  return value;
}

Value texts(std::string name, std::vector<std::string> values) {
  Value value;
  value.name = std::move(name);
  value.kind = Value::Kind::texts;
  value.texts = std::move(values);
  return value;
}

std::vector<Value> written(const std::vector<Value>& values) {
  std::string file;
  mat::Writer out([&file](std::string_view bytes) { file += bytes; });
  for (const Value& value : values) out.add(value);
  return values_of(file);
}

Value random_value(RandomStream& random, int depth) {
  const std::string name = "v" + std::string(random.below(62), 'n');
  const std::uint64_t kind = random.below(depth > 3 ? 2 : 3);
  if (kind == 0) {
    std::vector<double> column(random.below(50));
    for (double& number : column) number = std::bit_cast<double>(random.next64());
    return numbers(name, column);
  }
  if (kind == 1) {
    const std::size_t width = random.below(9);
    std::vector<std::string> rows(1 + random.below(5));
    for (std::string& row : rows)
      for (std::size_t i = 0; i < width; ++i) append_utf8(row, 1 + static_cast<unsigned>(random.below(0xD7FF)));
    return texts(name, rows);
  }
  Value value;
  value.name = name;
  for (std::uint64_t i = random.below(5); i-- > 0;) {
    value.fields.push_back(random_value(random, depth + 1));
    value.fields.back().name = "f" + std::to_string(i) + std::string(random.below(60), 'x');
  }
  return value;
}

}  // namespace

TEST_CASE("mat: numbers come back to the last bit") {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const Value value = numbers("x", {0.0, -0.0, kInfinity, -kInfinity, std::nan(""), 5e-324, 1.7976931348623157e308});
  const auto read = written({value, numbers("none", {})});
  REQUIRE(read.size() == 2);
  check_same(read[0], value);
  CHECK(read[1].numbers.empty());
}

TEST_CASE("mat: rows of texts are padded with blanks to the longest; what UTF-16 needs two units for is replaced") {
  const auto read = written({texts("t", {"ab", "",
                                         "\xC3\xA4\xE2\x82\xAC"
                                         "c"}),
                             texts("car", {"\xF0\x9F\x9A\x97!"}), texts("no", {})});
  REQUIRE(read.size() == 3);
  CHECK(read[0].texts == std::vector<std::string>{"ab ", "   ",
                                                  "\xC3\xA4\xE2\x82\xAC"
                                                  "c"});
  CHECK(read[1].texts == std::vector<std::string>{"\xEF\xBF\xBD!"});
  CHECK(read[2].texts.empty());
}

TEST_CASE("mat: ASCII takes one byte a character, anything else two") {
  const auto plain_size = [](std::string text) {
    std::string file;
    mat::Writer([&file](std::string_view bytes) { file += bytes; }).add(texts("t", {std::move(text)}));
    return test::inflated_zlib(std::string_view(file).substr(136)).value().size();
  };
  const std::size_t head = plain_size("");
  CHECK(plain_size(std::string(80, 'a')) == head + 80);
  CHECK(plain_size(std::string(79, 'a') + "\xC3\xA4") == head + 160);
}

TEST_CASE("mat: structures have their fields in order, nested, with names of up to 63 characters") {
  Value inner;
  inner.name = "inner";
  inner.fields = {numbers(std::string(63, 'q'), {1, 2}), texts("label", {"left ", "right"})};
  Value outer;
  outer.name = "outer";
  outer.fields = {inner, numbers("t", {3})};
  Value empty;
  empty.name = "empty";
  const auto read = written({outer, empty});
  REQUIRE(read.size() == 2);
  check_same(read[0], outer);
  check_same(read[1], empty);
}

TEST_CASE("mat: random variables come back") {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    CAPTURE(seed);
    RandomStream random(seed, "mat");
    std::vector<Value> values;
    for (std::uint64_t i = random.below(4); i-- > 0;) values.push_back(random_value(random, 0));
    const auto read = written(values);
    REQUIRE(read.size() == values.size());
    for (std::size_t i = 0; i < values.size(); ++i) check_same(read[i], values[i]);
  }
}

TEST_CASE("mat: every identifier is one of MATLAB's, and identifiers stay as they are") {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const std::string name = test::mutated("wheel.front-left[0]/spin 1_a\xC3\xA4", seed), made = mat::identifier(name);
    CAPTURE(name);
    REQUIRE_FALSE(made.empty());
    CHECK(made.size() <= 63);
    CHECK(std::isalpha(static_cast<unsigned char>(made[0])) != 0);
    for (const char c : made) CHECK((std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'));
    CHECK(mat::identifier(made) == made);
  }
}
