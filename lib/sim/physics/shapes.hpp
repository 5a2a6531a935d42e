#pragma once
/// Shapes of bodies. Lengths in meters; every shape is centered on its own frame's origin, with its axis (if it has
/// one) along +y.

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/geo/height_grid.hpp"
#include "base/geo/pose.hpp"
#include "base/geo/triangle_mesh.hpp"

namespace simbatch::physics {

using geo::Pose;
using geo::Quat;
using geo::Vec3;

struct Box {
  Vec3 size{1, 1, 1};  ///< full edge lengths along x, y, z (m), > 0
};
struct Sphere {
  double radius = 0.5;  ///< m, > 0
};
/// A cylinder of `length` with a hemisphere at each end; total length: length + 2 radius.
struct Capsule {
  double radius = 0.5, length = 1;  ///< m, > 0; along y
};
struct Cylinder {
  double radius = 0.5, length = 1;  ///< m, > 0; along y
};
/// Base at y = -length/2, tip at y = +length/2.
struct Cone {
  double radius = 0.5, length = 1;  ///< of the base, and height (m), > 0
};
/// The hull of at least 4 points that are not coplanar.
struct ConvexHull {
  std::vector<Vec3> points;
};
/// Only the surface is solid, so for static and kinematic bodies.
using geo::TriangleMesh;
using Shape = std::variant<Box, Sphere, Capsule, Cylinder, Cone, ConvexHull, TriangleMesh>;

/// A shape and its pose in the body; several form a compound body.
struct Part {
  Shape shape;
  Pose pose;  ///< of the shape in the body
};

/// A symmetric inertia tensor (kg m^2) about the center of mass, along the body's axes. xy etc. are the elements of the matrix
/// (-sum m x y).
struct Inertia {
  double xx = 0, yy = 0, zz = 0, xy = 0, xz = 0, yz = 0;
};

/// Mass, center of mass and inertia tensor of a solid of uniform density.
struct MassProperties {
  double mass = 0;  ///< kg
  Vec3 center;      ///< in the body's frame
  Inertia inertia;
};
/// Mass properties of all parts together, scaled to `mass` (kg). Overlaps count twice. Exact for all shapes (Bullet uses the
/// bounding box for capsules, cones and hulls); for a mesh, those of the volume that its triangles enclose.
MassProperties mass_properties(const std::vector<Part>& parts, double mass);
/// True if the tensor is physically possible: finite, positive principal moments, none larger than the sum of the other two
/// (except for rounding).
bool is_sound(const Inertia& tensor);

/// The reason why the shape is invalid, or empty: sizes <= 0 or not finite, too few points, indices out of range, ...
std::string check_shape(const Shape& shape);

using geo::HeightGrid;
/// Height of the grid's surface at (x, z); empty outside the grid.
std::optional<double> height_at(const HeightGrid& grid, double x, double z);

}  // namespace simbatch::physics
