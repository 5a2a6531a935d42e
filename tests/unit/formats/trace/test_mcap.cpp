// Traces as MCAP files. tests/simrun/mcap opens them with Foxglove's library.

#include <doctest/doctest.h>

#include <cmath>
#include <map>

#include "base/mcap/read.hpp"
#include "base/mcap/write.hpp"
#include "base/protobuf/wire.hpp"
#include "formats/trace/codes.hpp"
#include "formats/trace/mcap_layout.hpp"
#include "formats/trace/read.hpp"
#include "formats/trace/write.hpp"
#include "tests/support/support.hpp"
#include "tests/unit/formats/trace/example.hpp"

using namespace simbatch;
using namespace simbatch::trace;
using simbatch::test::TemporaryFolder;

namespace {

const Field kNumber{"", "m", "W", FieldType::number};

Field number(std::string name) {
  Field field = kNumber;
  field.name = std::move(name);
  return field;
}

Device pose(std::string name) {
  Device device{std::move(name), "Box", {}};
  for (const char* field : {"x", "y", "z", "qw", "qx", "qy", "qz"}) device.fields.push_back(number(field));
  return device;
}

std::string written(const Trace& trace, Lines lines = Lines::at_the_end) {
  const TemporaryFolder folder;
  const std::string path = folder.file("t.mcap");
  write_trace(trace, *make_writer(Format::mcap, path, trace.header, lines));
  return test::read_text(path);
}

std::string problem_of(std::string_view bytes) {
  const Parsed<Trace> read = read_mcap(bytes, "t.mcap");
  if (read.diagnostics.items().empty()) return "none";
  return std::string(read.diagnostics.items()[0].code) + ": " + read.diagnostics.items()[0].message;
}

/// A trace of these devices, one row a step, with values that are all different.
Trace trace_of(std::vector<Device> devices, std::size_t rows = 3) {
  Trace trace;
  trace.header.dt = 0.5;
  trace.header.devices = std::move(devices);
  double value = 0;
  for (const Device& device : trace.header.devices) {
    trace.columns.emplace_back();
    for (const Field& field : device.fields) {
      Column& column = trace.columns.back().emplace_back();
      for (std::size_t row = 0; row < rows; ++row) {
        value += 1;
        if (field.type == FieldType::text)
          column.texts.push_back("text " + std::to_string(row));
        else
          column.numbers.push_back(std::fmod(value, 5) == 0 ? (std::fmod(value, 2) == 0 ? -0.0 : 0.0) : value * 1.1);
      }
    }
  }
  for (std::size_t row = 0; row < rows; ++row) trace.steps.push_back(static_cast<std::int64_t>(row));
  trace.end = End{};
  return trace;
}

void check_there_and_back(const Trace& trace) {
  const std::string bytes = written(trace);
  const Parsed<Trace> read = read_mcap(bytes, "t.mcap");
  REQUIRE_MESSAGE(read.ok(), test::all_text(read.diagnostics));
  CHECK(to_json(*read.value) == to_json(trace));
  CHECK(bytes == written(trace));
}

/// Channels and messages as a reader sees them.
struct Contents {
  std::map<std::uint16_t, mcap::Schema> schemas;
  std::map<std::uint16_t, mcap::Channel> channels;
  std::vector<std::pair<std::string, std::string>> messages;  // topic, data
  std::vector<std::uint64_t> times;
};
Contents contents_of(std::string_view bytes) {
  Contents contents;
  mcap::Handlers handlers;
  handlers.schema = [&](std::uint16_t id, mcap::Schema schema) { contents.schemas[id] = std::move(schema); };
  handlers.channel = [&](std::uint16_t id, mcap::Channel channel) { contents.channels[id] = std::move(channel); };
  handlers.message = [&](const mcap::Message& message) {
    contents.messages.emplace_back(contents.channels.at(message.channel).topic, std::string(message.data));
    contents.times.push_back(message.time);
  };
  handlers.attachment = [](const mcap::Attachment&) {};
  handlers.metadata = [](const std::string&, const mcap::Pairs&) {};
  CHECK(mcap::read(bytes, handlers).whole);
  return contents;
}

}  // namespace

