// Sizes of models are those of their files, of whatever type: the axes and units of each as simulators draw them.
#include <doctest/doctest.h>

#include <filesystem>
#include <string>

#include "apps/osmgen/codes.hpp"
#include "apps/osmgen/measure.hpp"
#include "tests/support/support.hpp"

using namespace simbatch;
using namespace simbatch::osmgen;

namespace {

// A slanted roof each, 6 m wide, 4.5 m high and 5 m deep.
constexpr std::string_view kObj = "v -3 0 -2.5\nv 3 0 -2.5\nv 3 4.5 2.5\nv -3 4.5 2.5\nf 1 2 3 4\n";
constexpr std::string_view kStl =
    "solid t\nfacet normal 0 0 0\nouter loop\nvertex -3 0 -2.5\nvertex 3 0 -2.5\nvertex 3 4.5 2.5\nendloop\nendfacet\nendsolid t\n";
/// In centimeters, z up.
constexpr std::string_view kDae =
    "<COLLADA xmlns='http://www.collada.org/2005/11/COLLADASchema' version='1.4.1'><asset><unit name='cm' meter='0.01'/>"
    "<up_axis>Z_UP</up_axis></asset><library_geometries><geometry id='g'><mesh><source id='p'>"
    "<float_array id='a' count='9'>-300 -250 0 300 -250 0 300 250 450</float_array><technique_common>"
    "<accessor source='#a' count='3' stride='3'><param name='X' type='float'/><param name='Y' type='float'/>"
    "<param name='Z' type='float'/></accessor></technique_common></source><vertices id='v'>"
    "<input semantic='POSITION' source='#p'/></vertices><triangles count='1'>"
    "<input semantic='VERTEX' source='#v' offset='0'/><p>0 1 2</p></triangles></mesh></geometry>"
    "</library_geometries><library_visual_scenes><visual_scene id='s'><node id='n'><instance_geometry url='#g'/></node>"
    "</visual_scene></library_visual_scenes><scene><instance_visual_scene url='#s'/></scene></COLLADA>";
constexpr std::string_view kGltf =
    R"({"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],"nodes":[{"mesh":0,"scale":[2,1,1]}],)"
    R"("meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],"accessors":[{"bufferView":0,"componentType":5126,"count":3,)"
    R"("type":"VEC3","min":[-1.5,0,-2.5],"max":[1.5,4.5,2.5]}],"bufferViews":[{"buffer":0,"byteOffset":0,"byteLength":36}],)"
    R"("buffers":[{"byteLength":36,"uri":"t.bin"}]})";
std::string gltf_buffer() {
  const float points[] = {-1.5, 0, -2.5, 1.5, 0, -2.5, 1.5, 4.5, 2.5};
  return {reinterpret_cast<const char*>(points), sizeof points};
}

struct List {
  test::TemporaryFolder folder;
  autosim::HouseList houses;
  Diagnostics problems{"h.xml"};
  List() { houses.sections.emplace_back().landuse = "residential"; }
  void add(const std::string& path, const std::string& type, std::string_view text) {
    const std::filesystem::path file = folder.path() / path;
    std::filesystem::create_directories(file.parent_path());
    test::write_text(file, text);
    houses.sections[0].models.push_back({"house", path, {{4, 7}}, {path, type}, {}, 1});
  }
  void measure() { measure_models(houses, folder.file("h.xml"), true, problems); }
};

}  // namespace

TEST_CASE("osmgen: models of all types have the size that simulators draw") {
  List list;
  list.add("hut.obj", "obj", kObj);
  list.add("hut.stl", "stl", kStl);
  list.add("hut.dae", "dae", kDae);
  list.add("t.gltf", "gltf", kGltf);
  test::write_text(list.folder.file("t.bin"), gltf_buffer());
  list.add("m/LOD0/model.dae", "dae", kDae);
  list.houses.sections[0].models.back().file = {"m", "dae"};
  list.measure();
  CHECK_MESSAGE(list.problems.empty(), test::all_text(list.problems));
  for (const autosim::HouseModel& model : list.houses.sections[0].models) {
    CAPTURE(model.name);
    CHECK(model.box_size == autosim::Vector3{6, 4.5, 5});
  }
}

TEST_CASE("osmgen: why a model cannot be measured") {
  List list;
  std::string flat(kDae);
  flat.replace(flat.find("300 250 450"), 11, "300 250 0.0");
  list.add("a.obj", "obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
  list.add("b.dae", "dae", "<COLLADA");
  list.add("c.blend", "blend", "BLENDER");
  list.add("d.dae", "dae", flat);
  list.add("millimeters.obj", "obj", "v 0 0 0\nv 9000 0 0\nv 0 6000 8000\nf 1 2 3\n");
  list.measure();
  CHECK(list.problems.errors() == 5);
  test::Expected expected(list.problems);
  CHECK(expected.take(code::kModelSize, Position{4, 7}).find("a.obj\" has no extent in three directions") != std::string::npos);
  CHECK(expected.take(code::kModelSize, Position{4, 7}).find("b.dae\": it is not a valid file") != std::string::npos);
  CHECK(expected.take(code::kModelSize, Position{4, 7}).find("c.blend\": files of its type are not read (OBJ, 3DS,") !=
        std::string::npos);
  CHECK(expected.take(code::kModelSize, Position{4, 7}).ends_with("d.dae\" has no extent in three directions"));
  CHECK(expected.take(code::kModelSize, Position{4, 7}).find("is 9000 x 6000 x 8000 m; at most 1000 m (other units?)") !=
        std::string::npos);
}
