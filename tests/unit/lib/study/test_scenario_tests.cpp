// Scenarios as tests: every way in which one can end, in any number of processes.

#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>

#include "base/core/input.hpp"
#include "lib/study/scenario_tests.hpp"
#include "tests/support/support.hpp"

using namespace simbatch;
using namespace simbatch::study;
using Status = TestResult::Status;

namespace {

std::string world(const std::string& expectations, const std::string& objects = "") {
  return "<World name=\"w\">\n<Objects>" + objects +
         "<Box name=\"b\"><Position x=\"0\" y=\"0\" z=\"0\"/><Size x=\"1\" y=\"1\" z=\"1\"/></Box></Objects>\n" + expectations +
         "</World>\n";
}
std::string expects(const std::string& text, const std::string& name = "e") {
  return "<Expectations duration=\"1\"><Expect name=\"" + name + "\" that=\"" + text + "\"/></Expectations>";
}

struct Folder {
  simbatch::test::TemporaryFolder folder;
  Folder() {
    std::filesystem::create_directories(folder.path() / "a/.hidden");
    std::filesystem::create_directories(folder.path() / "a/wrong");
    const auto write = [&](const char* name, const std::string& text) { simbatch::test::write_text(folder.file(name), text); };
    write("a/good.xml", world(expects("always time lt 2")));
    write("a/bad.xml", world(expects("always time lt 0.5", "a &lt; b &amp; 'c'")));
    write("a/typo.xml", world(expects("always b.x lt 2")));
    write("a/plain.xml", world(""));
    write("a/.hidden/other.xml", world(expects("1 lt 2")));
    write("a/robot.xml", "<Robot name=\"r\"/>");
    write("a/wrong/no_section.xml", world("<Expectation duration=\"1\"><Expect name=\"e\" that=\"1 lt 2\"/></Expectation>"));
    write("a/wrong/other_root.xml", "<Wordl>" + expects("1 lt 2") + "</Wordl>");
    write("a/wrong/study.xml", "<Study scenario=\"s.xml\"><Expect name=\"e\" that=\"1 lt 2\"/></Study>");
    write("b.xml", world("<Expectations><Expect name=\"x\" that=\"1 lt 2\"/></Expectations>"));
  }
};

}  // namespace

TEST_CASE("study: tests are found by their expectations, in the order of their names") {
  Folder scene;
  const std::string root = scene.folder.path().string();
  const std::vector<std::string> paths{root, root + "/a/plain.xml", root + "/b.xml"};
  std::vector<std::string> without;
  CHECK(find_tests(paths, &without) == std::vector<std::string>{root + "/a/bad.xml", root + "/a/good.xml", root + "/a/typo.xml",
                                                                root + "/a/wrong/no_section.xml",
                                                                root + "/a/wrong/other_root.xml", root + "/b.xml",
                                                                root + "/a/plain.xml"});
  CHECK(without == std::vector<std::string>{root + "/a/plain.xml"});
  const std::vector<std::string> absent{root + "/none"};
  CHECK_THROWS_AS(find_tests(absent), IoError);
}

TEST_CASE("study: each end of a test is reported with the command that repeats it; only what fails leaves a trace") {
  Folder scene;
  const std::string root = scene.folder.path().string();
  const std::vector<std::string> paths{root};
  const std::vector<std::string> tests = find_tests(paths);
  std::string first;
  for (const std::size_t jobs : {1u, 3u}) {
    TestOptions options;
    options.jobs = jobs;
    options.traces = root + "/kept";
    options.build_words = {"--root", "it's here"};
    std::vector<std::string> order;
    std::vector<TestResult> results = run_tests(tests, options, [&](const TestResult& r) { order.push_back(r.scenario); });
    CHECK(order == tests);
    REQUIRE(results.size() == 6);
    const TestResult &bad = results[0], &good = results[1], &typo = results[2], &endless = results[5];
    // What has misspelled <Expectations> or <World> is a test that cannot be run, not a file that is passed over.
    for (const std::size_t wrong : {3u, 4u}) {
      CAPTURE(results[wrong].diagnostics);
      CHECK(results[wrong].status == Status::broken);
    }
    CHECK(bad.status == Status::failed);
    REQUIRE(bad.cases.size() == 1);
    CHECK(bad.cases[0].message == "fails by 0.5 s, in step 240 (1 s): time < 0.5 (1 < 0.5)");
    CHECK(bad.cases[0].at.line == 3);
    CHECK(bad.steps == 240);
    CHECK(bad.command == "simrun " + tests[0] + " --steps 240 --root 'it'\\''s here'");
    CHECK(std::filesystem::exists(bad.trace));
    CHECK(bad.replay.starts_with("simrun replay " + bad.trace + " --scenario " + tests[0] + " -o " + root + "/kept/"));
    CHECK(good.status == Status::passed);
    CHECK(good.trace.empty());
    CHECK(typo.status == Status::broken);
    CHECK(typo.diagnostics.find("[expect-name]") != std::string::npos);
    CHECK(endless.status == Status::broken);
    CHECK(endless.problem.find("--duration") != std::string::npos);
    std::size_t kept = 0;
    for (const auto& entry : std::filesystem::directory_iterator(root + "/kept")) kept += entry.is_regular_file();
    CHECK(kept == 1);
    for (TestResult& result : results) result.seconds = 0;
    const std::string xml = junit(results);
    if (first.empty()) first = xml;
    CHECK(xml == first);
  }
  CHECK(first.find("trace: " + root + "/kept/") != std::string::npos);
  CHECK(first.find("tests=\"6\" failures=\"1\" errors=\"4\" skipped=\"0\"") != std::string::npos);
  simbatch::test::write_text(scene.folder.file("junit.xml"), first);
  if (std::system("command -v xmllint > /dev/null") == 0)
    CHECK(std::system(("xmllint --noout --schema docs/schemas/junit.xsd '" + scene.folder.file("junit.xml") + "' 2> /dev/null")
                          .c_str()) == 0);
}

