// Reads World files, the scenarios. Source: thesis, C.2 and C.7; docs/scenario.md.

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "base/core/number.hpp"
#include "base/xml/codes.hpp"
#include "formats/autosim/block.hpp"
#include "formats/autosim/world.hpp"

// One function per section; in Objects and Physics one table row per element, so that a new element needs a struct in
// world.hpp, a row here, and its lines in write_world.cpp.

namespace simbatch::autosim {
namespace {
using detail::BlockReader;
using detail::NameTable;

/// "2008-02-27T12:00:00Z" with every part in its range (a day up to 31 in every month; a leap second is not known).
bool is_time(std::string_view text) {
  constexpr std::string_view kForm = "dddd-dd-ddTdd:dd:ddZ";
  if (text.size() != kForm.size()) return false;
  for (std::size_t i = 0; i < kForm.size(); ++i)
    if (kForm[i] == 'd' ? !is_digits(text.substr(i, 1)) : text[i] != kForm[i]) return false;
  const auto part = [&](std::size_t from, int low, int high) {
    const int value = (text[from] - '0') * 10 + (text[from + 1] - '0');
    return value >= low && value <= high;
  };
  return part(5, 1, 12) && part(8, 1, 31) && part(11, 0, 23) && part(14, 0, 59) && part(17, 0, 59);
}

std::optional<Geographic> read_geographic(xml::ElementReader& reader) {
  const auto latitude = reader.required_number("latitude", xml::Range::between(-90, 90)),
             longitude = reader.required_number("longitude", xml::Range::between(-180, 180));
  if (!latitude || !longitude) return std::nullopt;
  return Geographic{*latitude, *longitude};
}

RoadPosition read_road(xml::ElementReader& reader) {
  RoadPosition road;
  road.road = reader.required_string("road").value_or("");
  road.at = reader.number("at");
  road.lane = static_cast<int>(reader.integer("lane", -kMaxLane, kMaxLane).value_or(1));
  return road;
}

/// Nothing after a report.
std::optional<WaypointPosition> read_waypoint(xml::ElementReader& reader) {
  WaypointPosition position;
  position.rndf = reader.string("rndf").value_or("");
  position.planar = reader.boolean("planar").value_or(false);
  const auto text = reader.required_string("waypoint");
  if (!text) return std::nullopt;
  std::string_view rest = *text;
  bool is_good = true;
  for (std::size_t i = 0; i < position.waypoint.size(); ++i) {
    const std::size_t end = i + 1 < position.waypoint.size() ? rest.find('.') : rest.size();
    const auto number = parse_integer<std::int32_t>(rest.substr(0, end));
    is_good = is_good && number && number.value >= 0;
    position.waypoint[i] = number.value;
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : std::min(end + 1, rest.size()));
  }
  if (is_good) return position;
  reader.report(xml::code::kNumber, "waypoint",
                "waypoint=" + quoted(*text) + " is not SEGMENT.LANE.POINT of a road network, as in \"1.2.3\"");
  return std::nullopt;
}

/// Position (x, z, or latitude, longitude, or road, at, lane, or house, or waypoint, rndf; y or above), Heading, Tilt.
Pose read_pose(BlockReader& block, bool is_required = true) {
  Pose pose;
  if (const auto element = is_required ? block.required_child("Position", {"x", "z"}) : block.reader().child("Position")) {
    xml::ElementReader reader(*element, block.diagnostics());
    pose.place.at = element->position();
    const bool is_geographic = element->attribute("latitude") || element->attribute("longitude");
    const auto exclude = [&](std::initializer_list<std::string_view> others, std::string_view way) {
      for (const std::string_view other : others) {
        if (!element->attribute(other)) continue;
        reader.allow_attribute(other);
        reader.report(code::kConflict, other,
                      "both " + std::string(other) + " and " + std::string(way) + ", expected one of the two ways");
      }
    };
    if (element->attribute("road")) {
      pose.road = read_road(reader);
      exclude({"x", "z", "latitude", "longitude", "house", "waypoint"}, "road");
    } else if (element->attribute("house")) {
      pose.house = reader.required_string("house").value_or("");
      exclude({"x", "z", "latitude", "longitude", "waypoint"}, "house");
    } else if (element->attribute("waypoint")) {
      pose.waypoint = read_waypoint(reader);
      exclude({"x", "z", "latitude", "longitude"}, "waypoint");
    } else if (is_geographic) {
      pose.geographic = read_geographic(reader);
      exclude({"x", "z"}, "latitude, longitude");
    } else {
      pose.x = reader.required_number("x").value_or(0);
      pose.z = reader.required_number("z").value_or(0);
    }
    pose.y = reader.number("y");
    pose.above = reader.number("above").value_or(0);
    if (element->attribute("y") && element->attribute("above"))
      reader.report(code::kConflict, "above", "both y and above, expected one of them");
    for (const std::string_view turn : {"heading", "Heading", "yaw", "direction"}) {
      if (!element->attribute(turn)) continue;
      reader.allow_attribute(turn);
      reader.report(xml::code::kAttributeUnknown, turn,
                    "<Position> has no " + std::string(turn) + ", expected an element beside it: <Heading value=" +
                        quoted(*element->attribute(turn)) + "/>, degrees clockwise from north");
    }
    reader.finish();
  }
  pose.heading = block.number("Heading", 0);
  if (const auto element = block.reader().child("Tilt")) {
    xml::ElementReader reader(*element, block.diagnostics());
    pose.tilt_x = reader.number("x").value_or(0);
    pose.tilt_z = reader.number("z").value_or(0);
    reader.finish();
  }
  return pose;
}

StartMotion read_motion(BlockReader& block) { return {block.vector("Velocity", {}), block.vector("AngularVelocity", {})}; }

/// <Fixed/> or <Fixed part=/>, any number.
void read_fixed(BlockReader& block, RobotEntry& robot) {
  for (const xml::Element& element : block.reader().children("Fixed")) {
    xml::ElementReader reader(element, block.diagnostics());
    if (auto part = reader.string("part"))
      robot.fixed.push_back(std::move(*part));
    else
      robot.is_fixed = true;
    reader.finish();
  }
  if (robot.is_fixed && !robot.fixed.empty())
    block.report(code::kConflict, "Fixed", "both <Fixed/> and <Fixed part=>, expected one of the two");
  if (robot.is_fixed && robot.motion != StartMotion{})
    block.report(code::kConflict, "Fixed", "both <Fixed/> and a velocity, expected one of the two");
}

Control read_control(const xml::Element& element, Diagnostics& diagnostics) {
  xml::ElementReader reader(element, diagnostics);
  Control control;
  control.place.at = element.position();
  control.time = reader.required_number("time", xml::Range::not_negative()).value_or(0);
  control.device = reader.required_string("device").value_or("");
  control.acceleration = reader.number("acceleration", xml::Range::between(-1, 1));
  control.steering = reader.number("steering", xml::Range::between(-1, 1));
  control.brake = reader.number("brake", xml::Range::between(0, 1));
  control.value = reader.number("value", xml::Range::between(-1, 1));
  reader.finish();
  const bool drives = element.attribute("acceleration") || element.attribute("steering") || element.attribute("brake");
  const bool has_value = element.attribute("value").has_value();
  if (drives && has_value)
    reader.report(code::kConflict, "value", "both value and a drive's settings, expected one of the two");
  else if (!drives && !has_value)
    reader.report(code::kEmpty, {}, "<Control> sets nothing, expected acceleration, steering, brake or value");
  return control;
}

UserProgram read_program(const xml::Element& element, Diagnostics& diagnostics) {
  xml::ElementReader reader(element, diagnostics);
  UserProgram program;
  program.place.at = element.position();
  program.path = reader.required_string("path").value_or("");
  if (const auto argument = reader.string("arg")) program.arguments.push_back(*argument);
  for (const xml::Element& child : reader.children("Argument")) {
    xml::ElementReader argument(child, diagnostics);
    if (const auto value = argument.string("value"))
      program.arguments.push_back(*value);
    else
      argument.report(xml::code::kAttributeMissing, {}, "<Argument> needs the attribute \"value\"");
    argument.finish();
  }
  reader.finish();
  return program;
}

Mission read_mission(const xml::Element& element, Diagnostics& diagnostics) {
  xml::ElementReader reader(element, diagnostics);
  Mission mission;
  mission.place.at = element.position();
  mission.file = reader.required_string("file").value_or("");
  mission.vehicle = static_cast<int>(reader.integer("vehicle", -1, 2147483647).value_or(mission.vehicle));
  if (const auto law = reader.choice("law", kMissionLaws)) mission.law = kMissionLaws[*law];
  mission.lookahead = reader.number("lookahead", xml::Range::positive()).value_or(mission.lookahead);
  mission.part = reader.string("part").value_or("");
  mission.speed = reader.number("speed", xml::Range::positive()).value_or(mission.speed);
  mission.cooperate = reader.boolean("cooperate").value_or(mission.cooperate);
  mission.by_sensors = reader.choice("navigation", kNavigations).value_or(0) == 1;
  reader.finish();
  return mission;
}

/// The attribute `file`, or `<Include>` in its place.
void read_file(BlockReader& block, RobotEntry& robot) {
  const auto include = block.reader().child("Include");
  if (!include) {
    robot.file = block.reader().required_string("file").value_or("");
    return;
  }
  robot.is_included = true;
  xml::ElementReader reader(*include, block.diagnostics());
  robot.file = reader.required_string("robot").value_or("");
  reader.finish();
}

void read_robot_entry(BlockReader& block, World& world) {
  RobotEntry robot;
  robot.name = block.name();
  robot.place = block.place();
  read_file(block, robot);
  robot.pose = read_pose(block, robot.file != kSignalsOfMap);
  robot.motion = read_motion(block);
  read_fixed(block, robot);
  // Invalid parts are dropped, but the robot is kept, so that its file is checked in the same run.
  const auto read_whole = [&](const auto& read, const xml::Element& element, const auto& keep) {
    const std::size_t errors = block.diagnostics().errors();
    auto value = read(element, block.diagnostics());
    if (block.diagnostics().errors() == errors) keep(std::move(value));
  };
  const xml::Children controls = block.reader().children("Control");
  robot.controls.reserve(controls.size());
  for (const xml::Element& element : controls)
    read_whole(read_control, element, [&](Control control) { robot.controls.push_back(std::move(control)); });
  for (const xml::Element& element : block.reader().children("UserProgram"))
    robot.programs.push_back(read_program(element, block.diagnostics()));
  if (const auto element = block.reader().child("Mission"))
    read_whole(read_mission, *element, [&](Mission mission) { robot.mission = std::move(mission); });
  block.finish();
  if (!robot.name.empty() && !robot.file.empty()) world.robots.push_back(std::move(robot));
}

void read_traffic(BlockReader& block, World& world) {
  Traffic traffic{block.name(),
                  block.place(),
                  block.reader().required_string("objects").value_or(""),
                  block.reader().required_string("rndf").value_or(""),
                  {},
                  block.reader().boolean("planar").value_or(false)};
  const xml::Children controls = block.reader().children("Control");
  traffic.controls.reserve(controls.size());
  for (const xml::Element& element : controls) traffic.controls.push_back(read_control(element, block.diagnostics()));
  block.finish();
  if (block.ok()) world.traffic.push_back(std::move(traffic));
}

template <Shape::Kind kind>
void read_static(BlockReader& block, World& world) {
  StaticObject object;
  object.name = block.name();
  object.place = block.place();
  object.shape = detail::read_shape(block, kind);
  object.pose = read_pose(block);
  object.friction = block.optional_number("Friction", xml::Range::not_negative());
  object.restitution = block.optional_number("Restitution", xml::Range::between(0, 1));
  object.model = block.model();
  object.mass = block.optional_number("Mass", xml::Range::positive());
  object.motion = read_motion(block);
  if (!block.has("Mass"))
    for (const char* tag : {"Velocity", "AngularVelocity", "Hulls"})
      if (block.has(tag))
        block.report(
            code::kConflict, tag,
            "<" + std::string(tag) + "> of " + quoted(object.name) + ", which has no <Mass> and never moves; give it one");
  block.finish();
  if (block.ok()) world.statics.push_back(std::move(object));
}

void read_grasp_world(BlockReader& block, World& world) {
  GraspWorld grasp;
  grasp.name = block.name();
  grasp.place = block.place();
  grasp.file = block.reader().required_string("file").value_or("");
  grasp.root = block.reader().string("root").value_or("");
  block.finish();
  if (block.ok()) world.grasps.push_back(std::move(grasp));
}

void read_engine(BlockReader& block, World& world) {
  Physics& physics = world.physics;
  const Physics fallback;
  if (physics.place.at != Position{}) {
    block.report(code::kConflict, {}, "a second <Engine>, expected one");
    block.diagnostics().note(code::kConflict, physics.place.at, "the first one is here");
    return;
  }
  physics.name = block.name();
  physics.place = block.place();
  physics.step = block.number("StepSize", fallback.step, {0, 1, true, false});
  physics.gravity = block.vector("Gravity", fallback.gravity);
  physics.friction = block.number("Friction", fallback.friction, xml::Range::not_negative());
  physics.restitution = block.number("Restitution", fallback.restitution, xml::Range::between(0, 1));
  if (const auto element = block.reader().child("Seed")) {
    xml::ElementReader reader(*element, block.diagnostics());
    if (const auto seed = reader.required_string("value")) {
      const auto number = parse_integer<std::uint64_t>(*seed);
      if (number)
        physics.seed = number.value;
      else
        reader.report(number.fault == NumberFault::syntax ? xml::code::kNumber : xml::code::kNumberRange, "value",
                      "value=" + quoted(*seed) + ", expected a whole number from 0 to 18446744073709551615");
    }
    reader.finish();
  }
  if (const auto element = block.reader().child("Origin")) {
    xml::ElementReader reader(*element, block.diagnostics());
    physics.origin = read_geographic(reader);
    reader.finish();
  }
  physics.start_time = block.optional_text("StartTime", "utc");
  if (physics.start_time && !is_time(*physics.start_time))
    block.report(code::kTime, "StartTime",
                 "utc=" + quoted(*physics.start_time) + ", expected a time like \"2008-02-27T12:00:00Z\"");
  block.finish();
}

void read_surface(BlockReader& block, World& world) {
  Surface surface{block.name(), block.place(), block.required_number("Friction", xml::Range::not_negative())};
  block.finish();
  if (!surface.name.empty() &&
      std::find(std::begin(kSurfaceNames), std::end(kSurfaceNames), surface.name) == std::end(kSurfaceNames))
    block.reader().report(code::kReference, "name",
                          "there is no surface " + quoted(surface.name) + ", expected terrain, road, pavement or building" +
                              detail::did_you_mean(surface.name, kSurfaceNames));
  if (block.ok()) world.physics.surfaces.push_back(std::move(surface));
}

void read_water(BlockReader& block, World& world) {
  Water water;
  water.name = block.name();
  water.place = block.place();
  water.level = block.number("Level", water.level);
  water.density = block.number("Density", water.density, xml::Range::positive());
  water.current = block.vector("Current", water.current);
  block.finish();
  if (world.physics.water) {
    block.report(code::kConflict, {}, "a second <Water>, expected one");
    block.diagnostics().note(code::kConflict, world.physics.water->place.at, "the first one is here");
  } else if (block.ok()) {
    world.physics.water = std::move(water);
  }
}

/// Elements common to all kinds of terrain. False if there already is one.
bool start_terrain(BlockReader& block, World& world, Terrain::Kind kind) {
  if (world.terrain.kind != Terrain::Kind::none) {
    block.report(code::kConflict, {}, "a second terrain, expected one");
    block.diagnostics().note(code::kConflict, world.terrain.place.at, "the first one is here");
    return false;
  }
  world.terrain.kind = kind;
  world.terrain.name = block.name();
  world.terrain.place = block.place();
  world.terrain.friction = block.optional_number("Friction", xml::Range::not_negative());
  return true;
}

void read_plane(BlockReader& block, World& world) {
  if (!start_terrain(block, world, Terrain::Kind::plane)) return;
  world.terrain.height = block.number("Height", 0);
  block.finish();
}

void read_height_map(BlockReader& block, World& world) {
  if (!start_terrain(block, world, Terrain::Kind::height_map)) return;
  Terrain& terrain = world.terrain;
  terrain.path = block.required_text("File", "path");
  terrain.height_data_per_area = block.number("HeightDataPerArea", terrain.height_data_per_area, xml::Range::positive());
  terrain.height_division = block.number("HeightDivisionCoefficient", terrain.height_division, xml::Range::positive());
  block.finish();
}

void read_map(BlockReader& block, World& world) {
  if (!start_terrain(block, world, Terrain::Kind::map)) return;
  world.terrain.path = block.required_text("Folder", "path");
  world.terrain.height_map = block.optional_text("HeightMap", "file").value_or("");
  world.terrain.street_map = block.optional_text("StreetMap", "file").value_or("");
  block.finish();
}

struct Row {
  std::string_view element;
  void (*read)(BlockReader&, World&);
  std::string_view default_name = {};  // empty: a name is required
};
constexpr Row kPhysics[] = {{"Engine", read_engine}, {"Surface", read_surface}, {"Water", read_water}};
constexpr Row kTerrain[] = {{"Plane", read_plane}, {"HeightMap", read_height_map}, {"Map", read_map}};
constexpr Row kObjects[] = {{"Robot", read_robot_entry},
                            {"Box", read_static<Shape::Kind::box>},
                            {"Sphere", read_static<Shape::Kind::sphere>},
                            {"Capsule", read_static<Shape::Kind::capsule>},
                            {"Cylinder", read_static<Shape::Kind::cylinder>},
                            {"Mesh", read_static<Shape::Kind::mesh>},
                            {"Traffic", read_traffic, kTrafficName},
                            {"GraspWorld", read_grasp_world}};

constexpr std::pair<std::string_view, std::span<const Row>> kSections[] = {
    {"Physics", kPhysics}, {"Terrain", kTerrain}, {"Objects", kObjects}};

/// Where an element belongs; empty: in no section.
std::string_view section_of(std::string_view element) {
  for (const auto& [section, rows] : kSections)
    for (const Row& row : rows)
      if (row.element == element) return section;
  return {};
}

/// Reads a section's blocks by the table; names are unique within it.
void read_section(const xml::Element& section, std::span<const Row> rows, World& world, Diagnostics& diagnostics) {
  xml::ElementReader reader(section, diagnostics);
  NameTable names;
  std::vector<std::string_view> known;
  for (const Row& row : rows) known.push_back(row.element);
  for (const xml::Element& element : reader.all_children()) {
    const auto row = std::find_if(rows.begin(), rows.end(), [&](const Row& r) { return r.element == element.name(); });
    if (row == rows.end()) {
      detail::report_unknown(element, known, diagnostics, section_of(element.name()));
      continue;
    }
    BlockReader block(element, diagnostics, row->default_name);
    names.add(block.name(), element.position(), "object", diagnostics);
    row->read(block, world);
  }
  reader.finish();
}

void read_expect(const xml::Element& element, NameTable& names, World& world, Diagnostics& diagnostics) {
  xml::ElementReader reader(element, diagnostics);
  Expect expect;
  expect.name = reader.required_string("name").value_or("");
  expect.place.at = element.position();
  expect.that = reader.required_string("that").value_or("");
  expect.that_places = element.attribute_places("that");
  reader.finish();
  if (expect.name.empty()) return;
  const bool is_new = !names.contains(expect.name);
  names.add(expect.name, element.position(), "expectation", diagnostics);
  if (is_new && !expect.that.empty() && reader.ok()) world.expectations.expects.push_back(std::move(expect));
}

void read_expectations(const xml::Element& section, World& world, Diagnostics& diagnostics) {
  xml::ElementReader reader(section, diagnostics);
  world.expectations.place.at = section.position();
  world.expectations.duration = reader.number("duration", xml::Range::positive());
  NameTable names;
  for (const xml::Element& element : reader.children("Expect")) read_expect(element, names, world, diagnostics);
  reader.finish();
}

/// Each becomes several strings.
bool count_all(const xml::Element& element, RecordCount& count, Diagnostics& diagnostics) {
  for (std::size_t left = 1 + element.attribute_names().size(); left > 0; --left)
    if (!count.add(element.position(), diagnostics)) return false;
  for (const xml::Element& child : element.children())
    if (!count_all(child, count, diagnostics)) return false;
  return true;
}

void read_graphics(const xml::Element& section, World& world, Diagnostics& diagnostics) {
  RecordCount count(code::kMany, "elements and attributes in <Graphics>");
  if (!count_all(section, count, diagnostics)) return;
  xml::ElementReader reader(section, diagnostics);
  for (const xml::Element& element : reader.all_children()) world.graphics.push_back(build_data_of(element));
  reader.finish();
}

}  // namespace

