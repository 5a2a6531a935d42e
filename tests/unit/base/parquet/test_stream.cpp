// Tables written in groups come back from the reader; what is not such a file is refused, whatever its bytes say.

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <stdexcept>

#include "base/parquet/read.hpp"
#include "base/parquet/stream.hpp"
#include "base/parquet/write.hpp"
#include "tests/support/support.hpp"

using namespace simbatch;
using namespace simbatch::parquet;

namespace {

const std::vector<ColumnType> kColumns = {{"step", Type::integers}, {"x", Type::numbers}, {"name", Type::texts}};

/// @param groups  number of rows of each
std::string file(const std::vector<std::size_t>& groups) {
  std::string bytes;
  StreamWriter out([&bytes](std::string_view part) { bytes += part; }, kColumns);
  std::int64_t next = 0;
  for (const std::size_t rows : groups) {
    std::vector<std::int64_t> steps;
    std::vector<double> x;
    std::vector<std::string> texts;
    for (std::size_t i = 0; i < rows; ++i, ++next) {
      steps.push_back(next * 1'000'000'007);
      x.push_back(next == 0 ? -0.0 : std::sin(static_cast<double>(next)) * 1e3);
      texts.push_back(next % 3 == 0 ? "" : "row " + std::to_string(next) + " \xC3\xA4\n");
    }
    out.integers(steps);
    out.numbers(x);
    out.texts(std::vector<std::string_view>(texts.begin(), texts.end()));
  }
  out.finish({{"key", "value"}, {"empty", ""}}, "test");
  return bytes;
}

/// Everything of a file. @throws ReadFault
std::size_t read_all(std::string_view bytes) {
  const Reader reader(bytes);
  std::size_t values = 0;
  for (std::size_t i = 0; i < reader.columns().size(); ++i) switch (reader.columns()[i].type) {
      case Type::integers: values += reader.integers(i).size(); break;
      case Type::numbers: values += reader.numbers(i).size(); break;
      case Type::texts: values += reader.texts(i).size(); break;
    }
  return values;
}

std::string fault_of(std::string_view bytes) {
  try {
    read_all(bytes);
  } catch (const ReadFault& fault) {
    return fault.message;
  }
  return "none";
}

}  // namespace

TEST_CASE("parquet: groups of rows come back to the last bit") {
  for (const std::vector<std::size_t>& groups : {std::vector<std::size_t>{}, {1}, {5, 1, 4}, {20'000, 3}}) {
    std::size_t rows = 0;
    for (const std::size_t group : groups) rows += group;
    const std::string bytes = file(groups);
    CHECK(bytes == file(groups));
    const Reader reader(bytes);
    REQUIRE(reader.columns().size() == 3);
    CHECK(reader.columns()[2].name == "name");
    CHECK(reader.rows() == rows);
    CHECK(reader.metadata() == std::vector<std::pair<std::string, std::string>>{{"key", "value"}, {"empty", ""}});
    const std::vector<std::int64_t> steps = reader.integers(0);
    const std::vector<double> x = reader.numbers(1);
    const std::vector<std::string> texts = reader.texts(2);
    REQUIRE(steps.size() == rows);
    REQUIRE(x.size() == rows);
    REQUIRE(texts.size() == rows);
    if (rows > 0) CHECK(std::signbit(x[0]));
    bool same = true;
    for (std::size_t i = 1; i < rows; ++i)
      same = same && steps[i] == static_cast<std::int64_t>(i) * 1'000'000'007 &&
             x[i] == std::sin(static_cast<double>(i)) * 1e3 &&
             texts[i] == (i % 3 == 0 ? "" : "row " + std::to_string(i) + " \xC3\xA4\n");
    CHECK(same);
  }
}

TEST_CASE("parquet: plain, uncompressed tables are read too") {
  Table table;
  table.columns = {
      {"a", Integers{3, std::numeric_limits<std::int64_t>::min()}}, {"b", Numbers{1.5, -INFINITY}}, {"c", Texts{"", "x"}}};
  const std::string bytes = write(table);
  const Reader reader(bytes);
  CHECK(reader.integers(0) == std::vector<std::int64_t>{3, std::numeric_limits<std::int64_t>::min()});
  CHECK(reader.numbers(1) == std::vector<double>{1.5, -INFINITY});
  CHECK(reader.texts(2) == std::vector<std::string>{"", "x"});
  table.columns[1].values = Numbers{1.5, std::nullopt};
  CHECK(fault_of(write(table)) == "column \"b\" has empty values");
}

TEST_CASE("parquet: columns of the wrong type or length are refused when they are written") {
  StreamWriter out([](std::string_view) {}, kColumns);
  const double numbers[] = {1, 2};
  const std::int64_t integers[] = {1, 2, 3};
  CHECK_THROWS_AS(out.numbers(numbers), std::invalid_argument);
  out.integers(integers);
  CHECK_THROWS_AS(out.numbers(numbers), std::invalid_argument);
}

TEST_CASE("parquet: cut files, and every changed byte, are read or refused, never worse") {
  const std::string bytes = file({7, 2});
  CHECK(fault_of("") == "not a Parquet file");
  CHECK(fault_of("PAR1PAR1") == "not a Parquet file");
  CHECK(fault_of(bytes.substr(0, bytes.size() - 1)) == "the file does not end with PAR1: it was cut");
  CHECK(fault_of(std::string("PAR1") + std::string(3, '\0') + "\x7FPAR1") == "the footer is longer than the file");
  for (std::size_t n = 0; n < bytes.size(); ++n) CHECK(fault_of(bytes.substr(0, n)) != "none");
  std::size_t refused = 0;
  for (std::size_t n = 0; n < bytes.size(); ++n)
    for (const int bit : {0, 3, 7}) {
      std::string bad = bytes;
      bad[n] = static_cast<char>(bad[n] ^ (1 << bit));
      refused += fault_of(bad) != "none";
    }
  CHECK(refused > bytes.size());  // more than a third of all changes: the others are in values and names
  for (std::uint64_t seed = 0; seed < 3000; ++seed) fault_of(test::mutated(bytes, seed));
}

TEST_CASE("parquet: two columns may not share their pages, which would multiply what a small file unpacks to") {
  std::string bytes;
  StreamWriter out([&bytes](std::string_view part) { bytes += part; }, {{"a", Type::integers}, {"b", Type::integers}});
  const std::vector<std::int64_t> values(1000);
  out.integers(values);
  const std::size_t second = bytes.size();
  out.integers(values);
  out.finish({}, "");
  CHECK(fault_of(bytes) == "none");
  // The offset of the second column is a zigzag varint in the footer, twice; the first one's is that of byte 4.
  const auto varint = [](std::size_t value) {
    std::string text;
    for (value <<= 1; value >= 0x80; value >>= 7) text += static_cast<char>((value & 0x7F) | 0x80);
    return text + static_cast<char>(value);
  };
  REQUIRE(varint(second).size() == 1);
  std::size_t changed = 0;
  const std::size_t footer = bytes.find("schema");
  REQUIRE(footer != std::string::npos);
  for (std::size_t i = footer; i < bytes.size() - 8; ++i)
    if (static_cast<std::size_t>(static_cast<unsigned char>(bytes[i])) == 2 * second) bytes[i] = '\x08', ++changed;
  CHECK(changed >= 2);
  CHECK(fault_of(bytes) == "column \"b\" is not between the columns beside it");
}
