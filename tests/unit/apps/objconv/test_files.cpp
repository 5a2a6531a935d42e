// objconv check, info, fmt and conversions of several files: what a run that fails leaves, and what programs read.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <sstream>
#include <string>

#include "apps/objconv/commands.hpp"
#include "tests/support/support.hpp"
#include "tests/unit/apps/in_process.hpp"

using namespace simbatch;
using namespace simbatch::objconv;
using test::ran;
using test::Ran;
namespace fs = std::filesystem;

namespace {

const std::string kObjects = "tests/conversions/files/object1.obj";

std::string file_in(const test::TemporaryFolder& folder, const std::string& name, std::string_view text) {
  test::write_text(folder.file(name), text);
  return folder.file(name);
}

std::string info_of(const std::string& file, bool json) {
  const Ran result =
      json ? ran(add_files, {{"INPUT", file}, {"--json", ""}}, {}, "info") : ran(add_files, {{"INPUT", file}}, {}, "info");
  CAPTURE(result.err);
  CHECK(result.code == 0);
  return result.out;
}

}  // namespace

TEST_CASE("objconv: standard input is read once") {
  for (const char* command : {"check", "info", "fmt"})
    CHECK(ran(add_files, {{"INPUT", "-"}, {"INPUT", kObjects}, {"INPUT", "-"}, {"--out-dir", "out"}}, {}, command).err ==
          "only one input can be standard input");
}

TEST_CASE("objconv: a report that cannot be written leaves no outputs without it") {
  const test::TemporaryFolder folder;
  for (const std::string& report : {folder.file("absent/r.json"), folder.path().string()}) {
    CAPTURE(report);
    CHECK(ran(add_versions, {{"INPUT", kObjects}, {"--output", folder.file("o.xml")}, {"--report", report}}).code == 3);
    CHECK(ran(add_convert,
              {{"INPUT", "tests/conversions/files/scene.wld"}, {"--output", folder.file("o.sdf")}, {"--report", report}})
              .code == 3);
    CHECK(fs::is_empty(folder.path()));
  }
  // In a folder that the conversion makes.
  const Ran made = ran(add_convert, {{"INPUT", "tests/conversions/files/scene.wld"},
                                     {"--output", folder.file("new/o.sdf")},
                                     {"--report", folder.file("new/r.json")}});
  CAPTURE(made.err);
  CHECK(made.code == 0);
  CHECK(test::read_text(folder.file("new/r.json")).find("graspit-loss-camera") != std::string::npos);
}

TEST_CASE("objconv: a run without results leaves no folder") {
  const test::TemporaryFolder folder;
  const std::string bad = file_in(folder, "bad.obj", "1 // objects\n");
  const auto convert = [&](const std::string& input, const std::string& report) {
    test::Words words{{"INPUT", input}, {"--out-dir", folder.file("new/deep")}};
    if (!report.empty()) words.emplace_back("--report", report);
    return ran(add_versions, words).code;
  };
  CHECK(convert(bad, "") == 1);
  CHECK(convert(folder.file("absent.obj"), "") == 3);
  CHECK(convert(kObjects, folder.file("absent/r.json")) == 3);
  CHECK_FALSE(fs::exists(folder.file("new")));
  CHECK(convert(kObjects, folder.file("new/deep/r.json")) == 0);
  CHECK(fs::exists(folder.file("new/deep/object1.xml")));
  // One that was there stays.
  fs::create_directory(folder.file("kept"));
  CHECK(ran(add_versions, {{"INPUT", bad}, {"--out-dir", folder.file("kept")}}).code == 1);
  CHECK(fs::exists(folder.file("kept")));
}

TEST_CASE("objconv info: no fact is lost to another of its name, and no number is made up") {
  const test::TemporaryFolder folder;
  const std::string worlds = file_in(folder, "w.sdf",
                                     "<sdf version='1.9'><world name='w'><include><uri>a</uri></include>"
                                     "<include><uri>b</uri></include></world></sdf>");
  CHECK(info_of(worlds, true).find("\"include\":\"a\",\"include#2\":\"b\"}") != std::string::npos);
  const std::string link =
      "<inertial><mass value='1e308'/><inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/></inertial></link>";
  const std::string heavy = file_in(folder, "r.urdf",
                                    "<robot name='r'><link name='a'>" + link + "<link name='b'>" + link +
                                        "<joint name='j' type='fixed'><parent link='a'/><child link='b'/></joint></robot>");
  CHECK(info_of(heavy, true).find("\"mass_kg\":null,") != std::string::npos);
}

TEST_CASE("objconv info: names that would move a terminal's cursor are spelled out") {
  const test::TemporaryFolder folder;
  const std::string file = file_in(folder, "a\x1b[2J\nb.urdf", "<robot name='r&#10;x\xc2\x9b'><link name='a'/></robot>");
  const std::string text = info_of(file, false);
  CHECK(text.starts_with(folder.file("a\\x1B[2J\\x0Ab.urdf\n  kind ")));
  CHECK(text.find("r\\x0Ax\\xC2\\x9B\n") != std::string::npos);
  CHECK(info_of(file, true).find("a\\u001b[2J\\nb.urdf") != std::string::npos);
}

TEST_CASE("objconv: command lines whose options cannot be served") {
  const test::Words names{{"INPUT", kObjects}, {"--rndf", "tests/conversions/files/network.rndf"}};
  test::Words piped{{"INPUT", "-"}, {"--rndf", "n.rndf"}};
  CHECK(ran(add_maps, piped).err == "INPUT: must be a file, not standard input: the scenario names it");
  CHECK(ran(add_maps, {{"INPUT", kObjects}, {"--rndf", "-"}}).err ==
        "--rndf: must be a file, not standard input: the scenario names it");
  const Ran scenario = ran(add_maps, names);
  CHECK(scenario.code == 0);
  CHECK(scenario.out.find("objects=\"" + kObjects + "\"") != std::string::npos);
  for (const char* output : {"x.sdf", "x.obj", "x.xodr"}) {
    CAPTURE(output);
    CHECK(ran(add_convert, {{"INPUT", "w.xml"}, {"--output", output}, {"--trace", "t.json"}}).err ==
          "--trace: only a scene (.glb) shows the motion of a run");
  }
}

TEST_CASE("objconv resolve: names of objects make neither columns nor rows") {
  const test::TemporaryFolder folder;
  std::string text = test::read_text("tests/conversions/files/object2.xml");
  const std::size_t object = text.find("<object ");
  const std::size_t from = text.find("<name>", object), to = text.find("</name>", object);
  REQUIRE(to != std::string::npos);
  text.replace(from, to - from, "<name>a&#9;b&#10;c");
  const Ran table = ran(
      add_maps, {{"INPUT", file_in(folder, "o.xml", text)}, {"--rndf", "tests/conversions/files/network.rndf"}}, {}, "resolve");
  REQUIRE(table.code == 0);
  CHECK(table.out.find("\ta\\x09b\\x0Ac\t") != std::string::npos);
  std::istringstream lines(table.out);
  for (std::string line; std::getline(lines, line);) CHECK(std::count(line.begin(), line.end(), '\t') == 10);
}