Parsed<World> read_world(std::string_view text, const std::string& file_name) {
  Parsed<World> result{std::nullopt, Diagnostics(file_name)};
  Diagnostics& diagnostics = result.diagnostics;
  const auto document = detail::open_document(text, file_name, "World", diagnostics);
  if (!document) return result;
  World world;
  BlockReader root(document->root(), diagnostics);
  world.name = root.name();
  world.place = root.place();
  if (const auto section = root.reader().child("Graphics")) read_graphics(*section, world, diagnostics);
  if (const auto section = root.reader().child("Physics")) read_section(*section, kPhysics, world, diagnostics);
  if (const auto section = root.reader().child("Terrain")) read_section(*section, kTerrain, world, diagnostics);
  if (const auto section = root.required_child("Objects")) {
    world.statics.reserve(section->children().size());
    read_section(*section, kObjects, world, diagnostics);
  }
  if (const auto section = root.reader().child("Expectations")) read_expectations(*section, world, diagnostics);
  for (const auto& [section, rows] : kSections)
    for (const Row& row : rows)
      for (const xml::Element& element : root.reader().children(row.element))
        detail::report_unknown(element, {}, diagnostics, section);
  root.finish();
  diagnostics.sort();
  result.value = std::move(world);
  return result;
}

}  // namespace simbatch::autosim
