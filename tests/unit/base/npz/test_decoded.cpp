// Archives read back as APPNOTE.TXT 6.3 and NumPy's format 1.0 describe them.

#include <doctest/doctest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "base/compress/compress.hpp"
#include "base/core/random.hpp"
#include "base/npz/npz.hpp"
#include "tests/support/inflate.hpp"

using namespace simbatch;

namespace {

struct Array {
  std::string name, descr, shape, data;
};

class Bytes {
 public:
  explicit Bytes(std::string_view all) : all_(all) {}
  std::uint64_t little(std::size_t size) {
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < size; ++i) value |= std::uint64_t{static_cast<unsigned char>(all_.at(at + i))} << (8 * i);
    at += size;
    return value;
  }
  std::string_view text(std::size_t size) {
    REQUIRE(at + size <= all_.size());
    at += size;
    return all_.substr(at - size, size);
  }
  std::size_t at = 0;

 private:
  std::string_view all_;
};

/// The text between `before` and `after`, both of which must be there.
std::string between(std::string_view text, std::string_view before, std::string_view after) {
  const std::size_t from = text.find(before);
  REQUIRE(from != std::string_view::npos);
  const std::size_t begin = from + before.size(), end = text.find(after, begin);
  REQUIRE(end != std::string_view::npos);
  return std::string(text.substr(begin, end - begin));
}

Array array_of(std::string_view npy) {
  REQUIRE(npy.substr(0, 8) == std::string_view("\x93NUMPY\x01\x00", 8));
  Bytes bytes(npy);
  bytes.at = 8;
  const std::string_view head = bytes.text(bytes.little(2));
  CHECK(bytes.at % 64 == 0);  // data are aligned
  CHECK(head.back() == '\n');
  CHECK(head.find("'fortran_order': False") != std::string_view::npos);
  return {{}, between(head, "'descr': '", "'"), between(head, "'shape': (", ")"), std::string(npy.substr(bytes.at))};
}

/// The arrays in the order of the directory. Heads of members must repeat what the directory says.
std::vector<Array> arrays_of(const std::string& file) {
  std::vector<Array> arrays;
  REQUIRE(file.size() >= 22);
  Bytes end(file);
  end.at = file.size() - 22;
  REQUIRE(end.text(4) == "PK\x05\x06");
  CHECK(end.little(4) == 0);  // disks
  const std::uint64_t here = end.little(2), all = end.little(2), size = end.little(4), start = end.little(4);
  CHECK(here == all);
  CHECK(end.little(2) == 0);
  CHECK(start + size == file.size() - 22);
  Bytes directory(file);
  directory.at = start;
  std::size_t expected_offset = 0;
  for (std::uint64_t i = 0; i < all; ++i) {
    REQUIRE(directory.text(4) == "PK\x01\x02");
    directory.little(2);
    const std::size_t common = directory.at;
    directory.at += 10;
    const std::uint64_t crc = directory.little(4), packed = directory.little(4), plain = directory.little(4);
    const std::uint64_t name_size = directory.little(2);
    directory.at += 2 + 2 + 2 + 2 + 4;
    const std::uint64_t offset = directory.little(4);
    const std::string_view name = directory.text(name_size);
    CHECK(offset == expected_offset);
    Bytes member(file);
    member.at = offset;
    REQUIRE(member.text(4) == "PK\x03\x04");
    CHECK(member.text(26) == std::string_view(file).substr(common, 26));
    CHECK(member.text(name_size) == name);
    const auto content = test::inflated_plain(member.text(packed));
    REQUIRE(content);
    CHECK(content->size() == plain);
    CHECK(crc32_of(*content) == crc);
    expected_offset = member.at;
    arrays.push_back(array_of(*content));
    REQUIRE(name.ends_with(".npy"));
    arrays.back().name = name.substr(0, name.size() - 4);
  }
  CHECK(directory.at == file.size() - 22);
  CHECK(expected_offset == start);
  return arrays;
}

std::vector<std::uint64_t> words_of(const std::string& data) {
  std::vector<std::uint64_t> words;
  Bytes bytes(data);
  while (bytes.at < data.size()) words.push_back(bytes.little(8));
  return words;
}

std::u32string characters_of(const std::string& data) {
  std::u32string out;
  Bytes bytes(data);
  while (bytes.at < data.size()) out += static_cast<char32_t>(bytes.little(4));
  return out;
}

template <class Use>
std::vector<Array> written(Use use) {
  std::string file;
  npz::Writer writer([&file](std::string_view part) { file += part; });
  use(writer);
  writer.finish();
  return arrays_of(file);
}

}  // namespace

