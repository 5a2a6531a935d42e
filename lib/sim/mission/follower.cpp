// Uses the section walker of lib/mission/walker and the path following laws of lib/mission/guidance. Own additions: the course
// over ground instead of the heading once the robot moves; reduced speed while the robot faces away from the path; points are
// approached by proportional control of heading and speed.

#include "lib/sim/mission/follower.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace simbatch::sim {

using medusa::Kind;
using medusa::Section;
using std::numbers::pi;

namespace {

// Guidance between the path laws (lib/mission/guidance) and the pilot. The values are Simbatch's own: they were chosen for
// robots of the size and speed of the Medusa vehicles (about 1 m, 0.1 to 1.5 m/s), and no publication gives them.

/// m/s; below this speed over ground the direction of motion is noise, so the course is the heading.
constexpr double kMovingSpeed = 0.05;
/// Minimum fraction of the commanded surge while the robot faces away from the path, so that it never stops there.
constexpr double kMinSurgeShare = 0.25;
/// m; a path is complete when its target is at the end and the robot is this close: half of the default lookahead (3 m) of the
/// line-of-sight law.
constexpr double kEndRadius = 1.5;
/// Within this fraction of its radius a point is held instead of approached: the margin keeps drift inside the radius.
constexpr double kArrivedShare = 0.5;
/// 1/s; from the distance to a point to the approach speed: proportional, with a time constant of 2.5 s.
constexpr double kApproachGain = 0.4;
/// 1/s; from the heading error to the yaw rate. The same as mission::LawGains::k_yaw.
constexpr double kHeadingGain = 0.8;
/// rad/s; largest commanded yaw rate near a point, below the 0.5 rad/s of mission::LawGains::max_yaw_rate.
constexpr double kMaxTurnRate = 0.4;
/// m; radius within which a place without a radius of its own (the end of a path, DEPTH, ALT) is held.
constexpr double kHoldRadius = 3;
/// Minimum speed at a POINT with time 0, as a fraction of the default point speed.
constexpr double kPassingShare = 0.5;

}  // namespace

std::unique_ptr<TreeNode> MissionFollower::make_node(Source source) {
  return std::make_unique<TreeNode>("mission",
                                    make_type("Mission", {{"section", "1", "", FieldType::integer},
                                                          {"line", "1", "", FieldType::integer},
                                                          {"gamma", "m", ""},
                                                          {"path_gamma", "1", ""},
                                                          {"cross_track", "m", ""},
                                                          {"course_error", "rad", ""},
                                                          {"speed_reference", "m/s", ""},
                                                          {"turn_reference", "rad/s", "B"},
                                                          {"depth_reference", "m", ""},
                                                          {"altitude_reference", "m", ""}}),
                                    std::move(source));
}

MissionFollower::MissionFollower(Simulation& simulation, physics::BodyId body, TreeNode& node, std::unique_ptr<Pilot> pilot,
                                 MissionSettings settings)
    : simulation_(simulation),
      body_(body),
      values_(node.values_offset()),
      pilot_(std::move(pilot)),
      settings_(std::move(settings)),
      walker_(settings_.sections),
      slot_(settings_.board->entries.size()) {
  settings_.board->entries.emplace_back();
  if (settings_.sensors) navigation_.emplace(simulation_, *settings_.sensors);
  const std::vector<Section>& all = settings_.sections;
  group_of_.assign(all.size(), npos);
  std::size_t pieces = 0;
  for (std::size_t i = 0; i < all.size();) {
    std::vector<Section> run;
    std::vector<std::size_t> indices;
    for (; i < all.size() && (all[i].kind == Kind::line || all[i].kind == Kind::arc); ++i) {
      if (!mission::Segment::of(all[i])) continue;
      group_of_[i] = groups_.size();
      run.push_back(all[i]);
      indices.push_back(i);
    }
    if (run.empty()) {
      ++i;
      continue;
    }
    groups_.push_back({mission::PathFollower(mission::Path(run), settings_.law, settings_.gains), indices});
    pieces_before_.push_back(pieces);
    pieces += indices.size();
  }
}

