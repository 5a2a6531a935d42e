#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>

#include "formats/autosim/build_data.hpp"
#include "formats/autosim/houses.hpp"
#include "formats/autosim/robot.hpp"
#include "formats/autosim/setup.hpp"
#include "formats/autosim/world.hpp"
#include "tests/support/support.hpp"
#include "tests/unit/formats/autosim/samples.hpp"

// The examples of the pages are read, and the schemas accept what the readers accept.

using namespace simbatch;
using namespace simbatch::autosim;

namespace {

/// The fenced xml blocks of a page.
std::vector<std::string> examples(const std::filesystem::path& page) {
  const std::string text = simbatch::test::read_text(page);
  const std::string begin = "```xml\n", end = "```";
  std::vector<std::string> found;
  for (std::size_t at = text.find(begin); at != std::string::npos; at = text.find(begin, at)) {
    at += begin.size();
    const std::size_t stop = text.find(end, at);
    found.push_back(text.substr(at, stop - at));
    at = stop;
  }
  return found;
}

template <class T, class Write>
void check_example(const Parsed<T>& parsed, Write write) {
  CAPTURE(simbatch::test::all_text(parsed.diagnostics));
  REQUIRE(parsed.ok());
  CHECK(parsed.diagnostics.empty());
  CHECK_FALSE(write(*parsed.value).empty());
}

bool have_xmllint() {
  if (std::system("command -v xmllint > /dev/null") == 0) return true;
  MESSAGE("skipped: no xmllint");
  return false;
}

/// Runs xmllint over the folder's files; true if all are valid.
bool is_valid(const std::string& schema, const simbatch::test::TemporaryFolder& folder) {
  const std::string command = "xmllint --noout --schema docs/schemas/autosim-" + schema + ".xsd " + folder.path().string() +
                              "/*.xml > " + folder.path().string() + "/log 2>&1";
  if (std::system(command.c_str()) == 0) return true;
  MESSAGE(simbatch::test::read_text(folder.path() / "log").substr(0, 2000));
  return false;
}

}  // namespace

TEST_CASE("autosim pages: the examples read without a diagnostic") {
  int count = 0;
  for (const char* page : {"docs/scenario.md", "docs/robot.md", "docs/formats/autosim.md", "docs/formats/autosim-setup.md",
                           "docs/formats/autosim-houses.md"}) {
    CAPTURE(page);
    for (const std::string& text : examples(page)) {
      ++count;
      const Parsed<BuildData> data = read_build_data(text, page);
      REQUIRE(data.ok());
      if (data.value->type == "World") check_example(read_world(text, page), write_world);
      if (data.value->type == "Robot") check_example(read_robot(text, page), write_robot);
      if (data.value->type == "Setup") check_example(read_setup(text, page), write_setup);
      if (data.value->type == "houses") check_example(read_houses(text, page), write_houses);
    }
  }
  CHECK(count == 11);
}

TEST_CASE("autosim schemas: xmllint accepts samples, examples, scenarios and generated files") {
  if (!have_xmllint()) return;
  const simbatch::test::TemporaryFolder worlds, robots, setups, houses;
  simbatch::test::write_text(worlds.path() / "every.xml", autosim::test::kEveryWorldElement);
  simbatch::test::write_text(robots.path() / "every.xml", autosim::test::kEveryRobotElement);
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const std::string name = "generated" + std::to_string(seed) + ".xml";
    simbatch::test::write_text(worlds.path() / name, write_world(autosim::test::random_world(seed)));
    simbatch::test::write_text(robots.path() / name, write_robot(autosim::test::random_robot(seed)));
    simbatch::test::write_text(setups.path() / name, write_setup(autosim::test::random_setup(seed)));
    simbatch::test::write_text(houses.path() / name, write_houses(autosim::test::random_houses(seed)));
  }
  const auto add = [&](const std::string& text, const std::string& name) {
    const Parsed<BuildData> data = read_build_data(text, name);
    if (!data.value) return;
    const std::string& type = data.value->type;
    if (type == "World") simbatch::test::write_text(worlds.path() / name, text);
    // <Robot file=> is an entry of a World file, shown by itself.
    if (type == "Robot" && data.value->find("file") == nullptr) simbatch::test::write_text(robots.path() / name, text);
    if (type == "Setup") simbatch::test::write_text(setups.path() / name, text);
    if (type == "houses") simbatch::test::write_text(houses.path() / name, text);
  };
  int n = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator("scenarios"))
    if (entry.path().extension() == ".xml")
      add(simbatch::test::read_text(entry.path()), "scenario" + std::to_string(n++) + ".xml");
  for (const auto& entry : std::filesystem::recursive_directory_iterator("docs"))
    if (entry.path().extension() == ".md")
      for (const std::string& text : examples(entry.path())) add(text, "example" + std::to_string(n++) + ".xml");
  CHECK(is_valid("world", worlds));
  CHECK(is_valid("robot", robots));
  CHECK(is_valid("setup", setups));
  CHECK(is_valid("houses", houses));
}

TEST_CASE("autosim schemas: xmllint refuses what the readers refuse") {
  if (!have_xmllint()) return;
  for (const auto& [from, to] : {std::pair{"<Mass value=\"10\"/>", "<Mass value=\"-10\"/>"},
                                 {"<Mass value=\"10\"/>", ""},
                                 {"\"gyro0\"", "\"gyro.0\""},
                                 {"<Alpha", "<Alfa"},
                                 {"\"thirdperson\"", "\"third\""},
                                 {"value=\"0.05\"", "value=\"0,05\""},
                                 {"range=\"0.01\"", "rang=\"0.01\""}}) {
    std::string text(autosim::test::kEveryRobotElement);
    text.replace(text.find("\"fixed\""), 7, "\"thirdperson\"");
    const std::size_t at = text.find(from);
    REQUIRE(at != std::string::npos);
    text.replace(at, std::string_view(from).size(), to);
    const std::string replacement = to;
    CAPTURE(replacement);
    CHECK(read_robot(text, "x").diagnostics.has_errors());
    const simbatch::test::TemporaryFolder folder;
    simbatch::test::write_text(folder.path() / "x.xml", text);
    const std::string command =
        "xmllint --noout --schema docs/schemas/autosim-robot.xsd " + folder.file("x.xml") + " > /dev/null 2>&1";
    CHECK(std::system(command.c_str()) != 0);
  }
}
