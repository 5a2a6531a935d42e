// GraspIt! robots and worlds as URDF and SDFormat; text to XML to text.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <map>

#include "base/core/number.hpp"
#include "base/core/random.hpp"
#include "base/core/text.hpp"
#include "base/xml/xml.hpp"
#include "formats/graspit/codes.hpp"
#include "lib/grasp/codes.hpp"
#include "lib/grasp/export.hpp"
#include "tests/support/support.hpp"

using namespace simbatch;
using namespace simbatch::grasp;

namespace {

// A hand of our own with what is awkward: an R block, a coupled DOF with a negative factor, a Universal link, a slide.
constexpr std::string_view kHand = R"(Hand
palm.iv
3
r 1 5e9 1e11 1e7 20
r -1 5e9 1e11 1e7 20
r 1 5e7 1e11 1e7 20
2
3
2
t 25 0 -1
R
0 1 0
0 0 1
1 0 0
rr 0.5 y

d0+90 3 50 -90 0 180 5e7
d1+5 0 70 0 0 144
d1*-0.5+-40 1 55 30 -72 0 1e6 2e6
Universal
finger.iv 1
Revolute
finger.iv 2
2
2
T (0.5 0.5 0.5 0.5)[1 2 3]

0 d2*2+10 20 90 0 100
d1*0.25 0 0 0 0 36
Prismatic
palm.iv 0
Revolute
finger.iv 1
)";
constexpr std::string_view kPalm = "#Inventor V2.1 ascii\n#material metal\n#mass 500\nCube { width 80 height 80 depth 20 }\n";
constexpr std::string_view kFinger =
    "#Inventor V2.1 ascii\n#material rubber\n#mass 50\n#cog 1 2 3\n#inertia_matrix\n#200 1 2\n#1 300 3\n#2 3 400\nCylinder { radius 8 height 50 }\n";
constexpr std::string_view kWorld =
    "#GraspIt! version 2.0 beta\nObstacle\nmodels/table.iv\nwood\nT (1 0 0 0)[0 0 -20]\n\nGraspableBody\nmodels/ball.iv\nt 0 0 30\n\n"
    "Robot\nrobots/hand/hand.cfg\n0.1 0.2 3\nT (0 1 0 0)[0 0 200]\n\nCameraFull\n0 0 1000 0 0 0 1 1000\n";

struct Place {
  test::TemporaryFolder folder;
  std::string hand, world;
  Place() {
    namespace fs = std::filesystem;
    fs::create_directories(folder.path() / "robots/hand/iv");
    fs::create_directories(folder.path() / "models");
    fs::create_directories(folder.path() / "worlds");
    hand = folder.file("robots/hand/hand.cfg");
    world = folder.file("worlds/w.wld");
    test::write_text(hand, kHand);
    test::write_text(folder.file("robots/hand/iv/palm.iv"), kPalm);
    test::write_text(folder.file("robots/hand/iv/finger.iv"), kFinger);
    test::write_text(folder.file("models/table.iv"),
                     "#Inventor V2.1 ascii\n#material wood\nCube { width 500 height 500 depth 40 }\n");
    test::write_text(folder.file("models/ball.iv"),
                     "#Inventor V2.1 ascii\n#material rubber\n#mass 100\nSphere { radius 30 }\n");
    test::write_text(world, kWorld);
  }
};

