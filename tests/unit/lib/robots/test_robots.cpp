#include <doctest/doctest.h>

#include <cmath>

#include "base/geo/euler.hpp"
#include "base/geo/frames.hpp"
#include "base/geo/geo.hpp"
#include "lib/robots/as_seen.hpp"
#include "lib/robots/codes.hpp"
#include "lib/robots/from_sdf.hpp"
#include "lib/robots/from_urdf.hpp"
#include "lib/robots/merge.hpp"
#include "lib/robots/to_autosim.hpp"
#include "tests/support/support.hpp"

using namespace simbatch;
using geo::Pose;
using geo::Vec3;

namespace {

const robots::MeshFinder kAnyMesh = [](const std::string& name, const std::string&, Position) { return std::optional(name); };
const robots::IncludeLoader kNoInclude = [](const std::string&, const std::string&, Position) {
  return std::optional<robots::IncludedFile>();
};

bool near(Vec3 a, Vec3 b, double tolerance = 1e-12) { return geo::length(a - b) < tolerance; }

robots::Model urdf_model(std::string_view inside) {
  const auto read = urdf::read_urdf("<robot name='r'>" + std::string(inside) + "</robot>", "r.urdf");
  REQUIRE_MESSAGE(!read.diagnostics.has_errors(), test::all_text(read.diagnostics));
  return robots::from_urdf(*read.value);
}
robots::World sdf_world(std::string_view inside, Diagnostics& problems) {
  const auto read =
      sdf::file::read_sdf("<sdf version='1.9'><world name='w'>" + std::string(inside) + "</world></sdf>", "w.sdf");
  REQUIRE_MESSAGE(!read.diagnostics.has_errors(), test::all_text(read.diagnostics));
  return robots::from_sdf(*read.value, "w.sdf", kNoInclude, problems);
}

constexpr const char* kInertial =
    "<inertial><origin xyz='0.1 0.2 0.3' rpy='0 0 1.5707963267948966'/><mass value='2'/>"
    "<inertia ixx='1' ixy='0' ixz='0' iyy='2' iyz='0' izz='2.5'/></inertial>";

}  // namespace

TEST_CASE("robots: a URDF joint has a motor unless its effort is 0") {
  const auto joint = [](const char* type, const std::string& limit) {
    return urdf_model(std::string("<link name='a'/><link name='b'/><joint name='j' type='") + type +
                      "'><parent link='a'/><child link='b'/>" + limit + "</joint>")
        .joints.back();  // the first one holds the base
  };
  for (const auto& [type, limit] : {std::pair("continuous", ""), std::pair("continuous", "<limit velocity='3'/>"),
                                    std::pair("revolute", "<limit lower='-1' upper='1' velocity='3'/>"),
                                    std::pair("prismatic", "<limit lower='-1' upper='1' velocity='3'/>")}) {
    CAPTURE(type);
    CAPTURE(limit);
    const robots::Joint made = joint(type, limit);
    REQUIRE(made.motor);
    CHECK(made.motor->effort == robots::kUnlimited);
    CHECK(made.motor->velocity == (*limit ? 3 : 0));
    CHECK_FALSE(made.effort);
  }
  CHECK(joint("continuous", "<limit effort='2' velocity='3'/>").motor->effort == 2);
  CHECK_FALSE(joint("continuous", "<limit effort='0' velocity='3'/>").motor);
  CHECK(joint("continuous", "<limit effort='0' velocity='3'/>").effort == 0);
}

