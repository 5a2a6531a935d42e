// The examples of docs/formats/graspit.md are read as they stand there.
#include <doctest/doctest.h>

#include "formats/graspit/graspit.hpp"
#include "tests/support/support.hpp"

using namespace simbatch;

namespace {

std::string example(std::string_view name) {
  const std::string page = "docs/formats/graspit.md";  // tests run in the top folder
  const std::string text = test::read_text(page);
  const std::size_t mark = text.find("<!-- example " + std::string(name) + " -->");
  REQUIRE(mark != std::string::npos);
  const std::size_t first = text.find("```\n", mark) + 4;
  return text.substr(first, text.find("```", first) - first);
}

}  // namespace

TEST_CASE("graspit: the examples of the format's page read without a complaint") {
  const auto body = graspit::read_body_header(example("body"), graspit::Reading::forgiving, "body");
  CHECK(test::all_text(body.diagnostics).empty());
  CHECK(body.value->cog->at(2) == 12.5);
  const auto robot = graspit::read_cfg(example("cfg"), graspit::Reading::forgiving, "cfg");
  CHECK(test::all_text(robot.diagnostics).empty());
  CHECK(robot.value->chains[0].joints[1].variable.offset == 40);
  const auto world = graspit::read_wld(example("wld"), graspit::Reading::forgiving, "wld");
  CHECK(test::all_text(world.diagnostics).empty());
  CHECK(world.value->robots[0].dof_values.size() == 4);
}
