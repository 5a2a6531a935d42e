#include "lib/scenario/build.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <filesystem>

#include "lib/scenario/codes.hpp"
#include "lib/scenario/site.hpp"
#include "lib/sim/device/device_node.hpp"
#include "lib/sim/scene/codes.hpp"
#include "tests/support/support.hpp"

using namespace simbatch;
using namespace simbatch::scenario;
using namespace simbatch::sim;
using simbatch::test::TemporaryFolder;
using simbatch::test::write_text;

namespace {

const std::string kCar = R"(<Robot name="car">
  <Parts>
    <Box name="chassis"><Position x="0" y="0" z="0"/><Size x="2" y="1.2" z="4.6"/><Mass value="1400"/></Box>
  </Parts>
  <Devices>
    <DriveActuator name="drive"><Part name="chassis"/><MotorForce value="2000"/><BrakeForce value="3000"/></DriveActuator>
WHEELS
    <LightDevice name="lamp"><Part name="chassis"/><Position x="0" y="0" z="0"/></LightDevice>
    <VelocimeterSensor name="speed"><Part name="chassis"/><Axis x="0" y="0" z="1"/></VelocimeterSensor>
EXTRA
  </Devices>
</Robot>
)";

std::string replaced(std::string text, std::string_view from, std::string_view to) {
  const std::size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

std::string car(const std::string& extra = "") {
  std::string wheels;
  int i = 0;
  for (const char* place : {"x=\"-0.8\" y=\"-0.45\" z=\"1.3\"", "x=\"0.8\" y=\"-0.45\" z=\"1.3\"",
                            "x=\"-0.8\" y=\"-0.45\" z=\"-1.3\"", "x=\"0.8\" y=\"-0.45\" z=\"-1.3\""}) {
    wheels += "<WheelDevice name=\"w" + std::to_string(i++) +
              "\"><Part name=\"chassis\"/><DriveActuator name=\"drive\"/><Position " + place +
              "/><Radius value=\"0.36\"/><Width value=\"0.245\"/><SuspensionRestLength value=\"0.1\"/><SuspensionKs "
              "value=\"200\"/><SuspensionKd value=\"23\"/><Powered value=\"true\"/><Steering value=\"true\"/><Brakes "
              "value=\"true\"/></WheelDevice>\n";
  }
  return replaced(replaced(kCar, "WHEELS", wheels), "EXTRA", extra);
}

std::string world(const std::string& objects, const std::string& physics = "",
                  const std::string& terrain = R"(<Plane name="p"><Height value="0"/></Plane>)") {
  return "<World name=\"w\">\n<Physics>" + physics + "</Physics>\n<Terrain>" + terrain + "</Terrain>\n<Objects>\n" + objects +
         "\n</Objects>\n</World>\n";
}

std::string robot(const std::string& inside = "", const std::string& name = "a") {
  return "<Robot name=\"" + name + "\" file=\"car.xml\"><Position x=\"0\" z=\"0\"/>" + inside + "</Robot>";
}

struct Scene {
  TemporaryFolder folder;
  explicit Scene(const std::string& world_text, const std::string& robot_text = car()) {
    write_text(folder.file("world.xml"), world_text);
    write_text(folder.file("car.xml"), robot_text);
  }
  BuildResult build(const BuildOptions& options = {}) const { return build_scenario(folder.file("world.xml"), options); }
};

}  // namespace

