#include <doctest/doctest.h>

#include <bit>
#include <charconv>
#include <cmath>

#include "base/core/input.hpp"
#include "base/core/random.hpp"
#include "formats/trace/codes.hpp"
#include "formats/trace/compare.hpp"
#include "formats/trace/fast_number.hpp"
#include "formats/trace/read.hpp"
#include "formats/trace/write.hpp"
#include "tests/support/support.hpp"
#include "tests/unit/formats/trace/example.hpp"

using namespace simbatch;
using namespace simbatch::trace;
using simbatch::test::TemporaryFolder;

namespace {
std::string fast(double value) {
  char text[detail::kNumberChars];
  return {text, detail::write_number(text, value)};
}
std::string standard(double value) {
  char text[64];
  return {text, std::to_chars(text, text + sizeof text, value).ptr};
}
void write(const Trace& trace, Format format, const std::string& path) {
  const auto writer = make_writer(format, path, trace.header);
  write_trace(trace, *writer);
}
}  // namespace

TEST_CASE("trace: numbers print as std::to_chars prints them, byte for byte") {
  for (const double value : {0.0,
                             -0.0,
                             1.0,
                             -1.0,
                             0.1,
                             1.5,
                             99999.0,
                             100000.0,
                             123456.0,
                             1e5,
                             1e15,
                             1e16,
                             1e22,
                             1e23,
                             9007199254740993.0,
                             0.001,
                             0.0001,
                             0.00001,
                             0.00012345,
                             1.0 / 3,
                             2.0 / 3,
                             5e-324,
                             1.7976931348623157e308,
                             2.2250738585072014e-308,
                             -2.2250738585072014e-308,
                             123456789.125,
                             1e-7,
                             1.25e-7,
                             12345678901234567.0,
                             100.25,
                             1e100,
                             1.5e-100})
    CHECK(fast(value) == standard(value));
  RandomStream random(1, "numbers");
  for (int i = 0; i < 300'000; ++i) {
    const double any = std::bit_cast<double>(random.next64());
    if (std::isfinite(any)) REQUIRE(fast(any) == standard(any));
    const double usual = (random.uniform() - 0.5) * std::pow(10, static_cast<double>(random.below(12)) - 4);
    REQUIRE(fast(usual) == standard(usual));
    const double rounded = std::round(usual * 1000) / 1000;
    REQUIRE(fast(rounded) == standard(rounded));
    const double whole = std::round(usual * 1e6);
    REQUIRE(fast(whole) == standard(whole));
  }
}

TEST_CASE("trace: JSON reads back as the same trace, and writes the same text again") {
  const Trace trace = example_trace();
  const std::string text = to_json(trace);
  const Parsed<Trace> read = read_json(text, "t.json");
  REQUIRE_MESSAGE(read.ok(), simbatch::test::all_text(read.diagnostics));
  CHECK(*read.value == trace);
  CHECK(std::signbit(read.value->columns[0][1].numbers[0]));
  CHECK(to_json(*read.value) == text);
  CHECK(text.find("\"sentence\":[\"$GPRMC,\\\"0\\\"\\\\*00\\r\\n\"") != std::string::npos);
}

TEST_CASE("trace: texts of any bytes become valid JSON strings, and those of valid UTF-8 come back") {
  RandomStream random(3, "texts");
  for (int i = 0; i < 3000; ++i) {
    Trace trace = example_trace(1);
    std::string& text = trace.columns[1][2].texts[0];
    text.clear();
    for (std::uint64_t n = random.below(40); n > 0; --n) {
      const char* pieces[] = {"a", "plain text", "\"", "\\", "\r\n", "\t", "\x01", "\x7f", "\xc3\xa4", "\xe2\x82\xac", " "};
      text += pieces[random.below(i % 2 == 0 ? 11 : 3)];
    }
    const Parsed<Trace> read = read_json(to_json(trace), "t");
    REQUIRE_MESSAGE(read.ok(), simbatch::test::all_text(read.diagnostics));
    REQUIRE(read.value->columns[1][2].texts[0] == text);
  }
  Trace trace = example_trace(1);
  trace.columns[1][2].texts[0] =
      "a\xff"
      "b";
  CHECK(read_json(to_json(trace), "t").value->columns[1][2].texts[0] ==
        "a\xef\xbf\xbd"
        "b");
}

