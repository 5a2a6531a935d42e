// Meshes in Collada and glTF files as shapes of bodies: the same body as the same triangles in an STL.
#include <doctest/doctest.h>

#include <string>

#include "lib/robots/to_autosim.hpp"
#include "lib/scenario/build.hpp"
#include "lib/scenario/codes.hpp"
#include "lib/sim/scene/mesh_file.hpp"
#include "tests/support/support.hpp"

using namespace simbatch;

namespace {

// A tetrahedron with its corner at the origin and edges of 1, 2 and 3 m along x, y and z (z up); faces outwards.
const std::string kStl =
    "solid t\n"
    "facet normal 0 0 0\nouter loop\nvertex 0 0 0\nvertex 0 2 0\nvertex 1 0 0\nendloop\nendfacet\n"
    "facet normal 0 0 0\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 0 3\nendloop\nendfacet\n"
    "facet normal 0 0 0\nouter loop\nvertex 0 0 0\nvertex 0 0 3\nvertex 0 2 0\nendloop\nendfacet\n"
    "facet normal 0 0 0\nouter loop\nvertex 1 0 0\nvertex 0 2 0\nvertex 0 0 3\nendloop\nendfacet\n"
    "endsolid t\n";

/// In centimeters.
std::string collada(const std::string& up) {
  return "<COLLADA xmlns='http://www.collada.org/2005/11/COLLADASchema' version='1.4.1'><asset><unit name='cm' meter='0.01'/>"
         "<up_axis>" +
         up +
         "</up_axis></asset><library_geometries><geometry id='g'><mesh><source id='p'>"
         "<float_array id='a' count='12'>0 0 0 100 0 0 0 200 0 0 0 300</float_array><technique_common>"
         "<accessor source='#a' count='4' stride='3'><param name='X' type='float'/><param name='Y' type='float'/>"
         "<param name='Z' type='float'/></accessor></technique_common></source><vertices id='v'>"
         "<input semantic='POSITION' source='#p'/></vertices><triangles count='4'>"
         "<input semantic='VERTEX' source='#v' offset='0'/><p>0 2 1 0 1 3 0 3 2 1 2 3</p></triangles></mesh></geometry>"
         "</library_geometries><library_visual_scenes><visual_scene id='s'><node id='n'><instance_geometry url='#g'/></node>"
         "</visual_scene></library_visual_scenes><scene><instance_visual_scene url='#s'/></scene></COLLADA>";
}

/// With y up: what is (x, y, z) with z up is (x, z, -y). Corners as in the STL, in a file beside it.
const std::string kGltf =
    R"({"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],"nodes":[{"mesh":0}],"meshes":[{"primitives":[)"
    R"({"attributes":{"POSITION":0},"indices":1}]}],"accessors":[{"bufferView":0,"componentType":5126,"count":4,)"
    R"("type":"VEC3","min":[0,0,-2],"max":[1,3,0]},{"bufferView":1,"componentType":5121,"count":12,"type":"SCALAR"}],)"
    R"("bufferViews":[{"buffer":0,"byteOffset":0,"byteLength":48},{"buffer":0,"byteOffset":48,"byteLength":12}],)"
    R"("buffers":[{"byteLength":60,"uri":"t.bin"}]})";
std::string gltf_buffer() {
  const float points[] = {0, 0, 0, 1, 0, 0, 0, 0, -2, 0, 3, 0};
  std::string bytes(reinterpret_cast<const char*>(points), sizeof points);
  for (const int corner : {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3}) bytes += static_cast<char>(corner);
  return bytes;
}

std::string robot(const std::string& mesh, const std::string& scale = "1 1 1") {
  return "<robot name='r'><link name='l'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/>"
         "</inertial><collision><origin xyz='0 0 4' rpy='0.3 0.2 0.1'/><geometry><mesh filename='" +
         mesh + "' scale='" + scale + "'/></geometry></collision></link></robot>";
}

struct MeshFolder : test::TemporaryFolder {
  MeshFolder() {
    test::write_text(file("t.stl"), kStl);
    test::write_text(file("t.dae"), collada("Z_UP"));
    test::write_text(file("y.dae"), collada("Y_UP"));
    test::write_text(file("t.gltf"), kGltf);
    test::write_text(file("t.bin"), gltf_buffer());
  }
  /// Where the body is after a fall of two seconds and what it hits on the way.
  geo::Pose fallen(const std::string& mesh, const std::string& scale = "1 1 1") const {
    test::write_text(file("r.urdf"), robot(mesh, scale));
    auto built = scenario::build_scenario(file("r.urdf"));
    REQUIRE_MESSAGE(built.value, test::all_text(built.diagnostics));
    CHECK_MESSAGE(built.diagnostics.errors() + built.diagnostics.warnings() == 0, test::all_text(built.diagnostics));
    inputs = built.value->inputs.size();
    for (int i = 0; i < 2000; ++i) REQUIRE(built.value->simulation->step());
    return built.value->simulation->world().pose(built.value->simulation->world().find_body("r.l"));
  }
  mutable std::size_t inputs = 0;
};

double volume(const physics::TriangleMesh& mesh) {
  double sum = 0;
  for (std::size_t i = 0; i + 2 < mesh.indices.size(); i += 3)
    sum +=
        geo::dot(mesh.points[mesh.indices[i]], geo::cross(mesh.points[mesh.indices[i + 1]], mesh.points[mesh.indices[i + 2]]));
  return sum / 6;
}

}  // namespace

TEST_CASE("mesh files: Collada and glTF have their axes, units and outward faces") {
  const MeshFolder folder;
  for (const char* name : {"t.dae", "y.dae", "t.gltf"}) {
    CAPTURE(name);
    CHECK(robots::has_y_up(name));
    std::string why;
    models::ModelReader reader;
    const auto mesh = scene::read_mesh_file(reader, folder.file(name), why);
    REQUIRE_MESSAGE(mesh, why);
    CHECK(mesh->indices.size() == 12);
    CHECK(volume(*mesh) == doctest::Approx(1));
    geo::Vec3 high{};
    for (const geo::Vec3 p : mesh->points) high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
    CHECK(high.x == doctest::Approx(1));
    CHECK(high.y == doctest::Approx(3));
    CHECK(high.z == doctest::Approx(2));
  }
  CHECK(robots::has_y_up("A.DAE"));
  CHECK_FALSE(robots::has_y_up("dae"));
  CHECK_FALSE(robots::has_y_up("t.stl"));
}

TEST_CASE("mesh files: a robot falls alike, whatever the format of its mesh") {
  const MeshFolder folder;
  for (const char* scale : {"1 1 1", "0.5 1.5 0.25"}) {
    CAPTURE(scale);
    const geo::Pose stl = folder.fallen("t.stl", scale);
    CHECK(folder.inputs == 2);
    for (const char* name : {"t.dae", "y.dae", "t.gltf"}) {
      CAPTURE(name);
      const geo::Pose pose = folder.fallen(name, scale);
      CHECK(folder.inputs == (std::string(name) == "t.gltf" ? 3 : 2));
      // A hull whose corners come in another order tumbles a little differently.
      CHECK(geo::length(pose.p - stl.p) < 0.05);
    }
  }
}

TEST_CASE("mesh files: all meshes of a scenario are read in one limit of time") {
  const MeshFolder folder;
  const std::string meshes =
      "<Mesh name=\"a\"><Position x=\"0\" z=\"0\"/><File path=\"t.dae\"/></Mesh>\n"
      "<Mesh name=\"b\"><Position x=\"9\" z=\"0\"/><File path=\"y.dae\"/></Mesh>\n";
  test::write_text(folder.file("w.xml"), "<World name=\"w\">\n<Physics><Engine name=\"bullet\"/></Physics>\n<Objects>\n" +
                                             meshes + "</Objects></World>");
  CHECK(scenario::build_scenario(folder.file("w.xml")).value);
  scenario::BuildOptions options;
  options.mesh_seconds = 1e-6;
  auto built = scenario::build_scenario(folder.file("w.xml"), options);
  CHECK_FALSE(built.value);
  test::Expected expected(std::move(built.diagnostics));
  CHECK(expected.take(scenario::code::kShape, Position{4, 1}).find("reading it takes too long") != std::string::npos);
  CHECK(expected.take(scenario::code::kShape, Position{5, 1}).find("the models before it took too long to read") !=
        std::string::npos);
}

TEST_CASE("mesh files: what cannot be read is an error where it is named") {
  const MeshFolder folder;
  test::write_text(folder.file("t.dae"), collada("Z_UP").substr(0, 700));
  test::write_text(folder.file("r.urdf"), robot("t.dae"));
  auto built = scenario::build_scenario(folder.file("r.urdf"));
  CHECK_FALSE(built.value);
  test::Expected expected(std::move(built.diagnostics));
  CHECK(expected.take(scenario::code::kShape).find("t.dae") != std::string::npos);
}
