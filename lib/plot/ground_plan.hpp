#pragma once
/// What lies under the lines of a chart that is a map.

#include <array>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "formats/svg/svg.hpp"

namespace simbatch::plot {

/// Seen from above, in the units of the chart's axes (m): x to the right, y upwards.
struct GroundPlan {
  enum class Kind { water, house, tree, obstacle };
  using Point = std::array<double, 2>;
  /// A convex outline, of either direction; 3 points or more.
  struct Area {
    Kind kind = Kind::obstacle;
    std::vector<Point> outline;
  };
  struct Road {
    std::vector<Point> line;
    double width = 0;
  };
  std::vector<Area> areas;
  std::vector<Road> roads;
  /// Whether there is water at a place, beside the areas of it; empty: nowhere.
  std::function<bool(double x, double y)> is_water = {};
  bool empty() const { return areas.empty() && roads.empty() && !is_water; }
};

/// A rectangle of a picture, and the part of the plan that it shows.
struct PlanFrame {
  double left = 0, top = 0, width = 0, height = 0;  ///< pixels
  double x_low = 0, y_high = 0;                     ///< at the upper left corner
  double scale = 1;                                 ///< pixels for one unit
};

/// Draws what of the plan touches the frame: water, then roads, then what stands on the ground. What crosses the frame's edge is to
/// be cut off by the caller (a clipping path).
/// @return the kinds that are in the frame: the words and colors for a legend
std::vector<std::pair<std::string, std::string>> draw_plan(const GroundPlan& plan, const PlanFrame& frame, svg::Writer& out);

}  // namespace simbatch::plot
