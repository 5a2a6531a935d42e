// Loose objects, fixed parts, and how things start.

#include <doctest/doctest.h>

#include <cmath>

#include "lib/scenario/build.hpp"
#include "lib/scenario/codes.hpp"
#include "lib/sim/device/device_node.hpp"
#include "tests/support/support.hpp"

using namespace simbatch;
using namespace simbatch::scenario;
using simbatch::test::TemporaryFolder;
using simbatch::test::write_text;

namespace {

const std::string kArm = R"(<Robot name="arm">
<Parts>
<Box name="base"><Size x="0.4" y="0.4" z="0.4"/><Mass value="5"/></Box>
<Box name="rod"><Position x="0" y="0.2" z="0.6"/><Size x="0.1" y="0.1" z="1"/><Mass value="2"/></Box>
<RevoluteLink name="hinge"><Parent name="base"/><Child name="rod"/><Position x="0" y="0.2" z="0.1"/><Axis x="1" y="0" z="0"/></RevoluteLink>
</Parts>
<Devices>
<LightDevice name="lamp"><Part name="base"/></LightDevice>
<PSDSensor name="eye"><Part name="base"/><Position x="0" y="0" z="0"/><Direction x="0" y="0" z="1"/><Range value="20"/></PSDSensor>
EXTRA
</Devices>
</Robot>
)";

// An L of two boxes, 1 m thick: its hull would hold a ball up that lies in its corner.
std::string l_mesh() {
  std::string text;
  int first = 1;
  const auto box = [&](double x0, double y0, double x1, double y1) {
    for (int i = 0; i < 8; ++i)
      text += "v " + std::to_string(i & 1 ? x1 : x0) + " " + std::to_string(i & 2 ? y1 : y0) + (i & 4 ? " .5\n" : " -.5\n");
    for (const char* face : {"1 3 4 2", "5 6 8 7", "1 2 6 5", "3 7 8 4", "1 5 7 3", "2 4 8 6"}) {
      text += "f";
      for (const char* c = face; *c != 0; ++c)
        if (*c != ' ') text += " " + std::to_string(first + (*c - '1'));
      text += "\n";
    }
    first += 8;
  };
  box(0, 0, 3, 1);
  box(0, 1, 1, 4);
  return text;
}

struct Scene {
  TemporaryFolder folder;
  explicit Scene(const std::string& objects, const std::string& extra = "", const std::string& physics = "") {
    std::string arm = kArm;
    arm.replace(arm.find("EXTRA"), 5, extra);
    write_text(folder.file("arm.xml"), arm);
    write_text(folder.file("l.obj"), l_mesh());
    write_text(folder.file("world.xml"),
               "<World name=\"w\">\n<Physics><Engine name=\"e\"><StepSize value=\"0.001\"/></Engine>" + physics +
                   "</Physics>\n<Terrain><Plane name=\"p\"/></Terrain>\n<Objects>\n" + objects + "</Objects>\n</World>\n");
  }
  BuildResult build() const { return build_scenario(folder.file("world.xml")); }
};

struct Run {
  explicit Run(const Scene& scene) : built(scene.build()) {
    REQUIRE_MESSAGE(built.value, test::all_text(built.diagnostics));
    CHECK_MESSAGE(built.diagnostics.empty(), test::all_text(built.diagnostics));
  }
  void steps(int n) {
    for (int i = 0; i < n; ++i) REQUIRE(built.value->simulation->step());
  }
  double value(const std::string& node, std::size_t i) const { return built.value->simulation->tree().find(node)->values()[i]; }
  BuildResult built;
};

const std::string kBall =
    "<Sphere name=\"ball\"><Position x=\"0\" y=\"20\" z=\"0\"/><Radius value=\"0.1\"/><Mass value=\"2\"/>";

}  // namespace

