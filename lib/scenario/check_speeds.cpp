// Detects initial speeds so high that collisions are detected late or not at all.

#include <algorithm>
#include <array>
#include <cmath>

#include "base/core/number.hpp"
#include "lib/scenario/codes.hpp"
#include "lib/scenario/site.hpp"

namespace simbatch::scenario::detail {
namespace {

/// Shortest edge of the box about a part, along the part's own axes, m.
double thickness(const physics::Part& part) {
  double least = 1e30;
  for (const geo::Vec3 axis : {geo::Vec3{1, 0, 0}, geo::Vec3{0, 1, 0}, geo::Vec3{0, 0, 1}}) {
    const Span span = height_span(part.shape, geo::rotation_between(axis, {0, 1, 0}));
    least = std::min(least, span.high - span.low);
  }
  return least;
}

Position place_of(const autosim::World& file, const std::string& body) {
  const std::string object = body.substr(0, body.find('.'));
  for (const autosim::RobotEntry& robot : file.robots)
    if (robot.name == object) return robot.place.at;
  for (const autosim::StaticObject& loose : file.statics)
    if (loose.name == object) return loose.place.at;
  return {};
}

}  // namespace

void check_speeds(const Site& site) {
  const physics::World& world = site.simulation.world();
  const double dt = world.settings().dt;
  for (std::size_t i = 0; i < world.body_count(); ++i) {
    const physics::BodyId body{static_cast<std::uint32_t>(i)};
    if (world.kind(body) != physics::BodyKind::dynamic) continue;
    const double moved = geo::length(world.center_velocity(body)) * dt;
    if (moved == 0) continue;
    double size = 0;
    for (const physics::Part& part : world.parts(body)) size = std::max(size, thickness(part));
    if (!(moved > size) || !(moved < 1e9)) continue;
    const auto rounded = [](double value) { return number_text(std::round(value * 1000) / 1000); };
    site.files.report(code::kFast, place_of(site.file, world.name(body)),
                      quoted(world.name(body)) + " starts with " + rounded(moved / dt) + " m/s and moves " + rounded(moved) +
                          " m in a step of " + number_text(dt) + " s, more than its " + rounded(size) +
                          " m: collisions may be detected late; use steps of at most " +
                          number_text(std::floor(size / (moved / dt) * 1e6) / 1e6) + " s");
  }
}

}  // namespace simbatch::scenario::detail
