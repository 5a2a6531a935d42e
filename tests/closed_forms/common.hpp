#pragma once
/// What the rows share.

#include <cmath>
#include <functional>
#include <numbers>
#include <string>

#include "lib/sim/physics/world.hpp"

namespace simbatch::closed_forms {

using namespace physics;

inline constexpr double kG = 9.81, kPi = std::numbers::pi;

inline WorldSettings at_rate(double hz, bool gravity = true) {
  WorldSettings settings;
  settings.dt = 1 / hz;
  if (!gravity) settings.gravity = {};
  return settings;
}

inline BodySettings body(std::string name, Shape shape, Pose pose, double mass = 1) {
  BodySettings b;
  b.name = std::move(name);
  b.parts = {{std::move(shape), {}}};
  b.pose = pose;
  b.mass = mass;
  return b;
}

/// Runs for a whole number of steps.
inline void run(World& world, double seconds) {
  const auto steps = std::lround(seconds / world.settings().dt);
  for (long i = 0; i < steps; ++i) world.step();
}

/// Runs until `value` falls below 0 for the n-th time; the time of that, between steps.
inline double crossing(World& world, int n, double limit, const std::function<double()>& value) {
  double last = value();
  while (world.time() < limit) {
    world.step();
    const double now = value();
    if (last > 0 && now <= 0 && --n == 0) return world.time() - world.settings().dt * now / (now - last);
    last = now;
  }
  return std::numeric_limits<double>::quiet_NaN();
}

/// Of several values, the one furthest from `exact`.
inline double worst(double exact, const std::vector<double>& values) {
  double found = exact;
  for (const double v : values)
    if (!(std::abs(v - exact) <= std::abs(found - exact))) found = v;
  return found;
}

enum class Ground { plane, grid, mesh, box };
inline constexpr Ground kGrounds[] = {Ground::plane, Ground::grid, Ground::mesh, Ground::box};

/// Level ground at y = 0, friction and restitution 1.
inline void add_ground(World& world, Ground kind) {
  const TerrainSettings settings{"ground", 1, 1, 0};
  constexpr double kHalf = 64;
  switch (kind) {
    case Ground::plane: world.add_plane(0, settings); break;
    case Ground::grid: {
      HeightGrid grid{33, 33, 4, -kHalf, -kHalf, {}};
      grid.heights.assign(33 * 33, 0.0);
      world.add_terrain(grid, settings);
      break;
    }
    case Ground::mesh:
      world.add_terrain(
          TriangleMesh{{{-kHalf, 0, -kHalf}, {-kHalf, 0, kHalf}, {kHalf, 0, -kHalf}, {kHalf, 0, kHalf}}, {0, 1, 2, 2, 1, 3}},
          settings);
      break;
    case Ground::box: {
      BodySettings b = body("ground", Box{{2 * kHalf, 1, 2 * kHalf}}, {{0, -0.5, 0}, {}});
      b.kind = BodyKind::fixed;
      b.friction = b.restitution = 1;
      world.add_body(b);
      break;
    }
  }
}

}  // namespace simbatch::closed_forms