TEST_CASE("build: a scenario becomes a world and a tree, and lists the files it was made of") {
  const Scene scene(world(robot("<Control time=\"0.5\" device=\"chassis.drive\" acceleration=\"1\"/>") +
                          replaced(robot("", "b"), "x=\"0\"", "x=\"30\"") +
                          "<Box name=\"wall\"><Position x=\"0\" z=\"40\"/><Size x=\"9\" y=\"3\" z=\"1\"/></Box>"));
  const BuildResult result = scene.build();
  REQUIRE_MESSAGE(result.value, test::all_text(result.diagnostics));
  CHECK(result.diagnostics.empty());
  Simulation& simulation = *result.value->simulation;
  CHECK(simulation.tree().find("a.chassis.drive") != nullptr);
  CHECK(simulation.tree().find("b.chassis.w3") != nullptr);
  CHECK(simulation.tree().find("wall") == nullptr);  // what never moves is not in the tree (thesis 4.1)
  CHECK(simulation.world().find_body("wall") != physics::kNoBody);
  REQUIRE(result.value->inputs.size() == 2);
  CHECK(result.value->inputs[0].name == "world.xml");
  CHECK(result.value->inputs[1].name == "car.xml");
  // Robots stand on their wheels: hard point 0.45 below the middle, 0.1 + 0.36 of ray.
  simulation.start();
  CHECK(simulation.tree().find("a.chassis")->values()[1] == doctest::Approx(0.91));
  // The wall stands on its underside.
  CHECK(simulation.world().pose(simulation.world().find_body("wall")).p.y == doctest::Approx(1.5));
  for (int i = 0; i < 119; ++i) REQUIRE(simulation.step());
  CHECK(simulation.tree().find("a.chassis.drive")->values()[0] == 0);
  for (int i = 0; i < 2; ++i) REQUIRE(simulation.step());  // 0.5 s is step 120 of 1/240 s
  CHECK(simulation.tree().find("a.chassis.drive")->values()[0] == 1);
  for (int i = 0; i < 240; ++i) REQUIRE(simulation.step());
  CHECK(simulation.tree().find("a.chassis.speed")->values()[0] > 3);
  CHECK(std::abs(simulation.tree().find("b.chassis.speed")->values()[0]) < 0.1);
}

TEST_CASE("build: noise of a wheel is added to its spin, beside which the true one shows") {
  const Scene scene(world(robot("<Control time=\"0\" device=\"chassis.drive\" acceleration=\"1\"/>")),
                    replaced(car(), "</WheelDevice>", "<WhiteNoise range=\"0\" offset=\"0.25\"/></WheelDevice>"));
  const BuildResult result = scene.build();
  REQUIRE_MESSAGE(result.value, test::all_text(result.diagnostics));
  CHECK(result.diagnostics.empty());
  Simulation& simulation = *result.value->simulation;
  for (int i = 0; i < 240; ++i) REQUIRE(simulation.step());
  const auto noisy = simulation.tree().find("a.chassis.w0")->values(), other = simulation.tree().find("a.chassis.w1")->values();
  REQUIRE(noisy.size() == 11);
  CHECK(other.size() == 10);
  CHECK(noisy[10] > 5);
  CHECK(noisy[10] == doctest::Approx(other[8]).epsilon(1e-9));
  CHECK(noisy[8] == doctest::Approx(noisy[10] + 0.25));
}

TEST_CASE("build: five independent mistakes are five located errors") {
  const Scene scene(
      "<World name=\"w\">\n"
      "<Physics><Engine name=\"e\"><StepSize value=\"1.5x\"/></Engine></Physics>\n"
      "<Terrain><HeightMap name=\"h\"><File path=\"absent.png\"/></HeightMap></Terrain>\n"
      "<Objects>\n" +
      robot("\n<Control time=\"0\" device=\"chassis.drve\" acceleration=\"1\"/>"
            "\n<Control time=\"0\" device=\"chassis.lamp\" steering=\"1\"/>") +
      "\n<Box name=\"b\"><Position x=\"0\" z=\"0\"/><Size x=\"0\" y=\"1\" z=\"1\"/></Box>\n</Objects>\n</World>\n");
  const BuildResult result = scene.build();
  CHECK_FALSE(result.value);
  CHECK(result.unreadable);
  CHECK(result.diagnostics.errors() == 5);
  test::Expected expected(result.diagnostics);
  expected.drop_notes();
  expected.take("xml-number");
  CHECK(expected.take(scenario::code::kFile, Position{3, 10}).find("absent.png") != std::string::npos);
  CHECK(expected.take(scenario::code::kControlDevice, Position{6, 1}).find("did you mean \"chassis.drive\"") !=
        std::string::npos);
  CHECK(expected.take(scenario::code::kControlInput, Position{7, 1}).find("steering") != std::string::npos);
  expected.take("xml-number-range", Position{8, 47});
}

