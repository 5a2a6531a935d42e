// The real files against their authors' own XML twins.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>

#include "formats/graspit/graspit.hpp"
#include "tests/support/support.hpp"

using namespace simbatch;
using namespace simbatch::graspit;

namespace {

std::vector<std::filesystem::path> corpus(std::string_view suffix) {
  std::vector<std::filesystem::path> files;
  if (const auto root = test::shared_file("corpus/graspit"))
    for (const auto& entry : std::filesystem::recursive_directory_iterator(*root))
      if (entry.path().extension() == suffix) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

std::string twin_name(std::string name) {
  for (const std::string_view suffix : {".iv", ".wrl", ".cfg"})
    if (name.ends_with(suffix)) return name.substr(0, name.size() - suffix.size()) + ".xml";
  return name;
}

Robot with_twin_names(Robot robot) {
  robot.palm = twin_name(robot.palm);
  for (Chain& chain : robot.chains)
    for (Link& link : chain.links) link.file = twin_name(link.file);
  return robot;
}

// What the XML cannot hold: comments, the material line of an obstacle, radians.
World with_twin_names(World world) {
  world.head.clear();
  for (WorldBody& body : world.bodies) {
    body.file = twin_name(body.file == "models/objects/smallGlass.iv" ? "models/objects/smallglass.iv" : body.file);
    body.material.clear();
  }
  for (WorldRobot& robot : world.robots) robot.file = twin_name(robot.file);
  for (Connection& connection : world.connections) connection.mount = twin_name(connection.mount);
  return world;
}

}  // namespace

TEST_CASE("graspit: every robot of the corpus equals its authors' XML twin") {
  for (const auto& file : corpus(".cfg")) {
    CAPTURE(file);
    const auto robot = read_cfg(test::read_text(file), Reading::loader, file.string());
    auto xml_file = file;
    const auto twin = read_robot_xml(test::read_text(xml_file.replace_extension(".xml")), xml_file.string());
    CAPTURE(test::all_text(robot.diagnostics));
    CAPTURE(test::all_text(twin.diagnostics));
    CHECK(robot.ok());
    CHECK(twin.ok());
    CHECK(with_twin_names(*robot.value) == *twin.value);
    // text -> XML -> text is a fixed point, and read(write(m)) == m in both
    CHECK(*read_robot_xml(write_robot_xml(*robot.value), "x").value == *robot.value);
    const std::string text = write_cfg(*robot.value);
    CHECK(write_cfg(*read_robot_xml(write_robot_xml(*robot.value), "x").value) == text);
    const auto forgiving = read_cfg(test::read_text(file), Reading::forgiving, file.string());
    const auto again = read_cfg(write_cfg(*forgiving.value), Reading::loader, "x.cfg");
    CAPTURE(test::all_text(again.diagnostics));
    Robot expected = *forgiving.value;
    if (expected.flock_of_birds && expected.flock_of_birds->number.empty()) expected.flock_of_birds->number = "0";
    CHECK(*again.value == expected);
    CHECK(again.diagnostics.empty());
  }
}

TEST_CASE("graspit: every world of the corpus equals its authors' XML twin") {
  for (const auto& file : corpus(".wld")) {
    CAPTURE(file);
    const auto world = read_wld(test::read_text(file), Reading::loader, file.string());
    auto xml_file = file;
    auto twin = read_world_xml(test::read_text(xml_file.replace_extension(".xml")), xml_file.string());
    CAPTURE(test::all_text(world.diagnostics));
    CAPTURE(test::all_text(twin.diagnostics));
    CHECK(world.diagnostics.empty());
    CHECK(twin.diagnostics.empty());
    twin.value->head.clear();
    for (WorldBody& body : twin.value->bodies) body.file = twin_name(body.file);
    CHECK(with_twin_names(*world.value) == *twin.value);
    const auto again = read_wld(write_wld(*world.value), Reading::loader, "x.wld");
    CAPTURE(test::all_text(again.diagnostics));
    CHECK(again.diagnostics.empty());
    CHECK(*again.value == *world.value);
    World head = *read_world_xml(write_world_xml(*world.value), "x.xml").value;
    head.head = world.value->head;
    CHECK(write_wld(head) == write_wld(*world.value));  // all its obstacles are of wood, the default
  }
}

TEST_CASE("graspit: every body header of the corpus equals its authors' XML twin") {
  int twins = 0;
  for (const std::string_view suffix : {".iv", ".wrl"}) {
    for (const auto& file : corpus(suffix)) {
      auto xml_file = file;
      xml_file.replace_extension(".xml");
      const std::string text = test::read_text(file);
      const auto body = read_body_header(text, Reading::loader, file.string());
      CAPTURE(file);
      CAPTURE(test::all_text(body.diagnostics));
      CHECK(body.ok());
      // Writing what is there changes the numbers' form at most, and never the geometry.
      const std::string same = set_body_header(text, *body.value);
      CHECK(*read_body_header(same, Reading::loader, "x").value == *body.value);
      CHECK(set_body_header(same, *body.value) == same);
      if (!std::filesystem::exists(xml_file)) continue;
      const auto twin = read_body_xml(test::read_text(xml_file), xml_file.string());
      CAPTURE(test::all_text(twin.diagnostics));
      CHECK(twin.ok());
      Body expected = *twin.value, got = *body.value;
      CHECK(expected.geometry_file == file.filename().string());
      expected.geometry_file.clear();
      expected.geometry_type.clear();
      CHECK(got.flock_of_birds.has_value() == expected.flock_of_birds.has_value());  // "1" there, "1.0" here
      got.flock_of_birds.reset();
      expected.flock_of_birds.reset();
      // The twin of an obstacle spells out the default that its world names.
      if (!got.material && expected.material == "wood") expected.material.reset();
      CHECK(got == expected);
      ++twins;
    }
  }
  MESSAGE(twins << " twins compared");
}
