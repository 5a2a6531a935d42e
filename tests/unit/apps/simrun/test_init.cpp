// simrun init: robots and folders that are refused, and the commands that it suggests.
#include <doctest/doctest.h>

#include "apps/simrun/simrun.hpp"
#include "tests/unit/apps/in_process.hpp"

using namespace simbatch;
using namespace simbatch::simrun;
using test::refusal;

TEST_CASE("simrun init: a robot on a map is one that drives") {
  CHECK(refusal(add_init, {{"FOLDER", "f"}}).empty());
  for (const char* robot : {"car", "diff"})
    CHECK(refusal(add_init, {{"FOLDER", "f"}, {"--robot", robot}, {"--map", "m.osm"}}).empty());
  for (const std::string robot : {"boat", "arm"}) {
    CHECK(refusal(add_init, {{"FOLDER", "f"}, {"--robot", robot}}).empty());
    CHECK(refusal(add_init, {{"FOLDER", "f"}, {"--robot", robot}, {"--map", "m.osm"}}) ==
          "--map needs a robot that drives: car or diff, not " + robot);
  }
  CHECK(refusal(add_init, {{"FOLDER", "f"}, {"--robot", "cat"}}) ==
        "--robot: expected car, diff, boat, arm, found \"cat\"; did you mean car?");
}

TEST_CASE("simrun init: what it suggests can be pasted into a shell") {
  using Lines = std::vector<std::string>;
  CHECK(first_commands("my_car", "car") ==
        Lines{"simrun my_car/scenario.xml",
              "simrun my_car/scenario.xml --controller car=\"python3 my_car/drive.py\" --trace run.json"});
  CHECK(first_commands("my car", "car")[0] == "simrun 'my car/scenario.xml'");
  CHECK(first_commands("my car", "car")[1] ==
        R"(simrun 'my car/scenario.xml' --controller 'car=python3 '\''my car/drive.py'\''' --trace run.json)");
  CHECK(first_commands("$(x)", "car")[0] == "simrun '$(x)/scenario.xml'");
}
