// Foxglove's LaserScan, PointCloud, CompressedImage and CameraCalibration (https://docs.foxglove.dev/docs/sdk/schemas). A point (x, y, z) of ours
// is (x, z, y) there.
#include "formats/trace/mcap_sights.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>

#include "base/core/text.hpp"
#include "formats/trace/mcap_layout.hpp"

namespace simbatch::trace::detail {

void write_timestamp(protobuf::Writer& out, std::uint32_t field, std::uint64_t time) {
  constexpr std::uint64_t kSecond = 1'000'000'000;
  const std::size_t opened = out.open(field);
  out.whole(1, time / kSecond);
  out.whole(2, time % kSecond);
  out.close(opened);
}

std::string topic_of(std::string_view device) {
  std::string topic = "/" + valid_utf8(device);
  std::replace(topic.begin(), topic.end(), '.', '/');
  return topic;
}

SensorChannels::SensorChannels(McapSights& sights, const Header& header, const Transforms& transforms)
    : pictures_(std::move(sights.pictures)) {
  for (const std::string& device : sights.cameras) {
    const std::string frame = optical_frame(device);
    Camera& camera = cameras_.emplace_back(Camera{device, transforms.has(frame) ? frame : std::string()});
    for (const CameraModel& model : sights.calibrations)
      if (model.camera == device && !camera.frame.empty()) camera.model = model;
  }
  for (ScanModel& model : sights.scans) {
    model.frame = valid_utf8(model.frame);
    if (!transforms.has(model.frame)) continue;
    std::size_t place = 0;
    for (const Device& device : header.devices) {
      std::size_t count = 0;
      std::optional<std::size_t> counter;
      for (const Field& field : device.fields) {
        if (field.type == FieldType::text) continue;
        if (field.name == "scans") counter = place + count;
        ++count;
      }
      if (device.name == model.device && count >= model.directions.size()) {
        scans_.push_back({std::move(model), place, counter});
        break;
      }
      place += count;
    }
  }
}

void SensorChannels::open(mcap::Writer& out) {
  std::optional<std::uint16_t> fans, clouds, pictures, calibrations;
  const auto id = [&out](std::optional<std::uint16_t>& known, mcap::Schema (*schema)()) {
    if (!known) known = out.add_schema(schema());
    return *known;
  };
  for (Scan& scan : scans_) {
    const bool fan = scan.model.half_angle > 0;
    scan.channel = out.add_channel({fan ? id(fans, laser_scan_schema) : id(clouds, point_cloud_schema),
                                    topic_of(scan.model.device) + (fan ? "/scan" : "/points"),
                                    "protobuf",
                                    {{fan ? "ranges" : "points", "m"}}});
  }
  for (Camera& camera : cameras_) {
    const std::string topic = topic_of(camera.device);
    camera.pictures = out.add_channel({id(pictures, compressed_image_schema), topic + "/image", "protobuf", {}});
    if (camera.model)
      camera.calibrations = out.add_channel({id(calibrations, calibration_schema), topic + "/calibration", "protobuf", {}});
  }
}

void SensorChannels::laser_scan(const Scan& scan, std::uint64_t time, std::span<const double> distances) {
  protobuf::Writer out(message_);
  write_timestamp(out, 1, time);
  out.text(2, scan.model.frame);
  const std::size_t pose = out.open(3);
  const std::array<double, 3>& p = scan.model.position;
  const std::array<double, 4>& q = scan.model.fan_rotation;
  out.message_of_numbers(1, std::array{p[0], p[2], p[1]});
  out.message_of_numbers(2, std::array{q[1], q[2], q[3], q[0]});
  out.close(pose);
  out.number(4, -scan.model.half_angle);
  out.number(5, scan.model.half_angle);
  std::vector<double> ranges(distances.rbegin(), distances.rend());  // counter-clockwise
  for (double& range : ranges)
    if (!(range < scan.model.far)) range = std::numeric_limits<double>::infinity();
  out.numbers(6, ranges);
}

void SensorChannels::point_cloud(const Scan& scan, std::uint64_t time, std::span<const double> distances) {
  constexpr std::uint32_t kStride = 12, kFloat32 = 7;
  std::string points;
  for (std::size_t i = 0; i < distances.size(); ++i) {
    if (!(distances[i] < scan.model.far)) continue;
    for (const std::size_t axis : {0, 2, 1}) {
      const double value = scan.model.position[axis] + distances[i] * scan.model.directions[i][axis];
      const auto bits = std::bit_cast<std::uint32_t>(static_cast<float>(value));
      for (int byte = 0; byte < 4; ++byte) points += static_cast<char>(bits >> (8 * byte) & 0xFF);
    }
  }
  protobuf::Writer out(message_);
  write_timestamp(out, 1, time);
  out.text(2, scan.model.frame);
  const std::size_t pose = out.open(3);
  out.message_of_numbers(1, {});
  out.message_of_numbers(2, std::array{0.0, 0.0, 0.0, 1.0});
  out.close(pose);
  out.fixed32(4, kStride);
  for (std::uint32_t axis = 0; axis < 3; ++axis) {
    const std::size_t field = out.open(5);
    out.text(1, std::string_view("xyz").substr(axis, 1));
    out.fixed32(2, 4 * axis);
    out.whole(3, kFloat32);
    out.close(field);
  }
  out.text(6, points);
}

void SensorChannels::write(mcap::Writer& out, std::int64_t step, std::uint64_t time, std::uint32_t sequence,
                           std::span<const double> numbers) {
  for (Scan& scan : scans_) {
    if (scan.count) {
      if (scan.written == numbers[*scan.count]) continue;
      scan.written = numbers[*scan.count];
    }
    message_.clear();
    const std::span<const double> distances = numbers.subspan(scan.place, scan.model.directions.size());
    if (scan.model.half_angle > 0)
      laser_scan(scan, time, distances);
    else
      point_cloud(scan, time, distances);
    out.message(scan.channel, time, sequence, message_);
  }
  if (!pictures_) return;
  for (const Picture& each : pictures_(step)) {
    const auto camera =
        std::find_if(cameras_.begin(), cameras_.end(), [&each](const Camera& known) { return known.device == each.camera; });
    if (camera == cameras_.end()) continue;
    picture(*camera, time, each.png);
    out.message(camera->pictures, time, sequence, message_);
    if (!camera->model) continue;
    calibration(*camera, time);
    out.message(camera->calibrations, time, sequence, message_);
  }
}

void SensorChannels::picture(const Camera& camera, std::uint64_t time, const std::string& png) {
  message_.clear();
  protobuf::Writer out(message_);
  write_timestamp(out, 1, time);
  out.text(4, camera.frame);
  out.text(2, png);
  out.text(3, "png");
}

// Square pixels, the axis through the middle; (0, 0) is the middle of the first pixel.
void SensorChannels::calibration(const Camera& camera, std::uint64_t time) {
  const CameraModel& model = *camera.model;
  const double focal = model.height / 2.0 / std::tan(model.field_of_view / 2);  // pixels
  const double x = (model.width - 1.0) / 2, y = (model.height - 1.0) / 2;
  message_.clear();
  protobuf::Writer out(message_);
  write_timestamp(out, 1, time);
  out.text(9, camera.frame);
  out.fixed32(2, model.width);
  out.fixed32(3, model.height);
  out.numbers(6, std::array{focal, 0.0, x, 0.0, focal, y, 0.0, 0.0, 1.0});
  out.numbers(7, std::array{1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0});
  out.numbers(8, std::array{focal, 0.0, x, 0.0, 0.0, focal, y, 0.0, 0.0, 0.0, 1.0, 0.0});
}

}  // namespace simbatch::trace::detail
