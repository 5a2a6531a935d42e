// Statistics over runs against the equations that define them, and tables of texts that come back.

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "base/core/random.hpp"
#include "lib/study/csv.hpp"
#include "lib/study/statistics.hpp"
#include "lib/study/study.hpp"
#include "tests/support/support.hpp"

using namespace simbatch;
using namespace simbatch::study;

TEST_CASE("statistics: the ends of Wilson's interval are as far from the share as its own deviation says") {
  constexpr double z = 1.959963984540054;
  for (const std::int64_t n : {1, 2, 3, 10, 37, 1000, 1000000})
    for (const double part : {0.0, 0.01, 0.3, 0.5, 0.77, 1.0}) {
      const auto k = static_cast<std::int64_t>(std::llround(part * static_cast<double>(n)));
      const Share share = wilson(k, n), other = wilson(n - k, n);
      CAPTURE(n);
      CAPTURE(k);
      CHECK(share.share == doctest::Approx(static_cast<double>(k) / static_cast<double>(n)));
      // |p - share| = z sqrt(p (1 - p) / n) for both ends p.
      for (const double p : {share.low, share.high}) {
        CHECK(p >= 0);
        CHECK(p <= 1);
        CHECK(std::abs(p - share.share) == doctest::Approx(z * std::sqrt(p * (1 - p) / static_cast<double>(n))).epsilon(1e-9));
      }
      CHECK(share.low <= share.share);
      CHECK(share.high >= share.share);
      CHECK(share.low == doctest::Approx(1 - other.high));  // successes and failures change places
      // Ten times as many runs of the same share have a narrower interval.
      const Share more = wilson(10 * k, 10 * n);
      CHECK(more.high - more.low < share.high - share.low);
    }
}

TEST_CASE("statistics: quantiles go through the order statistics, and linearly between them") {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    RandomStream random(seed, "quantiles");
    std::vector<double> sorted(1 + random.below(30));
    for (double& x : sorted) x = std::floor(random.uniform() * 20) - 10;  // ties occur
    std::sort(sorted.begin(), sorted.end());
    CAPTURE(seed);
    CHECK(detail::quantile(sorted, 0) == sorted.front());
    CHECK(detail::quantile(sorted, 1) == sorted.back());
    const auto last = static_cast<double>(sorted.size() - 1);
    double before = sorted.front();
    for (std::size_t i = 0; i + 1 < sorted.size(); ++i) {
      const auto k = static_cast<double>(i);
      CHECK(detail::quantile(sorted, k / last) == doctest::Approx(sorted[i]));
      const double share = random.uniform(), between = detail::quantile(sorted, (k + share) / last);
      CHECK(between == doctest::Approx((1 - share) * sorted[i] + share * sorted[i + 1]));
      CHECK(between >= before - 1e-9);
      before = between;
    }
  }
}

TEST_CASE("statistics: a spread does not depend on the order, and follows a change of the unit") {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    RandomStream random(seed, "spread");
    std::vector<double> values(1 + random.below(40)), turned, scaled;
    double sum = 0;
    for (double& x : values) sum += x = random.uniform() * 100 - 30;
    turned.assign(values.rbegin(), values.rend());
    turned.insert(turned.begin() + static_cast<std::ptrdiff_t>(random.below(turned.size())),
                  {INFINITY, std::nan(""), -INFINITY});
    for (const double x : values) scaled.push_back(3 * x + 7);
    const detail::Spread s = detail::spread_of(values), t = detail::spread_of(turned), u = detail::spread_of(scaled);
    CAPTURE(seed);
    CHECK(s.n == static_cast<std::int64_t>(values.size()));
    CHECK(s.mean == doctest::Approx(sum / static_cast<double>(values.size())));
    const auto all = [](const detail::Spread& x) {
      return std::vector{x.mean, x.least, x.low, x.quarter, x.median, x.three_quarters, x.high, x.greatest};
    };
    CHECK(t.n == s.n);
    for (std::size_t i = 0; i < all(s).size(); ++i) {
      CHECK(all(t)[i] == doctest::Approx(all(s)[i]));
      CHECK(all(u)[i] == doctest::Approx(3 * all(s)[i] + 7));
      if (i > 1) CHECK(all(s)[i] >= all(s)[i - 1]);
    }
  }
}

TEST_CASE("statistics: a mean of values near the largest number does not overflow") {
  constexpr double kMax = std::numeric_limits<double>::max();
  CHECK(detail::spread_of({kMax, kMax, kMax, kMax}).mean == doctest::Approx(kMax));
  CHECK(std::isfinite(detail::spread_of({kMax, kMax / 2}).median));
}

