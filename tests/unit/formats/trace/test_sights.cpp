// What sensors saw, in MCAP files. tests/simrun/mcap opens them with Foxglove's library.

#include <doctest/doctest.h>

#include <algorithm>
#include <limits>
#include <map>

#include "base/mcap/read.hpp"
#include "base/protobuf/wire.hpp"
#include "formats/trace/read.hpp"
#include "formats/trace/write.hpp"
#include "tests/support/support.hpp"

using namespace simbatch;
using namespace simbatch::trace;

namespace {

/// A car whose scanner of three rays makes a scan in every second of four rows.
Trace scanned() {
  Trace trace;
  trace.header.dt = 0.5;
  trace.header.devices = {{"car.gyro", "GyroscopeSensor", {{"rate", "rad/s", "B", FieldType::number}}},
                          {"car.eye",
                           "LaserScanner",
                           {{"r0", "m", "B", FieldType::number},
                            {"r1", "m", "B", FieldType::number},
                            {"r2", "m", "B", FieldType::number},
                            {"hits", "1", "", FieldType::integer},
                            {"scans", "1", "", FieldType::integer}}}};
  trace.steps = {0, 1, 2, 3};
  trace.columns = {{{{0, 0, 0, 0}, {}}},
                   {{{1, 1, 4, 4}, {}}, {{2, 2, 5, 5}, {}}, {{10, 10, 6, 6}, {}}, {{2, 2, 3, 3}, {}}, {{1, 1, 2, 2}, {}}}};
  trace.end = End{};
  return trace;
}

ScanModel scanner() { return {"car.eye", "car", {1, 2, 3}, {{-1, 0, 0}, {0, 0, 1}, {1, 0, 0}}, 10, 0, {1, 0, 0, 0}}; }

/// The messages of a topic, and that the trace comes back.
std::vector<std::string> messages(McapSights sights, const std::string& topic, std::string_view schema) {
  const test::TemporaryFolder folder;
  const Trace trace = scanned();
  write_trace(trace, *make_mcap_writer(folder.file("t.mcap"), trace.header, Lines::at_the_end, std::move(sights)));
  const std::string bytes = test::read_text(folder.file("t.mcap"));
  const Parsed<Trace> back = read_mcap(bytes, "t.mcap");
  REQUIRE_MESSAGE(back.ok(), test::all_text(back.diagnostics));
  CHECK(to_json(*back.value) == to_json(trace));
  std::vector<std::string> found;
  std::map<std::uint16_t, std::string> schemas, topics;
  mcap::Handlers handlers;
  handlers.schema = [&](std::uint16_t id, const mcap::Schema& each) { schemas[id] = each.name; };
  handlers.channel = [&](std::uint16_t id, const mcap::Channel& channel) {
    topics[id] = channel.topic;
    if (channel.topic == topic) CHECK(schemas.at(channel.schema) == schema);
  };
  handlers.message = [&](const mcap::Message& message) {
    if (topics.at(message.channel) == topic) found.emplace_back(message.data);
  };
  handlers.attachment = [](const mcap::Attachment&) {};
  handlers.metadata = [](const std::string&, const mcap::Pairs&) {};
  CHECK(mcap::read(bytes, handlers));
  return found;
}

/// The bytes of a field; those of numbers together.
std::string bytes_of(std::string_view message, std::uint32_t number) {
  std::string bytes;
  protobuf::Field field;
  for (protobuf::Reader in(message); in.next(field);)
    if (field.number == number && field.type == protobuf::kBytes) bytes += field.bytes;
  return bytes;
}

std::vector<double> numbers(std::string_view bytes) {
  std::vector<double> values;
  for (; bytes.size() >= 8; bytes.remove_prefix(8)) {
    protobuf::Field field;
    for (std::size_t i = 8; i-- > 0;) field.whole = field.whole << 8 | static_cast<unsigned char>(bytes[i]);
    values.push_back(field.real());
  }
  return values;
}

}  // namespace

TEST_CASE("trace sights: a fan is a scan from right to left, once for each, with infinity where nothing was met") {
  ScanModel fan = scanner();
  fan.half_angle = 1.5;
  const std::vector<std::string> found = messages({{}, {fan}, {}, {}}, "/car/eye/scan", "foxglove.LaserScan");
  REQUIRE(found.size() == 2);
  CHECK(numbers(bytes_of(found[0], 6)) == std::vector<double>{std::numeric_limits<double>::infinity(), 2, 1});
  CHECK(numbers(bytes_of(found[1], 6)) == std::vector<double>{6, 5, 4});
  CHECK(bytes_of(found[0], 2) == "car");
  std::map<std::uint32_t, double> seen;
  protobuf::Field field;
  for (protobuf::Reader in(found[0]); in.next(field);)
    if (field.type == protobuf::kEight) seen[field.number] = field.real();
  CHECK(seen == std::map<std::uint32_t, double>{{4, -1.5}, {5, 1.5}});
  seen.clear();
  const std::string position = bytes_of(bytes_of(found[0], 3), 1);
  for (protobuf::Reader in(position); in.next(field);) seen[field.number] = field.real();
  CHECK(seen == std::map<std::uint32_t, double>{{1, 1}, {2, 3}, {3, 2}});  // y up becomes z up
}

TEST_CASE("trace sights: other rays are points where they end, without those that met nothing") {
  const std::vector<std::string> found = messages({{}, {scanner()}, {}, {}}, "/car/eye/points", "foxglove.PointCloud");
  REQUIRE(found.size() == 2);
  const auto floats = [](std::string_view bytes) {
    std::vector<float> values(bytes.size() / sizeof(float));
    std::copy(bytes.begin(), bytes.end(), reinterpret_cast<char*>(values.data()));
    return values;
  };
  CHECK(floats(bytes_of(found[0], 6)) == std::vector<float>{0, 3, 2, 1, 5, 2});
  CHECK(floats(bytes_of(found[1], 6)) == std::vector<float>{-3, 3, 2, 1, 8, 2, 7, 3, 2});
}

TEST_CASE("trace sights: a scanner that the trace has not, or with fewer rays, is left out") {
  ScanModel other = scanner(), larger = scanner();
  other.device = "car.nose";
  larger.directions.resize(6);
  CHECK(messages({{}, {other, larger}, {}, {}}, "/car/eye/points", "").empty());
}

TEST_CASE("trace sights: pictures are at their steps") {
  const auto pictures = [](std::int64_t step) {
    return step % 2 == 0 ? std::vector<Picture>{{"car.eye", "picture " + std::to_string(step)}, {"unknown", "x"}}
                         : std::vector<Picture>();
  };
  const std::vector<std::string> found =
      messages({{}, {}, {"car.eye"}, pictures}, "/car/eye/image", "foxglove.CompressedImage");
  REQUIRE(found.size() == 2);
  CHECK(bytes_of(found[0], 2) == "picture 0");
  CHECK(bytes_of(found[1], 2) == "picture 2");
  CHECK(bytes_of(found[1], 3) == "png");
  CHECK(bytes_of(found[1], 4) == "car.eye");
}
