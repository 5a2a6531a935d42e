// Triangles in a bounding volume hierarchy of Embree (Wald et al. 2014). Embree identifies the triangle; the distance is that
// of its plane, in double, clamped to the range of the corners where the ray grazes the plane.

#include "lib/sim/vision/surface.hpp"

#include <algorithm>
#include <iterator>
#include <limits>
#include <utility>

#include <embree3/rtcore.h>

#include "base/core/float_mode.hpp"
#include "lib/sim/vision/embree_errors.hpp"

namespace simbatch::sim::vision {
namespace {

/// From so many triangles on, Embree's leaves refer to their corners instead of repeating them: a town's tree is half as large.
constexpr std::size_t kTown = std::size_t{1} << 19;

RTCSceneFlags flags_for(std::size_t triangles) {
  // Robust: no ray passes between two triangles that share an edge.
  const RTCSceneFlags flags = RTC_SCENE_FLAG_ROBUST | RTC_SCENE_FLAG_CONTEXT_FILTER_FUNCTION;
  return triangles >= kTown ? flags | RTC_SCENE_FLAG_COMPACT : flags;
}

/// For `more` elements after those of a large and of many small meshes: to the element, or half as many again.
template <class T>
void make_room(std::vector<T>& values, std::size_t more) {
  if (const std::size_t needed = values.size() + more; needed > values.capacity())
    values.reserve(std::max(needed, values.size() + values.size() / 2));
}

}  // namespace

Surface::Surface(std::shared_ptr<EmbreeDevice> device)
    : device_(std::move(device)), scene_(checked(rtcNewScene(device_->get()), device_->get())) {
  rtcSetSceneFlags(scene_, flags_for(0));
  rtcSetSceneBuildQuality(scene_, RTC_BUILD_QUALITY_MEDIUM);
}
Surface::~Surface() { rtcReleaseScene(scene_); }

void Surface::make_room_for(std::size_t points, std::size_t triangles) {
  make_room(points_, 3 * points + 1);  // and the one that commit() adds
  make_room(indices_, 3 * triangles);
  make_room(planes_, triangles);
  make_room(tags_, triangles);
}

void Surface::reserve(std::size_t points, std::size_t triangles) {
  points_.reserve(3 * points + 1);
  indices_.reserve(3 * triangles);
  planes_.reserve(triangles);
  tags_.reserve(triangles);
}

void Surface::add_points(std::span<const Vec3> points) {
  for (const Vec3& p : points)
    for (const double x : {p.x, p.y, p.z}) points_.push_back(in_reach(p) ? static_cast<float>(x) : 0);
}

std::optional<Surface::Plane> Surface::plane_of(std::span<const Vec3> points, const std::uint32_t* corners) {
  const Vec3 a = points[corners[0]], b = points[corners[1]], c = points[corners[2]];
  const Plane plane = plane_through(a, b, c);
  if (!(dot(plane.n, plane.n) > 0.5) || !in_reach(a) || !in_reach(b) || !in_reach(c)) return std::nullopt;
  return plane;
}

void Surface::add_triangle(std::span<const Vec3> points, const std::uint32_t* corners, std::uint32_t first_point,
                           std::uint32_t tag) {
  const std::optional<Plane> plane = plane_of(points, corners);
  if (!plane) return;
  if (pieces_.empty() || pieces_.back().mesh) pieces_.push_back({0, static_cast<std::uint32_t>(tags_.size())});
  for (std::size_t k = 0; k < 3; ++k) indices_.push_back(first_point + corners[k]);
  planes_.push_back(*plane);
  tags_.push_back(tag);
  ++pieces_.back().triangles;
  ++triangles_;
}

void Surface::add_triangles(std::span<const Vec3> points, std::span<const std::uint32_t> indices, std::uint32_t tag) {
  const auto first = static_cast<std::uint32_t>(points_.size() / 3);
  make_room_for(points.size(), indices.size() / 3);
  add_points(points);
  for (std::size_t i = 0; i + 2 < indices.size(); i += 3) add_triangle(points, &indices[i], first, tag);
}

void Surface::add_triangles(std::span<const Vec3> points, std::span<const std::uint32_t> indices,
                            std::span<const std::uint32_t> tags) {
  const auto first = static_cast<std::uint32_t>(points_.size() / 3);
  make_room_for(points.size(), tags.size());
  add_points(points);
  for (std::size_t t = 0; t < tags.size(); ++t) add_triangle(points, &indices[3 * t], first, tags[t]);
}

void Surface::add_mesh(std::shared_ptr<const geo::TriangleMesh> mesh, std::span<const TagRun> tags) {
  const std::size_t count = mesh->triangle_count();
  if (count == 0) return;
  bool is_whole = true;
  for (std::size_t t = 0; t < count && is_whole; ++t) is_whole = plane_of(mesh->points, &mesh->indices[3 * t]).has_value();
  if (!is_whole) {
    std::vector<std::uint32_t> each(count);
    for (std::size_t i = 0; i < tags.size(); ++i)
      std::fill(each.begin() + tags[i].first_triangle,
                i + 1 < tags.size() ? each.begin() + tags[i + 1].first_triangle : each.end(), tags[i].tag);
    add_triangles(mesh->points, mesh->indices, each);
    return;
  }
  Piece& piece = pieces_.emplace_back();
  piece.triangles = static_cast<std::uint32_t>(count);
  piece.first_point = points_.size() / 3;
  piece.tags.assign(tags.begin(), tags.end());
  make_room(points_, 3 * mesh->points.size() + 1);
  add_points(mesh->points);
  piece.mesh = std::move(mesh);
  triangles_ += count;
}

void Surface::add_instance(const Surface& shape, const Pose& pose, std::uint32_t first_tag) {
  if (shape.empty() || !in_reach(pose.p)) return;
  instances_.push_back({&shape, pose, inverse(pose), first_tag});
}

void Surface::attach_instances() {
  for (std::uint32_t id = 0; id < instances_.size(); ++id) {
    const auto& [shape, pose, inverse_pose, first_tag] = instances_[id];
    RTCGeometry geometry = checked(rtcNewGeometry(device_->get(), RTC_GEOMETRY_TYPE_INSTANCE), device_->get());
    rtcSetGeometryInstancedScene(geometry, shape->scene());
    const Vec3 columns[] = {pose.q * Vec3{1, 0, 0}, pose.q * Vec3{0, 1, 0}, pose.q * Vec3{0, 0, 1}, pose.p};
    float transform[12];
    for (std::size_t k = 0; k < 4; ++k) {
      transform[3 * k] = static_cast<float>(columns[k].x);
      transform[3 * k + 1] = static_cast<float>(columns[k].y);
      transform[3 * k + 2] = static_cast<float>(columns[k].z);
    }
    rtcSetGeometryTransform(geometry, 0, RTC_FORMAT_FLOAT3X4_COLUMN_MAJOR, transform);
    rtcCommitGeometry(geometry);
    rtcAttachGeometryByID(scene_, geometry, id);
    rtcReleaseGeometry(geometry);
  }
}

void Surface::attach_triangles() {
  points_.push_back(0);
  for (std::size_t i = 0; i < pieces_.size(); ++i) {
    const Piece& piece = pieces_[i];
    RTCGeometry mesh = checked(rtcNewGeometry(device_->get(), RTC_GEOMETRY_TYPE_TRIANGLE), device_->get());
    const std::size_t points = piece.mesh ? piece.mesh->points.size() : points_.size() / 3;
    const std::uint32_t* indices =
        piece.mesh ? piece.mesh->indices.data() : indices_.data() + std::size_t{3} * piece.first_copied;
    rtcSetSharedGeometryBuffer(mesh, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3, points_.data() + 3 * piece.first_point, 0,
                               3 * sizeof(float), points);
    rtcSetSharedGeometryBuffer(mesh, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3, indices, 0, 3 * sizeof(std::uint32_t),
                               piece.triangles);
    rtcCommitGeometry(mesh);
    rtcAttachGeometryByID(scene_, mesh, static_cast<unsigned>(instances_.size() + i));
    rtcReleaseGeometry(mesh);
  }
}

void Surface::commit() {
  if (empty()) return;
  const FloatModeGuard guard;
  rtcSetSceneFlags(scene_, flags_for(triangles_));
  attach_instances();
  attach_triangles();
  rtcCommitScene(scene_);
  throw_embree_error(device_->get());
}

std::uint32_t Surface::tag_in(const std::vector<TagRun>& runs, std::uint32_t triangle) {
  return std::prev(std::upper_bound(runs.begin(), runs.end(), triangle,
                                    [](std::uint32_t t, const TagRun& run) { return t < run.first_triangle; }))
      ->tag;
}

const float* Surface::corner(const Piece& piece, std::uint32_t triangle, std::size_t k) const {
  const std::size_t index = std::size_t{3} * triangle + k;
  const std::size_t point =
      piece.mesh ? piece.first_point + piece.mesh->indices[index] : indices_[std::size_t{3} * piece.first_copied + index];
  return &points_[3 * point];
}

double Surface::grazing(const Piece& piece, std::uint32_t triangle, Vec3 from, Vec3 d, double slope, double gap) const {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (std::size_t k = 0; k < 3; ++k) {
    const float* p = corner(piece, triangle, k);
    const double t = dot(d, Vec3{static_cast<double>(p[0]), static_cast<double>(p[1]), static_cast<double>(p[2])} - from);
    low = std::min(low, t);
    high = std::max(high, t);
  }
  const double t = slope != 0 ? gap / slope : low;
  return t < low ? low : t > high ? high : t;
}

namespace {

struct Entering : RTCIntersectContext {
  const Surface* surface = nullptr;
  Vec3 d;
};

void only_entered(const RTCFilterFunctionNArguments* args) {
  const auto& context = *static_cast<const Entering*>(args->context);
  for (unsigned i = 0; i < args->N; ++i) {
    const Surface::Triangle triangle{RTCHitN_geomID(args->hit, args->N, i), RTCHitN_primID(args->hit, args->N, i)};
    if ((context.surface->tag(triangle) & Surface::kClosed) != 0 && dot(context.surface->normal(triangle), context.d) > 0)
      args->valid[i] = 0;
  }
}

}  // namespace

bool Surface::first_hit(Vec3 from, Vec3 d, double near, double far, Triangle& triangle) const {
  return first_hit(from, d, near, far, triangle, false);
}
bool Surface::first_entry(Vec3 from, Vec3 d, double near, double far, Triangle& triangle) const {
  return first_hit(from, d, near, far, triangle, true);
}

bool Surface::first_hit(Vec3 from, Vec3 d, double near, double far, Triangle& triangle, bool entered) const {
  if (empty()) return false;
  Entering context;
  rtcInitIntersectContext(&context);
  context.surface = this;
  context.d = d;
  if (entered) context.filter = [](const RTCFilterFunctionNArguments* args) { only_entered(args); };
  RTCRayHit hit{};
  hit.ray.org_x = static_cast<float>(from.x);
  hit.ray.org_y = static_cast<float>(from.y);
  hit.ray.org_z = static_cast<float>(from.z);
  hit.ray.dir_x = static_cast<float>(d.x);
  hit.ray.dir_y = static_cast<float>(d.y);
  hit.ray.dir_z = static_cast<float>(d.z);
  hit.ray.tnear = static_cast<float>(near);
  hit.ray.tfar = static_cast<float>(far);
  hit.ray.mask = ~0u;
  hit.hit.geomID = RTC_INVALID_GEOMETRY_ID;
  rtcIntersect1(scene_, &context, &hit);
  if (hit.hit.geomID == RTC_INVALID_GEOMETRY_ID) return false;
  triangle = {hit.hit.geomID, hit.hit.primID};
  return true;
}

}  // namespace simbatch::sim::vision
