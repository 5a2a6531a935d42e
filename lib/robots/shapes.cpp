// Volumes of solids by elementary geometry. Angles are those of AutoSim: R = Ry Rx Rz (docs/conventions.md).
#include "lib/robots/shapes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/core/text.hpp"
#include "base/geo/frames.hpp"
#include "base/geo/geo.hpp"
#include "lib/robots/codes.hpp"

namespace simbatch::robots {

autosim::Vector3 degrees_of(const geo::Quat& q) {
  // R ez = Ry Rx ez, which does not depend on z.
  const Vec3 forward = q * Vec3{0, 0, 1};
  const double level = std::hypot(forward.x, forward.z);
  const double x = std::atan2(-forward.y, level);
  const double y = level > 1e-12 ? std::atan2(forward.x, forward.z) : 0;
  const geo::Quat rest = geo::rotation({1, 0, 0}, -x) * geo::rotation({0, 1, 0}, -y) * q;
  const Vec3 right = rest * Vec3{1, 0, 0};
  const double z = std::atan2(right.y, right.x);
  return {geo::degrees(x) + 0.0, geo::degrees(y) + 0.0, geo::degrees(z) + 0.0};
}

std::string UsedNames::add(const std::string& name) {
  std::string usable;
  for (const char c : name) {
    const auto byte = static_cast<unsigned char>(c);
    usable += c == '.' || byte <= ' ' || byte == 0x7f ? '_' : c;
  }
  if (usable.empty()) usable = "unnamed";
  std::string unique = usable;
  while (!used_.insert(unique).second) {
    int& next = next_.try_emplace(usable, 2).first->second;
    unique = usable + "_" + std::to_string(next++);
  }
  return unique;
}

namespace detail {

autosim::Vector3 vector_of(Vec3 v) { return {v.x + 0.0, v.y + 0.0, v.z + 0.0}; }

std::optional<double> volume_of(const Shape& s) {
  constexpr double pi = std::numbers::pi;
  switch (s.kind) {
    case Shape::Kind::box: return s.size.x * s.size.y * s.size.z;
    case Shape::Kind::sphere: return 4.0 / 3 * pi * s.radius * s.radius * s.radius;
    case Shape::Kind::cylinder: return pi * s.radius * s.radius * s.length;
    case Shape::Kind::cone: return pi / 3 * s.radius * s.radius * s.length;
    case Shape::Kind::capsule: return pi * s.radius * s.radius * (s.length + 4.0 / 3 * s.radius);
    case Shape::Kind::ellipsoid: return 4.0 / 3 * pi * s.size.x * s.size.y * s.size.z;
    case Shape::Kind::mesh:
    case Shape::Kind::plane: break;
  }
  return std::nullopt;
}

namespace {

/// A sphere, or a box of the same volume and proportions.
autosim::Shape ellipsoid(const Solid& solid, Diagnostics& problems) {
  const Vec3 r = solid.shape.size;
  autosim::Shape shape;
  if (r.x == r.y && r.y == r.z) {
    shape.kind = autosim::Shape::Kind::sphere;
    shape.radius = r.x;
    return shape;
  }
  const double side = std::cbrt(4.0 / 3 * std::numbers::pi);
  shape.size = up_vector(side * r);
  problems.report(code::kShape, solid.place,
                  fmt::format("the ellipsoid {} becomes a box of its volume and proportions", quoted(solid.name)));
  return shape;
}

}  // namespace

std::optional<Placed> placed(const Solid& solid, const MeshFinder& find_mesh, Diagnostics& problems) {
  using Kind = autosim::Shape::Kind;
  Placed to{{}, geo::swap_up(solid.pose.p), geo::swap_up(solid.pose.q)};
  const Shape& from = solid.shape;
  switch (from.kind) {
    case Shape::Kind::box: to.shape.size = up_vector(from.size); break;
    case Shape::Kind::sphere: to.shape.kind = Kind::sphere; break;
    case Shape::Kind::cylinder: to.shape.kind = Kind::cylinder; break;
    case Shape::Kind::capsule: to.shape.kind = Kind::capsule; break;
    case Shape::Kind::cone:
      to.shape.kind = Kind::cylinder;
      to.shape.radius = from.radius / std::numbers::sqrt3;
      to.shape.length = from.length;
      problems.report(code::kShape, solid.place,
                      fmt::format("the cone {} becomes a cylinder of its volume and length", quoted(solid.name)));
      return to;
    case Shape::Kind::ellipsoid: to.shape = ellipsoid(solid, problems); return to;
    case Shape::Kind::plane:
      problems.report(code::kShape, solid.place,
                      fmt::format("the plane {} is left out: only things that never move can be planes", quoted(solid.name)));
      return std::nullopt;
    case Shape::Kind::mesh: {
      const auto file = find_mesh(from.file, solid.file, solid.place);
      if (!file) return std::nullopt;
      to.shape.kind = Kind::mesh;
      to.shape.file = *file;
      if (has_y_up(*file)) {
        to.shape.size = {from.size.x, from.size.z, from.size.y};
        return to;
      }
      // Swapping y and z of the points: mirrored along z, then turned by 90 degrees about x.
      to.shape.size = {from.size.x, from.size.y, -from.size.z};
      to.rotation = to.rotation * geo::Quat{std::numbers::sqrt2 / 2, std::numbers::sqrt2 / 2, 0, 0};
      return to;
    }
  }
  to.shape.radius = from.radius;
  to.shape.length = from.length;
  return to;
}

geo::Pose pose_of(const geo::EulerPose& pose) {
  return {{pose.xyz[0], pose.xyz[1], pose.xyz[2]}, geo::from_roll_pitch_yaw(pose.rpy)};
}

geo::EulerPose written_pose(const geo::Pose& pose) {
  geo::EulerPose written = geo::to_euler(pose);
  constexpr double kPlaces = 1e12, kAngles = 1e13, kLargest = 1e3;  // beyond, a number's own digits are as coarse
  for (double& x : written.xyz)
    if (std::abs(x) < kLargest) x = std::round(x * kPlaces) / kPlaces + 0.0;
  const double half_turn = std::round(std::numbers::pi * kAngles) / kAngles;
  for (double& x : written.rpy) {
    x = std::round(x * kAngles) / kAngles + 0.0;
    if (x == -half_turn) x = half_turn;
  }
  return written;
}

namespace {

constexpr double kClose = 1e-9;  // m, rad

}  // namespace

bool is_close(Vec3 a, Vec3 b) { return geo::length(a - b) <= kClose * std::max(1.0, geo::length(b)); }

bool is_close(const geo::Pose& a, const geo::Pose& b) {
  const geo::Quat& q = a.q;
  const geo::Quat& r = b.q;
  const double sense = q.w * r.w + q.x * r.x + q.y * r.y + q.z * r.z < 0 ? -1 : 1;
  const double apart =
      std::hypot(std::hypot(q.w - sense * r.w, q.x - sense * r.x), std::hypot(q.y - sense * r.y, q.z - sense * r.z));
  return is_close(a.p, b.p) && 2 * apart <= kClose;
}

geo::EulerPose written_pose(const geo::Pose& pose, const std::optional<geo::EulerPose>& written) {
  return written && is_close(pose_of(*written), pose) ? *written : written_pose(pose);
}

WrittenInertial written_inertial(const Part& part) {
  const Inertial& own = *part.inertial;
  if (part.written_inertial) {
    const WrittenInertial& written = *part.written_inertial;
    const Inertial again = moved({own.mass, {}, written.tensor}, pose_of(written.origin));
    const Tensor &a = again.tensor, &b = own.tensor;
    const double size = std::abs(b.xx) + std::abs(b.yy) + std::abs(b.zz);
    const double apart = std::abs(a.xx - b.xx) + std::abs(a.yy - b.yy) + std::abs(a.zz - b.zz) + std::abs(a.xy - b.xy) +
                         std::abs(a.xz - b.xz) + std::abs(a.yz - b.yz);
    if (is_close(again.center, own.center) && apart <= kClose * size) return written;
  }
  return {{{own.center.x + 0.0, own.center.y + 0.0, own.center.z + 0.0}, {}}, own.tensor};
}

Vec3 written_axis(Vec3 axis, const geo::Quat& q, Vec3 written) {
  return is_close(geo::normalized(q * written), axis) ? written : inverse(q) * axis;
}

}  // namespace detail

bool has_y_up(std::string_view mesh) {
  const std::string lower = lower_ascii(mesh);
  return lower.ends_with(".dae") || lower.ends_with(".gltf") || lower.ends_with(".glb");
}

}  // namespace simbatch::robots
