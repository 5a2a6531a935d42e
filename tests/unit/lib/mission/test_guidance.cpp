#include <doctest/doctest.h>

#include <cmath>

#include "lib/mission/guidance.hpp"
#include "tests/unit/formats/medusa/examples.hpp"

using namespace simbatch;
using namespace simbatch::mission;

namespace {
struct Run {
  double mean = 0, worst = 0, end = 0;  // |cross-track error| after the first 20 m; along-path place at the end
};

/// A vehicle that has exactly the commanded speed and yaw rate.
Run sail(Law law, const std::vector<medusa::Section>& sections, double side, double yaw_error) {
  PathFollower follower(Path(sections), law);
  const PathPose start = follower.path().at(0);
  double x = start.at.x - side * std::sin(start.yaw), y = start.at.y + side * std::cos(start.yaw), yaw = start.yaw + yaw_error;
  const double dt = 0.05;
  Run run;
  double n = 0, way = 0;
  for (int step = 0; step < 40000 && !follower.is_at_end(); ++step) {
    const double speed = follower.path().pieces()[follower.path().piece_at(follower.s())].velocity;
    const LawCommand c = follower.step({x, y}, yaw, speed, speed, dt);
    x += c.surge * std::cos(yaw) * dt;
    y += c.surge * std::sin(yaw) * dt;
    yaw += c.yaw_rate * dt;
    way += c.surge * dt;
    if (way < 20) continue;
    const double e = std::abs(follower.errors().cross);
    run.mean += e;
    run.worst = std::max(run.worst, e);
    ++n;
  }
  run.mean /= n;
  run.end = follower.s();
  return run;
}
}  // namespace

TEST_CASE("each law brings the cross-track error to nought on the lawn mower, from either side and a bad heading") {
  const auto sections = medusa::read_mission(medusa::test_data::kLawnMower, "m").value->sections;
  for (const Law law : {Law::lapierre, Law::aguiar, Law::samson, Law::los}) {
    for (const double side : {-3.0, 0.0, 3.0}) {
      for (const double yaw_error : {-1.0, 0.0, 1.0}) {
        CAPTURE(to_text(law));
        CAPTURE(side);
        CAPTURE(yaw_error);
        const Run run = sail(law, sections, side, yaw_error);
        CHECK(run.mean < 0.06);
        CHECK(run.worst < 0.4);
        CHECK(run.end >= Path(sections).length() - 0.01);
      }
    }
  }
}

TEST_CASE("on a long line every law converges to millimeters") {
  const auto sections = medusa::read_mission(medusa::test_data::with("LINE 0 0 60 40 0.5\n"), "m").value->sections;
  for (const Law law : {Law::lapierre, Law::aguiar, Law::samson, Law::los}) {
    CAPTURE(to_text(law));
    PathFollower follower(Path(sections), law);
    double x = 1, y = 4, yaw = 0;
    for (int step = 0; step < 2400; ++step) {
      const LawCommand c = follower.step({x, y}, yaw, 0.5, 0.5, 0.05);
      x += c.surge * std::cos(yaw) * 0.05;
      y += c.surge * std::sin(yaw) * 0.05;
      yaw += c.yaw_rate * 0.05;
    }
    CHECK(std::abs(follower.errors().cross) < 0.005);
  }
}

TEST_CASE("law names are read as they are written") {
  for (const Law law : {Law::lapierre, Law::aguiar, Law::samson, Law::los}) CHECK(parse_law(to_text(law)) == law);
  CHECK_FALSE(parse_law("Fossen"));
}

TEST_CASE("cooperation slows who is ahead, speeds who is behind, and is bounded") {
  const double others[] = {1.0, 1.0};
  CHECK(cooperative_correction(1.0, others, 30) == 0);
  CHECK(cooperative_correction(1.1, others, 30) < 0);
  CHECK(cooperative_correction(0.9, others, 30) == -cooperative_correction(1.1, others, 30));
  CHECK(std::abs(cooperative_correction(9, others, 30)) <= 0.1);
  CHECK(cooperative_correction(9, {}, 30) == 0);
}

TEST_CASE("three vehicles that start apart along their formation paths come together") {
  const auto m = *medusa::read_mission(medusa::test_data::kFormation, "m").value;
  std::vector<Path> paths;
  std::vector<double> s = {0, 2, 4};
  for (const int id : {1, 2, 3}) paths.emplace_back(*sections_for(m, id));
  for (int step = 0; step < 8000; ++step) {
    std::vector<double> gammas;
    for (std::size_t i = 0; i < 3; ++i) gammas.push_back(paths[i].normalized(s[i]));
    for (std::size_t i = 0; i < 3; ++i) {
      std::vector<double> others;
      for (std::size_t j = 0; j < 3; ++j)
        if (j != i) others.push_back(gammas[j]);
      const auto& piece = paths[i].pieces()[paths[i].piece_at(s[i])];
      s[i] += 0.05 * (piece.velocity + cooperative_correction(gammas[i], others, piece.segment.length()));
    }
  }
  CHECK(std::abs(paths[0].normalized(s[0]) - paths[1].normalized(s[1])) < 0.002);
  CHECK(std::abs(paths[2].normalized(s[2]) - paths[1].normalized(s[1])) < 0.002);
}