using Matrix = std::array<double, 16>;
Matrix times(const Matrix& a, const Matrix& b) {
  Matrix c{};
  for (std::size_t i = 0; i < 4; ++i)
    for (std::size_t j = 0; j < 4; ++j)
      for (std::size_t k = 0; k < 4; ++k) c[i * 4 + j] += a[i * 4 + k] * b[k * 4 + j];
  return c;
}
Matrix about(char axis, double q) {
  const double c = std::cos(q), s = std::sin(q);
  if (axis == 'x') return {1, 0, 0, 0, 0, c, -s, 0, 0, s, c, 0, 0, 0, 0, 1};
  if (axis == 'y') return {c, 0, s, 0, 0, 1, 0, 0, -s, 0, c, 0, 0, 0, 0, 1};
  return {c, -s, 0, 0, s, c, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
}
Matrix along(double x, double y, double z) { return {1, 0, 0, x, 0, 1, 0, y, 0, 0, 1, z, 0, 0, 0, 1}; }
std::array<double, 3> three(std::string_view text) {
  std::array<double, 3> v{};
  std::size_t i = 0;
  for (const Token& word : split_tokens(text, 1)) v.at(i++) = parse_double(word.text).value;
  return v;
}
Matrix origin_of(const xml::Element& parent) {
  const xml::Element origin = parent.first_child("origin");
  if (!origin) return along(0, 0, 0);
  const auto xyz = three(*origin.attribute("xyz")), rpy = three(*origin.attribute("rpy"));
  return times(along(xyz[0], xyz[1], xyz[2]), times(about('z', rpy[2]), times(about('y', rpy[1]), about('x', rpy[0]))));
}
double value_of(const xml::Element& element, std::string_view name) { return parse_double(*element.attribute(name)).value; }

// Forward kinematics of a URDF by the book, knowing nothing of D-H: poses of the links' visuals in the palm.
std::map<std::string, Matrix> urdf_poses(std::string_view text, const std::map<std::string, double>& joint_values) {
  const auto document = xml::Document::parse(text, "r.urdf");
  std::map<std::string, Matrix> poses{{"palm", along(0, 0, 0)}}, visuals;
  const xml::Element robot = document.value->root();
  for (const xml::Element& joint : robot.children("joint")) {
    const std::string name(*joint.attribute("name"));
    double q = 0;
    if (const xml::Element mimic = joint.first_child("mimic"))
      q = joint_values.at(std::string(*mimic.attribute("joint"))) * value_of(mimic, "multiplier") + value_of(mimic, "offset");
    else if (const auto found = joint_values.find(name); found != joint_values.end())
      q = found->second;
    Matrix move = along(0, 0, 0);
    if (*joint.attribute("type") == "revolute")
      move = about('z', q);
    else if (*joint.attribute("type") == "prismatic")
      move = along(0, 0, q);
    const std::string parent(*joint.first_child("parent").attribute("link"));
    poses[std::string(*joint.first_child("child").attribute("link"))] = times(poses.at(parent), times(origin_of(joint), move));
  }
  for (const xml::Element& link : robot.children("link")) {
    const std::string name(*link.attribute("name"));
    if (const xml::Element visual = link.first_child("visual"))
      visuals[name] = times(poses.at(name), origin_of(visual));
    else
      visuals[name] = poses.at(name);
  }
  return visuals;
}

void check_kinematics(const GraspRobot& robot, const std::string& urdf, std::uint64_t seed, bool visuals_missing) {
  RandomStream random(seed, "dofs");
  std::vector<double> dofs(robot.chains.dofs);
  const auto limits = grasp::dof_limits(robot.chains);
  for (std::size_t i = 0; i < dofs.size(); ++i) {
    dofs[i] = limits[i].min + random.uniform() * (limits[i].max - limits[i].min);
    if (!std::isfinite(dofs[i])) dofs[i] = 0;
  }
  std::map<std::string, double> joints;
  std::vector<bool> known(dofs.size(), false);
  for (std::size_t c = 0; c < robot.chains.chains.size(); ++c)
    for (std::size_t j = 0; j < robot.chains.chains[c].joints.size(); ++j) {
      const auto& joint = robot.chains.chains[c].joints[j];
      if (known[joint.dof]) continue;
      known[joint.dof] = true;
      joints["chain" + std::to_string(c) + "_joint" + std::to_string(j)] = joint.factor * dofs[joint.dof];
    }
  const auto poses = grasp::link_poses(robot.chains, dofs);
  const auto from_urdf = urdf_poses(urdf, joints);
  double worst = 0;
  for (std::size_t c = 0; c < poses.size(); ++c)
    for (std::size_t l = 0; l < poses[c].size(); ++l) {
      Matrix m = from_urdf.at("chain" + std::to_string(c) + "_link" + std::to_string(l));
      geo::Pose ours = poses[c][l];
      if (visuals_missing) {
        // Without shapes the link's own frame is compared, which lies before the constant rest of the D-H transform.
        const auto& joint = robot.chains.chains[c].joints[static_cast<std::size_t>(robot.chains.chains[c].links[l])];
        ours = ours * geo::inverse(grasp::joint_parts(joint).after);
      }
      const geo::Vec3 columns[] = {ours.q * geo::Vec3{1, 0, 0}, ours.q * geo::Vec3{0, 1, 0}, ours.q * geo::Vec3{0, 0, 1},
                                   ours.p};
      for (std::size_t k = 0; k < 4; ++k)
        worst = std::max(
            {worst, std::abs(m[k] - columns[k].x), std::abs(m[4 + k] - columns[k].y), std::abs(m[8 + k] - columns[k].z)});
    }
  CHECK(worst < 1e-9);
}

bool have(const char* program) {
  return std::system(("command -v " + std::string(program) + " > /dev/null 2>&1").c_str()) == 0;
}

}  // namespace

