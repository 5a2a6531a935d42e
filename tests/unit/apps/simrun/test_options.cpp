// Values of simrun's options, and command lines that are refused before anything is read.
#include <doctest/doctest.h>

#include "apps/simrun/options.hpp"
#include "apps/simrun/pictures.hpp"
#include "base/core/atomic_file.hpp"
#include "tests/support/support.hpp"
#include "tests/unit/apps/refusal.hpp"

using namespace simbatch;
using namespace simbatch::simrun;

using test::refusal;
using test::Words;

TEST_CASE("simrun: sizes, points and pairs") {
  const auto size = read_pixel_size("640x480");
  REQUIRE(size);
  CHECK(size->width == 640);
  CHECK(size->height == 480);
  CHECK(read_pixel_size("8192x1"));
  for (const char* bad : {"", "x", "640", "640x", "x480", "0x1", "1x0", "8193x1", "-1x1", "1x1x1", "1 x1", "1.5x2"}) {
    CAPTURE(bad);
    CHECK(!read_pixel_size(bad));
  }
  const auto point = read_point("1,2.5,-3");
  REQUIRE(point);
  CHECK(point->x == 1);
  CHECK(point->y == 2.5);
  CHECK(point->z == -3);
  for (const char* bad : {"", "1", "1,2", "1,2,", ",,", "1,2,3,4", "1,2,nan", "inf,0,0", "1e7,0,0", "1, 2,3"}) {
    CAPTURE(bad);
    CHECK(!read_point(bad));
  }
  CHECK(read_pair("a=b=c") == std::pair<std::string, std::string>("a", "b=c"));
  for (const char* bad : {"", "=", "a", "a=", "=b"}) CHECK(!read_pair(bad));
}

TEST_CASE("simrun: moments are steps or times") {
  CHECK(read_moment("600")->step_at(0.005) == 600);
  CHECK(read_moment("3s")->step_at(0.005) == 600);
  CHECK(read_moment("0.25 s")->step_at(0.01) == 25);
  CHECK(read_moment("0.1s")->step_at(1.0 / 240) == 24);
  CHECK(read_moment("1e9s")->step_at(1e-9) == static_cast<std::int64_t>(1e18 < kMaxSteps ? 1e18 : kMaxSteps));
  for (const char* bad : {"", "s", "-1", "-1s", "nans", "infs", "3 m", "3ss", "1.5", "2e9s", "9007199254740993", "3S"}) {
    CAPTURE(bad);
    CHECK(!read_moment(bad));
  }
}

TEST_CASE("simrun: --set takes NAME=VALUE") {
  for (const char* good : {"a.Mass=1", "a.b=", "a=b=c", "Objects/Robot[@name='a']/@file/@x=2"}) {
    CAPTURE(good);
    CHECK(refusal(add_run, {{"SCENARIO", "s.xml"}, {"--set", good}}).empty());
  }
  for (const char* bad : {"", "=1", "Mass", "Robot[@name='a'"}) {
    CAPTURE(bad);
    CHECK(refusal(add_run, {{"SCENARIO", "s.xml"}, {"--set", bad}}).starts_with("--set: expected NAME=VALUE"));
  }
}

TEST_CASE("simrun: numbers that are not finite or out of range are refused") {
  const Words run{{"SCENARIO", "s.xml"}, {"--steps", "1"}};
  CHECK(refusal(add_run, run).empty());
  for (const auto& [option, word] : Words{{"--dt", "nan"},
                                          {"--dt", "0"},
                                          {"--dt", "2"},
                                          {"--steps", "-1"},
                                          {"--every", "0"},
                                          {"--seconds", "nan"},
                                          {"--seconds", "-1"},
                                          {"--program-timeout", "nan"},
                                          {"--program-timeout", "inf"},
                                          {"--seed", "-1"}}) {
    const std::string given = option + ' ' + word;  // clang 14 captures no structured bindings
    CAPTURE(given);
    Words words = run;
    words.emplace_back(option, word);
    CHECK(refusal(add_run, words).starts_with(option + ": expected "));
  }
  const Words picture{{"SCENARIO", "s.xml"}, {"--output", "s.png"}};
  CHECK(refusal(add_snapshot, picture).empty());
  for (const auto& [option, word] : Words{{"--daylight", "nan"},
                                          {"--fov", "nan"},
                                          {"--fov", "171"},
                                          {"--samples", "9"},
                                          {"--size", "0x5"},
                                          {"--from", "1,2"},
                                          {"--at", "-1"},
                                          {"--at", "3 m"}}) {
    const std::string given = option + ' ' + word;
    CAPTURE(given);
    Words words = picture;
    words.emplace_back(option, word);
    CHECK(refusal(add_snapshot, words).starts_with(option + ": expected "));
  }
  CHECK(refusal(add_diff, {{"--tolerance", "nan"}}) == "--tolerance: expected a number of 0 or more, found \"nan\"");
}