TEST_CASE("robots: a tensor of inertia in turned axes") {
  const robots::Tensor tensor{1, 2, 2.5, 0, 0, 0};
  const robots::Tensor turned = robots::rotated(tensor, geo::rotation({0, 0, 1}, std::numbers::pi / 2));
  CHECK(std::abs(turned.xx - 2) < 1e-14);
  CHECK(std::abs(turned.yy - 1) < 1e-14);
  CHECK(std::abs(turned.zz - 2.5) < 1e-14);
  // By 45 degrees: (a + b) / 2 on the diagonal, (a - b) / 2 beside it.
  const robots::Tensor half = robots::rotated(tensor, geo::rotation({0, 0, 1}, std::numbers::pi / 4));
  CHECK(std::abs(half.xx - 1.5) < 1e-14);
  CHECK(std::abs(half.xy + 0.5) < 1e-14);
}

TEST_CASE("robots: two halves of a rod are the rod") {
  const double half = 0.5 * 1 * 1 * 1 / 12;  // of 0.5 kg and 1 m, about its own middle
  const robots::Inertial a{0.5, {-0.5, 0, 0}, {1e-9, half, half, 0, 0, 0}}, b{0.5, {0.5, 0, 0}, {1e-9, half, half, 0, 0, 0}};
  const robots::Inertial rod = robots::combined(a, b);
  CHECK(rod.mass == 1);
  CHECK(near(rod.center, {}));
  CHECK(std::abs(rod.tensor.yy - 1.0 * 2 * 2 / 12) < 1e-12);
}

TEST_CASE("robots: which tensors a solid can have") {
  CHECK(robots::is_physical({1, 1, 1, 0, 0, 0}));
  CHECK(robots::is_physical({1, 1, 2, 0, 0, 0}));
  CHECK_FALSE(robots::is_physical({1, 1, 2.1, 0, 0, 0}));
  CHECK_FALSE(robots::is_physical({1, 1, 0, 0, 0, 0}));
  CHECK_FALSE(robots::is_physical({1, 1, 1, 2, 0, 0}));
}

TEST_CASE("robots: degrees of a rotation give the rotation") {
  for (const std::array<double, 3> rpy :
       {std::array<double, 3>{0, 0, 0}, {0.1, -0.7, 2.5}, {3, 1.5, -3}, {std::numbers::pi / 2, 0, 0}}) {
    const geo::Quat q = geo::from_roll_pitch_yaw(rpy);
    const autosim::Vector3 d = robots::degrees_of(q);
    const geo::Quat back = geo::rotation({0, 1, 0}, geo::radians(d.y)) * geo::rotation({1, 0, 0}, geo::radians(d.x)) *
                           geo::rotation({0, 0, 1}, geo::radians(d.z));
    for (const Vec3 v : {Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}}) CHECK(near(back * v, q * v));
  }
}

TEST_CASE("robots: names become usable and unique") {
  robots::UsedNames names;
  CHECK(names.add("a.b c") == "a_b_c");
  CHECK(names.add("a_b_c") == "a_b_c_2");
  CHECK(names.add("a_b_c") == "a_b_c_3");
  CHECK(names.add("") == "unnamed");
}

