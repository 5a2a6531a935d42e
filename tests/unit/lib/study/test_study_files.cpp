// What a study reads and leaves besides its tables: the files that it names, how long its runs took, and JUnit XML.

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>

#include "lib/study/codes.hpp"
#include "lib/study/point.hpp"
#include "lib/study/study.hpp"
#include "lib/study/table.hpp"
#include "tests/support/support.hpp"

using namespace simbatch;
using namespace simbatch::study;
using simbatch::test::Expected;

namespace {

constexpr const char* kWorld =
    "<World name=\"w\">\n"
    "<Physics><Engine name=\"e\"><StepSize value=\"0.01\"/><Gravity x=\"0\" y=\"-9.81\" z=\"0\"/></Engine></Physics>\n"
    "<Terrain><Plane name=\"p\"><Height value=\"0\"/></Plane></Terrain>\n"
    "<Objects><Robot name=\"ball\" file=\"ball.xml\"><Position x=\"0\" y=\"4\" z=\"0\"/></Robot></Objects>\n"
    "<Expectations duration=\"0.2\"><Expect name=\"high\" that=\"always ball.body.y gt 3 m\"/></Expectations>\n</World>\n";
constexpr const char* kBall =
    "<Robot name=\"ball\"><Parts><Sphere name=\"body\"><Position x=\"0\" y=\"0\" z=\"0\"/><Radius value=\"0.5\"/><Mass value=\"2\"/>"
    "</Sphere></Parts></Robot>";

/// Ten heights, of which the lower four fail; heights come from a table unless there is another design.
struct Scene {
  simbatch::test::TemporaryFolder folder;
  Scene() {
    simbatch::test::write_text(folder.file("world.xml"), kWorld);
    simbatch::test::write_text(folder.file("ball.xml"), kBall);
    simbatch::test::write_text(folder.file("plan.csv"), "height\n2\n2.2\n2.4\n2.6\n4\n5\n6\n7\n8\n9\n");
    study("world.xml", "<Design kind=\"table\" file=\"plan.csv\"/>");
  }
  void study(const std::string& scenario, const std::string& design) const {
    simbatch::test::write_text(folder.file("s.xml"),
                               "<Study name=\"fall\" scenario=\"" + scenario +
                                   "\">\n<Parameter name=\"height\" path=\"Objects/Robot[@name='ball']/Position/@y\"/>\n" +
                                   design + "</Study>");
  }
  StudyOptions options(const std::string& out) const {
    StudyOptions options;
    options.file = folder.file("s.xml");
    options.folder = folder.file(out);
    options.junit = folder.file(out + ".xml");
    return options;
  }
};

}  // namespace

TEST_CASE("study files: what a study names and cannot be read is reported where it is named") {
  const Scene scene;
  scene.study("world.xml", "<Design kind=\"table\" file=\"absent.csv\"/>");
  auto loaded = load_study(scene.folder.file("s.xml"));
  Expected no_table(loaded.diagnostics);
  CHECK(no_table.take(code::kFile, Position{3, 28}).find("absent.csv: cannot open") != std::string::npos);

  scene.study("absent.xml", "<Design kind=\"table\" file=\"plan.csv\"/>");
  loaded = load_study(scene.folder.file("s.xml"));
  REQUIRE(loaded.ok());
  CHECK(loaded.value->rows.size() == 10);
  Diagnostics problems;
  CHECK_FALSE(Points::prepare(*loaded.value, {scene.folder.file("s.xml")}, problems));
  Expected no_scenario(problems);
  CHECK(no_scenario.take(code::kFile, Position{1, 30}).find("absent.xml: cannot open") != std::string::npos);

  Expected other(load_study(scene.folder.file("world.xml")).diagnostics);
  CHECK(other.take("sim-file-kind").find("an AutoSim scenario, not a study") != std::string::npos);
  other.drop_notes();
}

TEST_CASE("study files: ends of ranges that files cannot have get a warning, and an error in a file says which run it is of") {
  const Scene scene;
  const auto prepared = [&](const std::string& parameters, Diagnostics& problems) {
    simbatch::test::write_text(scene.folder.file("s.xml"), "<Study name=\"fall\" scenario=\"world.xml\" seed=\"3\">\n" +
                                                               parameters + "\n<Design kind=\"random\" runs=\"4\"/></Study>");
    const auto study = load_study(scene.folder.file("s.xml"));
    REQUIRE(study.ok());
    return Points::prepare(*study.value, {scene.folder.file("s.xml")}, problems).has_value();
  };
  const std::string mass = "<Parameter name=\"mass\" path=\"Objects/Robot/@file/Parts/Sphere/Mass/@value\" ",
                    dt = "<Parameter name=\"dt\" path=\"Physics/Engine/StepSize/@value\" ";
  Diagnostics none, ends, first;
  CHECK(prepared(mass + "low=\"0.1\" high=\"3\"/>" + dt + "values=\"0.01 0.02\"/>", none));
  Expected nothing(none);
  CHECK(prepared(mass + "low=\"0\" high=\"3\"/>" + dt + "low=\"0.01\" high=\"0.02\"/>", ends));
  Expected expected(ends);
  const std::string range = expected.take(code::kRange, Position{2, 1});
  CHECK(range.find("\"mass\" cannot be 0, so that runs near it may not be built: ") != std::string::npos);
  CHECK_FALSE(prepared(mass + "low=\"-3\" high=\"-2\"/>", first));
  REQUIRE(first.items().size() == 2);
  CHECK(first.items()[0].file.find("ball.xml") != std::string::npos);
  CHECK(first.items()[1].severity == Severity::note);
  CHECK(first.items()[1].message.starts_with("this is run 0, with mass = -2."));
}