TEST_CASE("study: a scenario that takes too long is broken, the first failure can end the rest, an interruption skips") {
  Folder scene;
  const std::string root = scene.folder.path().string();
  TestOptions options;
  options.duration = 1e7;
  options.timeout = 0.3;
  auto results = run_tests({root + "/a/good.xml"}, options, {});
  CHECK(results[0].status == Status::broken);
  CHECK(results[0].problem.find("--timeout") != std::string::npos);
  options = {};
  options.fail_fast = true;
  results = run_tests({root + "/a/bad.xml", root + "/a/good.xml"}, options, {});
  CHECK(results[0].status == Status::failed);
  CHECK(results[1].status == Status::skipped);
  CHECK(junit(results).find("<skipped message=\"not run after one that does not pass (--fail-fast)\"") != std::string::npos);
  options.keep_going = [] { return false; };
  results = run_tests({root + "/a/good.xml"}, options, {});
  CHECK(results[0].status == Status::skipped);
  CHECK(junit(results).find("interrupted") != std::string::npos);
}

TEST_CASE("study: a scenario whose program may not run is skipped, and another robot's permission does not help it") {
  Folder scene;
  const std::string robot =
      "<Robot name=\"r\"><Parts><Sphere name=\"p\"><Position x=\"0\" y=\"0\" z=\"0\"/><Radius value=\"1\"/><Mass value=\"1\"/>"
      "</Sphere></Parts></Robot>";
  simbatch::test::write_text(scene.folder.file("a/robot.xml"), robot);
  const std::string file = scene.folder.file("a/program.xml");
  simbatch::test::write_text(file, world(expects("always time lt 2"),
                                         "<Robot name=\"car\" file=\"robot.xml\"><Position x=\"0\" z=\"9\"/>"
                                         "<UserProgram path=\"absent.so\"/></Robot>"));
  TestOptions options;
  options.fail_fast = true;
  auto results = run_tests({file, scene.folder.file("a/good.xml")}, options, {});
  CHECK(results[0].status == Status::skipped);
  CHECK(results[0].problem == "the program of \"car\" runs with --allow-programs only");
  CHECK(results[1].status == Status::passed);  // what is skipped has not failed
  CHECK(junit(results).find("<skipped message=\"the program of &quot;car&quot; runs") != std::string::npos);
  options.build.program_choices = {{"bus", "other.so"}};
  CHECK(run_tests({file}, options, {})[0].status == Status::skipped);
  options.build.program_choices = {{"c*", "other.so"}};
  CHECK(run_tests({file}, options, {})[0].status == Status::broken);  // there is no such file
  options.build = {};
  options.build.allow_programs = true;
  results = run_tests({file}, options, {});
  CHECK(results[0].status == Status::broken);
  CHECK(results[0].diagnostics.find("absent.so") != std::string::npos);
}

TEST_CASE("study: the command of a test that was shortened comes to the same verdict; a window after the end is warned about") {
  Folder scene;
  TestOptions options;
  options.duration = 0.5;
  auto results = run_tests({scene.folder.file("a/bad.xml"), scene.folder.file("a/typo.xml")}, options, {});
  CHECK(results[0].command == "simrun test " + scene.folder.file("a/bad.xml") + " --duration 0.5");
  const std::string late = scene.folder.file("a/late.xml");
  simbatch::test::write_text(late, world(expects("always[3 s, end] time lt 0")));
  results = run_tests({late}, {}, {});
  REQUIRE(results[0].cases.size() == 1);
  CHECK(results[0].cases[0].is_vacuous);
  CHECK(results[0].diagnostics.find("warning: \"e\" begins after the run's end (1 s) and checks nothing [study-vacuous]") !=
        std::string::npos);
  results = run_tests({scene.folder.file("a/good.xml")}, {}, {});
  CHECK_FALSE(results[0].cases[0].is_vacuous);
  CHECK(results[0].diagnostics.empty());
}

TEST_CASE("study: a failed condition that only step 0 was looked at for asks whether always was meant") {
  Folder scene;
  const std::string file = scene.folder.file("a/now.xml");
  simbatch::test::write_text(file, world("<Expectations duration=\"1\"><Expect name=\"a\" that=\"time gt 0.5\"/>"
                                         "<Expect name=\"b\" that=\"eventually time gt 5\"/></Expectations>"));
  const auto results = run_tests({file}, {}, {});
  REQUIRE(results[0].cases.size() == 2);
  CHECK(results[0].cases[0].message.find("; only step 0 was checked, did you mean always or eventually?") != std::string::npos);
  CHECK(results[0].cases[1].message.find("did you mean") == std::string::npos);
}
