// Searches of a falling ball, whose margins have closed forms: what is found, how it is shrunk, and that neither depends on how
// many run at a time.

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "lib/search/codes.hpp"
#include "lib/search/found.hpp"
#include "lib/search/search.hpp"
#include "lib/search/space.hpp"
#include "lib/sim/expect/expectations.hpp"
#include "tests/support/support.hpp"

using namespace simbatch;
using namespace simbatch::search;
using optimize::Method;
using simbatch::test::Expected;

namespace {

constexpr const char* kWorld =
    "<World name=\"w\">\n"
    "  <Physics><Engine name=\"e\"><StepSize value=\"0.01\"/><Gravity x=\"0\" y=\"-9.81\" z=\"0\"/></Engine></Physics>\n"
    "  <Terrain><Plane name=\"p\"><Height value=\"0\"/></Plane></Terrain>\n"
    "  <Objects>\n"
    "    <Robot name=\"ball\" file=\"parts/ball.xml\"><Position x=\"0\" y=\"5.5\" z=\"0\"/></Robot>\n"
    "    <Robot name=\"other\" file=\"parts/ball.xml\"><Position x=\"90\" y=\"2\" z=\"0\"/></Robot>\n"
    "    <Box name=\"wall\"><Position x=\"50\" z=\"0\"/><Size x=\"1\" y=\"1\" z=\"1\"/></Box>\n"
    "  </Objects>\n"
    "  <Expectations duration=\"0.4\"><Expect name=\"high\" that=\"always ball.body.y > 4.5 m\"/></Expectations>\n"
    "</World>\n";
constexpr const char* kBall =
    "<Robot name=\"ball\"><Parts><Sphere name=\"body\"><Position x=\"0\" y=\"0\" z=\"0\"/><Radius value=\"0.5\"/><Mass value=\"2\"/>"
    "</Sphere></Parts></Robot>";
constexpr const char* kHeight =
    "<Parameter name=\"height\" path=\"Objects/Robot[@name='ball']/Position/@y\" low=\"5.2\" high=\"8\"/>\n";
constexpr const char* kGravity = "<Parameter name=\"gravity\" path=\"Physics/Engine/Gravity/@y\" values=\"-9.81 -3.7 -25\"/>\n";
constexpr const char* kPlace =
    "<Parameter name=\"place\" path=\"Objects/Robot[@name='ball']/Position/@x\" low=\"-5\" high=\"5\"/>\n";
constexpr const char* kSeed = "<Parameter name=\"noise\" path=\"seed\" low=\"0\" high=\"1e9\"/>\n";
constexpr const char* kRandom = "<Design kind=\"random\" runs=\"1\"/>";

study::Study read(const std::string& inside, const std::string& attributes = "") {
  const std::string text = "<Study name=\"fall\" scenario=\"world.xml\" seed=\"7\"" + attributes + ">\n" + inside + "</Study>";
  auto parsed = study::read_study(text, "s.xml");
  INFO(simbatch::test::all_text(parsed.diagnostics));
  REQUIRE(parsed.ok());
  return *parsed.value;
}

struct Scene {
  simbatch::test::TemporaryFolder folder;
  explicit Scene(const std::string& world = kWorld) {
    std::filesystem::create_directories(folder.path() / "parts");
    simbatch::test::write_text(folder.file("world.xml"), world);
    simbatch::test::write_text(folder.file("parts/ball.xml"), kBall);
  }
  SearchOptions options(std::int64_t runs = 40) const {
    SearchOptions options;
    options.trials.file = folder.file("s.xml");
    options.runs = runs;
    options.seed = 3;
    return options;
  }
  Case subject(const std::string& inside) const {
    Diagnostics problems;
    auto found = make_case(read(inside), options().trials, problems);
    INFO(simbatch::test::all_text(problems));
    REQUIRE(found);
    return *std::move(found);
  }
  std::optional<Case> refused(const std::string& inside, Diagnostics& problems) const {
    return make_case(read(inside), options().trials, problems);
  }
};

/// The margin of "high" after 40 steps of 0.01 s, which is the least: semi-implicit Euler falls by g dt^2 n (n + 1) / 2.
double margin_of(double height, double gravity) { return height + gravity * 1e-4 * 40 * 41 / 2 - 4.5; }

}  // namespace

