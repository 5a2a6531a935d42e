// The commands of osmgen on small maps: what they refuse, what they leave, and what they say.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <filesystem>

#include "apps/osmgen/codes.hpp"
#include "apps/osmgen/osmgen.hpp"
#include "tests/support/support.hpp"
#include "tests/unit/apps/in_process.hpp"

using namespace simbatch;
using namespace simbatch::osmgen;
using test::ran;
using test::Ran;
namespace fs = std::filesystem;

namespace {

struct Files {
  test::TemporaryFolder folder;
  std::string map = folder.file("t.osm");
  Files() { fs::copy_file("tests/golden/osmgen/inputs/crossing.osm", map); }
  std::string add(const std::string& name, std::string_view text) const {
    fs::create_directories(fs::path(folder.file(name)).parent_path());
    test::write_text(folder.file(name), text);
    return folder.file(name);
  }
  std::size_t count() const {
    return static_cast<std::size_t>(std::distance(fs::recursive_directory_iterator(folder.path()), {}));
  }
};

constexpr std::string_view kHut = "v -3 0 -2.5\nv 3 0 -2.5\nv 3 4.5 2.5\nv -3 4.5 2.5\nf 1 2 3 4\n";

}  // namespace

TEST_CASE("osmgen: no output replaces the model of a house") {
  const Files files;
  const std::string hut = files.add("models/hut/LOD0/model.obj", kHut), shed = files.add("shed.obj", kHut);
  const std::string houses =
      files.add("h.xml",
                "<houses><residential><house name=\"hut\"><File path=\"models/hut\" type=\"obj\"/></house>"
                "<house name=\"shed\"><File path=\"shed.obj\" type=\"obj\"/><BoxSize x=\"8\" y=\"5\" z=\"8\"/></house>"
                "</residential></houses>");
  const std::size_t before = files.count();
  for (const std::string& model : {hut, shed})
    for (const char* option : {"--report", "--preview", "--geojson"}) {
      CAPTURE(option);
      const Ran result = ran(
          add_generate, {{"FILE", files.map}, {"--output", files.folder.file("o.osm")}, {"--houses", houses}, {option, model}});
      CHECK(result.code == 1);
      CHECK(result.err.find(std::string(option) + " would overwrite a file that was read (\"" + model + "\") [" +
                            std::string(code::kOverwrite.name) + "]\n") != std::string::npos);
      CHECK(test::read_text(model) == kHut);
    }
  CHECK(files.count() == before);
  // The map itself may be replaced.
  CHECK(ran(add_generate, {{"FILE", files.map}, {"--output", files.map}, {"--houses", houses}}).code == 0);
}

TEST_CASE("osmgen: where the path of a model lacks only the suffix, the message says what to write") {
  const Files files;
  files.add("models/my/hut.obj", kHut);
  const std::string start = "<houses><residential><house name=\"hut\"><File path=\"models/my/",
                    end = "</house></residential></houses>";
  const auto run = [&](const std::string& houses) {
    return ran(add_generate,
               {{"FILE", files.map}, {"--output", files.folder.file("o.osm")}, {"--houses", files.add("h.xml", houses)}});
  };
  const std::string advice = "; for the file there, write path=\"models/my/hut.obj\" [";
  const Ran unsized = run(start + "hut\" type=\"obj\"/>" + end);
  CHECK(unsized.code == 1);
  CHECK(unsized.err.find(" and no LOD0/model.obj in it" + advice + std::string(code::kModelSize.name)) != std::string::npos);
  const Ran sized = run(start + "hut\" type=\"obj\"/><BoxSize x=\"6\" y=\"4.5\" z=\"5\"/>" + end);
  CHECK(sized.code == 0);
  CHECK(sized.err.find("draw plain ones of their size" + advice + std::string(code::kModelMissing.name)) != std::string::npos);
  CHECK(run(start + "hut.obj\" type=\"obj\"/>" + end).code == 0);
  CHECK(run(start + "hut\" type=\"stl\"/>" + end).err.find("for the file there") == std::string::npos);
}

TEST_CASE("osmgen: --remove refuses the outputs that it does not write") {
  const Files files;
  for (const char* option : {"--report", "--preview", "--geojson"}) {
    CAPTURE(option);
    CHECK(ran(add_generate, {{"FILE", files.map}, {"--output", "o.osm"}, {"--remove", ""}, {option, files.folder.file("r")}})
              .err.starts_with("--remove "));
  }
}

