// Encoders, inertial units, bumpers, force and torque, radar, rates and latencies: from files to values.

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

#include "base/core/number.hpp"
#include "lib/scenario/codes.hpp"
#include "lib/sim/device/image_source.hpp"
#include "lib/sim/program/port.hpp"
#include "tests/unit/lib/scenario/robot_scene.hpp"

using namespace simbatch;
using namespace simbatch::scenario;
using namespace simbatch::scenario::test_scene;
using namespace simbatch::sim;
using std::numbers::pi;

namespace {

std::string box(const std::string& name, const std::string& position, const std::string& size, const std::string& mass) {
  return "<Box name=\"" + name + "\"><Position " + position + "/><Size " + size + "/><Mass value=\"" + mass + "\"/></Box>\n";
}
// A bar of 1 m and 2 kg along +x that turns about z at the origin, on a base beside it.
std::string bar(const std::string& more) {
  return box("base", "x=\"0\" y=\"0\" z=\"3\"", "x=\"1\" y=\"1\" z=\"1\"", "1000000") +
         box("bar", "x=\"0.5\" y=\"0\" z=\"0\"", "x=\"1\" y=\"0.1\" z=\"0.1\"", "2") +
         "<RevoluteLink name=\"hinge\"><Parent name=\"base\"/><Child name=\"bar\"/><Position x=\"0\" y=\"0\" z=\"0\"/><Axis x=\"0\" "
         "y=\"0\" z=\"1\"/>" +
         more + "</RevoluteLink>";
}
const std::string kFixed = "<Articulation base=\"base\" fixed=\"true\"/>";
const std::string kSpin = "<Motor mode=\"speed\" target=\"90\" maxForce=\"500\"/>";
std::string step(double rate) { return "<StepSize value=\"" + number_text(1 / rate) + "\"/>"; }
const std::string kNoGravity = "<Gravity x=\"0\" y=\"0\" z=\"0\"/>";

std::string on(const std::string& kind, const std::string& name, const std::string& more, const std::string& part = "bar") {
  return "<" + kind + " name=\"" + name + "\"><Part name=\"" + part + "\"/>" + more + "</" + kind + ">\n";
}

}  // namespace

TEST_CASE("sensors: an encoder counts whole steps, and its speed is the count's over its samples") {
  RobotScene scene(
      bar(kSpin),
      on("EncoderSensor", "fine", "<Link name=\"hinge\"/><Resolution value=\"4000\"/><Rate value=\"50\"/>") +
          on("EncoderSensor", "coarse", "<Link name=\"hinge\"/><Resolution value=\"8\"/>") +
          on("EncoderSensor", "noisy", "<Link name=\"hinge\"/><Resolution value=\"4000\"/><WhiteNoise range=\"0.01\"/>"),
      step(200) + kNoGravity, entry(), kFixed);
  scene.run(1.1);
  const double angle = scene.values("r.hinge")[3];
  const auto fine = scene.values("r.bar.fine"), coarse = scene.values("r.bar.coarse"), noisy = scene.values("r.bar.noisy");
  CHECK(angle == doctest::Approx(1.1 * pi / 2).epsilon(1e-6));
  CHECK(fine[0] == std::floor(angle / (2 * pi) * 4000));
  CHECK(fine[1] == doctest::Approx(fine[0] * 2 * pi / 4000));
  CHECK(std::abs(fine[2] - pi / 2) <= 2 * pi / 4000 * 50);  // one count per sample
  CHECK(coarse[0] == 2);
  CHECK(coarse[2] == 0);
  CHECK(noisy[3] == angle);
  CHECK(std::abs(noisy[1] - angle) < 0.012);
  scene.run(0.15);  // past 112.5 degrees... whole steps of 45
  CHECK(scene.values("r.bar.coarse")[0] == std::floor(scene.values("r.hinge")[3] / (pi / 4)));
}

