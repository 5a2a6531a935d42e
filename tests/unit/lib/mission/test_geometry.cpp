#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

#include "lib/mission/geometry.hpp"
#include "lib/mission/walker.hpp"
#include "tests/support/support.hpp"
#include "tests/unit/formats/medusa/examples.hpp"

using namespace simbatch;
using namespace simbatch::mission;
using medusa::Section;
using medusa::test_data::with;
using std::numbers::pi;

namespace {
std::vector<Section> sections(const std::string& lines) { return medusa::read_mission(with(lines), "m").value->sections; }
Segment segment(const std::string& line) { return *Segment::of(sections(line)[0]); }
}  // namespace

TEST_CASE("a quarter arc has its length, poses and curvature in closed form") {
  const Segment left = segment("ARC 3 0 0 0 0 3 1 1 3\n");  // counter-clockwise from east to north
  CHECK(left.length() == doctest::Approx(1.5 * pi).epsilon(1e-15));
  const PathPose middle = left.at(left.length() / 2);
  CHECK(middle.at.x == doctest::Approx(3 / std::sqrt(2)));
  CHECK(middle.at.y == doctest::Approx(3 / std::sqrt(2)));
  CHECK(middle.yaw == doctest::Approx(0.75 * pi));
  CHECK(middle.curvature == doctest::Approx(1.0 / 3));
  const Segment right = segment("ARC 3 0 0 0 0 3 1 -1 3\n");
  CHECK(right.length() == doctest::Approx(4.5 * pi).epsilon(1e-15));
  CHECK(right.at(0).yaw == doctest::Approx(-0.5 * pi));
  CHECK(right.at(0).curvature == doctest::Approx(-1.0 / 3));
}

TEST_CASE("the nearest place is found on lines and arcs, and at their ends") {
  const Segment line = segment("LINE 0 0 10 0 1\n");
  CHECK(line.nearest({4, 7}) == doctest::Approx(4));
  CHECK(line.nearest({-4, 7}) == 0);
  CHECK(line.nearest({14, 7}) == 10);
  const Segment arc = segment("ARC 3 0 0 0 0 3 1 1 3\n");
  CHECK(arc.nearest({5, 5}) == doctest::Approx(0.75 * pi));
  CHECK(arc.nearest({3, -1}) == 0);
  CHECK(arc.nearest({-1, 3}) == doctest::Approx(arc.length()));
}

TEST_CASE("chords keep the ends bit for bit and the gap within its bound, and are not many more than needed") {
  for (const double gap : {1.0, 0.1, 0.01, 0.001}) {
    for (const char* line : {"ARC -20.26 10.13 -10.13 10.13 0.00 10.13 0.30 -1 10.13\n", "ARC 3 0 0 0 0 3.01 1 1 3\n",
                             "ARC 3 0 0 0 3 0 1 1 3\n"}) {
      const Segment arc = segment(line);
      const std::vector<Point> points = chords(arc, gap);
      CHECK(points.front() == arc.start());
      CHECK(points.back() == arc.end());
      double worst = 0;
      for (std::size_t i = 1; i < points.size(); ++i)
        for (double t = 0.05; t < 1; t += 0.05) {
          const Point p{points[i - 1].x + t * (points[i].x - points[i - 1].x),
                        points[i - 1].y + t * (points[i].y - points[i - 1].y)};
          worst = std::max(worst, distance(p, arc.at(arc.nearest(p)).at));
        }
      CHECK(worst <= gap * 1.0001);
      if (points.size() > 3) CHECK(worst > gap / 4);
    }
  }
}

TEST_CASE("sections without extent are not curves") {
  for (const char* line :
       {"LINE 1 1 1 1 1\n", "ARC 0 0 0 0 1 0 1 1 1\n", "ARC 1 0 0 0 0 0 1 1 1\n", "POINT 1 1 1 1 1 1\n", "DEPTH 1 1 1\n"})
    CHECK_FALSE(Segment::of(sections(line)[0]));
}

TEST_CASE("joins tell gap, turn and curvature step") {
  const auto list = joins(sections("LINE 0 0 10 0 1\nARC 10 0 10 5 10 10 1 1 5\nLINE 10 10.5 0 10.5 1\nLINE 0 10.5 0 0 1\n"));
  REQUIRE(list.size() == 3);
  CHECK(list[0].gap == 0);
  CHECK(std::abs(list[0].turn) < 1e-12);
  CHECK(list[0].curvature_step == doctest::Approx(0.2));
  CHECK(list[1].gap == doctest::Approx(0.5));
  CHECK(list[2].turn == doctest::Approx(pi / 2));
}