TEST_CASE("build: every code of the room") {
  SUBCASE("a file outside the scenario's folder is refused unless the root holds it") {
    const Scene scene(replaced(world(robot()), "car.xml", "../outside/car.xml"));
    const BuildResult result = scene.build();
    test::Expected expected(result.diagnostics);
    expected.take(scenario::code::kOutside, Position{5, 1});
    CHECK_FALSE(result.unreadable);
    BuildOptions options;
    options.root = scene.folder.path().parent_path().string();
    const BuildResult allowed = scene.build(options);
    test::Expected missing(allowed.diagnostics);
    missing.take(scenario::code::kFile);
    CHECK(allowed.unreadable);
  }
  SUBCASE("GPS and geographic places need an origin") {
    const Scene scene(
        world(robot() + "<Box name=\"b\"><Position latitude=\"1\" longitude=\"2\"/><Size x=\"1\" y=\"1\" z=\"1\"/></Box>"),
        car("<GPSSensor name=\"gps\"><Part name=\"chassis\"/></GPSSensor>"));
    test::Expected expected(scene.build().diagnostics);
    expected.take(scenario::code::kOrigin);
    expected.take(scenario::code::kOrigin);
  }
  SUBCASE("a mesh that bounds nothing solid cannot be a part of a robot") {
    const Scene scene(world(robot()),
                      replaced(replaced(car(), "</Box>", "</Mesh>"),
                               "<Box name=\"chassis\"><Position x=\"0\" y=\"0\" z=\"0\"/><Size x=\"2\" y=\"1.2\" z=\"4.6\"/>",
                               "<Mesh name=\"chassis\"><Position x=\"0\" y=\"0\" z=\"0\"/><File path=\"flat.obj\"/>"));
    write_text(scene.folder.file("flat.obj"), "v 0 0 0\nv 1 0 0\nv 1 0 1\nv 0 0 1\nf 1 2 3 4\n");
    const BuildResult result = scene.build();
    test::Expected expected(result.diagnostics);
    expected.take(scenario::code::kShape, Position{3, 5});
  }
  SUBCASE("a DriveActuator without wheels moves nothing") {
    const Scene scene(world(robot()), replaced(replaced(kCar, "WHEELS", ""), "EXTRA", ""));
    const BuildResult result = scene.build();
    CHECK(result.value);
    test::Expected expected(result.diagnostics);
    expected.take(scenario::code::kNoWheels, Position{6, 5});
  }
  SUBCASE("noise where there is no value, ground where there is none") {
    const Scene scene(
        world("<Robot name=\"a\" file=\"car.xml\"><Position x=\"90000.00000004\" z=\"0\"/></Robot>", "",
              "<HeightMap name=\"h\"><File path=\"heights.png\"/></HeightMap>"),
        car("<SemanticCamera name=\"cam\"><Part name=\"chassis\"/><Position x=\"0\" y=\"0\" z=\"0\"/><Range max=\"9\"/>"
            "<WhiteNoise range=\"1\" offset=\"0\"/></SemanticCamera>"));
    std::filesystem::copy_file("scenarios/first_drive/heights.png", scene.folder.file("heights.png"));
    const BuildResult result = scene.build();
    CHECK_MESSAGE(result.value, test::all_text(result.diagnostics));
    test::Expected expected(result.diagnostics);
    expected.take(scenario::code::kNoiseUnused);
    CHECK(expected.take(scenario::code::kNoGround, Position{5, 1}).starts_with("no ground at x = 89999 m, z = -2.3 m, "));
  }
  SUBCASE("a Control that sets nothing") {
    const Scene scene(world(robot("<Control time=\"0\" device=\"chassis.speed\" value=\"1\"/>")));
    const BuildResult result = scene.build();
    test::Expected expected(result.diagnostics);
    expected.take(scenario::code::kControlInput);
  }
}