TEST_CASE("sensors: an inertial unit at rest shows the support's force, turning the centripetal one, at any rate") {
  for (const double rate : {60.0, 240.0, 1000.0}) {
    CAPTURE(rate);
    RobotScene scene(bar(kSpin),
                     on("ImuSensor", "imu", "<Position x=\"0.5\" y=\"0\" z=\"0\"/><Rotation x=\"0\" y=\"90\" z=\"0\"/>") +
                         on("ImuSensor", "still", "", "base") + on("ImuSensor", "slow", "<Rate value=\"10\"/>"),
                     step(rate) + kNoGravity, entry(), kFixed);
    scene.run(2);
    // At 1 m from the axis: w^2 r towards it, along the bar's -x, which is the sensor's +z (its +z is the bar's +x).
    const auto imu = scene.values("r.bar.imu");
    const double w = pi / 2;
    CHECK(imu[2] == doctest::Approx(-w * w).epsilon(1e-4));
    CHECK(std::abs(imu[0]) < w * w * w / rate);  // the mean over a step lags by half of it
    CHECK(std::abs(imu[1]) < 2.5 * w * w * w / rate);
    CHECK(imu[3] == doctest::Approx(-w).epsilon(1e-6));  // the bar's z is the sensor's -x
    CHECK(scene.values("r.bar.slow")[5] == doctest::Approx(w).epsilon(1e-6));
    CHECK(scene.values("r.bar.slow")[0] == doctest::Approx(-w * w / 2).epsilon(1e-3));
  }
  RobotScene rest(bar("<Motor mode=\"position\" stiffness=\"100000\" maxForce=\"500\"/>"), on("ImuSensor", "imu", ""), "",
                  entry(), kFixed);
  rest.run(1);
  CHECK(rest.values("r.bar.imu")[1] == doctest::Approx(9.81).epsilon(1e-5));
  // In free fall nothing is felt.
  RobotScene fall(box("b", "x=\"0\" y=\"0\" z=\"0\"", "x=\"1\" y=\"1\" z=\"1\"", "2"), on("ImuSensor", "imu", "", "b"), "",
                  entry());
  fall.run(1);
  for (int i = 0; i < 6; ++i) CHECK(std::abs(fall.values("r.b.imu")[static_cast<std::size_t>(i)]) < 1e-12);
}

TEST_CASE("sensors: an inertial unit's errors and its true values") {
  RobotScene scene(bar(kSpin),
                   on("ImuSensor", "imu",
                      "<Gyroscope noise=\"0.01\" bias=\"0.2\"/><Accelerometer turnOnBias=\"0.5\"/><Rate value=\"100\"/>"),
                   step(200) + kNoGravity, entry(), kFixed);
  double sum = 0, turned_on = 0;
  for (int i = 0; i < 400; ++i) {
    scene.run(0.01);
    const auto v = scene.values("r.bar.imu");
    if (i > 100) sum += v[5] - v[11];
    if (i == 0) turned_on = v[0] - v[6];
    CHECK(v[0] - v[6] == doctest::Approx(turned_on));
  }
  CHECK(turned_on != 0);
  CHECK(sum / 299 == doctest::Approx(0.2).epsilon(0.1));
}

TEST_CASE("sensors: force and torque at a link hold up what is beyond it, with and without reduced coordinates") {
  for (const double rate : {60.0, 240.0, 1000.0}) {
    CAPTURE(rate);
    RobotScene scene(bar("<Motor mode=\"position\" stiffness=\"100000\" maxForce=\"500\"/>"),
                     on("ForceTorqueSensor", "ft", "<Link name=\"hinge\"/>"), step(rate), entry(), kFixed);
    scene.run(2);
    const auto ft = scene.values("r.bar.ft");
    CHECK(std::abs(ft[0]) < 0.02);
    CHECK(ft[1] == doctest::Approx(2 * 9.81).epsilon(1e-4));
    CHECK(ft[5] == doctest::Approx(2 * 9.81 * 0.5).epsilon(1e-4));
    CHECK(scene.values("r.hinge")[5] == doctest::Approx(ft[5]).epsilon(1e-6));
  }
  // Turning without gravity, between bodies and in reduced coordinates: the centripetal force.
  for (const double rate : {60.0, 240.0, 1000.0}) {
    RobotScene scene(bar(kSpin), on("ForceTorqueSensor", "ft", "<Link name=\"hinge\"/>"), step(rate) + kNoGravity, entry());
    scene.run(2);
    const auto ft = scene.values("r.bar.ft");
    const double w = pi / 2;
    CHECK(ft[0] == doctest::Approx(-2 * w * w * 0.5).epsilon(0.02));
    CHECK(std::abs(ft[5]) < 0.05);
    RobotScene same(bar(kSpin), on("ForceTorqueSensor", "ft", "<Link name=\"hinge\"/><WhiteNoise range=\"0\"/>"),
                    step(rate) + kNoGravity, entry(), kFixed);
    same.run(2);
    CHECK(same.values("r.bar.ft")[0] == doctest::Approx(-2 * w * w * 0.5).epsilon(0.02));
    CHECK(same.values("r.bar.ft")[6] == same.values("r.bar.ft")[0]);
  }
}

