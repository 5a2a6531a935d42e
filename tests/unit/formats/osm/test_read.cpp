#include <doctest/doctest.h>

#include "formats/osm/codes.hpp"
#include "formats/osm/read.hpp"
#include "tests/support/support.hpp"

using namespace simbatch;
using namespace simbatch::osm;

TEST_CASE("osm: real files of five writers are read without an error") {
  struct Row {
    const char* name;
    std::size_t nodes, ways, relations;
    Version version;
  };
  const Row rows[] = {{"velluters-2007-v05", 1459, 285, 0, Version::v0_5},
                      {"las-palmas-2010", 3176, 432, 1, Version::v0_6},
                      {"moscow-marfino-2013", 8402, 1652, 272, Version::v0_6},
                      {"beatty", 6624, 344, 8, Version::v0_6},
                      {"perth-peanut-roundabout", 1034, 55, 6, Version::v0_6}};
  for (const Row& row : rows) {
    CAPTURE(row.name);
    const auto file = test::shared_file("corpus/osm/" + std::string(row.name) + ".osm");
    if (!file) continue;
    ReadOptions options;
    options.remarks = true;
    const auto read = read_file(file->string(), options);
    MESSAGE(test::all_text(read.diagnostics));
    REQUIRE(read.ok());
    const Model& m = read.value->model;
    CHECK(m.node_count() == row.nodes);
    CHECK(m.ways.size() == row.ways);
    CHECK(m.relations.size() == row.relations);
    CHECK(m.version == row.version);
  }
}
