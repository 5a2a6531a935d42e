#pragma once
/// Charts of two traces: overlaid, and their difference.

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "formats/trace/deviation.hpp"
#include "lib/plot/chart.hpp"

namespace simbatch::plot {

/// First a map with the paths in both traces (x east, z north; m) of every object that moves and whose positions differ; then
/// two charts for each deviation: the field in both traces over time (s), and the difference, with a mark where it is largest.
/// @param rows  common_times()
std::vector<Chart> deviation_charts(const trace::Trace& a, const trace::Trace& b,
                                    const std::vector<std::pair<std::size_t, std::size_t>>& rows,
                                    std::span<const trace::Deviation> deviations);

}  // namespace simbatch::plot
