// Faults that were found on real files, each as a small case of its own.

#include <doctest/doctest.h>

#include <cmath>
#include <filesystem>

#include "base/xml/codes.hpp"
#include "formats/graspit/codes.hpp"
#include "lib/grasp/codes.hpp"
#include "lib/grasp/dialect_files.hpp"
#include "lib/grasp/export.hpp"
#include "lib/grasp/solid.hpp"
#include "tests/support/support.hpp"

using namespace simbatch;
using namespace simbatch::grasp;

namespace {

constexpr std::string_view kCube = "#Inventor V2.1 ascii\n#material metal\n#mass 500\nCube { width 80 height 80 depth 20 }\n";

/// A slide that a DOF in mm drives, and a second one that follows it the other way, with limits as a file had them.
constexpr std::string_view kSlides = R"(Hand
palm.iv
1
r 10 -5e7 1e11 1e7 20
2
1
1
t 25 0 0

0 d0 20 90 0 20
Prismatic
palm.iv 0
1
1
t -25 0 0

0 d0*-1 20 90 -0 -20
Prismatic
palm.iv 0
)";

struct SlideHand {
  test::TemporaryFolder folder;
  Parsed<GraspRobot> robot;
  SlideHand() {
    std::filesystem::create_directories(folder.path() / "hand/iv");
    test::write_text(folder.file("hand/hand.cfg"), kSlides);
    test::write_text(folder.file("hand/iv/palm.iv"), kCube);
    robot = load_robot(folder.file("hand/hand.cfg"), {});
    REQUIRE_MESSAGE(robot.value, test::all_text(robot.diagnostics));
  }
};

}  // namespace

TEST_CASE("grasp: a negative maximal effort is a warning, and its magnitude counts") {
  const SlideHand hand;
  std::size_t told = 0;
  for (const Diagnostic& diagnostic : hand.robot.diagnostics.items())
    if (diagnostic.code == graspit::code::kDof.name && diagnostic.severity == Severity::warning) {
      ++told;
      CHECK(diagnostic.at == Position{4, 6});
    }
  CHECK(told == 1);
  MeshFiles meshes;
  Diagnostics problems;
  const urdf::Robot urdf = to_urdf(*hand.robot.value, {}, meshes, problems);
  CHECK(std::abs(urdf.joints[0].limit->effort.value() - 50) < 1e-9);
}

TEST_CASE("grasp: the velocity of a slide is in m/s, and limits are in order in URDF") {
  const SlideHand hand;
  MeshFiles meshes;
  Diagnostics problems;
  const urdf::Robot urdf = to_urdf(*hand.robot.value, {}, meshes, problems);
  REQUIRE(urdf.joints.size() == 2);
  CHECK(std::abs(urdf.joints[0].limit->velocity.value() - 0.01) < 1e-12);
  CHECK(std::abs(urdf.joints[1].limit->velocity.value() - 0.01) < 1e-12);
  REQUIRE(urdf.joints[1].mimic);
  CHECK(urdf.joints[1].limit->lower == -0.02);
  CHECK(urdf.joints[1].limit->upper == 0);
}

TEST_CASE("grasp: the offset of a geometry is a transform, after the scale") {
  test::TemporaryFolder folder;
  test::write_text(folder.file("cube.iv"), kCube);
  test::write_text(folder.file("body.xml"),
                   "<root><!-- moved -- and turned --><mass>100</mass><geometryFile>cube.iv</geometryFile>"
                   "<geometryScaling>0.5</geometryScaling><geometryOffset><transform><translation>0 0 70</translation>"
                   "<rotation>-90 z</rotation></transform></geometryOffset></root>");
  const auto body = load_body(folder.file("body.xml"), {});
  REQUIRE_MESSAGE(body.value, test::all_text(body.diagnostics));
  CHECK_FALSE(body.diagnostics.has_errors());
  double low = 1, high = -1;
  for (const auto& point : body.value->mesh.points) {
    low = std::min(low, static_cast<double>(point[2]));
    high = std::max(high, static_cast<double>(point[2]));
  }
  CHECK(std::abs(low - (0.07 - 0.005)) < 1e-9);
  CHECK(std::abs(high - (0.07 + 0.005)) < 1e-9);
  test::Expected expected(body.diagnostics);
  expected.take(xml::code::kComment);
}

