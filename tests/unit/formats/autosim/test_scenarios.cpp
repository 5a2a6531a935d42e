#include <doctest/doctest.h>

#include <filesystem>

#include "formats/autosim/houses.hpp"
#include "formats/autosim/robot.hpp"
#include "formats/autosim/setup.hpp"
#include "formats/autosim/world.hpp"
#include "tests/support/support.hpp"

using namespace simbatch;
using namespace simbatch::autosim;

namespace {

/// Reads, and checks that the writer's text reads the same and is then a fixed point.
template <class Read, class Write>
void check_file(const std::string& text, const std::string& name, Read read, Write write) {
  CAPTURE(name);
  const auto parsed = read(text, name);
  CAPTURE(simbatch::test::all_text(parsed.diagnostics));
  REQUIRE(parsed.ok());
  CHECK(parsed.diagnostics.empty());
  const std::string canonical = write(*parsed.value);
  const auto again = read(canonical, name);
  CHECK(again.value == parsed.value);
  CHECK(write(*again.value) == canonical);
}

}  // namespace

TEST_CASE("autosim: all AutoSim files of the scenarios read without a diagnostic, and come back from the writer") {
  int worlds = 0, robots = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator("scenarios")) {
    if (entry.path().extension() != ".xml") continue;
    const std::string text = simbatch::test::read_text(entry.path()), name = entry.path().string();
    if (text.find("<object_file") != std::string::npos) continue;  // a CajunBot object file
    const Parsed<BuildData> generic = read_build_data(text, name);
    REQUIRE(generic.ok());
    if (generic.value->type == "World") {
      check_file(text, name, read_world, [](const World& w) { return write_world(w); });
      ++worlds;
    } else if (generic.value->type == "Robot") {
      check_file(text, name, read_robot, [](const Robot& r) { return write_robot(r); });
      ++robots;
    } else if (generic.value->type == "Setup") {
      check_file(text, name, read_setup, [](const MapSetup& s) { return write_setup(s); });
    } else if (generic.value->type == "houses") {
      check_file(text, name, read_houses, [](const HouseList& h) { return write_houses(h); });
    }
  }
  CHECK(worlds >= 1);
  CHECK(robots >= 1);
}
