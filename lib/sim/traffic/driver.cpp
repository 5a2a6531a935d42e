// Pure pursuit: see the header. Our own: speeds. v^2 = u^2 + 2 a s leads back from each stop over all legs before it; in bends
// the sideways acceleration limits v^2 times curvature.
#include "lib/sim/traffic/driver.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace simbatch::sim {
namespace {

constexpr double kSlowing = 2;    // m/s^2: below the limit of the brakes
constexpr double kThere = 0.1;    // m: distance at which a stop counts as reached
constexpr double kLookAhead = 4;  // m, minimum; otherwise the distance covered in one second, or in the travel time of a lever
constexpr double kSideways = 2;   // m/s^2, in bends
constexpr double kCorner = 3;     // m/s rad: speed times turn at a corner without a stop
constexpr double kCrawl = 1.5;    // m/s, round any corner

double turn_between(double a, double b) { return std::remainder(b - a, 2 * std::numbers::pi); }
double heading_of(const geo::Vec3& a, const geo::Vec3& b) { return std::atan2(b.x - a.x, b.z - a.z); }

}  // namespace

Driver::Driver(geo::Vec3 start, double initial_pause, std::vector<traffic::Target> targets, const WheelPlaces& wheels)
    : start_(start), targets_(std::move(targets)), wheels_(wheels), waits_until_(initial_pause) {
  for (std::size_t leg = 0; leg < targets_.size(); ++leg)
    lengths_.push_back(std::hypot(targets_[leg].to.x - from(leg).x, targets_[leg].to.z - from(leg).z));
  // From the last leg back: braking for a stop begins as many legs before it as it needs.
  end_speeds_.assign(targets_.size(), 0);
  for (std::size_t leg = targets_.size(); leg-- > 0;) {
    end_speeds_[leg] = corner_speed(leg);
    if (!stops_at(leg)) end_speeds_[leg] = std::min(end_speeds_[leg], speed_at(lengths_[leg + 1], end_speeds_[leg + 1]));
  }
}

// The speed `left` meters before the end of a leg from which kSlowing leads to `end_speed` there.
double Driver::speed_at(double left, double end_speed) const {
  return std::sqrt(end_speed * end_speed + 2 * kSlowing * std::max(left - kThere / 2, 0.0));
}

double Driver::corner_speed(std::size_t leg) const {
  if (stops_at(leg)) return 0;
  const double turn =
      std::fabs(turn_between(heading_of(from(leg), targets_[leg].to), heading_of(targets_[leg].to, targets_[leg + 1].to)));
  return std::min(std::max(kCrawl, kCorner / std::max(turn, 1e-6)), std::max(targets_[leg + 1].speed, kCrawl));
}

// The point `way` meters along the path from the start of the current leg: on it, on one of the next as far as the next stop,
// or straight ahead of that.
geo::Vec3 Driver::ahead(double way) const {
  std::size_t leg = next_;
  while (way > lengths_[leg] && !stops_at(leg) && lengths_[leg + 1] > 0) way -= lengths_[leg++];
  const geo::Vec3& a = from(leg);
  const double heading = heading_of(a, targets_[leg].to);
  return {a.x + way * std::sin(heading), a.y, a.z + way * std::cos(heading)};
}

void Driver::set(const DrivenVehicle& vehicle, std::size_t actuator, double value) {
  DeviceNode* device = vehicle.actuator(actuator);
  if (device == nullptr) return;
  device->set(0, value);
  set_[actuator] = device->values()[0];
}

void Driver::command(const DrivenVehicle& vehicle, double speed, double curvature) {
  if (!vehicle.settings().skid) {
    set(vehicle, 0, speed / kTopSpeed);
    set(vehicle, 1, std::atan(curvature * 2 * wheels_.end) / kSteeringAngle);
    return;
  }
  // Scrubbing wheels turn a vehicle like rolling wheels with a wider track: balance of the forces at the sides and at the ends.
  const double apart = 2 * (wheels_.side * wheels_.side + wheels_.end * wheels_.end) / wheels_.side;
  const double left = speed * (1 + curvature * apart / 2), right = speed * (1 - curvature * apart / 2);
  const double most = std::max({std::fabs(left), std::fabs(right), 1e-9});
  set(vehicle, 0, std::min(most, kTopSpeed) / kTopSpeed);
  set(vehicle, 1, speed == 0 ? 1 : left / most);
  set(vehicle, 2, speed == 0 ? 1 : right / most);
}

void Driver::decide(const Clock& clock, const physics::Pose& pose, double speed, const DrivenVehicle& vehicle) {
  for (std::size_t i = 0; i < 3 && drives_; ++i)
    if (const DeviceNode* device = vehicle.actuator(i)) drives_ = device->values()[0] == set_[i];
  if (!drives_) return;
  const geo::Vec3 forward = pose.q * geo::Vec3{0, 0, 1};
  const double heading = std::atan2(forward.x, forward.z);
  double left = 0, done = 0;  // of the leg, m
  for (; next_ < targets_.size(); ++next_) {
    if (clock.time < waits_until_ - 1e-9) return command(vehicle, 0, 0);
    const geo::Vec3 &a = from(next_), &b = targets_[next_].to;
    const double along = lengths_[next_] > 0 ? heading_of(a, b) : heading;
    done = (pose.p.x - a.x) * std::sin(along) + (pose.p.z - a.z) * std::cos(along);
    left = lengths_[next_] - done;
    if (left > kThere || (stops_at(next_) && speed > 0.2 && left > -1)) break;
    waits_until_ = clock.time + targets_[next_].pause;
  }
  if (next_ == targets_.size()) return command(vehicle, 0, 0);

  const double wanted = std::min(std::max(targets_[next_].speed, 0.0), speed_at(left, end_speeds_[next_]));
  // From the rear axle, or from the center of a skid vehicle.
  const double axle = vehicle.settings().skid ? 0 : wheels_.end;
  const double x = pose.p.x - axle * std::sin(heading), z = pose.p.z - axle * std::cos(heading);
  const double lag = std::max(1.0, 1 / std::max(vehicle.settings().lever_rate, 0.1));
  const geo::Vec3 aim = ahead(done - axle + std::max(kLookAhead, speed * lag));
  const double angle = turn_between(heading, std::atan2(aim.x - x, aim.z - z)), distance = std::hypot(aim.x - x, aim.z - z);
  const bool away = std::fabs(angle) > 1.5;  // minimum radius, at low speed
  const double curvature = away ? std::copysign(10.0, angle) : 2 * std::sin(angle) / std::max(distance, 0.5);
  command(vehicle,
          away ? std::min(wanted, kCrawl) : std::min(wanted, std::sqrt(kSideways / std::max(std::fabs(curvature), 1e-6))),
          curvature);
}

void Driver::hash_state(StateHash& hash) const { hash.add(std::span<const double>(&waits_until_, 1)); }

}  // namespace simbatch::sim
