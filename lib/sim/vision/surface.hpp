#pragma once
/// Ray casting at triangles, based on Embree. Internal to this room; Embree's headers stay in the .cpp files.
///
/// Embree determines which triangle a ray hits first, never its distance. Its kernels start divisions from the processor's
/// approximate reciprocal, whose bits differ between makers even with the instruction set pinned; so distances are computed
/// here, in double, from the triangle's plane (docs/adr/0008).

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/geo/pose.hpp"
#include "lib/sim/vision/embree_device.hpp"

struct RTCSceneTy;

namespace simbatch::sim::vision {

using geo::Pose;
using geo::Quat;
using geo::Vec3;

class Surface {
 public:
  explicit Surface(std::shared_ptr<EmbreeDevice> device);
  ~Surface();
  Surface(const Surface&) = delete;
  Surface& operator=(const Surface&) = delete;

  /// Objects farther from the world's origin than this (m) are invisible: the limit of floats and of Embree.
  static constexpr double kReach = 1e8;
  static bool in_reach(Vec3 p) {
    return p.x > -kReach && p.x < kReach && p.y > -kReach && p.y < kReach && p.z > -kReach && p.z < kReach;
  }
  /// Adds triangles; degenerate ones and those out of range are dropped. Before commit(). @param tag  the caller's tag for the
  /// triangles
  void add_triangles(std::span<const Vec3> points, std::span<const std::uint32_t> indices, std::uint32_t tag);
  /// @param tags  one per triangle
  void add_triangles(std::span<const Vec3> points, std::span<const std::uint32_t> indices, std::span<const std::uint32_t> tags);
  /// Adds all triangles of another surface at a pose (m): stored once for all instances. One out of range is dropped. Before
  /// commit().
  /// @param shape      committed; must outlive this one; without instances of its own
  /// @param first_tag  added to the tags of its triangles
  void add_instance(const Surface& shape, const Pose& pose, std::uint32_t first_tag);
  void commit();
  bool empty() const { return tags_.empty() && instances_.empty(); }
  std::size_t triangles() const { return tags_.size(); }
  RTCSceneTy* scene() const { return scene_; }

  struct Instance {
    const Surface* shape;
    Pose pose, inverse_pose;
    std::uint32_t first_tag;
  };
  /// Of a hit that Embree reports with this instID[0], which is not RTC_INVALID_GEOMETRY_ID.
  const Instance& instance(std::uint32_t id) const { return instances_[id]; }

  std::uint32_t tag(std::uint32_t triangle) const { return tags_[triangle]; }
  /// Unit normal by the order of the triangle's corners: cross(b - a, c - a).
  Vec3 normal(std::uint32_t triangle) const { return planes_[triangle].n; }
  /// t where from + t d intersects the plane of a triangle found by Embree, clamped to its corners. d of length 1.
  double distance(std::uint32_t triangle, Vec3 from, Vec3 d) const {
    const Plane& plane = planes_[triangle];
    const double slope = dot(plane.n, d), gap = plane.d - dot(plane.n, from);
    if (slope < -0.01 || slope > 0.01) return gap / slope;
    return grazing(triangle, from, d, slope, gap);
  }
  /// Set in the tag of a triangle of a closed surface: a ray that hits its back face started inside.
  static constexpr std::uint32_t kClosed = 1u << 31;
  /// The first triangle on from + t d with near < t < far; false if there is none.
  bool first_hit(Vec3 from, Vec3 d, double near, double far, std::uint32_t& triangle) const;
  /// The same, ignoring back faces of closed surfaces.
  bool first_entry(Vec3 from, Vec3 d, double near, double far, std::uint32_t& triangle) const;

 private:
  bool first_hit(Vec3 from, Vec3 d, double near, double far, std::uint32_t& triangle, bool entered) const;
  void attach_instances();
  void attach_triangles();
  void make_room_for(std::size_t points, std::size_t triangles);
  void add_points(std::span<const Vec3> points);
  void add_triangle(std::span<const Vec3> points, const std::uint32_t* corners, std::uint32_t first_point, std::uint32_t tag);
  struct Plane {
    Vec3 n;
    double d;  // n . x = d
  };
  double grazing(std::uint32_t triangle, Vec3 from, Vec3 d, double slope, double gap) const;

  std::shared_ptr<EmbreeDevice> device_;
  RTCSceneTy* scene_;
  std::vector<float> points_;           // three per point, and one more at the end: Embree reads 16 bytes
  std::vector<std::uint32_t> indices_;  // three per triangle
  std::vector<Plane> planes_;
  std::vector<std::uint32_t> tags_;
  std::vector<Instance> instances_;
};

}  // namespace simbatch::sim::vision
