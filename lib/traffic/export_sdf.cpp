// SDFormat 1.9 worlds of objects. Object files are z up and y forward; SDFormat allows any horizontal axes, so both are kept.
#include <fmt/format.h>

#include <algorithm>
#include <numbers>

#include "lib/traffic/codes.hpp"
#include "lib/traffic/export.hpp"

namespace simbatch::traffic {
namespace {

/// A wheel's share of its vehicle's mass; files name neither.
constexpr double kWheelShare = 0.01;

sdf::Inertial inertia_of(const cajunbot::Vector& size, double mass) {
  sdf::Inertial i;
  const double x = std::max(size.x, 0.01), y = std::max(size.y, 0.01), z = std::max(size.z, 0.01);
  i.mass = mass;
  i.inertia = {i.mass / 12 * (y * y + z * z), 0, 0, i.mass / 12 * (x * x + z * z), 0, i.mass / 12 * (x * x + y * y)};
  return i;
}

/// Axes of object files are those of SDFormat with y forward: no exchange.
std::pair<sdf::Geometry, sdf::Pose> geometry_of(const cajunbot::Object& o) {
  const double x = std::max(o.size.x, 0.01), y = std::max(o.size.y, 0.01), z = std::max(o.size.z, 0.01);
  switch (o.shape) {
    case cajunbot::Shape::sphere: return {sdf::Sphere{x / 2}, {}};
    case cajunbot::Shape::cylinder: return {sdf::Cylinder{x / 2, z}, {}};
    case cajunbot::Shape::wheel: return {sdf::Cylinder{z / 2, x}, {{}, {0, std::numbers::pi / 2, 0}}};
    default: return {sdf::Box{{x, y, z}}, {}};
  }
}

void add_shape(sdf::Link& link, const std::string& name, const sdf::Geometry& geometry, const sdf::Pose& pose) {
  link.visuals.push_back({name + "_visual", pose, geometry, sdf::Color{0.6, 0.6, 166.0 / 255, 1}});
  link.collisions.push_back({name + "_collision", pose, geometry, std::nullopt});
}

/// Wheels at the corners of the lower side; files do not give their positions.
void add_wheels(sdf::Model& model, const cajunbot::Object& o) {
  const double radius = std::max(o.wheel_radius, 0.01), width = std::max(o.wheel_width, 0.01);
  for (const auto& [name, side, end] : {std::tuple{"front_left", -1, 1}, std::tuple{"front_right", 1, 1},
                                        std::tuple{"rear_left", -1, -1}, std::tuple{"rear_right", 1, -1}}) {
    sdf::Link wheel;
    wheel.name = std::string(name) + "_wheel";
    wheel.pose.xyz = {side * (o.size.x - width) / 2, end * (o.size.y / 2 - radius), radius};
    wheel.inertial = inertia_of({width, 2 * radius, 2 * radius}, kWheelShare * vehicle_mass(o));
    add_shape(wheel, name, sdf::Cylinder{radius, width}, {{}, {0, std::numbers::pi / 2, 0}});
    model.links.push_back(std::move(wheel));
    sdf::Joint joint;
    joint.name = std::string(name) + "_axle";
    joint.type = "revolute";
    joint.parent = "body";
    joint.child = std::string(name) + "_wheel";
    joint.axis.xyz = {1, 0, 0};
    model.joints.push_back(std::move(joint));
  }
}

}  // namespace

sdf::World to_sdf(const ObjectMap& map, Diagnostics& diagnostics) {
  sdf::World world;
  world.name = "objects";
  sdf::Model ground;
  ground.name = "ground";
  ground.is_static = true;
  sdf::Link plane;
  plane.name = "link";
  add_shape(plane, "ground", sdf::Plane{{0, 0, 1}, {10'000, 10'000}}, {});
  ground.links.push_back(std::move(plane));
  world.models.push_back(std::move(ground));
  for (const PlacedObject& p : map.placed.objects) {
    const cajunbot::Object& o = map.file.objects[p.index];
    if (o.type == cajunbot::Type::mesh) {
      diagnostics.report(code::kLossMesh, o.place.at, fmt::format("object {}: the mesh is left out", p.index + 1));
      continue;
    }
    if (!p.targets.empty())
      diagnostics.report(code::kLossGoals, o.place.at,
                         fmt::format("object {}: {} goals are dropped", p.index + 1, p.targets.size()));
    sdf::Model model;
    model.name = fmt::format("object_{}", p.index + 1);
    model.is_static = o.type == cajunbot::Type::fixed;
    // A heading is clockwise, a yaw counter-clockwise; at both zeros forward (y) is north (y).
    model.pose = {{p.position.x, p.position.z, p.position.y},
                  {geo::radians(o.orientation_deg.x), geo::radians(o.orientation_deg.y), -p.heading}};
    sdf::Link body;
    body.name = "body";
    const bool wheels = o.type == cajunbot::Type::autonomous;
    const double clearance = wheels ? std::min(o.wheel_radius, o.size.z / 2) : 0;
    cajunbot::Object shape = o;
    shape.size.z -= clearance;
    body.pose.xyz = {0, 0, clearance + std::max(shape.size.z, 0.01) / 2};
    if (!model.is_static) body.inertial = inertia_of(shape.size, vehicle_mass(o) * (wheels ? 1 - 4 * kWheelShare : 1));
    const auto [geometry, pose] = geometry_of(shape);
    add_shape(body, "body", geometry, pose);
    model.links.push_back(std::move(body));
    if (wheels) add_wheels(model, o);
    world.models.push_back(std::move(model));
  }
  return world;
}

}  // namespace simbatch::traffic
