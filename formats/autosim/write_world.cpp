// Writes World files in canonical form: parameters in the order of docs/scenario.md, defaults omitted.

#include "base/core/number.hpp"
#include "formats/autosim/block.hpp"
#include "formats/autosim/world.hpp"

namespace simbatch::autosim {
namespace {
using detail::start_block;
using detail::write_number;
using detail::write_number_unless;
using detail::write_text;
using detail::write_vector_unless;

void write(xml::Writer& writer, const Geographic& place) {
  writer.attribute("latitude", place.latitude);
  writer.attribute("longitude", place.longitude);
}

void write(xml::Writer& writer, const RoadPosition& place) {
  writer.attribute("road", place.road);
  if (place.at) writer.attribute("at", *place.at);
  if (place.lane != 1) writer.attribute("lane", static_cast<double>(place.lane));
}

void write(xml::Writer& writer, const WaypointPosition& place) {
  const auto [segment, lane, point] = place.waypoint;
  writer.attribute("waypoint", number_text(segment) + "." + number_text(lane) + "." + number_text(point));
  if (!place.rndf.empty()) writer.attribute("rndf", place.rndf);
  if (place.planar) writer.attribute("planar", "true");
}

void write(xml::Writer& writer, const Pose& pose) {
  writer.start("Position");
  const bool is_plain = !pose.geographic && !pose.road && pose.house.empty() && !pose.waypoint;
  if (pose.geographic) write(writer, *pose.geographic);
  if (pose.road) write(writer, *pose.road);
  if (!pose.house.empty()) writer.attribute("house", pose.house);
  if (pose.waypoint) write(writer, *pose.waypoint);
  if (is_plain) writer.attribute("x", pose.x);
  if (pose.y) writer.attribute("y", *pose.y);
  if (is_plain) writer.attribute("z", pose.z);
  if (!pose.y && pose.above != 0) writer.attribute("above", pose.above);
  writer.end();
  write_number_unless(writer, "Heading", pose.heading, 0);
  if (pose.tilt_x == 0 && pose.tilt_z == 0) return;
  writer.start("Tilt");
  writer.attribute("x", pose.tilt_x);
  writer.attribute("z", pose.tilt_z);
  writer.end();
}

void write(xml::Writer& writer, const Control& control) {
  writer.start("Control");
  writer.attribute("time", control.time);
  writer.attribute("device", control.device);
  const auto setting = [&](std::string_view name, const std::optional<double>& value) {
    if (value) writer.attribute(name, *value);
  };
  setting("acceleration", control.acceleration);
  setting("steering", control.steering);
  setting("brake", control.brake);
  setting("value", control.value);
  writer.end();
}

void write(xml::Writer& writer, const UserProgram& program) {
  writer.start("UserProgram");
  writer.attribute("path", program.path);
  for (const std::string& argument : program.arguments) write_text(writer, "Argument", "value", argument);
  writer.end();
}

void write(xml::Writer& writer, const Mission& mission) {
  const Mission fallback;
  writer.start("Mission");
  writer.attribute("file", mission.file);
  if (mission.vehicle != fallback.vehicle) writer.attribute("vehicle", mission.vehicle);
  writer.attribute("law", mission.law);
  if (mission.lookahead != fallback.lookahead) writer.attribute("lookahead", mission.lookahead);
  if (!mission.part.empty()) writer.attribute("part", mission.part);
  if (mission.speed != fallback.speed) writer.attribute("speed", mission.speed);
  if (!mission.cooperate) writer.attribute("cooperate", mission.cooperate);
  if (mission.by_sensors) writer.attribute("navigation", kNavigations[1]);
  writer.end();
}

void write(xml::Writer& writer, const StartMotion& motion) {
  write_vector_unless(writer, "Velocity", motion.linear, {});
  write_vector_unless(writer, "AngularVelocity", motion.angular, {});
}

void write(xml::Writer& writer, const RobotEntry& robot) {
  start_block(writer, "Robot", robot.name);
  if (!robot.is_included) writer.attribute("file", robot.file);
  if (robot.is_included) write_text(writer, "Include", "robot", robot.file);
  if (robot.file != kSignalsOfMap || robot.pose != Pose{}) write(writer, robot.pose);
  write(writer, robot.motion);
  if (robot.is_fixed) {
    writer.start("Fixed");
    writer.end();
  }
  for (const std::string& part : robot.fixed) write_text(writer, "Fixed", "part", part);
  for (const Control& control : robot.controls) write(writer, control);
  for (const UserProgram& program : robot.programs) write(writer, program);
  if (robot.mission) write(writer, *robot.mission);
  writer.end();
}

void write(xml::Writer& writer, const StaticObject& object) {
  start_block(writer, detail::shape_name(object.shape.kind), object.name);
  write(writer, object.pose);
  detail::write_shape(writer, object.shape);
  write_number(writer, "Friction", object.friction);
  write_number(writer, "Restitution", object.restitution);
  if (object.model) detail::write_model(writer, "Model", *object.model);
  write_number(writer, "Mass", object.mass);
  write(writer, object.motion);
  writer.end();
}

void write(xml::Writer& writer, const Physics& physics) {
  const Physics fallback;
  writer.start("Physics");
  start_block(writer, "Engine", physics.name);
  write_number(writer, "StepSize", physics.step);
  write_vector_unless(writer, "Gravity", physics.gravity, fallback.gravity);
  write_number_unless(writer, "Friction", physics.friction, fallback.friction);
  write_number_unless(writer, "Restitution", physics.restitution, fallback.restitution);
  write_text(writer, "Seed", "value", number_text(physics.seed));
  if (physics.origin) {
    writer.start("Origin");
    write(writer, *physics.origin);
    writer.end();
  }
  if (physics.start_time) write_text(writer, "StartTime", "utc", *physics.start_time);
  writer.end();
  for (const Surface& surface : physics.surfaces) {
    start_block(writer, "Surface", surface.name);
    write_number(writer, "Friction", surface.friction);
    writer.end();
  }
  if (physics.water) {
    start_block(writer, "Water", physics.water->name);
    write_number(writer, "Level", physics.water->level);
    write_number(writer, "Density", physics.water->density);
    write_vector_unless(writer, "Current", physics.water->current, {});
    writer.end();
  }
  writer.end();
}

void write(xml::Writer& writer, const Terrain& terrain) {
  if (terrain.kind == Terrain::Kind::none) return;
  const Terrain fallback;
  constexpr std::string_view kNames[] = {"", "Plane", "HeightMap", "Map"};
  writer.start("Terrain");
  start_block(writer, kNames[static_cast<std::size_t>(terrain.kind)], terrain.name);
  switch (terrain.kind) {
    case Terrain::Kind::none: break;
    case Terrain::Kind::plane: write_number(writer, "Height", terrain.height); break;
    case Terrain::Kind::height_map:
      write_text(writer, "File", "path", terrain.path);
      write_number_unless(writer, "HeightDataPerArea", terrain.height_data_per_area, fallback.height_data_per_area);
      write_number_unless(writer, "HeightDivisionCoefficient", terrain.height_division, fallback.height_division);
      break;
    case Terrain::Kind::map:
      write_text(writer, "Folder", "path", terrain.path);
      if (!terrain.height_map.empty()) write_text(writer, "HeightMap", "file", terrain.height_map);
      if (!terrain.street_map.empty()) write_text(writer, "StreetMap", "file", terrain.street_map);
      break;
  }
  write_number(writer, "Friction", terrain.friction);
  writer.end();
  writer.end();
}

void write(xml::Writer& writer, const Expectations& expectations) {
  if (!expectations.duration && expectations.expects.empty()) return;
  writer.start("Expectations");
  if (expectations.duration) writer.attribute("duration", *expectations.duration);
  for (const Expect& expect : expectations.expects) {
    writer.start("Expect");
    writer.attribute("name", expect.name);
    writer.attribute("that", expect.that);
    writer.end();
  }
  writer.end();
}

}  // namespace

std::string write_world(const World& world) {
  xml::Writer writer;
  start_block(writer, "World", world.name);
  if (!world.graphics.empty()) {
    writer.start("Graphics");
    for (const BuildData& block : world.graphics) write_build_data(writer, block);
    writer.end();
  }
  write(writer, world.physics);
  write(writer, world.terrain);
  writer.start("Objects");
  for (const RobotEntry& robot : world.robots) write(writer, robot);
  for (const StaticObject& object : world.statics) write(writer, object);
  for (const Traffic& traffic : world.traffic) {
    start_block(writer, "Traffic", traffic.name);
    writer.attribute("objects", traffic.objects);
    writer.attribute("rndf", traffic.rndf);
    if (traffic.planar) writer.attribute("planar", "true");
    for (const Control& control : traffic.controls) write(writer, control);
    writer.end();
  }
  for (const GraspWorld& grasp : world.grasps) {
    start_block(writer, "GraspWorld", grasp.name);
    writer.attribute("file", grasp.file);
    if (!grasp.root.empty()) writer.attribute("root", grasp.root);
    writer.end();
  }
  writer.end();
  write(writer, world.expectations);
  writer.end();
  return writer.take();
}

}  // namespace simbatch::autosim
