// Wide tables, compressed traces, rows beyond memory, deviations.

#include <doctest/doctest.h>

#include <cmath>
#include <filesystem>

#include "base/compress/stream.hpp"
#include "base/core/atomic_file.hpp"
#include "formats/trace/deviation.hpp"
#include "formats/trace/read.hpp"
#include "formats/trace/rows.hpp"
#include "formats/trace/write.hpp"
#include "tests/support/support.hpp"
#include "tests/unit/formats/trace/example.hpp"

using namespace simbatch;
using namespace simbatch::trace;
using simbatch::test::TemporaryFolder;

TEST_CASE("trace wide: a column for each field, with its unit, and quoted texts") {
  const TemporaryFolder folder;
  const Trace trace = example_trace(2);
  write_trace(trace, *make_writer(Format::wide, folder.file("t.wide.csv"), trace.header));
  CHECK(
      test::read_text(folder.file("t.wide.csv")) ==
      "step,time [s],impreza.chassis.x [m],impreza.chassis.y [m],impreza.chassis.gps0.latitude [deg],impreza.chassis.gps0.fix,"
      "impreza.chassis.gps0.sentence,r\xc3\xa4"
      "der.a/b%c.intensity\r\n"
      "0,0,99.83341664682816,-0,52.50000001,0,\"$GPRMC,\"\"0\"\"\\*00\r\n\",1\r\n"
      "10,0.041666666666666664,891.2073600614355,1.1000000000000002e-300,52.50000011,1e+05,\"$GPRMC,\"\"1\"\"\\*00\r\n\",1\r\n");
  CHECK(format_of("a.wide.csv") == Format::wide);
  CHECK(format_of("a.csv") == Format::csv);
}

TEST_CASE("trace files: compressed by their suffix, and read by their first bytes") {
  const TemporaryFolder folder;
  const Trace trace = example_trace(500);
  for (const auto& [name, format] : {std::pair<const char*, Format>{"t.json.gz", Format::json},
                                     {"t.json.zst", Format::json},
                                     {"t.ndjson.gz", Format::ndjson},
                                     {"t.jsonl.zst", Format::ndjson}}) {
    CHECK(format_of(name) == format);
    for (const Lines lines : {Lines::at_once, Lines::at_the_end}) {
      write_trace(trace, *make_writer(format, folder.file(name), trace.header, lines));
      CHECK(container_of(test::read_text(folder.file(name))) == container_named(name));
      const ReadTrace read = read_trace(folder.file(name));
      REQUIRE_MESSAGE(read.trace.ok(), test::all_text(read.trace.diagnostics));
      CHECK(read.format == format);
      CHECK(to_json(*read.trace.value) == to_json(trace));
    }
  }
  CHECK(format_of("t.csv.gz") == Format::wide);
  CHECK(!format_of("t.parquet.gz"));
  CHECK(!format_of("t.mcap.zst"));
  CHECK(!format_of("t.gz"));
  write_trace(trace, *make_writer(Format::wide, folder.file("t.csv.zst"), trace.header));
  write_trace(trace, *make_writer(Format::wide, folder.file("t.wide.csv"), trace.header));
  CHECK(unpacked(test::read_text(folder.file("t.csv.zst")), 1 << 30)->bytes == test::read_text(folder.file("t.wide.csv")));
}

TEST_CASE("trace files: a compressed run that was killed can be read as far as it was flushed") {
  const TemporaryFolder folder;
  const Trace trace = example_trace(3000);
  for (const char* name : {"t.ndjson.gz", "t.ndjson.zst"}) {
    write_trace(trace, *make_writer(Format::ndjson, folder.file(name), trace.header));
    const std::string bytes = test::read_text(folder.file(name));
    write_file(folder.file("cut"), std::string_view(bytes).substr(0, bytes.size() * 2 / 3));
    const ReadTrace read = read_trace(folder.file("cut"));
    REQUIRE_MESSAGE(read.trace.value, test::all_text(read.trace.diagnostics));
    CHECK(!read.trace.value->end);
    CHECK(read.trace.value->steps.size() > 1000);
    CHECK(read.trace.value->columns[0][0].numbers[1000] == trace.columns[0][0].numbers[1000]);
    // Damaged within: refused.
    std::string changed = bytes;
    changed[bytes.size() / 2] = static_cast<char>(changed[bytes.size() / 2] ^ 0x55);
    write_file(folder.file("changed"), changed);
    const ReadTrace broken = read_trace(folder.file("changed"));
    CHECK((!broken.trace.value || to_json(*broken.trace.value) != to_json(trace)));
  }
}