TEST_CASE("sensors: a bumper feels contacts of its part, or of a place on it") {
  // A box that lies on the plane at y = -100.
  const std::string parts = box("b", "x=\"0\" y=\"-99.5\" z=\"0\"", "x=\"1\" y=\"1\" z=\"1\"", "2");
  RobotScene scene(
      parts,
      on("BumperSensor", "all", "", "b") +
          on("BumperSensor", "top", "<Position x=\"0\" y=\"0.5\" z=\"0\"/><Size x=\"1\" y=\"0.1\" z=\"1\"/>", "b") +
          on("BumperSensor", "heavy", "<Threshold value=\"100\"/>", "b"),
      "", entry());
  scene.run(2);
  CHECK(scene.values("r.b.all")[0] == 1);
  CHECK(scene.values("r.b.all")[1] == doctest::Approx(2 * 9.81).epsilon(0.02));
  CHECK(scene.values("r.b.top")[0] == 0);
  CHECK(scene.values("r.b.top")[2] == 0);
  CHECK(scene.values("r.b.heavy")[0] == 0);
  CHECK(scene.values("r.b.heavy")[1] > 10);
}

TEST_CASE("sensors: a radar shows the nearest point of each body, and how fast it comes") {
  const std::string parts = box("b", "x=\"0\" y=\"0\" z=\"0\"", "x=\"1\" y=\"1\" z=\"1\"", "2");
  const std::string radar = on("RadarSensor", "radar",
                               "<Position x=\"0\" y=\"0\" z=\"0.5\"/><Field width=\"60\" height=\"10\"/><Rays columns=\"61\" "
                               "rows=\"3\"/><Range value=\"50\"/><Targets value=\"2\"/>",
                               "b");
  RobotScene scene(parts, radar, "",
                   entry() + entry("other", "", "5") +
                       "<Box name=\"wall\"><Position x=\"0\" y=\"-3\" z=\"20.5\"/><Size x=\"9\" y=\"6\" z=\"1\"/></Box>");
  scene.run(0.5);
  const auto v = scene.values("r.b.radar");
  CHECK(v[0] == 1);
  CHECK(v[1] == doctest::Approx(19.5).epsilon(1e-3));
  CHECK(std::abs(v[2]) < 0.02);
  // Both fall: the wall rises past the radar, but straight ahead nothing comes nearer.
  CHECK(std::abs(v[4]) < 0.5);
}

TEST_CASE("sensors: depth and semantic cameras see the same things, each in its way") {
  const std::string parts = box("b", "x=\"0\" y=\"0\" z=\"0\"", "x=\"1\" y=\"1\" z=\"1\"", "2");
  const std::string look =
      "<Position x=\"0\" y=\"0\" z=\"0\"/><FieldOfView value=\"90\"/><ImageSize width=\"8\" height=\"4\"/><Range max=\"40\"/>";
  RobotScene scene(
      parts,
      on("DepthCamera", "depth", look + "<Rate value=\"10\"/>", "b") + on("SemanticCamera", "classes", look, "b") +
          on("DepthCamera", "noisy", look + "<WhiteNoise range=\"0\" offset=\"0.5\"/>", "b"),
      kNoGravity, entry() + "<Box name=\"wall\"><Position x=\"0\" y=\"-6\" z=\"10.5\"/><Size x=\"6\" y=\"12\" z=\"1\"/></Box>");
  scene.run(0.25);
  const auto depth = scene.values("r.b.depth"), classes = scene.values("r.b.classes"), noisy = scene.values("r.b.noisy");
  // Four rows of 5 m at 10 m; the wall is 4 m wide and 6 m high above the axis and below it: the two columns in the middle.
  for (std::size_t row = 0; row < 4; ++row)
    for (std::size_t column = 0; column < 8; ++column) {
      CAPTURE(row);
      CAPTURE(column);
      const std::size_t i = 8 * row + column;
      const bool wall = (column == 3 || column == 4) && (row == 1 || row == 2);
      CHECK(classes[i] == (wall ? 2 : 0));
      CHECK(depth[i] == doctest::Approx(wall ? 10 : 40).epsilon(1e-9));
      CHECK(noisy[i] == doctest::Approx(depth[i] + 0.5));
    }
  CHECK(depth[32] == 3);  // at 0, 0.1 and 0.2 s
  CHECK(scene.device("r.b.depth").data_size() == 32 * sizeof(float));
}

