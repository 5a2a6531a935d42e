#include <doctest/doctest.h>

#include <cmath>
#include <map>

#include "base/geo/geo.hpp"
#include "base/xml/codes.hpp"
#include "formats/mjcf/codes.hpp"
#include "formats/mjcf/mjcf.hpp"
#include "tests/support/support.hpp"

using namespace simbatch;
using geo::Vec3;

namespace {

using Files = std::map<std::string, std::string>;

Parsed<mjcf::Model> read(const std::string& text, const Files& files = {}) {
  return mjcf::read_mjcf(
      text, "m.xml", [&](const std::string& name, const std::string&, Position) -> std::optional<mjcf::Included> {
        const auto found = files.find(name);
        return found == files.end() ? std::nullopt : std::optional(mjcf::Included{found->first, found->second});
      });
}
std::string bodies(const std::string& inside, const std::string& before = "") {
  return "<mujoco model='m'>" + before + "\n<worldbody>\n" + inside + "\n</worldbody></mujoco>";
}
mjcf::Model model_of(const std::string& text, const Files& files = {}) {
  auto parsed = read(text, files);
  REQUIRE_MESSAGE(parsed.ok(), test::all_text(parsed.diagnostics));
  return std::move(*parsed.value);
}
test::Expected problems(const std::string& text, const Files& files = {}) {
  return test::Expected(read(text, files).diagnostics);
}
bool near(Vec3 a, Vec3 b) { return geo::length(a - b) < 1e-12; }

}  // namespace

TEST_CASE("mjcf: classes of defaults, their own values and those of the classes around them") {
  const auto model = model_of(
      bodies("<geom/><geom class='a'/><geom class='b' size='7'/>"
             "<body childclass='b'><geom/><body childclass='a'><geom/></body><geom class='main'/></body>",
             "<default><geom size='1 2 3' type='box' friction='0.3'/>"
             "<default class='a'><geom size='4'/><default class='b'><geom size='5 6'/></default></default></default>"));
  const auto& world = model.world;
  REQUIRE(world.geoms.size() == 3);
  CHECK(world.geoms[0].size == Vec3{1, 2, 3});
  CHECK(world.geoms[1].size == Vec3{4, 2, 3});  // as many numbers as there are
  CHECK(world.geoms[2].size == Vec3{7, 6, 3});
  CHECK(world.geoms[2].friction == 0.3);
  REQUIRE(world.bodies.size() == 1);
  CHECK(world.bodies[0].geoms[0].size == Vec3{5, 6, 3});
  CHECK(world.bodies[0].geoms[1].size == Vec3{1, 2, 3});
  CHECK(world.bodies[0].bodies[0].geoms[0].size == Vec3{4, 2, 3});
}

TEST_CASE("mjcf: what an element says of its orientation hides what its class says") {
  const auto model =
      model_of(bodies("<geom size='1'/><geom size='1' quat='1 0 0 0'/>", "<default><geom euler='0 0 90'/></default>"));
  CHECK(near(model.world.geoms[0].pose.q * Vec3{1, 0, 0}, {0, 1, 0}));
  CHECK(near(model.world.geoms[1].pose.q * Vec3{1, 0, 0}, {1, 0, 0}));
}

TEST_CASE("mjcf: the ways to give an orientation agree") {
  // All turn by 90 degrees about z.
  for (const char* how : {"euler='0 0 90'", "axisangle='0 0 2 90'", "xyaxes='0 3 0 -1 5 0'", "quat='2 0 0 2'"}) {
    CAPTURE(how);
    const auto model = model_of(bodies("<body " + std::string(how) + "/>"));
    CHECK(near(model.world.bodies[0].pose.q * Vec3{1, 0, 0}, {0, 1, 0}));
    CHECK(near(model.world.bodies[0].pose.q * Vec3{0, 0, 1}, {0, 0, 1}));
  }
  const auto tilted = model_of(bodies("<body zaxis='0 -2 0'/>"));
  CHECK(near(tilted.world.bodies[0].pose.q * Vec3{0, 0, 1}, {0, -1, 0}));
  // Turning axes, and axes at rest: x first by 90 degrees, then y by 90.
  const auto turning = model_of(bodies("<body euler='90 90 0'/>", "<compiler eulerseq='xyz'/>"));
  CHECK(near(turning.world.bodies[0].pose.q * Vec3{1, 0, 0}, {0, 1, 0}));
  const auto at_rest = model_of(bodies("<body euler='90 90 0'/>", "<compiler eulerseq='XYZ'/>"));
  CHECK(near(at_rest.world.bodies[0].pose.q * Vec3{1, 0, 0}, {0, 0, -1}));
  const auto radians = model_of(bodies("<body euler='0 0 1.5707963267948966'/>", "<compiler angle='radian'/>"));
  CHECK(near(radians.world.bodies[0].pose.q * Vec3{1, 0, 0}, {0, 1, 0}));
}