TEST_CASE("search: points of the cube become values of ranges, lists, grids and whole numbers, and back") {
  const study::Study study = read(
      "<Parameter name=\"a\" path=\"x/@a\" low=\"0.01\" high=\"100\" scale=\"log\"/><Parameter name=\"b\" path=\"seed\" low=\"1\" high=\"3\"/>"
      "<Parameter name=\"c\" path=\"x/@c\" values=\"5 1 9\"/><Parameter name=\"d\" path=\"x/@d\" low=\"2\" high=\"2\"/>"
      "<Parameter name=\"e\" path=\"x/@e\" low=\"0.2\" high=\"3.9\" whole=\"true\"/><Design kind=\"random\" runs=\"1\"/>");
  const Space space(study);
  CHECK(space.values({0, 0, 0, 0, 0}) == std::vector<double>{0.01, 1, 5, 2, 1});
  CHECK(space.values({1, 1, 1, 1, 1}) == std::vector<double>{100, 3, 9, 2, 3});
  const std::vector<double> middle = space.values({0.5, 0.5, 0.5, 0.5, 0.5});
  CHECK(middle[0] == doctest::Approx(1));
  CHECK(middle[2] == 1);
  const std::int64_t levels[] = {0, 3, 3, 1, 3};
  for (std::size_t i = 0; i < 5; ++i) CHECK(space.levels(i) == levels[i]);
  CHECK(space.combinations(1000) == 0);
  for (const double share : {0.0, 0.1, 0.34, 0.5, 0.77, 1.0}) {
    const std::vector<double> values = space.values(Point(5, share)), again = space.values(space.point(values));
    for (std::size_t i = 0; i < 5; ++i) CHECK(again[i] == doctest::Approx(values[i]));
  }
  CHECK(space.nearest(1, 2.4) == 2);
  CHECK(space.nearest(2, 6) == 5);
  CHECK(space.nearest(4, -7) == 1);

  const study::Study grid = read(
      "<Parameter name=\"a\" path=\"x/@a\" low=\"0\" high=\"1\" steps=\"5\"/><Parameter name=\"b\" path=\"x/@b\" values=\"1 2\"/>"
      "<Design kind=\"grid\"/>");
  const Space points(grid);
  CHECK(points.combinations(10) == 10);
  CHECK(points.combinations(9) == 0);
  for (std::int64_t run = 0; run < 10; ++run) CHECK(points.combination(run) == study::values_of(grid, run));
  CHECK(points.nearest(0, 0.3) == 0.25);
}

TEST_CASE("search: the least margin is found, by every method, and is that of the closed form") {
  const Scene scene;
  const Case subject = scene.subject(std::string(kHeight) + kGravity + kPlace + kRandom);
  CHECK(subject.defaults == std::vector<double>{5.5, -9.81, 0});
  CHECK(subject.objects == std::vector<std::string>{"ball", "other", "wall"});
  for (const Method method : {Method::bayes, Method::cmaes}) {
    CAPTURE(optimize::kMethods[static_cast<std::size_t>(method)]);
    SearchOptions options = scene.options(60);
    options.method = method;
    const SearchResult result = run_search(subject, options);
    REQUIRE(result.tried.size() == 60);
    CHECK(result.broken == 0);
    for (const Tried& one : result.tried) {
      CHECK(one.trial.margins[0].margin == doctest::Approx(margin_of(one.values[0], one.values[1])).epsilon(1e-6));
      CHECK((one.trial.end == Trial::End::failed) == one.trial.margins[0].fails);
    }
    CHECK(result.tried[0].values == subject.defaults);
    CHECK_FALSE(result.tried[0].trial.margins[0].fails);
    CHECK(result.fails());
    const Tried& best = result.tried[result.best];
    CHECK(best.values[0] == doctest::Approx(5.2));
    CHECK(best.values[1] == -25);
  }
}