TEST_CASE("grasp: the URDF of a hand moves as its D-H chains do, to 1e-9, and check_urdf takes it") {
  const Place place;
  const auto robot = load_robot(place.hand, {});
  CAPTURE(test::all_text(robot.diagnostics));
  REQUIRE(robot.ok());
  MeshFiles meshes;
  Diagnostics diagnostics;
  const std::string urdf = urdf::write_urdf(to_urdf(*robot.value, {}, meshes, diagnostics));
  test::Expected expected(diagnostics);
  expected.take(code::kLossControl);
  CHECK(meshes.size() == 2);
  CHECK(meshes.contains("meshes/finger.stl"));
  for (std::uint64_t seed = 0; seed < 20; ++seed) check_kinematics(*robot.value, urdf, seed, false);
  CHECK(urdf.find("<mimic joint=\"chain0_joint1\" multiplier=\"-0.5\" offset=\"0\"/>") != std::string::npos);
  CHECK(robot.value->links[0][0]->inertia[0] == doctest::Approx(1e-5));  // 50 g of 200 mm^2
  const std::string file = place.folder.file("hand.urdf");
  test::write_text(file, urdf);
  if (have("check_urdf"))
    CHECK(std::system(("check_urdf " + file + " > /dev/null").c_str()) == 0);
  else
    MESSAGE("skipped: check_urdf (liburdfdom-tools) is not installed");
}

TEST_CASE("grasp: a hand as glTF has its links where its chains put them, and shared bodies once") {
  const Place place;
  const auto robot = load_robot(place.hand, {});
  REQUIRE(robot.ok());
  const gltf::Asset asset = to_gltf(*robot.value);
  const std::vector<double> zero(robot.value->chains.dofs, 0.0);
  const auto poses = link_poses(robot.value->chains, zero);
  std::size_t links = 0;
  for (std::size_t c = 0; c < poses.size(); ++c)
    for (std::size_t l = 0; l < poses[c].size(); ++l) {
      const std::string name = "chain" + number_text(c) + "_link" + number_text(l);
      const auto node = std::find_if(asset.nodes.begin(), asset.nodes.end(), [&](const auto& n) { return n.name == name; });
      REQUIRE(node != asset.nodes.end());
      CHECK(length(node->pose.p - poses[c][l].p) == 0);
      CHECK(node->mesh.has_value());
      ++links;
    }
  CHECK(links > 1);
  CHECK(asset.nodes.size() == links + 2);  // the robot and its palm
  CHECK(asset.nodes[0].children.size() == links + 1);
  CHECK(asset.meshes.size() == 2);  // as in the URDF
}

