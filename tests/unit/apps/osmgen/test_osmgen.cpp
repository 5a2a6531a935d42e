// Command lines of osmgen that are refused before a file is opened.
#include <doctest/doctest.h>

#include <string>

#include "apps/osmgen/osmgen.hpp"
#include "base/core/atomic_file.hpp"
#include "tests/support/support.hpp"
#include "tests/unit/apps/refusal.hpp"

using namespace simbatch;

namespace {

std::string refusal(const test::Words& words) { return test::refusal(osmgen::add_generate, words); }

}  // namespace

TEST_CASE("osmgen: a setup and a house list are required to place houses") {
  CHECK(refusal({{"FILE", "t.osm"}}) == "--setup is required");
  CHECK(refusal({{"FILE", "t.osm"}, {"--setup", "s.xml"}}) == "--houses is required");
  CHECK(refusal({{"FILE", "t.osm"}, {"--setup", "s.xml"}, {"--houses", "h.xml"}}).empty());
}

TEST_CASE("osmgen: distances have ranges, and are finite") {
  for (const char* name : {"--street-distance", "--front-distance", "--house-distance", "--clearance", "--forest-inside"}) {
    CAPTURE(name);
    for (const char* word : {"-1", "nan", "inf", "1e9", "far"})
      CHECK(refusal({{"FILE", "t.osm"}, {name, word}}).starts_with(std::string(name) + ": expected"));
  }
  CHECK(refusal({{"FILE", "t.osm"}, {"--jobs", "65"}}).starts_with("--jobs: expected"));
  CHECK(refusal({{"FILE", "t.osm"}, {"--positive-ids-from", "0"}}).starts_with("--positive-ids-from: expected"));
}

TEST_CASE("osmgen: only the map itself may be replaced") {
  const test::TemporaryFolder folder;
  const std::string map = folder.file("t.osm"), setup = folder.file("s.xml");
  write_file(map, "<osm/>");
  write_file(setup, "<MapSetup/>");
  const auto with = [&](const char* option, const std::string& file) {
    return refusal({{"FILE", map}, {"--setup", setup}, {"--houses", "h.xml"}, {option, file}});
  };
  CHECK(with("--output", map).empty());
  CHECK(with("--report", setup).find("--setup") != std::string::npos);
  CHECK(with("--output", setup).find("--setup") != std::string::npos);
  CHECK(with("--preview", map).find("FILE") != std::string::npos);
}