TEST_CASE("robots: a URDF joint at its place, turning the same way") {
  Diagnostics problems;
  const auto model = urdf_model(
      "<link name='a'>" + std::string(kInertial) + "</link><link name='b'>" + kInertial +
      "</link>"
      "<joint name='j' type='revolute'><origin xyz='1 2 3' rpy='0 0 1.5707963267948966'/><parent link='a'/><child link='b'/>"
      "<axis xyz='1 0 0'/><limit lower='-0.5' upper='1' effort='7' velocity='2'/></joint>");
  CHECK(problems.empty());
  REQUIRE(model.parts.size() == 2);
  CHECK(near(model.parts[1].pose * Vec3{1, 0, 0}, {1, 3, 3}));
  CHECK(near(model.joints[0].axis, {0, 1, 0}));
  CHECK(std::abs(model.parts[0].inertial->tensor.xx - 2) < 1e-12);

  const auto made = robots::to_autosim(model, kAnyMesh, problems);
  REQUIRE(made.robot.links.size() == 1);
  const autosim::Link& link = made.robot.links[0];
  // y and z swapped; a turn of a swapped axis has the other sense.
  CHECK(link.position == autosim::Vector3{1, 3, 2});
  CHECK(near({link.axis.x, link.axis.y, link.axis.z}, {0, 0, -1}));
  CHECK(std::abs(link.limits->upper - geo::degrees(1)) < 1e-12);
  CHECK(link.motor->mode == autosim::LinkMotor::Mode::force);
  CHECK(link.motor->max_force == 7);
  CHECK(made.robot.articulation->base == "a");
  CHECK_FALSE(made.robot.articulation->fixed);
  CHECK_FALSE(made.robot.articulation->self_collision);
  const autosim::Body& a = made.robot.bodies[0];
  CHECK(a.mass == 2);
  CHECK(a.center_of_mass == autosim::Vector3{0.1, 0.3, 0.2});
  CHECK(std::abs(a.inertia->y - 2.5) < 1e-12);  // about the upright axis
  // The point b + (0, 0, 1) turned by 0.5 rad, in both descriptions.
  const geo::Quat turn = geo::rotation(model.joints[0].axis, 0.5);
  const Vec3 before = model.joints[0].position + turn * Vec3{0, 0, 1};
  const geo::Quat swapped = geo::rotation({link.axis.x, link.axis.y, link.axis.z}, 0.5);
  const Vec3 after = Vec3{link.position.x, link.position.y, link.position.z} + swapped * Vec3{0, 1, 0};
  CHECK(near(geo::swap_up(before), after));
}

TEST_CASE("robots: links on fixed joints become one part") {
  Diagnostics problems;
  const auto model =
      urdf_model("<link name='a'>" + std::string(kInertial) + "</link><link name='b'>" + kInertial +
                 "</link>"
                 "<joint name='j' type='fixed'><origin xyz='0 0 1'/><parent link='a'/><child link='b'/></joint>");
  const auto merged = robots::merge_fixed(model, problems);
  REQUIRE(merged.parts.size() == 1);
  CHECK(merged.joints.empty());
  CHECK(merged.parts[0].inertial->mass == 4);
  CHECK(near(merged.parts[0].inertial->center, {0.1, 0.2, 0.8}));
  CHECK(std::abs(merged.parts[0].inertial->tensor.xx - (2 + 2 + 4 * 0.25)) < 1e-12);
  test::Expected expected(problems);
  CHECK(expected.take(robots::code::kMerged)
            .find("1 link of \"r\" on a fixed joint becomes part of what it is fixed to: b (a)") != std::string::npos);
}

TEST_CASE("robots: what is assumed is reported") {
  Diagnostics problems;
  const auto model = urdf_model(
      "<link name='world'/><link name='a'><collision><geometry><box size='0.1 0.1 0.1'/></geometry></collision></link>"
      "<link name='b'><inertial><mass value='1'/><inertia ixx='1' ixy='0' ixz='0' iyy='1' iyz='0' izz='9'/></inertial></link>"
      "<joint name='j' type='continuous'><parent link='world'/><child link='a'/></joint>"
      "<joint name='k' type='revolute'><parent link='a'/><child link='b'/><limit lower='1' upper='2' effort='1' velocity='1'/>"
      "<mimic joint='j'/></joint>");
  const auto made = robots::to_autosim(model, kAnyMesh, problems);
  CHECK(made.robot.articulation->fixed);
  CHECK(std::abs(made.robot.bodies[1].mass - 1) < 1e-12);  // a liter of water
  test::Expected expected(problems);
  expected.take(robots::code::kMimic);
  expected.take(robots::code::kMass);
  expected.take(robots::code::kInertia);
  expected.take(robots::code::kStart);
}

