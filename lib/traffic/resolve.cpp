// Open goals are expanded as described in the reference's section on dynamic objects.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "lib/traffic/codes.hpp"
#include "lib/traffic/traffic.hpp"

namespace simbatch::traffic {

void expand_goals(cajunbot::Object& o, std::size_t number, const rndf::Index& network, Diagnostics& diagnostics) {
  std::vector<cajunbot::Goal> expanded;
  cajunbot::Waypoint current = o.start;
  for (std::size_t i = 0; i < o.goals.size(); ++i) {
    const cajunbot::Goal& goal = o.goals[i];
    if (!goal.open) {
      expanded.push_back(goal);
      current = goal.to;
      continue;
    }
    const auto points = network.points(goal.to.segment, goal.to.lane);
    if (points.empty()) {
      diagnostics.report(code::kGoalLane, goal.at(o.place),
                         fmt::format("object {}: goal {} is lane {}.{}, which the network does not have", number, i + 1,
                                     goal.to.segment, goal.to.lane));
      continue;
    }
    std::size_t first = 0;
    if (current.segment == goal.to.segment && current.lane == goal.to.lane)
      while (first < points.size() && points[first].id.point <= current.point) ++first;
    if (first == points.size())
      diagnostics.report(
          code::kGoalEmpty, goal.at(o.place),
          fmt::format("object {}: goal {} adds nothing, {} is the end of its lane", number, i + 1, to_text(current)));
    for (std::size_t k = first; k < points.size(); ++k) {
      current = {points[k].id.segment, points[k].id.lane, points[k].id.point};
      expanded.push_back({goal.speed, goal.pause, current, false, goal.place});
    }
  }
  o.goals = std::move(expanded);
}

bool check_expansion(const cajunbot::ObjectFile& file, const rndf::Index& network, Diagnostics& diagnostics) {
  std::size_t all = 0;
  for (std::size_t i = 0; i < file.objects.size(); ++i) {
    const cajunbot::Object& o = file.objects[i];
    for (const cajunbot::Goal& goal : o.goals) all += goal.open ? network.points(goal.to.segment, goal.to.lane).size() : 0;
    if (all <= kMaxExpandedGoals) continue;
    diagnostics.report(
        code::kGoalsMany, o.place.at,
        fmt::format("object {}: with its goals along lanes there are {} waypoints to go to, expected at most {} in "
                    "a file; give goals at waypoints, or fewer objects",
                    i + 1, all, kMaxExpandedGoals));
    return false;
  }
  return true;
}

void check_waypoints(const cajunbot::ObjectFile& file, const rndf::Index& network, Diagnostics& diagnostics) {
  for (std::size_t i = 0; i < file.objects.size(); ++i) {
    const cajunbot::Object& o = file.objects[i];
    const auto look = [&](const cajunbot::Waypoint& w, const std::string& what, Position at) {
      if (w.is_disabled() || network.find({w.segment, w.lane, w.point}) != nullptr) return;
      diagnostics.report(code::kWaypointMissing, at,
                         fmt::format("object {}: {} {} is not in the network", i + 1, what, to_text(w)));
    };
    look(o.start, "start", o.place.at);
    for (std::size_t k = 0; k < o.goals.size(); ++k) {
      const cajunbot::Goal& g = o.goals[k];
      if (!g.open)
        look(g.to, fmt::format("goal {}", k + 1), g.at(o.place));
      else if (network.points(g.to.segment, g.to.lane).empty())
        diagnostics.report(code::kGoalLane, g.at(o.place),
                           fmt::format("object {}: goal {} is lane {}.{}, which the network does not have", i + 1, k + 1,
                                       g.to.segment, g.to.lane));
    }
  }
}

void check_reach(const cajunbot::ObjectFile& file, const PlacedObjects& resolved, Diagnostics& diagnostics) {
  constexpr double kFarthest = 1e6, kLargest = 1e4;  // m
  for (const PlacedObject& placed : resolved.objects) {
    const cajunbot::Object& o = file.objects[placed.index];
    const auto limit = [&](double value, double most, std::string_view what, Position at) {
      if (value <= most) return true;
      diagnostics.report(code::kFar, at,
                         fmt::format("object {}: {} is {} m, expected at most {} m", placed.index + 1, what, value, most));
      return false;
    };
    // NaN counts as infinitely far: outside the range of the map plane.
    const auto reach = [](const geo::Vec3& p) {
      const double far = std::max({std::fabs(p.x), std::fabs(p.y), std::fabs(p.z)});
      return std::isfinite(p.x + p.y + p.z) ? far : std::numeric_limits<double>::infinity();
    };
    limit(std::max({o.size.x, o.size.y, o.size.z}), kLargest, "its size", o.place.at);
    limit(std::max(o.wheel_radius, o.wheel_width), kLargest, "its wheel", o.place.at);
    if (!limit(reach(placed.position), kFarthest, "its distance from the origin", o.place.at)) continue;
    for (std::size_t k = 0; k < placed.targets.size(); ++k)
      if (!limit(reach(placed.targets[k].to), kFarthest, fmt::format("the distance of its goal {} from the origin", k + 1),
                 k < o.goals.size() ? o.goals[k].at(o.place) : o.place.at))
        break;
  }
}

std::optional<PlacedObjects> resolve_objects(cajunbot::ObjectFile& file, const rndf::Index& network, geo::LatLon origin,
                                             Diagnostics& diagnostics) {
  const std::size_t errors = diagnostics.errors();
  check_waypoints(file, network, diagnostics);
  check_expansion(file, network, diagnostics);
  if (diagnostics.errors() > errors) return std::nullopt;
  for (std::size_t i = 0; i < file.objects.size(); ++i) expand_goals(file.objects[i], i + 1, network, diagnostics);
  auto resolved = place_objects(file, network, origin);
  check_reach(file, resolved, diagnostics);
  if (diagnostics.errors() > errors) return std::nullopt;
  return resolved;
}

}  // namespace simbatch::traffic
