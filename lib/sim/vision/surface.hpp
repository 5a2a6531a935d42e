#pragma once
/// Ray casting at triangles, based on Embree. Internal to this room; Embree's headers stay in the .cpp files.
///
/// Embree determines which triangle a ray hits first, never its distance. Its kernels start divisions from the processor's
/// approximate reciprocal, whose bits differ between makers even with the instruction set pinned; so distances are computed
/// here, in double, from the triangle's plane (docs/adr/0008).

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "base/geo/pose.hpp"
#include "base/geo/triangle_mesh.hpp"
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
  /// Tag of the triangles from this one on, up to the next run.
  struct TagRun {
    std::uint32_t first_triangle = 0, tag = 0;
  };
  /// Adds the triangles of a mesh that is kept elsewhere, too, such as a town's streets, which are a million: only its points are
  /// copied, as floats. A mesh with triangles that would be dropped is copied as a whole. Before commit().
  /// @param tags  ascending, the first from triangle 0 on
  void add_mesh(std::shared_ptr<const geo::TriangleMesh> mesh, std::span<const TagRun> tags);
  /// Makes room for so many more points in all, and triangles that are copied: what is added one by one moves several times.
  void reserve(std::size_t points, std::size_t triangles);
  /// Adds all triangles of another surface at a pose (m): stored once for all instances. One out of range is dropped. Before
  /// commit().
  /// @param shape      committed; must outlive this one; without instances of its own
  /// @param first_tag  added to the tags of its triangles
  void add_instance(const Surface& shape, const Pose& pose, std::uint32_t first_tag);
  void commit();
  bool empty() const { return pieces_.empty() && instances_.empty(); }
  std::size_t triangles() const { return triangles_; }
  RTCSceneTy* scene() const { return scene_; }

  struct Instance {
    const Surface* shape = nullptr;
    Pose pose, inverse_pose;
    std::uint32_t first_tag = 0;
  };
  /// Of a hit that Embree reports with this instID[0], which is not RTC_INVALID_GEOMETRY_ID.
  const Instance& instance(std::uint32_t id) const { return instances_[id]; }

  /// A triangle as Embree reports it: geomID and primID of a hit.
  struct Triangle {
    std::uint32_t geometry = 0, primitive = 0;
  };
  std::uint32_t tag(Triangle triangle) const { return tag(piece_of(triangle), triangle.primitive); }
  /// Unit normal by the order of the triangle's corners: cross(b - a, c - a).
  Vec3 normal(Triangle triangle) const { return plane(piece_of(triangle), triangle.primitive).n; }
  /// t where from + t d intersects the plane of a triangle found by Embree, clamped to its corners. d of length 1.
  double distance(Triangle triangle, Vec3 from, Vec3 d) const { return meet(triangle, from, d).distance; }
  struct Meeting {
    double distance = 0;  // as of distance()
    Vec3 normal;
    std::uint32_t tag = 0;
  };
  /// All of that in one look.
  Meeting meet(Triangle triangle, Vec3 from, Vec3 d) const {
    const Piece& piece = piece_of(triangle);
    const Plane at = plane(piece, triangle.primitive);
    const double slope = dot(at.n, d), gap = at.d - dot(at.n, from);
    const bool is_clear = slope < -0.01 || slope > 0.01;
    return {is_clear ? gap / slope : grazing(piece, triangle.primitive, from, d, slope, gap), at.n,
            tag(piece, triangle.primitive)};
  }
  /// Set in the tag of a triangle of a closed surface: a ray that hits its back face started inside.
  static constexpr std::uint32_t kClosed = 1u << 31;
  /// The first triangle on from + t d with near < t < far; false if there is none.
  bool first_hit(Vec3 from, Vec3 d, double near, double far, Triangle& triangle) const;
  /// The same, ignoring back faces of closed surfaces.
  bool first_entry(Vec3 from, Vec3 d, double near, double far, Triangle& triangle) const;

 private:
  bool first_hit(Vec3 from, Vec3 d, double near, double far, Triangle& triangle, bool entered) const;
  void attach_instances();
  void attach_triangles();
  void make_room_for(std::size_t points, std::size_t triangles);
  void add_points(std::span<const Vec3> points);
  void add_triangle(std::span<const Vec3> points, const std::uint32_t* corners, std::uint32_t first_point, std::uint32_t tag);
  struct Plane {
    Vec3 n;
    double d;  // n . x = d
  };
  /// Consecutive triangles, which are a geometry of Embree: those of a mesh kept elsewhere, or copied ones.
  struct Piece {
    std::uint32_t triangles = 0;
    std::uint32_t first_copied = 0;                      // of copied ones, in planes_ and tags_
    std::shared_ptr<const geo::TriangleMesh> mesh = {};  // null: copied
    std::size_t first_point = 0;                         // of the mesh, in points_
    std::vector<TagRun> tags = {};                       // of the mesh
  };
  const Piece& piece_of(Triangle triangle) const { return pieces_[triangle.geometry - instances_.size()]; }
  Plane plane(const Piece& piece, std::uint32_t triangle) const {
    if (!piece.mesh) return planes_[piece.first_copied + triangle];
    const Vec3* points = piece.mesh->points.data();
    const std::uint32_t* corners = &piece.mesh->indices[std::size_t{3} * triangle];
    return plane_through(points[corners[0]], points[corners[1]], points[corners[2]]);
  }
  static std::uint32_t tag_in(const std::vector<TagRun>& runs, std::uint32_t triangle);
  std::uint32_t tag(const Piece& piece, std::uint32_t triangle) const {
    if (!piece.mesh) return tags_[piece.first_copied + triangle];
    return piece.tags.size() == 1 ? piece.tags.front().tag : tag_in(piece.tags, triangle);
  }
  const float* corner(const Piece& piece, std::uint32_t triangle, std::size_t k) const;
  /// n is 0 for a triangle without area.
  static Plane plane_through(Vec3 a, Vec3 b, Vec3 c) {
    const Vec3 n = normalized(cross(b - a, c - a));
    return {n, dot(n, a)};
  }
  /// Absent for a triangle that is dropped.
  static std::optional<Plane> plane_of(std::span<const Vec3> points, const std::uint32_t* corners);
  double grazing(const Piece& piece, std::uint32_t triangle, Vec3 from, Vec3 d, double slope, double gap) const;

  std::shared_ptr<EmbreeDevice> device_;
  RTCSceneTy* scene_;
  std::vector<float> points_;           // three per point, and one more at the end: Embree reads 16 bytes
  std::vector<std::uint32_t> indices_;  // three per copied triangle
  std::vector<Plane> planes_;           // of copied triangles
  std::vector<std::uint32_t> tags_;     // of copied triangles
  std::vector<Piece> pieces_;
  std::size_t triangles_ = 0;  // of all pieces
  std::vector<Instance> instances_;
};

}  // namespace simbatch::sim::vision
