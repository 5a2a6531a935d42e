#pragma once
/// Line charts as SVG pictures.

#include <span>
#include <string>
#include <vector>

#include "lib/plot/ground_plan.hpp"

namespace simbatch::plot {

/// A line through points; a point with a coordinate that is not finite, or beyond 1e300, breaks the line.
struct Series {
  std::string name;          ///< in the legend; empty: omitted
  std::vector<double> x, y;  ///< of equal length
  bool faint = false;        ///< drawn in the background, such as a band of noisy values
  bool dashed = false;       ///< a plan: gray, behind all others
  bool is_bound = false;     ///< texts of marks keep clear of it above all
};

/// A text at a point of the chart.
struct Mark {
  double x = 0, y = 0;
  std::string text;
};

struct Chart {
  std::string title, x_label, y_label;
  std::vector<Series> series;
  std::vector<Mark> marks;
  bool equal_scales = false;  ///< equal scale in x and y: for maps
  GroundPlan ground = {};     ///< under the lines of a map
};

/// Charts side by side in rows of `columns`, as one SVG document. Legends are above the charts, beside their titles if there is
/// room.
/// @param width, height  of one chart, in pixels, >= 100
/// A series with more points than pixel columns is reduced to the lowest and highest point of each column, so that no peak is
/// lost. Texts of marks are beside their points where they cross the fewest lines. The same charts give the same bytes.
std::string svg(std::span<const Chart> charts, int columns, int width = 480, int height = 300);

/// Round numbers that divide [low, high] into about `count` parts; at least two, ascending (Heckbert, Nice numbers for graph
/// labels, Graphics Gems, 1990).
std::vector<double> nice_ticks(double low, double high, int count);

}  // namespace simbatch::plot
