// Finds graspable bodies of GraspIt! worlds with nothing below them: they fall before a hand closes. In GraspIt! a world has no
// gravity until its dynamics are switched on, so that the bodies of many worlds float in the air.

#include <algorithm>
#include <cmath>

#include "base/core/number.hpp"
#include "lib/scenario/site.hpp"
#include "lib/sim/grasp/codes.hpp"

namespace simbatch::scenario::detail {
namespace {

constexpr double kReach = 1000;       // m: anything farther below does not count
constexpr double kAbove = 0.005;      // m: rays begin this far above the body's points, which may be inside the supporting body
constexpr std::size_t kMaxRays = 64;  // for each part
constexpr std::size_t kTold = 5;      // bodies; the rest are counted

bool is_carried(physics::World& world, physics::BodyId body) {
  const geo::Pose pose = world.pose(body);
  const physics::RayFilter others{.ignore_body = body};
  for (const physics::Part& part : world.parts(body)) {
    const std::vector<geo::Vec3> points = low_points(part.shape, pose.q * part.pose.q);
    const std::size_t step = points.size() / kMaxRays + 1;
    for (std::size_t i = 0; i < points.size(); i += step) {
      const geo::Vec3 at = pose * (part.pose * points[i]);
      if (world.ray_cast({at.x, at.y + kAbove, at.z}, {at.x, at.y - kReach, at.z}, others)) return true;
    }
  }
  return false;
}

struct Falling {
  std::string name;
  Source source;
};

/// @param left  how many there are from this one on, if the rest are only counted; else 0
std::string message_of(const Falling& body, std::size_t left) {
  const std::size_t others = left == 0 ? 0 : left - 1;
  if (others > 0)
    return quoted(body.name) + " and " + number_text(others) + (others == 1 ? " more body falls" : " more bodies fall") +
           " likewise";
  return quoted(body.name) +
         " falls from the first step, before a hand closes: nothing is below it; put an Obstacle there, or switch gravity off: "
         "--set Gravity.y=0, or in a scenario with <GraspWorld> <Gravity x=\"0\" y=\"0\" z=\"0\"/>";
}

}  // namespace

void check_support(Simulation& simulation, const std::string& prefix, const std::string& file, Diagnostics& problems) {
  physics::World& world = simulation.world();
  if (!(world.settings().gravity.y < 0)) return;
  std::vector<Falling> falling;
  for (std::size_t i = 0; i < world.body_count(); ++i) {
    const physics::BodyId body{static_cast<std::uint32_t>(i)};
    if (world.kind(body) != physics::BodyKind::dynamic || !world.name(body).starts_with(prefix) || is_carried(world, body))
      continue;
    const TreeNode* node = simulation.tree().find(world.name(body));
    falling.push_back({std::string(world.name(body)), node != nullptr ? node->source() : Source{file, {}}});
  }
  std::stable_sort(falling.begin(), falling.end(),
                   [](const Falling& a, const Falling& b) { return a.source.at < b.source.at; });
  for (std::size_t i = 0; i < falling.size() && i <= kTold; ++i) {
    const Source& source = falling[i].source;
    problems.report_in(source.file, grasp_code::kFalls, source.at, message_of(falling[i], i == kTold ? falling.size() - i : 0));
  }
}

}  // namespace simbatch::scenario::detail