TEST_CASE("grasp: an offset without a transform is an error, as in GraspIt!") {
  test::TemporaryFolder folder;
  test::write_text(folder.file("cube.iv"), kCube);
  test::write_text(folder.file("body.xml"),
                   "<root><mass>100</mass><geometryFile>cube.iv</geometryFile><geometryOffset>0 0 7</geometryOffset></root>");
  CHECK(load_body(folder.file("body.xml"), {}).diagnostics.has_errors());
}

TEST_CASE("grasp: a tensor of inertia that no body has is not written, and the file is named once") {
  CHECK(is_possible_inertia({2, 0, 0, 0, 3, 0, 0, 0, 4}));
  CHECK(is_possible_inertia({1, 0, 0, 0, 1, 0, 0, 0, 2}));  // a disk without thickness
  CHECK_FALSE(is_possible_inertia({1, 0, 0, 0, 1, 0, 0, 0, 2.1}));
  CHECK_FALSE(is_possible_inertia({0, 0, 0, 0, 1, 0, 0, 0, 1}));
  CHECK_FALSE(is_possible_inertia({100, 120, 0, 120, 100, 0, 0, 0, 100}));
  CHECK_FALSE(is_possible_inertia({1, 0, 0, 0, 1, 0, 0, 0, std::nan("")}));
  CHECK(is_possible_inertia({2e-30, 1e-31, 0, 1e-31, 3e-30, 0, 0, 0, 4e-30}));

  test::TemporaryFolder folder;
  std::filesystem::create_directories(folder.path() / "hand/iv");
  test::write_text(folder.file("hand/hand.cfg"), kSlides);
  // An eigenvalue is negative; and three triangles that enclose nothing.
  const std::string given = "#Inventor V2.1 ascii\n#mass 500\n#inertia_matrix\n#100 120 0\n#120 100 0\n#0 0 100\n";
  const std::string cube = "Cube { width 80 height 80 depth 20 }\n";
  const std::string open =
      "#Inventor V2.1 ascii\n#mass 500\nSeparator { Coordinate3 { point [-60 80 -80, -20 -80 40, 40 40 100, 20 -40 -80, 40 -100 20, "
      "20 80 -100] } IndexedFaceSet { coordIndex [0, 1, 2, -1, 3, 4, 5, -1, 0, 4, 2, -1] } }\n";
  struct Row {
    std::string text;
    const char* instead;
  };
  for (const Row& row : {Row{given + cube, "in this file: that of the uniform solid"}, Row{open, "the box around it"}}) {
    test::write_text(folder.file("hand/iv/palm.iv"), row.text);
    const auto robot = load_robot(folder.file("hand/hand.cfg"), {});
    REQUIRE(robot.value);
    MeshFiles meshes;
    Diagnostics problems;
    const urdf::Robot urdf = to_urdf(*robot.value, {}, meshes, problems);
    std::size_t told = 0;
    for (const Diagnostic& d : problems.items())
      if (d.code == code::kLossInertia.name) {
        ++told;
        CHECK(d.file.ends_with("palm.iv"));
        CHECK_MESSAGE(d.message.find(row.instead) != std::string::npos, d.message);
      }
    CHECK(told == 1);
    for (const urdf::Link& link : urdf.links) {
      if (!link.inertial) continue;
      const auto& i = link.inertial->inertia;
      CHECK(is_possible_inertia({i[0], i[1], i[2], i[1], i[3], i[4], i[2], i[4], i[5]}));
    }
  }
}