TEST_CASE("mjcf: a shape between two points") {
  const auto model = model_of(
      bodies("<geom type='capsule' size='0.1' fromto='1 0 0 1 0 4'/><geom type='box' size='0.1' fromto='0 0 0 2 0 0'/>"));
  CHECK(model.world.geoms[0].size == Vec3{0.1, 2, 0});
  CHECK(near(model.world.geoms[0].pose.p, {1, 0, 2}));
  CHECK(model.world.geoms[1].size == Vec3{0.1, 0.1, 1});
  CHECK(near(model.world.geoms[1].pose.q * Vec3{0, 0, 1}, {-1, 0, 0}));
}

TEST_CASE("mjcf: limits of joints by autolimits, in degrees of hinges only") {
  const std::string joints =
      "<body><joint type='hinge' range='-90 180' ref='90'/><joint type='slide' range='-1 2'/>"
      "<joint range='-1 1' limited='false'/><joint range='1 1'/><geom size='1'/></body>";
  const auto model = model_of(bodies(joints));
  const auto& all = model.world.bodies[0].joints;
  CHECK(std::abs((*all[0].range)[0] + std::numbers::pi / 2) < 1e-15);
  CHECK(std::abs(all[0].reference - std::numbers::pi / 2) < 1e-15);
  CHECK((*all[1].range)[1] == 2);
  CHECK_FALSE(all[2].range);
  CHECK_FALSE(all[3].range);
  const auto without = model_of(bodies(joints, "<compiler autolimits='false'/>"));
  CHECK_FALSE(without.world.bodies[0].joints[0].range);
}

TEST_CASE("mjcf: frames and replicas, each moved as the one before is turned") {
  const auto model =
      model_of(bodies("<frame pos='0 0 1' euler='0 0 90'><replicate count='3' offset='1 0 0' euler='0 0 90' sep='_'>"
                      "<body name='b'><joint name='j'/><geom name='g' size='1'/></body></replicate></frame>"));
  const auto& all = model.world.bodies;
  REQUIRE(all.size() == 3);
  CHECK(all[2].name == "b_2");
  CHECK(all[1].joints[0].name == "j_1");
  CHECK(near(all[0].pose.p, {0, 0, 1}));
  CHECK(near(all[1].pose.p, {0, 1, 1}));
  CHECK(near(all[2].pose.p, {-1, 1, 1}));
  CHECK(near(all[1].pose.q * Vec3{1, 0, 0}, {-1, 0, 0}));
}

TEST_CASE("mjcf: a file is included where it is named, once") {
  const Files files{{"part.xml", "<mujocoinclude><body name='inner'><geom size='1'/></body></mujocoinclude>"},
                    {"defaults.xml", "<mujoco><default><geom size='3'/></default></mujoco>"},
                    {"ring.xml", "<mujoco><include file='ring.xml'/></mujoco>"},
                    {"broken.xml", "<mujoco>\n<worldbody><geom size='x'/></worldbody></mujoco>"}};
  const auto model = model_of(
      "<mujoco><include file='defaults.xml'/><worldbody><include file='part.xml'/><geom/></worldbody></mujoco>", files);
  CHECK(model.world.bodies[0].name == "inner");
  CHECK(model.world.bodies[0].place.file == "part.xml");
  CHECK(model.world.geoms[0].size.x == 3);
  auto twice = problems("<mujoco><include file='part.xml'/><include file='part.xml'/></mujoco>", files);
  CHECK(twice.take(mjcf::code::kNesting).find("twice") != std::string::npos);
  CHECK(twice.take(mjcf::code::kUnknown).find("<body> in <mujoco>") != std::string::npos);
  problems("<mujoco>\n<include file='ring.xml'/></mujoco>", files).take(mjcf::code::kNesting, Position{1, 24});
  problems("<mujoco><include/></mujoco>").take(xml::code::kAttributeMissing);
  const auto read_broken = read("<mujoco><include file='broken.xml'/></mujoco>", files);
  REQUIRE(read_broken.diagnostics.items().size() == 1);
  CHECK(read_broken.diagnostics.items()[0].file == "broken.xml");
  CHECK(read_broken.diagnostics.items()[0].at.line == 2);
}