TEST_CASE("search: shrinking leaves the one parameter, the one object and the steps that the failure needs") {
  const Scene scene;
  const Case subject = scene.subject(std::string(kHeight) + kGravity + kPlace + kSeed + kRandom);
  const SearchOptions options = scene.options();
  const SearchResult result = run_search(subject, options);
  REQUIRE(result.fails());
  const Shrunk shrunk = shrink(subject, options, result);
  // With one of height and gravity away from its default it still fails; place and seed are of no consequence.
  CHECK(std::count(shrunk.is_default.begin(), shrunk.is_default.end(), true) == 3);
  CHECK(shrunk.values[2] == 0);
  CHECK(shrunk.values[3] == 1);
  CHECK(shrunk.removed == std::vector<std::string>{"other", "wall"});
  CHECK(shrunk.trial.margins[0].fails);
  CHECK(shrunk.runs <= options.shrink);
  // It fails with the first step below 4.5 m.
  const double fall = shrunk.values[0] - 4.5, gravity = -shrunk.values[1];
  int n = 0;
  while (gravity * 1e-4 * n * (n + 1) / 2 < fall) ++n;
  CHECK(shrunk.fails_at == doctest::Approx(0.01 * n));
  // A change that makes it fail later is found by the same test: the run stays as long as it was.
  CHECK(shrunk.trial.steps == 40);

  // The text is a scenario by itself that fails in the same way.
  simbatch::test::write_text(scene.folder.file("found.xml"), files_of(subject, shrunk.variant)->scenario);
  const auto built = scenario::build_scenario(scene.folder.file("found.xml"));
  REQUIRE(built.value);
  CHECK(built.value->duration == 0.4);
  CHECK(built.value->expectations->entries().size() == 1);
  built.value->simulation->start();
  built.value->expectations->evaluate();
  for (int i = 0; i < 40; ++i) {
    REQUIRE(built.value->simulation->step());
    built.value->expectations->evaluate();
  }
  built.value->expectations->finish();
  CHECK(built.value->expectations->entries()[0].monitor.outcome().verdict == expect::Verdict::fails);
  CHECK(built.value->simulation->state_hash() == shrunk.trial.state_hash);
}

TEST_CASE("search: what is as short as its failure is another scenario than the test, and fails in the same way") {
  const Scene scene;
  const Case subject = scene.subject(std::string(kHeight) + kRandom);
  SearchOptions options = scene.options();
  const SearchResult result = run_search(subject, options);
  REQUIRE(result.fails());
  CHECK_FALSE(shrink(subject, options, result).shortest);
  options.shorten = true;
  const Shrunk shrunk = shrink(subject, options, result);
  REQUIRE(shrunk.shortest);
  CHECK(*shrunk.shortest->duration == shrunk.fails_at);
  CHECK(shrunk.fails_at < 0.4);
  CHECK_FALSE(shrunk.variant.duration);
  const auto files = files_of(subject, *shrunk.shortest);
  REQUIRE(files);
  const auto trials = run_trials(subject, options.trials, {*files});
  CHECK(trials[0].end == Trial::End::failed);
  CHECK(trials[0].steps == std::llround(shrunk.fails_at / 0.01));
  CHECK(trials[0].margins[0].decided == trials[0].steps);
}

TEST_CASE("search: a failure that the end of the run decides is not shortened") {
  const Scene scene;
  const Case subject =
      scene.subject(std::string(kHeight) + kRandom + "<Expect name=\"ends high\" that=\"finally ball.body.y &gt; 6 m\"/>");
  SearchOptions options = scene.options();
  options.expectation = "ends high";
  options.shorten = true;
  const SearchResult result = run_search(subject, options);
  REQUIRE(result.fails());
  const Shrunk shrunk = shrink(subject, options, result);
  CHECK(shrunk.fails_at == 0.4);
  CHECK_FALSE(shrunk.shortest);
}

TEST_CASE("search: parameters without a range have the values of their columns in the study's table") {
  const Scene scene;
  simbatch::test::write_text(scene.folder.file("plan.csv"), "height\n7\n5.25\n7\n");
  simbatch::test::write_text(
      scene.folder.file("s.xml"),
      "<Study name=\"fall\" scenario=\"world.xml\">\n<Parameter name=\"height\" path=\"Objects/Robot[@name='ball']/Position/@y\"/>\n"
      "<Design kind=\"table\" file=\"plan.csv\"/></Study>");
  const SearchOptions options = scene.options();
  auto study = study::load_study(options.trials.file);
  REQUIRE(study.ok());
  Diagnostics problems;
  const auto subject = make_case(*study.value, options.trials, problems);
  REQUIRE(subject);
  CHECK(subject->defaults == std::vector<double>{5.25});  // the nearest to the scenario's 5.5
  const SearchResult result = run_search(*subject, options);
  CHECK(result.is_exhaustive);
  REQUIRE(result.tried.size() == 2);
  CHECK(result.tried[result.best].values == std::vector<double>{5.25});
  CHECK(result.tried[result.best].trial.margins[0].margin == doctest::Approx(margin_of(5.25, -9.81)));
}

