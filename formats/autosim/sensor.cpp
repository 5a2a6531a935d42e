// Sensors of joints and bodies in Robot files; docs/robot.md.

#include "formats/autosim/read_sensor.hpp"

#include "base/xml/codes.hpp"

namespace simbatch::autosim::detail {
namespace {

/// Number attributes of an optional element.
ImuErrors read_errors(BlockReader& block, std::string_view tag) {
  ImuErrors errors;
  const auto element = block.reader().child(tag);
  if (!element) return errors;
  xml::ElementReader reader(*element, block.diagnostics());
  const auto number = [&](std::string_view name, double& value, const xml::Range& range) {
    value = reader.number(name, range).value_or(value);
  };
  const xml::Range any, not_negative = xml::Range::not_negative(), positive = xml::Range::positive();
  number("noise", errors.noise, not_negative);
  number("bias", errors.bias, any);
  number("turnOnBias", errors.turn_on_bias, not_negative);
  number("instability", errors.instability, not_negative);
  number("correlationTime", errors.correlation_time, positive);
  number("randomWalk", errors.random_walk, not_negative);
  number("drift", errors.drift, any);
  number("range", errors.range, not_negative);
  reader.finish();
  return errors;
}

void write_errors(xml::Writer& writer, std::string_view tag, const ImuErrors& errors) {
  const ImuErrors none;
  if (errors == none) return;
  writer.start(tag);
  const auto number = [&](std::string_view name, double value, double fallback) {
    if (value != fallback) writer.attribute(name, value);
  };
  number("noise", errors.noise, none.noise);
  number("bias", errors.bias, none.bias);
  number("turnOnBias", errors.turn_on_bias, none.turn_on_bias);
  number("instability", errors.instability, none.instability);
  number("correlationTime", errors.correlation_time, none.correlation_time);
  number("randomWalk", errors.random_walk, none.random_walk);
  number("drift", errors.drift, none.drift);
  number("range", errors.range, none.range);
  writer.end();
}

}  // namespace

EncoderSensor read_encoder(BlockReader& block) {
  EncoderSensor encoder;
  encoder.link = block.optional_text("Link", "name").value_or("");
  encoder.wheel = block.optional_text("Wheel", "name").value_or("");
  encoder.resolution = block.required_number("Resolution", xml::Range::positive());
  if (block.has("Link") && block.has("Wheel"))
    block.report(code::kConflict, "Wheel",
                 "encoder " + quoted(block.name()) + " has both Link and Wheel, expected one of them");
  else if (!block.has("Link") && !block.has("Wheel"))
    block.report(xml::code::kElementMissing, {}, "<EncoderSensor> " + quoted(block.name()) + " needs a <Link> or a <Wheel>");
  return encoder;
}

ImuSensor read_imu(BlockReader& block) {
  ImuSensor imu;
  imu.position = block.vector("Position", {});
  imu.rotation = block.vector("Rotation", {});
  imu.gyroscope = read_errors(block, "Gyroscope");
  imu.accelerometer = read_errors(block, "Accelerometer");
  return imu;
}

BumperSensor read_bumper(BlockReader& block) {
  BumperSensor bumper;
  bumper.position = block.vector("Position", {});
  bumper.size = block.optional_vector("Size", xml::Range::positive());
  bumper.threshold = block.number("Threshold", 0, xml::Range::not_negative());
  return bumper;
}

ForceTorqueSensor read_force_torque(BlockReader& block) { return {block.required_text("Link", "name")}; }

RadarSensor read_radar(BlockReader& block) {
  RadarSensor radar;
  radar.position = block.required_vector("Position");
  radar.direction = block.direction("Direction", radar.direction);
  radar.up = block.direction("UpVector", radar.up);
  radar.range = block.required_number("Range", xml::Range::positive());
  if (const auto element = block.required_child("Field")) {
    xml::ElementReader reader(*element, block.diagnostics());
    radar.width = reader.required_number("width", xml::Range::between(0, 180)).value_or(0);
    radar.height = reader.required_number("height", xml::Range::between(0, 180)).value_or(0);
    reader.finish();
  }
  if (const auto element = block.reader().child("Rays")) {
    xml::ElementReader reader(*element, block.diagnostics());
    radar.columns = static_cast<int>(reader.required_integer("columns", 1, 4096).value_or(1));
    radar.rows = static_cast<int>(reader.required_integer("rows", 1, 4096).value_or(1));
    reader.finish();
    if (radar.columns * radar.rows > RadarSensor::kMaxRays)
      block.report(code::kScanner, "Rays",
                   number_text(radar.columns * radar.rows) + " rays, expected at most " + number_text(RadarSensor::kMaxRays));
  }
  if (const auto element = block.reader().child("Targets")) {
    xml::ElementReader reader(*element, block.diagnostics());
    radar.targets = static_cast<int>(reader.required_integer("value", 1, 64).value_or(1));
    reader.finish();
  }
  return radar;
}

RangeCamera read_range_camera(BlockReader& block) {
  RangeCamera camera;
  camera.position = block.required_vector("Position");
  camera.direction = block.direction("Direction", camera.direction);
  camera.up = block.direction("UpVector", camera.up);
  camera.field_of_view = block.number("FieldOfView", camera.field_of_view, {0, 180, true, true});
  if (const auto element = block.reader().child("ImageSize")) {
    xml::ElementReader reader(*element, block.diagnostics());
    camera.width = static_cast<int>(reader.required_integer("width", 1, 8192).value_or(1));
    camera.height = static_cast<int>(reader.required_integer("height", 1, 8192).value_or(1));
    reader.finish();
    if (camera.width * camera.height > RangeCamera::kMaxPixels)
      block.report(
          code::kScanner, "ImageSize",
          number_text(camera.width * camera.height) + " pixels, expected at most " + number_text(RangeCamera::kMaxPixels));
  }
  if (const auto element = block.required_child("Range")) {
    xml::ElementReader reader(*element, block.diagnostics());
    camera.range_min = reader.number("min", xml::Range::not_negative()).value_or(0);
    camera.range_max = reader.required_number("max", xml::Range::positive()).value_or(1);
    reader.finish();
    if (!(camera.range_min < camera.range_max))
      block.report(
          code::kScanner, "Range",
          "a range from " + number_text(camera.range_min) + " to " + number_text(camera.range_max) + " m, expected min < max");
  }
  return camera;
}

void write_sensor(xml::Writer& writer, const EncoderSensor& encoder) {
  if (!encoder.link.empty()) write_text(writer, "Link", "name", encoder.link);
  if (!encoder.wheel.empty()) write_text(writer, "Wheel", "name", encoder.wheel);
  write_number(writer, "Resolution", encoder.resolution);
}

void write_sensor(xml::Writer& writer, const ImuSensor& imu) {
  write_vector_unless(writer, "Position", imu.position, {});
  write_vector_unless(writer, "Rotation", imu.rotation, {});
  write_errors(writer, "Gyroscope", imu.gyroscope);
  write_errors(writer, "Accelerometer", imu.accelerometer);
}

void write_sensor(xml::Writer& writer, const BumperSensor& bumper) {
  write_vector_unless(writer, "Position", bumper.position, {});
  write_vector(writer, "Size", bumper.size);
  write_number_unless(writer, "Threshold", bumper.threshold, 0);
}

void write_sensor(xml::Writer& writer, const ForceTorqueSensor& sensor) { write_text(writer, "Link", "name", sensor.link); }

void write_sensor(xml::Writer& writer, const RadarSensor& radar) {
  const RadarSensor fallback;
  write_vector(writer, "Position", radar.position);
  write_vector_unless(writer, "Direction", radar.direction, fallback.direction);
  write_vector_unless(writer, "UpVector", radar.up, fallback.up);
  writer.start("Field");
  writer.attribute("width", radar.width);
  writer.attribute("height", radar.height);
  writer.end();
  if (radar.columns != fallback.columns || radar.rows != fallback.rows) {
    writer.start("Rays");
    writer.attribute("columns", radar.columns);
    writer.attribute("rows", radar.rows);
    writer.end();
  }
  write_number(writer, "Range", radar.range);
  if (radar.targets != fallback.targets) {
    writer.start("Targets");
    writer.attribute("value", radar.targets);
    writer.end();
  }
}

void write_sensor(xml::Writer& writer, const RangeCamera& camera) {
  const RangeCamera fallback;
  write_vector(writer, "Position", camera.position);
  write_vector_unless(writer, "Direction", camera.direction, fallback.direction);
  write_vector_unless(writer, "UpVector", camera.up, fallback.up);
  write_number_unless(writer, "FieldOfView", camera.field_of_view, fallback.field_of_view);
  if (camera.width != fallback.width || camera.height != fallback.height) {
    writer.start("ImageSize");
    writer.attribute("width", camera.width);
    writer.attribute("height", camera.height);
    writer.end();
  }
  writer.start("Range");
  if (camera.range_min != 0) writer.attribute("min", camera.range_min);
  writer.attribute("max", camera.range_max);
  writer.end();
}

bool is_sensor(const Device::Kind& kind) {
  return !std::holds_alternative<DriveActuator>(kind) && !std::holds_alternative<WheelDevice>(kind) &&
         !std::holds_alternative<Propeller>(kind) && !std::holds_alternative<LightDevice>(kind) &&
         !std::holds_alternative<HeadLightDevice>(kind);
}

void read_sampling(BlockReader& block, Device& device) {
  if (!is_sensor(device.kind)) return;
  if (!std::holds_alternative<LaserScanner>(device.kind)) device.rate = block.optional_number("Rate", xml::Range::positive());
  device.latency = block.optional_number("Latency", xml::Range::between(0, Device::kMaxLatency));
}

void write_sampling(xml::Writer& writer, const Device& device) {
  write_number(writer, "Rate", device.rate);
  write_number(writer, "Latency", device.latency);
}

}  // namespace simbatch::autosim::detail
