// Own: piecewise constant speed along straight legs, with pauses, in closed form; nothing is integrated.
#include "lib/traffic/motion.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace simbatch::traffic {

Motion::Motion(geo::Vec3 start, double heading, double initial_pause, const std::vector<Target>& targets)
    : start_(start), heading_(heading), initial_pause_(initial_pause) {
  geo::Vec3 from = start;
  double time = initial_pause;
  for (const Target& target : targets) {
    const double east = target.to.x - from.x, up = target.to.y - from.y, north = target.to.z - from.z;
    const double distance = std::sqrt(east * east + up * up + north * north);
    if (east != 0 || north != 0) heading = std::atan2(east, north);
    const double duration = distance == 0      ? 0
                            : target.speed > 0 ? distance / target.speed
                                               : std::numeric_limits<double>::infinity();
    const double arrive = time + duration;
    legs_.push_back({from, target.to, heading, target.speed, time, arrive, arrive + target.pause});
    time = arrive + target.pause;
    from = target.to;
  }
}

State Motion::at(double time) const {
  if (legs_.empty() || time < initial_pause_) return {start_, heading_, 0, 0};
  // The last leg that has begun; legs begin in order.
  const auto after = std::upper_bound(legs_.begin(), legs_.end(), time, [](double t, const Leg& leg) { return t < leg.start; });
  const auto index = static_cast<std::size_t>(after - legs_.begin()) - 1;
  const Leg& leg = legs_[index];
  if (time >= leg.leave) return {leg.to, leg.heading, 0, index + 1};
  if (time >= leg.arrive) return {leg.to, leg.heading, 0, index};
  if (std::isinf(leg.arrive)) return {leg.from, leg.heading, 0, index};
  const double part = (time - leg.start) / (leg.arrive - leg.start);
  return {{leg.from.x + part * (leg.to.x - leg.from.x), leg.from.y + part * (leg.to.y - leg.from.y),
           leg.from.z + part * (leg.to.z - leg.from.z)},
          leg.heading,
          leg.speed,
          index};
}

}  // namespace simbatch::traffic