TEST_CASE("build: a laser scanner sees the wall, comes at its rate, and too many rays or scans are told") {
  const auto scanner = [](const std::string& name, int count, const std::string& rest) {
    return "<LaserScanner name=\"" + name +
           "\"><Part name=\"chassis\"/><Position x=\"0\" y=\"1\" z=\"1\"/><Direction x=\"1\" y=\"0\" z=\"0\"/>" +
           "<Horizontal min=\"-90\" max=\"90\" count=\"" + std::to_string(count) + "\"/><Range max=\"30\"/>" + rest +
           "</LaserScanner>";
  };
  const std::string wall = "<Box name=\"wall\"><Position x=\"10.5\" z=\"1\"/><Size x=\"1\" y=\"9\" z=\"50\"/></Box>";
  const Scene scene(world(robot() + wall), car(scanner("scan", 181, "<Rate value=\"24\"/>")));
  const BuildResult result = scene.build();
  REQUIRE_MESSAGE(result.value, test::all_text(result.diagnostics));
  Simulation& simulation = *result.value->simulation;
  for (int i = 0; i < 25; ++i) REQUIRE(simulation.step());
  const auto values = simulation.tree().find("a.chassis.scan")->values();
  CHECK(values[90] == doctest::Approx(10).epsilon(1e-3));
  CHECK(values[182] == 3);  // steps 0, 10, 20

  const Scene fast(world(robot()), car(scanner("scan", 1, "<Rate value=\"1000\"/>")));
  const BuildResult slow = fast.build();
  test::Expected(slow.diagnostics).take(scenario::code::kScannerRate);
  CHECK(slow.value);
  std::string many;
  for (int i = 0; i < 17; ++i) many += scanner("s" + std::to_string(i), 262144, "");
  const Scene full(world(robot()), car(many));
  test::Expected(full.build().diagnostics).take(scenario::code::kScannerRays);
}

TEST_CASE("build: a step too large for the thesis car's springs is warned about before the run, a small one is not") {
  const Scene scene(world(robot()));
  for (const auto& row : {std::pair{1.0 / 240, false}, {1.0 / 120, false}, {1.0 / 30, true}}) {
    const double dt = row.first;
    const bool warns = row.second;
    CAPTURE(dt);
    BuildOptions options;
    options.dt = dt;
    const BuildResult result = scene.build(options);
    REQUIRE(result.value);
    CHECK((result.diagnostics.warnings() > 0) == warns);
    for (const Diagnostic& d : result.diagnostics.items()) CHECK(d.code == scenario::code::kStep.name);
    for (const Diagnostic& d : result.diagnostics.items()) CHECK(d.at == Position{6, 5});
  }
}

TEST_CASE("build: the thesis' car settles at the default step") {
  const Scene scene(world(robot()));
  const BuildResult result = scene.build();
  REQUIRE(result.value);
  Simulation& simulation = *result.value->simulation;
  CHECK(simulation.clock().dt == 1.0 / 240);
  for (int i = 0; i < 240 * 3; ++i) REQUIRE(simulation.step());
  const double y = simulation.tree().find("a.chassis")->values()[1];
  for (int i = 0; i < 240; ++i) REQUIRE(simulation.step());
  CHECK(std::abs(simulation.tree().find("a.chassis")->values()[1] - y) < 1e-6);
  CHECK(std::abs(simulation.tree().find("a.chassis.speed")->values()[0]) < 1e-6);
}

TEST_CASE("build: what a broken robot file lacks is not complained about again") {
  const Scene scene(world(robot("<Control time=\"0\" device=\"chassis.drive\" acceleration=\"1\"/>")),
                    replaced(car(), "<MotorForce value=\"2000\"/>", "<MotorForce value=\"x\"/>"));
  const BuildResult result = scene.build();
  CHECK(result.diagnostics.errors() == 1);
}

