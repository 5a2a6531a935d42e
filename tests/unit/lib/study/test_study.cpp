// Studies: designs, paths, and the table's bytes whatever happens on the way.

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>

#include "base/core/hash.hpp"
#include "base/core/number.hpp"
#include "lib/sim/expect/expectations.hpp"
#include "lib/study/codes.hpp"
#include "lib/study/study.hpp"
#include "tests/support/support.hpp"

using namespace simbatch;
using namespace simbatch::study;
using simbatch::test::Expected;

namespace {

constexpr const char* kWorld =
    "<World name=\"w\">\n"
    "  <Physics><Engine name=\"e\"><StepSize value=\"0.01\"/><Gravity x=\"0\" y=\"-9.81\" z=\"0\"/></Engine></Physics>\n"
    "  <Terrain><Plane name=\"p\"><Height value=\"0\"/></Plane></Terrain>\n"
    "  <Objects>\n"
    "    <Robot name=\"ball\" file=\"ball.xml\"><Position x=\"0\" y=\"5.5\" z=\"0\"/></Robot>\n"
    "    <Robot name=\"other\" file=\"ball.xml\"><Position x=\"9\" y=\"2\" z='0'/></Robot>\n"
    "  </Objects>\n"
    "  <Expectations duration=\"0.5\"><Expect name=\"high\" that=\"always ball.body.y > 4.5\"/></Expectations>\n"
    "</World>\n";
constexpr const char* kBall =
    "<Robot name=\"ball\"><Parts><Sphere name=\"body\"><Position x=\"0\" y=\"0\" z=\"0\"/><Radius value=\"0.5\"/><Mass value=\"2\"/>"
    "</Sphere></Parts></Robot>";

std::string study_text(const std::string& design, const std::string& more = "") {
  return "<Study name=\"fall\" scenario=\"world.xml\" seed=\"7\">\n"
         "<Parameter name=\"height\" path=\"Objects/Robot[@name='ball']/Position/@y\" low=\"4\" high=\"8\" steps=\"3\"/>\n"
         "<Parameter name=\"gravity\" path=\"Physics/Engine/Gravity/@y\" values=\"-9.81 -3.7\"/>\n" +
         more + design + "</Study>";
}

Study read(const std::string& text) {
  auto parsed = read_study(text, "s.xml");
  INFO(simbatch::test::all_text(parsed.diagnostics));
  REQUIRE(parsed.ok());
  return *parsed.value;
}

struct Folder {
  simbatch::test::TemporaryFolder folder;
  Study study;
  explicit Folder(const std::string& design = "<Design kind=\"grid\"/>", const std::string& more = "")
      : study(read(study_text(design, more))) {
    simbatch::test::write_text(folder.file("world.xml"), kWorld);
    simbatch::test::write_text(folder.file("ball.xml"), kBall);
  }
  StudyOptions options(const std::string& out) const {
    StudyOptions options;
    options.file = folder.file("s.xml");
    options.folder = folder.file(out);
    return options;
  }
  std::string table(const std::string& out) const { return simbatch::test::read_text(folder.path() / out / "results.csv"); }
};

}  // namespace

TEST_CASE("study: a grid has every combination, the last parameter fastest") {
  const Study study = read(study_text("<Design kind=\"grid\"/>"));
  CHECK(run_count(study) == 6);
  CHECK(plan_csv(study) == "run,height,gravity\r\n0,4,-9.81\r\n1,4,-3.7\r\n2,6,-9.81\r\n3,6,-3.7\r\n4,8,-9.81\r\n5,8,-3.7\r\n");
}

TEST_CASE("study: a draw depends on seed, parameter and run alone") {
  for (const char* kind : {"random", "sobol", "latin"}) {
    CAPTURE(kind);
    const auto design = [&](int runs) {
      return "<Design kind=\"" + std::string(kind) + "\" runs=\"" + std::to_string(runs) + "\"/>";
    };
    const Study small = read(study_text(design(20))), large = read(study_text(design(50))),
                more = read(study_text(design(20), "<Parameter name=\"z\" path=\"a/@b\" low=\"0\" high=\"1\"/>"));
    bool same = true;
    for (std::int64_t run = 0; run < 20; ++run) {
      const auto values = values_of(small, run);
      CHECK(values_of(more, run)[0] == values[0]);
      CHECK(values_of(more, run)[1] == values[1]);
      same = same && values_of(large, run) == values;
      CHECK(values[0] >= 4);
      CHECK(values[0] <= 8);
    }
    CHECK(same == (std::string_view(kind) != "latin"));
  }
}