TEST_CASE("mjcf: a model is attached with its own settings, under its own names, with its motors") {
  const Files files{{"leg.xml",
                     "<mujoco><compiler angle='radian'/><default><geom size='0.5'/></default>"
                     "<worldbody><body name='hip' euler='0 0 1.5707963267948966'><joint name='h'/><geom/></body></worldbody>"
                     "<actuator><motor joint='h' gear='3'/></actuator></mujoco>"}};
  const auto model = model_of(
      "<mujoco><asset><model name='leg' file='leg.xml'/></asset><default><geom size='9'/></default><worldbody>"
      "<body name='torso'><freejoint/><geom/><frame pos='1 0 0'><attach model='leg' body='hip' prefix='l_'/></frame>"
      "<attach model='leg' prefix='r_'/></body></worldbody></mujoco>",
      files);
  const auto& torso = model.world.bodies.at(0);
  CHECK(torso.geoms[0].size.x == 9);
  REQUIRE(torso.bodies.size() == 2);
  CHECK(torso.bodies[0].name == "l_hip");
  CHECK(near(torso.bodies[0].pose.p, {1, 0, 0}));
  CHECK(near(torso.bodies[0].pose.q * Vec3{1, 0, 0}, {0, 1, 0}));
  CHECK(torso.bodies[1].geoms[0].size.x == 0.5);
  REQUIRE(model.actuators.size() == 2);
  CHECK(model.actuators[0].joint == "l_h");
  CHECK(model.actuators[1].joint == "r_h");
}

TEST_CASE("mjcf: models that attach each other are refused") {
  const std::string other =
      "<mujoco><asset><model name='b' file='FILE'/></asset><worldbody><attach model='b' prefix='x'/></worldbody></mujoco>";
  const auto naming = [&](const std::string& file) { return std::string(other).replace(other.find("FILE"), 4, file); };
  const Files files{{"a.xml", naming("b.xml")}, {"b.xml", naming("a.xml")}, {"self.xml", naming("self.xml")}};
  CHECK(problems(naming("a.xml"), files).take(mjcf::code::kNesting).find("attaches itself") != std::string::npos);
  CHECK(problems(naming("self.xml"), files).take(mjcf::code::kNesting).find("attaches itself") != std::string::npos);
}

TEST_CASE("mjcf: motors and servos") {
  const std::string body = "<body><joint name='j'/><geom size='1'/></body>";
  const auto of = [&](const std::string& actuator) {
    return model_of("<mujoco><default><motor ctrlrange='-2 3'/></default><worldbody>" + body + "</worldbody><actuator>" +
                    actuator + "</actuator></mujoco>")
        .actuators.at(0);
  };
  const auto motor = of("<motor joint='j' gear='5 0 0'/>");
  CHECK(motor.gear == 5);
  CHECK((*motor.control_range)[1] == 3);
  const auto position = of("<position joint='j' kp='7' kv='2' forcerange='-4 4'/>");
  CHECK(position.kind == mjcf::Actuator::Kind::position);
  CHECK(position.gain == 7);
  CHECK(position.damping == 2);
  CHECK((*position.force_range)[0] == -4);
  CHECK((*position.control_range)[0] == -2);  // all kinds share the defaults of a class
  CHECK_FALSE(of("<position joint='j' kp='7' dampratio='1'/>").damping);
  CHECK(of("<velocity joint='j' kv='6'/>").gain == 6);
  CHECK(of("<general joint='j' gainprm='8' biastype='affine' biasprm='0 -8 -1'/>").kind == mjcf::Actuator::Kind::position);
  CHECK(of("<general joint='j' gainprm='8' biastype='affine' biasprm='0 0 -8'/>").kind == mjcf::Actuator::Kind::velocity);
}

TEST_CASE("mjcf: meshes by file, by points and built in") {
  const auto model = model_of(
      "<mujoco><compiler meshdir='meshes'/><default><mesh scale='2 2 2'/></default><asset><mesh file='a/wheel.stl'/>"
      "<mesh name='p' vertex='0 0 0 1 0 0 0 1 0 0 0 1'/><mesh name='round' builtin='supersphere' params='8 1 1'/></asset>"
      "<worldbody><geom type='mesh' mesh='wheel'/><geom type='mesh' mesh='p'/></worldbody></mujoco>");
  CHECK(model.meshes[0].file == "meshes/a/wheel.stl");
  CHECK(model.meshes[0].name == "wheel");
  CHECK(model.meshes[1].points[3] == Vec3{0, 0, 2});
  CHECK(model.meshes[2].is_round);
  CHECK(model.world.geoms[1].mesh == 1);
}

