// Masses of bodies from their shapes: MuJoCo's documentation, "Modeling", section on inertias, and `compiler` in the XML
// reference.

#include <algorithm>
#include <cmath>

#include "lib/robots/from_mjcf.hpp"

namespace simbatch::robots::detail {
namespace {

/// The box around the points.
Inertial of_points(const std::vector<Vec3>& points) {
  Vec3 low = points.front(), high = low;
  for (const Vec3 p : points) {
    low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
    high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
  }
  Inertial box = *solid_of({Shape::Kind::box, high - low, 0, 0, {}});
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
    const Inertial placed = moved(scaled(*one, factor), geom.pose);
    sum = sum ? combined(*sum, placed) : placed;
  }
  return sum;
}

}  // namespace

std::optional<Inertial> unit_solid(const mjcf::Geom& geom, const mjcf::Mesh* mesh) {
  using Kind = mjcf::Geom::Kind;
  const auto ellipsoid = [](Vec3 radii) { return solid_of({Shape::Kind::ellipsoid, radii, 0, 0, {}}); };
  switch (geom.kind) {
    case Kind::sphere: return ellipsoid({geom.size.x, geom.size.x, geom.size.x});
    case Kind::ellipsoid: return ellipsoid(geom.size);
    case Kind::box: return solid_of({Shape::Kind::box, 2.0 * geom.size, 0, 0, {}});
    case Kind::cylinder: return solid_of({Shape::Kind::cylinder, {}, geom.size.x, 2 * geom.size.y, {}});
    case Kind::capsule: return solid_of({Shape::Kind::capsule, {}, geom.size.x, 2 * geom.size.y, {}});
    case Kind::mesh:
      if (mesh->is_round) return ellipsoid({std::abs(mesh->scale.x), std::abs(mesh->scale.y), std::abs(mesh->scale.z)});
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
