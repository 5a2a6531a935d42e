// What objconv does apart from its command line: kinds of files, batches, numbers of options.
#include <doctest/doctest.h>

#include <filesystem>

#include "apps/common/reporter.hpp"
#include "apps/objconv/batch.hpp"
#include "apps/objconv/codes.hpp"
#include "apps/objconv/grasp_files.hpp"
#include "apps/objconv/kinds.hpp"
#include "apps/objconv/network.hpp"
#include "base/core/input.hpp"
#include "lib/file_kind/codes.hpp"
#include "lib/grasp/codes.hpp"
#include "tests/support/support.hpp"

using namespace simbatch;
using namespace simbatch::objconv;

namespace {

struct Folder {
  test::TemporaryFolder folder;
  std::string file(std::string_view name, std::string_view text) const {
    test::write_text(folder.file(name), text);
    return folder.file(name);
  }
};

std::string kind_name(const Folder& folder, std::string_view name, std::string_view text) {
  const Input input = Input::open(folder.file(name, text));
  Diagnostics diagnostics;
  const FileKind* kind = kind_of("", input, diagnostics);
  CHECK((kind == nullptr) == diagnostics.has_errors());
  return kind == nullptr ? "" : std::string(kind->name);
}

cli::CommonOptions quiet() {
  cli::CommonOptions common;
  common.quiet = true;
  common.progress = cli::When::never;
  return common;
}

/// Converts by putting a mark before the text; a text with "bad" in it is an error, one with "odd" a warning.
Diagnostics mark(const Input& input, const Sink& sink) {
  Diagnostics diagnostics(input.name());
  sink("marked ");
  sink(input.text());
  if (input.text().find("bad") != std::string_view::npos) diagnostics.report(code::kNoConversion, {}, "bad");
  if (input.text().find("odd") != std::string_view::npos) diagnostics.report(code::kConfMissing, {}, "odd");
  return diagnostics;
}

}  // namespace

TEST_CASE("objconv: files are told apart by suffix and content") {
  const Folder folder;
  CHECK(kind_name(folder, "a.xml", "<?xml version=\"1.0\"?><!-- x --><World/>") == "autosim-world");
  CHECK(kind_name(folder, "a.xml", "<Robot/>") == "autosim-robot");
  CHECK(kind_name(folder, "a.xml", "<Setup/>") == "autosim-setup");
  CHECK(kind_name(folder, "a.xml", "<houses/>") == "autosim-houses");
  CHECK(kind_name(folder, "a.rndf", "") == "rndf");
  CHECK(kind_name(folder, "a", "RNDF_name x\nnum_segments 1\n") == "rndf");
  CHECK(kind_name(folder, "a.mdf", "") == "mdf");
  CHECK(kind_name(folder, "a.cfg", "") == "graspit-robot");
  CHECK(kind_name(folder, "a.xml", "<robot><palm/></robot>") == "graspit-robot");
  CHECK(kind_name(folder, "a.wld", "") == "graspit-world");
  CHECK(kind_name(folder, "a", "#Inventor V2.1 ascii\n") == "graspit-body");
  CHECK(kind_name(folder, "a.xml", "<root><geometryFile/></root>") == "graspit-body");
  CHECK(kind_name(folder, "a.obj", "") == "object1");
  CHECK(kind_name(folder, "a.obj", "v 0 0 0\n") == "");  // Wavefront
  CHECK(kind_name(folder, "a.txt", "words") == "");
}

TEST_CASE("objconv: every kind has a name of its own, a checker and files") {
  std::vector<std::string_view> names;
  for (const FileKind* kind : all_kinds()) {
    CAPTURE(kind->name);
    CHECK(std::find(names.begin(), names.end(), kind->name) == names.end());
    names.push_back(kind->name);
    CHECK(kind->kinds[0] != file_kind::Kind::unknown);
    CHECK(static_cast<bool>(kind->check));
  }
}

TEST_CASE("objconv: a command for one kind of file refuses the others") {
  const Folder folder;
  const auto refused = [&](std::string_view name, std::string_view text) {
    const Input input = Input::open(folder.file(name, text));
    Diagnostics diagnostics;
    const bool good = is_expected("rndf", input, diagnostics);
    CHECK(good != diagnostics.has_errors());
    return !good;
  };
  CHECK(!refused("a.rndf", ""));
  CHECK(!refused("a.txt", "words"));  // its reader says what is wrong
  CHECK(refused("a.mdf", "MDF_name m\nRNDF n\n"));
  CHECK(refused("a.wld", "#GraspIt! version 2.0 beta\n"));
}

TEST_CASE("objconv: --rndf takes a road network, and one error for anything else") {
  const Folder folder;
  Diagnostics none;
  CHECK(load_network("", {}, none) == nullptr);
  CHECK(none.empty());
  const auto problems = [&](std::string_view name, std::string_view text) {
    Diagnostics diagnostics;
    const auto network = load_network(folder.file(name, text), {}, diagnostics);
    CHECK((network == nullptr) == diagnostics.has_errors());
    return diagnostics;
  };
  CHECK(!problems("good.rndf",
                  "RNDF_name n\nnum_segments 1\nnum_zones 0\nsegment 1\nnum_lanes 1\nlane 1.1\nnum_waypoints 2\n"
                  "1.1.1 1 1\n1.1.2 1.001 1\nend_lane\nend_segment\nend_file\n")
             .has_errors());
  for (const std::string_view text :
       {"MDF_name m\nRNDF n\n", "<object_file/>", "1 // objects\n2\n", "<Setup/>", "#GraspIt! version 2.0 beta\n"}) {
    CAPTURE(text);
    test::Expected expected(problems("other", text));
    expected.take(file_kind::code::kKind);
    expected.take(file_kind::code::kKind);  // the note
  }
}

