// Static checks of vehicle files.

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/core/number.hpp"
#include "lib/scenario/codes.hpp"
#include "lib/scenario/robot.hpp"

namespace simbatch::scenario::detail {
namespace {

constexpr double kTouches = 0.001;  // m: largest gap between a wheel and the ground that still counts as touching
constexpr double kFarthest = 1e6;   // m; larger distances are reported as lost during the run

/// Lowest point of a body in its own frame, which rests on level ground if no wheel supports it.
double underside(const BodyPlan& body) {
  double low = std::numeric_limits<double>::infinity();
  for (const physics::Part& part : body.parts)
    for (const geo::Vec3 p : low_points(part.shape, part.pose.q)) low = std::min(low, (part.pose * p).y);
  return low;
}

}  // namespace

void check_wheels(const Site& site, const RobotParts& robot, const DriveEntry& drive,
                  const std::vector<const WheelEntry*>& wheels) {
  const auto& settings = std::get<autosim::DriveActuator>(drive.device->kind);
  const auto kind_of = [](const WheelEntry* wheel) { return std::get<autosim::WheelDevice>(wheel->device->kind); };
  if (settings.motor_force > 0 &&
      std::none_of(wheels.begin(), wheels.end(), [&](const WheelEntry* wheel) { return kind_of(wheel).powered; }))
    site.files.report(code::kNoPower, robot.file.path, drive.device->place.at,
                      "the DriveActuator " + quoted(drive.device->name) + " has a MotorForce, but none of its " +
                          number_text(wheels.size()) + " wheels is Powered: it moves nothing");
  for (const BodyPlan& body : robot.plans) {
    if (body.from->name != drive.device->part) continue;
    const double low = underside(body);
    for (const WheelEntry* wheel : wheels) {
      const autosim::WheelDevice from = kind_of(wheel);
      const double end = from.position.y - from.rest_length - from.radius;
      if (end <= low + kTouches || !(end - low < kFarthest)) continue;
      site.files.report(code::kWheelReach, robot.file.path, wheel->device->place.at,
                        "the wheel " + quoted(wheel->device->name) + " ends " +
                            number_text(std::round((end - low) * 1000) / 1000) + " m above the underside of " +
                            quoted(drive.device->part) +
                            ": it does not reach level ground; lower its Position, or give it a larger Radius or "
                            "SuspensionRestLength");
    }
  }
}

}  // namespace simbatch::scenario::detail
