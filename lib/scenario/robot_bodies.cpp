// Bodies of robots: shapes, masses and tensors of inertia.

#include <algorithm>

#include "lib/scenario/codes.hpp"
#include "lib/scenario/robot.hpp"

namespace simbatch::scenario::detail {
namespace {

using geo::Vec3;

// Center of mass and tensor of a compound whose geometries have their own masses (parallel axis theorem, Steiner 1840).
void combine(const autosim::Body& body, const std::vector<std::size_t>& ends, BodyPlan& plan) {
  std::vector<physics::MassProperties> all;
  double mass = 0;
  Vec3 center;
  for (std::size_t i = 0; i < ends.size(); ++i) {
    if (!(body.geometries[i].mass > 0)) continue;
    const auto first = plan.parts.begin() + static_cast<std::ptrdiff_t>(i == 0 ? 0 : ends[i - 1]);
    const auto end = plan.parts.begin() + static_cast<std::ptrdiff_t>(ends[i]);
    all.push_back(physics::mass_properties(std::vector<physics::Part>(first, end), body.geometries[i].mass));
    mass += all.back().mass;
    center += all.back().mass * all.back().center;
  }
  if (all.empty()) return;
  center = (1 / mass) * center;
  physics::Inertia sum;
  for (const physics::MassProperties& part : all) {
    const Vec3 r = part.center - center;
    sum.xx += part.inertia.xx + part.mass * (r.y * r.y + r.z * r.z);
    sum.yy += part.inertia.yy + part.mass * (r.x * r.x + r.z * r.z);
    sum.zz += part.inertia.zz + part.mass * (r.x * r.x + r.y * r.y);
    sum.xy += part.inertia.xy - part.mass * r.x * r.y;
    sum.xz += part.inertia.xz - part.mass * r.x * r.z;
    sum.yz += part.inertia.yz - part.mass * r.y * r.z;
  }
  const double scale = body.mass / mass;
  for (double* value : {&sum.xx, &sum.yy, &sum.zz, &sum.xy, &sum.xz, &sum.yz}) *value *= scale;
  plan.center_of_mass = center;
  plan.inertia = sum;
}

/// Sylvester's criterion.
bool is_positive(const physics::Inertia& t) {
  const double minor = t.xx * t.yy - t.xy * t.xy;
  return t.xx > 0 && minor > 0 && t.zz * minor + t.xy * t.yz * t.xz * 2 - t.yy * t.xz * t.xz - t.xx * t.yz * t.yz > 0;
}

std::optional<BodyPlan> plan_body(const Site& site, const RobotFile& file, const autosim::Body& body) {
  BodyPlan plan{&body, {}, {}, {vec(body.position), rotation_of(body.rotation)}, {}, {}};
  const MeshUse use = site.options.look == Look::visuals ? MeshUse::surface : MeshUse::hull;
  if (body.is_compound) {
    std::vector<std::size_t> ends;  // of each geometry's parts
    for (const autosim::Geometry& geometry : body.geometries) {
      const std::size_t before = plan.parts.size();
      for (physics::Shape& shape : shapes_of(site, geometry.shape, file.path, geometry.place.at, use))
        plan.parts.push_back({std::move(shape), {vec(geometry.position), rotation_of(geometry.rotation)}});
      if (plan.parts.size() == before) return std::nullopt;
      ends.push_back(plan.parts.size());
      if (geometry.color || !plan.colors.empty()) plan.colors.resize(plan.parts.size());
      if (geometry.color)
        std::fill(plan.colors.begin() + static_cast<std::ptrdiff_t>(before), plan.colors.end(), geometry.color);
    }
    combine(body, ends, plan);
  } else {
    for (physics::Shape& shape : shapes_of(site, body.shape, file.path, body.place.at, use))
      plan.parts.push_back({std::move(shape), {}});
    if (plan.parts.empty()) return std::nullopt;
  }
  if (body.center_of_mass) plan.center_of_mass = vec(*body.center_of_mass);
  if (body.inertia) {
    const autosim::Vector3& products = body.inertia_products;
    plan.inertia = physics::Inertia{body.inertia->x, body.inertia->y, body.inertia->z, products.x, products.y, products.z};
    if (products != autosim::Vector3{} && !is_positive(*plan.inertia)) {
      site.files.report(code::kShape, file.path, body.place.at, "no solid has the products of inertia of " + quoted(body.name));
      return std::nullopt;
    }
  }
  if (plan.parts.empty()) {
    if (!plan.center_of_mass) plan.center_of_mass = Vec3{};
    if (!file.robot.articulation) {
      site.files.report(code::kShape, file.path, body.place.at,
                        quoted(body.name) + " has no shape and does not belong to an <Articulation>: give it a shape");
      return std::nullopt;
    }
  }
  // Thinner than paper or larger than countries: the tensor consists of rounding errors only.
  if (!plan.inertia && !physics::is_sound(physics::mass_properties(plan.parts, body.mass).inertia)) {
    site.files.report(
        code::kShape, file.path, body.place.at,
        "the inertia of " + quoted(body.name) + " cannot be computed from its size; give <Inertia> or another size");
    return std::nullopt;
  }
  return plan;
}

}  // namespace

std::vector<BodyPlan> plan_bodies(const Site& site, const RobotFile& file) {
  std::vector<BodyPlan> plans;
  for (const autosim::Body& body : file.robot.bodies)
    if (auto plan = plan_body(site, file, body)) plans.push_back(std::move(*plan));
  return plans;
}

FluidSettings fluid_of(const autosim::Fluid& from) {
  FluidSettings fluid;
  fluid.linear_drag = vec(from.linear_drag);
  fluid.quadratic_drag = vec(from.quadratic_drag);
  fluid.angular_linear_drag = vec(from.angular_linear_drag);
  fluid.angular_quadratic_drag = vec(from.angular_quadratic_drag);
  fluid.added_mass = vec(from.added_mass);
  fluid.added_inertia = vec(from.added_inertia);
  fluid.volume = from.volume;
  if (from.center_of_buoyancy) fluid.center_of_buoyancy = vec(*from.center_of_buoyancy);
  return fluid;
}

}  // namespace simbatch::scenario::detail
