// What of a scenario goes into MCAP files: frames, models, lines on the ground. tests/simrun/mcap opens such files.
#include <doctest/doctest.h>

#include <cmath>

#include "lib/view/rebuild.hpp"
#include "lib/view/scene_models.hpp"
#include "lib/view/scene_recorder.hpp"
#include "tests/support/lanes.hpp"
#include "tests/support/support.hpp"

using namespace simbatch;
using simbatch::test::kBoxOnLane;
using simbatch::test::TemporaryFolder;
using simbatch::test::waypoint;
using simbatch::test::write_text;

namespace {

/// One lane of two waypoints, from 20 m south to 20 m north, and a zone with three corners.
std::string network() {
  std::string text =
      "RNDF_name\tone\nnum_segments\t1\nnum_zones\t1\nsegment\t1\nnum_lanes\t1\nlane\t1.1\nnum_waypoints\t2\n"
      "lane_width\t12\n";
  text += waypoint("1.1.1", 0, -20);
  text += waypoint("1.1.2", 0, 20);
  text += "end_lane\nend_segment\nzone\t2\nnum_spots\t0\nperimeter\t2.0\nnum_perimeterpoints\t3\n";
  text += waypoint("2.0.1", 30, 0);
  text += waypoint("2.0.2", 32, 0);
  text += waypoint("2.0.3", 32, 2);
  return text + "end_perimeter\nend_zone\nend_file\n";
}

/// A ball falls beside a lane.
view::BuiltView built(const TemporaryFolder& folder, const std::string& traffic) {
  write_text(
      folder.file("ball.xml"),
      R"(<Robot name="r"><Parts><Sphere name="body"><Position x="0" y="0" z="0"/><Radius value="0.5"/><Mass value="2"/></Sphere></Parts></Robot>)");
  write_text(folder.file("traffic.xml"), kBoxOnLane);
  write_text(folder.file("site.rndf"), network());
  write_text(folder.file("world.xml"),
             R"(<World name="w"><Physics><Engine name="e"><Origin latitude="48" longitude="11"/></Engine></Physics>
<Terrain><Plane name="ground"><Height value="3"/></Plane></Terrain><Objects>)" +
                 traffic + R"(<Robot name="ball" file="ball.xml"><Position x="9" y="9" z="2"/></Robot></Objects></World>)");
  auto result = scenario::build_scenario(folder.file("world.xml"));
  REQUIRE_MESSAGE(result.value, test::all_text(result.diagnostics));
  result.value->simulation->start();
  Diagnostics problems;
  return view::view_of(std::move(*result.value), problems);
}
constexpr const char* kTraffic = R"(<Traffic objects="traffic.xml" rndf="site.rndf"/>)";

}  // namespace

TEST_CASE("scene models: lanes and zones lie over the ground, in pieces of five meters") {
  const TemporaryFolder folder;
  const view::BuiltView view = built(folder, kTraffic);
  const std::vector<trace::PathModel> paths = view::path_models(view);
  REQUIRE(paths.size() == 2);
  CHECK(paths[0].id == "lane.traffic 1.1");
  REQUIRE(paths[0].points.size() == 9);
  for (std::size_t i = 0; i < paths[0].points.size(); ++i) {
    CHECK(std::abs(paths[0].points[i][0]) < 1e-6);
    CHECK(paths[0].points[i][1] == doctest::Approx(3.1));
    CHECK(paths[0].points[i][2] == doctest::Approx(-20 + 5.0 * static_cast<double>(i)));
  }
  CHECK(paths[1].id == "lane.traffic 2.0");
  REQUIRE(paths[1].points.size() == 4);
  CHECK(paths[1].points.front() == paths[1].points.back());
  const std::string map = view::paths_geojson(view.built);
  CHECK(map.find(R"("properties":{"name":"traffic 1.1","kind":"lane"})") != std::string::npos);
  CHECK(map.find(R"("properties":{"name":"traffic 2.0","kind":"zone"})") != std::string::npos);
}

TEST_CASE("scene models: a mission's path ends where it is interrupted") {
  const TemporaryFolder folder;
  view::BuiltView view = built(folder, "");
  CHECK(view::path_models(view).empty());
  CHECK(view::paths_geojson(view.built).empty());
  const double none = std::nan("");
  view.built.plans.push_back({"ball", {0, 3, none, 5, none, 7, 7}, {0, 0, none, 5, none, 7, 8}});
  const std::vector<trace::PathModel> paths = view::path_models(view);
  REQUIRE(paths.size() == 2);  // a single point is not a line
  CHECK(paths[0].id == "path.ball");
  CHECK(paths[0].points.back() == std::array{3.0, 3.1, 0.0});
  CHECK(paths[1].id == "path.ball#2");
  CHECK(view::paths_geojson(view.built).find(R"("name":"ball","kind":"mission")") != std::string::npos);
}

TEST_CASE("scene models: a body has a frame with its motion, or where it is") {
  const TemporaryFolder folder;
  view::BuiltView view = built(folder, "");
  REQUIRE(view.scene.movers.size() == 1);
  std::vector<trace::FrameMotion> frames = view::frame_motions(view);
  REQUIRE(frames.size() == 1);
  CHECK(frames[0].name == "ball.body");
  CHECK(frames[0].parent == "world");
  const std::array<double, 7> start = frames[0].poses.at(0);
  CHECK(start[0] == 9);
  CHECK(frames[0].poses.size() == 1);
  view.motion.steps = {0, 1};
  view.motion.bodies = {{{{1, 2, 3}, {0.8, 0.6, 0, 0}}, {{4, 5, 6}, {1, 0, 0, 0}}}};
  view.motion.wheels = {{}};
  frames = view::frame_motions(view);
  REQUIRE(frames[0].poses.size() == 2);
  CHECK(frames[0].poses[0] == std::array{1.0, 2.0, 3.0, 0.8, 0.6, 0.0, 0.0});
  CHECK(frames[0].poses[1] == std::array{4.0, 5.0, 6.0, 1.0, 0.0, 0.0, 0.0});
  std::vector<std::string> models;
  for (const trace::SceneModel& model : view::scene_models(view)) models.push_back(model.id + " in " + model.frame);
  CHECK(models == std::vector<std::string>{"world in world", "ball.body in ball.body"});
}

TEST_CASE("scene recorder: the file is that of the recorded motion, and nodes are where they began") {
  const TemporaryFolder folder;
  view::BuiltView view = built(folder, "");
  sim::Simulation& simulation = *view.built.simulation;
  view::SceneRecorder recorder(view.built);
  view::MotionRecorder motion(simulation, view.scene);
  for (const std::int64_t step : {0, 1, 2}) {
    recorder.record(step);
    motion.record(step);
    simulation.step();
  }
  Diagnostics problems;
  const std::string whole =
      view::world_glb(view::world_asset(view.scene, simulation, view.cameras, &motion.motion()), problems);
  CHECK(recorder.glb(problems) == whole);
  CHECK(problems.items().empty());
  const gltf::Asset asset = view::world_asset(view.scene, simulation, view.cameras, &motion.motion());
  const auto node =
      std::find_if(asset.nodes.begin(), asset.nodes.end(), [](const gltf::Node& each) { return each.name == "ball.body"; });
  REQUIRE(node != asset.nodes.end());
  CHECK(node->pose.p.y == motion.motion().bodies[0].front().p.y);
  CHECK(node->pose.p.y != simulation.world().pose(view.scene.movers[0].body).p.y);
}
