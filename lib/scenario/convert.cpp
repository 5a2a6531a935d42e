// Converts units and keywords of files to those of the simulation.
// Source of the days since 1970: H. Hinnant, "chrono-Compatible Low-Level Date Algorithms", days_from_civil.

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "base/core/hash.hpp"
#include "base/core/number.hpp"
#include "lib/scenario/codes.hpp"
#include "lib/scenario/read_mesh.hpp"
#include "lib/scenario/site.hpp"
#include "lib/sim/physics/decompose.hpp"

namespace simbatch::scenario::detail {

using geo::Quat;
using geo::Vec3;

Vec3 vec(const autosim::Vector3& v) { return {v.x, v.y, v.z}; }

Quat rotation_of(const autosim::Vector3& d) {
  return geo::rotation({0, 1, 0}, geo::radians(d.y)) * geo::rotation({1, 0, 0}, geo::radians(d.x)) *
         geo::rotation({0, 0, 1}, geo::radians(d.z));
}

Quat rotation_of(const autosim::Pose& pose) { return rotation_of(autosim::Vector3{pose.tilt_x, pose.heading, pose.tilt_z}); }

Vec3 angular_velocity_of(const autosim::StartMotion& motion) {
  return {geo::radians(motion.angular.x), geo::radians(motion.angular.y), geo::radians(motion.angular.z)};
}

std::vector<NoiseSpec> noise_of(const std::vector<autosim::Noise>& noise) {
  std::vector<NoiseSpec> specs;
  for (const autosim::Noise& n : noise)
    specs.push_back({n.kind == autosim::Noise::Kind::white ? NoiseKind::white : NoiseKind::gaussian, n.offset, n.range});
  return specs;
}

std::optional<std::int64_t> unix_time(std::string_view utc) {
  // 2008-02-27T12:00:00Z
  constexpr std::string_view kForm = "0000-00-00T00:00:00Z";
  if (utc.size() != kForm.size()) return std::nullopt;
  for (std::size_t i = 0; i < kForm.size(); ++i)
    if (kForm[i] == '0' ? utc[i] < '0' || utc[i] > '9' : utc[i] != kForm[i]) return std::nullopt;
  const auto part = [&](std::size_t at, std::size_t n) { return parse_integer<std::int64_t>(utc.substr(at, n)).value; };
  const std::int64_t month = part(5, 2), day = part(8, 2);
  if (month < 1 || month > 12 || day < 1 || day > 31) return std::nullopt;
  // Days since 1970-01-01, with years that begin in March (see nmea.cpp).
  const std::int64_t year = part(0, 4) - (month <= 2 ? 1 : 0);
  const std::int64_t era = year / 400;
  const std::int64_t year_of_era = year - era * 400;
  const std::int64_t day_of_year = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1;
  const std::int64_t day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
  const std::int64_t days = era * 146097 + day_of_era - 719468;
  return days * 86400 + part(11, 2) * 3600 + part(14, 2) * 60 + part(17, 2);
}

namespace {

std::optional<physics::Shape> mesh_of(const Site& site, const autosim::Shape& shape, const std::string& file, Position at,
                                      MeshUse use) {
  std::optional<Input> input = site.files.open(shape.file, file, at);
  if (!input) return std::nullopt;
  std::optional<physics::TriangleMesh> mesh = read_mesh(site.files, site.assembly.meshes, std::move(*input), file, at);
  if (!mesh) return std::nullopt;
  for (Vec3& p : mesh->points) p = {p.x * shape.size.x, p.y * shape.size.y, p.z * shape.size.z};
  if (use == MeshUse::hull) return physics::ConvexHull{std::move(mesh->points)};
  // A mirroring scale would reverse the winding of the triangles.
  if (shape.size.x * shape.size.y * shape.size.z < 0)
    for (std::size_t i = 0; i + 2 < mesh->indices.size(); i += 3) std::swap(mesh->indices[i + 1], mesh->indices[i + 2]);
  return std::move(*mesh);
}

}  // namespace

std::optional<physics::Shape> shape_of(const Site& site, const autosim::Shape& shape, const std::string& file, Position at,
                                       MeshUse use) {
  using Kind = autosim::Shape::Kind;
  std::optional<physics::Shape> made;
  switch (shape.kind) {
    case Kind::box: made = physics::Box{vec(shape.size)}; break;
    case Kind::sphere: made = physics::Sphere{shape.radius}; break;
    case Kind::capsule: made = physics::Capsule{shape.radius, shape.length}; break;
    case Kind::cylinder: made = physics::Cylinder{shape.radius, shape.length}; break;
    case Kind::mesh: made = mesh_of(site, shape, file, at, use); break;
  }
  if (!made) return std::nullopt;
  if (const std::string why = physics::check_shape(*made); !why.empty()) {
    site.files.report(code::kShape, file, at, why);
    return std::nullopt;
  }
  return made;
}

std::vector<physics::Shape> shapes_of(const Site& site, const autosim::Shape& shape, const std::string& file, Position at,
                                      MeshUse use) {
  const bool decomposed = shape.kind == autosim::Shape::Kind::mesh && use == MeshUse::hull && shape.hulls > 1;
  auto whole = shape_of(site, shape, file, at, decomposed ? MeshUse::surface : use);
  if (!whole) return {};
  std::vector<physics::Shape> shapes;
  if (!decomposed) {
    shapes.push_back(*std::move(whole));
    return shapes;
  }
  const auto& mesh = std::get<physics::TriangleMesh>(*whole);
  if (mesh.indices.size() / 3 > physics::kMaxDecomposedTriangles) {
    site.files.report(code::kShape, file, at,
                      "the mesh has " + number_text(mesh.indices.size() / 3) + " triangles, expected at most " +
                          number_text(physics::kMaxDecomposedTriangles) + " to be followed by several hulls");
    return {};
  }
  for (physics::ConvexHull& hull : physics::convex_parts(mesh, shape.hulls)) shapes.emplace_back(std::move(hull));
  if (shapes.empty()) site.files.report(code::kShape, file, at, "the mesh does not enclose a solid");
  return shapes;
}

std::vector<Vec3> low_points(const physics::Shape& shape, const Quat& q) {
  const Vec3 down = inverse(q) * Vec3{0, -1, 0};  // in the shape's frame
  return std::visit(
      [&](const auto& s) -> std::vector<Vec3> {
        using S = std::decay_t<decltype(s)>;
        if constexpr (std::is_same_v<S, physics::Box>) {
          std::vector<Vec3> corners;
          for (int i = 0; i < 8; ++i)
            corners.push_back(
                {(i & 1 ? 0.5 : -0.5) * s.size.x, (i & 2 ? 0.5 : -0.5) * s.size.y, (i & 4 ? 0.5 : -0.5) * s.size.z});
          return corners;
        } else if constexpr (std::is_same_v<S, physics::Sphere>) {
          return {s.radius * down};
        } else if constexpr (std::is_same_v<S, physics::Capsule>) {
          return {Vec3{0, s.length / 2, 0} + s.radius * down, Vec3{0, -s.length / 2, 0} + s.radius * down};
        } else if constexpr (std::is_same_v<S, physics::Cylinder> || std::is_same_v<S, physics::Cone>) {
          const double across = std::hypot(down.x, down.z);
          const Vec3 rim = across > 1e-12 ? (s.radius / across) * Vec3{down.x, 0, down.z} : Vec3{};
          const double top = std::is_same_v<S, physics::Cone> ? 0.0 : 1.0;
          return {Vec3{0, -s.length / 2, 0} + rim, Vec3{0, s.length / 2, 0} + top * rim};
        } else {
          return s.points;
        }
      },
      shape);
}

Span height_span(const physics::Shape& shape, const Quat& q) {
  Span span;
  bool first = true;
  for (const Quat& turn : {q, q * geo::rotation(inverse(q) * Vec3{1, 0, 0}, std::numbers::pi)}) {
    // The highest point is the lowest of the shape turned upside down.
    const bool upside_down = !(turn == q);
    for (const Vec3 p : low_points(shape, turn)) {
      const double y = (turn * p).y * (upside_down ? -1 : 1);
      span.low = first ? y : std::min(span.low, y);
      span.high = first ? y : std::max(span.high, y);
      first = false;
    }
  }
  return span;
}

}  // namespace simbatch::scenario::detail