TEST_CASE("grasp: a robot converted to XML gets the XML of its bodies, and nothing is overwritten") {
  test::TemporaryFolder folder;
  for (const char* made : {"hand/iv", "out"}) std::filesystem::create_directories(folder.path() / made);
  test::write_text(folder.file("hand/iv/palm.iv"), kCube);
  test::write_text(folder.file("hand/iv/link.iv"), kCube);
  test::write_text(folder.file("hand/iv/link.xml"), "<root><mass>9</mass><geometryFile>link.iv</geometryFile></root>");
  Diagnostics problems;
  MeshFiles beside;
  DialectBodies same(folder.file("hand/iv"), folder.file("hand/iv"), {}, beside, problems);
  CHECK(same.to_xml("palm.iv", {}) == "palm.xml");
  CHECK(same.to_xml("palm.iv", {}) == "palm.xml");
  CHECK(same.to_xml("link.iv", {}) == "link.xml");
  REQUIRE(beside.size() == 1);
  const auto palm = graspit::read_body_xml(beside.at("iv/palm.xml"), "palm.xml");
  REQUIRE(palm.ok());
  CHECK(palm.value->mass == 500);
  CHECK(palm.value->material == "metal");
  CHECK(palm.value->geometry_file == "palm.iv");
  // Elsewhere the geometry is needed, too.
  MeshFiles elsewhere;
  DialectBodies other(folder.file("hand/iv"), folder.file("out/iv"), {}, elsewhere, problems);
  CHECK(other.to_xml("palm.iv", {}) == "palm.xml");
  CHECK(elsewhere.at("iv/palm.iv") == kCube);
  CHECK(elsewhere.contains("iv/palm.xml"));
  CHECK(problems.empty());
  // What is not there is named, once, at its place.
  CHECK(other.to_xml("absent.iv", {3, 1}) == "absent.xml");
  CHECK(other.to_xml("absent.iv", {4, 1}) == "absent.xml");
  REQUIRE(problems.items().size() == 1);
  CHECK(problems.items()[0].code == code::kLossBody.name);
  CHECK(problems.items()[0].at == Position{3, 1});
}

TEST_CASE("grasp: a robot converted to text names the geometry of its bodies, with headers that say what their XML said") {
  test::TemporaryFolder folder;
  std::filesystem::create_directories(folder.path() / "iv");
  const std::string iv = folder.file("iv");
  test::write_text(folder.file("iv/palm.wrl"), kCube);
  const auto xml = [&](const std::string& elements) {
    test::write_text(folder.file("iv/palm.xml"), "<root>" + elements + "<geometryFile>palm.wrl</geometryFile></root>");
    MeshFiles files;
    Diagnostics problems;
    DialectBodies bodies(iv, iv, {}, files, problems);
    const std::string name = bodies.to_text("palm.xml", {});
    return std::pair(name, files);
  };
  // Its header says the same: its own file.
  const auto same = xml("<material>metal</material><mass>500</mass>");
  CHECK(same.first == "palm.wrl");
  CHECK(same.second.empty());
  // Another mass: a copy, for palm.wrl stays as it is.
  const auto heavy = xml("<material>metal</material><mass>700</mass>");
  CHECK(heavy.first == "palm_body.wrl");
  CHECK(graspit::read_body_header(heavy.second.at("iv/palm_body.wrl"), graspit::Reading::loader, "p").value->mass == 700);
  // Scaled: a new scene of that size.
  const auto scaled = xml("<mass>500</mass><geometryScaling>2</geometryScaling>");
  CHECK(scaled.first == "palm.iv");
  test::write_text(folder.file("iv/scaled.iv"), scaled.second.at("iv/palm.iv"));
  const auto body = load_body(folder.file("iv/scaled.iv"), {});
  REQUIRE(body.value);
  CHECK(inventor::bounding_box(body.value->mesh)->max[0] == doctest::Approx(0.08));
  CHECK(body.value->mass == doctest::Approx(0.5));
}

TEST_CASE("grasp: a world keeps the names of files that the other dialect does not have") {
  test::TemporaryFolder folder;
  for (const char* file : {"a.iv", "a.xml", "b.wrl", "c.xml", "d.wrl", "r.cfg"}) test::write_text(folder.file(file), kCube);
  test::write_text(folder.file("c.xml"), "<root><geometryFile>d.wrl</geometryFile></root>");
  Diagnostics problems;
  const Rename xml = existing_xml(folder.path().string(), problems);
  CHECK(xml("a.iv", {}) == "a.xml");
  CHECK(problems.empty());
  CHECK(xml("b.wrl", {7, 1}) == "b.wrl");
  CHECK(problems.items()[0].at == Position{7, 1});
  const Rename text = existing_text(folder.path().string(), ".iv", problems);
  CHECK(text("a.xml", {}) == "a.iv");
  CHECK(text("b.xml", {}) == "b.wrl");
  CHECK(text("c.xml", {}) == "d.wrl");
  CHECK(problems.items().size() == 1);
  CHECK(text("e.xml", {}) == "e.xml");
  CHECK(existing_text(folder.path().string(), ".cfg", problems)("r.xml", {}) == "r.cfg");
  CHECK(problems.items().size() == 2);
}

