// The replay page: what is in it, and that nothing in a file can break out of it.

#include "lib/view/page.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include "lib/sim/scene/models.hpp"
#include "lib/sim/scene/scene_builder.hpp"
#include "lib/sim/vision/cameras.hpp"
#include "lib/sim/vision/renderer.hpp"
#include "lib/view/codes.hpp"
#include "lib/view/rebuild.hpp"
#include "tests/support/support.hpp"

using namespace simbatch;

namespace {

constexpr const char* kTemplate = "<html><!--simbatch-data--></html>";

trace::Trace small_trace() {
  trace::Trace trace;
  trace.header.generator = "simbatch";
  trace.header.scenario = "scenario.xml";
  trace.header.dt = 0.005;
  trace.header.devices = {
      {"a.b", "Sensor", {{"v", "m", "W"}, {"n", "1", "", trace::FieldType::integer}, {"t", "", "", trace::FieldType::text}}}};
  trace.steps = {0, 1, 2};
  trace.columns = {{{{1, 2, 3}, {}}, {{7, 8, 9}, {}}, {{}, {"x", "x", "a\nb"}}}};
  return trace;
}

std::string page_of(const trace::Trace& trace, const Diagnostics* problems = nullptr) {
  return view::make_page({&trace, std::nullopt, problems, "", kTemplate});
}

/// Two boxes, one of which falls, and a house of a robot's name.
struct Falling {
  test::TemporaryFolder folder;
  std::string scenario = folder.file("scenario.xml");
  Falling() {
    test::write_text(
        folder.file("ball.xml"),
        R"(<Robot name="r"><Parts><Sphere name="body"><Position x="0" y="0" z="0"/><Radius value="0.5"/><Mass value="2"/></Sphere></Parts></Robot>)");
    test::write_text(scenario, R"(<World name="w"><Physics><Engine name="bullet"><StepSize value="0.01"/></Engine></Physics>
<Terrain><Plane name="ground"/></Terrain>
<Objects><Box name="b"><Position x="4" z="9"/><Size x="1" y="2" z="3"/></Box>
<Robot name="ball" file="ball.xml"><Position x="1" y="5" z="2"/></Robot></Objects></World>)");
  }
  view::RebuildOptions how() const {
    view::RebuildOptions options;
    options.build = [this](scenario::ProgramUse use) { return scenario::build_scenario(scenario, {.programs = use}); };
    return options;
  }
};

}  // namespace

TEST_CASE("page: the same bytes twice; a template without a place is refused") {
  const trace::Trace trace = small_trace();
  const std::string page = page_of(trace);
  CHECK(page == page_of(trace));
  CHECK(page.starts_with("<html><script"));
  CHECK(page.ends_with("</html>"));
  CHECK(page.find(R"(["n","1","","double"])") != std::string::npos);
  CHECK(page.find("\"world\"") == std::string::npos);
  CHECK_THROWS(view::make_page({&trace, std::nullopt, nullptr, "", "<html></html>"}));
}

TEST_CASE("page: names and messages with markup stay inside their element") {
  trace::Trace trace = small_trace();
  trace.header.devices[0].name = "</script><img src=x onerror=alert(1)>";
  trace.header.scenario = "<!--";
  Diagnostics problems("</SCRIPT>");
  problems.report(view_code::kPoses, {}, "<script>alert(1)</script>");
  const std::string page = page_of(trace, &problems);
  const std::size_t from = page.find("data-block=\"head\">") + 18, to = page.find("</script>", from);
  CHECK(page.substr(from, to - from).find('<') == std::string::npos);
  CHECK(page.substr(to, 12) == "</script>\n<s");
  CHECK(page.find("\\u003c/script>\\u003cimg") != std::string::npos);
}

TEST_CASE("glTF: an endless plane is a large square that is seen from above") {
  const Falling falling;
  Diagnostics problems;
  const auto view = view::rebuild(falling.how(), nullptr, problems);
  REQUIRE(view);
  REQUIRE(view->scene.plain_y);
  const gltf::Asset asset = view::world_asset(view->scene, *view->built.simulation, {}, nullptr);
  const auto plain =
      std::find_if(asset.nodes.begin(), asset.nodes.end(), [](const gltf::Node& node) { return node.name == "plain"; });
  REQUIRE(plain != asset.nodes.end());
  const gltf::Primitive& square = asset.meshes[*plain->mesh].primitives.front();
  const auto& points = asset.geometries[square.geometry];
  const auto& corners = asset.indices[square.indices];
  for (std::size_t i = 0; i < corners.size(); i += 3) {
    const auto &a = points[corners[i]], &b = points[corners[i + 1]], &c = points[corners[i + 2]];
    CHECK(a[1] == doctest::Approx(*view->scene.plain_y));
    const float up = (b[2] - a[2]) * (c[0] - a[0]) - (b[0] - a[0]) * (c[2] - a[2]);
    CHECK(up > 1e6F);
  }
  CHECK(asset.materials[square.material].name == "grass");
  // The same for a viewer that is sent what never moves, and what moves for itself.
  const gltf::Asset fixed = view::fixed_asset(view->scene, *view->built.simulation);
  CHECK(fixed.nodes.size() + view->scene.movers.size() == asset.nodes.size());
  for (const scene::MovingFigure& mover : view->scene.movers) {
    const gltf::Asset figure = view::figure_asset(view->scene, *view->built.simulation, mover);
    REQUIRE(figure.nodes.size() == 1);
    CHECK(figure.nodes[0].name == view::mover_name(*view->built.simulation, mover));
    CHECK(figure.nodes[0].pose.p.y == 0);
  }
}

