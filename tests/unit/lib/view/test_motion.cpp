// Motion of traces and of repeated runs: which columns count as a pose, what fills the gaps, and damaged traces.
#include <doctest/doctest.h>

#include <functional>

#include "lib/view/codes.hpp"
#include "lib/view/rebuild.hpp"
#include "tests/support/support.hpp"

using namespace simbatch;
using namespace simbatch::view;

namespace {

constexpr const char* kPose[] = {"x", "y", "z", "qw", "qx", "qy", "qz"};

/// Two balls that fall side by side.
struct Balls {
  test::TemporaryFolder folder;
  std::string scenario = folder.file("scenario.xml");
  int builds = 0;
  Balls() {
    test::write_text(
        folder.file("ball.xml"),
        R"(<Robot name="r"><Parts><Sphere name="body"><Position x="0" y="0" z="0"/><Radius value="0.5"/><Mass value="2"/></Sphere></Parts></Robot>)");
    test::write_text(scenario, R"(<World name="w"><Physics><Engine name="bullet"><StepSize value="0.01"/></Engine></Physics>
<Terrain><Plane name="ground"/></Terrain>
<Objects><Robot name="a" file="ball.xml"><Position x="1" y="9" z="2"/></Robot>
<Robot name="b" file="ball.xml"><Position x="5" y="9" z="2"/></Robot></Objects></World>)");
  }
  RebuildOptions how() {
    RebuildOptions options;
    options.build = [this](scenario::ProgramUse use) {
      ++builds;
      return scenario::build_scenario(scenario, {.programs = use});
    };
    return options;
  }
};

/// A device with a pose whose number in row r is 100 * field + r + `first`.
void add_pose(trace::Trace& trace, const std::string& name, double first) {
  trace::Device device{name, "Sphere", {}};
  std::vector<trace::Column> columns;
  for (const char* const field : kPose) {
    device.fields.push_back({field, "m", "W"});
    trace::Column& column = columns.emplace_back();
    for (std::size_t r = 0; r < trace.steps.size(); ++r)
      column.numbers.push_back(100.0 * static_cast<double>(columns.size() - 1) + static_cast<double>(r) + first);
  }
  trace.header.devices.push_back(std::move(device));
  trace.columns.push_back(std::move(columns));
}

trace::Trace trace_of(std::vector<std::int64_t> steps) {
  trace::Trace trace;
  trace.header.dt = 0.01;
  trace.header.steps = steps.empty() ? 0 : steps.back();
  trace.end.emplace();
  trace.end->outcome = "interrupted";  // its hash is not compared
  trace.end->steps = trace.header.steps;
  trace.steps = std::move(steps);
  return trace;
}

}  // namespace

TEST_CASE("motion: a trace with every pose is read and nothing runs") {
  Balls balls;
  trace::Trace trace = trace_of({0, 4, 8});
  add_pose(trace, "b.body", 0.5);
  add_pose(trace, "a.body", 0.25);
  Diagnostics problems("t");
  const auto view = rebuild(balls.how(), &trace, problems);
  REQUIRE_MESSAGE(view, test::all_text(problems));
  CHECK(problems.empty());
  CHECK(balls.builds == 1);
  CHECK(view->built.simulation->clock().step == 0);
  REQUIRE(view->scene.movers.size() == 2);
  for (std::size_t i = 0; i < 2; ++i) {
    const std::string name = mover_name(*view->built.simulation, view->scene.movers[i]);
    CAPTURE(name);
    const double first = name == "a.body" ? 0.25 : 0.5;
    REQUIRE(view->motion.bodies[i].size() == 3);
    CHECK(view->motion.wheels[i].empty());
    CHECK(view->motion.bodies[i][2].p == geo::Vec3{2 + first, 102 + first, 202 + first});
    CHECK(view->motion.bodies[i][1].q.w == 301 + first);
    CHECK(view->motion.bodies[i][1].q.z == 601 + first);
  }
}

TEST_CASE("motion: only seven numbers in the world's frame at the front are a pose") {
  Balls balls;
  struct Row {
    const char* what;
    std::function<void(trace::Device&, std::vector<trace::Column>&)> change;
    bool is_pose;
  };
  const Row rows[] = {
      {"unchanged", [](auto&, auto&) {}, true},
      {"one more field",
       [](auto& device, auto& columns) {
         device.fields.push_back({"vx", "m/s", "W"});
         columns.push_back(columns[0]);
       },
       true},
      {"integers", [](auto& device, auto&) { device.fields[1].type = trace::FieldType::integer; }, true},
      {"one less",
       [](auto& device, auto& columns) {
         device.fields.pop_back();
         columns.pop_back();
       },
       false},
      {"another frame", [](auto& device, auto&) { device.fields[6].frame = "B"; }, false},
      {"another name", [](auto& device, auto&) { device.fields[0].name = "X"; }, false},
      {"another order", [](auto& device, auto&) { std::swap(device.fields[0].name, device.fields[1].name); }, false},
      {"a text among them",
       [](auto& device, auto& columns) {
         device.fields[2].type = trace::FieldType::text;
         columns[2] = {{}, {"p", "q"}};
       },
       false},
      {"texts only",
       [](auto& device, auto& columns) {
         for (trace::Field& field : device.fields) field.type = trace::FieldType::text;
         for (trace::Column& column : columns) column = {{}, {"p", "q"}};
       },
       false},
      {"another device", [](auto& device, auto&) { device.name = "a.body2"; }, false},
  };
  Diagnostics problems("t");
  const auto view = rebuild(balls.how(), nullptr, problems);
  REQUIRE(view);
  CHECK(view->motion.steps.empty());
  CHECK(is_complete(view->motion));
  for (const Row& row : rows) {
    CAPTURE(row.what);
    trace::Trace trace = trace_of({0, 1});
    add_pose(trace, "a.body", 0);
    add_pose(trace, "b.body", 0);
    row.change(trace.header.devices[0], trace.columns[0]);
    const Motion motion = traced_motion(trace, *view->built.simulation, view->scene);
    CHECK(motion.steps == trace.steps);
    CHECK(is_complete(motion) == row.is_pose);
    std::size_t known = 0;
    for (const auto& poses : motion.bodies) known += poses.size();
    CHECK(known == (row.is_pose ? 4 : 2));
  }
}