TEST_CASE("study: a Latin hypercube has one point in each part of each range, Sobol' one in each box") {
  const auto unit = [](const char* kind, int runs) {
    std::string parameters;
    for (int i = 0; i < 13; ++i)
      parameters += "<Parameter name=\"p" + std::to_string(i) + "\" path=\"a/@b\" low=\"0\" high=\"1\"/>";
    return read("<Study name=\"u\" scenario=\"s\">" + parameters + "<Design kind=\"" + kind + "\" runs=\"" +
                std::to_string(runs) + "\"/></Study>");
  };
  for (const auto& design : {std::pair("latin", 37), std::pair("latin", 1), std::pair("latin", 64), std::pair("sobol", 64),
                             std::pair("sobol", 1024)}) {
    const char* kind = design.first;
    const int runs = design.second;
    CAPTURE(kind);
    const Study study = unit(kind, runs);
    std::vector<std::set<int>> parts(13);
    std::set<std::pair<int, int>> boxes;
    std::vector<std::pair<double, double>> points;
    for (int run = 0; run < runs; ++run) {
      const auto values = values_of(study, run);
      for (std::size_t i = 0; i < values.size(); ++i) parts[i].insert(static_cast<int>(values[i] * runs));
      const double side = std::sqrt(runs);
      boxes.insert({static_cast<int>(values[0] * side), static_cast<int>(values[1] * side)});
    }
    for (const auto& seen : parts) CHECK(seen.size() == static_cast<std::size_t>(runs));
    if (std::string_view(kind) == "sobol") CHECK(boxes.size() == static_cast<std::size_t>(runs));  // a (0, 2)-sequence
  }
  // The uniform distribution by Kolmogorov and Smirnov, 1.63 / sqrt(n) being the 1 % limit.
  const Study study = unit("random", 2000);
  std::vector<double> sample;
  for (int run = 0; run < 2000; ++run) sample.push_back(values_of(study, run)[3]);
  std::sort(sample.begin(), sample.end());
  double distance = 0;
  for (std::size_t i = 0; i < sample.size(); ++i)
    distance = std::max(distance, std::fabs(sample[i] - (static_cast<double>(i) + 0.5) / 2000));
  CHECK(distance < 1.63 / std::sqrt(2000));
}

TEST_CASE("study: logarithmic, whole and listed values") {
  const Study study = read(
      "<Study name=\"u\" scenario=\"s\"><Parameter name=\"a\" path=\"x/@a\" low=\"0.01\" high=\"100\" scale=\"log\" steps=\"5\"/>"
      "<Parameter name=\"b\" path=\"seed\" low=\"1\" high=\"3\" steps=\"3\"/><Design kind=\"grid\"/></Study>");
  CHECK(values_of(study, 6)[0] == doctest::Approx(1));
  CHECK(values_of(study, 6)[1] == 1);
  CHECK(values_of(study, 14)[0] == 100);
  CHECK(values_of(study, 14)[1] == 3);
}

TEST_CASE("study: mistakes of a study file are reported at their places") {
  Expected first(
      read_study(
          "<Study name=\"a\" scenario=\"b\">\n<Parameter name=\"p\" path=\"x/@y\" low=\"2\" high=\"1\"/>\n"
          "<Parameter name=\"p\" path=\"x/@y\" values=\"1 b\"/>\n<Parameter name=\"q,\" path=\"x/@y\" low=\"0\" high=\"1\" scale=\"log\"/>\n"
          "<Design kind=\"latin\"/><Desing/></Study>",
          "s.xml")
          .diagnostics);
  first.drop_notes();
  first.take(code::kParameter, Position{2, 47});
  first.take(code::kParameter, Position{3, 41});
  first.take(code::kDuplicate, Position{3, 18});
  first.take(code::kParameter, Position{4, 18});
  first.take(code::kParameter, Position{4, 39});
  first.take("xml-attribute-missing");
  first.take("xml-element-unknown");
  Expected grid(
      read_study(study_text("<Design kind=\"grid\"/>", "<Parameter name=\"z\" path=\"a/@b\" low=\"0\" high=\"1\"/>\n"), "s.xml")
          .diagnostics);
  grid.take(code::kDesign, Position{4, 1});
  Expected none(read_study("<Study name=\"a\" scenario=\"b\"><Design kind=\"grid\"/></Study>", "s.xml").diagnostics);
  none.take(code::kDesign);
}

