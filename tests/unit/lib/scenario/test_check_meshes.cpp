// Meshes that cannot be read: told with their own places and where they are named, whether something is built of them or not.

#include <doctest/doctest.h>

#include <filesystem>
#include <string>

#include "lib/robots/codes.hpp"
#include "lib/scenario/build.hpp"
#include "lib/scenario/check_meshes.hpp"
#include "tests/support/support.hpp"

using namespace simbatch;
using file_kind::Kind;

namespace {

/// A binary STL of two triangles, cut before the first.
const std::string kCut = std::string(80, ' ') + std::string("\2\0\0\0", 4);

std::string robot(const std::string& mesh) {
  return "<robot name='r'><link name='a'>\n<inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/>"
         "</inertial>\n  <collision><geometry><mesh filename='" +
         mesh + "'/></geometry></collision></link></robot>";
}

}  // namespace

TEST_CASE("meshes: a broken one is told with the place that names it, by a simulation and by a check") {
  test::TemporaryFolder folder;
  test::write_text(folder.file("cut.stl"), kCut);
  const std::string text = robot("cut.stl"), path = folder.file("r.urdf");
  test::write_text(path, text);
  Diagnostics checked;
  scenario::check_meshes(text, path, Kind::urdf, {}, checked);
  for (Diagnostics problems : {checked, scenario::build_scenario(path).diagnostics}) {
    REQUIRE(problems.items().size() == 2);
    const Diagnostic& broken = problems.items()[0];
    CHECK(broken.code == "stl-size");
    CHECK(broken.file == folder.file("cut.stl"));
    const Diagnostic& named = problems.items()[1];
    CHECK(named.severity == Severity::note);
    CHECK(named.file == path);
    CHECK(named.at == Position{3, 3});
    test::Expected expected(std::move(problems));
    (void)expected.take("stl-size");
    CHECK(expected.take("stl-size") == "the mesh is named here");
  }
  models::ModelReader reader;
  CHECK(scenario::mesh_problem(folder.file("cut.stl"), path, {}, reader).find("cannot be used: " + folder.file("cut.stl")) !=
        std::string::npos);
}

TEST_CASE("meshes: those outside the root are not opened, and counted") {
  test::TemporaryFolder folder;
  std::filesystem::create_directories(folder.path() / "in");
  test::write_text(folder.file("cut.stl"), kCut);
  test::write_text(folder.file("two.stl"), kCut);
  std::string text = robot("../cut.stl");
  text.insert(text.find("<collision>"), "<visual><geometry><mesh filename='../two.stl'/></geometry></visual>");
  Diagnostics problems;
  scenario::check_meshes(text, folder.file("in/r.urdf"), Kind::urdf, {}, problems);
  test::Expected outside(std::move(problems));
  CHECK(outside.take(robots::code::kMesh) ==
        "2 meshes are outside the folder that may be read and are not checked; widen it with --root");
  Diagnostics wide;
  scenario::check_meshes(text, folder.file("in/r.urdf"), Kind::urdf, folder.path().string(), wide);
  CHECK(wide.errors() == 2);
}

TEST_CASE("meshes: a file without any has nothing to check") {
  Diagnostics problems;
  scenario::check_meshes(
      "<Robot name=\"r\"><Parts><Sphere name=\"s\"><Radius value=\"1\"/><Mass value=\"1\"/></Sphere></Parts></Robot>", "r.xml",
      Kind::autosim_robot, {}, problems);
  scenario::check_meshes("<World name=\"w\"/>", "w.xml", Kind::autosim_world, {}, problems);
  scenario::check_meshes("", "w.osm", Kind::osm, {}, problems);
  CHECK(problems.empty());
}

TEST_CASE("meshes: those of scenes share the time of their reader") {
  test::TemporaryFolder folder;
  test::write_text(folder.file("t.dae"), "<COLLADA/>");
  models::ModelReader fresh, spent(0);
  const auto problem = [&](models::ModelReader& reader) {
    return scenario::mesh_problem(folder.file("t.dae"), folder.file("r.urdf"), {}, reader);
  };
  CHECK(problem(fresh).find("took too long") == std::string::npos);
  CHECK(problem(spent).find("the models before it took too long to read") != std::string::npos);
}

TEST_CASE("meshes: what is wrong with an included file is told once, with its own place") {
  test::TemporaryFolder folder;
  const std::string text = "<sdf version='1.9'><world name='w'><include><uri>m.sdf</uri></include></world></sdf>";
  test::write_text(folder.file("m.sdf"),
                   "<sdf version='1.9'><model name='m'>\n<link name='a'><inertial><mass>x</mass></inertial>"
                   "</link></model></sdf>");
  Diagnostics problems;
  scenario::check_meshes(text, folder.file("w.sdf"), Kind::sdf, {}, problems);
  CHECK(problems.errors() == 1);
  REQUIRE(!problems.empty());
  CHECK(problems.items()[0].file == folder.file("m.sdf"));
  CHECK(problems.items()[0].at.line == 2);
  const std::size_t before = problems.items().size();
  scenario::check_meshes(text, folder.file("w.sdf"), Kind::sdf, {}, problems);
  CHECK(problems.items().size() == before);
}