TEST_CASE("robots: joints that cannot be simulated are errors") {
  Diagnostics problems;
  const auto model = urdf_model("<link name='a'>" + std::string(kInertial) + "</link><link name='b'>" + kInertial +
                                "</link><joint name='j' type='planar'><parent link='a'/><child link='b'/></joint>");
  CHECK(problems.empty());
  (void)robots::to_autosim(model, kAnyMesh, problems);
  test::Expected expected(problems);
  expected.take(robots::code::kJoint);
  expected.take(robots::code::kShape);  // it has no collision shape
}

TEST_CASE("robots: SDF frames, nested models and joints resolve as the specification says") {
  Diagnostics problems;
  const auto world = sdf_world(
      "<frame name='f'><pose>0 0 5 0 0 0</pose></frame>"
      "<model name='m'><pose relative_to='f'>1 0 0 0 0 1.5707963267948966</pose>"
      "<link name='a'><pose>0 0 1 0 0 0</pose></link>"
      "<frame name='g' attached_to='a'><pose>1 0 0 0 0 0</pose></frame>"
      "<model name='n'><pose relative_to='g'>0 1 0 0 0 0</pose><link name='b'/></model>"
      "<joint name='j' type='revolute'><parent>g</parent><child>n::b</child><axis><xyz>0 0 1</xyz></axis></joint></model>",
      problems);
  CHECK_MESSAGE(problems.empty(), test::all_text(problems));
  REQUIRE(world.models.size() == 1);
  const robots::Model& m = world.models[0];
  CHECK(near(m.pose.p, {1, 0, 5}));
  REQUIRE(m.parts.size() == 2);
  CHECK(m.parts[1].name == "n::b");
  CHECK(near(m.parts[1].pose.p, {1, 1, 1}));
  REQUIRE(m.joints.size() == 1);
  CHECK(m.joints[0].parent == "a");
  CHECK(m.joints[0].child == "n::b");
  CHECK(near(m.joints[0].position, {1, 1, 1}));
  CHECK(near(m.joints[0].axis, {0, 0, 1}));
}

TEST_CASE("robots: SDF frames that do not exist, or depend on each other, are located") {
  const auto expect = [](std::string_view text, const Code& code) {
    Diagnostics problems;
    (void)sdf_world(text, problems);
    test::Expected expected(problems);
    expected.take(code);
    expected.drop_notes();
  };
  expect("<model name='m'><link name='l'><pose relative_to='x'/></link></model>", robots::code::kFrame);
  expect("<model name='m'><link name='l'/><frame name='f'><pose relative_to='f'/></frame></model>", robots::code::kFrame);
  expect("<model name='m' canonical_link='x'><link name='l'/></model>", robots::code::kFrame);
  expect("<model name='m'><link name='l'/><joint name='j' type='fixed'><parent>l</parent><child>x</child></joint></model>",
         robots::code::kFrame);
  expect("<model name='m'><link name='l'/><joint name='j' type='fixed'><parent>l</parent><child>l</child></joint></model>",
         robots::code::kFrame);
  expect(
      "<model name='m'><link name='l'/><link name='k'/><joint name='j' type='screw'><parent>l</parent><child>k</child>"
      "</joint></model>",
      robots::code::kJoint);
}

TEST_CASE("robots: a chain of many frames is refused, not followed without end") {
  std::string frames = "<link name='l'/><frame name='f0'/>";
  for (int i = 1; i < 5000; ++i)
    frames += "<frame name='f" + std::to_string(i) + "' attached_to='f" + std::to_string(i + 1 < 5000 ? i + 1 : 0) + "'/>";
  Diagnostics problems;
  (void)sdf_world("<model name='m'>" + frames + "</model>", problems);
  CHECK(problems.has_errors());
}

TEST_CASE("robots: a model that includes itself is refused") {
  const auto file =
      sdf::file::read_sdf("<sdf version='1.9'><model name='m'><include><uri>m</uri></include></model></sdf>", "m.sdf");
  REQUIRE(file.ok());
  const robots::IncludeLoader again = [&](const std::string&, const std::string&, Position) {
    return std::optional(robots::IncludedFile{"m.sdf", *file.value});
  };
  Diagnostics problems;
  (void)robots::from_sdf(*file.value, "m.sdf", again, problems);
  test::Expected expected(problems);
  expected.take(robots::code::kNesting);
}