TEST_CASE("mjcf: settings, and the flag that switches gravity off") {
  const auto model = model_of(
      "<mujoco><compiler inertiafromgeom='true' settotalmass='5' inertiagrouprange='1 2'/>"
      "<option timestep='0.01' gravity='0 0 -1'><flag gravity='disable'/></option></mujoco>");
  CHECK(model.settings.from_geoms);
  CHECK(model.settings.total_mass == 5);
  CHECK(model.settings.groups == std::array{1, 2});
  CHECK(model.step == 0.01);
  CHECK(model.gravity == Vec3{});
}

TEST_CASE("mjcf: what is not read is said once for each kind, and how much it matters") {
  auto found = problems(
      "<mujoco>\n<visual/><visual/>\n<worldbody><light/><site/><site/><geom size='1' condim='1' surfacevel='1 0 0'/>\n"
      "<geom size='1' frction='1'/><geom type='hfield'/></worldbody>\n"
      "<tendon><spatial/></tendon><sensor><touch/><touch/></sensor><option wind='1 0 0' solver='CG'/></mujoco>");
  CHECK(found.take(mjcf::code::kIgnored).find("surfacevel of <geom>") != std::string::npos);
  CHECK(found.take(mjcf::code::kUnknown).find("did you mean friction?") != std::string::npos);
  CHECK(found.take(mjcf::code::kIgnored).find("type hfield") != std::string::npos);
  CHECK(found.take(mjcf::code::kIgnored).find("<spatial> in <tendon>") != std::string::npos);
  CHECK(found.take(mjcf::code::kIgnored).find("<touch> in <sensor> is not read, 2 of them") != std::string::npos);
  CHECK(found.take(mjcf::code::kIgnored).find("wind") != std::string::npos);
  found.take(mjcf::code::kTuning, Position{2, 1});
  found.drop_notes();
}

TEST_CASE("mjcf: every error at its place") {
  struct Case {
    const char* text;
    const Code& code;
    const char* message;
  };
  const Case cases[] = {
      {"<geom size='1 x'/>", mjcf::code::kVector, "\"x\" is not a number"},
      {"<geom size='1' pos='1 2'/>", mjcf::code::kVector, "pos has 2 numbers, expected 3"},
      {"<geom size='inf'/>", mjcf::code::kVector, "not a number"},
      {"<geom/>", mjcf::code::kSize, "1 number > 0"},
      {"<geom type='box' size='1 1'/>", mjcf::code::kSize, "3 numbers > 0"},
      {"<geom type='box' size='1 1 1e308'/>", mjcf::code::kSize, "up to 1e+09"},
      {"<geom type='sphere' size='1' fromto='0 0 0 1 1 1'/>", mjcf::code::kSize, "fromto is for"},
      {"<geom type='capsule' size='1' fromto='1 1 1 1 1 1'/>", mjcf::code::kSize, "the same"},
      {"<geom type='blob'/>", xml::code::kChoice, "expected one of plane"},
      {"<geom type='mesh'/>", xml::code::kAttributeMissing, "mesh"},
      {"<geom type='mesh' mesh='none'/>", mjcf::code::kReference, "no mesh \"none\""},
      {"<geom size='1' class='none'/>", mjcf::code::kReference, "no class \"none\""},
      {"<body childclass='none'/>", mjcf::code::kReference, "no class \"none\""},
      {"<geom size='1' mass='-1'/>", xml::code::kNumberRange, ">= 0"},
      {"<joint/>", mjcf::code::kJoint, "the world has no joints"},
      {"<body><body><freejoint/></body></body>", mjcf::code::kJoint, "inside another"},
      {"<body><freejoint/><joint/></body>", mjcf::code::kJoint, "the only one"},
      {"<body><joint axis='0 0 0'/></body>", mjcf::code::kAxis, "length 0"},
      {"<body quat='0 0 0 0'/>", mjcf::code::kAxis, "length 0"},
      {"<body xyaxes='1 0 0 2 0 0'/>", mjcf::code::kAxis, "plane"},
      {"<body><joint range='2 1' limited='true'/></body>", mjcf::code::kLimit, "2 .. 1"},
      {"<body><joint limited='true'/></body>", mjcf::code::kLimit, "no range"},
      {"<body><inertial pos='0 0 0' mass='1'/></body>", mjcf::code::kInertial, "diaginertia"},
      {"<body><inertial mass='1' diaginertia='1 1 1'/></body>", mjcf::code::kInertial, "pos"},
      {"<body name='a'/><body name='a'/>", mjcf::code::kName, "two bodies are named \"a\""},
      {"<replicate/>", xml::code::kAttributeMissing, "count"},
      {"<replicate count='1e9'/>", xml::code::kNumberRange, "100000"},
      {"<attach frame='none'/>", mjcf::code::kReference, "no frame \"none\""},
      {"<frame name='f'><attach frame='f'/></frame>", mjcf::code::kNesting, "deeper than"},
  };
  for (const Case& one : cases) {
    CAPTURE(one.text);
    const auto parsed = read(bodies(one.text));
    REQUIRE(parsed.diagnostics.has_errors());
    const auto& items = parsed.diagnostics.items();
    const auto& first = items.front();
    CHECK(first.code == one.code.name);
    CHECK_MESSAGE(first.message.find(one.message) != std::string::npos, first.message);
    CHECK(first.at.line == 3);
  }
  problems("<mujoco><compiler coordinate='global'/></mujoco>").take(mjcf::code::kCompiler);
  problems("<mujoco><compiler eulerseq='xyw'/></mujoco>").take(mjcf::code::kCompiler);
  problems("<mujoco><actuator><motor joint='none'/></actuator></mujoco>").take(mjcf::code::kReference);
  problems("<mujoco><asset><mesh name='a' vertex='1 2 3'/></asset></mujoco>").take(mjcf::code::kVector);
  problems("<mujoco><default><default/></default></mujoco>").take(mjcf::code::kName);
  problems("<mujocoo/>").take(xml::code::kRoot);
}

