// objconv convert and render: no output replaces what the input is made of.
#include <doctest/doctest.h>

#include <filesystem>
#include <map>

#include "apps/objconv/codes.hpp"
#include "apps/objconv/commands.hpp"
#include "tests/support/support.hpp"
#include "tests/unit/apps/in_process.hpp"

using namespace simbatch;
using namespace simbatch::objconv;
using test::ran;
using test::Ran;
namespace fs = std::filesystem;

namespace {

/// The files of the tests of conversions, in a folder of their own.
struct Files {
  test::TemporaryFolder folder;
  Files() { fs::copy("tests/conversions/files", folder.path(), fs::copy_options::recursive); }
  std::string file(const std::string& name) const { return folder.file(name); }
  std::string add(const std::string& name, std::string_view text) const {
    test::write_text(file(name), text);
    return file(name);
  }
  /// All files with their texts.
  std::map<std::string, std::string> texts() const {
    std::map<std::string, std::string> all;
    for (const auto& entry : fs::recursive_directory_iterator(folder.path()))
      if (entry.is_regular_file()) all[entry.path().string()] = test::read_text(entry.path().string());
    return all;
  }
};

constexpr std::string_view kBox = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n";

std::string robot_with_mesh(const std::string& mesh) {
  return "<robot name=\"r\"><link name=\"a\"><inertial><mass value=\"1\"/><inertia ixx=\"1\" iyy=\"1\" izz=\"1\" ixy=\"0\" ixz=\"0\" "
         "iyz=\"0\"/></inertial><collision><geometry><mesh filename=\"" +
         mesh + "\"/></geometry></collision></link></robot>";
}

}  // namespace

TEST_CASE("objconv convert: no output replaces a file that the input names") {
  const Files files;
  files.add("part.obj", kBox);
  const std::string urdf = files.add("mesh.urdf", robot_with_mesh("part.obj"));
  fs::create_directories(files.file("to/meshes/far"));
  const std::string other = files.add("far.urdf", robot_with_mesh("to/meshes/far/part.obj"));
  files.add("to/meshes/far/part.obj", kBox);
  const auto before = files.texts();
  struct Row {
    std::string input, output, report, refused;
  };
  for (const Row& row : {
           Row{files.file("scene.wld"), files.file("new.sdf"), files.file("models/ball.iv"), "--report"},
           Row{files.file("models/robots/finger/finger.cfg"), files.file("new.urdf"),
               files.file("models/robots/finger/iv/long.iv"), "--report"},
           Row{urdf, files.file("part.obj"), "", "--output"},
           Row{urdf, files.file("new.xml"), files.file("part.obj"), "--report"},
           Row{urdf, files.file("part.glb"), files.file("part.obj"), "--report"},
           Row{other, files.file("to/far.xml"), "", "a file beside the output"},
           Row{urdf, files.file("to/far.xml"), files.file("to/meshes/far/part.obj"), "--report and a file beside the output"},
       }) {
    CAPTURE(row.output);
    CAPTURE(row.report);
    test::Words words{{"INPUT", row.input}, {"--output", row.output}};
    if (!row.report.empty()) words.emplace_back("--report", row.report);
    const Ran result = ran(add_convert, words);
    CHECK(result.code == 1);
    CAPTURE(result.err);
    CHECK(result.err.find("error: " + row.refused) != std::string::npos);
    CHECK(result.err.find(code::kOverwrite.name) != std::string::npos);
    CHECK((files.texts() == before));
  }
}

TEST_CASE("objconv convert: networks of SUMO and maps of Lanelet2 have their whole suffix") {
  const Files files;
  const std::string input = files.file("streets.osm");
  for (const std::string suffix : {".net", ".lanelet2"}) {
    CAPTURE(suffix);
    const Ran result = ran(add_convert, {{"INPUT", input}, {"--output", files.file("town" + suffix)}});
    CHECK(result.code == 1);
    CHECK(result.err.find("cannot be converted to " + suffix + ", expected .xodr, .lanelet2.osm, .net.xml or .geojson") !=
          std::string::npos);
    CHECK_FALSE(fs::exists(files.file("town" + suffix)));
  }
  for (const std::string to : {"net", "lanelet2"})
    CHECK(ran(add_convert, {{"INPUT", input}, {"--output", files.file("town.xml")}, {"--to", to}}).code == 0);
}

TEST_CASE("objconv convert: a file is replaced by its own format only") {
  const Files files;
  const auto convert = [&](const std::string& name, const std::string& to) {
    return ran(add_convert, {{"INPUT", files.file(name)}, {"--output", files.file(name)}, {"--to", to}});
  };
  const auto before = files.texts();
  CHECK(convert("streets.osm", "lanelet2").code == 2);
  CHECK(convert("robot.xml", "urdf").code == 2);
  CHECK(convert("arm.urdf", "xml").code == 2);
  CHECK((files.texts() == before));
  // The same suffix, another format.
  files.add("urdf.xml", test::read_text(files.file("arm.urdf")));
  const auto more = files.texts();
  for (const char* name : {"arm.mjcf.xml", "urdf.xml"}) {
    CAPTURE(name);
    const Ran result = convert(name, "xml");
    CHECK(result.code == 1);
    CHECK(result.err.find(code::kOverwrite.name) != std::string::npos);
  }
  CHECK((files.texts() == more));
  for (const auto& [name, to] : {std::pair{"arm.urdf", "urdf"}, std::pair{"world.sdf", "sdf"}, std::pair{"scene.wld", "wld"},
                                 std::pair{"grasp-world.xml", "xml"}, std::pair{"models/ball.iv", "iv"}}) {
    CAPTURE(name);
    const Ran result = convert(name, to);
    CAPTURE(result.err);
    CHECK(result.code == 0);
  }
}

TEST_CASE("objconv render: no picture replaces a mesh that the input names") {
  const Files files;
  files.add("part.obj", kBox);
  const std::string urdf = files.add("mesh.urdf", robot_with_mesh("part.obj"));
  const auto before = files.texts();
  for (const auto& [input, output] : {std::pair{urdf, "part.obj"}, std::pair{files.file("scene.wld"), "models/table.iv"}}) {
    CAPTURE(input);
    const Ran result = ran(add_render, {{"FILE", input}, {"--output", files.file(output)}, {"--size", "16x16"}});
    CHECK(result.code == 1);
    CHECK(result.err.find(code::kOverwrite.name) != std::string::npos);
    CHECK((files.texts() == before));
  }
}

TEST_CASE("objconv convert: where one file of several cannot be written, none is") {
  const Files files;
  const auto model = [](const std::string& name) {
    return "<model name='" + name +
           "'><link name='l'><inertial><mass>1</mass><inertia><ixx>1</ixx><iyy>1</iyy><izz>1</izz></inertia></inertial>"
           "<collision name='c'><geometry><box><size>1 2 3</size></box></geometry></collision></link></model>";
  };
  const std::string world =
      files.add("w.sdf", "<sdf version='1.9'><world name='w'>" + model("a") + model(std::string(260, 'b')) + "</world></sdf>");
  const auto before = files.texts();
  const Ran result = ran(add_convert, {{"INPUT", world}, {"--output", files.file("out.xml")}});
  CHECK(result.code == 3);
  CHECK(result.err.find("cannot write: File name too long") != std::string::npos);
  CHECK((files.texts() == before));
}