TEST_CASE("trace rows: beyond 16 MB they are in a file, and the same") {
  const TemporaryFolder folder;
  constexpr std::size_t kNumbers = 37, kTexts = 2, kRows = 120000;  // 35 MB and texts
  detail::Rows kept({kNumbers, kTexts}), spilled({kNumbers, kTexts}, folder.path().string());
  std::vector<double> numbers(kNumbers);
  for (std::size_t row = 0; row < kRows; ++row) {
    for (std::size_t c = 0; c < kNumbers; ++c) numbers[c] = static_cast<double>(row * kNumbers + c);
    const std::string first = std::to_string(row), second(row % 7, 'x');
    const std::string_view texts[] = {first, second};
    kept.add(static_cast<std::int64_t>(row), numbers, texts);
    spilled.add(static_cast<std::int64_t>(row), numbers, texts);
  }
  std::vector<double> a, b;
  for (const auto& [first, count] : {std::pair<std::size_t, std::size_t>{0, 1}, {5, 8}, {36, 1}, {0, 37}}) {
    kept.numbers(first, count, a);
    spilled.numbers(first, count, b);
    CHECK(a == b);
    CHECK(a[kRows - 1] == static_cast<double>((kRows - 1) * kNumbers + first));
    CHECK(a[(count - 1) * kRows + 12345] == static_cast<double>(12345 * kNumbers + first + count - 1));
  }
  for (std::size_t column = 0; column < kTexts; ++column) {
    std::vector<std::string> x, y;
    kept.each_text(column, [&](std::string_view text) { x.emplace_back(text); });
    spilled.each_text(column, [&](std::string_view text) { y.emplace_back(text); });
    CHECK(x == y);
    REQUIRE(x.size() == kRows);
    CHECK(x[99999] == (column == 0 ? "99999" : std::string(99999 % 7, 'x')));
  }
  CHECK(std::filesystem::is_empty(folder.path()));  // nameless
}

TEST_CASE("trace deviations: rms, mean, largest difference and when, over rows of the same time") {
  Trace a;
  a.header.dt = 0.5;
  a.header.devices = {
      {"r",
       "k",
       {{"x", "m", "W", FieldType::number}, {"t", "", "", FieldType::text}, {"heading", "rad", "W", FieldType::number}}},
      {"only", "k", {{"x", "m", "W", FieldType::number}}}};
  a.steps = {0, 1, 2, 3};
  a.columns = {{{{0, 1, 2, 3}, {}}, {{}, {"a", "b", "c", "d"}}, {{3.1, 3.1, 3.1, 3.1}, {}}}, {{{0, 0, 0, 0}, {}}}};
  Trace b = a;
  b.header.devices.pop_back();
  b.columns.pop_back();
  b.columns[0][0].numbers = {0, 1, 2.5, 1};
  b.columns[0][2].numbers = {3.1, 3.1, 3.1, -3.1};
  auto rows = common_times(a, b);
  CHECK(rows.size() == 4);
  std::vector<Deviation> all = deviations(a, b, rows);
  REQUIRE(all.size() == 2);
  CHECK(all[0].max == 2);
  CHECK(all[0].row == 3);
  CHECK(all[0].rms == std::sqrt((0.25 + 4) / 4));
  CHECK(all[0].mean == (0.5 - 2) / 4);
  CHECK(all[0].spread == 3);
  CHECK(all[1].max == doctest::Approx(2 * 3.14159265358979 - 6.2));  // the shorter way round
  CHECK(ranked(all).size() == 2);
  CHECK(ranked(deviations(a, a, common_times(a, a))).empty());
  CHECK(deviations(a, b, rows, [](std::string_view name) { return name != "r"; }).empty());
  // Half the step, every second row; and times that never meet.
  b = a;
  b.header.dt = 0.25;
  b.steps = {0, 1, 2, 4};
  rows = common_times(a, b);
  CHECK(rows == std::vector<std::pair<std::size_t, std::size_t>>{{0, 0}, {1, 2}, {2, 3}});
  b.header.dt = 0.3;
  b.steps = {1, 2, 3, 4};
  CHECK(common_times(a, b).empty());
  CHECK(deviations(a, b, {}).size() == 3);
}
