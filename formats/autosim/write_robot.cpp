// Writes Robot files in canonical form: parameters in the order of docs/robot.md, defaults omitted.

#include "formats/autosim/block.hpp"
#include "formats/autosim/read_link.hpp"
#include "formats/autosim/read_sensor.hpp"
#include "formats/autosim/read_vehicle.hpp"
#include "formats/autosim/robot.hpp"

namespace simbatch::autosim {
namespace {
using detail::start_block;
using detail::write_flag;
using detail::write_model;
using detail::write_number;
using detail::write_number_unless;
using detail::write_text;
using detail::write_vector;
using detail::write_vector_unless;

constexpr Vector3 kZero{};

void write(xml::Writer& writer, const Geometry& geometry) {
  start_block(writer, detail::shape_name(geometry.shape.kind), geometry.name);
  write_vector_unless(writer, "Position", geometry.position, kZero);
  write_vector_unless(writer, "Rotation", geometry.rotation, kZero);
  detail::write_shape(writer, geometry.shape);
  write_number_unless(writer, "Mass", geometry.mass, 0);
  writer.end();
}

void write_inertia(xml::Writer& writer, const Body& body) {
  if (!body.inertia) return;
  writer.start("Inertia");
  writer.attribute("x", body.inertia->x);
  writer.attribute("y", body.inertia->y);
  writer.attribute("z", body.inertia->z);
  if (body.inertia_products != kZero) {
    writer.attribute("xy", body.inertia_products.x);
    writer.attribute("xz", body.inertia_products.y);
    writer.attribute("yz", body.inertia_products.z);
  }
  writer.end();
}

void write(xml::Writer& writer, const Body& body) {
  start_block(writer, body.is_compound ? "Compound" : detail::shape_name(body.shape.kind), body.name);
  write_vector(writer, "Position", body.position);
  write_vector_unless(writer, "Rotation", body.rotation, kZero);
  bool mass_is_shared = true;  // of a compound: nothing in its geometries
  if (body.is_compound) {
    for (const Geometry& geometry : body.geometries) {
      write(writer, geometry);
      if (geometry.mass != 0) mass_is_shared = false;
    }
  } else {
    detail::write_shape(writer, body.shape);
  }
  if (mass_is_shared) write_number(writer, "Mass", body.mass);
  write_vector(writer, "CenterOfMass", body.center_of_mass);
  write_inertia(writer, body);
  if (body.model) write_model(writer, "Model", *body.model);
  write_number(writer, "Friction", body.friction);
  write_number(writer, "Restitution", body.restitution);
  const Fluid& fluid = *body.fluid;
  write_number(writer, "Volume", fluid.volume);
  write_vector(writer, "CenterOfBuoyancy", fluid.center_of_buoyancy);
  write_vector_unless(writer, "LinearDrag", fluid.linear_drag, kZero);
  write_vector_unless(writer, "QuadraticDrag", fluid.quadratic_drag, kZero);
  write_vector_unless(writer, "AngularLinearDrag", fluid.angular_linear_drag, kZero);
  write_vector_unless(writer, "AngularQuadraticDrag", fluid.angular_quadratic_drag, kZero);
  write_vector_unless(writer, "AddedMass", fluid.added_mass, kZero);
  write_vector_unless(writer, "AddedInertia", fluid.added_inertia, kZero);
  writer.end();
}

/// The parameters of each kind of device, after its Part.
struct DeviceWriter {
  xml::Writer& writer;

