#pragma once
/// Where there is water, if not everywhere below one level.

#include <functional>
#include <optional>

#include "base/geo/pose.hpp"

namespace simbatch::sim {

/// y of the water's surface at a place, m; nothing where there is no water.
using WaterLevelAt = std::function<std::optional<double>(geo::Vec3)>;

}  // namespace simbatch::sim