TEST_CASE("trace: equal columns of several devices print the same text, nearly equal ones do not") {
  Trace trace;
  trace.header.dt = 0.25;
  for (int d = 0; d < 5; ++d) {
    trace.header.devices.push_back({"clock" + std::to_string(d), "TimeDevice", {{"time", "s", "", FieldType::number}}});
    trace.columns.push_back({{{0.1, -0.0, 0.3}, {}}});
  }
  trace.columns[3][0].numbers[1] = 0;  // equal to -0 as a number, not as bits
  trace.steps = {0, 1, 2};
  trace.end = End{};
  const std::string text = to_json(trace);
  const Parsed<Trace> read = read_json(text, "t");
  REQUIRE(read.ok());
  for (std::size_t d = 0; d < 5; ++d) {
    CHECK(read.value->columns[d] == trace.columns[d]);
    CHECK(std::signbit(read.value->columns[d][0].numbers[1]) == (d != 3));
  }
}

TEST_CASE("trace: every format keeps everything, so conversions come back to the same bytes") {
  const TemporaryFolder folder;
  const Trace trace = example_trace();
  const std::string json = to_json(trace);
  write(trace, Format::ndjson, folder.file("t.ndjson"));
  write(trace, Format::csv, folder.file("t"));
  write(trace, Format::json, folder.file("t.json"));
  CHECK(simbatch::test::read_text(folder.file("t.json")) == json);
  for (const char* name : {"t.ndjson", "t", "t.json"}) {
    CAPTURE(name);
    const ReadTrace read = read_trace(folder.file(name));
    REQUIRE_MESSAGE(read.trace.ok(), simbatch::test::all_text(read.trace.diagnostics));
    CHECK(*read.trace.value == trace);
    CHECK(to_json(*read.trace.value) == json);
  }
  CHECK(simbatch::test::read_text(folder.file("t/impreza.chassis.gps0.csv"))
            .starts_with("step,time,latitude,fix,sentence\r\n0,0,52.50000001,0,\"$GPRMC,\"\"0\"\"\\*00\r\n\"\r\n"));
  CHECK(folder.names() == std::vector<std::string>{"t", "t.json", "t.ndjson"});
  // A trace without rows (0 steps of nothing) as well.
  Trace empty = example_trace(0);
  empty.header.devices.clear();
  empty.columns.clear();
  write(empty, Format::csv, folder.file("empty"));
  const ReadTrace back = read_trace(folder.file("empty"));
  REQUIRE(back.trace.ok());
  CHECK(*back.trace.value == empty);
}

TEST_CASE("trace: steps are written as whole numbers, also where another form is shorter") {
  const TemporaryFolder folder;
  Trace trace = example_trace(3);
  trace.steps = {100000, 2000000, 9007199254740992};
  write(trace, Format::json, folder.file("t.json"));
  write(trace, Format::ndjson, folder.file("t.ndjson"));
  write(trace, Format::csv, folder.file("t"));
  write(trace, Format::wide, folder.file("t.wide.csv"));
  for (const char* name : {"t.ndjson", "t", "t.json"}) {
    CAPTURE(name);
    const ReadTrace read = read_trace(folder.file(name));
    REQUIRE_MESSAGE(read.trace.ok(), simbatch::test::all_text(read.trace.diagnostics));
    CHECK(*read.trace.value == trace);
  }
  for (const char* name : {"t.wide.csv", "t/impreza.chassis.csv"})
    CHECK(simbatch::test::read_text(folder.file(name)).find("\n100000,") != std::string::npos);
}

TEST_CASE("trace: an unwritable place is found when the writer is made, and nothing is left") {
  const TemporaryFolder folder;
  const Trace trace = example_trace();
  simbatch::test::write_text(folder.file("file"), "x");
  for (const Format format : {Format::json, Format::ndjson, Format::csv}) {
    CAPTURE(to_text(format));
    CHECK_THROWS_AS(make_writer(format, folder.file("absent/t"), trace.header), IoError);
    CHECK_THROWS_AS(make_writer(format, folder.file("file/t"), trace.header), IoError);
  }
  std::filesystem::create_directory(folder.file("other"));
  simbatch::test::write_text(folder.file("other/precious.txt"), "x");
  CHECK_THROWS_AS(make_writer(Format::csv, folder.file("other"), trace.header), IoError);
  CHECK_THROWS_AS(make_writer(Format::csv, folder.file("file"), trace.header), IoError);
  // A writer that is not finished leaves nothing (NDJSON, which can be read while it grows, excepted).
  make_writer(Format::json, folder.file("a.json"), trace.header);
  make_writer(Format::csv, folder.file("a"), trace.header);
  CHECK(folder.names() == std::vector<std::string>{"file", "other"});
}

TEST_CASE("trace: a CSV folder takes the place of an older trace, with no file of the old one left") {
  const TemporaryFolder folder;
  Trace trace = example_trace();
  write(trace, Format::csv, folder.file("t"));
  trace.header.devices.pop_back();
  trace.columns.pop_back();
  write(trace, Format::csv, folder.file("t/"));
  CHECK(folder.names() == std::vector<std::string>{"t"});
  CHECK_FALSE(
      std::filesystem::exists(folder.file("t/r\xc3\xa4"
                                          "der.a%2Fb%25c.csv")));
  CHECK(*read_trace(folder.file("t")).trace.value == trace);
}

