// Parquet files read back by a reader of the tests' own (decoder.hpp): values, nulls, groups of rows, and the numbers of the footer.
#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "base/core/random.hpp"
#include "tests/unit/base/parquet/decoder.hpp"

using namespace simbatch;
using namespace simbatch::parquet;

namespace {

// Bit for bit, so that NaN and -0 count too.
void check_same(const Table& a, const Table& b) {
  REQUIRE(a.columns.size() == b.columns.size());
  for (std::size_t i = 0; i < a.columns.size(); ++i) {
    CAPTURE(i);
    CHECK(a.columns[i].name == b.columns[i].name);
    REQUIRE(a.columns[i].values.index() == b.columns[i].values.index());
    const auto* numbers = std::get_if<Numbers>(&a.columns[i].values);
    if (numbers == nullptr) {
      CHECK(a.columns[i].values == b.columns[i].values);
      continue;
    }
    const Numbers& others = std::get<Numbers>(b.columns[i].values);
    REQUIRE(numbers->size() == others.size());
    for (std::size_t k = 0; k < others.size(); ++k) {
      REQUIRE((*numbers)[k].has_value() == others[k].has_value());
      if (others[k]) CHECK(std::bit_cast<std::uint64_t>(*(*numbers)[k]) == std::bit_cast<std::uint64_t>(*others[k]));
    }
  }
  CHECK(a.metadata == b.metadata);
  CHECK(a.created_by == b.created_by);
}

Table any_table(RandomStream& random) {
  Table table;
  const std::size_t rows = random.below(40);
  table.rows_per_group = 1 + random.below(45);
  constexpr double kNumbers[] = {0.0, -0.0, 1.5, 5e-324, 1.7976931348623157e308, INFINITY, -INFINITY};
  for (std::uint64_t n = random.below(20); n > 0; --n) {
    // No nulls, few, many, nothing else.
    const std::uint64_t nulls = std::uint64_t{4} * random.below(4);
    const auto is_null = [&] { return random.below(12) < nulls; };
    Column column{"c" + std::to_string(n), Integers{}};
    const std::uint64_t type = random.below(3);
    if (type == 1) column.values = Numbers{};
    if (type == 2) column.values = Texts{};
    for (std::size_t i = 0; i < rows; ++i) {
      if (type == 0)
        std::get<Integers>(column.values)
            .push_back(is_null() ? std::nullopt : std::optional(static_cast<std::int64_t>(random.next64())));
      else if (type == 1)
        std::get<Numbers>(column.values).push_back(is_null() ? std::nullopt : std::optional(kNumbers[random.below(7)]));
      else
        std::get<Texts>(column.values)
            .push_back(is_null() ? std::nullopt : std::optional(std::string(random.below(300), "\0a\xC3"[random.below(3)])));
    }
    table.columns.push_back(std::move(column));
  }
  for (std::uint64_t n = random.below(18); n > 0; --n) table.metadata.emplace_back("key" + std::to_string(n), "value");
  return table;
}

}  // namespace

TEST_CASE("parquet: random tables come back bit for bit, however many rows a group has") {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    CAPTURE(seed);
    RandomStream random(seed, "parquet");
    Table table = any_table(random);
    const Table read = decoder::read(write(table));
    check_same(read, table);
  }
}

TEST_CASE("parquet: values at the ends of their types") {
  Table table;
  using IntegerLimits = std::numeric_limits<std::int64_t>;
  table.columns = {{"i", Integers{IntegerLimits::min(), IntegerLimits::max(), -1, 0}},
                   {"d", Numbers{std::nan(""), -0.0, 5e-324, -INFINITY}},
                   {"t", Texts{"", std::string(70'000, 'x'), std::string("\0", 1), "\xF0\x9F\x98\x80"}},
                   {"", Integers{std::nullopt, std::nullopt, std::nullopt, std::nullopt}}};
  table.metadata = {{"", ""}, {"k", std::string(1000, 'v')}};
  table.created_by = "";
  for (const std::size_t rows : {std::size_t{1}, std::size_t{3}, std::size_t{4}, std::numeric_limits<std::size_t>::max() / 2}) {
    CAPTURE(rows);
    table.rows_per_group = rows;
    check_same(decoder::read(write(table)), table);
  }
}

TEST_CASE("parquet: nulls of one group make the column optional in all of them") {
  Table table;
  table.rows_per_group = 2;
  table.columns = {{"late", Numbers{1, 2, 3, std::nullopt}}, {"none", Numbers{1, 2, 3, 4}}};
  const std::string bytes = write(table);
  check_same(decoder::read(bytes), table);
  // 16 bytes of the page's values, then 6 of levels where there are nulls.
  table.columns.pop_back();
  const std::size_t with_null = write(table).size();
  std::get<Numbers>(table.columns[0].values)[3] = 4;
  // A value of 8 bytes comes, and two pages of levels go: (4 + 2) of the first and (4 + 4) of the second.
  CHECK(write(table).size() == with_null + 8 - 14);
}

TEST_CASE("parquet: long runs, many columns and many groups use the longer forms of their lengths") {
  Table table;
  Integers values(10'000, 1);
  for (std::size_t i = 0; i < 200; ++i) values[i] = std::nullopt;
  for (int i = 0; i < 130; ++i) table.columns.push_back({"column" + std::to_string(i), values});
  table.rows_per_group = 127;
  check_same(decoder::read(write(table)), table);
}

TEST_CASE("parquet: the largest group size does not overflow the row count") {
  Table table;
  table.columns = {{"i", Integers{1, 2, 3}}};
  table.rows_per_group = std::numeric_limits<std::size_t>::max();
  check_same(decoder::read(write(table)), table);
}

TEST_CASE("parquet: the reader of the tests notices what is wrong") {
  Table table;
  table.columns = {{"i", Integers{1, std::nullopt, 3}}, {"t", Texts{"a", "b", "c"}}};
  const std::string good = write(table);
  CHECK_THROWS(decoder::read(good.substr(0, good.size() - 1)));
  CHECK_THROWS(decoder::read(good.substr(0, 4) + good.substr(5)));
  std::string longer = good;
  longer.insert(4, "x");
  CHECK_THROWS(decoder::read(longer));
}