TEST_CASE("build: permuting the objects of a file changes neither poses nor sensor values") {
  const std::string wall = "<Box name=\"wall\"><Position x=\"0\" z=\"12\"/><Size x=\"9\" y=\"3\" z=\"1\"/></Box>";
  const std::string ball = "<Sphere name=\"ball\"><Position x=\"5\" z=\"5\"/><Radius value=\"1\"/></Sphere>";
  const std::string go = "<Control time=\"0\" device=\"chassis.drive\" acceleration=\"1\" steering=\"0.1\"/>";
  const std::string other = replaced(robot("", "b"), "x=\"0\"", "x=\"6\"");
  std::vector<double> values[2];
  for (int i = 0; i < 2; ++i) {
    const Scene scene(world(i == 0 ? wall + ball + robot(go) + other : other + robot(go) + ball + wall));
    const BuildResult result = scene.build();
    REQUIRE(result.value);
    for (int k = 0; k < 720; ++k) REQUIRE(result.value->simulation->step());
    for (const char* name : {"a.chassis", "a.chassis.speed", "b.chassis", "a.chassis.w2"})
      for (const double v : result.value->simulation->tree().find(name)->values()) values[i].push_back(v);
  }
  CHECK(values[0] == values[1]);
}

TEST_CASE("build: compounds with masses, links with limits, cameras that look where they should") {
  const Scene scene(world("<Robot name=\"a\" file=\"car.xml\"><Position x=\"0\" y=\"5\" z=\"0\"/></Robot>"),
                    R"(<Robot name="arm">
  <Parts>
    <Compound name="base"><Position x="0" y="0" z="0"/>
      <Box name="low"><Position x="0" y="-0.5" z="0"/><Size x="1" y="1" z="1"/><Mass value="20"/></Box>
      <Box name="high"><Position x="0" y="0.5" z="0"/><Size x="1" y="1" z="1"/><Mass value="10"/></Box>
    </Compound>
    <Capsule name="arm"><Position x="2" y="0" z="0"/><Radius value="0.2"/><Length value="1"/><Mass value="5"/></Capsule>
    <RevoluteLink name="joint"><Parent name="base"/><Child name="arm"/><Position x="1" y="0" z="0"/><Axis x="0" y="0" z="1"/><Limits lower="-90" upper="45"/></RevoluteLink>
  </Parts>
  <Devices>
    <Camera name="cam"><Part name="base"/><Type name="thirdperson"/><Position x="0" y="3" z="-4"/></Camera>
  </Devices>
</Robot>)");
  const BuildResult result = scene.build();
  REQUIRE_MESSAGE(result.value, test::all_text(result.diagnostics));
  Simulation& simulation = *result.value->simulation;
  simulation.start();
  const physics::MassProperties& mass = simulation.world().mass(simulation.world().find_body("a.base"));
  CHECK(mass.mass == 30);
  CHECK(mass.center.y == doctest::Approx(-1.0 / 6));
  // Two cubes of 20 and 10 kg: about x, (m/6) each and m d^2 with d = 1/3 and 2/3.
  CHECK(mass.inertia.xx == doctest::Approx(20.0 / 6 + 20.0 / 9 + 10.0 / 6 + 10 * 4.0 / 9));
  CHECK(mass.inertia.yy == doctest::Approx(5));
  CHECK(simulation.tree().find("a.joint")->type().kind == "RevoluteLink");
  const std::span<const double> cam = simulation.tree().find("a.cam") == nullptr
                                          ? simulation.tree().find("a.base.cam")->values()
                                          : simulation.tree().find("a.cam")->values();
  const geo::Vec3 look = geo::Quat{cam[3], cam[4], cam[5], cam[6]} * geo::Vec3{0, 0, 1};
  CHECK(-look.y / look.z == doctest::Approx(2.0 / 3 * std::tan(geo::radians(30))));  // the horizon: a sixth from the top
  const geo::Vec3 up = geo::Quat{cam[3], cam[4], cam[5], cam[6]} * geo::Vec3{0, 1, 0};
  CHECK(up.x == doctest::Approx(0));
  CHECK(up.y == doctest::Approx(look.z));
}

