// Faults that were found on real files, each as a small case of its own.

#include <doctest/doctest.h>

#include <cmath>
#include <filesystem>

#include "base/xml/codes.hpp"
#include "formats/graspit/codes.hpp"
#include "lib/grasp/export.hpp"
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
  CHECK(std::abs(urdf.joints[0].limit->effort - 50) < 1e-9);
}

TEST_CASE("grasp: the velocity of a slide is in m/s, and limits are in order in URDF") {
  const SlideHand hand;
  MeshFiles meshes;
  Diagnostics problems;
  const urdf::Robot urdf = to_urdf(*hand.robot.value, {}, meshes, problems);
  REQUIRE(urdf.joints.size() == 2);
  CHECK(std::abs(urdf.joints[0].limit->velocity - 0.01) < 1e-12);
  CHECK(std::abs(urdf.joints[1].limit->velocity - 0.01) < 1e-12);
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