TEST_CASE("trace: a CSV folder never deletes or replaces files that are not of a CSV trace") {
  const TemporaryFolder folder;
  const Trace trace = example_trace();
  const auto refused = [&](const std::string& name) {
    CHECK_THROWS_AS(make_writer(Format::csv, folder.file(name), trace.header), IoError);
  };
  // A trace in JSON form that is called trace.json, beside other work.
  std::filesystem::create_directories(folder.file("r/sub"));
  write(trace, Format::json, folder.file("r/trace.json"));
  refused("r");
  simbatch::test::write_text(folder.file("r/thesis.txt"), "years of work");
  refused("r");
  CHECK(simbatch::test::read_text(folder.file("r/thesis.txt")) == "years of work");
  // A trace in CSV form with something else in it, or with a folder or a link in a table's place.
  write(trace, Format::csv, folder.file("t"));
  simbatch::test::write_text(folder.file("t/notes.txt"), "mine");
  refused("t");
  std::filesystem::remove(folder.file("t/notes.txt"));
  const std::string table = folder.file("t/impreza.chassis.gps0.csv");
  std::filesystem::rename(table, folder.file("elsewhere"));
  std::filesystem::create_symlink("../elsewhere", table);
  refused("t");
  std::filesystem::remove(table);
  std::filesystem::create_directory(table);
  refused("t");
  // An index that names files elsewhere.
  std::filesystem::create_directory(folder.file("u"));
  simbatch::test::write_text(folder.file("u/trace.json"),
                             R"({"schema":"simbatch-trace-1","files":["../elsewhere","notes.txt","a.csv"]})");
  simbatch::test::write_text(folder.file("u/notes.txt"), "mine");
  refused("u");
  std::filesystem::remove(folder.file("u/notes.txt"));
  write(trace, Format::csv, folder.file("u"));
  CHECK(std::filesystem::exists(folder.file("elsewhere")));
  CHECK(folder.names() == std::vector<std::string>{"elsewhere", "r", "t", "u"});
}

TEST_CASE("trace: what comes into a CSV folder while its run goes on is kept") {
  const TemporaryFolder folder;
  const Trace trace = example_trace();
  write(trace, Format::csv, folder.file("t"));
  const auto writer = make_writer(Format::csv, folder.file("t"), trace.header);
  simbatch::test::write_text(folder.file("t/notes.txt"), "mine");
  std::filesystem::create_directory(folder.file("t/sub"));
  simbatch::test::write_text(folder.file("t/sub/more.txt"), "mine too");
  write_trace(trace, *writer);
  CHECK(simbatch::test::read_text(folder.file("t/notes.txt")) == "mine");
  CHECK(simbatch::test::read_text(folder.file("t/sub/more.txt")) == "mine too");
  CHECK(*read_trace(folder.file("t")).trace.value == trace);
  CHECK(folder.names() == std::vector<std::string>{"t"});
}

TEST_CASE("trace: two runs cannot write one NDJSON file at once") {
  const TemporaryFolder folder;
  const Trace trace = example_trace();
  {
    const auto first = make_writer(Format::ndjson, folder.file("t.ndjson"), trace.header);
    CHECK_THROWS_AS(make_writer(Format::ndjson, folder.file("t.ndjson"), trace.header), IoError);
    write_trace(trace, *first);
    CHECK(*read_trace(folder.file("t.ndjson")).trace.value == trace);
  }
  write(trace, Format::ndjson, folder.file("t.ndjson"));
  CHECK(*read_trace(folder.file("t.ndjson")).trace.value == trace);
}

TEST_CASE("trace: a link to a CSV folder stays a link") {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder.file("real"));
  std::filesystem::create_directory_symlink("real", folder.file("link"));
  const Trace trace = example_trace();
  write(trace, Format::csv, folder.file("link"));
  write(trace, Format::csv, folder.file("link/"));
  CHECK(std::filesystem::is_symlink(folder.file("link")));
  CHECK(*read_trace(folder.file("real")).trace.value == trace);
  CHECK(folder.names() == std::vector<std::string>{"link", "real"});
}

TEST_CASE("trace: an NDJSON trace that was cut is read up to its last whole line, with a warning") {
  const TemporaryFolder folder;
  Trace trace = example_trace();
  write(trace, Format::ndjson, folder.file("t.ndjson"));
  const std::string text = simbatch::test::read_text(folder.file("t.ndjson"));
  const std::string cut = text.substr(0, text.find("{\"step\":30") + 20);
  const Parsed<Trace> read = read_ndjson(cut, "t");
  REQUIRE(read.ok());
  CHECK(read.value->steps == std::vector<std::int64_t>{0, 10, 20});
  simbatch::test::Expected expected(read.diagnostics);
  expected.take(code::kCut);
}