TEST_CASE("build: third-person cameras look over their part") {
  struct Case {
    const char* elements;
    geo::Vec3 look;  // not normalized
  };
  const double sixth = 2.0 / 3 * std::tan(geo::radians(30));  // tangent of the angle from the middle to a sixth from the edge
  const geo::Vec3 steep = geo::rotation({1, 0, 0}, std::atan(3) - std::atan(sixth)) * geo::Vec3{0, 0, 1};
  for (const Case& c :
       {// Low: towards the center, since the horizon is in the picture anyway. Below: the same.
        Case{R"(<Position x="0" y="1" z="-4"/>)", {0, -1, 4}}, Case{R"(<Position x="0" y="-2" z="-4"/>)", {0, 2, 4}},
        // Beside: the same angle to another side. Above: down. Steep: the part stays a sixth above the lower edge.
        Case{R"(<Position x="5" y="3" z="0"/>)", {-1, -sixth, 0}}, Case{R"(<Position x="0" y="4" z="0"/>)", {0, -1, 0}},
        Case{R"(<Position x="0" y="12" z="-4"/>)", steep},
        // As the picture is turned and opened; as Direction says.
        Case{R"(<Position x="3" y="0" z="-4"/><UpVector x="1" y="0" z="0"/>)", {-sixth, 0, 1}},
        Case{R"(<Position x="0" y="3" z="-4"/><FieldOfView value="90"/>)", {0, -2.0 / 3, 1}},
        Case{R"(<Position x="0" y="3" z="-4"/><Direction x="0" y="-3" z="4"/>)", {0, -3, 4}},
        Case{R"(<Position x="0" y="0" z="0"/>)", {0, 0, 1}}}) {
    CAPTURE(c.elements);
    const Scene scene(
        world("<Robot name=\"a\" file=\"car.xml\"><Position x=\"0\" y=\"5\" z=\"0\"/></Robot>"),
        std::string(R"(<Robot name="c"><Parts><Sphere name="s"><Radius value="1"/><Mass value="1"/></Sphere></Parts>
<Devices><Camera name="cam"><Part name="s"/><Type name="thirdperson"/>)") +
            c.elements + "</Camera></Devices></Robot>");
    const BuildResult result = scene.build();
    REQUIRE_MESSAGE(result.value, test::all_text(result.diagnostics));
    result.value->simulation->start();
    const std::span<const double> cam = result.value->simulation->tree().find("a.s.cam")->values();
    const geo::Vec3 look = geo::Quat{cam[3], cam[4], cam[5], cam[6]} * geo::Vec3{0, 0, 1};
    CHECK(length(look - geo::normalized(c.look)) < 1e-12);
  }
}

TEST_CASE("build: a static mesh is its triangles, a robot's is its hull") {
  const Scene scene(world(
      robot() +
      "<Mesh name=\"roof\"><Position x=\"20\" y=\"2\" z=\"0\"/><File path=\"roof.obj\"/><Scale x=\"2\" y=\"1\" z=\"2\"/></Mesh>"));
  write_text(scene.folder.file("roof.obj"), "v -1 0 -1\nv 1 0 -1\nv 1 0 1\nv -1 0 1\nf 1 2 3 4\n");
  const BuildResult result = scene.build();
  REQUIRE_MESSAGE(result.value, test::all_text(result.diagnostics));
  const auto hit = result.value->simulation->world().ray_cast({21.5, 10, 1.5}, {21.5, 1, 1.5});
  REQUIRE(hit);
  CHECK(hit->point.y == doctest::Approx(2));
  CHECK(result.value->inputs[1].name == "roof.obj");
}