TEST_CASE("true gammas are arc lengths, the vehicle's follow the radius field") {
  auto list = sections("ARC 3 0 0 0 -3 0 1 1 5\n");
  CHECK(list[0].gamma_e == doctest::Approx(5 * pi));
  assign_true_gammas(list);
  CHECK(list[0].gamma_e == doctest::Approx(3 * pi));
}

TEST_CASE("a path maps between arc length and the normalized parameter") {
  const Path path(sections("LINE 0 0 10 0 1\nPOINT 0 0 1 1 1 0\nARC 10 0 10 5 10 10 1 1 5\n"));
  CHECK(path.pieces().size() == 2);
  CHECK(path.pieces()[1].section == 2);
  CHECK(path.length() == doctest::Approx(10 + 5 * pi));
  for (const double s : {0.0, 3.0, 10.0, 12.0, path.length()})
    CHECK(path.from_normalized(path.normalized(s)) == doctest::Approx(s));
  CHECK(path.normalized(10) == 1);
  CHECK(path.nearest_near({5, 1}, 4, 2, 5) == doctest::Approx(5));
}

TEST_CASE("a formation gives concentric arcs, scaled speeds and the vehicle's own sections") {
  const auto m = *medusa::read_mission(medusa::test_data::kFormation, "m").value;
  const auto three = sections_for(m, 3);
  REQUIRE(three);
  CHECK((*three)[0].xi == doctest::Approx(-27.57));
  CHECK((*three)[1].radius == doctest::Approx(15.29).epsilon(0.001));
  CHECK((*three)[1].velocity == doctest::Approx(0.3 * 15.28 / 12.28));
  CHECK(std::abs(joins(*three)[0].gap) < 1e-9);
  CHECK_FALSE(sections_for(m, 4));
  FormationOptions as_vehicle;
  as_vehicle.scale_speed = false;
  CHECK((*sections_for(m, 3, as_vehicle))[1].velocity == 0.3);
}

TEST_CASE("the walker moves on when gamma passes the end of a section, one section a message") {
  const auto m = *medusa::read_mission(medusa::test_data::kLawnMower, "m").value;
  SectionWalker walker(m.sections);
  CHECK_FALSE(walker.current());
  CHECK(walker.start(0).size() == 1);
  CHECK(walker.gamma(30.39, 1).empty());
  CHECK(walker.gamma(30.4, 2).size() == 1);
  CHECK(walker.current() == 1);
  CHECK(walker.gamma(1000, 3).size() == 1);
  CHECK(walker.current() == 2);
  walker.gamma(1000, 3);
  walker.gamma(1000, 3);
  const auto last = walker.gamma(1000, 3);
  REQUIRE(last.size() == 1);
  CHECK(last[0].kind == WalkEvent::Kind::end);
  CHECK(walker.is_over());
}

TEST_CASE("the walker waits at points, dives and climbs") {
  SectionWalker walker(sections("POINT 5 0 1 -1 -1 4\nDEPTH 3 10 -1\nALT 2 0 -1\nPOINT 0 0 1 -1 -1 0\nPOINT 0 0 1 -1 -1 -1\n"));
  walker.start(0);
  CHECK(walker.position({3.8, 0}, 1).empty());
  CHECK(walker.position({3.81, 0}, 2)[0].kind == WalkEvent::Kind::reached);
  CHECK(walker.tick(5.9).empty());
  auto events = walker.tick(6);
  REQUIRE(events.size() == 2);
  CHECK(events[1].kind == WalkEvent::Kind::depth);
  CHECK(events[1].value == 3);
  events = walker.tick(16);
  REQUIRE(events.size() == 4);  // surface, ALT, its reference, POINT
  CHECK(events[0].value == 0);
  CHECK(events[2].kind == WalkEvent::Kind::altitude);
  CHECK(walker.current() == 3);
  walker.position({0, 0}, 17);
  CHECK(walker.current() == 4);
  walker.position({0, 0}, 18);
  walker.tick(1e9);
  CHECK(walker.current() == 4);
}

TEST_CASE("durations: lengths over speeds, waiting times, and none for what never ends") {
  CHECK(*duration(sections("LINE 0 0 10 0 0.5\n")[0], {}) == 20);
  CHECK_FALSE(duration(sections("LINE 0 0 10 0 0\n")[0], {}));
  CHECK(*duration(sections("POINT 3 4 1 0.5 -1 7\n")[0], Point{0, 0}) == 17);
  CHECK_FALSE(duration(sections("POINT 3 4 1 0.5 -1 -1\n")[0], Point{0, 0}));
  CHECK(*duration(sections("DEPTH 3 4 -1\n")[0], {}) == 4);
}