TEST_CASE("simrun: options that contradict each other") {
  CHECK(refusal(add_run, {{"SCENARIO", "s.xml"}}).empty());
  CHECK(refusal(add_run, {{"SCENARIO", "s.xml"}, {"--steps", "1"}, {"--seconds", "1"}}) ==
        "--steps and --seconds exclude each other");
  CHECK(refusal(add_run, {{"SCENARIO", "s"}, {"--steps", "1"}, {"--trace", "t.xyz"}}) ==
        "--trace: the suffix of \"t.xyz\" names no format of traces; use --format");
  CHECK(refusal(add_run, {{"SCENARIO", "s"}, {"--steps", "1"}, {"--trace", "-"}, {"--format", "csv"}}) ==
        "--trace: CSV tables need a folder, not standard output");
  CHECK(refusal(add_snapshot, {{"--output", "o"}, {"--from", "1,2,3"}}) == "--from and --to go together");
  CHECK(refusal(add_snapshot, {{"--output", "o"}, {"--from", "1,2,3"}, {"--to", "0,0,0"}, {"--camera", "c"}}) ==
        "--camera excludes --from and --to");
}

TEST_CASE("simrun: outputs that would destroy inputs or each other") {
  const test::TemporaryFolder folder;
  const std::string xml = folder.file("s.xml"), trace = folder.file("r.json"), source = folder.file("p.cpp");
  for (const std::string& file : {xml, trace, source}) write_file(file, "x");
  CHECK(refusal(add_run, {{"SCENARIO", xml}, {"--steps", "1"}, {"--trace", xml}, {"--format", "ndjson"}})
            .starts_with("--trace would overwrite the input SCENARIO"));
  CHECK(refusal(add_run, {{"SCENARIO", xml}, {"--steps", "1"}, {"--trace", trace}, {"--record", trace}})
            .starts_with("--trace and --record are the same file"));
  CHECK(refusal(add_snapshot, {{"SCENARIO", xml}, {"--output", xml}}).starts_with("--output would overwrite"));
  CHECK(refusal(add_plot, {{"TRACE", trace}, {"--output", trace}}).starts_with("--output would overwrite"));
  CHECK(refusal(add_compile, {{"SOURCE", source}, {"--output", source}}).starts_with("--output would overwrite"));
  CHECK(refusal(add_compile, {{"SOURCE", source}}).empty());
  CHECK(refusal(add_convert, {{"TRACE", trace}, {"--output", trace}}).empty());
  CHECK(refusal(add_convert, {{"TRACE", trace}, {"--output", trace}, {"--format", "ndjson"}})
            .starts_with("--output would overwrite"));
}

TEST_CASE("simrun: what --isolate cannot guard on a kernel is a warning") {
  CHECK(isolation_gaps({true, 7, true}, "s.xml").empty());
  test::Expected expected(isolation_gaps({true, 0, true}, "s.xml"));
  CHECK(expected.take("simrun-isolation") ==
        "on this kernel --isolate does not guard reading files (no Landlock); with --strict nothing is run");
}

TEST_CASE("simrun: pictures stay in their folder") {
  CHECK(file_name_of("impreza.chassis.front") == "impreza.chassis.front");
  CHECK(file_name_of("/home/u/x.eye") == "%2Fhome%2Fu%2Fx.eye");
  CHECK(file_name_of("../x") == "%2E.%2Fx");
  CHECK(file_name_of("a%2Fb\n") == "a%252Fb%0A");
}
