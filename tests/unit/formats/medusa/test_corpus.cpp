#include <doctest/doctest.h>

#include <cmath>

#include "formats/medusa/codes.hpp"
#include "formats/medusa/emulate.hpp"
#include "formats/medusa/medusa.hpp"
#include "tests/support/support.hpp"

using namespace simbatch;
using namespace simbatch::medusa;

TEST_CASE("real missions: what each reader makes of them") {
  struct Row {
    const char* file;
    std::size_t sections, vehicle, console;
    bool vehicle_refuses, console_refuses;
  };
  const Row rows[] = {
      {"20151112_Mission_side_by_side.txt", 3, 3, 3, false, false},
      {"20151127_1539_30m.txt", 9, 9, 9, false, false},
      {"lm_50m_10mR.txt", 5, 0, 5, false, false},
      {"mission_WP_test.txt", 4, 4, 4, false, false},
      {"missao_mission_specification.txt", 4, 4, 4, false, false},
      {"mission_U_09_03_2012.txt", 3, 0, 0, true, true},
      {"caddy_mission_dubins_2.txt", 41, 0, 41, true, false},
  };
  for (const Row& row : rows) {
    const auto file = simbatch::test::shared_file(std::string("corpus/mission/") + row.file);
    if (!file) return;
    CAPTURE(row.file);
    const std::string text = simbatch::test::read_text(*file);
    const auto parsed = read_mission(text, row.file);
    REQUIRE(parsed.value);
    CHECK(parsed.diagnostics.errors() == 0);
    CHECK(parsed.value->sections.size() == row.sections);
    const Reading vehicle = emulate(text, Reader::vehicle);
    CHECK(vehicle.refused == row.vehicle_refuses);
    CHECK(vehicle.sections.size() == row.vehicle);
    const Reading console = emulate(text, Reader::console);
    CHECK(console.refused == row.console_refuses);
    CHECK(console.sections.size() == row.console);
    // Repaired, all sections are for the vehicle.
    Mission m = *parsed.value;
    if (m.version != 3) {
      m.version = 3;
      m.reference = m.reference.value_or(Reference{});
    }
    WriteOptions options;
    options.strip_gamma = true;
    CHECK(emulate(write_mission(m, options), Reader::vehicle).sections.size() == row.sections);
    const auto again = read_mission(write_mission(*parsed.value), "again");
    CHECK(*again.value == *parsed.value);
  }
}

TEST_CASE("the gamma column of a real mission is our gamma, to 2 mm") {
  const auto file = simbatch::test::shared_file("corpus/mission/lm_50m_10mR.txt");
  if (!file) return;
  const auto m = *read_mission(simbatch::test::read_text(*file), "m").value;
  REQUIRE(m.sections.size() == 5);
  for (const Section& s : m.sections) {
    REQUIRE(s.gamma);
    CHECK(std::abs(*s.gamma - s.gamma_e) <= 0.002);
  }
}

TEST_CASE("by the rules of version 3 a version 2 mission loses every arc") {
  const auto file = simbatch::test::shared_file("corpus/mission/mission_U_09_03_2012.txt");
  if (!file) return;
  std::string text = simbatch::test::read_text(*file);
  text.replace(text.find("\n2\n"), 3, "\n3\n");
  for (const Section& s : emulate(text, Reader::vehicle).sections) CHECK(s.kind != Kind::arc);
}
