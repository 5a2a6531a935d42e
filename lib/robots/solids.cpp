// The tensors of solids are the usual ones; that of a capsule combines a cylinder with two half balls, whose centers of mass are
// 3/8 r from their flat sides, and a cone's center is at a quarter of its height.
#include "lib/robots/solids.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "lib/robots/codes.hpp"

namespace simbatch::robots {
namespace {

constexpr double kPi = std::numbers::pi;
constexpr double kWater = 1000;  // kg/m^3: density of a shape that has none, as in SDFormat

Inertial of_box(Vec3 size) {
  const double mass = size.x * size.y * size.z;
  const Vec3 s{size.x * size.x, size.y * size.y, size.z * size.z};
  return {mass, {}, {mass * (s.y + s.z) / 12, mass * (s.x + s.z) / 12, mass * (s.x + s.y) / 12, 0, 0, 0}};
}

Inertial of_ellipsoid(Vec3 r) {
  const double mass = 4.0 / 3 * kPi * r.x * r.y * r.z;
  const Vec3 s{r.x * r.x, r.y * r.y, r.z * r.z};
  return {mass, {}, {mass * (s.y + s.z) / 5, mass * (s.x + s.z) / 5, mass * (s.x + s.y) / 5, 0, 0, 0}};
}

Inertial of_cylinder(double radius, double height) {
  const double mass = kPi * radius * radius * height;
  const double across = mass * (3 * radius * radius + height * height) / 12;
  return {mass, {}, {across, across, mass * radius * radius / 2, 0, 0, 0}};
}

Inertial of_capsule(double radius, double height) {
  Inertial whole = of_cylinder(radius, height);
  const double caps = 4.0 / 3 * kPi * radius * radius * radius;
  const double own = 0.4 * caps * radius * radius, away = caps * height * (2 * height + 3 * radius) / 8;
  whole.mass += caps;
  whole.tensor = whole.tensor + Tensor{own + away, own + away, own, 0, 0, 0};
  return whole;
}

Inertial of_cone(double radius, double height) {
  const double mass = kPi / 3 * radius * radius * height;
  const double across = mass * (0.15 * radius * radius + 0.0375 * height * height);
  return {mass, {0, 0, -height / 4}, {across, across, 0.3 * mass * radius * radius, 0, 0, 0}};
}

/// Nothing if a shape has no volume.
std::optional<Inertial> weight_of(const Part& part, const std::string& file, const MeshMeasure& measure) {
  std::optional<Inertial> sum;
  for (const Solid& solid : part.collisions) {
    std::optional<Inertial> one = detail::solid_of(solid.shape);
    if (solid.shape.kind == Shape::Kind::mesh && measure)
      one = measure(solid.shape.file, solid.file.empty() ? file : solid.file, solid.shape.size);
    if (!one) return std::nullopt;
    const Inertial placed = moved(detail::scaled(*one, solid.density > 0 ? solid.density : kWater), solid.pose);
    sum = sum ? combined(*sum, placed) : placed;
  }
  return sum && std::isfinite(sum->mass) ? sum : std::nullopt;
}

}  // namespace

void weigh(World& world, const MeshMeasure& measure, Diagnostics& problems) {
  for (Model& model : world.models)
    for (Part& part : model.parts) {
      if (!part.by_density) continue;
      part.inertial = weight_of(part, model.file, measure);
      if (part.inertial || model.is_static) continue;
      problems.report(code::kMass, part.place,
                      fmt::format("the mass of {} cannot be computed: not all of its shapes have a volume", quoted(part.name)));
    }
}

namespace detail {

std::optional<Inertial> solid_of(const Shape& shape) {
  switch (shape.kind) {
    case Shape::Kind::box: return of_box(shape.size);
    case Shape::Kind::sphere: return of_ellipsoid({shape.radius, shape.radius, shape.radius});
    case Shape::Kind::cylinder: return of_cylinder(shape.radius, shape.length);
    case Shape::Kind::capsule: return of_capsule(shape.radius, shape.length);
    case Shape::Kind::cone: return of_cone(shape.radius, shape.length);
    case Shape::Kind::ellipsoid: return of_ellipsoid(shape.size);
    case Shape::Kind::mesh:
    case Shape::Kind::plane: break;
  }
  return std::nullopt;
}

Inertial scaled(Inertial inertial, double factor) {
  const Tensor& t = inertial.tensor;
  return {factor * inertial.mass,
          inertial.center,
          {factor * t.xx, factor * t.yy, factor * t.zz, factor * t.xy, factor * t.xz, factor * t.yz}};
}

}  // namespace detail
}  // namespace simbatch::robots