TEST_CASE("glTF: water is a translucent square as large as the plane below it") {
  const Falling falling;
  Diagnostics problems;
  auto view = view::rebuild(falling.how(), nullptr, problems);
  REQUIRE(view);
  const gltf::Asset dry = view::fixed_asset(view->scene, *view->built.simulation);
  view->scene.water_y = 1.5;
  const gltf::Asset wet = view::fixed_asset(view->scene, *view->built.simulation);
  REQUIRE(wet.nodes.size() == dry.nodes.size() + 1);
  const auto square = [&](std::string_view name) {
    const auto named = [&](const gltf::Node& node) { return node.name == name; };
    return wet.meshes[*std::find_if(wet.nodes.begin(), wet.nodes.end(), named)->mesh].primitives.front();
  };
  const gltf::Primitive water = square("water"), plain = square("plain");
  CHECK(wet.materials[water.material].color[3] == scene::kWaterOpacity);
  CHECK(wet.materials[plain.material].color[3] == 1);
  for (std::size_t i = 0; i < 4; ++i) {
    const auto &above = wet.geometries[water.geometry][i], &below = wet.geometries[plain.geometry][i];
    CHECK(above == std::array{below[0], 1.5F, below[2]});
  }
}

TEST_CASE("page: expectations of a trace have outcomes, and sides where its columns allow") {
  trace::Trace trace = small_trace();
  trace.end.emplace();
  trace.end->steps = 3;
  trace::ExpectationOutcome outcome;
  outcome.name = "<low>";
  outcome.text = "always a.b.v < 2.5 m";
  outcome.verdict = "fails";
  outcome.margin = -0.5;
  outcome.unit = "m";
  outcome.step = outcome.decided = 2;
  outcome.left = 3;
  outcome.right = 2.5;
  trace.end->expectations = {outcome, outcome, outcome};
  trace.end->expectations[1].text = "never contact(a, b)";
  trace.end->expectations[2].text = "always c.d.e < 1";

  const std::vector<view::PageExpectation> all = view::page_expectations(trace);
  REQUIRE(all.size() == 3);
  CHECK(all[0].left == std::vector<double>{1, 2, 3});
  CHECK(all[0].right == std::vector<double>{2.5, 2.5, 2.5});
  REQUIRE(all[0].comparisons.size() == 1);
  CHECK(all[0].comparisons[0].comparison == "<");
  CHECK(all[0].comparisons[0].left == "a.b.v");
  CHECK(all[0].comparisons[0].unit == "m");
  CHECK(all[1].comparisons.empty());  // a trace has no events
  CHECK(all[2].left.empty());         // and not this field
  CHECK(view::detail::side_block(all).size() == 2 * (1 + 4 * 3));

  const std::string page = view::make_page({&trace, std::nullopt, nullptr, "", kTemplate, all});
  CHECK(page.find(R"({"name":"\u003clow>","text":"always a.b.v \u003c 2.5 m","rows":3,)") != std::string::npos);
  CHECK(page.find(R"("verdict":"fails","margin":-0.5,"unit":"m","step":2,)") != std::string::npos);
  CHECK(page.find("data-block=\"sides\"") != std::string::npos);
  CHECK(page_of(trace).find("data-block=\"sides\"") == std::string::npos);

  trace.end.reset();
  CHECK(view::page_expectations(trace).empty());
}

TEST_CASE("page: no plane of water where surfaces show all of it") {
  const Falling falling;
  Diagnostics problems("t");
  const auto view = view::rebuild(falling.how(), nullptr, problems);
  REQUIRE(view);
  scene::Appearance looks = view->built.cameras->renderer().appearance();
  looks.water_level = -1.5;
  const trace::Trace trace = small_trace();
  const auto page = [&] {
    const scene::PaintedScene scene = scene::SceneBuilder(*view->built.simulation, looks).build();
    const view::PageWorld world{&*view->built.simulation, &scene, &looks, &view->motion, {}};
    return view::make_page({&trace, world, nullptr, "", kTemplate});
  };
  CHECK(page().find("\"water\":-1.5") != std::string::npos);
  looks.water_is_drawn = true;
  CHECK(page().find("\"water\":null") != std::string::npos);
}