MissionFollower::Motion MissionFollower::motion() const {
  const physics::World& world = simulation_.world();
  const geo::Pose pose = world.pose(body_);
  Motion m;
  if (navigating_) {
    const mission::Point over_ground = navigation_->velocity();
    m.at = navigation_->at();
    m.yaw = pi / 2 - navigation_->heading();
    m.velocity = {over_ground.x, world.linear_velocity(body_).y, over_ground.y};
    m.ground_speed = std::hypot(over_ground.x, over_ground.y);
    m.surge = over_ground.x * std::cos(m.yaw) + over_ground.y * std::sin(m.yaw);
    m.course = m.ground_speed > kMovingSpeed && m.surge > 0 ? std::atan2(over_ground.y, over_ground.x) : m.yaw;
    m.turn_rate = navigation_->turn_rate();
    return m;
  }
  m.at = {pose.p.x, pose.p.z};
  const geo::Vec3 forward = pose.q * geo::Vec3{0, 0, 1};
  m.yaw = std::atan2(forward.z, forward.x);
  m.velocity = world.linear_velocity(body_);
  m.ground_speed = std::hypot(m.velocity.x, m.velocity.z);
  m.surge = geo::dot(m.velocity, forward);
  m.course = m.ground_speed > kMovingSpeed && m.surge > 0 ? std::atan2(m.velocity.z, m.velocity.x) : m.yaw;
  m.turn_rate = world.angular_velocity(body_).y;
  return m;
}

void MissionFollower::apply_events(const std::vector<mission::WalkEvent>& events) {
  for (const mission::WalkEvent& e : events) {
    switch (e.kind) {
      case mission::WalkEvent::Kind::depth:
        depth_ = e.value;
        altitude_ = 0;
        dives_ = dives_ || depth_ > 0;
        break;
      case mission::WalkEvent::Kind::altitude:
        altitude_ = e.value;
        depth_ = 0;
        dives_ = true;
        break;
      default: break;
    }
  }
}

void MissionFollower::start(const Clock& clock) {
  const Motion m = motion();
  start_height_ = simulation_.world().pose(body_).p.y;
  hold_ = m.at;
  apply_events(walker_.start(clock.time));
  after_step(clock);
}

std::optional<double> MissionFollower::wanted_height(const Motion& m) {
  if (!dives_) return std::nullopt;
  if (altitude_ > 0) {
    const auto bottom = simulation_.world().terrain_height(m.at.x, m.at.y);
    return std::min(settings_.water_level, bottom.value_or(settings_.water_level - altitude_) + altitude_);
  }
  return depth_ > 0 ? settings_.water_level - depth_ : std::min(start_height_, settings_.water_level);
}

PilotOrder MissionFollower::follow(Group& group, const Motion& m, const Clock& clock) {
  mission::PathFollower& follower = group.follower;
  const mission::Path& path = follower.path();
  const std::size_t index = group_of_[group.sections.front()];
  const std::size_t piece = path.piece_at(follower.s());
  const double length = path.pieces()[piece].segment.length();
  double speed = path.pieces()[piece].velocity;
  normalized_ = static_cast<double>(pieces_before_[index]) + path.normalized(follower.s());
  if (settings_.cooperate) {
    others_.clear();
    const auto& entries = settings_.board->entries;
    for (std::size_t i = 0; i < entries.size(); ++i)
      if (i != slot_ && entries[i].on_path) others_.push_back(entries[i].gamma);
    speed = std::max(0.0, speed + mission::cooperative_correction(normalized_, others_, length, settings_.cooperation));
  }
  const mission::LawCommand command = follower.step(m.at, m.course, m.ground_speed, speed, clock.dt);
  // Turn first, then move: a robot facing away from the path would only increase its error.
  const double surge = command.surge * std::max(kMinSurgeShare, std::cos(follower.errors().yaw));
  const Section& section = settings_.sections[group.sections[piece]];
  const double part = std::clamp((follower.s() - path.pieces()[piece].start) / length, 0.0, 1.0);
  gamma_ = section.gamma_s + part * (section.gamma_e - section.gamma_s);
  // End of the path: reached by the target, and the robot is close.
  const bool ended = follower.is_at_end() && mission::distance(m.at, path.at(path.length()).at) < kEndRadius;
  apply_events(walker_.gamma(ended ? gamma_ + 1e-6 * (1 + gamma_) : gamma_, clock.time));
  return {surge, -command.yaw_rate, {}};
}

