// Traces as Parquet tables, NumPy archives and MATLAB files. tests/simrun/tables opens them with pandas' and MATLAB's relatives.

#include <doctest/doctest.h>

#include <map>

#include "base/core/input.hpp"
#include "base/parquet/stream.hpp"
#include "formats/trace/codes.hpp"
#include "formats/trace/read.hpp"
#include "formats/trace/write.hpp"
#include "tests/support/support.hpp"
#include "tests/unit/formats/trace/example.hpp"

using namespace simbatch;
using namespace simbatch::trace;
using simbatch::test::TemporaryFolder;

namespace {

std::string written(const Trace& trace, Format format) {
  const TemporaryFolder folder;
  const std::string path = folder.file("t");
  write_trace(trace, *make_writer(format, path, trace.header));
  return test::read_text(path);
}

std::string problem_of(std::string_view bytes) {
  const Parsed<Trace> read = read_parquet(bytes, "t.parquet");
  if (read.ok()) return "none";
  REQUIRE(read.diagnostics.items().size() == 1);
  return std::string(read.diagnostics.items()[0].code) + ": " + read.diagnostics.items()[0].message;
}

/// A table with this document, and these columns of one row.
std::string table(const std::vector<parquet::ColumnType>& columns, const std::string& document) {
  std::string bytes;
  parquet::StreamWriter out([&bytes](std::string_view part) { bytes += part; }, columns);
  for (const parquet::ColumnType& column : columns) switch (column.type) {
      case parquet::Type::integers: out.integers(std::vector<std::int64_t>{0}); break;
      case parquet::Type::numbers: out.numbers(std::vector<double>{column.name == "nan" ? std::nan("") : 1.5}); break;
      case parquet::Type::texts: out.texts(std::vector<std::string_view>{"text"}); break;
    }
  if (document.empty())
    out.finish({}, "");
  else
    out.finish({{"simbatch.trace", document}}, "");
  return bytes;
}

}  // namespace

TEST_CASE("trace tables: Parquet reads back as the same trace, and writes the same JSON again") {
  for (const std::size_t rows : {std::size_t{0}, std::size_t{1}, std::size_t{5}, std::size_t{3000}}) {
    const Trace trace = example_trace(rows);
    const std::string bytes = written(trace, Format::parquet);
    CHECK(bytes == written(trace, Format::parquet));
    const Parsed<Trace> read = read_parquet(bytes, "t.parquet");
    REQUIRE_MESSAGE(read.ok(), test::all_text(read.diagnostics));
    CHECK(to_json(*read.value) == to_json(trace));
  }
}

TEST_CASE("trace tables: a file is recognized by its first bytes, a cut trace keeps its warning") {
  const TemporaryFolder folder;
  const Trace trace = example_trace();
  write_trace(trace, *make_writer(Format::parquet, folder.file("named.json"), trace.header));
  const ReadTrace read = read_trace(folder.file("named.json"));
  CHECK(read.format == Format::parquet);
  CHECK(read.trace.ok());
}

TEST_CASE("trace tables: Parquet and MCAP without compression are larger, and the same trace") {
  const TemporaryFolder folder;
  const Trace trace = example_trace(500);
  for (const Format format : {Format::parquet, Format::mcap}) {
    std::map<Compression, std::string> files;
    for (const Compression compression : {Compression::zstd, Compression::none}) {
      const std::string path = folder.file("t");
      write_trace(trace, *make_writer(format, path, trace.header, Lines::at_the_end, compression));
      files[compression] = test::read_text(path);
      const Parsed<Trace> read =
          format == Format::mcap ? read_mcap(files[compression], "t") : read_parquet(files[compression], "t");
      REQUIRE_MESSAGE(read.ok(), test::all_text(read.diagnostics));
      CHECK(to_json(*read.value) == to_json(trace));
    }
    CHECK(files[Compression::none].size() > 2 * files[Compression::zstd].size());
    write_trace(trace, *make_writer(format, folder.file("t"), trace.header, Lines::at_the_end));
    CHECK(test::read_text(folder.file("t")) == files[Compression::zstd]);
    // Zstandard's frames begin with this number.
    CHECK(files[Compression::none].find("\x28\xB5\x2F\xFD") == std::string::npos);
    CHECK(files[Compression::zstd].find("\x28\xB5\x2F\xFD") != std::string::npos);
  }
}

