// Command lines of pathparse that are refused before anything is read, and what a source is.
#include <doctest/doctest.h>

#include "apps/pathparse/pathparse.hpp"
#include "base/core/atomic_file.hpp"
#include "lib/file_kind/codes.hpp"
#include "tests/support/support.hpp"
#include "tests/unit/apps/refusal.hpp"

using namespace simbatch;

using test::refusal;

TEST_CASE("pathparse: a mission comes from one place") {
  CHECK(refusal(pathparse::add_validate, {}) == "FILE or --string is required");
  CHECK(refusal(pathparse::add_validate, {{"FILE", "m.txt"}}).empty());
  CHECK(refusal(pathparse::add_validate, {{"--string", ""}}).empty());
  CHECK(refusal(pathparse::add_validate, {{"FILE", "m.txt"}, {"--string", "3"}}) == "--string excludes FILE");
  CHECK(refusal(pathparse::add_walk, {{"FILE", "-"}}).starts_with("FILE: standard input carries the gammas"));
  CHECK(pathparse::name_of({"-", std::nullopt}) == "<stdin>");
  CHECK(pathparse::name_of({"", "3"}) == "<string>");
  CHECK(pathparse::Text({"", "3\\n1 2"}).text() == "3\n1 2");
  CHECK(pathparse::Text({"", "3\n1\\n2"}).text() == "3\n1\\n2");
}

TEST_CASE("pathparse: numbers and words of options") {
  using pathparse::add_convert;
  using pathparse::add_export;
  CHECK(refusal(add_convert, {{"FILE", "m"}, {"--speed", "nan"}}) ==
        "--speed: expected a number greater than 0, found \"nan\"");
  CHECK(refusal(add_convert, {{"FILE", "m"}, {"--from", "v4"}}) ==
        "--from: expected v2, v5, kml, found \"v4\"; did you mean v2?");
  CHECK(refusal(add_export, {{"FILE", "m"}, {"--max-gap", "0"}}).starts_with("--max-gap: expected a number greater than 0"));
  CHECK(refusal(add_export, {{"FILE", "m"}, {"--step", "inf"}}).starts_with("--step: expected"));
  CHECK(refusal(pathparse::add_validate, {{"FILE", "m"}, {"--join-gap", "-1"}}).starts_with("--join-gap: expected"));
  CHECK(refusal(pathparse::add_fmt, {{"FILE", "m"}, {"--set-zone", "99Z"}}) ==
        "--set-zone: expected a zone like 29S, found \"99Z\"");
}

TEST_CASE("pathparse: a file of another kind is one error with what it is for, and no mission") {
  const auto read = [](const char* text) { return pathparse::read_text(pathparse::Text({"", text})); };
  auto world = read("<World name=\"w\"/>\n");
  CHECK(!world.value);
  test::Expected expected(std::move(world.diagnostics));
  CHECK(expected.take(file_kind::code::kKind, Position{1, 1}) == "the file is an AutoSim scenario, not a Medusa mission");
  expected.take(file_kind::code::kKind);
  auto objects = read("1 // objects\n1\n0 0 0\n");
  CHECK(!objects.value);
  CHECK(objects.diagnostics.errors() == 1);
  // What begins as a mission does is read as one, whatever is wrong with it.
  const auto broken = read("3\n0 0 29S\nLINES are missing\n");
  REQUIRE(broken.diagnostics.has_errors());
  for (const Diagnostic& d : broken.diagnostics.items()) CHECK(d.code != file_kind::code::kKind.name);
  CHECK(read("3\n0 0 29S\nLINE 0 0 9 0 1 -1\n").ok());
}

TEST_CASE("pathparse: only a mission is replaced by a mission") {
  const test::TemporaryFolder folder;
  const std::string file = folder.file("m.txt");
  write_file(file, "3\n");
  CHECK(refusal(pathparse::add_fmt, {{"FILE", file}, {"--output", file}}).empty());
  CHECK(refusal(pathparse::add_convert, {{"FILE", file}, {"--from", "v5"}, {"--output", file}}).empty());
  const std::string refused = "--output would overwrite the input FILE (\"" + file + "\")";
  CHECK(refusal(pathparse::add_convert, {{"FILE", file}, {"--from", "kml"}, {"--output", file}}) == refused);
  CHECK(refusal(pathparse::add_export, {{"FILE", file}, {"--to", "kml"}, {"--output", file}}) == refused);
}
