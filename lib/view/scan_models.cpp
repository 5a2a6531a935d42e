// Our own: rays are a fan if each lies where turning the first one by equal steps in the plane of the first two leads.
#include <cmath>
#include <numbers>

#include "lib/sim/vision/cameras.hpp"
#include "lib/view/scene_models.hpp"

namespace simbatch::view {
namespace {

using geo::Vec3;

Vec3 swapped(Vec3 v) { return {v.x, v.z, v.y}; }

/// The turn that takes x and y, which are at right angles, to these.
geo::Quat turn_to(Vec3 x, Vec3 y) {
  const geo::Quat first = geo::rotation_between({1, 0, 0}, x);
  const Vec3 before = first * Vec3{0, 1, 0};
  constexpr double kOpposite = -1 + 1e-9;
  if (geo::dot(before, y) < kOpposite) return geo::rotation(x, std::numbers::pi) * first;
  return geo::rotation_between(before, y) * first;
}

/// Rays in a plane, each at the same angle from the one before: then the model has half_angle and fan_rotation.
/// @param directions  at least two
void find_fan(const std::vector<Vec3>& directions, trace::ScanModel& model) {
  constexpr double kTolerance = 1e-6;
  const std::size_t last = directions.size() - 1;
  const Vec3 start = swapped(directions[last]), next = swapped(directions[last - 1]);  // counter-clockwise seen from above
  const Vec3 across = next - geo::dot(start, next) * start;
  if (geo::length(across) < kTolerance) return;
  const Vec3 side = (1 / geo::length(across)) * across;
  const double step = std::atan2(geo::length(across), geo::dot(start, next));
  const auto at = [&](double angle) { return std::cos(angle) * start + std::sin(angle) * side; };
  for (std::size_t i = 0; i <= last; ++i)
    if (geo::length(swapped(directions[last - i]) - at(static_cast<double>(i) * step)) > kTolerance) return;
  const double half = static_cast<double>(last) * step / 2;
  const geo::Quat turn = turn_to(at(half), at(half + std::numbers::pi / 2));
  model.half_angle = half;
  model.fan_rotation = {turn.w, turn.x, turn.y, turn.z};
}

}  // namespace

std::vector<trace::ScanModel> scan_models(const BuiltView& view) {
  std::vector<trace::ScanModel> models;
  for (const scene::RayAppearance& rays : view.built.cameras->renderer().appearance().rays) {
    if (rays.directions.size() < 2) continue;
    trace::ScanModel model{
        rays.node->name(), rays.part->name(), {rays.position.x, rays.position.y, rays.position.z}, {}, rays.far};
    for (const Vec3& d : rays.directions) model.directions.push_back({d.x, d.y, d.z});
    find_fan(rays.directions, model);
    models.push_back(std::move(model));
  }
  return models;
}

}  // namespace simbatch::view