TEST_CASE("sensors: a semantic camera tells ground, buildings, other robots and loose things apart") {
  const std::string parts = box("b", "x=\"0\" y=\"0\" z=\"0\"", "x=\"1\" y=\"1\" z=\"1\"", "2");
  // Five pixels, to the right of the world: at 10 m they are 1.75 m apart.
  const std::string row =
      "<Position x=\"0\" y=\"0\" z=\"0\"/><Direction x=\"1\" y=\"0\" z=\"0\"/><FieldOfView value=\"10\"/><ImageSize width=\"5\" "
      "height=\"1\"/><Range max=\"40\"/>";
  const std::string down =
      "<Position x=\"0\" y=\"0\" z=\"0\"/><Direction x=\"0\" y=\"-1\" z=\"0\"/><UpVector x=\"0\" y=\"0\" z=\"1\"/><ImageSize "
      "width=\"1\" height=\"1\"/><Range max=\"200\"/>";
  const auto thing = [](const std::string& name, const std::string& z, const std::string& more) {
    return "<Box name=\"" + name + "\"><Position x=\"10\" y=\"-1\" z=\"" + z + "\"/><Size x=\"1\" y=\"2\" z=\"1\"/>" + more +
           "</Box>";
  };
  RobotScene scene(
      parts, on("SemanticCamera", "row", row, "b") + on("SemanticCamera", "down", down, "b"), kNoGravity,
      entry() + entry("other", "", "10") + thing("loose", "3.5", "<Mass value=\"1\"/>") + thing("wall", "-3.5", ""));
  scene.run(0.01);
  const auto classes = scene.values("r.b.row");
  CHECK(classes[0] == 4);
  CHECK(classes[1] == 0);
  CHECK(classes[2] == 3);
  CHECK(classes[3] == 0);
  CHECK(classes[4] == 2);
  CHECK(scene.values("r.b.down")[0] == 1);
}

TEST_CASE("sensors: rates and latencies: what shows is what was, at every kind of sensor") {
  // The clock itself tells when a sample was taken.
  RobotScene scene(
      bar(kSpin),
      on("TimeDevice", "now", "") + on("TimeDevice", "tenth", "<Rate value=\"10\"/>") +
          on("TimeDevice", "late", "<Latency value=\"0.25\"/>") +
          on("TimeDevice", "both", "<Rate value=\"10\"/><Latency value=\"0.25\"/>") +
          on("GyroscopeSensor", "gyro", "<Axis x=\"0\" y=\"0\" z=\"1\"/><Alpha value=\"0.5\"/><Latency value=\"0.1\"/>") +
          on("EncoderSensor", "enc", "<Link name=\"hinge\"/><Resolution value=\"4000\"/><Latency value=\"0.5\"/>"),
      step(100) + kNoGravity, entry(), kFixed);
  CHECK(scene.device("r.bar.late").values()[0] == 0);
  for (int i = 1; i <= 120; ++i) {
    scene.run(0.01);
    const double t = i * 0.01;
    CHECK(scene.values("r.bar.now")[0] == doctest::Approx(t));
    CHECK(scene.values("r.bar.tenth")[0] == doctest::Approx(std::floor(i / 10) * 0.1));
    CHECK(scene.values("r.bar.late")[0] == doctest::Approx(i <= 25 ? 0 : t - 0.25));
    CHECK(scene.values("r.bar.both")[0] == doctest::Approx(i < 35 ? 0 : std::floor((i - 25) / 10) * 0.1));
  }
  CHECK(scene.values("r.bar.gyro")[0] == doctest::Approx(pi / 2).epsilon(1e-6));
  CHECK(scene.values("r.bar.enc")[1] == doctest::Approx(0.7 * pi / 2).epsilon(0.01));
  ProgramPort port(scene.simulation(), "r");
  float seen = 0;
  CHECK(port.get_data("r.bar.late", &seen, sizeof seen) == DeviceError::none);
  CHECK(seen == doctest::Approx(0.95));
}

