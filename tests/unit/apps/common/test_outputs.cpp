// Which outputs would destroy inputs or other outputs.
#include <doctest/doctest.h>
#include <unistd.h>

#include <filesystem>

#include "apps/common/outputs.hpp"
#include "base/core/atomic_file.hpp"
#include "base/core/input.hpp"
#include "base/core/read_files.hpp"
#include "tests/support/support.hpp"

using namespace simbatch;

TEST_CASE("outputs: an input is not overwritten, whatever name it is given by") {
  const test::TemporaryFolder folder;
  const std::string file = folder.file("a"), hard = folder.file("b"), soft = folder.file("c"), other = folder.file("d");
  write_file(file, "text");
  REQUIRE(::link(file.c_str(), hard.c_str()) == 0);
  REQUIRE(::symlink(file.c_str(), soft.c_str()) == 0);
  for (const std::string& output : {file, hard, soft, folder.file("./a")}) {
    CAPTURE(output);
    cli::Outputs outputs;
    outputs.reads("FILE", file);
    outputs.writes("--output", output);
    CHECK(outputs.conflict().starts_with("--output would overwrite the input FILE (\""));
    cli::Outputs in_place;
    in_place.reads("FILE", file);
    in_place.writes("--output", output, "FILE");
    CHECK(in_place.conflict().empty());
    in_place.reads("--setup", file);
    CHECK(in_place.conflict().starts_with("--output would overwrite the input --setup"));
  }
  cli::Outputs outputs;
  outputs.reads("FILE", file);
  outputs.writes("--output", other);
  CHECK(outputs.conflict().empty());
}

TEST_CASE("outputs: of the files that were read, only the one to be rewritten is replaced") {
  const test::TemporaryFolder folder;
  const std::string file = folder.file("a"), named = folder.file("b"), link = folder.file("c");
  write_file(file, "text");
  write_file(named, "text");
  REQUIRE(::symlink("b", link.c_str()) == 0);
  const ReadFiles read;
  for (const std::string& each : {file, named}) CHECK(Input::open(each).text() == "text");
  const auto conflict = [&](const std::string& output, const std::string& in_place) {
    cli::Outputs outputs;
    outputs.reads("FILE", file);
    outputs.writes("--output", output, in_place);
    return outputs.conflict(read);
  };
  CHECK(conflict(file, "FILE").empty());
  CHECK(conflict(file, "") == "--output would overwrite a file that was read (\"" + file + "\")");
  for (const std::string& other : {named, link})
    CHECK(conflict(other, "FILE") == "--output would overwrite a file that was read (\"" + other + "\")");
  CHECK(conflict(folder.file("new"), "FILE").empty());
}

TEST_CASE("outputs: two outputs are two files, even before they exist") {
  const test::TemporaryFolder folder;
  cli::Outputs outputs;
  outputs.writes("--output", folder.file("new"));
  outputs.writes("--report", "");
  outputs.writes("--preview", folder.file("./new"));
  CHECK(outputs.conflict().starts_with("--output and --preview are the same file"));
  cli::Outputs device;
  device.writes("--output", "/dev/null");
  device.writes("--report", "/dev/null");
  CHECK(device.conflict().empty());
}

TEST_CASE("outputs: standard input and output serve one file each") {
  cli::Outputs outputs;
  outputs.reads("FILE", "-");
  outputs.writes("--output", "-");
  CHECK(outputs.conflict().empty());
  outputs.writes("--report", "-");
  CHECK(outputs.conflict() == "only one output can be standard output");
  cli::Outputs inputs;
  inputs.reads("FILE", "-");
  inputs.reads("--setup", "-");
  CHECK(inputs.conflict() == "only one input can be standard input");
}

TEST_CASE("outputs: a folder that is missing is found before anything is written, and nothing is created") {
  const simbatch::test::TemporaryFolder folder;
  CHECK_THROWS_AS(cli::require_folder(folder.file("absent/results.xml")), IoError);
  CHECK_NOTHROW(cli::require_folder(folder.file("results.xml")));
  CHECK_FALSE(std::filesystem::exists(folder.file("results.xml")));
  simbatch::test::write_text(folder.file("results.xml"), "kept");
  CHECK_NOTHROW(cli::require_folder(folder.file("results.xml")));
  CHECK(simbatch::test::read_text(folder.file("results.xml")) == "kept");
  for (const char* name : {"", "-", "here.xml", "/dev/null"}) CHECK_NOTHROW(cli::require_folder(name));
}