TEST_CASE("robots: a world's ground, fixed and loose things") {
  Diagnostics problems;
  const auto world = sdf_world(
      "<model name='ground'><static>true</static><link name='l'><collision name='c'><geometry><plane/></geometry></collision></link>"
      "</model>"
      "<model name='wall'><static>true</static><pose>1 2 0.5 0 0 0</pose><link name='l'><collision name='c'><geometry><box>"
      "<size>4 1 1</size></box></geometry></collision></link></model>"
      "<model name='ball'><pose>0 0 3 0 0 0</pose><link name='l'><collision name='c'><geometry><sphere><radius>0.5</radius></sphere>"
      "</geometry></collision></link></model>"
      "<model name='egg'><link name='l'><inertial auto='true'/><collision name='c'><geometry><ellipsoid><radii>1 1 2</radii>"
      "</ellipsoid></geometry></collision></link></model>",
      problems);
  const auto made = robots::to_autosim(world, "w.sdf", kAnyMesh, problems);
  CHECK(made.world.terrain.kind == autosim::Terrain::Kind::plane);
  REQUIRE(made.world.statics.size() == 1);
  CHECK(made.world.statics[0].name == "wall");
  CHECK(made.world.statics[0].shape.size == autosim::Vector3{4, 1, 1});
  CHECK(made.world.statics[0].pose.x == 1);
  CHECK(made.world.statics[0].pose.y == 0);
  CHECK(made.world.statics[0].pose.z == 2);
  REQUIRE(made.world.robots.size() == 2);
  CHECK(made.world.robots[0].name == "ball");
  CHECK(made.world.robots[0].pose.y == 3);
  const double egg = made.robots.at("egg").bodies[0].mass;
  CHECK(std::abs(egg - 1000 * 4.0 / 3 * std::numbers::pi * 2) < 1e-6);
  test::Expected expected(problems);
  expected.take(robots::code::kShape);
}

TEST_CASE("robots: models whose parts no joint joins are several") {
  robots::Model model;
  model.name = "m";
  model.parts.resize(3);
  model.parts[0].name = "a";
  model.parts[1].name = "b";
  model.parts[2].name = "c";
  model.joints.resize(1);
  model.joints[0].parent = "a";
  model.joints[0].child = "c";
  const auto pieces = robots::split(model);
  REQUIRE(pieces.size() == 2);
  CHECK(pieces[0].name == "m");
  CHECK(pieces[0].parts.size() == 2);
  CHECK(pieces[0].joints.size() == 1);
  CHECK(pieces[1].name == "m_b");
}

TEST_CASE("robots: a universal joint is two about one point") {
  Diagnostics problems;
  const auto world = sdf_world(
      "<model name='m'><link name='a'/><link name='b'><pose>0 0 1 0 0 0</pose></link><joint name='u' type='universal'>"
      "<parent>a</parent><child>b</child><axis><xyz>1 0 0</xyz></axis><axis2><xyz>0 1 0</xyz></axis2></joint></model>",
      problems);
  CHECK(problems.empty());
  const robots::Model m = robots::without_universals(world.models.at(0));
  REQUIRE(world.models[0].joints.size() == 1);
  CHECK(near(world.models[0].joints[0].first->axis, {1, 0, 0}));
  REQUIRE(m.parts.size() == 3);
  REQUIRE(m.joints.size() == 2);
  CHECK(m.joints[0].parent == "a");
  CHECK(m.joints[0].child == m.parts[2].name);
  CHECK(m.joints[1].parent == m.parts[2].name);
  CHECK(m.joints[1].child == "b");
  CHECK(near(m.joints[0].axis, {1, 0, 0}));
  CHECK(near(m.joints[1].axis, {0, 1, 0}));
  CHECK(near(m.joints[1].position, {0, 0, 1}));
}