TEST_CASE("statistics: the worst runs are those of a search for the worst, one by one") {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    RandomStream random(seed, "worst");
    std::vector<detail::TableRow> rows(random.below(30));
    for (std::size_t i = 0; i < rows.size(); ++i) {
      rows[i].run = static_cast<std::int64_t>(i);
      constexpr RunVerdict kVerdicts[] = {RunVerdict::pass, RunVerdict::fail, RunVerdict::error, RunVerdict::crash};
      rows[i].verdict = kVerdicts[random.below(4)];
      for (std::uint64_t k = random.below(3); k-- > 0;)
        rows[i].margins.push_back(random.below(4) == 0 ? std::nullopt
                                                       : std::optional(static_cast<double>(random.below(6)) - 3));
    }
    std::vector<std::size_t> expected;
    std::vector<bool> taken(rows.size());
    while (true) {
      std::optional<std::size_t> worst;
      const auto rank = [&](std::size_t i) {
        // Broken ones first; then the least margin; then the other one, if there is one.
        std::vector<double> all{rows[i].verdict == RunVerdict::fail ? 1.0 : 0.0}, margins;
        for (const auto& m : rows[i].margins)
          if (m) margins.push_back(*m);
        if (margins.empty()) margins = {-1000};
        if (margins.size() == 2 && margins[1] < margins[0]) std::swap(margins[0], margins[1]);
        all.insert(all.end(), margins.begin(), margins.end());
        return all;
      };
      for (std::size_t i = 0; i < rows.size(); ++i)
        if (!taken[i] && rows[i].verdict != RunVerdict::pass && (!worst || rank(i) < rank(*worst))) worst = i;
      if (!worst) break;
      taken[*worst] = true;
      expected.push_back(*worst);
    }
    CAPTURE(seed);
    CHECK(detail::worst_of(rows, 100) == expected);
    expected.resize(std::min<std::size_t>(expected.size(), 4));
    CHECK(detail::worst_of(rows, 4) == expected);
  }
}

TEST_CASE("statistics: groups contain every run once, in ascending order") {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    RandomStream random(seed, "groups");
    Study study;
    study.parameters.resize(1);
    study.parameters[0].scale = seed % 2 == 0 ? Parameter::Scale::linear : Parameter::Scale::log;
    const std::uint64_t distinct = 1 + random.below(40);
    std::vector<detail::TableRow> rows(1 + random.below(80));
    std::int64_t passes = 0;
    for (detail::TableRow& row : rows) {
      row.values = {0.5 + static_cast<double>(random.below(distinct))};
      row.verdict = random.below(2) == 0 ? RunVerdict::pass : RunVerdict::fail;
      passes += row.verdict == RunVerdict::pass ? 1 : 0;
    }
    const auto groups = detail::groups_of(study, 0, rows);
    std::int64_t n = 0, pass = 0;
    double before = -1;
    CAPTURE(seed);
    for (const detail::Group& group : groups) {
      CHECK(group.n > 0);
      CHECK(group.pass <= group.n);
      const double low = std::stod(group.label);
      CHECK(low > before);
      before = low;
      n += group.n;
      pass += group.pass;
    }
    CHECK(n == static_cast<std::int64_t>(rows.size()));
    CHECK(pass == passes);
  }
}

TEST_CASE("csv: cells of any texts come back at the columns where they are, line ends as blanks") {
  constexpr const char* kPieces[] = {"a", ",", "\"", "\"\"", " ", "\n", "\r\n", ";", "\xC3\xA4", "", "0.5", "'"};
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    RandomStream random(seed, "csv");
    std::vector<std::vector<std::string>> rows(1 + random.below(6));
    std::string text;
    std::vector<std::vector<std::uint32_t>> columns;
    for (auto& row : rows) {
      row.resize(1 + random.below(5));
      auto& at = columns.emplace_back();
      std::string line;
      for (std::size_t i = 0; i < row.size(); ++i) {
        for (std::uint64_t k = random.below(6); k-- > 0;) row[i] += kPieces[random.below(std::size(kPieces))];
        if (i > 0) line += ',';
        at.push_back(static_cast<std::uint32_t>(line.size()) + 1);
        line += csv_cell(row[i]);
      }
      text += line + (random.below(2) == 0 ? "\n" : "\r\n");
    }
    CAPTURE(text);
    detail::CsvReader reader(text);
    std::vector<std::string> cells;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      REQUIRE(reader.next(cells));
      CHECK(reader.line() == i + 1);
      CHECK(reader.columns() == columns[i]);
      for (std::string& cell : rows[i])
        for (char& c : cell)
          if (c == '\n' || c == '\r') c = ' ';
      CHECK(cells == rows[i]);
    }
    CHECK_FALSE(reader.next(cells));
  }
}

TEST_CASE("csv: lines are counted through quoted line ends, and hostile texts end") {
  detail::CsvReader reader("a,\"1\n2\r\n3\"\n\"x\"y,\"\"\"\"\n,\n");
  std::vector<std::string> cells;
  REQUIRE(reader.next(cells));
  CHECK(cells == std::vector<std::string>{"a", "1\n2\r\n3"});
  REQUIRE(reader.next(cells));
  CHECK(reader.line() == 4);
  CHECK(cells == std::vector<std::string>{"xy", "\""});
  REQUIRE(reader.next(cells));
  CHECK(cells == std::vector<std::string>{"", ""});
  CHECK_FALSE(reader.next(cells));
  const std::string sample = "run,\"a,b\",c\r\n0,\"1\"\"2\",-0.5\r\n1,,\"x\ny\"\n";
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    const std::string text = simbatch::test::mutated(sample, seed);
    detail::CsvReader hostile(text);
    std::size_t rows = 0;
    while (hostile.next(cells)) {
      ++rows;
      CHECK(hostile.columns().size() == cells.size());
    }
    CHECK(rows <= static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')) + 1);
  }
}
