// Masses of bodies from their shapes: MuJoCo's documentation, "Modeling", section on inertias, and `compiler` in the XML
// reference. The tensors of solids are the usual ones; that of a capsule combines a cylinder with two half balls, whose centers
// of mass are 3/8 r from their flat sides.

#include <algorithm>
#include <cmath>
#include <numbers>

#include "lib/robots/from_mjcf.hpp"

namespace simbatch::robots::detail {
namespace {

constexpr double pi = std::numbers::pi;

Inertial of_box(Vec3 half) {
  const double mass = 8 * half.x * half.y * half.z;
  const Vec3 s{half.x * half.x, half.y * half.y, half.z * half.z};
  return {mass, {}, {mass * (s.y + s.z) / 3, mass * (s.x + s.z) / 3, mass * (s.x + s.y) / 3, 0, 0, 0}};
}

Inertial of_ellipsoid(Vec3 r) {
  const double mass = 4.0 / 3 * pi * r.x * r.y * r.z;
  const Vec3 s{r.x * r.x, r.y * r.y, r.z * r.z};
  return {mass, {}, {mass * (s.y + s.z) / 5, mass * (s.x + s.z) / 5, mass * (s.x + s.y) / 5, 0, 0, 0}};
}

Inertial of_cylinder(double radius, double height) {
  const double mass = pi * radius * radius * height;
  const double across = mass * (3 * radius * radius + height * height) / 12;
  return {mass, {}, {across, across, mass * radius * radius / 2, 0, 0, 0}};
}

Inertial of_capsule(double radius, double height) {
  Inertial whole = of_cylinder(radius, height);
  const double caps = 4.0 / 3 * pi * radius * radius * radius;
  const double own = 0.4 * caps * radius * radius, away = caps * height * (2 * height + 3 * radius) / 8;
  whole.mass += caps;
  whole.tensor = whole.tensor + Tensor{own + away, own + away, own, 0, 0, 0};
  return whole;
}

/// The box around the points.
Inertial of_points(const std::vector<Vec3>& points) {
  Vec3 low = points.front(), high = low;
  for (const Vec3 p : points) {
    low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
    high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
  }
  Inertial box = of_box(0.5 * (high - low));
  box.center = 0.5 * (low + high);
  return box;
}

std::optional<Inertial> of_geoms(const mjcf::Body& body, const mjcf::Model& model, const MeshMeasure& measure) {
  std::optional<Inertial> sum;
  for (const mjcf::Geom& geom : body.geoms) {
    if (geom.group < model.settings.groups[0] || geom.group > model.settings.groups[1]) continue;
    const bool is_mesh = geom.kind == mjcf::Geom::Kind::mesh;
    const mjcf::Mesh* mesh = is_mesh ? &model.meshes[geom.mesh] : nullptr;
    std::optional<Inertial> one = unit_solid(geom, mesh);
    if (!one && is_mesh && measure && !mesh->file.empty()) one = measure(mesh->file, mesh->place.file, mesh->scale);
    if (!one || !(one->mass > 0)) continue;
    const double factor = geom.mass ? *geom.mass / one->mass : geom.density;
    if (!(factor > 0)) continue;
    one->mass *= factor;
    const Tensor& t = one->tensor;
    one->tensor = {factor * t.xx, factor * t.yy, factor * t.zz, factor * t.xy, factor * t.xz, factor * t.yz};
    const Inertial placed = moved(*one, geom.pose);
    sum = sum ? combined(*sum, placed) : placed;
  }
  return sum;
}

}  // namespace

std::optional<Inertial> unit_solid(const mjcf::Geom& geom, const mjcf::Mesh* mesh) {
  using Kind = mjcf::Geom::Kind;
  switch (geom.kind) {
    case Kind::sphere: return of_ellipsoid({geom.size.x, geom.size.x, geom.size.x});
    case Kind::ellipsoid: return of_ellipsoid(geom.size);
    case Kind::box: return of_box(geom.size);
    case Kind::cylinder: return of_cylinder(geom.size.x, 2 * geom.size.y);
    case Kind::capsule: return of_capsule(geom.size.x, 2 * geom.size.y);
    case Kind::mesh:
      if (mesh->is_round) return of_ellipsoid({std::abs(mesh->scale.x), std::abs(mesh->scale.y), std::abs(mesh->scale.z)});
      if (!mesh->points.empty()) return of_points(mesh->points);
      break;
    case Kind::plane: break;
  }
  return std::nullopt;
}

std::optional<Inertial> inertial_of(const mjcf::Body& body, const mjcf::Model& model, const MeshMeasure& measure) {
  const mjcf::Settings& settings = model.settings;
  std::optional<Inertial> found;
  if (body.inertial && !settings.from_geoms) {
    const auto& i = body.inertial->inertia;
    found = moved({body.inertial->mass, {}, {i[0], i[1], i[2], i[3], i[4], i[5]}}, body.inertial->pose);
  } else if (!settings.only_inertials) {
    found = of_geoms(body, model, measure);
  }
  if (settings.least_mass > 0 || settings.least_inertia > 0) {
    if (!found) found.emplace();
    found->mass = std::max(found->mass, settings.least_mass);
    found->tensor = with_least_moment(found->tensor, settings.least_inertia);
  }
  if (!found || !(found->mass > 0) || !std::isfinite(found->mass) || !geo::is_finite(found->center)) return std::nullopt;
  Tensor& t = found->tensor;
  if (settings.balances_inertia && !is_physical(t)) {
    const double mean = (t.xx + t.yy + t.zz) / 3;
    t = {mean, mean, mean, 0, 0, 0};
  }
  return found;
}

}  // namespace simbatch::robots::detail