TEST_CASE("osmgen init: where UTM ends there is no mission, and no car that would need one") {
  const Files files;
  const auto init = [&](double lat) {
    // 400 m of street to the north.
    const std::string map = files.add(
        "p.osm", fmt::format("<osm version='0.6'><node id='1' lat='{}' lon='10'/><node id='2' lat='{}' lon='10'/><way id='1'>"
                             "<nd ref='1'/><nd ref='2'/><tag k='highway' v='residential'/></way></osm>",
                             lat, lat + 0.0036));
    const std::string town = files.folder.file(fmt::format("town{}", lat));
    const Ran made = ran(add_init, {{"FILE", map}, {"--output", town}});
    CAPTURE(made.err);
    CHECK(made.code == 0);
    CHECK(fs::exists(fs::path(town) / "mission.txt") == fs::exists(fs::path(town) / "car.xml"));
    CHECK(fs::exists(fs::path(town) / "mission.txt") == (made.err.find("UTM") == std::string::npos));
    CHECK(fs::exists(fs::path(town) / "mission.txt") ==
          (test::read_text(town + "/scenario.xml").find("<Robot") != std::string::npos));
    return fs::exists(fs::path(town) / "mission.txt");
  };
  CHECK(init(83.9));
  CHECK_FALSE(init(83.9985));  // the origin is south of 84 degrees, and the street's end north of it
  CHECK_FALSE(init(89.995));
  CHECK_FALSE(init(-80.1));
}

TEST_CASE("osmgen init: its next steps are words that a shell takes") {
  const Files files;
  const std::string town = files.folder.file("it's my town");
  const Ran made = ran(add_init, {{"FILE", files.map}, {"--output", town}});
  CAPTURE(made.err);
  REQUIRE(made.code == 0);
  const auto word = [&](const std::string& file) { return "'" + files.folder.file("it'\\''s my town/" + file) + "'"; };
  CHECK(made.err.find("Next: simrun " + word("scenario.xml") + "\n") != std::string::npos);
  CHECK(made.err.find("osmgen " + word("map/map.osm") + " -o " + word("map/map.osm") + " --setup " + word("map/setup.xml") +
                      " --houses " + word("map/houses.xml")) != std::string::npos);
}

TEST_CASE("osmgen init: a run that fails leaves no folder") {
  const Files files;
  const std::string empty = files.add("empty.osm", "<osm version='0.6'><node id='1' lat='1' lon='1'/></osm>");
  const std::size_t before = files.count();
  cli::CommonOptions strict;
  strict.strict = true;
  CHECK(ran(add_init, {{"FILE", empty}, {"--output", files.folder.file("new/town")}}, strict).code == 1);
  CHECK(ran(add_init, {{"FILE", files.folder.file("absent.osm")}, {"--output", files.folder.file("new")}}).code == 3);
  CHECK(files.count() == before);
}

TEST_CASE("osmgen info: names that would move a terminal's cursor are spelled out") {
  const Files files;
  const std::string map =
      files.add("a\x1b[2J.osm", "<osm version='0.6' generator='g&#10;h'><node id='1' version='1' lat='1' lon='1'/></osm>");
  const Ran text = ran(add_info, {{"FILE", map}});
  CHECK(text.code == 0);
  CHECK(text.out.find("a\\x1B[2J.osm\n") != std::string::npos);
  CHECK(text.out.find("g\\x0Ah\n") != std::string::npos);
  CHECK(ran(add_info, {{"FILE", map}, {"--json", ""}}).out.find("a\\u001b[2J.osm\"") != std::string::npos);
}

TEST_CASE("osmgen: the summary has a line for each kind of road, whatever its name") {
  const Files files;
  std::string text = test::read_text(files.map);
  const std::size_t at = text.find("'secondary'");
  REQUIRE(at != std::string::npos);
  const std::string map = files.add("k.osm", text.replace(at, 11, "'a&#10;b'"));
  const Ran made = ran(add_generate, {{"FILE", map}, {"--output", files.folder.file("o.osm")}});
  CHECK(made.code == 0);
  CHECK(made.err.find(" km  a\\x0Ab (1 way)\n") != std::string::npos);
}
