// What sensors saw, in MCAP files. tests/simrun/mcap opens them with Foxglove's library.

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
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

FrameMotion car() { return {"car", "world", {{0, 0, 0, 1, 0, 0, 0}}}; }
FrameMotion eye() { return {"car.eye", "world", {{0, 0, 0, 1, 0, 0, 0}}}; }
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
  CHECK(mcap::read(bytes, handlers).whole);
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
  const std::vector<std::string> found = messages({.frames = {car()}, .scans = {fan}}, "/car/eye/scan", "foxglove.LaserScan");
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
  const std::vector<std::string> found =
      messages({.frames = {car()}, .scans = {scanner()}}, "/car/eye/points", "foxglove.PointCloud");
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
  CHECK(messages({.frames = {car()}, .scans = {other, larger}}, "/car/eye/points", "").empty());
}

TEST_CASE("trace sights: what is in a frame that the file has not is left out") {
  FrameMotion lost{"lost", "nowhere", {{0, 0, 0, 1, 0, 0, 0}}};
  CHECK(messages({.frames = {lost}, .scans = {scanner()}}, "/car/eye/points", "").empty());
  const SceneModel model{"box", "lost", "glb"};
  CHECK(messages({.frames = {lost}, .scene = {model}}, "/scene", "").empty());
  CHECK(messages({.frames = {lost}, .scene = {model}}, "/tf", "").empty());
}

TEST_CASE("trace sights: frames have the pose of each row, or the last one there is") {
  FrameMotion wheel{"car.wheel", "car", {{1, 2, 3, 0.8, 0.6, 0, 0}, {4, 5, 6, 0.8, 0, 0.6, 0}}};
  const std::vector<std::string> found =
      messages({.frames = {car(), wheel, car()}}, "/tf", "foxglove.FrameTransforms");  // the second car is one too many
  REQUIRE(found.size() == 4);
  const auto transforms = [](std::string_view message) {
    std::vector<std::string> each;
    protobuf::Field field;
    for (protobuf::Reader in(message); in.next(field);) each.emplace_back(field.bytes);
    return each;
  };
  const auto pose = [](std::string_view transform) {  // x y z, qx qy qz qw
    std::map<std::uint32_t, double> seen;
    protobuf::Field field;
    for (const std::uint32_t part : {4u, 5u}) {
      const std::string bytes = bytes_of(transform, part);
      for (protobuf::Reader in(bytes); in.next(field);) seen[(part - 4) * 3 + field.number] = field.real();
    }
    return seen;
  };
  for (const std::string& message : found) REQUIRE(transforms(message).size() == 2);
  CHECK(bytes_of(transforms(found[0])[0], 3) == "car");
  CHECK(bytes_of(transforms(found[0])[0], 2) == "world");
  CHECK(bytes_of(transforms(found[0])[1], 3) == "car.wheel");
  CHECK(bytes_of(transforms(found[0])[1], 2) == "car");
  CHECK(pose(transforms(found[0])[1]) == std::map<std::uint32_t, double>{{1, 1}, {2, 3}, {3, 2}, {4, -0.6}, {7, 0.8}});
  for (const std::size_t row : {1u, 2u, 3u})
    CHECK(pose(transforms(found[row])[1]) == std::map<std::uint32_t, double>{{1, 4}, {2, 6}, {3, 5}, {6, -0.6}, {7, 0.8}});
}

TEST_CASE("trace sights: paths are lines in the scene, and a document for maps") {
  const McapSights sights{.paths = {{"route", {{1, 2, 3}, {4, 5, 6}}, {1, 0, 0}}}, .geojson = "{}"};
  const std::vector<std::string> scene = messages(sights, "/scene", "foxglove.SceneUpdate");
  REQUIRE(scene.size() == 1);
  const std::string entity = bytes_of(scene[0], 2);
  CHECK(bytes_of(entity, 2) == "world");
  CHECK(bytes_of(entity, 3) == "route");
  const std::string line = bytes_of(entity, 11);
  std::vector<double> points;
  protobuf::Field field;
  const std::string all = bytes_of(line, 5);
  for (protobuf::Reader in(all); in.next(field);) points.push_back(field.real());
  CHECK(points == std::vector<double>{1, 3, 2, 4, 6, 5});
  const std::vector<std::string> map = messages(sights, "/simbatch/paths", "foxglove.GeoJSON");
  REQUIRE(map.size() == 1);
  CHECK(bytes_of(map[0], 1) == "{}");
}

