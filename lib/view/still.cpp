// The eye is as near as all points allow. Own: of a point r beside the line of sight and t nearer than the point that is aimed at,
// a half angle h of view asks for a distance of at least t + |r| / tan h; the aim is moved until both sides ask for the same.

#include "lib/view/still.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/geo/geo.hpp"
#include "lib/sim/vision/cameras.hpp"
#include "lib/sim/vision/renderer.hpp"

namespace simbatch::view {
namespace {

using geo::Vec3;

constexpr double kFieldOfView = 35;  // degrees: little perspective, as in pictures of products
constexpr double kMargin = 1.1;
constexpr double kSmallest = 0.03;  // m before the nearest point
constexpr double kNear = 100;       // m about the origin

/// Points that the picture shall show.
std::vector<Vec3> points_of(const BuiltView& view) {
  const physics::World& world = view.built.simulation->world();
  std::vector<Vec3> points;
  for (const scene::MovingFigure& mover : view.scene.movers) {
    const geo::Pose pose =
        mover.body != physics::kNoBody ? world.pose(mover.body) : world.wheel(mover.vehicle, mover.wheel).pose;
    for (const Vec3& point : mover.mesh.points) points.push_back(pose * point);
  }
  if (!points.empty()) return points;
  const auto add_near = [&](Vec3 point) {
    if (std::max({std::abs(point.x), std::abs(point.y), std::abs(point.z)}) <= kNear) points.push_back(point);
  };
  for (const scene::FixedFigure& figure : view.scene.fixed)
    for (const Vec3& point : figure.mesh.points) add_near(point);
  for (const scene::Instance& instance : view.scene.instances) add_near(instance.pose.p);
  if (points.empty()) points = {{-kNear, 0, -kNear}, {kNear, 0, kNear}};
  return points;
}

/// What one axis of the picture asks for.
struct Fit {
  double aim = 0;       ///< m along the axis
  double distance = 0;  ///< m from the plane of the origin, towards the eye
};
/// @param axis      of the picture, towards its right or its top
/// @param towards   the eye
/// @param tangent   of half the angle of view along the axis
Fit fit(const std::vector<Vec3>& points, const Vec3& axis, const Vec3& towards, double tangent) {
  double high = -std::numeric_limits<double>::infinity(), low = high;
  for (const Vec3& p : points) {
    const double r = geo::dot(p, axis) / tangent, t = geo::dot(p, towards);
    high = std::max(high, t + r);
    low = std::max(low, t - r);
  }
  return {(high - low) / 2 * tangent, (high + low) / 2};
}

}  // namespace

image::Image still_of(BuiltView& view, const StillOptions& options) {
  const std::vector<Vec3> points = points_of(view);
  const double aspect = static_cast<double>(options.width) / options.height;
  const double vertical = geo::radians(kFieldOfView), tangent = std::tan(vertical / 2) / kMargin;
  const double azimuth = geo::radians(options.azimuth), elevation = geo::radians(options.elevation);
  const Vec3 towards{std::cos(elevation) * std::cos(azimuth), std::sin(elevation), std::cos(elevation) * std::sin(azimuth)};
  sim::vision::View picture;
  const geo::Quat turned = sim::vision::looking_at(towards, {}).q;
  const Vec3 right = turned * Vec3{1, 0, 0}, up = turned * Vec3{0, 1, 0};
  const Fit across = fit(points, right, towards, tangent * aspect), upright = fit(points, up, towards, tangent);
  double nearest = -std::numeric_limits<double>::infinity();
  for (const Vec3& p : points) nearest = std::max(nearest, geo::dot(p, towards));
  const double distance = std::max({across.distance, upright.distance, nearest + kSmallest});
  picture.pose = {across.aim * right + upright.aim * up + distance * towards, turned};
  picture.field_of_view = vertical;
  picture.width = options.width;
  picture.height = options.height;
  picture.samples = options.samples;
  std::vector<std::uint32_t> pixels(static_cast<std::size_t>(options.width) * static_cast<std::size_t>(options.height));
  view.built.cameras->renderer().draw(picture, pixels);
  return image::image_of(options.width, options.height, pixels);
}

}  // namespace simbatch::view