TEST_CASE("build: files of models are inputs; a model that is missing is told when it is to be drawn, one outside at once") {
  const std::string chassis = R"(<Box name="chassis">)";
  const std::string wheel = R"(<Width value="0.245"/>)";
  std::string file = replaced(car(), chassis, chassis + R"(<Model path="models/car" type="obj"/>)");
  file = replaced(file, wheel, wheel + R"(<Model path="models/none" type="obj"/>)");
  const std::string box =
      R"(<Box name="b"><Position x="9" z="9"/><Size x="1" y="1" z="1"/><Model path="MODEL" type="obj"/></Box>)";
  const Scene scene(
      world(robot() + "\n" + replaced(robot("", "second"), "x=\"0\"", "x=\"30\"") + "\n" + replaced(box, "MODEL", "../away") +
            "\n" + replaced(replaced(box, "\"b\"", "\"c\""), "MODEL", "models/car")),
      file);
  std::filesystem::create_directories(scene.folder.path() / "models/car/LOD0");
  write_text(scene.folder.file("models/car/LOD0/model.obj"), "mtllib red.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
  write_text(scene.folder.file("models/car/LOD0/red.mtl"), "newmtl red\n");
  BuildResult result = scene.build();
  REQUIRE_MESSAGE(result.value, test::all_text(result.diagnostics));
  std::vector<std::string> names;
  for (const FileDigest& input : result.value->inputs) names.push_back(input.name);
  CHECK(names == std::vector<std::string>{"world.xml", "models/car/LOD0/model.obj", "models/car/LOD0/red.mtl", "car.xml"});
  test::Expected outside(std::move(result.diagnostics));
  CHECK(outside.take(scene_code::kOutside, Position{7, 1}).find("\"../away\"") != std::string::npos);

  vision::Renderer& renderer = result.value->cameras->renderer();
  CHECK(renderer.problems().empty());
  renderer.check_models();
  renderer.check_models();
  test::Expected missing(renderer.problems());
  CHECK(missing.take(scene_code::kMissing, Position{7, 1}).find("a plain wheel is drawn instead") != std::string::npos);

  const BuildResult again = scene.build();
  REQUIRE(again.value);
  for (std::size_t i = 0; i < names.size(); ++i) CHECK(again.value->inputs[i].digest == result.value->inputs[i].digest);
}

TEST_CASE("build: numbers without measure end in diagnostics, never in an internal error") {
  struct Row {
    const char* from;
    const char* to;
    const Code* code;
  };
  const std::string dimensions = R"(<Size x="2" y="1.2" z="4.6"/>)", mass = R"(<Mass value="1400"/>)";
  const Row rows[] = {
      {dimensions.c_str(), R"(<Size x="2" y="1e-308" z="4.6"/>)", &scenario::code::kShape},
      {dimensions.c_str(), R"(<Size x="1e200" y="1e200" z="1e200"/>)", &scenario::code::kShape},
      {mass.c_str(), R"(<Mass value="1400"/><CenterOfMass x="1e308" y="0" z="0"/>)", &scenario::code::kStep},
      {R"(<Position x="-0.8" y="-0.45" z="1.3"/>)", R"(<Position x="-1e308" y="-0.45" z="1.3"/>)", nullptr},
      {R"(<SuspensionKs value="200"/>)", R"(<SuspensionKs value="1e308"/>)", &scenario::code::kStep},
      {R"(<SuspensionKd value="23"/>)", R"(<SuspensionKd value="1e308"/>)", &scenario::code::kStep},
  };
  for (const Row& row : rows) {
    CAPTURE(std::string(row.to));
    const Scene scene(world(robot()), replaced(car(), row.from, row.to));
    BuildResult result = scene.build();
    if (row.code != nullptr) {
      bool told = false;
      for (const Diagnostic& d : result.diagnostics.items()) told = told || (d.code == row.code->name && d.at != Position{});
      CHECK_MESSAGE(told, test::all_text(result.diagnostics));
    }
    if (!result.value) continue;
    result.value->simulation->start();
    for (int i = 0; i < 5 && result.value->simulation->step(); ++i) {
    }
  }
}

TEST_CASE("build: times of day become seconds since 1970") {
  CHECK(detail::unix_time("1970-01-01T00:00:00Z") == 0);
  CHECK(detail::unix_time("2008-02-27T13:29:59Z") == 1204118999);
  CHECK(detail::unix_time("2000-02-29T23:59:59Z") == 951868799);
  CHECK(detail::unix_time("1969-12-31T23:59:59Z") == -1);
  CHECK_FALSE(detail::unix_time("2008-02-27"));
  CHECK_FALSE(detail::unix_time("2008-13-27T13:29:59Z"));
}