TEST_CASE("objects: a loose one flies on its parabola, and its node shows where it is") {
  Run run(Scene(kBall + "<Velocity x=\"3\" y=\"4\" z=\"-2\"/></Sphere>\n"));
  run.steps(1000);
  // Symplectic Euler: y = 4 t - g t (t + dt) / 2.
  CHECK(run.value("ball", 0) == doctest::Approx(3).epsilon(1e-12));
  CHECK(run.value("ball", 1) == doctest::Approx(20.1 + 4 - 9.81 * 1.001 / 2).epsilon(1e-9));
  CHECK(run.value("ball", 2) == doctest::Approx(-2).epsilon(1e-12));
}

TEST_CASE("objects: a spinning one turns by its angular velocity, positive about y to the right") {
  Run run(Scene(kBall + "<AngularVelocity x=\"0\" y=\"90\" z=\"0\"/></Sphere>\n"));
  run.steps(500);
  CHECK(2 * std::atan2(run.value("ball", 5), run.value("ball", 3)) == doctest::Approx(0.785398).epsilon(1e-3));
}

TEST_CASE("objects: a crate is pushed over, a wall is not") {
  const std::string crate = R"(<Box name="NAME"><Position x="X" z="0"/><Size x="0.4" y="2" z="0.4"/>MASS</Box>
<Sphere name="ball_NAME"><Position x="X" y="1.5" z="-1"/><Radius value="0.1"/><Mass value="5"/><Velocity x="0" y="0" z="8"/></Sphere>
)";
  const auto filled = [&](std::string text, const char* name, const char* x, const char* mass) {
    for (const auto& [from, to] : {std::pair{"NAME", name}, std::pair{"\"X\"", x}, std::pair{"MASS", mass}})
      for (std::size_t at; (at = text.find(from)) != std::string::npos;) text.replace(at, std::string(from).size(), to);
    return text;
  };
  Run run(Scene(filled(crate, "crate", "\"0\"", "<Mass value=\"10\"/>") + filled(crate, "wall", "\"5\"", "")));
  run.steps(2000);
  CHECK(run.value("crate", 1) < 0.3);  // lies on its side: half of 0.4 m
  CHECK(run.built.value->simulation->tree().find("wall") == nullptr);
  const auto wall = run.built.value->simulation->world().find_body("wall");
  CHECK(run.built.value->simulation->world().pose(wall).p.y == 1);
}

TEST_CASE("objects: a loose mesh collides as its hull, or as several") {
  const auto aside = [](const char* hulls) {
    Run run(Scene(
        std::string("<Mesh name=\"corner\"><Position x=\"0\" z=\"0\"/><File path=\"l.obj\"/><Mass value=\"1000\"/>") + hulls +
        "</Mesh>\n<Sphere name=\"ball\"><Position x=\"1.35\" y=\"3.9\" z=\"0\"/><Radius value=\"0.3\"/><Mass value=\"1\"/></Sphere>\n"));
    run.steps(1500);
    return std::pair(run.value("ball", 0), run.value("ball", 1));
  };
  CHECK(aside("<Hulls value=\"2\"/>").first == doctest::Approx(1.35).epsilon(0.01));  // in the corner, on the lower box
  CHECK(aside("<Hulls value=\"2\"/>").second == doctest::Approx(1.3).epsilon(0.01));
  CHECK(aside("").first > 2);  // down the hull's slope
}

TEST_CASE("objects: crates float by their volume") {
  const Scene scene(
      "<Box name=\"crate\"><Position x=\"0\" y=\"9.6\" z=\"0\"/><Size x=\"1\" y=\"1\" z=\"1\"/><Mass value=\"500\"/></Box>\n",
      "", "<Water name=\"sea\"><Level value=\"10\"/><Density value=\"1000\"/></Water>");
  Run run(scene);
  run.steps(1);
  const double start = run.value("crate", 1);
  run.steps(3000);
  CHECK(run.value("crate", 1) > 9);  // half under water, however it bobs; the ground is 10 m below
  CHECK(start == doctest::Approx(10.1).epsilon(1e-4));
}

