// Values set from outside (--set), by the names that the tree shows.

#include <doctest/doctest.h>

#include "lib/study/address.hpp"
#include "lib/study/codes.hpp"
#include "tests/support/support.hpp"

using namespace simbatch;
using namespace simbatch::study;

namespace {

constexpr const char* kWorld =
    "<World name=\"w\">\n"
    "  <Physics><Engine name=\"bullet\"><Friction value=\"0.9\"/></Engine><Surface name=\"road\"><Friction value=\"1\"/></Surface>"
    "</Physics>\n"
    "  <Objects>\n"
    "    <Robot name=\"car\" file=\"car.xml\"><Position x=\"1\" z=\"2\"/><Control time=\"0\" device=\"a\" brake=\"0\"/>"
    "<Control time=\"1\" device=\"a\" brake=\"1\"/></Robot>\n"
    "    <Robot name=\"other\" file=\"car.xml\"><Position x=\"9\" z=\"2\"/></Robot>\n"
    "    <Box name=\"wall\"><Size x=\"1\" y=\"2\" z=\"3\"/></Box>\n"
    "  </Objects>\n"
    "</World>\n";
constexpr const char* kCar =
    "<Robot name=\"car\"><Parts><Box name=\"chassis\"><Mass value=\"1400\"/><Size x=\"1\" y=\"1\" z=\"1\"/></Box></Parts>\n"
    "<Devices><WheelDevice name=\"left\"><Part name=\"chassis\"/><Radius value=\"0.3\"/></WheelDevice>\n"
    "<PSDSensor name=\"psd0\"><Part name=\"chassis\"/><Range value=\"10\"/></PSDSensor></Devices></Robot>\n";

struct Scene {
  simbatch::test::TemporaryFolder folder;
  Diagnostics problems{"w.xml"};
  Scene() { simbatch::test::write_text(folder.file("car.xml"), kCar); }
  std::optional<Variant> set(const std::vector<scenario::FileChange>& settings) {
    return with_settings(kWorld, {folder.file("w.xml")}, settings, problems);
  }
  std::string problem(const std::string& address) {
    problems = Diagnostics("w.xml");
    CHECK(!set({{address, "1"}}));
    simbatch::test::Expected expected(problems);
    return expected.take(code::kSetting);
  }
};

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("address: values of the scenario") {
  for (const auto& [address, changed] : std::vector<std::pair<std::string, std::string>>{
           {"bullet.Friction", "<Engine name=\"bullet\"><Friction value=\"NEW\"/>"},
           {"Engine.Friction", "<Engine name=\"bullet\"><Friction value=\"NEW\"/>"},
           {"Physics.road.Friction.value", "<Surface name=\"road\"><Friction value=\"NEW\"/>"},
           {"car.Position.x", "<Position x=\"NEW\" z=\"2\"/><Control"},
           {"car.Control[2].brake", "<Control time=\"1\" device=\"a\" brake=\"NEW\"/>"},
           {"wall.Size.z", "z=\"NEW\""},
           {"Box.Size.y", "y=\"NEW\""},
           {"Objects/Robot[@name='other']/Position/@x", "<Robot name=\"other\" file=\"car.xml\"><Position x=\"NEW\" z=\"2\"/>"},
           {"car.file", "<Robot name=\"car\" file=\"NEW\">"}}) {
    Scene scene;
    const std::string given = address;
    CAPTURE(given);
    const auto variant = scene.set({{address, "NEW"}});
    INFO(simbatch::test::all_text(scene.problems));
    REQUIRE(variant);
    CHECK(has(variant->scenario, changed));
    CHECK(variant->scenario.size() > std::string(kWorld).size() - 8);
    CHECK(variant->files.empty());
  }
}

TEST_CASE("address: values of a robot's file, of that robot only") {
  Scene scene;
  const auto variant = scene.set({{"car.chassis.Mass", "2000"}, {"car.chassis.psd0.Range", "5 & <"}, {"car.left.Radius", "1"}});
  INFO(simbatch::test::all_text(scene.problems));
  REQUIRE(variant);
  CHECK(variant->scenario == kWorld);
  REQUIRE(variant->files.size() == 1);
  CHECK(variant->files[0].robot == "car");
  CHECK(has(variant->files[0].text, "<Mass value=\"2000\"/>"));
  CHECK(has(variant->files[0].text, "<Range value=\"5 &amp; &lt;\"/>"));
  CHECK(has(variant->files[0].text, "<Radius value=\"1\"/>"));
}

TEST_CASE("address: what leads nowhere says what there is") {
  Scene scene;
  CHECK(has(scene.problem("car.chasis.Mass"), "did you mean \"chassis\"?"));
  CHECK(has(scene.problem("cra.chassis.Mass"), "has no \"cra\", did you mean \"car\"?"));
  CHECK(has(scene.problem("Friction"), "has no \"Friction\""));
  CHECK(has(scene.problem("car.Control.brake"), "has 2 of \"Control\" (Control[1], Control[2])"));
  CHECK(has(scene.problem("car.Control[3].brake"), "has no \"Control[3]\""));
  CHECK(has(scene.problem("car.chassis.Size"), "several attributes, expected one of them at the end: x, y, z"));
  CHECK(has(scene.problem("car.chassis"), "is a block"));
  CHECK(has(scene.problem("Robot.Position.x"), "(Objects/Robot[@name='car'], Objects/Robot[@name='other'])"));
  for (const char* odd : {".", "car.", "..", "car[x].y", "car[0]", "[1]", "car.chassis.Mass.value.value", "@", "/@x"}) {
    CAPTURE(odd);
    scene.problems = Diagnostics("w.xml");
    CHECK(!scene.set({{odd, "1"}}));
    CHECK(scene.problems.errors() == 1);
  }
  scene.problems = Diagnostics("w.xml");
  CHECK(!scene.set({{"car.chassis.Mass", "1"}, {"car.Parts.chassis.Mass", "2"}}));
  CHECK(scene.problems.errors() == 1);
}

TEST_CASE("address: values of a robot that is included from the library") {
  Scene scene;
  simbatch::test::TemporaryFolder library;
  simbatch::test::write_text(library.file("coach.xml"), kCar);
  std::string world = kWorld;
  const std::string file = "name=\"car\" file=\"car.xml\">";
  world.replace(world.find(file), file.size(), "name=\"car\"><Include robot=\"coach\"/>");
  for (const char* address : {"car.chassis.Mass", "Objects/Robot[@name='car']/Include/@robot/Parts/Box/Mass/@value"}) {
    CAPTURE(address);
    const auto variant = with_settings(world, {.scenario = scene.folder.file("w.xml"), .library = library.path().string()},
                                       {{address, "2000"}}, scene.problems);
    INFO(simbatch::test::all_text(scene.problems));
    REQUIRE(variant);
    REQUIRE(variant->files.size() == 1);
    CHECK(variant->files[0].robot == "car");
    CHECK(has(variant->files[0].text, "<Mass value=\"2000\"/>"));
    CHECK(variant->scenario == world);
  }
  // Written out, the changed robot lies beside the scenario, which then includes it as a file.
  const auto variant = with_settings(world, {scene.folder.file("w.xml"), "", "run7", library.path().string()},
                                     {{"car.chassis.Mass", "2000"}}, scene.problems);
  REQUIRE(variant);
  CHECK(has(variant->scenario, "<Include robot=\"run7-1-coach.xml\"/>"));
  CHECK(variant->files[0].path == scene.folder.file("run7-1-coach.xml"));
}

TEST_CASE("settings: a GraspIt! world by itself has its gravity to set") {
  scenario::BuildOptions how;
  Diagnostics problems;
  CHECK(study::set_grasp_world({{"Engine.Gravity.y", "0"}, {"Gravity.x", "1.5"}}, how, problems));
  REQUIRE(how.gravity);
  CHECK(*how.gravity == std::array<double, 3>{1.5, 0, 0});
  CHECK(how.changes.size() == 2);
  test::Expected none(problems);
  for (const auto& [name, value] :
       {std::pair("Gravity.y", "down"), {"Gravity.y", "1e5"}, {"Gravity", "0"}, {"Engine.Friction", "1"}}) {
    Diagnostics refused;
    scenario::BuildOptions unchanged;
    CHECK_FALSE(study::set_grasp_world({{name, value}}, unchanged, refused));
    CHECK_FALSE(unchanged.gravity);
    test::Expected told(refused);
    told.take(study::code::kSetting);
  }
}