  void operator()(const DriveActuator& drive) const { detail::write_drive(writer, drive); }
  void operator()(const WheelDevice& wheel) const { detail::write_wheel(writer, wheel); }
  void operator()(const Propeller& propeller) const {
    const Propeller fallback;
    write_vector(writer, "Position", propeller.position);
    write_vector_unless(writer, "Direction", propeller.direction, fallback.direction);
    write_number_unless(writer, "MaxVoltage", propeller.max_voltage, fallback.max_voltage);
    write_number(writer, "Alpha", propeller.alpha);
    if (propeller.motor) {
      writer.start("Motor");
      writer.attribute("resistance", propeller.motor->resistance);
      writer.attribute("torqueConstant", propeller.motor->torque_constant);
      writer.attribute("backEmfConstant", propeller.motor->back_emf_constant);
      writer.attribute("inertia", propeller.motor->inertia);
      writer.attribute("torqueCoefficient", propeller.motor->torque_coefficient);
      writer.attribute("thrustCoefficient", propeller.motor->thrust_coefficient);
      writer.end();
    }
    write_number_unless(writer, "DeadZone", propeller.dead_zone, 0);
    write_number(writer, "Pole", propeller.pole);
    if (propeller.reaction) {
      writer.start("ReactionTorque");
      writer.attribute("rotation", propeller.reaction->left ? "left" : "right");
      if (propeller.reaction->ratio != 0) writer.attribute("ratio", propeller.reaction->ratio);
      writer.end();
    }
  }
  void operator()(const Camera& camera) const {
    const Camera fallback;
    write_text(writer, "Type", "name", camera.type == Camera::Type::fixed ? "fixed" : "thirdperson");
    write_vector(writer, "Position", camera.position);
    write_vector(writer, "Direction", camera.direction);
    write_vector_unless(writer, "UpVector", camera.up, fallback.up);
    write_number_unless(writer, "FieldOfView", camera.field_of_view, fallback.field_of_view);
    if (camera.width != fallback.width || camera.height != fallback.height) {
      writer.start("ImageSize");
      writer.attribute("width", camera.width);
      writer.attribute("height", camera.height);
      writer.end();
    }
  }
  void operator()(const GyroscopeSensor& gyroscope) const {
    write_vector(writer, "Axis", gyroscope.axis);
    write_number_unless(writer, "Alpha", gyroscope.alpha, 1);
  }
  void operator()(const VelocimeterSensor& velocimeter) const { write_vector(writer, "Axis", velocimeter.axis); }
  void operator()(const PSDSensor& psd) const {
    write_vector(writer, "Position", psd.position);
    write_vector(writer, "Direction", psd.direction);
    write_number(writer, "Range", psd.range);
  }
  void operator()(const LaserScanner& scanner) const {
    const LaserScanner fallback;
    write_vector(writer, "Position", scanner.position);
    write_vector_unless(writer, "Direction", scanner.direction, fallback.direction);
    write_vector_unless(writer, "UpVector", scanner.up, fallback.up);
    write_field("Horizontal", scanner.horizontal);
    if (scanner.vertical != fallback.vertical) write_field("Vertical", scanner.vertical);
    writer.start("Range");
    if (scanner.range_min != 0) writer.attribute("min", scanner.range_min);
    writer.attribute("max", scanner.range_max);
    writer.end();
    write_number(writer, "Rate", scanner.rate);
  }
  void operator()(const GPSSensor& gps) const { write_vector_unless(writer, "Position", gps.position, kZero); }
  void operator()(const CompassSensor& compass) const {
    write_vector_unless(writer, "Axis", compass.axis, CompassSensor{}.axis);
  }
  void operator()(const InclinometerSensor& inclinometer) const { write_vector(writer, "Axis", inclinometer.axis); }
  void operator()(const TimeDevice&) const {}
  void operator()(const EncoderSensor& sensor) const { detail::write_sensor(writer, sensor); }
  void operator()(const ImuSensor& sensor) const { detail::write_sensor(writer, sensor); }
  void operator()(const BumperSensor& sensor) const { detail::write_sensor(writer, sensor); }
  void operator()(const ForceTorqueSensor& sensor) const { detail::write_sensor(writer, sensor); }
  void operator()(const RadarSensor& sensor) const { detail::write_sensor(writer, sensor); }
  void operator()(const RangeCamera& camera) const { detail::write_sensor(writer, camera); }
  void operator()(const LightDevice& light) const { write_light(light.position, light.intensity, light.color); }
  void operator()(const HeadLightDevice& light) const {
    const HeadLightDevice fallback;
    write_light(light.position, light.intensity, light.color);
    write_vector_unless(writer, "Direction", light.direction, fallback.direction);
    write_number_unless(writer, "Angle", light.angle, fallback.angle);
  }

 private:
  void write_field(std::string_view tag, const LaserScanner::Field& field) const {
    writer.start(tag);
    writer.attribute("min", field.min);
    writer.attribute("max", field.max);
    writer.attribute("count", field.count);
    writer.end();
  }
  void write_light(const Vector3& position, double intensity, const Vector3& color) const {
    write_vector_unless(writer, "Position", position, kZero);
    write_number_unless(writer, "Intensity", intensity, 0);
    if (color == Vector3{1, 1, 1}) return;
    writer.start("Color");
    writer.attribute("red", color.x);
    writer.attribute("green", color.y);
    writer.attribute("blue", color.z);
    writer.end();
  }
};

void write(xml::Writer& writer, const Device& device) {
  start_block(writer, type_name(device), device.name);
  write_text(writer, "Part", "name", device.part);
  std::visit(DeviceWriter{writer}, device.kind);
  detail::write_sampling(writer, device);
  detail::write_noise(writer, device.noise);
  writer.end();
}

}  // namespace

std::string_view type_name(const Device& device) {
  constexpr std::string_view kNames[] = {
      "DriveActuator", "WheelDevice",     "Propeller",     "Camera",        "GyroscopeSensor",    "VelocimeterSensor",
      "PSDSensor",     "LaserScanner",    "GPSSensor",     "CompassSensor", "InclinometerSensor", "TimeDevice",
      "LightDevice",   "HeadLightDevice", "EncoderSensor", "ImuSensor",     "BumperSensor",       "ForceTorqueSensor",
      "RadarSensor",   "DepthCamera",     "SemanticCamera"};
  static_assert(std::size(kNames) == std::variant_size_v<Device::Kind>);
  return kNames[device.kind.index()];
}

std::string write_robot(const Robot& robot) {
  xml::Writer writer;
  start_block(writer, "Robot", robot.name);
  if (robot.articulation) {
    writer.start("Articulation");
    if (!robot.articulation->base.empty()) writer.attribute("base", robot.articulation->base);
    if (robot.articulation->fixed) writer.attribute("fixed", "true");
    if (!robot.articulation->self_collision) writer.attribute("selfCollision", "false");
    writer.end();
  }
  writer.start("Parts");
  for (const Body& body : robot.bodies) write(writer, body);
  for (const Link& link : robot.links) detail::write_link(writer, link);
  writer.end();
  if (!robot.devices.empty()) {
    writer.start("Devices");
    for (const Device& device : robot.devices) write(writer, device);
    writer.end();
  }
  writer.end();
  return writer.take();
}

}  // namespace simbatch::autosim
