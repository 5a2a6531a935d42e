// The bytes of Parquet files, decoded by hand as the specification says. tests/study reads them with an independent library.

#include <doctest/doctest.h>

#include <bit>
#include <cmath>
#include <stdexcept>

#include "base/parquet/write.hpp"

using namespace simbatch::parquet;

namespace {

std::uint64_t little(const std::string& bytes, std::size_t at, int size) {
  std::uint64_t value = 0;
  for (int i = size; i-- > 0;) value = value << 8 | static_cast<unsigned char>(bytes.at(at + static_cast<std::size_t>(i)));
  return value;
}

Table small() {
  Table table;
  table.columns = {
      {"run", Integers{0, 1, -2}}, {"value", Numbers{0.5, std::nullopt, -INFINITY}}, {"text", Texts{"a", "", "\xC3\xA4,\n"}}};
  return table;
}

}  // namespace

TEST_CASE("parquet: magic, lengths and plain values") {
  const std::string bytes = write(small());
  CHECK(bytes.starts_with("PAR1"));
  CHECK(bytes.ends_with("PAR1"));
  const std::uint64_t meta = little(bytes, bytes.size() - 8, 4);
  CHECK(meta < bytes.size() - 12);
  // The first page: its head, whose fields are known, then three 64-bit numbers.
  const std::string head("\x15\x00\x15\x30\x15\x30\x2C\x15\x06\x15\x00\x15\x06\x15\x06\x00\x00", 17);
  CHECK(bytes.substr(4, head.size()) == head);
  CHECK(little(bytes, 4 + head.size() + 8, 8) == 1);
  CHECK(static_cast<std::int64_t>(little(bytes, 4 + head.size() + 16, 8)) == -2);
  // The second: levels 1, 0, 1 in three runs, then two doubles.
  const std::string levels("\x06\x00\x00\x00\x02\x01\x02\x00\x02\x01", 10);
  const std::size_t at = bytes.find(levels);
  REQUIRE(at != std::string::npos);
  CHECK(std::bit_cast<double>(little(bytes, at + levels.size(), 8)) == 0.5);
  CHECK(std::bit_cast<double>(little(bytes, at + levels.size() + 8, 8)) == -INFINITY);
  const std::string texts(
      "\x01\x00\x00\x00"
      "a\x00\x00\x00\x00\x04\x00\x00\x00\xC3\xA4,\n",
      17);
  CHECK(bytes.find(texts) != std::string::npos);
}

TEST_CASE("parquet: the same table gives the same bytes, groups of rows other ones") {
  Table table = small();
  CHECK(write(table) == write(small()));
  table.rows_per_group = 2;
  CHECK(write(table) != write(small()));
  table.columns.clear();
  CHECK(write(table).size() < 100);
  table.columns = {{"none", Integers{}}};
  CHECK(write(table).starts_with("PAR1"));
}

TEST_CASE("parquet: columns of different lengths are refused") {
  Table table = small();
  table.columns.push_back({"short", Integers{1}});
  CHECK_THROWS_AS(write(table), std::invalid_argument);
}
