#pragma once
/// Bounding boxes of points and shapes. For this room and lib/sim/vision.

#include <span>
#include <utility>

#include "lib/sim/physics/shapes.hpp"

namespace simbatch::scene {

/// Lowest and highest corner (m). @pre not empty
std::pair<geo::Vec3, geo::Vec3> bounds_of(std::span<const geo::Vec3> points);
/// Bounds of a shape in its own frame.
std::pair<geo::Vec3, geo::Vec3> bounds_of(const physics::Shape& shape);

}  // namespace simbatch::scene