TEST_CASE("grasp: every robot of the corpus becomes a URDF that moves as it does") {
  const auto root = test::shared_file("corpus/graspit/models/robots");
  if (!root) return;
  test::TemporaryFolder folder;
  for (const char* name : {"Barrett", "HumanFinger", "Robonaut", "SimpleArm", "XR4000", "harvardHand"}) {
    for (const char* suffix : {".cfg", ".xml"}) {
      CAPTURE(name);
      GraspOptions options;
      options.missing = Severity::warning;
      const auto robot = load_robot((*root / name / (std::string(name) + suffix)).string(), options);
      CAPTURE(test::all_text(robot.diagnostics));
      CHECK(robot.ok());
      MeshFiles meshes;
      Diagnostics diagnostics;
      const std::string urdf = urdf::write_urdf(to_urdf(*robot.value, {}, meshes, diagnostics));
      const bool missing = robot.value->links[0][0] == nullptr;
      for (std::uint64_t seed = 0; seed < 5; ++seed) check_kinematics(*robot.value, urdf, seed, missing);
      test::write_text(folder.file("r.urdf"), urdf);
      if (have("check_urdf")) CHECK(std::system(("check_urdf " + folder.file("r.urdf") + " > /dev/null").c_str()) == 0);
    }
  }
}

TEST_CASE("grasp: a world becomes SDFormat and comes back, with poses changed in between") {
  const Place place;
  const auto world = load_world(place.world, {});
  CAPTURE(test::all_text(world.diagnostics));
  REQUIRE(world.ok());
  CHECK(world.value->dofs[0] == std::vector<double>{0.1, 0.2, 0.003});
  CHECK(world.value->root == std::filesystem::absolute(place.folder.path()).string());
  MeshFiles meshes;
  Diagnostics diagnostics;
  std::string text = sdf::write_world(to_sdf(*world.value, {}, meshes, diagnostics));
  CHECK(meshes.size() == 4);
  auto back = world_from_sdf(text, "w.sdf");
  test::Expected expected(back.diagnostics);
  CHECK(*back.value == world.value->model);
  const std::size_t at = text.find("<pose>0 0 0.03 0 0 0</pose>");
  REQUIRE(at != std::string::npos);
  text.replace(at, 27, "<pose>0 0 0.05 0 0 1.5707963267948966</pose>");
  back = world_from_sdf(text, "w.sdf");
  CHECK(back.value->bodies[1].transform[0].position[2] == doctest::Approx(50));
  CHECK(back.value->bodies[1].transform[0].quaternion[3] == doctest::Approx(std::sqrt(0.5)));
  CHECK(back.value->bodies[0] == world.value->model.bodies[0]);
}

TEST_CASE("grasp: DOF values of breakaway DOFs need the robot to be split") {
  graspit::Robot robot;
  robot.dofs.resize(2);
  robot.dofs[1].kind = graspit::DofKind::breakaway;
  robot.chains.resize(1);
  graspit::Joint joint;
  robot.chains[0].joints.push_back(joint);
  joint.variable.dof = 1;
  robot.chains[0].joints.push_back(joint);
  robot.chains[0].joints.push_back(joint);
  const auto split = [&](std::vector<double> numbers) { return split_dof_values(robot, numbers); };
  CHECK(split({0.5, 0.7, 0, 0}).complete);
  CHECK(split({0.5, 0.7, 1, 0.63, 0}).values == std::vector<double>{0.5, 0.7});
  CHECK(split({0.5, 0.7, 1, 0.63, 0}).complete);
  CHECK(!split({0.5, 0.7, 0}).complete);
  CHECK(!split({0.5, 0.7, 0, 0, 0}).complete);
}