TEST_CASE("search: an object whose absence is what fails stays") {
  // The ball rests on a table, but where it misses it: without the table it would fall everywhere.
  std::string world = kWorld;
  const std::string wall = "<Position x=\"50\" z=\"0\"/><Size x=\"1\" y=\"1\" z=\"1\"/>";
  world.replace(world.find(wall), wall.size(), "<Position x=\"0\" y=\"4.2\" z=\"0\"/><Size x=\"4\" y=\"0.5\" z=\"4\"/>");
  world.replace(world.find("0.4"), 3, "0.6");
  const Scene scene(world);
  const Case subject = scene.subject(std::string(kPlace) + kRandom);
  const SearchOptions options = scene.options(30);
  const SearchResult result = run_search(subject, options);
  REQUIRE(result.fails());
  const Shrunk shrunk = shrink(subject, options, result);
  CHECK(shrunk.removed == std::vector<std::string>{"other"});
}

TEST_CASE("search: values become round where the failure allows it") {
  const Scene scene;
  const Case subject =
      scene.subject("<Parameter name=\"height\" path=\"Objects/Robot[@name='ball']/Position/@y\" low=\"4.7123\" high=\"8\"/>" +
                    std::string(kRandom));
  const SearchOptions options = scene.options(20);
  const SearchResult result = run_search(subject, options);
  REQUIRE(result.tried[result.best].values[0] == doctest::Approx(4.7123).epsilon(1e-3));
  CHECK(shrink(subject, options, result).values[0] == 5);
}

TEST_CASE("search: neither the course nor the result depends on the number of jobs") {
  const Scene scene;
  const Case subject = scene.subject(std::string(kHeight) + kGravity + kPlace + kRandom);
  for (const Method method : {Method::bayes, Method::cmaes, Method::random}) {
    std::string tables[2], texts[2];
    for (const int run : {0, 1}) {
      SearchOptions options = scene.options(30);
      options.method = method;
      options.trials.jobs = run == 0 ? 1 : 5;
      const SearchResult result = run_search(subject, options);
      tables[run] = table_of(subject, result);
      REQUIRE(result.fails());
      texts[run] = files_of(subject, shrink(subject, options, result).variant)->scenario;
    }
    CHECK(tables[0] == tables[1]);
    CHECK(texts[0] == texts[1]);
  }
}

TEST_CASE("search: where there are few combinations all of them are tried, and --first ends with the first failure") {
  const Scene scene;
  const Case subject = scene.subject(
      "<Parameter name=\"height\" path=\"Objects/Robot[@name='ball']/Position/@y\" low=\"5.5\" high=\"7.5\" steps=\"3\"/>" +
      std::string(kGravity) + "<Design kind=\"grid\"/>");
  const SearchResult all = run_search(subject, scene.options());
  CHECK(all.is_exhaustive);
  CHECK(all.tried.size() == 9);
  CHECK(all.tried[all.best].values == std::vector<double>{5.5, -25});
  CHECK(all.failing == 2);

  SearchOptions options = scene.options(60);
  options.first = true;
  const Case wide = scene.subject(std::string(kHeight) + kGravity + kPlace + kRandom);
  const SearchResult first = run_search(wide, options);
  CHECK(first.fails());
  CHECK(first.tried.size() < 60);
}

