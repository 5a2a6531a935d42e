#include <algorithm>
#include <cmath>
#include <string>

#include "base/core/random.hpp"
#include "tests/unit/formats/autosim/samples.hpp"

namespace simbatch::autosim::test {
namespace {

/// Values of all kinds: whole, with many digits, tiny, huge, odd characters in names.
class Random {
 public:
  explicit Random(std::uint64_t seed) : stream_(seed, "autosim models") {}
  bool coin() { return stream_.below(2) == 1; }
  int below(int n) { return static_cast<int>(stream_.below(static_cast<std::uint64_t>(n))); }
  double number() {
    switch (below(4)) {
      case 0: return below(200) - 100;
      case 1: return stream_.uniform() * 2 - 1;
      case 2: return std::ldexp(stream_.uniform() - 0.5, below(200) - 100);
      default: return 0;
    }
  }
  double positive() { return std::fabs(number()) + 1e-3; }
  double share() { return stream_.uniform(); }
  std::uint64_t word() { return stream_.next64(); }
  Vector3 vector() { return {number(), number(), number()}; }
  double up_to(double most) { return std::min(positive(), most); }
  Vector3 positives() { return {positive(), positive(), positive()}; }
  std::optional<double> maybe_positive() { return coin() ? std::optional(positive()) : std::nullopt; }
  std::optional<Vector3> maybe_vector() { return coin() ? std::optional(vector()) : std::nullopt; }
  std::string name(const char* prefix, int n) {
    static constexpr const char* kTails[] = {"", "-\"x\"", "_&amp;", "<\xc3\xa4>", "'"};
    return prefix + std::to_string(n) + kTails[below(5)];
  }
  std::string text() {
    static constexpr const char* kTexts[] = {"a", "models/impreza", " two  words ", "line\nbreak\ttab", "\xe2\x82\xac & <b>"};
    return kTexts[below(5)];
  }
  Model model() { return {text(), text()}; }
  std::optional<Model> maybe_model() { return coin() ? std::optional(model()) : std::nullopt; }
  Shape shape(int kinds = 5) {
    Shape shape;
    shape.kind = static_cast<Shape::Kind>(below(kinds));
    if (shape.kind == Shape::Kind::box) shape.size = positives();
    if (shape.kind == Shape::Kind::sphere || shape.kind == Shape::Kind::capsule || shape.kind == Shape::Kind::cylinder)
      shape.radius = positive();
    if (shape.kind == Shape::Kind::capsule || shape.kind == Shape::Kind::cylinder) shape.length = positive();
    if (shape.kind == Shape::Kind::mesh) {
      shape.file = text();
      shape.size = coin() ? Vector3{1, 1, 1} : positives();
      shape.hulls = coin() ? 1 : 1 + below(64);
    }
    return shape;
  }
  Pose pose() {
    Pose pose;
    if (coin())
      pose.geographic = Geographic{share() * 180 - 90, share() * 360 - 180};
    else if (coin())
      pose.road = RoadPosition{text(), coin() ? std::optional(number()) : std::nullopt, below(2 * kMaxLane) - kMaxLane};
    else
      pose.x = number(), pose.z = number();
    if (coin())
      pose.y = number();
    else
      pose.above = number();
    pose.heading = number();
    if (coin()) pose.tilt_x = number(), pose.tilt_z = number();
    return pose;
  }