TEST_CASE("study: values go to the attributes that paths lead to, everything else stays") {
  Study study = read(study_text("<Design kind=\"grid\"/>"));
  Diagnostics problems;
  const auto edited = edited_scenario(kWorld, "w.xml", study, {7.25, -1}, problems);
  REQUIRE(edited);
  std::string expected = kWorld;
  expected.replace(expected.find("5.5"), 3, "7.25");
  expected.replace(expected.find("-9.81"), 5, "-1");
  CHECK(*edited == expected);
  const std::pair<const char*, const char*> wrong[] = {
      {"Objects/Robot/Position/@y", "has 2 Robot, expected one"},
      {"Objects/Robot[3]/Position/@y", "has no Robot[3]"},
      {"Objects/Robot[@name='bal']/Position/@y", "has no Robot"},
      {"Objects/Robt[1]/Position/@y", "did you mean \"Robot\"?"},
      {"Objects/Robot[1]/Position/@yy", "has no attribute \"yy\""},
      {"Objects/Robot[1]/Position", "expected an attribute at its end"},
      {"Objects/Robot[x]/Position/@y", "is not a step"},
      {"Physics/Engine/Gravity/@y", "set the same attribute"},
      {"World/Physics/Engine/Gravity/@y", "begins below <World>, expected \"Physics/Engine/Gravity/@y\""},
      {"@/x", "ends with its attribute"}};
  for (const auto& row : wrong) {
    const auto& path = row.first;
    const auto& says = row.second;
    CAPTURE(path);
    study.parameters[0].path = path;
    Diagnostics found;
    CHECK_FALSE(edited_scenario(kWorld, "w.xml", study, {1, 1}, found));
    const std::string message = Expected(found).take(code::kPath);
    CAPTURE(message);
    CHECK(message.find(says) != std::string::npos);
  }
}

TEST_CASE("study: the table has the same bytes for any jobs, shards and interruptions, and each row can be repeated") {
  const Folder scene("<Design kind=\"latin\" runs=\"9\"/>", "<Expect name=\"falls\" that=\"eventually ball.body.y lt 5\"/>");
  Diagnostics problems;
  const auto one = run_study(scene.study, scene.options("one"), problems);
  INFO(simbatch::test::all_text(problems));
  REQUIRE(one);
  CHECK(one->is_whole);
  CHECK(one->pass + one->fail == 9);
  CHECK(one->fail > 0);
  const std::string table = scene.table("one");
  CHECK(table.starts_with("run,height,gravity,verdict,message,steps,state_hash,margin of high,margin of falls\r\n0,"));

  StudyOptions many = scene.options("many");
  many.jobs = 4;
  int calls = 0;
  many.keep_going = [&calls] { return ++calls < 3; };  // interrupted soon
  REQUIRE(run_study(scene.study, many, problems));
  { std::ofstream(scene.folder.path() / "many/journal.csv", std::ios::app) << "8,torn"; }
  many.keep_going = {};
  REQUIRE(run_study(scene.study, many, problems));
  CHECK(scene.table("many") == table);

  for (const std::int64_t shard : {3, 1, 2}) {
    StudyOptions part = scene.options("shards");
    part.shard = shard;
    part.shards = 3;
    const auto result = run_study(scene.study, part, problems);
    REQUIRE(result);
    CHECK(result->is_whole == (shard == 2));
  }
  CHECK(scene.table("shards") == table);
  // Nothing is left to do, and the table is made again.
  const auto again = run_study(scene.study, scene.options("shards"), problems);
  CHECK(again->before == 9);
  CHECK(scene.table("shards") == table);

  // Run 4 by itself, as simrun would run its scenario.
  const auto text = edited_scenario(kWorld, "world.xml", scene.study, values_of(scene.study, 4), problems);
  simbatch::test::write_text(scene.folder.file("four.xml"), *text);
  const auto built = scenario::build_scenario(scene.folder.file("four.xml"));
  REQUIRE(built.value);
  for (int i = 0; i < 50; ++i) REQUIRE(built.value->simulation->step());
  CHECK(table.find(hex64(built.value->simulation->state_hash())) != std::string::npos);
}

