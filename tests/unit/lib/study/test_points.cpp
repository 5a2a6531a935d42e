// What varies, what is computed of a run, and tables from elsewhere.

#include <doctest/doctest.h>

#include <cmath>
#include <filesystem>

#include "base/core/hash.hpp"
#include "lib/study/codes.hpp"
#include "lib/study/csv.hpp"
#include "lib/study/point.hpp"
#include "lib/study/statistics.hpp"
#include "tests/support/support.hpp"

using namespace simbatch;
using namespace simbatch::study;
using simbatch::test::Expected;

namespace {

constexpr const char* kWorld =
    "<World name=\"w\">\n"
    "  <Physics><Engine name=\"e\"><StepSize value=\"0.01\"/><Gravity x=\"0\" y=\"-10\" z=\"0\"/></Engine></Physics>\n"
    "  <Terrain><Plane name=\"p\"><Height value=\"0\"/></Plane></Terrain>\n"
    "  <Objects>\n"
    "    <Robot name=\"ball\" file=\"ball.xml\"><Position x=\"0\" y=\"50\" z=\"0\"/></Robot>\n"
    "    <Robot name=\"other\" file=\"ball.xml\"><Position x=\"9\" y=\"50\" z=\"0\"/></Robot>\n"
    "  </Objects>\n"
    "</World>\n";
constexpr const char* kBall =
    "<Robot name=\"ball\"><Parts><Sphere name=\"body\"><Position x=\"0\" y=\"0\" z=\"0\"/><Radius value=\"0.5\"/><Mass value=\"2\"/>"
    "</Sphere></Parts></Robot>";
constexpr const char* kRadius = "Objects/Robot[@name='ball']/@file/Parts/Sphere/Radius/@value";

/// A folder with a scenario of two falling balls.
struct Scene {
  simbatch::test::TemporaryFolder folder;
  Study study;
  Diagnostics problems;
  explicit Scene(const std::string& parts, const std::string& attributes = "duration=\"1\"") {
    simbatch::test::write_text(folder.file("world.xml"), kWorld);
    simbatch::test::write_text(folder.file("ball.xml"), kBall);
    auto parsed = read_study("<Study name=\"fall\" scenario=\"world.xml\" " + attributes + ">" + parts + "</Study>", "s.xml");
    INFO(simbatch::test::all_text(parsed.diagnostics));
    REQUIRE(parsed.ok());
    study = *parsed.value;
  }
  std::optional<Points> points() { return Points::prepare(study, {folder.file("s.xml")}, problems); }
  PointResult run(const std::vector<double>& values) {
    const auto made = points();
    INFO(simbatch::test::all_text(problems));
    REQUIRE(made);
    return made->run(values);
  }
  StudyOptions options(const std::string& out) const {
    StudyOptions options;
    options.file = folder.file("s.xml");
    options.folder = folder.file(out);
    return options;
  }
  std::string text(const std::string& file) const { return simbatch::test::read_text(folder.path() / file); }
};

std::string parameter(const std::string& name, const std::string& path, const std::string& values) {
  return "<Parameter name=\"" + name + "\" path=\"" + path + "\" " + values + "/>";
}
bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("points: metrics of a falling ball have their closed forms, and columns with units") {
  Scene scene(parameter("gravity", "Physics/Engine/Gravity/@y", "values=\"-10 -5\"") +
              "<Metric name=\"height\" kind=\"final\" of=\"ball.body.y\"/>"
              "<Metric name=\"top speed\" kind=\"max\" of=\"speed(ball.body)\" unit=\"km/h\"/>"
              "<Metric name=\"half way\" kind=\"first-time\" of=\"ball.body.y lt 49 m\"/>"
              "<Metric name=\"never\" kind=\"first-time\" of=\"ball.body.y lt 9 m\"/><Design kind=\"grid\"/>");
  const auto points = scene.points();
  REQUIRE(points);
  CHECK(points->metrics()[0].unit == "m");
  CHECK(points->metrics()[1].unit == "km/h");
  CHECK(points->metrics()[2].unit == "s");
  const PointResult fast = points->run({-10}), slow = points->run({-5});
  CHECK(fast.verdict == RunVerdict::pass);
  CHECK(fast.steps == 100);
  // Semi-implicit steps fall g dt t / 2 = 0.05 m further than g t^2 / 2.
  CHECK(*fast.metrics[0] == doctest::Approx(50 - 5).epsilon(0.002));
  CHECK(*fast.metrics[0] < *slow.metrics[0]);
  CHECK(*fast.metrics[1] == doctest::Approx(36).epsilon(0.01));
  CHECK(*fast.metrics[2] == doctest::Approx(std::sqrt(0.2)).epsilon(0.03));
  CHECK_FALSE(fast.metrics[3]);
  for (const auto& [name, value] : points->shown(fast))
    if (name == "never") CHECK(value == "none");

  REQUIRE(run_study(scene.study, scene.options("out"), scene.problems));
  CHECK(has(scene.text("out/results.csv"),
            "steps,state_hash,height,top speed,half way,never\r\n0,-10,pass,,100," + hex64(*fast.state_hash)));
  CHECK(scene.text("out/results.parquet").starts_with("PAR1"));
  CHECK(has(scene.text("out/report.html"), "\"top speed\""));
  CHECK(has(scene.text("out/report.svg"), "<svg"));
}

TEST_CASE("points: a path into a robot's file changes this robot alone, and the run can be made again from files") {
  Scene scene(
      parameter("radius", kRadius, "low=\"0.5\" high=\"2\"") +
          "<Metric name=\"a\" kind=\"final\" of=\"ball.body.y\"/><Metric name=\"b\" kind=\"final\" of=\"other.body.y\"/>"
          "<Design kind=\"random\" runs=\"3\"/>",
      "duration=\"9\"");
  const PointResult result = scene.run({2});
  CHECK(*result.metrics[0] == doctest::Approx(2).epsilon(0.01));
  CHECK(*result.metrics[1] == doctest::Approx(0.5).epsilon(0.02));

  const auto variant = make_variant(kWorld, {scene.folder.file("world.xml"), "", "run7"}, scene.study, {2}, scene.problems);
  REQUIRE(variant);
  REQUIRE(variant->files.size() == 1);
  CHECK(variant->files[0].path == scene.folder.file("run7-1-ball.xml"));
  CHECK(has(variant->scenario, "name=\"ball\" file=\"run7-1-ball.xml\""));
  CHECK(has(variant->scenario, "name=\"other\" file=\"ball.xml\""));
  simbatch::test::write_text(variant->files[0].path, variant->files[0].text);
  simbatch::test::write_text(scene.folder.file("run7.xml"), variant->scenario);
  const auto built = scenario::build_scenario(scene.folder.file("run7.xml"));
  REQUIRE(built.value);
  for (int i = 0; i < 900; ++i) REQUIRE(built.value->simulation->step());
  CHECK(built.value->simulation->state_hash() == *result.state_hash);
  CHECK(scene.points()->command("run7.xml", {2}) == "simrun run7.xml --steps 900");
}

TEST_CASE("points: step and duration can vary") {
  Scene scene(parameter("step", "dt", "values=\"0.01 0.02\"") + parameter("length", "duration", "values=\"1 2\"") +
                  parameter("noise", "seed", "values=\"1 2\"") + "<Design kind=\"grid\"/>",
              "");
  CHECK(scene.run({0.01, 2, 1}).steps == 200);
  CHECK(scene.run({0.02, 1, 1}).steps == 50);
  CHECK(scene.points()->command("x.xml", {0.02, 1, 2}) == "simrun x.xml --dt 0.02 --seed 2 --steps 50");
}

TEST_CASE("points: choices are texts, each tried before the first run") {
  const std::string start =
      "<Parameter name=\"body\" path=\"Objects/Robot[1]/@file\" choices=\"ball.xml | big &lt;ball&gt;.xml";
  Scene scene(start + "\"/><Metric name=\"a\" kind=\"final\" of=\"ball.body.y\"/><Design kind=\"grid\"/>", "duration=\"9\"");
  CHECK_FALSE(scene.points());
  Expected missing(scene.problems);
  missing.take("sim-file");
  CHECK(has(missing.take(code::kParameter), "cannot be \"big <ball>.xml\""));
  std::string big = kBall;
  big.replace(big.find("0.5"), 3, "3.0");
  simbatch::test::write_text(scene.folder.file("big <ball>.xml"), big);
  scene.problems = {};
  CHECK(*scene.run({0}).metrics[0] == doctest::Approx(0.5).epsilon(0.02));
  CHECK(*scene.run({1}).metrics[0] == doctest::Approx(3).epsilon(0.02));
  REQUIRE(run_study(scene.study, scene.options("out"), scene.problems));
  CHECK(has(scene.text("out/results.csv"), "\r\n1,big <ball>.xml,pass,"));
  CHECK(plan_csv(scene.study) == "run,body\r\n0,ball.xml\r\n1,big <ball>.xml\r\n");
}

TEST_CASE("points: paths that cannot be gone are reported") {
  const std::pair<std::string, const char*> wrong[] = {{"Objects/Robot[1]/@file/Parts/Spere/@x", "did you mean"},
                                                       {"Terrain/Plane/@name/Height/@value", "a robot's file"},
                                                       {"Objects/Robot[1]/@file/Parts", "expected an attribute at its end"}};
  for (const auto& [path, says] : wrong) {
    const auto& shown = path;  // clang 14 cannot capture path itself
    CAPTURE(shown);
    Scene scene(parameter("p", path, "choices=\"x\"") + "<Design kind=\"grid\"/>");
    CHECK_FALSE(scene.points());
    CHECK(has(Expected(scene.problems).take(code::kPath), says));
  }
  Scene outside(parameter("p", kRadius, "values=\"1\"") + "<Design kind=\"grid\"/>");
  std::string world = kWorld;
  world.replace(world.find("ball.xml"), 8, "../../../etc/passwd");
  simbatch::test::write_text(outside.folder.file("world.xml"), world);
  CHECK_FALSE(outside.points());
  CHECK(has(Expected(outside.problems).take(code::kPath), "lies outside the folder"));
}

TEST_CASE("points: a table as design is read back, and what is wrong in it is reported") {
  Scene scene(parameter("g", "Physics/Engine/Gravity/@y", "") +
              "<Parameter name=\"body\" path=\"Objects/Robot[1]/@file\" choices=\"ball.xml|b\"/>" +
              parameter("noise", "seed", "") + "<Design kind=\"table\" file=\"t.csv\"/>");
  const auto rows = read_plan(
      "\xEF\xBB\xBF"
      "body,run,noise,g\nball.xml,0,7,-3\r\n\"b\",9,8,-1.5",
      "t.csv", scene.study);
  REQUIRE(rows.ok());
  scene.study.rows = *rows.value;
  CHECK(run_count(scene.study) == 2);
  CHECK(values_of(scene.study, 1) == std::vector<double>{-1.5, 1, 8});
  CHECK(read_plan(plan_csv(scene.study), "t.csv", scene.study).value == rows.value);

  Expected cells(read_plan("g,body,noise\n1,2\nx,ball.xml,1\n1,c,1\n1,b,0.5\n", "t.csv", scene.study).diagnostics);
  cells.take(code::kDesign, Position{2, 1});
  cells.take(code::kDesign, Position{3, 1});
  cells.take(code::kDesign, Position{4, 3});
  cells.take(code::kDesign, Position{5, 5});
  Expected semicolons(read_plan("g;body;noise\n1;ball.xml;1\n", "t.csv", scene.study).diagnostics);
  CHECK(semicolons.take(code::kDesign).find("expected commas") != std::string::npos);
  Expected heads(read_plan("g,bdy,noise\n", "t.csv", scene.study).diagnostics);
  CHECK(has(heads.take(code::kDesign, Position{1, 3}), "did you mean \"body\""));
  heads.take(code::kDesign, Position{1, 1});
  Expected(read_plan("g,body,noise\n", "t.csv", scene.study).diagnostics).take(code::kDesign);
  Expected empty(read_plan("", "t.csv", scene.study).diagnostics);
  for (int i = 0; i < 3; ++i) empty.take(code::kDesign, Position{1, 1});
}

TEST_CASE("points: cells of CSV with quotes, commas and line ends") {
  detail::CsvReader reader("a,\"b,\"\"c\"\"\nd\",e\r\n\nlast,\"open");
  std::vector<std::string> cells;
  REQUIRE(reader.next(cells));
  CHECK(cells == std::vector<std::string>{"a", "b,\"c\"\nd", "e"});
  CHECK(reader.line() == 1);
  REQUIRE(reader.next(cells));
  CHECK(reader.line() == 3);
  REQUIRE(reader.next(cells));
  CHECK(cells == std::vector<std::string>{"last", "open"});
  CHECK_FALSE(reader.next(cells));
  CHECK(csv_cell("a \"b\",\nc") == "\"a \"\"b\"\", c\"");
}

TEST_CASE("points: quantiles as R and NumPy have them, groups and worst runs") {
  const std::vector<double> sorted{1, 2, 4, 8, 16};
  CHECK(detail::quantile(sorted, 0) == 1);
  CHECK(detail::quantile(sorted, 0.3) == doctest::Approx(2.4));  // numpy.quantile([1, 2, 4, 8, 16], 0.3)
  CHECK(detail::quantile(sorted, 1) == 16);
  const detail::Spread spread = detail::spread_of({16, 1, INFINITY, 8, 2, 4});
  CHECK(spread.n == 5);
  CHECK(spread.mean == doctest::Approx(6.2));
  CHECK(spread.median == 4);
  CHECK(detail::spread_of({}).n == 0);

  Scene scene(parameter("g", "Physics/Engine/Gravity/@y", "low=\"-20\" high=\"0\"") + parameter("n", "seed", "values=\"1 2\"") +
              "<Design kind=\"random\" runs=\"40\"/>");
  std::vector<detail::TableRow> rows;
  for (int i = 0; i < 40; ++i) {
    detail::TableRow row;
    row.run = i;
    row.values = {-i / 2.0, 1.0 + i % 2};
    row.verdict = i == 7 ? RunVerdict::crash : i % 4 == 0 ? RunVerdict::fail : RunVerdict::pass;
    row.margins = {i % 4 == 0 ? -1.0 - i : 2.0, i == 7 ? std::nullopt : std::optional(3.0)};
    rows.push_back(row);
  }
  const auto by_value = detail::groups_of(scene.study, 1, rows);
  REQUIRE(by_value.size() == 2);
  CHECK(by_value[0].label == "1");
  CHECK(by_value[0].n == 20);
  CHECK(by_value[0].pass == 10);
  CHECK(by_value[1].pass == 19);
  const auto by_range = detail::groups_of(scene.study, 0, rows);
  REQUIRE(by_range.size() == 5);
  std::int64_t n = 0;
  for (const auto& group : by_range) n += group.n;
  CHECK(n == 40);
  CHECK(by_range[0].label == "-19.5 to -15.6");
  const auto worst = detail::worst_of(rows, 3);
  CHECK(worst == std::vector<std::size_t>{7, 36, 32});
}

TEST_CASE("points: a study ends when its interval is narrow enough, with the same run for any number of jobs") {
  Scene scene(parameter("y", "Objects/Robot[1]/Position/@y", "low=\"10\" high=\"20\"") +
                  "<Expect name=\"low\" that=\"always ball.body.y lt 18\"/><Design kind=\"random\" runs=\"400\"/>",
              "duration=\"0.02\"");
  StudyOptions options = scene.options("one");
  options.until_width = 0.35;
  const auto one = run_study(scene.study, options, scene.problems);
  REQUIRE(one);
  CHECK(one->is_whole);
  CHECK(one->runs < 60);
  const Share share = wilson(one->pass, one->runs);
  CHECK(share.high - share.low <= 0.35);
  options.folder = scene.folder.file("many");
  options.jobs = 5;
  const auto many = run_study(scene.study, options, scene.problems);
  REQUIRE(many);
  CHECK(many->runs == one->runs);
  for (const char* file : {"/results.csv", "/results.parquet", "/report.html", "/report.svg"}) {
    CAPTURE(file);
    CHECK(scene.text(std::string("one") + file) == scene.text(std::string("many") + file));
  }
}

TEST_CASE("points: shards in folders of their own are merged, and what changed is named") {
  Scene scene(parameter("y", "Objects/Robot[1]/Position/@y", "low=\"10\" high=\"20\" steps=\"5\"") +
                  "<Expect name=\"low\" that=\"always ball.body.y lt 18\"/><Design kind=\"grid\"/>",
              "duration=\"0.02\"");
  std::vector<std::string> folders;
  for (const std::int64_t shard : {2, 1}) {
    StudyOptions options = scene.options("part" + std::to_string(shard));
    options.shard = shard;
    options.shards = 2;
    REQUIRE(run_study(scene.study, options, scene.problems));
    folders.push_back(options.folder);
  }
  const auto missing = merge_study(scene.study, scene.options("all"), {folders[0]}, scene.problems);
  REQUIRE(missing);
  CHECK_FALSE(missing->is_whole);
  CHECK(missing->missing == std::vector<std::int64_t>{0, 2, 4});
  CHECK_FALSE(std::filesystem::exists(scene.folder.path() / "all"));
  const auto merged = merge_study(scene.study, scene.options("all"), folders, scene.problems);
  REQUIRE(merged);
  CHECK(merged->is_whole);
  CHECK(merged->pass == 4);
  REQUIRE(run_study(scene.study, scene.options("whole"), scene.problems));
  CHECK(scene.text("all/results.parquet") == scene.text("whole/results.parquet"));
  CHECK(scene.text("all/report.html") == scene.text("whole/report.html"));
  // A row that someone has edited is computed again, not believed.
  std::string journal = scene.text("whole/journal.csv");
  journal.replace(journal.find("\r\n0,") + 2, 2, "0,5,");
  simbatch::test::write_text(scene.folder.file("whole/journal.csv"), journal);
  const auto again = run_study(scene.study, scene.options("whole"), scene.problems);
  REQUIRE(again);
  CHECK(again->before == 4);
  CHECK(scene.text("all/results.csv") == scene.text("whole/results.csv"));

  simbatch::test::write_text(scene.folder.file("ball.xml"), std::string(kBall) + "\n");
  CHECK_FALSE(run_study(scene.study, scene.options("whole"), scene.problems));
  CHECK(has(Expected(scene.problems).take(code::kChanged), "changed since: ball.xml;"));
}

TEST_CASE("points: a grid or table to which values are added keeps its results, under new numbers") {
  const std::string rest = "<Expect name=\"low\" that=\"always ball.body.y lt 18\"/>";
  const auto heights = [](const std::string& values) {
    return parameter("y", "Objects/Robot[1]/Position/@y", "values=\"" + values + "\"");
  };
  const auto seeds = [](const std::string& values) { return parameter("noise", "seed", "values=\"" + values + "\""); };
  Scene scene(heights("12 19") + seeds("1 2") + rest + "<Design kind=\"grid\"/>", "duration=\"0.02\"");
  REQUIRE(run_study(scene.study, scene.options("out"), scene.problems));
  Scene more(heights("10 12 19") + seeds("3 1 2") + rest + "<Design kind=\"grid\"/>", "duration=\"0.02\"");
  REQUIRE(run_study(more.study, more.options("fresh"), more.problems));
  std::filesystem::create_directories(more.folder.path() / "out");
  std::filesystem::copy_file(scene.folder.path() / "out/journal.csv", more.folder.path() / "out/journal.csv");
  const auto grown = run_study(more.study, more.options("out"), more.problems);
  INFO(simbatch::test::all_text(more.problems));
  REQUIRE(grown);
  CHECK(grown->before == 4);
  CHECK(grown->done == 9);
  CHECK(more.text("out/results.csv") == more.text("fresh/results.csv"));
  CHECK(more.text("out/results.parquet") == more.text("fresh/results.parquet"));
  // Again, with rows whose numbers are those of other runs now.
  const auto again = run_study(more.study, more.options("out"), more.problems);
  REQUIRE(again);
  CHECK(again->before == 9);
  // The plan of the grid as a table, edited: a row less, a new one, in another order.
  Study table = more.study;
  table.design = DesignKind::table;
  table.rows = {{19, 2}, {11, 5}, {10, 1}};
  StudyOptions options = more.options("out");
  const auto edited = run_study(table, options, more.problems);
  REQUIRE(edited);
  CHECK(edited->before == 2);
  CHECK(more.text("out/results.csv").find("\r\n1,11,5,pass,") != std::string::npos);
  // A column that means something else is another study.
  table.parameters[0].path = "Objects/Robot[1]/Position/@x";
  CHECK_FALSE(run_study(table, options, more.problems));
  CHECK(has(Expected(more.problems).take(code::kChanged), "changed since: the design;"));
}