TEST_CASE("grasp: text to XML to text is a fixed point, with files renamed") {
  const auto world = graspit::read_wld(kWorld, graspit::Reading::loader, "w").value;
  Diagnostics diagnostics;
  const auto xml = world_for_xml(*world, diagnostics);
  CHECK(xml.bodies[0].file == "models/table.xml");
  CHECK(xml.robots[0].file == "robots/hand/hand.xml");
  auto again = world_for_text(graspit::read_world_xml(graspit::write_world_xml(xml), "x").value.value(), diagnostics);
  CHECK(diagnostics.empty());
  CHECK(graspit::write_wld(again) == graspit::write_wld(*world));
}

TEST_CASE("grasp: meshes as OBJ, STL and glTF hold every triangle") {
  inventor::Mesh mesh;
  mesh.points = {{9, 9, 9}, {0, 0, 0}, {1000, 0, 0}, {0, 1000, 0}};
  mesh.triangles = {{1, 2, 3}};
  mesh.parts = {{0, 1, {1, 0, 0}}};
  CHECK(write_obj(mesh, 0.001, "a") == "o a\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
  const std::string stl = write_stl(mesh, 0.001);
  CHECK(stl.size() == 84 + 50);
  CHECK(stl.substr(84, 12) == std::string("\0\0\0\0\0\0\0\0\0\0\x80\x3f", 12));  // the normal, +z
  GraspBody body;
  body.name = "a\"b";
  body.mesh = mesh;
  body.mesh.triangles.push_back({3, 2, 1});
  body.mesh.parts.push_back({1, 1, {0, 0.5F, 2}});
  const gltf::Asset asset = to_gltf(body);
  REQUIRE(asset.geometries.size() == 1);
  CHECK(asset.geometries[0] == std::vector<std::array<float, 3>>{{0, 0, 0}, {1000, 0, 0}, {0, 1000, 0}});  // those in use
  CHECK(asset.indices == std::vector<std::vector<std::uint32_t>>{{0, 1, 2}, {2, 1, 0}});
  REQUIRE(asset.materials.size() == 2);
  CHECK(asset.materials[0].color == std::array<float, 4>{1, 0, 0, 1});
  CHECK(asset.materials[1].color == std::array<float, 4>{0, 0.217638F, 1, 1});  // 0.5^2.2; clamped
  CHECK(asset.nodes[0].name == "a\"b");
  const geo::Vec3 up = asset.nodes[0].pose * geo::Vec3{0, 0, 1};
  CHECK(std::abs(up.y - 1) + std::abs(up.x) + std::abs(up.z) < 1e-15);
}

TEST_CASE("grasp: what only several files together show has codes") {
  const Place place;
  const auto write = [&](std::string_view file, std::string_view text) { test::write_text(place.folder.file(file), text); };
  const auto codes_of = [](const Diagnostics& diagnostics) {
    std::vector<std::string_view> codes;
    for (const Diagnostic& d : diagnostics.items()) codes.push_back(d.code);
    return codes;
  };
  const auto has = [&](const Diagnostics& diagnostics, const Code& code) {
    const auto codes = codes_of(diagnostics);
    CAPTURE(test::all_text(diagnostics));
    CHECK(std::find(codes.begin(), codes.end(), code.name) != codes.end());
  };
  using namespace graspit::code;
  write("models/far.iv", "#Inventor V2.1 ascii\n#cog 900 0 0\nCube { width 10 height 10 depth 10 }\n");
  has(load_body(place.folder.file("models/far.iv"), {}).diagnostics, kCogOutside);
  write("models/vast.iv", "#Inventor V2.1 ascii\nTranslation { translation 1e42 0 0 }\nCube { width 10 height 10 depth 10 }\n");
  const auto vast = load_body(place.folder.file("models/vast.iv"), {});
  has(vast.diagnostics, graspit::code::kBodyReach);
  CHECK_FALSE(vast.value);
  write("models/small.iv", "#Inventor V2.1 ascii\nCube { width 0.1 height 0.1 depth 0.1 }\n");
  has(load_body(place.folder.file("models/small.iv"), {}).diagnostics, kScale);
  GraspOptions meters;
  meters.bare_unit = 1;
  CHECK(load_body(place.folder.file("models/small.iv"), meters).diagnostics.empty());
  write("models/open.iv", "#Inventor V2.1 ascii\nCylinder { radius 30 height 30 parts SIDES }\n");
  has(load_body(place.folder.file("models/open.iv"), {}).diagnostics, kMeshOpen);

  const auto world_with = [&](std::string_view what, std::string_view with) {
    std::string text(kWorld);
    const std::size_t at = text.find(what);
    REQUIRE(at != std::string::npos);
    test::write_text(place.world, text.replace(at, what.size(), with));
    return load_world(place.world, {}).diagnostics;
  };
  has(world_with("ball.iv", "bal.iv"), kFileMissing);
  has(world_with("ball.iv", "Ball.iv"), kFileCase);
  has(world_with("0.1 0.2 3", "0.1 0.2"), kDofCount);
  has(world_with("0.1 0.2 3", "0.1 0.2 3 4"), kDofCount);
  has(world_with("0.1 0.2 3", "0.1 0.2 3000"), kDofRange);
  has(world_with("wood", "metal"), kObstacleMaterial);
  has(world_with("CameraFull", "Robot\nrobots/hand/hand.cfg\n0 0 3\nt 0 0 0\n\nConnection\n0 7 1\n\nt 0 0 0\n\nCameraFull"),
      kChainIndex);

  // The later XML of a body: scaled, offset, geometry beside it.
  write(
      "models/ball.xml",
      "<root><mass>100</mass><geometryFile>ball.iv</geometryFile><geometryScaling>0.5</geometryScaling><geometryOffset><transform><translation>0 0 7</translation></transform></geometryOffset></root>");
  const auto body = load_body(place.folder.file("models/ball.xml"), {});
  REQUIRE(body.ok());
  CHECK(inventor::bounding_box(body.value->mesh)->max[1] == doctest::Approx(0.015));
  CHECK(body.value->centroid.z == doctest::Approx(0.007).epsilon(1e-3));
  CHECK(body.value->material == "wood");
}

TEST_CASE("grasp: every file of a world is opened by the caller's opener, and by nothing else") {
  const Place place;
  test::write_text(place.folder.file("models/ball.iv"), "#Inventor V2.1 ascii\n#mass 100\nFile { name \"round.iv\" }\n");
  test::write_text(place.folder.file("models/round.iv"), "#Inventor V2.1 ascii\nSphere { radius 30 }\n");
  std::vector<std::string> opened;
  std::string refused;
  GraspOptions options;
  options.open = [&](const std::string& path) -> std::optional<Input> {
    const std::string name = std::filesystem::path(path).filename().string();
    opened.push_back(name);
    return name == refused ? std::nullopt : std::optional(Input::open(path));
  };
  CHECK(load_world(place.world, options).ok());
  CHECK(opened == std::vector<std::string>{"w.wld", "table.iv", "ball.iv", "round.iv", "hand.cfg", "palm.iv", "finger.iv"});

  const auto load_without = [&](const char* name) {
    refused = name;
    opened.clear();
    return load_world(place.world, options);
  };
  CHECK(!load_without("w.wld").value);
  CHECK(opened.size() == 1);
  CHECK(load_without("ball.iv").value->bodies[1] == nullptr);
  CHECK(load_without("hand.cfg").value->robots[0] == nullptr);
  CHECK(load_without("finger.iv").value->robots[0]->links[0][0] == nullptr);
  CHECK(load_without("round.iv").value->bodies[1]->mesh.triangles.empty());
}

TEST_CASE("grasp: the search for the root of a world can be kept inside a folder") {
  const Place place;
  GraspOptions options;
  options.search_within = place.folder.file("worlds");
  const auto world = load_world(place.world, options);
  CHECK(!world.ok());  // nothing is found beside the world itself
  options.search_within = place.folder.path().string();
  CHECK(load_world(place.world, options).ok());
}
