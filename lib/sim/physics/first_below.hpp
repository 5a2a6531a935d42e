#pragma once
/// Tests whether a body is the first one below a point, with a cache for points that move little between calls.

#include <cstdint>
#include <vector>

#include "lib/sim/physics/shapes.hpp"
#include "lib/sim/physics/world.hpp"

namespace simbatch::physics {

/// Cache of World::is_first_below(): the ground's triangles around the point, and the other bodies there.
struct FirstBelow {
  BodyId ground = kNoBody;
  double depth = 0;  ///< m
  RayFilter filter;

  // Filled in by the world.
  struct Triangle {
    Vec3 corner;
    double slope_x = 0, slope_z = 0;  ///< dy/dx, dy/dz of its plane
    /// Distance inwards from each side, seen from above: x * nx + z * nz - d (m).
    struct Side {
      double nx = 0, nz = 0, d = 0;
    };
    std::array<Side, 3> sides;
    double margin = 0;         ///< m; closer to a side than this, a ray has to decide
    double low = 0, high = 0;  ///< m, of its corners
  };
  /// An upright box in any direction: x * nx + z * nz is within `across` (m), x * nz - z * nx within `along`, y within `up`.
  struct Box {
    struct Range {
      double low = 0, high = 0;  ///< m
    };
    double nx = 1, nz = 0;
    Range across, along, up;
    bool is_over(double at_x, double at_z) const {
      const double u = at_x * nx + at_z * nz, v = at_x * nz - at_z * nx;
      return across.low <= u && u <= across.high && along.low <= v && v <= along.high;
    }
  };
  bool filled = false;
  bool unclear = false;  ///< always needs a ray cast
  double x = 0, z = 0;   ///< center of the cached region
  /// Around a point, the disc within the first of the triangles with no fixed body above or below it; clear_radius (m) is 0 if
  /// there is none.
  double clear_x = 0, clear_z = 0, clear_radius = 0;  ///< m
  std::uint64_t version = 0;
  std::int64_t rays = 0;  ///< how often a ray had to decide
  std::vector<Triangle> triangles;
  std::vector<Box> steep;  ///< around other triangles of the ground (curbs, slivers): where no triangle is below, a ray decides
  std::vector<Triangle> covers;  ///< of other fixed bodies
  std::vector<Box> others;       ///< around their other triangles and parts
};

}  // namespace simbatch::physics
