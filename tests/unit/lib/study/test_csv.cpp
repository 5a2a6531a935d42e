// Tables cell by cell: random tables come back, places count bytes, and quotes that never close end with the text.
#include <doctest/doctest.h>

#include <algorithm>
#include <limits>

#include "base/core/random.hpp"
#include "lib/study/csv.hpp"
#include "lib/study/statistics.hpp"
#include "tests/support/support.hpp"

using namespace simbatch;
using namespace simbatch::study;

namespace {

using Cells = std::vector<std::vector<std::string>>;

Cells all_of(std::string_view text) {
  Cells rows;
  detail::CsvReader reader(text);
  for (std::vector<std::string> cells; reader.next(cells);) rows.push_back(cells);
  return rows;
}

}  // namespace

TEST_CASE("csv: random tables come back, whether cells need their quotes or not") {
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    CAPTURE(seed);
    RandomStream random(seed, "csv");
    const std::string_view line_end = random.below(2) == 0 ? "\n" : "\r\n";
    Cells rows;
    std::string text;
    std::vector<std::uint32_t> lines;
    std::uint32_t line = 1;
    for (std::uint64_t n = 1 + random.below(6); n > 0; --n) {
      lines.push_back(line);
      std::vector<std::string>& row = rows.emplace_back();
      for (std::uint64_t k = 1 + random.below(5); k > 0; --k) {
        std::string cell, written;
        bool needs_quotes = random.below(3) == 0;
        for (std::uint64_t length = random.below(7); length > 0; --length) {
          const char c = "ab,\"\n 1"[random.below(7)];
          cell += c;
          written += c == '"' ? "\"\"" : std::string(1, c);
          needs_quotes = needs_quotes || c == ',' || c == '"' || c == '\n';
          line += c == '\n' ? 1 : 0;
        }
        text += (row.empty() ? "" : ",") + (needs_quotes ? "\"" + written + "\"" : cell);
        row.push_back(cell);
      }
      text += line_end;
      ++line;
    }
    if (random.below(2) == 0 && rows.back() != std::vector<std::string>{""}) text.resize(text.size() - line_end.size());
    CAPTURE(text);
    detail::CsvReader reader(text);
    std::vector<std::string> cells;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      REQUIRE(reader.next(cells));
      CHECK(cells == rows[i]);
      CHECK(reader.line() == lines[i]);
    }
    CHECK_FALSE(reader.next(cells));
  }
}

TEST_CASE("csv: what is written as a cell is one cell of one line") {
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    RandomStream random(seed, "cell");
    std::string text;
    for (std::uint64_t length = 1 + random.below(9); length > 0; --length) text += "a,\"\r\n;\t\xC3\xA4"[random.below(9)];
    std::string expected = text;
    for (char& c : expected)
      if (c == '\r' || c == '\n') c = ' ';
    CAPTURE(text);
    CHECK(all_of("first," + csv_cell(text) + "," + csv_cell(text) + "\r\nlast") ==
          Cells{{"first", expected, expected}, {"last"}});
  }
}

TEST_CASE("csv: columns are those of the cells' first bytes") {
  detail::CsvReader reader("a,\"b,c\",,d\r\n\"x\ny\",z");
  std::vector<std::string> cells;
  REQUIRE(reader.next(cells));
  CHECK(reader.columns() == std::vector<std::uint32_t>{1, 3, 9, 10});
  REQUIRE(reader.next(cells));
  CHECK(reader.columns() == std::vector<std::uint32_t>{1, 7});
  CHECK(reader.line() == 2);
}

TEST_CASE("csv: texts that are not tables are cells all the same") {
  CHECK(all_of("").empty());
  CHECK(all_of("\n") == Cells{{""}});
  CHECK(all_of("\r\n\r\n") == Cells{{""}, {""}});
  CHECK(all_of(",") == Cells{{"", ""}});
  CHECK(all_of("\"") == Cells{{""}});
  CHECK(all_of("\"a\n,") == Cells{{"a\n,"}});
  CHECK(all_of("\"\"\"") == Cells{{"\""}});
  CHECK(all_of("\"a\"b,c") == Cells{{"ab", "c"}});
  CHECK(all_of("a\"b\"") == Cells{{"a\"b\""}});
  test::for_every_prefix("\"a \"\"b\"\"\",\r\n\"c\nd\",e,\"\"\r\n", [](std::string_view cut) {
    std::size_t bytes = 0;
    for (const auto& row : all_of(cut))
      for (const std::string& cell : row) bytes += cell.size();
    CHECK(bytes <= cut.size());
  });
}

TEST_CASE("study: quantiles are between the least and the greatest, ascend, and halve even samples") {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    CAPTURE(seed);
    RandomStream random(seed, "quantiles");
    std::vector<double> sorted;
    for (std::uint64_t n = 1 + random.below(30); n > 0; --n) sorted.push_back(static_cast<double>(random.below(10)));
    std::sort(sorted.begin(), sorted.end());
    double before = sorted.front();
    for (int i = 0; i <= 100; ++i) {
      const double q = detail::quantile(sorted, i / 100.0);
      CHECK(q >= before);
      before = q;
    }
    CHECK(detail::quantile(sorted, 0) == sorted.front());
    CHECK(detail::quantile(sorted, 1) == sorted.back());
    const std::size_t n = sorted.size();
    CHECK(detail::quantile(sorted, 0.5) == doctest::Approx((sorted[(n - 1) / 2] + sorted[n / 2]) / 2));
    // The spread of the same values, in any order and among others that do not count.
    std::vector<double> mixed(sorted.rbegin(), sorted.rend());
    mixed.push_back(std::numeric_limits<double>::infinity());
    mixed.insert(mixed.begin(), -std::numeric_limits<double>::infinity());
    const detail::Spread spread = detail::spread_of(mixed);
    CHECK(spread.n == static_cast<std::int64_t>(n));
    CHECK(spread.least == sorted.front());
    CHECK(spread.greatest == sorted.back());
    CHECK(spread.low == detail::quantile(sorted, 0.05));
    CHECK(spread.median == detail::quantile(sorted, 0.5));
    CHECK(spread.high == detail::quantile(sorted, 0.95));
    double sum = 0;
    for (const double value : sorted) sum += value;
    CHECK(spread.mean == doctest::Approx(sum / static_cast<double>(n)));
  }
  CHECK(detail::spread_of({}).n == 0);
}