TEST_CASE("grasp: missing files of sections, of worlds, and numbers of DOFs are told with what to do") {
  test::TemporaryFolder folder;
  std::filesystem::create_directories(folder.path() / "hand/iv");
  test::write_text(folder.file("hand/iv/palm.iv"), kCube);
  test::write_text(folder.file("hand/hand.cfg"), std::string(kSlides) + "\nEigenGrasps\nnope/none.egr\n");
  const auto robot = load_robot(folder.file("hand/hand.cfg"), {});
  REQUIRE(robot.value);
  CHECK(test::all_text(robot.diagnostics)
            .find("there is no file \"nope/none.egr\" beside the robot's, which EigenGrasps names") != std::string::npos);
  CHECK_FALSE(robot.diagnostics.has_errors());
  test::write_text(folder.file("w.wld"),
                   "#GraspIt!\nGraspableBody\nmodels/a.iv\nt 0 0 0\n\nRobot\nhand/hand.cfg\n0 1 0\nt 0 0 0\n\n");
  const std::string problems = test::all_text(load_world(folder.file("w.wld"), {}).diagnostics);
  CHECK(problems.find("--graspit-root names the folder") != std::string::npos);
  CHECK(problems.find("\"hand/hand.cfg\" has 1 DOF and needs 1 number, its line has 3") != std::string::npos);
}

TEST_CASE("grasp: geometry of a type that is not read is an error of its own") {
  test::TemporaryFolder folder;
  test::write_text(folder.file("b.xml"), "<root>\n<geometryFile type=\"off\">b.off</geometryFile></root>");
  const auto body = load_body(folder.file("b.xml"), {});
  CHECK_FALSE(body.value);
  test::Expected(body.diagnostics).take(graspit::code::kGeometryType, Position{2, 1});
}

TEST_CASE("grasp: geometry in another mesh format is one error, which says what to do") {
  test::TemporaryFolder folder;
  test::write_text(folder.file("b.xml"), "<root>\n<geometryFile>b.ply</geometryFile></root>");
  test::write_text(folder.file("b.ply"), "ply\nformat ascii 1.0\n");
  const auto body = load_body(folder.file("b.xml"), {});
  CHECK_FALSE(body.value);
  REQUIRE(body.diagnostics.items().size() == 1);
  CHECK(body.diagnostics.items()[0].message ==
        "geometry of \"b.ply\", a PLY file, is not read, only Inventor and VRML: convert it to .iv or .wrl");
  test::Expected(body.diagnostics).take(graspit::code::kGeometryType, Position{2, 1});
  // The content decides.
  test::write_text(folder.file("b.ply"), "#Inventor V2.1 ascii\nCube {}\n");
  CHECK(load_body(folder.file("b.xml"), {}).value);
}

TEST_CASE("grasp: coordinates that no output can hold are an error") {
  test::TemporaryFolder folder;
  for (const char* shape :
       {"Sphere { radius 1e200 }", "Coordinate3 { point [0 0 0, 1e308 0 0, 0 1e308 0] } FaceSet { numVertices 3 }"}) {
    CAPTURE(shape);
    test::write_text(folder.file("b.iv"), std::string("#Inventor V2.1 ascii\n") + shape + "\n");
    const auto body = load_body(folder.file("b.iv"), {});
    CHECK_FALSE(body.value);
    CHECK(test::all_text(body.diagnostics).find("graspit-reach") != std::string::npos);
  }
}

TEST_CASE("grasp: thousands of bodies of one name become models in one pass") {
  test::TemporaryFolder folder;
  test::write_text(folder.file("a.iv"), kCube);
  std::string text = "#GraspIt!\n";
  for (int i = 0; i < 8000; ++i) text += "GraspableBody\na.iv\nt 0 0 0\n\n";
  test::write_text(folder.file("w.wld"), text);
  const auto world = load_world(folder.file("w.wld"), {});
  REQUIRE(world.value);
  MeshFiles meshes;
  Diagnostics problems;
  const sdf::World out = to_sdf(*world.value, {}, meshes, problems);
  REQUIRE(out.models.size() == 8000);
  CHECK(out.models[0].name == "a");
  CHECK(out.models[1].name == "a_2");
  CHECK(out.models[7999].name == "a_8000");
}