namespace {

sdf::file::File sdf_file(std::string_view inside) {
  auto read = sdf::file::read_sdf("<sdf version='1.9'>" + std::string(inside) + "</sdf>", "i.sdf");
  REQUIRE_MESSAGE(!read.diagnostics.has_errors(), test::all_text(read.diagnostics));
  return std::move(*read.value);
}
robots::World with_included(std::string_view file, std::string_view included, Diagnostics& problems) {
  const robots::IncludeLoader load = [&](const std::string&, const std::string&, Position) {
    return std::optional(robots::IncludedFile{"sub/i.sdf", sdf_file(included)});
  };
  return robots::from_sdf(sdf_file(file), "w.sdf", load, problems);
}

}  // namespace

TEST_CASE("robots: an included world is left out, and a model is not merged into a world, which is said") {
  Diagnostics problems;
  CHECK(with_included("<world name='w'><include><uri>i.sdf</uri></include></world>", "<world name='i'/>", problems)
            .models.empty());
  CHECK(test::Expected(problems).take(robots::code::kInclude).find("holds a world") != std::string::npos);
  Diagnostics merging;
  const auto world = with_included("<world name='w'><include merge='true'><uri>i.sdf</uri></include></world>",
                                   "<model name='i'><link name='up'/></model>", merging);
  REQUIRE(world.models.size() == 1);
  CHECK(world.models[0].name == "i");
  CHECK(test::Expected(merging).take(robots::code::kInclude).find("no effect in a world") != std::string::npos);
}

TEST_CASE("robots: what is in a merged model is in the model around it, where its frame is") {
  const std::string included =
      "<model name='i'><pose>9 9 9 0 0 0</pose><frame name='grip'><pose>0 0 1 0 0 0</pose></frame>"
      "<link name='up'><pose>1 0 0 0 0 0</pose><collision name='c'><pose relative_to='__model__'>0 0 3 0 0 0</pose>"
      "<geometry><mesh><uri>a.stl</uri></mesh></geometry></collision></link>"
      "<link name='tip'><pose relative_to='up'>0 0 2 0 0 0</pose></link>"
      "<model name='in'><link name='deep'><pose>0 1 0 0 0 0</pose></link></model>"
      "<joint name='j' type='revolute'><parent>__model__</parent><child>tip</child>"
      "<axis><xyz expressed_in='__model__'>1 0 0</xyz></axis></joint></model>";
  const std::string turned = "<pose>0 0 5 0 0 1.5707963267948966</pose>";
  Diagnostics problems;
  const auto world =
      with_included("<model name='m'><link name='base'/><include merge='true'><uri>i.sdf</uri>" + turned +
                        "</include><joint name='k' type='fixed'><parent>base</parent><child>up</child></joint></model>",
                    included, problems);
  CHECK_MESSAGE(problems.empty(), test::all_text(problems));
  REQUIRE(world.models.size() == 1);
  const robots::Model& m = world.models[0];
  REQUIRE(m.parts.size() == 4);
  CHECK(m.parts[1].name == "up");
  CHECK(near(m.parts[1].pose.p, {0, 1, 5}));
  CHECK(near(m.parts[1].pose * m.parts[1].collisions[0].pose.p, {0, 0, 8}));
  CHECK(m.parts[1].collisions[0].file == "sub/i.sdf");
  CHECK(near(m.parts[2].pose.p, {0, 1, 7}));
  CHECK(m.parts[3].name == "in::deep");
  CHECK(near(m.parts[3].pose.p, {-1, 0, 5}));
  REQUIRE(m.joints.size() == 2);
  CHECK(m.joints[0].child == "up");
  CHECK(m.joints[1].parent == "up");  // the first link of the merged model
  CHECK(near(m.joints[1].axis, {0, 1, 0}));
  REQUIRE(m.frames.size() == 1);  // the frame that stands for the merged model is not one of the file
  CHECK(m.frames[0].part == "up");
  CHECK(near(m.frames[0].pose.p, {0, 0, 6}));
  // With its placement_frame where the pose is.
  Diagnostics placed;
  const auto by_frame = with_included("<model name='m'><link name='base'/><include merge='true'><uri>i.sdf</uri>" + turned +
                                          "<placement_frame>grip</placement_frame></include></model>",
                                      included, placed);
  CHECK(placed.empty());
  CHECK(near(by_frame.models.at(0).parts.at(1).pose.p, {0, 1, 4}));
  Diagnostics twice;
  (void)with_included("<model name='m'><link name='up'/><include merge='true'><uri>i.sdf</uri></include></model>", included,
                      twice);
  CHECK(test::Expected(twice).take(robots::code::kFrame).find("in use") != std::string::npos);
}