TEST_CASE("trace sights: pictures are at their steps") {
  const auto pictures = [](std::int64_t step) {
    return step % 2 == 0 ? std::vector<Picture>{{"car.eye", "picture " + std::to_string(step)}, {"unknown", "x"}}
                         : std::vector<Picture>();
  };
  const std::vector<std::string> found =
      messages({.frames = {eye()}, .cameras = {"car.eye"}, .pictures = pictures}, "/car/eye/image", "foxglove.CompressedImage");
  REQUIRE(found.size() == 2);
  CHECK(bytes_of(found[0], 2) == "picture 0");
  CHECK(bytes_of(found[1], 2) == "picture 2");
  CHECK(bytes_of(found[1], 3) == "png");
  CHECK(bytes_of(found[1], 4) == "car.eye.optical");
  const std::vector<std::string> lost =
      messages({.cameras = {"car.eye"}, .pictures = pictures}, "/car/eye/image", "foxglove.CompressedImage");
  REQUIRE(lost.size() == 2);
  CHECK(bytes_of(lost[1], 4).empty());  // the file does not know where the camera is
}

TEST_CASE("trace sights: a picture's calibration is that of its camera, in a frame with z forward and y down") {
  const auto pictures = [](std::int64_t step) {
    return step == 1 ? std::vector<Picture>{{"car.eye", "picture"}} : std::vector<Picture>();
  };
  const double field_of_view = 2 * std::atan(0.5);
  McapSights sights{
      .frames = {eye()}, .cameras = {"car.eye"}, .pictures = pictures, .calibrations = {{"car.eye", 320, 240, field_of_view}}};
  const std::vector<std::string> found = messages(sights, "/car/eye/calibration", "foxglove.CameraCalibration");
  REQUIRE(found.size() == 1);
  CHECK(bytes_of(found[0], 9) == "car.eye.optical");
  CHECK(bytes_of(found[0], 4).empty());  // no distortion
  const auto rounded = [](std::vector<double> values) {
    for (double& value : values) value = std::round(value * 1e9) / 1e9;
    return values;
  };
  CHECK(rounded(numbers(bytes_of(found[0], 6))) == std::vector<double>{240, 0, 159.5, 0, 240, 119.5, 0, 0, 1});
  CHECK(numbers(bytes_of(found[0], 7)) == std::vector<double>{1, 0, 0, 0, 1, 0, 0, 0, 1});
  CHECK(rounded(numbers(bytes_of(found[0], 8))) == std::vector<double>{240, 0, 159.5, 0, 0, 240, 119.5, 0, 0, 0, 1, 0});
  const std::string transforms = messages(sights, "/tf", "foxglove.FrameTransforms").at(0);
  std::string optical;
  protobuf::Field field;
  for (protobuf::Reader in(transforms); in.next(field);) optical = field.bytes;  // the last
  CHECK(bytes_of(optical, 2) == "car.eye");
  CHECK(bytes_of(optical, 3) == "car.eye.optical");
  std::map<std::uint32_t, double> turn;
  const std::string rotation = bytes_of(optical, 5);
  for (protobuf::Reader in(rotation); in.next(field);) turn[field.number] = field.real();
  CHECK(turn == std::map<std::uint32_t, double>{{1, -std::sqrt(0.5)}, {4, std::sqrt(0.5)}});
  sights.frames.clear();
  CHECK(messages(sights, "/car/eye/calibration", "").empty());
}