TEST_CASE("trace mcap: reads back as the same trace, and writes the same JSON again") {
  for (const std::size_t rows : {std::size_t{0}, std::size_t{1}, std::size_t{5}, std::size_t{3000}})
    check_there_and_back(example_trace(rows));
}

TEST_CASE("trace mcap: names of every kind find their place") {
  check_there_and_back(trace_of({}));
  check_there_and_back(
      trace_of({pose("a.b"), pose("a.b.c"), pose("tf"), {"tf.b", "k", {number("x")}}, {"log", "k", {number("x")}}}));
  check_there_and_back(trace_of({{"a", "k", {number("b"), number("B"), number("c_2"), number("c")}},
                                 {"a.b", "k", {number("x"), {"t", "", "", FieldType::text}}},
                                 {"a.B", "k", {number("x")}},
                                 {"a.c-d", "k", {number("x")}},
                                 {"a.c+d", "k", {number("\xc3\xa4"), number("_"), number("1"), number("")}},
                                 {"..", "k", {number("x")}},
                                 {"", "k", {number("x")}},
                                 {"a..b", "k", {number("x")}}}));
  std::string deep = "a";
  for (int i = 0; i < 100; ++i) deep += ".a";
  check_there_and_back(trace_of({{deep, "k", {number("x")}}, {deep + ".b", "k", {number("x")}}}));
  check_there_and_back(trace_of({{"gps", "GPSSensor", {number("latitude"), number("longitude")}},
                                 {"gps.location", "k", {number("x")}},
                                 {"text.gps", "k", {{"latitude", "", "", FieldType::text}, number("longitude")}}}));
}

TEST_CASE("trace mcap: fields that count are arrays, and more fields than protobuf numbers are possible") {
  Device scanner{"r.scanner", "LaserScanner", {}};
  for (int i = 0; i < 181; ++i) scanner.fields.push_back(number("r" + std::to_string(i)));
  scanner.fields.push_back(number("hits"));
  Device layers{"r.layers", "LaserScanner", {}};
  for (int layer = 0; layer < 3; ++layer)
    for (int i = 0; i < 5; ++i) layers.fields.push_back(number("r" + std::to_string(layer) + "_" + std::to_string(i)));
  const Device few{
      "r.few", "k", {number("v0"), number("v1"), number("v2"), number("w0"), number("w2"), number("w1"), number("w3")}};
  const Trace trace = trace_of({scanner, layers, few});
  check_there_and_back(trace);
  const detail::McapLayout layout = detail::mcap_layout(trace.header);
  REQUIRE(layout.robots.size() == 1);
  const auto& messages = layout.robots[0].messages;
  REQUIRE(messages.size() == 4);
  CHECK(messages[1].fields[0].name == "r");
  CHECK(messages[1].fields[0].count == 181);
  CHECK(messages[1].fields[1].name == "hits");
  REQUIRE(messages[2].fields.size() == 3);
  CHECK(messages[2].fields[2].name == "r2");
  CHECK(messages[3].fields.size() == 7);

  CHECK(detail::field_number(18998) == 18999);
  CHECK(detail::field_number(18999) == 20000);
  CHECK(detail::field_index(18999) == 18998);
  CHECK(detail::field_index(20000) == 18999);
  CHECK(detail::field_index(19500) == static_cast<std::size_t>(-1));
  Device many{"many", "k", {}};
  for (int i = 0; i < 20000; ++i) many.fields.push_back(number("f" + std::to_string(i) + "x"));
  check_there_and_back(trace_of({many}, 1));
}