 private:
  RandomStream stream_;
};

Body random_body(Random& random, int n) {
  Body body;
  body.name = random.name("body", n);
  body.position = random.vector();
  body.rotation = random.vector();
  body.mass = random.positive();
  body.center_of_mass = random.maybe_vector();
  if (random.coin()) body.inertia = random.positives();
  body.model = random.maybe_model();
  body.friction = random.maybe_positive();
  if (random.coin()) body.restitution = random.share();
  body.fluid->volume = random.maybe_positive();
  body.fluid->center_of_buoyancy = random.maybe_vector();
  if (random.coin()) body.fluid->linear_drag = random.positives();
  if (random.coin()) body.fluid->added_mass = random.positives();
  if (random.coin()) body.fluid->added_inertia = random.positives();
  if (random.coin()) body.fluid->angular_quadratic_drag = random.positives();
  body.is_compound = random.below(3) == 0;
  if (!body.is_compound) {
    body.shape = random.shape();
    return body;
  }
  const bool own_mass = random.coin();
  double sum = 0;
  for (int i = 0; i <= random.below(3); ++i) {
    Geometry geometry{
        random.name("g", i), {}, random.shape(), random.vector(), random.vector(), own_mass ? 0 : random.positive()};
    sum += geometry.mass;
    body.geometries.push_back(geometry);
  }
  if (!own_mass) body.mass = sum;
  return body;
}

void random_drive(Random& random, Link& link) {
  if (random.coin()) link.limits = Limits{-random.positive(), random.positive()};
  if (random.coin()) link.spring = LinkSpring{random.positive(), random.positive(), random.number()};
  link.friction = random.maybe_positive();
  if (random.coin()) return;
  LinkMotor motor;
  motor.mode = static_cast<LinkMotor::Mode>(random.below(3));
  motor.target = random.number();
  if (motor.mode == LinkMotor::Mode::position || random.coin()) motor.stiffness = random.positive();
  motor.damping = random.maybe_positive();
  motor.max_force = random.positive();
  motor.max_speed = random.maybe_positive();
  motor.rotor = random.maybe_positive();
  for (int k = 0; k < random.below(3); ++k)
    motor.noise.push_back({static_cast<Noise::Kind>(random.below(2)), {}, random.positive(), random.number()});
  link.motor = std::move(motor);
}

DriveActuator random_drive(Random& random) {
  DriveActuator drive{random.positive() + 200, random.positive() + 200, {}};
  if (random.coin()) drive.steering = Steering{random.share(), random.maybe_positive(), random.positive()};
  if (random.coin()) drive.brakes = Brakes{random.coin() ? std::optional(random.share()) : std::nullopt, random.coin(), 0.25};
  if (random.coin()) drive.air = Aerodynamics{random.positive(), random.number(), random.number(), random.number()};
  if (random.coin()) return drive;
  drive.motor_force = 0;
  drive.engine =
      Engine{{{random.share(), random.positive()}, {2, random.positive()}}, random.positive(), 700, 6000 + random.share()};
  if (random.coin()) drive.gearbox = Gearbox{{random.positive()}, random.positive(), random.positive(), random.share()};
  if (random.coin())
    drive.differential = Differential{static_cast<Differential::Kind>(random.below(3)), random.positive(), random.share()};
  return drive;
}

WheelDevice random_wheel(Random& random, const std::string& drive) {
  WheelDevice wheel{drive,
                    random.vector(),
                    random.positive(),
                    random.positive(),
                    random.positive(),
                    random.positive(),
                    random.positive(),
                    random.coin(),
                    random.coin(),
                    random.coin(),
                    random.maybe_positive(),
                    random.maybe_positive(),
                    random.maybe_model()};
  if (random.coin()) {
    wheel.ks = wheel.kd = 0;
    wheel.suspension = Suspension{random.positive(), random.positive(), random.share(), random.positive(), random.share()};
  }
  if (random.coin()) {
    wheel.friction.reset();
    wheel.tyre = Tyre{random.coin() ? Tyre::Model::brush : Tyre::Model::magic, 1 + random.share(), 1 + random.share()};
    wheel.tyre->relaxation_x = 0.1 + random.share();
    wheel.tyre->curvature = -random.share();
  }
  wheel.inertia = random.coin() ? random.positive() : 0;
  if (random.coin()) wheel.roll_influence = random.share();
  return wheel;
}

Propeller random_propeller(Random& random, const Vector3& direction) {
  Propeller propeller{random.vector(), direction, random.positive(), {}, {}, random.share(), random.maybe_positive()};
  if (random.coin())
    propeller.alpha = random.positive();
  else
    propeller.motor = DcMotor{random.positive(), random.positive(), random.positive(), random.positive(), 0, random.positive()};
  if (random.coin()) propeller.reaction = ReactionTorque{random.coin(), propeller.alpha ? random.positive() : 0};
  return propeller;
}

Camera random_camera(Random& random, const Vector3& direction) {
  Camera camera;
  camera.type = static_cast<Camera::Type>(random.below(2));
  if (random.coin()) camera.direction = direction;
  camera.width = 1 + random.below(8192);
  camera.field_of_view = 1 + random.share() * 170;
  return camera;
}

RangeCamera random_range_camera(Random& random, const Vector3& direction) {
  RangeCamera camera;
  camera.position = random.vector();
  if (random.coin()) camera.direction = direction;
  if (random.coin()) camera.width = 1 + random.below(256), camera.height = 1 + random.below(256);
  camera.field_of_view = 1 + random.share() * 170;
  camera.range_min = random.coin() ? random.share() : 0;
  camera.range_max = 1 + random.positive();
  return camera;
}

LaserScanner random_scanner(Random& random, const Vector3& direction) {
  LaserScanner scanner;
  scanner.position = random.vector();
  if (random.coin()) scanner.direction = direction;
  scanner.horizontal = {-180 * random.share(), 180 * random.share(), 1 + random.below(4096)};
  if (random.coin()) scanner.vertical = {-90 * random.share(), 90 * random.share(), 1 + random.below(64)};
  scanner.range_min = random.coin() ? random.share() : 0;
  scanner.range_max = 1 + random.positive();
  if (random.coin()) scanner.rate = random.positive();
  return scanner;
}

RadarSensor random_radar(Random& random, const Vector3& direction) {
  RadarSensor radar;
  radar.position = random.vector();
  if (random.coin()) radar.direction = direction;
  radar.width = 180 * random.share();
  radar.height = 180 * random.share();
  if (random.coin()) radar.columns = 1 + random.below(1024), radar.rows = 1 + random.below(64);
  radar.range = random.positive();
  radar.targets = 1 + random.below(64);
  return radar;
}

ImuSensor random_imu(Random& random) {
  ImuSensor imu{random.vector(), random.vector(), {}, {}};
  if (random.coin()) imu.gyroscope = {random.positive(), random.number(), random.positive(), 0, random.positive(), 0, 1, 2};
  if (random.coin()) imu.accelerometer.instability = random.positive();
  return imu;
}

Device::Kind random_device(Random& random, const std::string& drive) {
  const Vector3 direction{1, random.number(), random.number()};
  switch (random.below(20)) {
    case 0: return random_drive(random);
    case 1: return random_wheel(random, drive);
    case 2: return random_propeller(random, direction);
    case 3: return random_camera(random, direction);
    case 4: return GyroscopeSensor{direction, 1 - random.share()};
    case 5: return VelocimeterSensor{direction};
    case 6: return PSDSensor{random.vector(), direction, random.positive()};
    case 7: return GPSSensor{random.vector()};
    case 8: return CompassSensor{direction};
    case 9: return InclinometerSensor{direction};
    case 10: return TimeDevice{};
    case 11: return LightDevice{random.vector(), random.share(), {random.share(), 1, 1}};
    case 13: return random_scanner(random, direction);
    case 14:
      return random.coin() ? EncoderSensor{"link", "", random.positive()} : EncoderSensor{"", "wheel", random.positive()};
    case 15: return random_imu(random);
    case 16:
      return BumperSensor{random.vector(), random.coin() ? std::optional(random.positives()) : std::nullopt, random.positive()};
    case 17: return ForceTorqueSensor{"link_1"};
    case 18: return random_radar(random, direction);
    case 19: {
      const RangeCamera camera = random_range_camera(random, direction);
      if (random.coin()) return DepthCamera{camera};
      return SemanticCamera{camera};
    }
    default: return HeadLightDevice{random.vector(), direction, 1 + random.share(), random.share(), {1, 1, random.share()}};
  }
}

}  // namespace

Robot random_robot(std::uint64_t seed) {
  Random random(seed);
  Robot robot;
  robot.name = random.name("robot", 0);
  const int bodies = 1 + random.below(4);
  for (int i = 0; i < bodies; ++i) robot.bodies.push_back(random_body(random, i));
  for (int i = 1; i < bodies; ++i) {
    Link link{static_cast<Link::Kind>(random.below(3)),       random.name("link", i), {},        robot.bodies[0].name,
              robot.bodies[static_cast<std::size_t>(i)].name, random.vector(),        {0, 1, 0}, {}};
    if (link.kind != Link::Kind::spherical) {
      link.axis = {random.number(), 1, random.number()};
      random_drive(random, link);
    }
    robot.links.push_back(link);
  }
  if (random.coin()) robot.articulation = Articulation{{}, random.coin() ? robot.bodies[0].name : "", random.coin()};
  robot.devices.push_back({"the_drive", {}, robot.bodies[0].name, DriveActuator{1000, 4000, 25.0}, {}});
  for (int i = 0; i < random.below(12); ++i) {
    Device device{random.name("device", i), {}, robot.bodies[0].name, random_device(random, "the_drive"), {}};
    if (std::holds_alternative<PSDSensor>(device.kind) || std::holds_alternative<ImuSensor>(device.kind) ||
        std::holds_alternative<Camera>(device.kind)) {
      device.rate = random.maybe_positive();
      if (random.coin()) device.latency = random.share();
    }
    for (int k = 0; k < random.below(4); ++k)
      device.noise.push_back({static_cast<Noise::Kind>(random.below(2)), {}, random.positive(), random.number()});
    robot.devices.push_back(device);
  }
  return robot;
}

Control random_control(Random& random, std::string device) {
  Control control{{}, random.positive(), std::move(device), {}, {}, {}, {}};
  if (random.coin())
    control.value = random.share();
  else
    control.steering = -random.share(), control.brake = random.share();
  return control;
}

Terrain random_terrain(Random& random) {
  Terrain terrain;
  terrain.kind = static_cast<Terrain::Kind>(random.below(4));
  if (terrain.kind != Terrain::Kind::none) {
    terrain.name = random.name("ground", 0);
    terrain.friction = random.maybe_positive();
  }
  if (terrain.kind == Terrain::Kind::plane) terrain.height = random.number();
  if (terrain.kind == Terrain::Kind::height_map || terrain.kind == Terrain::Kind::map) terrain.path = random.text();
  if (terrain.kind == Terrain::Kind::height_map) terrain.height_division = random.positive();
  if (terrain.kind == Terrain::Kind::map && random.coin()) terrain.street_map = random.text();
  return terrain;
}

RobotEntry random_entry(Random& random, int number) {
  RobotEntry robot{random.name("robot", number), {}, random.text(), random.pose(), {}, {}};
  for (int k = 0; k < random.below(4); ++k) robot.controls.push_back(random_control(random, "chassis.drive"));
  if (random.coin()) robot.programs.push_back({{}, random.text(), {random.text(), ""}});
  if (random.coin()) {
    robot.mission =
        Mission{{}, random.text(), random.below(4) - 1, "samson", random.positive(), "", random.positive(), random.coin()};
    if (random.coin()) robot.mission->part = random.text();
    robot.mission->by_sensors = random.coin();
  }
  if (random.coin()) robot.motion = {random.vector(), random.vector()};
  if (random.coin()) robot.fixed = {random.name("part", 0), random.name("part", 1)};
  if (robot.fixed.empty() && robot.motion == StartMotion{}) robot.is_fixed = random.coin();
  return robot;
}

World random_world(std::uint64_t seed) {
  Random random(seed);
  World world;
  world.name = random.name("world", 0);
  if (random.coin()) {
    BuildData window{"Window", {}, {{"name", random.text()}}, {}};
    if (random.coin()) window.children.push_back({"Size", {}, {{"width", "8e2"}, {"note", random.text()}}, {}});
    world.graphics.push_back(window);
  }
  Physics& physics = world.physics;
  physics.step = 1 - random.share();
  physics.gravity = random.vector();
  physics.friction = random.positive();
  physics.restitution = random.share();
  physics.seed = random.word();
  if (random.coin()) physics.origin = Geographic{random.share() * 90, random.share() * -180};
  if (random.coin()) physics.start_time = "1999-12-31T23:59:59Z";
  for (const std::string_view surface : kSurfaceNames)
    if (random.coin()) physics.surfaces.push_back({std::string(surface), {}, random.positive()});
  if (random.coin()) physics.water = Water{random.name("sea", 1), {}, random.number(), random.positive(), random.vector()};
  world.terrain = random_terrain(random);
  for (int i = 0; i < random.below(4); ++i) world.robots.push_back(random_entry(random, i));
  for (int i = 0; i < random.below(4); ++i)
    world.statics.push_back({random.name("static", i),
                             {},
                             random.shape(),
                             random.pose(),
                             random.maybe_positive(),
                             random.coin() ? std::optional(random.share()) : std::nullopt,
                             random.maybe_model()});
  for (StaticObject& object : world.statics) {
    if (object.shape.hulls == 1 && random.coin()) continue;
    object.mass = random.positive();
    if (random.coin()) object.motion = {random.vector(), random.vector()};
  }
  for (int i = 0; i < random.below(3); ++i) {
    Traffic traffic{
        i == 0 && random.coin() ? std::string(kTrafficName) : random.name("traffic", i), {}, random.text(), random.text(), {}};
    traffic.planar = random.coin();
    for (int k = 0; k < random.below(3); ++k) traffic.controls.push_back(random_control(random, "object_1.throttle"));
    world.traffic.push_back(std::move(traffic));
  }
  if (random.coin()) world.grasps.push_back({random.name("grasp", 0), {}, random.text(), random.coin() ? random.text() : ""});
  if (random.coin()) world.expectations.duration = random.positive();
  for (int i = 0; i < random.below(3); ++i)
    world.expectations.expects.push_back(
        {random.name("expectation", i) + " & co.", {}, "always " + random.text() + " < 1", {}});
  return world;
}

MapSetup random_setup(std::uint64_t seed) {
  Random random(seed);
  MapSetup setup;
  setup.name = random.name("town", 0);
  setup.osm = {random.name("osm", 0), {}, random.share() * -90, random.share() * 180};
  setup.roads = {
      random.name("roads", 0), {}, random.up_to(kMaxRoadHeight), random.up_to(kMaxRoadHeight), 1 + random.positive()};
  setup.highways.name = random.name("highways", 0);
  for (const char* kind : {"motorway", "residential", "my_own-kind"})
    if (random.coin()) setup.highways.kinds.push_back({kind, {}, random.positive(), random.positive(), 0});
  if (random.coin()) setup.road_textures = RoadTextures{"t", {}, random.text(), "", random.text(), "", "", random.text()};
  if (random.coin())
    setup.terrain_textures = TerrainTextures{
        "t", {}, random.coin() ? random.text() : "", random.positive(), random.coin() ? random.model() : Model{}};
  if (random.coin()) {
    TerrainDimensions terrain;
    terrain.name = "d";
    terrain.width = random.positive();
    terrain.height_data_per_area = random.positive();
    terrain.tile_size = 4 * terrain.height_data_per_area;
    terrain.height_division = random.positive();
    setup.terrain = terrain;
  }
  return setup;
}

HouseList random_houses(std::uint64_t seed) {
  Random random(seed);
  HouseList houses;
  if (random.coin()) houses.version = "0.01";
  if (random.coin()) houses.generator = random.text();
  for (const char* landuse : {"residential", "forest", "retail"}) {
    if (random.coin()) continue;
    LanduseSection section{landuse, {}, {}};
    for (int i = 0; i < random.below(4); ++i)
      section.models.push_back({random.coin() ? "house" : "tree",
                                random.name("h", i),
                                {},
                                random.model(),
                                {random.up_to(kMaxHouseSize), random.up_to(kMaxHouseSize), random.up_to(kMaxHouseSize)},
                                0.25 * (1 + random.below(8))});
    houses.sections.push_back(section);
  }
  return houses;
}

}  // namespace simbatch::autosim::test
