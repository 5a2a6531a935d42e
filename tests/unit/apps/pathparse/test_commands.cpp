// The commands of pathparse: what they refuse, what they print, and how they end.
#include <doctest/doctest.h>

#include <iostream>
#include <sstream>

#include "apps/pathparse/codes.hpp"
#include "apps/pathparse/pathparse.hpp"
#include "lib/mission/codes.hpp"
#include "tests/support/support.hpp"
#include "tests/unit/apps/in_process.hpp"

using namespace simbatch;
using namespace simbatch::pathparse;
using test::ran;
using test::Ran;

namespace {

constexpr const char* kFormation = "3\n491936 4290690 29S\nFORMATION 1 0 5 2 0 -5\nLINE 0 0 50 0 1 -1\n";

/// Standard input of a command in this process.
class Typed {
 public:
  explicit Typed(const std::string& lines) : lines_(lines), kept_(std::cin.rdbuf(lines_.rdbuf())) {}
  ~Typed() {
    std::cin.rdbuf(kept_);
    std::cin.clear();
  }
  Typed(const Typed&) = delete;
  Typed& operator=(const Typed&) = delete;

 private:
  std::istringstream lines_;
  std::streambuf* kept_;
};

cli::CommonOptions in_json() {
  cli::CommonOptions common;
  common.diagnostics_json = true;
  return common;
}

cli::CommonOptions quiet() {
  cli::CommonOptions common;
  common.quiet = true;
  return common;
}

}  // namespace

TEST_CASE("pathparse: a vehicle that the formation lacks is an error, in every form of diagnostics") {
  const test::TemporaryFolder folder;
  const std::string out = folder.file("out");
  const auto run = [&](auto add, const cli::CommonOptions& common, test::Words words) {
    words.insert(words.end(), {{"--string", kFormation}, {"--vehicle", "9"}});
    return ran(add, words, common);
  };
  const std::string text =
      "<string>: error: vehicle 9 is not in FORMATION: the mission is not for it [pathparse-vehicle]\n1 error, 0 warnings\n";
  for (const auto& [add, words] :
       {std::pair{&add_formation, test::Words{{"--output", out}}}, std::pair{&add_walk, test::Words{}},
        std::pair{&add_export, test::Words{{"--to", "csv"}, {"--output", out}}}}) {
    const Typed none("");
    const Ran plain = run(add, {}, words);
    CHECK(plain.code == 1);
    CHECK(plain.out.empty());
    CHECK(plain.err == text);
    CHECK(run(add, quiet(), words).err == text);
    const Ran json = run(add, in_json(), words);
    CHECK(json.err.find("\"code\":\"" + std::string(code::kVehicle.name) + "\"") != std::string::npos);
    CHECK(json.err.find("{\"summary\":{\"errors\":1,") != std::string::npos);
  }
  CHECK_FALSE(std::filesystem::exists(out));
}

TEST_CASE("pathparse validate: names that would move a terminal's cursor are spelled out") {
  const test::TemporaryFolder folder;
  test::write_text(folder.file("a\x1b[2J\nb.txt"), kFormation);
  const Ran result = ran(add_validate, {{"FILE", folder.file("a\x1b[2J\nb.txt")}});
  CHECK(result.out.starts_with(folder.file("a\\x1B[2J\\x0Ab.txt") + ": version 3, 1 section,"));
}

TEST_CASE("pathparse walk: a line that is not understood is an error, in every form of diagnostics") {
  for (const char* wrong : {"far", "position 1", "1 2 3", "position 1 x"}) {
    CAPTURE(wrong);
    const auto walked = [&](const cli::CommonOptions& common) {
      const Typed lines("5\n\n" + std::string(wrong) + "\n9\n");
      return ran(add_walk, {{"--string", kFormation}}, common);
    };
    const Ran plain = walked({});
    CHECK(plain.code == 1);
    CHECK(plain.err == "<stdin>:3:1: error: expected a gamma, \"position X Y\" or \"time T\", found \"" + std::string(wrong) +
                           "\" [pathparse-step]\n1 error, 0 warnings\n");
    CHECK(walked(quiet()).err == plain.err);
    const Ran json = walked(in_json());
    CHECK(json.err.find(code::kStep.name) != std::string::npos);
    CHECK(json.err.find("{\"summary\":{\"errors\":1,") != std::string::npos);
  }
}

TEST_CASE("pathparse formation: a place beyond all numbers is an error at its line, and nothing is written") {
  const test::TemporaryFolder folder;
  const Ran result = ran(add_formation, {{"--string",
                                          "3\n491936 4290690 29S\nFORMATION 1 0 1e308\nLINE 0 -1.5e308 50 -1.5e308 1 -1\n"
                                          "LINE 0 1.5e308 50 1.5e308 1 -1\n"},
                                         {"--vehicle", "1"},
                                         {"--output", folder.file("out")}});
  CHECK(result.code == 1);
  CHECK(result.err == "<string>:5:1: error: the place of the vehicle in the formation is beyond all numbers [" +
                          std::string(mission::code::kFar.name) + "]\n1 error, 0 warnings\n");
  CHECK_FALSE(std::filesystem::exists(folder.file("out")));
}
