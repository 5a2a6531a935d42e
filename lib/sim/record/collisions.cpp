#include "lib/sim/record/collisions.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>

namespace simbatch::sim {

using geo::Vec3;

void Collisions::prepare() {
  is_prepared_ = true;
  const physics::World& world = simulation_.world();
  robot_of_.assign(world.body_count(), -1);
  before_.assign(world.body_count(), {});
  std::map<std::string, std::int32_t, std::less<>> robots;
  for (std::uint32_t i = 0; i < world.body_count(); ++i) {
    const physics::BodyId body{i};
    if (world.kind(body) != physics::BodyKind::fixed) movable_.push_back(i);
    const std::string_view name = world.name(body);
    const std::string_view root = name.substr(0, name.find('.'));
    const TreeNode* node = root.size() < name.size() ? simulation_.tree().find(root) : nullptr;
    if (node == nullptr || node->type().kind != "Robot") continue;
    const auto [entry, is_new] = robots.emplace(root, static_cast<std::int32_t>(robots.size()));
    robot_of_[i] = entry->second;
    has_robots_ = true;
  }
}

void Collisions::remember() {
  const physics::World& world = simulation_.world();
  for (const std::uint32_t i : movable_) {
    const physics::BodyId body{i};
    before_[i] = {world.center_of_mass(body), world.center_velocity(body), world.angular_velocity(body)};
  }
}

Vec3 Collisions::velocity_at(std::uint32_t body, Vec3 point) const {
  const Motion& motion = before_[body];
  return motion.linear + cross(motion.angular, point - motion.at);
}

void Collisions::hit(const physics::Contact& contact) {
  const physics::World& world = simulation_.world();
  const auto a = static_cast<std::uint32_t>(contact.a), b = static_cast<std::uint32_t>(contact.b);
  const double dt = simulation_.clock().dt;
  const std::int64_t step = simulation_.clock().step;
  Touch& touch = touches_[{a, b}];
  if (touch.last_step != step) {
    if (touch.last_step < 0 || static_cast<double>(step - touch.last_step) * dt > kApart) touch.began = step;
    touch.last_step = step;
  }
  if (touch.began != step) return;  // an ongoing contact
  const double speed = -dot(velocity_at(a, contact.point) - velocity_at(b, contact.point), contact.normal);
  if (!(speed > kLeastSpeed)) return;
  if (touch.entry == kMaxPairs) {
    if (found_.size() == kMaxPairs) return;
    touch.entry = found_.size();
    touch.counted = step;
    const bool first_is_robot = robot_of_[a] >= 0;
    found_.push_back({world.name(first_is_robot ? contact.a : contact.b), world.name(first_is_robot ? contact.b : contact.a),
                      step, static_cast<double>(step) * dt, speed, 1, speed});
    return;
  }
  trace::Collision& entry = found_[touch.entry];
  if (touch.counted != step) ++entry.count;
  touch.counted = step;
  if (entry.step == step) entry.speed = std::max(entry.speed, speed);  // another point of the first one
  entry.fastest = std::max(entry.fastest, speed);
}

void Collisions::look() {
  if (!is_prepared_) prepare();
  if (!has_robots_) return;
  if (simulation_.clock().step > 0) {
    physics::World& world = simulation_.world();
    world.contacts(
        [&](physics::BodyId a, physics::BodyId b) {
          // Of the same robot, or of none: no collision.
          return robot_of_[static_cast<std::uint32_t>(a)] != robot_of_[static_cast<std::uint32_t>(b)] && !world.is_terrain(a) &&
                 !world.is_terrain(b);
        },
        contacts_);
    for (const physics::Contact& contact : contacts_)
      if (contact.impulse > 0) hit(contact);
  }
  remember();
}

}  // namespace simbatch::sim