TEST_CASE("motion: what a trace lacks comes from the run made again, at the trace's steps") {
  Balls balls;
  trace::Trace trace = trace_of({0, 7, 8, 30});
  add_pose(trace, "a.body", 0);
  Diagnostics problems("t");
  const auto view = rebuild(balls.how(), &trace, problems);
  REQUIRE_MESSAGE(view, test::all_text(problems));
  CHECK(balls.builds == 1);
  CHECK(is_complete(view->motion));
  for (std::size_t i = 0; i < 2; ++i) {
    REQUIRE(view->motion.bodies[i].size() == 4);
    if (mover_name(*view->built.simulation, view->scene.movers[i]) == "a.body") {
      CHECK(view->motion.bodies[i][3].p.x == 3);
      continue;
    }
    // Free fall from where it is at step 0: g t^2 / 2, by steps of 10 ms to within g t dt / 2.
    const double top = view->motion.bodies[i][0].p.y;
    for (std::size_t row = 1; row < 4; ++row) {
      const double t = 0.01 * static_cast<double>(trace.steps[row]);
      CHECK(top - view->motion.bodies[i][row].p.y == doctest::Approx(9.81 * t * t / 2).epsilon(0.02 / t));
      CHECK(view->motion.bodies[i][row].p.x == doctest::Approx(5));
    }
  }
  // With programs it is built a second time.
  RebuildOptions with_programs = balls.how();
  with_programs.run_programs = true;
  balls.builds = 0;
  REQUIRE(rebuild(with_programs, &trace, problems));
  CHECK(balls.builds == 2);
}

TEST_CASE("motion: a trace that ended early, was cut or has no rows is shown as far as it goes") {
  Balls balls;
  Diagnostics problems("t");
  // Rows beyond the end: the last state that there is.
  trace::Trace longer = trace_of({0, 10, 20});
  longer.end->steps = 10;
  auto view = rebuild(balls.how(), &longer, problems);
  REQUIRE(view);
  REQUIRE(view->motion.bodies[0].size() == 3);
  CHECK(view->motion.bodies[0][2].p == view->motion.bodies[0][1].p);
  CHECK(view->motion.bodies[0][1].p.y < view->motion.bodies[0][0].p.y);
  // Cut: no end. The rows say how long it ran.
  trace::Trace cut = trace_of({0, 5});
  cut.end.reset();
  view = rebuild(balls.how(), &cut, problems);
  REQUIRE(view);
  CHECK(view->built.simulation->clock().step == 5);
  CHECK(is_complete(view->motion));
  // An end that claims more steps than were asked for does not make the run longer.
  trace::Trace claims = trace_of({0, 5});
  claims.end->steps = std::int64_t{1} << 50;
  view = rebuild(balls.how(), &claims, problems);
  REQUIRE(view);
  CHECK(view->built.simulation->clock().step == 5);
  trace::Trace none = trace_of({});
  view = rebuild(balls.how(), &none, problems);
  REQUIRE(view);
  CHECK(is_complete(view->motion));
  CHECK(problems.empty());
}

TEST_CASE("motion: a run that is canceled, or whose scenario is broken, gives nothing") {
  Balls balls;
  const trace::Trace trace = trace_of({0, 5000});
  Diagnostics problems("t");
  RebuildOptions canceled = balls.how();
  std::int64_t last = -1;
  canceled.keep_going = [&](std::int64_t done) {
    last = done;
    return done < 100;
  };
  CHECK_FALSE(rebuild(canceled, &trace, problems));
  CHECK(last >= 100);
  CHECK(last < 5000);
  CHECK(problems.empty());
  test::write_text(balls.scenario, "<World");
  CHECK_FALSE(rebuild(balls.how(), &trace, problems));
  CHECK(problems.has_errors());
}

TEST_CASE("motion: gaps are filled by the row at or after a step, and only gaps") {
  Motion motion;
  motion.steps = {0, 10, 20, 30};
  motion.bodies.resize(3);
  motion.wheels.resize(3);
  motion.bodies[0].assign(4, {{7, 7, 7}, {}});
  Motion from;
  from.steps = {0, 5, 10, 20};
  from.bodies = {{{{0, 0, 0}, {}}, {{5, 0, 0}, {}}, {{10, 0, 0}, {}}, {{20, 0, 0}, {}}}, {}, {}};
  from.bodies[1] = from.bodies[0];
  from.wheels = {{}, {}, {{0, 0, 0}, {0, 5, 0}, {0, 10, 0}, {0, 20, 0}}};
  CHECK_FALSE(is_complete(motion));
  fill_motion(motion, from);
  CHECK(is_complete(motion));
  CHECK(motion.bodies[0][3].p.x == 7);
  std::vector<double> bodies, wheels;
  for (const geo::Pose& pose : motion.bodies[1]) bodies.push_back(pose.p.x);
  for (const WheelSample& wheel : motion.wheels[2]) wheels.push_back(wheel.steering);
  CHECK(bodies == std::vector<double>{0, 10, 20, 20});  // the last one for what was not reached
  CHECK(wheels == std::vector<double>{0, 10, 20, 20});
  CHECK(motion.wheels[1].empty());
  CHECK(motion.bodies[2].empty());
}