TEST_CASE("search: of several expectations the one asked for counts, or the nearest to failing") {
  const Scene scene;
  const std::string more =
      "<Expect name=\"left\" that=\"always ball.body.x lt 4.9 m\"/><Expect name=\"off\" that=\"never contact(ball)\"/>";
  const Case subject = scene.subject(std::string(kHeight) + kPlace + kRandom + more);
  REQUIRE(subject.expectations.size() == 3);
  SearchOptions options = scene.options(40);
  options.expectation = "left";
  const SearchResult left = run_search(subject, options);
  REQUIRE(left.fails());
  CHECK(left.expectation == 1);
  CHECK(left.tried[left.best].trial.margins[1].unit == "m");
  CHECK(left.tried[left.best].values[1] == doctest::Approx(5));
  const Shrunk shrunk = shrink(subject, options, left);
  CHECK(shrunk.is_default == std::vector<bool>{true, false});
  CHECK(shrunk.fails_at == 0);  // before any step
  Diagnostics problems;
  check_expectation(subject, "left", problems);
  check_expectation(subject, "", problems);
  CHECK(problems.empty());
  check_expectation(subject, "lft", problems);
  CHECK(Expected(problems).take(code::kName).find("did you mean \"left\"?") != std::string::npos);
  options.expectation = "off";
  CHECK_FALSE(run_search(subject, options).fails());
  options.expectation.clear();
  CHECK(run_search(subject, options).fails());
}

TEST_CASE("search: runs that break have no margin, and do not end the search") {
  const Scene scene;
  const Case subject =
      scene.subject("<Parameter name=\"gravity\" path=\"Physics/Engine/Gravity/@y\" values=\"-9.81 -1e300\"/>" +
                    std::string(kHeight) + kRandom);
  const SearchResult result = run_search(subject, scene.options(30));
  CHECK(result.tried.size() == 30);
  CHECK(result.broken > 0);
  CHECK(result.fails());
  CHECK(result.tried[result.best].values[0] == -9.81);
  CHECK(table_of(subject, result).find(",error,") != std::string::npos);
  Diagnostics problems;
  report_broken(subject, result, problems);
  const std::string says = Expected(problems).take(code::kBroken);
  CHECK(says.find("runs broke, such as the one with gravity = -1e+300") != std::string::npos);
}

TEST_CASE("search: an interruption ends it") {
  const Scene scene;
  const Case subject = scene.subject(std::string(kHeight) + kRandom);
  SearchOptions options = scene.options();
  int calls = 0;
  options.trials.keep_going = [&calls] { return ++calls < 4; };
  const SearchResult result = run_search(subject, options);
  CHECK(result.was_interrupted);
  CHECK(result.tried.size() < 40);
}

TEST_CASE("search: what cannot be searched is refused before the first run") {
  std::string silent = kWorld;
  const std::size_t section = silent.find("  <Expectations");
  silent.erase(section, silent.find("</Expectations>") + 16 - section);
  const Scene scene(silent);
  Diagnostics nothing;
  CHECK_FALSE(scene.refused(std::string(kHeight) + kRandom, nothing));
  Expected(nothing).take(code::kNothing, Position{1, 1});
  Diagnostics endless;
  CHECK_FALSE(scene.refused(std::string(kHeight) + kRandom + "<Expect name=\"a\" that=\"always ball.body.y > 1\"/>", endless));
  Expected(endless).take(code::kDuration, Position{1, 1});
  Diagnostics unknown;
  CHECK_FALSE(scene.refused("<Parameter name=\"a\" path=\"Physics/Engine/Grvity/@y\" low=\"0\" high=\"1\"/>" +
                                std::string(kRandom) + "<Expect name=\"a\" that=\"always bal.body.y > 1\"/>",
                            unknown));
  Expected(unknown).take("study-path");
  Diagnostics name;
  CHECK_FALSE(scene.refused(std::string(kHeight) + kRandom + "<Expect name=\"a\" that=\"always bal.body.y > 1\"/>", name));
  Expected(name).take("expect-name");
  Diagnostics broken;
  simbatch::test::write_text(scene.folder.file("world.xml"), "<World name=\"w\"><Objects>");
  CHECK_FALSE(scene.refused(std::string(kHeight) + kRandom, broken));
  CHECK(broken.has_errors());
}