TEST_CASE("study: other inputs are refused, runs that break are rows") {
  Folder scene;
  Diagnostics problems;
  StudyOptions options = scene.options("out");
  REQUIRE(run_study(scene.study, options, problems));
  simbatch::test::write_text(scene.folder.file("ball.xml"), std::string(kBall) + "\n");
  CHECK_FALSE(run_study(scene.study, options, problems));
  Expected(problems).take(code::kChanged);
  options.fresh = true;
  problems = {};
  REQUIRE(run_study(scene.study, options, problems));

  scene.study.parameters[0].low = 1e7;
  scene.study.parameters[1].values = {-1e300, -9.81};
  scene.study.duration = 0.1;
  const auto broken = run_study(scene.study, scene.options("broken"), problems);
  REQUIRE(broken);
  CHECK(broken->broken > 0);
  CHECK(scene.table("broken").find(",error,") != std::string::npos);

  scene.study.parameters[1].values = {-9.81};
  scene.study.duration = 1e6;
  StudyOptions slow = scene.options("slow");
  slow.timeout = 0.3;
  slow.jobs = 3;
  const auto late = run_study(scene.study, slow, problems);
  REQUIRE(late);
  CHECK(late->broken == 3);
  CHECK(scene.table("slow").find(",timeout,no end after 0.3 s") != std::string::npos);
}

TEST_CASE("study: Wilson's interval") {
  const Share share = wilson(27, 30);
  CHECK(share.share == 0.9);
  CHECK(share.low == doctest::Approx(0.7438).epsilon(1e-3));
  CHECK(share.high == doctest::Approx(0.9654).epsilon(1e-3));
  CHECK(wilson(0, 10).low == 0);
  CHECK(wilson(10, 10).high == doctest::Approx(1));
}

TEST_CASE("study: xmllint accepts the study files") {
  if (std::system("command -v xmllint > /dev/null") != 0) return;
  for (const auto& entry : std::filesystem::recursive_directory_iterator("scenarios")) {
    if (!entry.path().string().ends_with(".study.xml")) continue;
    CAPTURE(entry.path().string());
    CHECK(std::system(("xmllint --noout --schema docs/schemas/study.xsd " + entry.path().string() + " 2> /dev/null").c_str()) ==
          0);
    CHECK(read_study(simbatch::test::read_text(entry.path()), entry.path().string()).ok());
  }
}

TEST_CASE("study: values beside a range, and an unknown kind of design, are one message each") {
  const auto problems_of = [](const std::string& parameter, const std::string& design) {
    return read_study("<Study name=\"n\" scenario=\"s.xml\">\n<Parameter name=\"a\" path=\"P/@v\" " + parameter +
                          "/>\n<Design " + design + "/></Study>",
                      "s.study.xml")
        .diagnostics;
  };
  Expected both(problems_of("values=\"1 2\" high=\"3\"", "kind=\"grid\""));
  CHECK(both.take(code::kParameter).find("expected either values or low and high") != std::string::npos);
  CHECK(problems_of("low=\"1\" high=\"3\"", "kind=\"lhs\" runs=\"4\"").errors() == 1);
  Expected grid(problems_of("values=\"1 2\"", "kind=\"grid\" runs=\"4\" file=\"a.csv\""));
  CHECK(grid.take(code::kDesign).find("expected no runs") != std::string::npos);
  CHECK(grid.take(code::kDesign).find("expected no file") != std::string::npos);
}