TEST_CASE("study files: parameters without values get those of the table, sorted and once each") {
  const Scene scene;
  simbatch::test::write_text(scene.folder.file("plan.csv"), "height\n5\n2\n5\n-1\n");
  auto loaded = load_study(scene.folder.file("s.xml"));
  REQUIRE(loaded.ok());
  take_values_of_table(*loaded.value);
  CHECK(loaded.value->parameters[0].values == std::vector<double>{-1, 2, 5});
  loaded.value->parameters[0].values = {3};
  take_values_of_table(*loaded.value);
  CHECK(loaded.value->parameters[0].values == std::vector<double>{3});
}

TEST_CASE("study files: a share of runs is enough from the run on that makes it whole") {
  CHECK(enough_pass(7, 10, 0.7));
  CHECK_FALSE(enough_pass(6, 10, 0.7));
  CHECK(enough_pass(70'000, 100'000, 0.7));
  CHECK_FALSE(enough_pass(69'999, 100'000, 0.7));
  CHECK(enough_pass(0, 10, 0));
  CHECK(enough_pass(10, 10, 1));
  CHECK_FALSE(enough_pass(9, 10, 1));
  CHECK(enough_pass(10, 10, std::nullopt));
  CHECK_FALSE(enough_pass(9, 10, std::nullopt));
}

TEST_CASE("study files: JUnit has what each run took, and is red if fewer pass than are to") {
  const Scene scene;
  const auto study = load_study(scene.folder.file("s.xml"));
  REQUIRE(study.ok());
  Diagnostics problems;
  const auto written = [&](const std::string& out, std::optional<double> share) {
    StudyOptions options = scene.options(out);
    options.min_pass = share;
    const auto result = run_study(*study.value, options, problems);
    REQUIRE(result);
    CHECK(result->fail == 4);
    if (std::system("command -v xmllint > /dev/null") == 0)
      CHECK(std::system(("xmllint --noout --schema docs/schemas/junit.xsd '" + options.junit + "' 2> /dev/null").c_str()) == 0);
    return simbatch::test::read_text(options.junit);
  };
  const auto has = [](const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; };
  const std::string all = written("all", {});
  CHECK(has(all, "<testsuites tests=\"10\" failures=\"4\" errors=\"0\" skipped=\"0\""));
  const std::string enough = written("enough", 0.6);
  CHECK(has(enough, "<testsuites tests=\"11\" failures=\"0\" errors=\"0\" skipped=\"4\""));
  CHECK(has(enough, "<skipped message=\"enough others pass: high fails by "));
  CHECK(has(enough, "name=\"at least 60 % of the runs pass\""));
  const std::string few = written("few", 0.7);
  CHECK(has(few, "<testsuites tests=\"11\" failures=\"5\" errors=\"0\" skipped=\"0\""));
  CHECK(has(few, "message=\"6 of 10 runs pass, 60 %\""));

  // The seconds are in the journal, and found again in it.
  const std::string journal = simbatch::test::read_text(scene.folder.file("all/journal.csv"));
  const std::string table = simbatch::test::read_text(scene.folder.file("all/results.csv"));
  CHECK(std::count(journal.begin(), journal.end(), '\n') > 10);
  CHECK_FALSE(has(journal, table.substr(table.find("\r\n") + 2)));
  CHECK(written("all", {}) == all);
}

TEST_CASE("study files: a line of a journal is a row and its seconds, and nothing else") {
  using namespace simbatch::study::detail;
  const JournalRow row{"3,4,pass,,20,0123456789abcdef,0.5\r\n", 0.25};
  CHECK(journal_line(row) == "3,4,pass,,20,0123456789abcdef,0.5,0.25\r\n");
  CHECK(journal_line({row.text, 12.3456}) == "3,4,pass,,20,0123456789abcdef,0.5,12.346\r\n");
  Study study;
  study.parameters.emplace_back();
  study.design = DesignKind::table;
  study.rows = {{1}, {2}, {3}, {4}};
  const std::string head = "# simbatch study 3\r\n# the design 0123\r\n";
  Diagnostics problems;
  for (const char* line : {"3,4,pass,,20,0123456789abcdef,0.5,0.25", "3,4,pass,,20,0123456789abcdef,0.5,0.250",
                           "3,4,pass,,20,0123456789abcdef,0.5", "3,4,pass,,20,0123456789abcdef,0.5,-1",
                           "3,4,pass,,20,0123456789abcdef,0.5,nan", "3,4,pass,,20,0123456789abcdef,0.5,1e3", "", ",", "3"}) {
    RowFinder finder(study, {0, 1});
    Rows rows;
    CHECK(read_journal(head + line + "\r\n", "journal.csv", head, finder, rows, problems));
    CAPTURE(line);
    CHECK((rows == Rows{{3, row}}) == (std::string_view(line) == "3,4,pass,,20,0123456789abcdef,0.5,0.25"));
    CHECK(rows.size() <= 1);
  }
}
