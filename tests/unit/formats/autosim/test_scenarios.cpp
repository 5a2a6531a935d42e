#include <doctest/doctest.h>

#include <filesystem>
#include <string>

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

/// A rigid body's tensor I: none of tr(I)/2 - I's eigenvalues, the mass times its mean squares along the axes, is negative.
bool is_possible(const Vector3& moments, const Vector3& products) {
  const double half = (moments.x + moments.y + moments.z) / 2, slack = 1e-9 * half;
  const double xx = half - moments.x + slack, yy = half - moments.y + slack, zz = half - moments.z + slack;
  const double xy = -products.x, xz = -products.y, yz = -products.z;
  const double xy_minor = xx * yy - xy * xy;
  return xx >= 0 && yy >= 0 && zz >= 0 && xy_minor >= 0 && xx * zz - xz * xz >= 0 && yy * zz - yz * yz >= 0 &&
         xy_minor * zz + 2 * xy * xz * yz - xx * yz * yz - yy * xz * xz >= 0;
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

TEST_CASE("autosim: the moments of inertia of robots are those of rigid bodies") {
  CHECK(is_possible({2, 2, 4}, {}));
  CHECK_FALSE(is_possible({2, 2, 4.1}, {}));
  CHECK_FALSE(is_possible({2, 2, 4}, {0, 0.5, 0}));
  int given = 0;
  for (const char* folder : {"scenarios", "starters"})
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
      const std::string name = entry.path().string();
      if (entry.path().extension() != ".xml") continue;
      const std::string text = simbatch::test::read_text(entry.path());
      if (text.find("<Robot ") == std::string::npos || text.find("<Inertia") == std::string::npos) continue;
      const auto robot = read_robot(text, name);
      CAPTURE(name);
      REQUIRE(robot.ok());
      for (const Body& body : robot.value->bodies) {
        if (!body.inertia) continue;
        ++given;
        CAPTURE(body.name);
        CHECK(is_possible(*body.inertia, body.inertia_products));
      }
    }
  CHECK(given >= 11);
}