TEST_CASE("sensors: a camera's pictures show what was at the sample, whenever they are asked for") {
  const std::string look =
      "<Type name=\"fixed\"/><Position x=\"0\" y=\"0\" z=\"-0.6\"/><Direction x=\"0\" y=\"0\" z=\"-1\"/><ImageSize width=\"48\" "
      "height=\"36\"/>";
  const std::string sampled = "<Rate value=\"10\"/><Latency value=\"0.25\"/>";
  RobotScene scene(bar(kSpin),
                   on("Camera", "live", look, "base") + on("Camera", "late", look + sampled, "base") +
                       on("Camera", "turning", "<Type name=\"fixed\"/><Position x=\"1\" y=\"0\" z=\"0\"/>") +
                       on("Camera", "turning_late", "<Type name=\"fixed\"/><Position x=\"1\" y=\"0\" z=\"0\"/>" + sampled) +
                       on("LightDevice", "lamp", "<Position x=\"0.5\" y=\"0\" z=\"0.2\"/><Intensity value=\"1\"/>"),
                   step(100) + kNoGravity, entry(), kFixed);
  const auto picture = [&](const char* name) {
    const TreeNode* camera = scene.simulation().tree().find(name);
    REQUIRE(camera != nullptr);
    ImageSource& images = *scene.simulation().images();
    std::vector<std::uint32_t> pixels(images.image_size(*camera)->pixels());
    images.render(*camera, pixels);
    return pixels;
  };
  scene.simulation().start();
  std::vector<std::vector<std::uint32_t>> live{picture("r.base.live")};
  std::vector<std::vector<double>> poses;
  const auto keep_pose = [&] {
    const auto pose = scene.values("r.bar.turning");
    poses.emplace_back(pose.begin(), pose.end());
  };
  keep_pose();
  std::size_t changes = 0;
  for (int i = 1; i <= 80; ++i) {
    if (i == 40) scene.device("r.bar.lamp").set(0, 0);
    scene.run(0.01);
    live.push_back(picture("r.base.live"));
    keep_pose();
    // Samples at 0.1, 0.2 ... s, each 0.25 s later; the start until then.
    const auto taken = static_cast<std::size_t>(i < 35 ? 0 : (i - 25) / 10 * 10);
    CAPTURE(i);
    CHECK(picture("r.base.late") == live[taken]);
    const auto late = scene.values("r.bar.turning_late");
    CHECK(std::vector(late.begin(), late.end()) == poses[taken]);
    changes += picture("r.base.late") != live[static_cast<std::size_t>(i)] ? 1 : 0;
  }
  CHECK(changes > 60);  // the bar turns all the time, and the lamp goes out
}

TEST_CASE("sensors: what does not fit is reported where it is") {
  RobotScene scene(bar(""),
                   on("EncoderSensor", "a", "<Link name=\"hnge\"/><Resolution value=\"4\"/>") +
                       on("EncoderSensor", "b", "<Wheel name=\"w\"/><Resolution value=\"4\"/>") +
                       on("ForceTorqueSensor", "c", "<Link name=\"bar\"/>") + on("TimeDevice", "d", "<Rate value=\"1000\"/>") +
                       on("ImuSensor", "e", "<WhiteNoise range=\"1\"/>") +
                       on("LaserScanner", "f",
                          "<Position x=\"0\" y=\"0\" z=\"0\"/><Horizontal min=\"-90\" max=\"90\" count=\"262144\"/><Range "
                          "max=\"9\"/><Latency value=\"60\"/>"),
                   "", entry());
  simbatch::test::Expected problems(std::move(scene.result.diagnostics));
  CHECK(problems.take(scenario::code::kDeviceLink, Position{9, 1}).find("\"hnge\"") != std::string::npos);
  CHECK(problems.take(scenario::code::kDeviceLink, Position{10, 1}).find("same part") != std::string::npos);
  CHECK(problems.take(scenario::code::kDeviceLink, Position{11, 1}).find("this robot") != std::string::npos);
  problems.take(scenario::code::kSensorRate, Position{12, 1});
  problems.take(scenario::code::kNoiseUnused, Position{13, 39});
  problems.take(scenario::code::kSensorLatency, Position{14, 1});
}

TEST_CASE("sensors: cameras whose samples would not fit into memory are refused") {
  std::string eyes;
  for (int i = 0; i < 100; ++i)
    eyes += on("Camera", "eye" + std::to_string(i),
               "<Type name=\"fixed\"/><Position x=\"0\" y=\"0\" z=\"0\"/><Latency value=\"60\"/>");
  RobotScene scene(bar(""), eyes, "", entry());
  simbatch::test::Expected problems(std::move(scene.result.diagnostics));
  CHECK(problems.take(scenario::code::kSensorLatency, Position{81, 1}).find("shorter latency") != std::string::npos);
}