TEST_CASE("mjcf: a fault of a class is reported once, where it is") {
  auto found = problems(
      bodies("<geom size='1'/><geom size='1'/><body><geom size='1'/></body>", "\n<default><geom density='-5'/></default>"));
  found.take(xml::code::kNumberRange, Position{2, 25});
}

TEST_CASE("mjcf: replicas of replicas do not grow beyond the limit") {
  std::string text = "<geom size='1'/>";
  for (int i = 0; i < 8; ++i) text = "<replicate count='100'>" + text + "</replicate>";
  auto parsed = read(bodies(text));
  test::Expected found(parsed.diagnostics);
  CHECK(found.take(mjcf::code::kNesting).find("100000") != std::string::npos);
  CHECK(parsed.value->world.geoms.size() <= mjcf::kMaxElements);
}

TEST_CASE("mjcf: bodies and classes as deep as they like") {
  std::string bodies_in, after, classes_in, classes_after;
  for (int i = 0; i < 230; ++i) {
    bodies_in += "<body>";
    after += "</body>";
  }
  problems(bodies(bodies_in + after)).take(mjcf::code::kNesting);
  for (int i = 0; i < 30; ++i) {
    classes_in += "<default class='c" + std::to_string(i) + "'>";
    classes_after += "</default>";
  }
  problems("<mujoco>" + classes_in + classes_after + "</mujoco>").take(mjcf::code::kNesting);
}

TEST_CASE("mjcf: cut and damaged files are refused or read, never more") {
  const std::string text = bodies(
      "<frame name='f'><geom type='capsule' size='0.1' fromto='0 0 0 1 0 0'/></frame><attach frame='f' prefix='p'/>"
      "<replicate count='2' offset='1 0 0'><body name='b'><joint name='j' range='-1 1'/><geom class='c'/></body></replicate>",
      "<include file='m.xml'/><default><geom size='1'/><default class='c'/></default>");
  const Files files{{"m.xml", text}};
  test::for_every_prefix(
      text, [&](std::string_view cut) { (void)read(std::string(cut), files); }, 300);
  for (std::uint64_t seed = 0; seed < 300; ++seed) (void)read(test::mutated(text, seed), files);
}

TEST_CASE("mjcf: elements beyond the limit, of all files, are an error at the first one") {
  const auto shapes = [](std::size_t count) { return test::repeated("", "<site/>\n", count); };
  const std::string many = "<mujoco><worldbody>\n" + shapes(499'998) + "</worldbody></mujoco>";
  const auto parsed = read(many);
  CHECK(parsed.value);
  const auto more = read("<mujoco><worldbody>\n" + shapes(499'999) + "</worldbody></mujoco>");
  CHECK_FALSE(more.value);
  test::Expected expected(more.diagnostics);
  expected.take(mjcf::code::kMany, Position{500'000, 1});
  const auto included = read("<mujoco><include file='b.xml'/></mujoco>", {{"b.xml", many}});
  CHECK(test::all_text(included.diagnostics).find("b.xml:499998:1: error: found more than 500000 elements") !=
        std::string::npos);
}