TEST_CASE("trace mcap: a car that turned to the east has turned clockwise seen from above") {
  // Heading +90 degrees: a turn about y (up) that takes z (north) to x (east). There: x east, y north, z up, and clockwise is a
  // negative turn.
  Trace trace = trace_of({pose("car")}, 1);
  const double half = std::sqrt(0.5);
  const double values[] = {1, 2, 3, half, 0, half, 0};
  for (std::size_t i = 0; i < 7; ++i) trace.columns[0][i].numbers[0] = values[i];
  check_there_and_back(trace);
  const Contents contents = contents_of(written(trace));
  std::string transform;
  for (const auto& [topic, data] : contents.messages)
    if (topic == "/tf") transform = data;
  protobuf::Field field, inner, value;
  protobuf::Reader(transform).next(field);
  std::map<std::uint32_t, std::map<std::uint32_t, double>> seen;
  for (protobuf::Reader in(field.bytes); in.next(inner);)
    if (inner.number >= 4)
      for (protobuf::Reader numbers(inner.bytes); numbers.next(value);) seen[inner.number][value.number] = value.real();
  CHECK(seen[4] == std::map<std::uint32_t, double>{{1, 1}, {2, 3}, {3, 2}});
  CHECK(seen[5] == std::map<std::uint32_t, double>{{3, -half}, {4, half}});
}