TEST_CASE("trace: broken documents are one located error") {
  const std::string good = to_json(example_trace());
  const auto broken = [&](std::string_view from, std::string_view to) {
    std::string text = good;
    const std::size_t at = text.find(from);
    REQUIRE(at != std::string::npos);
    return text.replace(at, from.size(), to);
  };
  struct Row {
    std::string text;
    const Code& code;
    std::uint32_t line;
  };
  for (const Row& row :
       {Row{broken("simbatch-trace-1", "simbatch-trace-9"), code::kSchema, 2},
        Row{broken("\"schema\"", "\"scheme\""), code::kSchema, 0}, Row{broken("\"every\":10", "\"every\":0"), code::kSchema, 8},
        Row{broken("\"step\":[0,10", "\"step\":[0,5,10"), code::kShape, 0},
        Row{broken("\"data\":{\n\"impreza.chassis\"", "\"data\":{\n\"x\""), code::kShape, 0},
        Row{broken(":[1,1,", ":[1,1x,"), code::kSyntax, 0}, Row{good + "x", code::kSyntax, 0}, Row{"", code::kSyntax, 1},
        Row{"[]", code::kSyntax, 1}, Row{"{}", code::kSchema, 1}, Row{std::string(1000, '['), code::kSyntax, 1},
        Row{"{\"x\":" + std::string(100'000, '['), code::kSyntax, 1}, Row{broken("\\r\\n", "\\ud800"), code::kSyntax, 0}}) {
    CAPTURE(row.text.substr(0, 200));
    const Parsed<Trace> read = read_json(row.text, "t");
    CHECK_FALSE(read.value);
    simbatch::test::Expected expected(read.diagnostics);
    REQUIRE(read.diagnostics.items().size() == 1);
    if (row.line != 0) CHECK(read.diagnostics.items()[0].at.line == row.line);
    expected.take(row.code);
  }
}

TEST_CASE("trace: every prefix and any mutation of a trace is read or refused, never a crash") {
  const TemporaryFolder folder;
  const std::string json = to_json(example_trace(2));
  write(example_trace(2), Format::ndjson, folder.file("t.ndjson"));
  const std::string lines = simbatch::test::read_text(folder.file("t.ndjson"));
  simbatch::test::for_every_prefix(json, [](std::string_view text) { (void)read_json(text, "t"); });
  simbatch::test::for_every_prefix(lines, [](std::string_view text) { (void)read_ndjson(text, "t"); });
  for (std::uint64_t seed = 0; seed < 3000; ++seed) {
    (void)read_json(simbatch::test::mutated(json, seed), "t");
    (void)read_ndjson(simbatch::test::mutated(lines, seed), "t");
  }
}

TEST_CASE("trace: a comparison names the first differing step, device and field") {
  const Trace a = example_trace();
  CHECK(compare(a, a).equal());
  Trace b = a;
  b.header.seed = 7;
  b.columns[0][0].numbers[3] += 0.5;
  b.columns[1][2].texts[2] = "x";
  b.columns[2][0].numbers[4] = 2;
  b.hashes[2].hash = 9;
  const Comparison c = compare(a, b);
  CHECK_FALSE(c.equal());
  REQUIRE(c.first);
  CHECK(c.first->step == 20);
  CHECK(c.first->device == "impreza.chassis.gps0");
  CHECK(c.first->field == "sentence");
  CHECK(c.differing_values == 3);
  CHECK(c.first_hash == 40);
  CHECK(c.headers == std::vector<std::string>{"seed: 18446744073709551615 | 7"});
  Trace near = a;
  near.columns[0][0].numbers[3] += 1e-9;
  CHECK_FALSE(compare(a, near).equal());
  CHECK(compare(a, near, 1e-6).equal());
  Trace fewer = a;
  fewer.header.devices.pop_back();
  fewer.columns.pop_back();
  CHECK(compare(a, fewer).only_a == std::vector<std::string>{a.header.devices[2].name});
  CHECK(compare(fewer, a).only_b.size() == 1);
  Trace shorter = example_trace(4);
  CHECK(compare(a, shorter).rows_only_a == 1);
}

TEST_CASE("trace: formats by name and by suffix") {
  CHECK(format_named("csv") == Format::csv);
  CHECK_FALSE(format_named("xml"));
  CHECK(format_of("a/run.json") == Format::json);
  CHECK(format_of("run.jsonl") == Format::ndjson);
  CHECK(format_of("a.b/run/") == Format::csv);
  CHECK_FALSE(format_of("run.txt"));
}