PilotOrder MissionFollower::go_to(mission::Point target, double speed, double radius, double heading_deg,
                                  const Motion& m) const {
  const double distance = mission::distance(m.at, target);
  const bool there = distance < kArrivedShare * radius;
  double wanted = there ? m.yaw : std::atan2(target.y - m.at.y, target.x - m.at.x);
  if (there && heading_deg >= 0) wanted = pi / 2 - geo::radians(heading_deg);
  const double error = mission::wrapped(wanted - m.yaw);
  const double surge = there ? 0 : std::min(speed, kApproachGain * distance) * std::max(0.0, std::cos(error));
  return {surge, -std::clamp(kHeadingGain * error, -kMaxTurnRate, kMaxTurnRate), {}};
}

void MissionFollower::control(const Clock& clock) {
  // The devices have their first values after start().
  if (navigation_ && navigating_) navigation_->update(clock.dt);
  if (navigation_ && !navigating_) navigation_->start();
  navigating_ = navigation_.has_value();
  const Motion m = motion();
  apply_events(walker_.tick(clock.time));
  apply_events(walker_.position(m.at, clock.time));
  PilotOrder order;
  const std::optional<std::size_t> current = walker_.current();
  if (current && group_of_[*current] != npos) {
    order = follow(groups_[group_of_[*current]], m, clock);
    hold_ = {settings_.sections[*current].xe, settings_.sections[*current].ye};
  } else if (current && settings_.sections[*current].kind == Kind::point) {
    const Section& s = settings_.sections[*current];
    gamma_ = 0;
    hold_ = {s.xe, s.ye};
    order = go_to(hold_, s.velocity > 0 ? s.velocity : settings_.point_speed, s.radius, s.heading, m);
    if (s.time == 0 && order.surge > 0) order.surge = std::max(order.surge, kPassingShare * settings_.point_speed);
  } else if (current && (settings_.sections[*current].kind == Kind::line || settings_.sections[*current].kind == Kind::arc)) {
    apply_events(walker_.gamma(settings_.sections[*current].gamma_e + 1, clock.time));  // zero length: complete at once
    order = go_to(hold_, settings_.point_speed, kHoldRadius, -1, m);
  } else {
    order = go_to(hold_, settings_.point_speed, kHoldRadius, -1, m);  // DEPTH, ALT, and the end
  }
  order.height = wanted_height(m);
  speed_ref_ = order.surge;
  turn_ref_ = order.turn_rate;
  pilot_->steer(order, {m.surge, m.turn_rate, simulation_.world().pose(body_).p.y, m.velocity.y}, clock.dt);
}

void MissionFollower::after_step(const Clock&) {
  const std::optional<std::size_t> current = walker_.current();
  const bool on_path = current && group_of_[*current] != npos;
  if (on_path) {
    const mission::PathFollower& follower = groups_[group_of_[*current]].follower;
    const Motion m = motion();
    const mission::LawErrors errors = follower.errors_at(m.at, m.course);
    cross_ = errors.cross;
    course_error_ = errors.yaw;
  } else {
    cross_ = course_error_ = 0;
  }
  settings_.board->entries[slot_] = {normalized_, on_path};
  const std::span<double> bank = simulation_.tree().bank();
  const double section = current             ? static_cast<double>(*current + 1)
                         : walker_.is_over() ? static_cast<double>(settings_.sections.size() + 1)
                                             : 0;
  const double values[] = {section,    current ? static_cast<double>(settings_.sections[*current].line) : 0.0,
                           gamma_,     normalized_,
                           cross_,     course_error_,
                           speed_ref_, turn_ref_,
                           depth_,     altitude_};
  std::copy(std::begin(values), std::end(values), bank.begin() + static_cast<std::ptrdiff_t>(values_));
}

void MissionFollower::hash_state(StateHash& hash) const {
  for (const Group& group : groups_) {
    const double s[] = {group.follower.s()};
    hash.add(s);
  }
  pilot_->hash_state(hash);
  if (navigation_) navigation_->hash_state(hash);
}

}  // namespace simbatch::sim
