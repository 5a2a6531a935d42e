// Command lines of osmgen that are refused before a file is opened.
#include <doctest/doctest.h>

#include <string>

#include "apps/osmgen/osmgen.hpp"
#include "base/core/atomic_file.hpp"
#include "base/core/input.hpp"
#include "lib/file_kind/codes.hpp"
#include "tests/support/support.hpp"
#include "tests/unit/apps/refusal.hpp"

using namespace simbatch;

namespace {

std::string refusal(const test::Words& words) { return test::refusal(osmgen::add_generate, words); }

}  // namespace

TEST_CASE("osmgen: needs neither a setup nor a house list") {
  CHECK(refusal({{"FILE", "t.osm"}, {"--output", "a.osm"}}).empty());
  CHECK(refusal({{"FILE", "t.osm"}, {"--output", "a.osm"}, {"--setup", "s.xml"}, {"--houses", "h.xml"}}).empty());
}

TEST_CASE("osmgen: the name of the output says its kind") {
  for (const char* name : {"a.osm", "a.OSM", "a.osm.gz", "a.osm.bz2", "a.osm.pbf", "a.pbf", "a.xml", "/dev/null"}) {
    CAPTURE(name);
    CHECK(refusal({{"FILE", "t.osm"}, {"--output", name}}).empty());
  }
  for (const char* name : {"a.zip", "a", "a.osm.zip", "osm", "a.gz"}) {
    CAPTURE(name);
    CHECK(refusal({{"FILE", "t.osm"}, {"--output", name}}).starts_with("--output: \"" + std::string(name) + "\" does not say"));
  }
}

TEST_CASE("osmgen: rules are switched off by their names, where there are rules") {
  CHECK(refusal({{"FILE", "t.osm"}, {"--output", "a.osm"}, {"--without", "sea"}}).empty());
  CHECK(refusal({{"FILE", "t.osm"}, {"--output", "a.osm"}, {"--without", "water"}}).starts_with("--without: expected"));
  CHECK(refusal({{"FILE", "t.osm"}, {"--output", "a.osm"}, {"--style", "rows"}, {"--without", "sea"}}) ==
        "--without is about the rules of --style places; rows has none of them");
  CHECK(refusal({{"FILE", "t.osm"}, {"--output", "a.osm"}, {"--style", "columns"}}).starts_with("--style: expected"));
}

TEST_CASE("osmgen: a file of another kind is one error with what it is for") {
  const test::TemporaryFolder folder;
  const auto read = [&](std::string_view name, std::string_view text) {
    test::write_text(folder.file(name), text);
    return osmgen::read_map(Input::open(folder.file(name)), {}).diagnostics;
  };
  test::Expected network(read("n.rndf", "RNDF_name n\nnum_segments 1\nsegment 1\n"));
  CHECK(network.take(file_kind::code::kKind, Position{1, 1}) ==
        "the file is an RNDF, a road network, not an OpenStreetMap map");
  CHECK(network.take(file_kind::code::kKind).find("simrun OBJECTS --rndf " + folder.file("n.rndf")) != std::string::npos);
  test::Expected world(read("w.xml", "<?xml version=\"1.0\"?>\n <World name=\"w\"/>\n"));
  world.take(file_kind::code::kKind, Position{2, 2});  // where the root is
  world.take(file_kind::code::kKind);
  // A map with faults is still a map.
  const Diagnostics broken = read("m.osm", "<osm version='0.6'><node id='x'/></osm>");
  CHECK(broken.has_errors());
  for (const Diagnostic& d : broken.items()) CHECK(d.code != file_kind::code::kKind.name);
  CHECK(!read("good.osm", "<osm version='0.6'/>").has_errors());
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

TEST_CASE("osmgen: options that would have no effect beside others are refused") {
  const auto with = [](const test::Words& words) {
    test::Words all = {{"FILE", "t.osm"}, {"--output", "o.osm"}};
    all.insert(all.end(), words.begin(), words.end());
    return refusal(all);
  };
  CHECK(with({{"--style", "rows"}, {"--sign-distance", "50"}}).starts_with("--sign-distance is about"));
  CHECK(with({{"--without", "settlement"}, {"--sign-distance", "50"}}).starts_with("--sign-distance is about"));
  CHECK(with({{"--street-distance", "3"}, {"--front-distance", "9"}}) ==
        "--street-distance and --front-distance exclude each other");
  CHECK(with({{"--remove", ""}}).empty());
  for (const auto& [name, word] : test::Words{{"--setup", "s.xml"},
                                              {"--houses", "h.xml"},
                                              {"--without", "sea"},
                                              {"--sign-distance", "400"},
                                              {"--along", "track"},
                                              {"--street-distance", "3"},
                                              {"--front-distance", "3"},
                                              {"--house-distance", "3"},
                                              {"--forest-inside", "3"},
                                              {"--not-along", "road"},
                                              {"--clip-to-bounds", ""},
                                              {"--over-tunnels", ""},
                                              {"--ignore-paths", ""},
                                              {"--positive-ids-from", "5"},
                                              {"--style", "rows"},
                                              {"--as", "buildings"},
                                              {"--clearance", "3"}}) {
    CAPTURE(name);
    CHECK(with({{"--remove", ""}, {name, word}}) == name + " is about placing houses; --remove places none");
  }
  CHECK(with({{"--sign-distance", "400"}, {"--front-distance", "3"}}).empty());
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