TEST_CASE("objconv: a batch writes what has no errors, and nothing else") {
  const Folder folder;
  InputOptions inputs;
  for (const char* name : {"a", "b", "c", "d"})
    inputs.files.push_back(folder.file(std::string(name) + ".in", *name == 'b' ? "bad" : *name == 'c' ? "odd" : "good"));
  inputs.files.push_back(folder.folder.file("missing.in"));
  OutputOptions outputs;
  outputs.folder = folder.folder.file("out");
  cli::CommonOptions common = quiet();
  const auto run = [&](const Diagnostics& shared, const Convert& convert) {
    cli::Reporter reporter(common);
    return convert_files(reporter, inputs, outputs, shared, ".out", convert);
  };
  for (const unsigned jobs : {1U, 4U}) {
    inputs.jobs = jobs;
    std::filesystem::remove_all(outputs.folder);
    CHECK(run({}, mark) == cli::ExitCode::io);
    CHECK(test::read_text(outputs.folder + "/a.out") == "marked good");
    CHECK(!std::filesystem::exists(outputs.folder + "/b.out"));
    CHECK(test::read_text(outputs.folder + "/c.out") == "marked odd");
    CHECK(test::read_text(outputs.folder + "/d.out") == "marked good");
  }
  inputs.files.pop_back();
  CHECK(run({}, mark) == cli::ExitCode::input);
  common.strict = true;
  std::filesystem::remove_all(outputs.folder);
  CHECK(run({}, mark) == cli::ExitCode::input);
  CHECK(!std::filesystem::exists(outputs.folder + "/c.out"));

  // An error in what all inputs share: nothing is read or written.
  Diagnostics shared;
  shared.report(code::kNoConversion, {}, "broken network");
  std::filesystem::remove_all(outputs.folder);
  int calls = 0;
  const auto count = [&](const Input&, const Sink&) { return ++calls, Diagnostics(); };
  CHECK(run(shared, count) == cli::ExitCode::input);
  CHECK(calls == 0);
}

TEST_CASE("objconv: the report lists losses only, as JSON") {
  const Folder folder;
  Diagnostics diagnostics("a.wld");
  diagnostics.report(grasp::code::kLossCamera, {3, 1}, "the \"camera\" is lost");
  diagnostics.report(code::kConfMissing, {}, "something else");
  const Diagnostics* const all[] = {&diagnostics};
  CHECK(report_text(all) ==
        "{\n  \"lost\": [\n    {\n      \"file\": \"a.wld\",\n      \"line\": 3,\n      \"column\": 1,\n"
        "      \"code\": \"graspit-loss-camera\",\n      \"message\": \"the \\\"camera\\\" is lost\"\n    }\n  ]\n}\n");
}

TEST_CASE("objconv: stems and lists of numbers") {
  CHECK(stem_of("dir/town.obj") == "town");
  CHECK(stem_of("-") == "stdin");
  CHECK(read_numbers("1,2.5 -3") == std::vector<double>{1, 2.5, -3});
  CHECK(read_numbers("") == std::vector<double>{});
  for (const char* bad : {"1,x", "nan", "inf,1", "1e999"}) CHECK(!read_numbers(bad));
  CHECK(!read_exactly<3>("1,2"));
  CHECK(read_exactly<2>("4,5") == std::array<double, 2>{4, 5});

  grasp::GraspRobot robot;
  robot.chains.dofs = 2;
  robot.dof_is_length = {false, true};
  Diagnostics diagnostics;
  CHECK(dof_values(robot, std::vector<double>{0.5, 30}, diagnostics) == std::vector<double>{0.5, 0.03});
  CHECK(dof_values(robot, std::nullopt, diagnostics) == std::vector<double>{0, 0});
  CHECK(diagnostics.empty());
  CHECK(!dof_values(robot, std::vector<double>{1}, diagnostics));
  test::Expected expected(diagnostics);
  expected.take(code::kDofCount);
}

TEST_CASE("objconv: outputs that would replace an input or each other are refused") {
  const Folder folder;
  const std::string a = folder.file("a.xml", "a"), b = folder.file("b.xml", "b"), network = folder.file("n.rndf", "n");
  struct Row {
    std::vector<std::string> inputs;
    std::string file, out_dir, report;
    bool in_place;
    bool good;
  };
  const std::string other = folder.folder.file("other");
  for (const Row& row : {
           Row{{a}, other, "", "", false, true},
           Row{{a}, a, "", "", false, false},
           Row{{a}, a, "", "", true, true},
           Row{{a}, folder.folder.file("./a.xml"), "", "", false, false},
           Row{{a}, network, "", "", true, false},
           Row{{a}, other, "", a, false, false},
           Row{{a}, other, "", network, false, false},
           Row{{a}, other, "", other, false, false},
           Row{{a, b}, "-", "", "", false, false},  // several inputs need --out-dir
           Row{{a, b}, "-", other, "", false, true},
           Row{{a, b}, "-", folder.folder.path().string(), "", false, false},
           Row{{a, b}, "-", folder.folder.path().string(), "", true, true},
           Row{{a, a}, "-", other, "", true, false},
       }) {
    CAPTURE(row.file);
    CAPTURE(row.out_dir);
    CAPTURE(row.report);
    cli::Command command("test", "");
    const InputOptions inputs{row.inputs, 1};
    const OutputOptions outputs{row.file, row.out_dir, row.report};
    check_outputs(command, inputs, outputs, row.in_place ? "" : ".xml", row.in_place, &network);
    REQUIRE(command.checks().size() == 1);
    CHECK(command.checks()[0]().empty() == row.good);
  }
}
