// The eye is at the distance from which a sphere about the points fits into the smaller angle of view.

#include "lib/view/still.hpp"

#include <algorithm>
#include <cmath>

#include "base/geo/geo.hpp"
#include "lib/sim/vision/cameras.hpp"
#include "lib/sim/vision/renderer.hpp"

namespace simbatch::view {
namespace {

using geo::Vec3;

constexpr double kFieldOfView = 35;  // degrees: little perspective, as in pictures of products
constexpr double kMargin = 1.05;
constexpr double kSmallest = 0.01;  // m, of the sphere
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

/// A sphere about points: its center is that of their box.
struct Sphere {
  Vec3 center;
  double radius = kSmallest;
};
Sphere sphere_about(const std::vector<Vec3>& points) {
  Vec3 low = points.front(), high = points.front();
  for (const Vec3& p : points) {
    low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
    high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
  }
  Sphere sphere{0.5 * (low + high)};
  for (const Vec3& p : points) sphere.radius = std::max(sphere.radius, geo::length(p - sphere.center));
  return sphere;
}

}  // namespace

image::Image still_of(BuiltView& view, const StillOptions& options) {
  const Sphere sphere = sphere_about(points_of(view));
  const double aspect = static_cast<double>(options.width) / options.height;
  const double vertical = geo::radians(kFieldOfView);
  const double narrow = aspect >= 1 ? vertical : 2 * std::atan(aspect * std::tan(vertical / 2));
  const double distance = kMargin * sphere.radius / std::sin(narrow / 2);
  const double azimuth = geo::radians(options.azimuth), elevation = geo::radians(options.elevation);
  const Vec3 towards{std::cos(elevation) * std::cos(azimuth), std::sin(elevation), std::cos(elevation) * std::sin(azimuth)};
  sim::vision::View picture;
  picture.pose = sim::vision::looking_at(sphere.center + distance * towards, sphere.center);
  picture.field_of_view = vertical;
  picture.width = options.width;
  picture.height = options.height;
  picture.samples = options.samples;
  std::vector<std::uint32_t> pixels(static_cast<std::size_t>(options.width) * static_cast<std::size_t>(options.height));
  view.built.cameras->renderer().draw(picture, pixels);
  return image::image_of(options.width, options.height, pixels);
}

}  // namespace simbatch::view
