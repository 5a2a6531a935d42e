// Outputs of batches: which command lines are refused, under which names results appear, and in which order.
#include <doctest/doctest.h>

#include <filesystem>

#include "apps/common/reporter.hpp"
#include "apps/objconv/batch.hpp"
#include "apps/objconv/codes.hpp"
#include "base/core/input.hpp"
#include "tests/support/support.hpp"
#include "tests/unit/apps/refusal.hpp"

using namespace simbatch;
using namespace simbatch::objconv;

namespace {

// What objconv's commands say about these inputs and outputs.
std::string problem(const std::vector<std::string>& inputs, const OutputOptions& outputs, const std::string& suffix,
                    bool in_place = false, const std::string* network = nullptr) {
  cli::Command command("convert", "Converts");
  InputOptions files;
  files.files = inputs;
  check_outputs(command, files, outputs, suffix, in_place, network);
  return test::refusal(command, {});
}

OutputOptions into(const std::string& folder, const std::string& file = "-", const std::string& report = "") {
  OutputOptions outputs;
  outputs.folder = folder;
  outputs.file = file;
  outputs.report = report;
  return outputs;
}

}  // namespace

TEST_CASE("objconv: several inputs need a folder, and an output of their own each") {
  CHECK(problem({"a.obj"}, into(""), ".xml").empty());
  CHECK(problem({"-"}, into(""), ".xml").empty());
  CHECK(problem({"a.obj", "b.obj"}, into(""), ".xml") == "several inputs need --out-dir");
  CHECK(problem({"a.obj"}, into("out", "b.xml"), ".xml") == "--output and --out-dir exclude each other");
  CHECK(problem({"a.obj", "b.obj"}, into("out"), ".xml").empty());
  CHECK(problem({"x/a.obj", "y/a.obj"}, into("out"), ".xml") == "two inputs would be written to the same file: y/a.obj");
  CHECK(problem({"a.obj", "a.txt"}, into("out"), ".xml") == "two inputs would be written to the same file: a.txt");
  // Where outputs keep their names, only the same name is the same file.
  CHECK(problem({"x/a.obj", "y/a.obj"}, into("out"), "") == "two inputs would be written to the same file: y/a.obj");
  CHECK(problem({"a.iv", "a.wrl"}, into("out"), "").empty());
  // Standard input is called stdin.
  CHECK(problem({"-", "x/stdin"}, into("out"), "") == "two inputs would be written to the same file: x/stdin");
  CHECK(problem({"-", "stdin.obj"}, into("out"), ".xml") == "two inputs would be written to the same file: stdin.obj");
}

TEST_CASE("objconv: outputs never replace inputs, but their own where that is meant") {
  const test::TemporaryFolder folder;
  for (const char* name : {"a.xml", "b.xml", "net.rndf"}) test::write_text(folder.file(name), "x");
  const std::string a = folder.file("a.xml"), b = folder.file("b.xml"), net = folder.file("net.rndf"),
                    dir = folder.path().string();
  CHECK(problem({a}, into("", a), ".xml").starts_with("--output would overwrite the input INPUT"));
  CHECK(problem({a}, into("", a), "", true).empty());
  CHECK(problem({a}, into("", b), "", true).empty());
  CHECK(problem({a, b}, into(dir), ".xml").starts_with("--out-dir would overwrite the input INPUT 1"));
  CHECK(problem({a, b}, into(dir), "", true).empty());
  CHECK(problem({a}, into("", net), ".xml", false, &net).starts_with("--output would overwrite the input --rndf"));
  CHECK(problem({a}, into("", "-", a), ".xml").starts_with("--report would overwrite the input INPUT"));
  CHECK_FALSE(problem({a}, into("", folder.file("o"), folder.file("o")), ".xml").empty());
  // A link is the file that it leads to.
  std::filesystem::create_symlink("a.xml", folder.file("link.xml"));
  CHECK_FALSE(problem({a}, into("", folder.file("link.xml")), ".xml").empty());
}

TEST_CASE("objconv: names of outputs come from those of inputs") {
  CHECK(stem_of("dir/town.obj") == "town");
  CHECK(stem_of("a.b.c") == "a.b");
  CHECK(stem_of(".hidden") == ".hidden");
  CHECK(stem_of("plain") == "plain");
  CHECK(stem_of("-") == "stdin");
}

TEST_CASE("objconv: a batch writes what is good, whatever the number of threads, and counts the rest") {
  const test::TemporaryFolder folder;
  InputOptions inputs;
  std::filesystem::create_directories(folder.file("in"));
  for (int i = 0; i < 40; ++i) {
    const std::string name = folder.file("in/f" + std::to_string(i) + ".txt");
    if (i != 13) test::write_text(name, i % 7 == 0 ? "bad" : "text " + std::to_string(i));
    inputs.files.push_back(name);
  }
  cli::CommonOptions common;
  common.quiet = true;
  common.progress = cli::When::never;
  const auto convert = [](const Input& input, const Sink& sink) {
    Diagnostics diagnostics(input.name());
    sink("<");
    sink(input.text());
    sink(">");
    if (input.text() == "bad") diagnostics.report(code::kNoConversion, {3, 4}, "bad");
    return diagnostics;
  };
  std::vector<std::string> names;
  for (const unsigned jobs : {1u, 2u, 7u, 100u}) {
    CAPTURE(jobs);
    inputs.jobs = jobs;
    const std::string out = folder.file("out" + std::to_string(jobs));
    cli::Reporter reporter(common);
    CHECK(convert_files(reporter, inputs, into(out), {}, ".xml", convert) == cli::ExitCode::io);
    CHECK(reporter.errors() == 7);  // six bad ones, and one that is not there
    std::size_t written = 0;
    for (int i = 0; i < 40; ++i) {
      const std::string file = out + "/f" + std::to_string(i) + ".xml";
      const bool good = i % 7 != 0 && i != 13;
      REQUIRE(std::filesystem::exists(file) == good);
      if (good) CHECK(test::read_text(file) == "<text " + std::to_string(i) + ">");
      written += good ? 1 : 0;
    }
    // Nothing else was left behind, no temporary file either.
    const std::filesystem::directory_iterator all(out), end;
    CHECK(static_cast<std::size_t>(std::distance(all, end)) == written);
  }
}