TEST_CASE("trace tables: groups of rows are bounded in bytes") {
  Trace trace = example_trace(1);
  const std::string path = "trace-groups.parquet";
  const TemporaryFolder folder;
  const auto writer = make_writer(Format::parquet, folder.file(path), trace.header);
  const std::string long_text(1 << 20, 'x');  // 40 rows of a megabyte: more than one group
  const std::vector<double> numbers = {1, 2, 3, 4, 5};
  for (std::int64_t step = 0; step < 40; ++step) {
    const std::string_view texts[] = {long_text};
    writer->row(step, numbers, texts);
  }
  writer->finish(End{});
  const Parsed<Trace> read = read_parquet(test::read_text(folder.file(path)), path);
  REQUIRE_MESSAGE(read.ok(), test::all_text(read.diagnostics));
  CHECK(read.value->steps.size() == 40);
  CHECK(read.value->columns[1][2].texts[39] == long_text);
  CHECK(read.value->columns[2][0].numbers[39] == 5);
}

TEST_CASE("trace tables: what is not a trace is refused, and says why") {
  using parquet::Type;
  const std::string head = R"({"schema":"simbatch-trace-1","dt":1,"devices":[{"name":"a","fields":[{"name":"x"}]}]})";
  const parquet::ColumnType step{"step", Type::integers}, time{"time", Type::numbers}, x{"a.x", Type::numbers};
  CHECK(problem_of(table({step, time, x}, head)) == "none");
  CHECK(problem_of("PAR1") == "trace-parquet: not a Parquet file (at byte 0)");
  CHECK(problem_of(table({step, time, x}, "")) ==
        "trace-parquet: a table without the metadata \"simbatch.trace\": not a trace (at byte 0)");
  CHECK(problem_of(table({step, time}, head)) ==
        "trace-parquet: expected the columns step, time, and one for each field of the header (at byte 0)");
  CHECK(problem_of(table({step, time, {"a.y", Type::numbers}}, head)) ==
        "trace-parquet: column 3 is \"a.y\", expected \"a.x\" of type number (at byte 0)");
  CHECK(problem_of(table({step, time, {"a.x", Type::texts}}, head)) ==
        "trace-parquet: column 3 is \"a.x\", expected \"a.x\" of type number (at byte 0)");
  CHECK(problem_of(table({step, time, {"nan", Type::numbers}},
                         R"({"schema":"simbatch-trace-1","dt":1,"devices":[{"name":"a","fields":[{"name":"x"}]}]})"))
            .starts_with("trace-parquet: column 3"));
  CHECK(problem_of(table({step, time, x}, "{}")).starts_with("trace-schema: "));
  CHECK(problem_of(table({step, time, x}, "{")).starts_with("trace-syntax: "));
}

TEST_CASE("trace tables: changed bytes are read or refused, never worse") {
  const std::string bytes = written(example_trace(20), Format::parquet);
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    const Parsed<Trace> read = read_parquet(test::mutated(bytes, seed), "t");
    if (read.value) CHECK(read.value->columns.size() == read.value->header.devices.size());
  }
}

TEST_CASE("trace tables: archives for NumPy and MATLAB have their marks, and the same bytes twice") {
  const Trace trace = example_trace();
  const std::string npz = written(trace, Format::npz), mat = written(trace, Format::mat);
  CHECK(npz.starts_with("PK\x03\x04"));
  CHECK(npz.find("impreza.chassis.gps0.sentence.npy") != std::string::npos);
  CHECK(npz == written(trace, Format::npz));
  CHECK(mat.starts_with("MATLAB 5.0 MAT-file"));
  CHECK(mat.substr(124, 4) == std::string("\x00\x01IM", 4));
  CHECK(mat == written(trace, Format::mat));
}

TEST_CASE("trace tables: a field that is called like a part gets a name of its own") {
  Trace trace;
  trace.header.dt = 1;
  trace.header.devices = {{"a", "k", {{"b.c", "", "", FieldType::number}}}, {"a.b", "k", {{"c", "", "", FieldType::number}}}};
  trace.steps = {0};
  trace.columns = {{{{1.0}, {}}}, {{{2.0}, {}}}};
  trace.end = End{};
  const std::string bytes = written(trace, Format::parquet);
  CHECK(bytes.find("a.b.c_2") != std::string::npos);
  const Parsed<Trace> read = read_parquet(bytes, "t");
  REQUIRE_MESSAGE(read.ok(), test::all_text(read.diagnostics));
  CHECK(to_json(*read.value) == to_json(trace));
  CHECK(!written(trace, Format::mat).empty());
}
