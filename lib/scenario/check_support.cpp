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

}  // namespace

void check_support(Simulation& simulation, const std::string& prefix, Diagnostics& problems) {
  physics::World& world = simulation.world();
  if (!(world.settings().gravity.y < 0)) return;
  std::vector<const TreeNode*> falling;
  for (std::size_t i = 0; i < world.body_count(); ++i) {
    const physics::BodyId body{static_cast<std::uint32_t>(i)};
    if (world.kind(body) != physics::BodyKind::dynamic || !world.name(body).starts_with(prefix)) continue;
    const TreeNode* node = simulation.tree().find(world.name(body));
    if (node != nullptr && !is_carried(world, body)) falling.push_back(node);
  }
  std::stable_sort(falling.begin(), falling.end(),
                   [](const TreeNode* a, const TreeNode* b) { return a->source().at < b->source().at; });
  for (std::size_t i = 0; i < falling.size(); ++i) {
    const std::size_t left = falling.size() - i;
    const bool is_last = i == kTold && left > 1;
    Diagnostics own(falling[i]->source().file);
    own.report(grasp_code::kFalls, falling[i]->source().at,
               is_last ? quoted(falling[i]->name()) + " and " + number_text(left - 1) + " more bodies fall likewise"
                       : quoted(falling[i]->name()) +
                             " falls from the first step, before a hand closes: nothing is below it; put an Obstacle there, or "
                             "switch gravity off: --set Gravity.y=0, or in a scenario with <GraspWorld> "
                             "<Gravity x=\"0\" y=\"0\" z=\"0\"/>");
    problems.append(std::move(own));
    if (is_last) return;
  }
}

}  // namespace simbatch::scenario::detail