TEST_CASE("robots: what is drawn are the visuals, where all of a part's can be") {
  Diagnostics problems;
  const std::string box = "<geometry><box size='1 1 1'/></geometry>", ball = "<geometry><sphere radius='2'/></geometry>",
                    mesh = "<geometry><mesh filename='x.dae'/></geometry>";
  const auto model = urdf_model(
      "<link name='both'><visual>" + ball + "<material name='m'><color rgba='1 0.5 0 1'/></material></visual><collision>" +
      box + "</collision></link><link name='seen'><visual>" + ball + "</visual><visual>" + mesh +
      "</visual></link><link name='partly'><visual>" + ball + "</visual><visual>" + mesh + "</visual><collision>" + box +
      "</collision></link>" + "<joint name='j' type='continuous'><parent link='both'/><child link='seen'/></joint>" +
      "<joint name='k' type='continuous'><parent link='both'/><child link='partly'/></joint>");
  const auto seen =
      robots::as_seen(model, [](const robots::Solid& solid) { return solid.shape.kind != robots::Shape::Kind::mesh; });
  REQUIRE(seen.parts.size() == 3);
  const auto kinds = [&](std::size_t i) {
    std::vector<robots::Shape::Kind> all;
    for (const robots::Solid& solid : seen.parts[i].collisions) all.push_back(solid.shape.kind);
    return all;
  };
  using Kind = robots::Shape::Kind;
  CHECK(kinds(0) == std::vector{Kind::sphere});
  CHECK(kinds(1) == std::vector{Kind::sphere});  // it has nothing else
  CHECK(kinds(2) == std::vector{Kind::box});
  CHECK(seen.parts[1].inertial.has_value());
  Diagnostics ignored;
  const auto made = robots::to_autosim(seen, kAnyMesh, ignored);
  const autosim::Geometry& geometry = made.robot.bodies[0].geometries[0];
  REQUIRE(geometry.color.has_value());
  CHECK((*geometry.color)[1] == 0.5f);
}

TEST_CASE("robots: of a tensor that no solid has the largest moment is lowered, about whatever axes") {
  const geo::Quat q = geo::normalized(geo::Quat{0.8, 0.3, -0.4, 0.2});
  const robots::Tensor bad = robots::rotated({4, 1, 2, 0, 0, 0}, q), good = robots::rotated({3, 1, 2, 0, 0, 0}, q);
  CHECK_FALSE(is_physical(bad));
  const robots::Tensor made = robots::nearest_physical(bad);
  CHECK(is_physical(made));
  CHECK(made.xx == doctest::Approx(good.xx));
  CHECK(made.yz == doctest::Approx(good.yz));
  CHECK(made.xy == doctest::Approx(good.xy));
  CHECK(robots::nearest_physical(good).zz == doctest::Approx(good.zz));
  const robots::Tensor negative{3, 1, -1, 0, 0, 0};
  CHECK(robots::nearest_physical(negative) == negative);
}