TEST_CASE("trace mcap: robots with the same devices share a schema, and a fix is said once") {
  const Trace trace = trace_of(
      {{"one.gyro", "k", {number("rate")}}, {"two.gyro", "k", {number("rate")}}, {"three.gyro", "k", {number("other")}}});
  const detail::McapLayout layout = detail::mcap_layout(trace.header);
  CHECK(layout.schemas.size() == 2);
  CHECK(layout.robots[0].schema == layout.robots[1].schema);
  CHECK(layout.schemas[0].name == "simbatch.One");
  CHECK(layout.schemas[1].name == "simbatch.Three");
  CHECK(layout.robots[0].units == mcap::Pairs{{"gyro.rate", "m, frame W"}});

  Trace places = trace_of({{"r.gps", "GPSSensor", {number("latitude"), number("longitude")}}}, 4);
  places.columns[0][0].numbers = {1, 1, 2, 2};
  places.columns[0][1].numbers = {5, 5, 5, 5};
  const Contents contents = contents_of(written(places));
  std::vector<std::uint64_t> times;
  for (std::size_t i = 0; i < contents.messages.size(); ++i)
    if (contents.messages[i].first == "/r/gps/location") times.push_back(contents.times[i]);
  CHECK(times == std::vector<std::uint64_t>{0, 1'000'000'000});
}

TEST_CASE("trace mcap: many robots with the same devices are one message, without and with texts") {
  for (const bool texts : {false, true}) {
    std::vector<Device> devices = {{"alone.gyro", "k", {number("rate")}}};
    for (int i = 0; i < 20; ++i) {
      const std::string name = "car" + std::to_string(i);
      devices.push_back(pose(name));
      devices.push_back({name + ".gyro", "k", {number("rate"), number("rate_true")}});
      devices.push_back({name + ".gps.clock", "k", {{"utc", "s", "", FieldType::number}}});
      if (texts) devices.push_back({name + ".gps", "k", {number("speed"), {"sentence", "", "", FieldType::text}}});
    }
    devices.push_back({"car-1.gyro", "k", {number("rate"), number("rate_true")}});
    devices.push_back({"robots.gyro", "k", {number("other")}});
    const Trace trace = trace_of(devices, 700);
    check_there_and_back(trace);
    const detail::McapLayout layout = detail::mcap_layout(trace.header);
    std::vector<std::string> topics, schemas;
    for (const detail::RobotMessage& robot : layout.robots) topics.push_back(robot.topic);
    for (const mcap::Schema& schema : layout.schemas) schemas.push_back(schema.name);
    if (texts) {
      CHECK(topics == std::vector<std::string>{"/alone", "/robots", "/robots/texts", "/car-1", "/robots_2"});
      CHECK(schemas == std::vector<std::string>{"simbatch.Alone", "simbatch.Robots", "simbatch.RobotTexts", "simbatch.Car_1",
                                                "simbatch.Robots_2"});
    } else {
      CHECK(topics == std::vector<std::string>{"/alone", "/robots", "/car-1", "/robots_2"});
    }
    CHECK(layout.robots[1].units[0] == std::pair<std::string, std::string>{"*.gyro.rate", "m, frame W"});
    CHECK(layout.robots[1].messages[0].fields[19].name == "car19");
    // As a reader without our layout finds them: the field of the robot, of its device, of the value.
    std::size_t seen = 0;
    for (const auto& [topic, data] : contents_of(written(trace)).messages) {
      if (topic != "/robots") continue;
      std::size_t robots = 0;
      protobuf::Field field;
      for (protobuf::Reader in(data); in.next(field);) robots += field.type == protobuf::kBytes && field.number <= 20;
      CHECK(robots == 20);
      ++seen;
    }
    CHECK(seen == 700);
  }
}

TEST_CASE("trace mcap: times are of the step, rounded once, and bounded") {
  CHECK(detail::mcap_time(3, 1.0 / 3) == 1'000'000'000);
  CHECK(detail::mcap_time(1, 1.0 / 3) == 333'333'333);
  CHECK(detail::mcap_time(kMaxSteps, 1e300) == detail::kMaxTime);
  CHECK(detail::mcap_time(0, 1) == 0);
}

TEST_CASE("trace mcap: a file cut anywhere is a cut trace, or whole") {
  Trace trace = example_trace(40000);
  for (std::int64_t step = 50; step < 400000; step += 5000)
    trace.hashes.push_back({step, static_cast<std::uint64_t>(step) * 77});
  const std::string bytes = written(trace, Lines::at_once);
  std::size_t least = 0;
  for (std::size_t length = 9000; length < bytes.size(); length += bytes.size() / 37) {
    const Parsed<Trace> read = read_mcap(std::string_view(bytes).substr(0, length), "t.mcap");
    REQUIRE_MESSAGE(read.ok(), test::all_text(read.diagnostics));
    CHECK(read.value->steps.size() >= least);
    least = read.value->steps.size();
    if (read.value->end) continue;
    REQUIRE(read.diagnostics.items().size() == 1);
    CHECK(read.diagnostics.items()[0].code == "trace-cut");
    CHECK(std::equal(read.value->steps.begin(), read.value->steps.end(), trace.steps.begin()));
    CHECK(std::equal(read.value->hashes.begin(), read.value->hashes.end(), trace.hashes.begin()));
    if (least > 0) CHECK(read.value->columns[0][0].numbers[least - 1] == trace.columns[0][0].numbers[least - 1]);
  }
  CHECK(least > 20000);
}

TEST_CASE("trace mcap: what is not a trace is refused, and says why") {
  CHECK(problem_of("x") == "trace-mcap: not an MCAP file (at byte 0)");
  const auto file = [](const std::string& header, const std::function<void(mcap::Writer&)>& more) {
    std::string bytes;
    mcap::Writer out([&bytes](std::string_view part) { bytes += part; }, "");
    if (!header.empty()) out.metadata("simbatch", {{"header", header}});
    more(out);
    out.finish();
    return bytes;
  };
  const auto nothing = [](mcap::Writer&) {};
  const std::string head = R"({"schema":"simbatch-trace-1","dt":1,"devices":[{"name":"a","fields":[{"name":"x"}]}]})";
  CHECK(problem_of(file("", nothing)) == "trace-mcap: an MCAP file without the metadata \"simbatch\": not a trace (at byte 0)");
  CHECK(problem_of(file("{}", nothing)).starts_with("trace-schema: "));
  CHECK(problem_of(file("{", nothing)).starts_with("trace-syntax: "));
  CHECK(problem_of(file(head, nothing)).starts_with("trace-cut: "));
  CHECK(problem_of(file(head, [](mcap::Writer& out) {
          out.add_channel({out.add_schema({"simbatch.A", "protobuf", ""}), "/a", "protobuf"});
        })) == "trace-mcap: channel \"/a\" has another schema than the header's devices give it (at byte 0)");
  // Rows of the one device "a" with the field x.
  const auto rows = [&](const std::function<void(mcap::Writer&, std::uint16_t step, std::uint16_t a)>& more) {
    Header header;
    header.devices = {{"a", "", {{"x", "", "", FieldType::number}}}};
    return problem_of(file(head, [&](mcap::Writer& out) {
      const std::uint16_t step = out.add_channel({out.add_schema(detail::step_schema()), "/simbatch/step", "protobuf"});
      const std::uint16_t a = out.add_channel({out.add_schema(detail::mcap_layout(header).schemas[0]), "/a", "protobuf"});
      more(out, step, a);
    }));
  };
  const std::string one("\x09\0\0\0\0\0\0\xf0\x3f", 9), infinite("\x09\0\0\0\0\0\0\xf0\x7f", 9);
  const auto says = [](const std::string& problem, const std::string& what) {
    CAPTURE(problem);
    CHECK(problem.starts_with("trace-mcap: " + what));
  };
  CHECK(rows([&](mcap::Writer& out, auto step, auto a) {
          out.message(step, 0, 0, "");
          out.message(a, 0, 0, one);
        }).starts_with("trace-cut"));
  says(rows([&](mcap::Writer& out, auto, auto a) { out.message(a, 0, 0, one); }),
       "a message without the step before it that has its sequence number");
  says(rows([&](mcap::Writer& out, auto step, auto) { out.message(step, 0, 0, ""); }), "step 0 lacks the message of a channel");
  says(rows([&](mcap::Writer& out, auto step, auto a) {
         out.message(step, 0, 0, "");
         out.message(step, 0, 1, "\x08\x01");
         out.message(a, 0, 1, one);
         out.message(a, 0, 1, one);
       }),
       "two messages of a channel in step 1");
  says(rows([&](mcap::Writer& out, auto step, auto a) {
         out.message(step, 0, 0, "\x08\x02");
         out.message(a, 0, 0, one);
         out.message(step, 0, 0, "\x08\x02");
       }),
       "step 2 does not come after the one before it");
  says(rows([&](mcap::Writer& out, auto step, auto a) {
         out.message(step, 0, 0, "");
         out.message(step, 0, 0, "\x08\x02");
         out.message(a, 0, 0, one);
       }),
       "step 2 has a sequence number that does not come after the one before it");
  for (const auto& [data, what] :
       std::vector<std::pair<std::string, std::string>>{{infinite, "a value is not finite"},
                                                        {"\x10\x01", "a message has a field that its schema does not"},
                                                        {"\x08\x01", "a field is of another type than its schema says"},
                                                        {"\x09", "a message of protobuf ends within a number"}})
    says(rows([&, &bytes = data](mcap::Writer& out, auto step, auto a) {
           out.message(step, 0, 0, "");
           out.message(a, 0, 0, bytes);
         }),
         what);
}

TEST_CASE("trace mcap: two devices with one name are refused") {
  CHECK(problem_of(written(trace_of({{"a.b", "k", {number("x")}}, {"a.b", "k", {}}}))) ==
        "trace-schema: two devices are called \"a.b\"");
}

TEST_CASE("trace mcap: few bytes that claim many values are refused") {
  Trace trace = trace_of({}, 0);
  Device many{"many", "k", {}};
  for (int i = 0; i < 2000; ++i) many.fields.push_back(number("f" + std::to_string(i) + "x"));
  trace.header.devices = {many};
  trace.columns = {std::vector<Column>(2000)};
  for (std::int64_t row = 0; row < 20000; ++row) trace.steps.push_back(row);
  for (Column& column : trace.columns[0]) column.numbers.assign(trace.steps.size(), 0.0);  // 320 MB of zeros
  const std::string bytes = written(trace);
  CHECK(bytes.size() < 2'000'000);
  const Parsed<Trace> read = read_mcap(bytes, "t");
  CHECK(read.ok() == (320e6 < 1024.0 * static_cast<double>(bytes.size()) + 64e6));
  trace.steps.resize(5000);
  for (Column& column : trace.columns[0]) column.numbers.resize(5000);
  check_there_and_back(trace);
}

TEST_CASE("trace mcap: changed bytes are read or refused, never worse") {
  const std::string bytes = written(example_trace(20));
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    const Parsed<Trace> read = read_mcap(test::mutated(bytes, seed), "t");
    if (read.value) CHECK(read.value->columns.size() == read.value->header.devices.size());
  }
}
