// Detects objects that overlap before the first step, which the contact solver would separate violently.

#include <algorithm>
#include <cmath>
#include <set>

#include "base/core/number.hpp"
#include "lib/scenario/codes.hpp"
#include "lib/scenario/site.hpp"

namespace simbatch::scenario::detail {
namespace {

constexpr double kMinDepth = 0.01;     // m; smaller overlaps come from rounding in files, and are resolved gently
constexpr double kMaxDepth = 1e6;      // m; objects beyond the world are reported as lost during the run
constexpr std::size_t kMaxShown = 20;  // pairs; a pile of crates has thousands

std::string centimeters(double depth) { return number_text(std::round(depth * 100) / 100) + " m"; }

class OverlapCheck {
 public:
  explicit OverlapCheck(const Site& site) : site_(site), world_(site.simulation.world()) {}

  void run() {
    for (std::size_t i = 0; i < world_.body_count(); ++i)
      if (const physics::BodyId body{static_cast<std::uint32_t>(i)}; world_.kind(body) == physics::BodyKind::dynamic)
        check_ground(body);
    for (const physics::Overlap& overlap : world_.overlaps(kMinDepth)) {
      const std::string &a = world_.name(overlap.a), &b = world_.name(overlap.b);
      if (is_grasp(a) || is_grasp(b)) continue;
      if (!(overlap.depth < kMaxDepth)) continue;
      // At the movable object; at the later one in the file if both are.
      Position at = std::max(place_of(object_of(a)), place_of(object_of(b)));
      if (!moves(overlap.a)) at = place_of(object_of(b));
      if (!moves(overlap.b)) at = place_of(object_of(a));
      const auto [first, second] = std::minmax(a, b);
      report(first, second, at,
             quoted(first) + " and " + quoted(second) + " overlap by " + centimeters(overlap.depth) +
                 " before the first step, and will be pushed apart; move one of them");
    }
    if (left_out_ > 0)
      site_.files.report(code::kOverlap, site_.files.scenario(), {}, number_text(left_out_) + " more overlaps");
  }

 private:
  bool moves(physics::BodyId body) const {
    return world_.kind(body) == physics::BodyKind::dynamic || world_.kind(body) == physics::BodyKind::articulated;
  }

  void check_ground(physics::BodyId body) {
    const geo::Pose pose = world_.pose(body);
    double depth = 0;
    for (const physics::Part& part : world_.parts(body))
      for (const geo::Vec3 p : low_points(part.shape, pose.q * part.pose.q)) {
        const geo::Vec3 at = pose * (part.pose * p);
        if (const auto ground = world_.terrain_height(at.x, at.z)) depth = std::max(depth, *ground - at.y);
      }
    if (depth <= kMinDepth || !(depth < kMaxDepth) || is_grasp(world_.name(body))) return;
    report(world_.name(body), "", place_of(object_of(world_.name(body))),
           quoted(world_.name(body)) + " is " + centimeters(depth) +
               " in the ground before the first step; without y it is placed on the ground");
  }

  // One warning for each pair of objects, however many bodies they have.
  void report(const std::string& first, const std::string& second, Position at, std::string message) {
    if (!seen_.insert(std::pair(object_of(first), object_of(second))).second) return;
    if (seen_.size() > kMaxShown)
      ++left_out_;
    else
      site_.files.report(code::kOverlap, at, std::move(message));
  }

  static std::string object_of(const std::string& body) { return body.substr(0, body.find('.')); }

  bool is_grasp(const std::string& body) const {
    const auto& all = site_.file.grasps;
    return std::any_of(all.begin(), all.end(),
                       [name = object_of(body)](const autosim::GraspWorld& world) { return world.name == name; });
  }

  Position place_of(const std::string& object) const {
    for (const autosim::RobotEntry& robot : site_.file.robots)
      if (robot.name == object) return robot.place.at;
    for (const autosim::StaticObject& fixed : site_.file.statics)
      if (fixed.name == object) return fixed.place.at;
    for (const autosim::Traffic& traffic : site_.file.traffic)
      if (traffic.name == object) return traffic.place.at;
    return {};
  }

  const Site& site_;
  physics::World& world_;
  std::set<std::pair<std::string, std::string>> seen_;
  std::size_t left_out_ = 0;
};

}  // namespace

void check_overlaps(const Site& site) { OverlapCheck(site).run(); }

}  // namespace simbatch::scenario::detail