TEST_CASE("objects: a fixed part holds an arm; a fixed robot never moves, and senses past itself") {
  const char* post = R"(<Robot name="post" file="post.xml"><Position x="9" y="3" z="0"/><Fixed/></Robot>
)";
  const Scene scene(std::string(R"(<Robot name="arm" file="arm.xml"><Position x="0" y="3" z="0"/><Fixed part="base"/></Robot>
<Box name="wall"><Position x="9" y="0" z="5"/><Size x="1" y="9" z="1"/></Box>
<Sphere name="ball"><Position x="9" y="8" z="0"/><Radius value="0.1"/><Mass value="50"/></Sphere>
)") + post);
  write_text(scene.folder.file("post.xml"), R"(<Robot name="post">
<Parts><Box name="body"><Size x="0.4" y="1" z="0.4"/><Mass value="5"/></Box></Parts>
<Devices>
<LightDevice name="lamp"><Part name="body"/></LightDevice>
<PSDSensor name="eye"><Part name="body"/><Position x="0" y="0" z="0"/><Direction x="0" y="0" z="1"/><Range value="20"/></PSDSensor>
</Devices>
</Robot>
)");
  Run run(scene);
  run.steps(600);  // a rod of 1 m that is let go passes its lowest place after 0.47 s or so
  CHECK(run.value("arm.base", 1) == 3);
  CHECK(run.value("arm.rod", 1) < 2.9);
  const double dy = run.value("arm.rod", 1) - 3.2, dz = run.value("arm.rod", 2) - 0.1;
  CHECK(std::hypot(dy, dz) == doctest::Approx(0.5).epsilon(0.01));
  CHECK(run.value("post.body", 1) == 3);  // the ball has hit it
  CHECK(run.value("post.body.eye", 0) == doctest::Approx(4.5));
}

TEST_CASE("objects: what is fixed and is to be moved is an error, what starts too fast a warning") {
  SUBCASE("no such part, and two fixed ends of a link") {
    test::Expected expected(
        Scene("<Robot name=\"arm\" file=\"arm.xml\"><Position x=\"0\" y=\"3\" z=\"0\"/><Fixed part=\"none\"/></Robot>\n"
              "<Robot name=\"brm\" file=\"arm.xml\"><Position x=\"5\" y=\"3\" z=\"0\"/><Fixed/></Robot>\n")
            .build()
            .diagnostics);
    CHECK(expected.take(scenario::code::kFixed, Position{5, 1}).find("\"none\"") != std::string::npos);
    CHECK(expected.take(scenario::code::kFixed, Position{6, 1}).find("joins two fixed parts") != std::string::npos);
  }
  SUBCASE("a propeller on a fixed part") {
    test::Expected expected(
        Scene(
            "<Robot name=\"arm\" file=\"arm.xml\"><Position x=\"0\" y=\"3\" z=\"0\"/><Fixed part=\"base\"/></Robot>\n",
            "<Propeller name=\"screw\"><Part name=\"base\"/><Position x=\"0\" y=\"0\" z=\"0\"/><Alpha value=\"1\"/></Propeller>")
            .build()
            .diagnostics);
    CHECK(expected.take(scenario::code::kFixed, Position{5, 1}).find("Propeller \"screw\"") != std::string::npos);
  }
  SUBCASE("too fast") {
    test::Expected expected(Scene(kBall + "<Velocity x=\"0\" y=\"0\" z=\"300\"/></Sphere>\n").build().diagnostics);
    CHECK(expected.take(scenario::code::kFast, Position{5, 1}).find("moves 0.3 m in a step of 0.001 s, more than its 0.2 m") !=
          std::string::npos);
  }
  SUBCASE("a velocity without a mass") {
    test::Expected expected(
        Scene(
            "<Sphere name=\"b\"><Position x=\"0\" z=\"0\"/><Radius value=\"1\"/><Velocity x=\"0\" y=\"0\" z=\"3\"/></Sphere>\n")
            .build()
            .diagnostics);
    CHECK(expected.take("autosim-conflict").find("no <Mass>") != std::string::npos);
  }
}