TEST_CASE("search: what is found can be put into another folder with all that it needs") {
  const Scene scene;
  const Case subject = scene.subject(std::string(kHeight) + kRandom);
  const TrialOptions trials = scene.options().trials;
  const Variant variant{{5.25}, {"other"}, 0.1, 0};
  std::filesystem::create_directories(scene.folder.path() / "out");
  Diagnostics problems;
  CHECK(write_found(subject, trials, variant, "a -- b", scene.folder.file("out/found.xml"), problems) ==
        std::vector<std::string>{"parts/ball.xml"});
  CHECK(problems.empty());
  CHECK(simbatch::test::read_text(scene.folder.path() / "out/parts/ball.xml") == kBall);
  CHECK(simbatch::test::read_text(scene.folder.path() / "out/found.xml").find("<!--") != std::string::npos);
  const auto built = scenario::build_scenario(scene.folder.file("out/found.xml"));
  REQUIRE(built.value);
  CHECK(built.value->duration == 0.1);
  // Again: what is there already is the same.
  CHECK(write_found(subject, trials, variant, "", scene.folder.file("out/found.xml"), problems).empty());
  // Beside the scenario nothing is copied.
  CHECK(write_found(subject, trials, variant, "", scene.folder.file("found.xml"), problems).empty());
  CHECK(problems.empty());
  // Another file of that name is not overwritten, and then nothing is written.
  simbatch::test::write_text(scene.folder.file("out/parts/ball.xml"), "mine");
  CHECK(write_found(subject, trials, variant, "", scene.folder.file("out/next.xml"), problems).empty());
  Expected(problems).take(code::kFile);
  CHECK_FALSE(std::filesystem::exists(scene.folder.path() / "out/next.xml"));
  CHECK(simbatch::test::read_text(scene.folder.path() / "out/parts/ball.xml") == "mine");
}

TEST_CASE("search: parameters in robots' files are searched, shrunk, and written beside what is found") {
  const Scene scene;
  const Case subject = scene.subject(
      "<Parameter name=\"offset\" path=\"Objects/Robot[@name='ball']/@file/Parts/Sphere/Position/@y\" low=\"-0.63\" high=\"0.5\"/>"
      "<Parameter name=\"mass\" path=\"Objects/Robot[@name='ball']/@file/Parts/Sphere/Mass/@value\" low=\"1\" high=\"9\"/>" +
      std::string(kRandom));
  CHECK(subject.defaults == std::vector<double>{0, 2});  // what the robot's file has
  const SearchOptions options = scene.options(20);
  const SearchResult result = run_search(subject, options);
  REQUIRE(result.fails());
  CHECK(result.tried[result.best].values[0] == doctest::Approx(-0.63));
  CHECK(result.tried[result.best].trial.margins[0].margin == doctest::Approx(margin_of(5.5 - 0.63, -9.81)));
  const Shrunk shrunk = shrink(subject, options, result);
  CHECK(shrunk.is_default == std::vector<bool>{false, true});
  CHECK(shrunk.removed == std::vector<std::string>{"other", "wall"});

  std::filesystem::create_directories(scene.folder.path() / "out");
  Diagnostics problems;
  const auto written = write_found(subject, options.trials, shrunk.variant, "", scene.folder.file("out/worst.xml"), problems);
  CHECK(problems.empty());
  CHECK(std::count(written.begin(), written.end(), "parts/worst-1-ball.xml") == 1);
  const auto built = scenario::build_scenario(scene.folder.file("out/worst.xml"));
  REQUIRE(built.value);
  built.value->simulation->start();
  for (std::int64_t step = 0; step < shrunk.trial.steps; ++step) REQUIRE(built.value->simulation->step());
  CHECK(built.value->simulation->state_hash() == shrunk.trial.state_hash);
  CHECK(simbatch::test::read_text(scene.folder.path() / "parts/ball.xml") == kBall);
  // Standard output has no room for a second file.
  CHECK(write_found(subject, options.trials, shrunk.variant, "", "-", problems).empty());
  Expected(problems).take(code::kFile);
}

TEST_CASE("search: choices are searched by their texts") {
  const Scene scene;
  simbatch::test::write_text(scene.folder.file("parts/low, ball.xml"),
                             std::string(kBall).replace(std::string(kBall).find("y=\"0\""), 5, "y=\"-1\""));
  const Case subject = scene.subject(
      "<Parameter name=\"file\" path=\"Objects/Robot[@name='ball']/@file\" choices=\"parts/low, ball.xml | parts/ball.xml\"/>" +
      std::string(kRandom));
  CHECK(subject.defaults == std::vector<double>{1});
  const SearchResult result = run_search(subject, scene.options(20));
  CHECK(result.is_exhaustive);
  CHECK(result.tried[result.best].values == std::vector<double>{0});
  CHECK(describe(subject, {0}) == "file = parts/low, ball.xml");
  CHECK(table_of(subject, result).find("\r\n1,\"parts/low, ball.xml\",fail,") != std::string::npos);
}