TEST_CASE("npz: an archive without arrays is a directory without entries") {
  CHECK(written([](npz::Writer&) {}).empty());
}

TEST_CASE("npz: numbers come back to the last bit, also those at the ends of their types") {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const std::vector<double> numbers = {0.0, -0.0, 1.5, kInfinity, -kInfinity, std::nan(""), 5e-324, 1.7976931348623157e308};
  const std::vector<std::int64_t> whole = {0, -1, std::numeric_limits<std::int64_t>::min(),
                                           std::numeric_limits<std::int64_t>::max()};
  const auto arrays = written([&](npz::Writer& out) {
    out.add("numbers", numbers);
    out.add("none", std::vector<double>{});
    out.add("whole", whole);
  });
  REQUIRE(arrays.size() == 3);
  CHECK(arrays[0].name == "numbers");
  CHECK(arrays[0].descr == "<f8");
  CHECK(arrays[0].shape == "8,");
  const auto words = words_of(arrays[0].data);
  REQUIRE(words.size() == numbers.size());
  for (std::size_t i = 0; i < words.size(); ++i) CHECK(words[i] == std::bit_cast<std::uint64_t>(numbers[i]));
  CHECK(arrays[1].shape == "0,");
  CHECK(arrays[1].data.empty());
  CHECK(arrays[2].descr == "<i8");
  const auto integers = words_of(arrays[2].data);
  REQUIRE(integers.size() == whole.size());
  for (std::size_t i = 0; i < integers.size(); ++i) CHECK(static_cast<std::int64_t>(integers[i]) == whole[i]);
}

TEST_CASE("npz: texts have one width, four bytes for each character, zeros behind") {
  const auto arrays = written([](npz::Writer& out) {
    out.add(
        "r\xC3\xA4"
        "der/vorn",
        std::vector<std::string_view>{"a", "", "\xE2\x82\xAC\xF0\x9F\x9A\x97\xC3\xA9"});
    out.add("empty", std::vector<std::string_view>{});
    out.add("blank", std::vector<std::string_view>{"", ""});
    out.add_text("one", "\xF0\x9F\x9A\x97z");
    out.add_text("nothing", "");
  });
  REQUIRE(arrays.size() == 5);
  CHECK(arrays[0].name ==
        "r\xC3\xA4"
        "der/vorn");
  CHECK(arrays[0].descr == "<U3");
  CHECK(arrays[0].shape == "3,");
  CHECK(characters_of(arrays[0].data) == std::u32string(U"a\0\0\0\0\0\u20AC\U0001F697\u00E9", 9));
  CHECK(arrays[1].descr == "<U1");  // NumPy has no "<U0"
  CHECK(arrays[1].shape == "0,");
  CHECK(arrays[1].data.empty());
  CHECK(characters_of(arrays[2].data) == std::u32string(2, U'\0'));
  CHECK(arrays[3].shape == "");
  CHECK(arrays[3].descr == "<U2");
  CHECK(characters_of(arrays[3].data) == U"\U0001F697z");
  CHECK(arrays[4].descr == "<U1");
  CHECK(characters_of(arrays[4].data) == std::u32string(1, U'\0'));
}

TEST_CASE("npz: random archives come back, whatever the lengths of names and columns") {
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    CAPTURE(seed);
    RandomStream random(seed, "npz");
    std::vector<std::vector<double>> columns(random.below(12));
    for (auto& column : columns) {
      column.resize(random.below(300));
      for (double& value : column) value = std::bit_cast<double>(random.next64());
    }
    const auto write = [&](npz::Writer& out) {
      // Names of all lengths: heads of arrays are padded, names of members are not.
      for (std::size_t i = 0; i < columns.size(); ++i) out.add(std::string(1 + 7 * i, static_cast<char>('a' + i)), columns[i]);
    };
    const auto arrays = written(write);
    REQUIRE(arrays.size() == columns.size());
    for (std::size_t i = 0; i < columns.size(); ++i) {
      CHECK(arrays[i].name == std::string(1 + 7 * i, static_cast<char>('a' + i)));
      CHECK(arrays[i].shape == std::to_string(columns[i].size()) + ",");
      const auto words = words_of(arrays[i].data);
      REQUIRE(words.size() == columns[i].size());
      for (std::size_t k = 0; k < words.size(); ++k) REQUIRE(words[k] == std::bit_cast<std::uint64_t>(columns[i][k]));
    }
  }
}
