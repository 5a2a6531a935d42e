// Checks for values that files may contain and a simulation cannot handle: reported before anything is built.
#include "lib/sim/grasp/range.hpp"

#include <cmath>
#include <set>

#include "base/core/number.hpp"
#include "lib/sim/grasp/codes.hpp"
#include "lib/sim/grasp/grasp.hpp"
#include "lib/sim/physics/articulation.hpp"

namespace simbatch::sim {
namespace {

using geo::Vec3;

constexpr double kMaxSize = 1e3;                   // m: of bodies and links
constexpr double kMaxPlace = 1e5;                  // m
constexpr double kMinMass = 1e-9, kMaxMass = 1e6;  // kg
constexpr double kMaxValue = 1e4;                  // m or rad

bool within(double x, double most) { return std::fabs(x) <= most; }  // rejects NaN
bool within(Vec3 v, double most) { return within(v.x, most) && within(v.y, most) && within(v.z, most); }

class Checker {
 public:
  Checker(const std::string& world, Diagnostics& problems) : world_(world), problems_(problems) {}
  bool good() const { return good_; }

  void body(const grasp::GraspBody* body) {
    if (body == nullptr || !seen_.insert(body).second) return;
    for (const auto& p : body->mesh.points)
      if (!within(Vec3{p[0], p[1], p[2]}, kMaxSize)) {
        report(body->file, {}, "the body reaches farther than " + number_text(kMaxSize) + " m");
        break;
      }
    if (body->given.cog && !within(body->cog, kMaxSize))
      report(body->described, {},
             "the center of gravity is farther than " + number_text(kMaxSize) + " m from the body's origin");
    if (!(body->mass >= kMinMass && body->mass <= kMaxMass))
      report(body->described, {},
             "a mass of " + number_text(body->mass) + " kg, expected " + number_text(kMinMass) + " to " +
                 number_text(kMaxMass) + " kg");
    if (body->given.inertia && !sound_inertia(*body)) {
      problems_.report_in(body->described.empty() ? world_ : body->described, grasp_code::kInertia, {},
                          "this tensor of inertia is impossible: that of the uniform solid is used");
    }
  }

  void place(const std::string& file, Position at, const graspit::Transform& transform) {
    const geo::Pose pose = grasp::pose_of(transform);
    if (!within(pose.p, kMaxPlace) || !std::isfinite(pose.q.w + pose.q.x + pose.q.y + pose.q.z))
      report(file, at, "it is farther than 100 km from the origin");
  }

  void robot(const grasp::GraspRobot* robot) {
    if (robot == nullptr || !seen_.insert(robot).second) return;
    body(robot->palm.get());
    std::size_t joints = 0;
    for (const grasp::Chain& chain : robot->chains.chains) joints += chain.joints.size();
    if (joints > physics::kMaxArticulatedLinks)
      report(
          robot->file, {},
          "its chains have " + number_text(joints) + " joints, expected at most " + number_text(physics::kMaxArticulatedLinks));
    for (const auto& chain : robot->links)
      for (const auto& link : chain) body(link.get());
    for (std::size_t c = 0; c < robot->chains.chains.size(); ++c) {
      const grasp::Chain& chain = robot->chains.chains[c];
      bool fits = within(chain.base.p, kMaxSize);
      for (const grasp::Joint& joint : chain.joints)
        fits = fits && within(joint.a, kMaxSize) && within(joint.d, kMaxSize) && within(joint.factor, kMaxValue) &&
               within(joint.offset, kMaxValue) && within(joint.theta, kMaxValue) && within(joint.alpha, kMaxValue) &&
               std::min(joint.min, joint.max) <= kMaxValue && std::max(joint.min, joint.max) >= -kMaxValue;
      if (!fits)
        report(robot->file, {},
               "chain " + number_text(c + 1) + " has lengths over " + number_text(kMaxSize) +
                   " m, or angles, limits or factors over " + number_text(kMaxValue));
    }
    for (std::size_t d = 0; d < robot->model.dofs.size(); ++d)
      if (const graspit::Dof& dof = robot->model.dofs[d]; !within(dof.velocity, 1e9) || !within(dof.max_effort, 1e18))
        report(robot->file, {}, "DOF " + number_text(d) + " has a velocity over 1e9 or an effort over 1e18");
  }

  void values(const std::string& file, Position at, const std::vector<double>& dofs) {
    for (const double value : dofs)
      if (!within(value, kMaxValue)) return report(file, at, "a DOF is at " + number_text(value) + " m or rad");
  }

 private:
  void report(const std::string& file, Position at, std::string message) {
    // Bodies can also be direct members of the world.
    problems_.report_in(file.empty() ? world_ : file, grasp_code::kRange, at, std::move(message));
    good_ = false;
  }

  const std::string& world_;
  Diagnostics& problems_;
  bool good_ = true;
  std::set<const void*> seen_;
};

}  // namespace

std::optional<physics::Inertia> sound_inertia(const grasp::GraspBody& body) {
  const auto& m = body.inertia;
  for (const double x : m)
    if (!(std::fabs(x) <= 1e15)) return std::nullopt;
  const physics::Inertia tensor{m[0], m[8], m[4], m[2], m[1], m[5]};  // rows and columns y and z are swapped
  return physics::is_sound(tensor) ? std::optional(tensor) : std::nullopt;
}

bool check_range(const grasp::GraspWorld& world, const std::string& file, Diagnostics& problems) {
  Checker checker(file, problems);
  for (std::size_t i = 0; i < world.bodies.size(); ++i) {
    checker.body(world.bodies[i].get());
    checker.place(file, world.model.bodies[i].place.at, world.model.bodies[i].transform);
  }
  for (std::size_t i = 0; i < world.robots.size(); ++i) {
    checker.robot(world.robots[i].get());
    checker.place(file, world.model.robots[i].place.at, world.model.robots[i].transform);
    checker.values(file, world.model.robots[i].place.at, world.dofs[i]);
  }
  return checker.good();
}

}  // namespace simbatch::sim