TEST_CASE("page: no rows and no nodes are a page too") {
  trace::Trace trace;
  trace.header.dt = 1;
  CHECK(page_of(trace).find("\"rows\":0") != std::string::npos);
}

TEST_CASE("view: motion comes from the trace where it has it, else from the run made again") {
  const Falling falling;
  trace::Trace trace;
  trace.header.dt = 0.01;
  trace.header.steps = 40;
  trace.steps = {0, 20, 40};
  trace.end.emplace();
  trace.end->steps = 40;
  Diagnostics problems("t");
  auto again = view::rebuild(falling.how(), &trace, problems);
  REQUIRE_MESSAGE(again, test::all_text(problems));
  REQUIRE(again->scene.movers.size() == 1);
  CHECK(view::mover_name(*again->built.simulation, again->scene.movers[0]) == "ball.body");
  REQUIRE(again->motion.bodies[0].size() == 3);
  CHECK(again->motion.bodies[0][0].p.y == doctest::Approx(5).epsilon(0.2));
  CHECK(again->motion.bodies[0][2].p.y < again->motion.bodies[0][1].p.y - 0.2);
  test::Expected expected(std::move(problems));  // the trace has no such hash
  CHECK(expected.take(view_code::kPoses, Position{}).find("does not repeat") != std::string::npos);

  trace.header.devices = {{"ball.body", "Sphere", {}}};
  trace.columns.emplace_back();
  for (const char* field : {"x", "y", "z", "qw", "qx", "qy", "qz"}) {
    trace.header.devices[0].fields.push_back({field, "m", "W"});
    trace.columns[0].push_back({{1, 2, 3}, {}});
  }
  Diagnostics none("t");
  auto traced = view::rebuild(falling.how(), &trace, none);
  REQUIRE(traced);
  CHECK(none.empty());
  CHECK(traced->motion.bodies[0][2].p == geo::Vec3{3, 3, 3});
}

TEST_CASE("gltf world: assimp reads the shapes back where they are in our frame") {
  const Falling falling;
  Diagnostics problems("t");
  auto built = view::rebuild(falling.how(), nullptr, problems);
  REQUIRE_MESSAGE(built, test::all_text(problems));
  const gltf::Asset asset = view::world_asset(built->scene, *built->built.simulation, built->cameras, nullptr);
  bool has_ball = false;
  for (const gltf::Node& node : asset.nodes) has_ball = has_ball || node.name == "ball.body";
  CHECK(has_ball);
  const std::string file = falling.folder.file("world.glb");
  test::write_text(file, view::world_glb(asset, problems));
  models::ModelReader reader;
  const auto model = scene::read_model(reader, {file, "glb", "t", {1, 1}, "m"}, "nothing", problems);
  REQUIRE_MESSAGE(model, test::all_text(problems));
  // The box: 1 x 2 x 3 at (4, 9), nowhere mirrored.
  std::size_t of_box = 0;
  for (const geo::Vec3& p : model->mesh.points)
    if (p.x > 3.4 && p.x < 4.6 && p.z > 7.4 && p.z < 10.6 && p.y < 2.1) ++of_box;
  CHECK(of_box >= 8);
  // Triangles face outwards in the file: assimp mirrors z without turning them around, so the volume that they enclose is
  // negative here.
  double volume = 0;
  for (std::size_t t = 0; t + 2 < model->mesh.indices.size(); t += 3) {
    const auto p = [&](std::size_t k) { return model->mesh.points[model->mesh.indices[t + k]]; };
    if (p(0).y < -0.5 || std::abs(p(0).x) > 20) continue;
    volume += dot(p(0), cross(p(1), p(2))) / 6;
  }
  CHECK(-volume == doctest::Approx(6 + 4.18 * 0.125).epsilon(0.05));

  CHECK(view::world_glb(asset, problems, 1000).empty());
  test::Expected large(std::move(problems));
  CHECK(large.take(view_code::kLarge, Position{}).find("1000 bytes") != std::string::npos);
}

TEST_CASE("gltf world: a body that falls has a track with the run's times") {
  const Falling falling;
  trace::Trace trace;
  trace.header.dt = 0.01;
  trace.header.steps = 10;
  trace.steps = {0, 5, 10};
  trace.end.emplace();
  trace.end->steps = 10;
  trace.end->outcome = "failed";  // its hash is not compared
  Diagnostics problems("t");
  auto built = view::rebuild(falling.how(), &trace, problems);
  REQUIRE(built);
  const gltf::Asset asset = view::world_asset(built->scene, *built->built.simulation, built->cameras, &built->motion);
  REQUIRE(asset.times.size() == 3);
  CHECK(asset.times[2] == doctest::Approx(0.1));
  REQUIRE(asset.tracks.size() == 1);
  CHECK(asset.nodes[asset.tracks[0].node].name == "ball.body");
  CHECK(asset.tracks[0].positions[0][2] == doctest::Approx(-2));  // north is -z there
}
