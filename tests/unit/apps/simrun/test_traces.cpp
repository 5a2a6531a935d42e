// The commands of simrun that read traces: what they refuse, what they print, and how they end.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>

#include "apps/simrun/simrun.hpp"
#include "tests/support/support.hpp"
#include "tests/unit/apps/in_process.hpp"

using namespace simbatch;
using namespace simbatch::simrun;
using test::ran;
using test::Ran;
using test::refusal;
using test::Words;
namespace fs = std::filesystem;

namespace {

struct Files {
  test::TemporaryFolder folder;
  std::string run = folder.file("run.json"), recording = folder.file("run.rec"), scenario = folder.file("scenario.xml");
  /// A run of 20 steps of the rover, a row each 2.
  explicit Files(const std::string& name = "scenario.xml") {
    scenario = folder.file(name);
    fs::copy_file("scenarios/rover/scenario.xml", scenario);
    fs::copy_file("scenarios/rover/rover.xml", folder.file("rover.xml"));
    const Ran made = ran(add_run, {{"SCENARIO", scenario},
                                   {"--steps", "20"},
                                   {"--every", "2"},
                                   {"--ignore-programs", ""},
                                   {"--trace", run},
                                   {"--record", recording}});
    CAPTURE(made.err);
    REQUIRE(made.code == 0);
  }
};

std::size_t lines_of(const std::string& text) { return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')); }

}  // namespace

TEST_CASE("simrun convert: command lines that are refused") {
  const auto refused = [](const std::string& output, const Words& more = {}) {
    Words words{{"TRACE", "r.json"}, {"--output", output}};
    words.insert(words.end(), more.begin(), more.end());
    return refusal(add_convert, words);
  };
  for (const char* good : {"x.csv", "x.ndjson.gz", "x.mcap", "x.glb", "x.gpx", "-"}) {
    CAPTURE(good);
    CHECK(refused(good).empty());
  }
  CHECK(refused("x.what") == "--output: the suffix of \"x.what\" names no format of traces; use --format");
  CHECK(refused("x.what", {{"--format", "json"}}).empty());
  CHECK(refused("-", {{"--format", "csv"}}) == "--output: CSV tables need a folder, not standard output");
  CHECK(refused("x.glb", {{"--format", "json"}}) == "--format: a .glb file is a scene, not a trace");
  CHECK(refused("x.glb", {{"--devices", "*"}}) == "--devices: a scene (.glb) has all parts");
  CHECK(refused("x.glb", {{"--scenario", "s.xml"}}).empty());
  CHECK(refused("x.gpx", {{"--format", "json"}}) == "--format: a .gpx file holds tracks, not a trace");
  CHECK(refused("x.gpx", {{"--devices", "*"}}).empty());
  for (const char* file : {"x.glb", "x.gpx", "x.csv", "-"}) {
    CAPTURE(file);
    CHECK(refused(file, {{"--frames", "dir"}}) == "--frames: only MCAP shows pictures");
    if (std::string_view(file) != "x.glb")
      CHECK(refused(file, {{"--scenario", "s.xml"}}) == "--scenario: only a scene (.glb) and MCAP show the world");
    CHECK(refused(file, {{"--compression", "none"}}).starts_with("--compression: only MCAP and Parquet have a choice"));
  }
  CHECK(refused("x.mcap", {{"--frames", "dir"}, {"--scenario", "s.xml"}, {"--compression", "none"}}).empty());
  CHECK(refused("x.what", {{"--format", "mcap"}, {"--frames", "dir"}}).empty());
  CHECK(refused("x.csv", {{"--every", "0"}}).starts_with("--every: expected a whole number"));
  CHECK(refused("x.csv", {{"--from", "3m"}}) == "--from: expected a step like 600, or a time like 3s, found \"3m\"");
}

TEST_CASE("simrun convert: takes the rows and devices that are asked for") {
  const Files files;
  const std::string csv = files.folder.file("t.ndjson");
  const auto converted = [&](const Words& more) {
    Words words{{"TRACE", files.run}, {"--output", csv}};
    words.insert(words.end(), more.begin(), more.end());
    fs::remove(csv);
    return ran(add_convert, words);
  };
  CHECK(converted({}).err == "11 rows of 15 devices\n");
  const std::size_t other = lines_of(test::read_text(csv)) - 11;                           // head, hashes and end
  CHECK(converted({{"--from", "6"}, {"--to", "0.05s"}}).err == "3 rows of 15 devices\n");  // steps 6, 8 and 10
  CHECK(lines_of(test::read_text(csv)) <= 3 + other);
  CHECK(converted({{"--every", "4"}, {"--devices", "*.imu"}, {"--devices", "*_arm"}}).code == 1);  // one matches nothing
  CHECK_FALSE(fs::exists(csv));
  CHECK(converted({{"--every", "4"}, {"--devices", "*.imu"}}).err == "3 rows of 1 devices\n");
  CHECK(converted({{"--from", "20"}, {"--to", "20"}}).err == "1 rows of 15 devices\n");

  const Ran order = converted({{"--from", "8"}, {"--to", "6"}});
  CHECK(order.code == 2);
  CHECK(order.err == "simrun: --from must not be later than --to\n");
  for (const Words& none : {Words{{"--from", "21"}}, Words{{"--from", "0.15s"}}, Words{{"--from", "7"}, {"--to", "7"}}}) {
    const Ran empty = converted(none);
    CHECK(empty.code == 1);
    CHECK(empty.err.find("the trace has rows of the steps 0 to 20 (0.1 s), one every 2 [simrun-no-rows]") != std::string::npos);
    CHECK_FALSE(fs::exists(csv));
  }
  const Ran devices = converted({{"--devices", "rover.base.imo"}});
  CHECK(devices.code == 1);
  CHECK(devices.err.find("nothing matches --devices \"rover.base.imo\", did you mean \"rover.base.imu\"?") !=
        std::string::npos);
  const Ran tracks = ran(add_convert, {{"TRACE", files.run}, {"--output", files.folder.file("t.gpx")}});
  CHECK(tracks.code == 1);
  CHECK(tracks.err.find("[view-no-gps]") != std::string::npos);
  CHECK_FALSE(fs::exists(files.folder.file("t.gpx")));
  CHECK(ran(add_convert, {{"TRACE", files.folder.file("none.json")}, {"--output", csv}}).code == 3);
}

TEST_CASE("simrun convert: a recording becomes the trace that the run wrote") {
  const Files files;
  const std::string again = files.folder.file("again.json");
  CHECK(ran(add_convert, {{"TRACE", files.recording}, {"--output", again}}).code == 0);
  const Ran diff = ran(add_diff, {{"A", files.run}, {"B", again}});
  CHECK(diff.code == 0);
  CHECK(diff.err == "the traces agree in 11 rows\n");
}

TEST_CASE("simrun diff and compare: end with what was found") {
  const Files files;
  const std::string other = files.folder.file("other.json");
  REQUIRE(ran(add_run, {{"SCENARIO", files.scenario},
                        {"--steps", "20"},
                        {"--every", "2"},
                        {"--seed", "9"},
                        {"--ignore-programs", ""},
                        {"--trace", other}})
              .code == 0);
  const Ran diff = ran(add_diff, {{"A", files.run}, {"B", other}});
  CHECK(diff.code == 1);
  CHECK(diff.out.starts_with("first difference: step 0 (0 s), device rover."));
  CHECK(diff.out.find("common rows\n") != std::string::npos);
  CHECK(ran(add_diff, {{"A", files.run}, {"B", other}, {"--tolerance", "1e9"}}).out.find("differing values") ==
        std::string::npos);

  const std::string picture = files.folder.file("d.svg");
  const Ran compare = ran(add_compare, {{"A", files.run}, {"B", other}, {"--devices", "*.imu"}, {"--output", picture}});
  CHECK(compare.code == 0);  // a difference is a result
  CHECK(compare.out.starts_with("field "));
  CHECK(compare.err == "6 of 12 common fields differ in 11 rows of the same time\n");
  CHECK(test::read_text(picture).find("<svg") != std::string::npos);
  const Ran same = ran(add_compare, {{"A", files.run}, {"B", files.run}});
  CHECK(same.out.empty());
  CHECK(same.err == "0 of 475 common fields differ in 11 rows of the same time\n");
  CHECK(refusal(add_compare, {{"A", files.run}, {"B", other}, {"--output", "-"}}) ==
        "--output: the table goes to standard output; name a file");
  CHECK(refusal(add_compare, {{"A", files.run}, {"B", other}, {"--output", other}}).starts_with("--output would overwrite"));
  CHECK(refusal(add_compare, {{"A", "-"}, {"B", "-"}}) == "only one input can be standard input");
}

TEST_CASE("simrun compare: what two traces do not share is a warning") {
  const Files files;
  const std::string some = files.folder.file("some.json"), late = files.folder.file("late.json");
  REQUIRE(ran(add_convert, {{"TRACE", files.run}, {"--output", some}, {"--devices", "*.imu"}}).code == 0);
  const Ran fewer = ran(add_compare, {{"A", files.run}, {"B", some}});
  CHECK(fewer.code == 0);
  CHECK(fewer.err.find("14 of 15 devices are not in " + some + ", e.g. \"crate\" [simrun-unlike]") != std::string::npos);
  CHECK(ran(add_compare, {{"A", files.run}, {"B", some}, {"--devices", "*.imu"}}).err.find("simrun-unlike") ==
        std::string::npos);
  cli::CommonOptions strict;
  strict.strict = true;
  CHECK(ran(add_compare, {{"A", files.run}, {"B", some}}, strict).code == 1);
  REQUIRE(ran(add_convert, {{"TRACE", files.run}, {"--output", some}, {"--to", "2"}}).code == 0);
  REQUIRE(ran(add_convert, {{"TRACE", files.run}, {"--output", late}, {"--from", "4"}}).code == 0);
  CHECK(ran(add_compare, {{"A", some}, {"B", late}}).err.find("no row of one trace has the time of a row of the other") !=
        std::string::npos);
}

TEST_CASE("simrun dump: prints the frame of a step, the last one without") {
  const Files files;
  const auto dumped = [&](const Words& more) {
    Words words{{"RECORDING", files.recording}};
    words.insert(words.end(), more.begin(), more.end());
    return ran(add_dump, words);
  };
  const std::string head = "{\"scenario\":\"scenario.xml\",\"frames\":11,\"step\":";
  CHECK(dumped({}).out.starts_with(head + "20,\"time\":0.1,"));
  CHECK(dumped({{"--step", "0"}}).out.starts_with(head + "0,\"time\":0,"));
  CHECK(dumped({{"--step", "0.05s"}}).out.starts_with(head + "10,\"time\":0.05,"));
  const std::string built = dumped({{"--step", "10"}, {"--scenario", files.scenario}}).out;  // has nodes without values, too
  CHECK(built.starts_with(head + "10,\"time\":0.05,"));
  CHECK(built.find("\"rover\":{\"kind\":\"Robot\",\"values\":{}}") != std::string::npos);
  for (const char* none : {"1", "19", "22", "4503599627370496", "1e9s"}) {
    CAPTURE(none);
    const Ran ran = dumped({{"--step", none}});
    CHECK(ran.code == 1);
    CHECK(ran.out.empty());
    CHECK(ran.err.find("; there is one every 2 steps, up to step 20 [sim-recording]") != std::string::npos);
  }
  const Ran other = dumped({{"--scenario", "scenarios/boat/scenario.xml"}});
  CHECK(other.code == 1);
  CHECK(other.out.empty());
  CHECK(other.err.find("the recording is of \"scenario.xml\", whose tree differs from that of "
                       "\"scenarios/boat/scenario.xml\"") != std::string::npos);
  CHECK(ran(add_dump, {{"RECORDING", files.run}}).code == 1);  // a trace
}

TEST_CASE("simrun dump: any name of a scenario is a JSON string") {
  const Files files("a\"b\\.xml");
  const std::string head = "{\"scenario\":\"a\\\"b\\\\.xml\",\"frames\":11,";
  CHECK(ran(add_dump, {{"RECORDING", files.recording}}).out.starts_with(head));
  CHECK(ran(add_dump, {{"RECORDING", files.recording}, {"--scenario", files.scenario}}).out.starts_with(head));
}

TEST_CASE("simrun plot and snapshot: no picture replaces a file that it is made of") {
  const Files files;
  const std::string robot = files.folder.file("rover.xml"), text = test::read_text(robot);
  const std::string message = "simrun: --output would overwrite a file that was read (" + simbatch::quoted(robot) + ")\n";
  const Ran plot = ran(add_plot, {{"TRACE", files.run}, {"--output", robot}});
  CHECK(plot.code == 2);
  CHECK(plot.err == message);
  const Ran snapshot = ran(add_snapshot, {{"SCENARIO", files.scenario},
                                          {"--output", robot},
                                          {"--ignore-programs", ""},
                                          {"--from", "1,1,1"},
                                          {"--to", "0,0,0"},
                                          {"--size", "2x2"}});
  CHECK(snapshot.code == 2);
  CHECK(snapshot.err == message);
  CHECK(test::read_text(robot) == text);
  const std::string wanted = files.folder.file("w.expect"), svg = files.folder.file("t.svg");
  test::write_text(wanted, "always rover.base.x < 1 m\n");
  CHECK(ran(add_plot, {{"TRACE", files.run}, {"--expect", wanted}, {"--output", wanted}}).code == 2);
  CHECK(ran(add_plot, {{"TRACE", files.run}, {"--expect", wanted}, {"--output", svg}}).code == 0);
  CHECK(test::read_text(svg).find("<svg") != std::string::npos);
}

TEST_CASE("simrun check: an expectation that fails is an error at its place") {
  const Files files;
  const auto checked = [&](const std::string& text) { return ran(add_check, {{"TRACE", files.run}, {"--expect", text}}); };
  CHECK(refusal(add_check, {{"TRACE", files.run}}) == "--expect is required");
  const Ran holds = checked("always rover.base.x < 1 m");
  CHECK(holds.code == 0);
  CHECK(holds.err.ends_with("1 of 1 expectations hold in 11 rows, one every 2 steps\n"));
  const Ran fails = checked("always rover.base.x > 1 m");
  CHECK(fails.code == 1);
  CHECK(fails.err.starts_with("--expect:1:1: error: \"always rover.base.x > 1 m\" fails by 1 m, in step "));
  const Ran wrong = checked("always rover.base.nothing > 1 m");
  CHECK(wrong.code == 1);
  CHECK(wrong.err.find("expectations hold") == std::string::npos);  // none was checked
  const std::string file = files.folder.file("two.expect");
  test::write_text(file, "always rover.base.x < 1 m\nalways rover.base.x > 1 m\n");
  const Ran both = checked(file);
  CHECK(both.err.find(file + ":2:1: error: ") != std::string::npos);
  CHECK(ran(add_check, {{"TRACE", files.run}, {"--expect", files.folder.file("none.expect")}}).code == 3);
}

TEST_CASE("simrun info: says what a file is, how much it holds and what its format loses") {
  const Files files;
  const auto told = [](const std::string& file, const Words& more = {}) {
    Words words{{"TRACE", file}};
    words.insert(words.end(), more.begin(), more.end());
    return ran(add_info, words).out;
  };
  const std::string json = told(files.run);
  CHECK(json.starts_with("format        JSON (simbatch-trace-1), "));
  CHECK(json.find("\nloses         nothing\n") != std::string::npos);
  CHECK(json.find("\nrows          11, steps 0 to 20 (0 to 0.1 s), one every 2 steps of 0.005 s\n") != std::string::npos);
  CHECK(json.find("\nend           complete after 20 steps, 0.1 s; state hash ") != std::string::npos);
  CHECK(told(files.recording).starts_with("format        recording (SBREC003), "));
  CHECK(told(files.run, {{"--devices", ""}}).find("\nrover.base.imu (ImuSensor): ax [m/s^2]") != std::string::npos);
  CHECK(told(files.scenario).find("\nrobot         rover\n") != std::string::npos);
  for (const auto& [suffix, name] : Words{{"ndjson", "NDJSON (simbatch-trace-1)"},
                                          {"mcap", "MCAP 0"},
                                          {"parquet", "Parquet 2"},
                                          {"npz", "NPZ"},
                                          {"mat", "MAT (level 5"}}) {
    const std::string file = files.folder.file("t." + suffix);
    CAPTURE(file);
    REQUIRE(ran(add_convert, {{"TRACE", files.run}, {"--output", file}, {"--from", "4"}}).code == 0);
    const std::string text = told(file);
    CHECK(text.starts_with("format        " + name));
    CHECK(text.find("\nrows          9, steps 4 to 20 (0.02 to 0.1 s), one every 2 steps") != std::string::npos);
  }
  test::write_text(files.folder.file("t.txt"), "nothing of the kind");
  CHECK(ran(add_info, {{"TRACE", files.folder.file("t.txt")}}).code == 1);
  CHECK(ran(add_info, {{"TRACE", files.folder.file("none")}}).code == 3);
}
